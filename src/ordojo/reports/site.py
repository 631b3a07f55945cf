"""The static site: pages, tables and samples of runs, and which folders it may replace."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from ordojo.core.errors import RunError, UsageError
from ordojo.core.files import parse_json, read_text
from ordojo.core.hardness import Hardness
from ordojo.core.outputs import refuse_strangers, whole_folder
from ordojo.core.progress import counted
from ordojo.core.records import RunView
from ordojo.core.registry import get_benchmark
from ordojo.reports import pages
from ordojo.reports.charts.colour import scale_css
from ordojo.reports.compare import pairs as compared
from ordojo.reports.samples import Instances, instances, write_samples
from ordojo.reports.study import Lookup, study
from ordojo.reports.tables import summary_json, tables_csv
from ordojo.reports.text import script
from ordojo.reports.training import Training

MARKER = ".ordojo-report"
"""File that names the files of a report; only a folder that has it is ever replaced."""


def check_replaceable(out: Path) -> None:
    """Raise UsageError unless `out` is absent, empty, or a report and nothing else."""
    if not out.exists():
        return
    if not out.is_dir():
        raise UsageError(f"{out} is a file; name a folder for the report")
    if all(path.is_dir() for path in out.rglob("*")):
        return
    try:
        listed = set(parse_json(read_text(out / MARKER))["files"])
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(
            f"{out} is not empty and not a report of ordojo; name another folder with -o"
        ) from None
    refuse_strangers(out, lambda name: name in listed or name == MARKER)


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """Give a temporary folder beside `out`, which takes its place if the block succeeds."""
    check_replaceable(out)
    with whole_folder(out, error=RunError) as fresh:
        yield fresh
        files = sorted(p.relative_to(fresh).as_posix() for p in fresh.rglob("*") if p.is_file())
        (fresh / MARKER).write_text(json.dumps({"schema": 1, "files": files}, indent=1) + "\n")


TITLE = "Language models on operations research"


@dataclass(frozen=True)
class ReportPaths:
    """Where a report lies."""

    folder: Path
    index: Path
    tables: Path
    summary: Path


def write_report(
    runs: Sequence[RunView],
    out: Path,
    title: str = TITLE,
    lookup: Lookup = get_benchmark,
    *,
    trainings: Sequence[Training] = (),
    hardness: Sequence[Hardness] = (),
) -> ReportPaths:
    """Write the report of `runs`, `trainings` and `hardness` to `out`, replacing a former report.

    The same runs give the same bytes, in whatever order they come. Raises RunError if there is no
    run, and UsageError if `out` holds anything but a report; then nothing is changed.
    """
    check_replaceable(out)
    found = study(runs, lookup, title, trainings, hardness)
    pairs = {column.key: compared(column) for column in found.columns}
    env = pages.environment()
    with replacing(out) as folder:
        _assets(folder / "assets")
        if runs:
            _write(folder / "index.html", pages.index_page(env, found, pairs))
        if trainings:
            # Without runs of benchmarks it is the whole report.
            name = "training.html" if runs else "index.html"
            _write(folder / name, pages.training_page(env, found))
        if hardness:
            name = "hardness.html" if runs or trainings else "index.html"
            _write(folder / name, pages.hardness_page(env, found))
        for benchmark in found.benchmarks:
            name = f"{benchmark.name}.html"
            _write(folder / name, pages.benchmark_page(env, found, benchmark.name))
        (folder / "data").mkdir()
        _write(folder / "assets/pairs.js", script("compare", pages.compare_data(found, pairs)))
        (folder / "runs").mkdir()
        for column in counted(found.columns, "writing the samples of columns"):
            asked: dict[str, Instances] = {}
            for run in column.runs:
                key = repr((run.header.options, run.header.seed))
                if key not in asked:
                    asked[key] = instances(column.benchmark, run.header)
                chunks = write_samples(column, run, folder / "data" / run.slug, asked[key])
                page = pages.samples_page(env, found, column, run, chunks)
                _write(folder / "runs" / f"{run.slug}.html", page)
        _write(folder / "tables.csv", tables_csv(found))
        _write(folder / "summary.json", summary_json(found, pairs))
    return ReportPaths(out, out / "index.html", out / "tables.csv", out / "summary.json")


def _assets(folder: Path) -> None:
    folder.mkdir()
    for source in sorted(
        files("ordojo.reports").joinpath("static").iterdir(), key=lambda f: f.name
    ):
        if source.is_file():
            (folder / source.name).write_bytes(source.read_bytes())
    _write(folder / "scales.css", scale_css())


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")
