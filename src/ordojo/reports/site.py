"""The static site: its pages, tables and samples of runs, and which folders it may replace.

Pages are rendered from templates in which every text is escaped. A run's page has the command that
repeats it (`command`) and the other facts of its header.
"""

import json
import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

import ordojo
from ordojo.core.canonical import Json, canonical
from ordojo.core.errors import RunError, UsageError
from ordojo.core.files import parse_json, read_text
from ordojo.core.hardness import Hardness
from ordojo.core.outputs import refuse_strangers, whole_folder
from ordojo.core.panels import Published
from ordojo.core.progress import counted
from ordojo.core.records import RunHeader, RunView
from ordojo.core.registry import get_benchmark
from ordojo.core.statistics import Estimate
from ordojo.core.words import amount
from ordojo.reports import hardness, overview, text, training
from ordojo.reports.charts.bars import Forest, Line, forest
from ordojo.reports.charts.colour import scale_css, step_class
from ordojo.reports.charts.glyph import axis, interval_glyph, strip
from ordojo.reports.charts.plot import tag
from ordojo.reports.compare import Pair, label
from ordojo.reports.compare import pairs as compared
from ordojo.reports.overview import estimate_of
from ordojo.reports.panels import draw, framed
from ordojo.reports.samples import Instances, instances, write_samples
from ordojo.reports.study import Lookup, RunSummary, Study, StudyColumn, study
from ordojo.reports.tables import summary_json, tables_csv
from ordojo.reports.text import script
from ordojo.reports.training import Training

MATRIX_RUNS = 40
"""Runs of a column up to which the whole matrix of comparisons is drawn."""


def environment() -> Environment:
    """The templates; every expression is escaped and cleaned of hostile characters."""
    made = Environment(
        loader=PackageLoader("ordojo.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        number=text.number,
        signed=text.signed,
        interval=text.interval,
        p_value=text.p_value,
        short_difference=text.short_difference,
        estimate=estimate_of,
        glyph=interval_glyph,
        axis=axis,
        step_class=step_class,
        sort_key=_sort_key,
        bounds=_bounds,
        command=command,
        facts=facts,
        run_label=label,
        is_published=lambda entry: isinstance(entry, Published),
        software=f"ordojo {ordojo.__version__}",
    )
    return made


def _finalize(value: Any) -> Any:
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return text.clean(value)


def _sort_key(value: float) -> Markup:
    return Markup("" if math.isnan(value) else f' data-v="{value!r}"')


def _bounds(estimate: Estimate) -> str:
    return "" if math.isnan(estimate.low) else tag("small", text.interval(estimate))


def index_page(env: Environment, study: Study, pairs: Mapping[str, Sequence[Pair]]) -> str:
    """`index.html`: the field at a glance, leaderboard, comparisons and runs."""
    rows = overview.rows(study)
    return env.get_template("index.html").render(
        root="",
        page="index",
        study=study,
        rows=rows,
        statement=statement(study),
        strips=_strips([column for column in study.columns if column.runs]),
        matrices=[_matrix(column, pairs[column.key]) for column in study.columns],
        quoted=sum(row.kind == "published" for row in rows),
        scripted=sum(row.kind == "baseline" for row in rows),
    )


def benchmark_page(env: Environment, study: Study, name: str) -> str:
    """`<benchmark>.html`: headline, rules, panels and reproduction, dataset by dataset."""
    columns = [column for column in study.columns if column.benchmark.name == name]
    sections = [
        {
            "column": column,
            "forest": _forest(column),
            "panels": [draw(panel) for panel in overview.panels(column)],
        }
        for column in columns
    ]
    return env.get_template("benchmark.html").render(
        root="", page=name, study=study, benchmark=columns[0].benchmark, sections=sections
    )


def training_page(env: Environment, study: Study) -> str:
    """`training.html`: each training run's table by epoch, held-out figures and curves."""
    sections = [
        {
            "title": run.name,
            "facts": [
                (name, text.number(value) if isinstance(value, int | float) else str(value))
                for name, value in run.summary.items()
                if isinstance(value, str | int | float) and name != "digest"
            ],
            "panels": [draw(panel) for panel in training.panels(run)],
        }
        for run in study.trainings
    ]
    overview = draw(training.overview(study.trainings))
    lede = "What each training run came to, step by step."
    return _sections(env, study, "Training", lede, sections, overview)


LINE = (
    "Published scores stand as quoted, without interval; of a model the best setting. The dashed "
    "line is the best shortcut, of several on the same instances."
)


def hardness_page(env: Environment, study: Study) -> str:
    """`hardness.html`: what models score over the line of whoever does not read."""
    sections = [
        {
            "title": made.title,
            "statements": made.statements,
            "panels": [
                *(
                    framed(figure.title, forest(figure, (0.0, 1.0), "shortcut"), LINE)
                    for figure in made.figures
                ),
                *map(draw, made.panels),
            ],
        }
        for made in hardness_sections(study)
    ]
    lede = "How far one gets without reading. A score that shortcuts reach, too, shows none."
    return _sections(env, study, "Hardness", lede, sections)


def _sections(
    env: Environment,
    study: Study,
    title: str,
    lede: str,
    sections: Sequence[Mapping[str, Any]],
    overview: str = "",
) -> str:
    usual = {"statements": (), "facts": ()}
    return env.get_template("sections.html").render(
        root="",
        page=title.lower(),
        study=study,
        title=title,
        lede=lede,
        sections=[{**usual, **section} for section in sections],
        overview=overview,
    )


def hardness_sections(study: Study) -> list[hardness.Section]:
    """The parts of the page on hardness, one a benchmark."""
    sections = []
    for name in dict.fromkeys(one.benchmark for one in study.hardness):
        models = {
            column.dataset: [
                Line(run.model, run.score, "model", run.setting, f"runs/{run.slug}.html")
                for run in column.runs
                if run.kind == "model"
            ]
            for column in study.columns
            if column.benchmark.name == name
        }
        found = [one for one in study.hardness if one.benchmark == name]
        sections.append(hardness.section(found, models))
    return sections


def samples_page(
    env: Environment, study: Study, column: StudyColumn, run: RunSummary, chunks: int
) -> str:
    """`runs/<run>.html`: the browser of one run's samples."""
    return env.get_template("samples.html").render(
        root="../", page="samples", study=study, column=column, run=run, chunks=chunks
    )


def statement(study: Study) -> str:
    """What the report covers, in one sentence."""
    runs = study.runs
    models = len({run.model for run in runs if run.kind == "model"})
    base = len({run.model for run in runs if run.kind == "baseline"})
    answers = sum(len(run.run.records) for run in runs)
    counts = {"model": models, "baseline": base}
    who = " and ".join(amount(n, word) for word, n in counts.items() if n)
    return (
        f"{who} on {amount(len(study.benchmarks), 'benchmark')} of operations research: "
        f"{amount(len(runs), 'run')}, {amount(answers, 'judged answer')}, each of them here to "
        "read."
    )


def _strips(columns: Sequence[StudyColumn]) -> list[dict[str, Any]]:
    """One strip a column; neighbours of the same range share an axis, under the last."""
    after = [column.bounds for column in columns[1:]]
    return [
        {**_strip(column), "show_axis": not after[place:] or after[place] != column.bounds}
        for place, column in enumerate(columns)
    ]


def _strip(column: StudyColumn) -> dict[str, Any]:
    points = [(run.kind, run.label, run.score) for run in column.runs]
    title = f"All scores on {column.benchmark.title}"
    return {
        "column": column,
        "svg": strip(
            points,
            column.bounds,
            column.benchmark.chance,
            title,
            column.lead.score.value if column.lead else None,
        ),
        "axis": axis(column.bounds),
        "lead": column.lead,
    }


def forest_lines(column: StudyColumn) -> list[Line]:
    """The runs and quoted scores of a column, best first."""
    lines = [
        Line(run.model, run.score, run.kind, run.setting, f"runs/{run.slug}.html", run.spread)
        for run in column.runs
    ]
    for row in column.quoted:
        note = " · ".join(part for part in (row.setting, row.source) if part)
        lines.append(Line(row.model, estimate_of(row), "published", note))
    return sorted(lines, key=lambda line: -line.estimate.value if line.estimate.value >= 0 else 9)


def _forest(column: StudyColumn) -> Markup:
    title = f"{column.benchmark.title}: {column.metric}"
    chart = Forest(title, forest_lines(column), column.benchmark.chance)
    return forest(chart, column.bounds)


def _matrix(column: StudyColumn, pairs: Sequence[Pair]) -> dict[str, Any]:
    cells = {(pair.first, pair.second): pair for pair in pairs}
    reach = max((abs(v) for p in pairs if (v := p.comparison.difference.value) == v), default=0.0)
    return {
        "column": column,
        "cells": cells,
        "reach": reach or 1.0,
        "drawn": 1 < len(column.runs) <= MATRIX_RUNS,
    }


def compare_data(study: Study, pairs: Mapping[str, Sequence[Pair]]) -> list[dict[str, Any]]:
    """What the page's comparison of two runs reads: labels, and one line a pair."""
    return [
        {
            "runs": [label(run, column) for run in column.runs],
            "rules": [run.header.rule for run in column.runs],
            "pairs": [[pair.first, pair.second, *_figures(pair)] for pair in pairs[column.key]],
        }
        for column in study.columns
    ]


def _figures(pair: Pair) -> list[float | int]:
    e = pair.comparison.difference
    return [
        *(round(x, 6) for x in (e.value, e.low, e.high, pair.comparison.p_value, pair.adjusted)),
        pair.among,
        e.n,
        e.clusters,
    ]


def command(header: RunHeader) -> str:
    """The `ordojo` line that repeats the run."""
    kind, _, name = header.model.partition("/")
    words = ["ordojo", "eval", header.benchmark, "--model", header.model]
    if kind == "person":
        words = ["ordojo", "play", header.benchmark, "--name", name]
    for name, value in header.options.items():
        words += ["-T", f"{name}={spell(value)}"]
    if header.limit is not None:
        words += ["--limit", str(header.limit)]
    if header.sample is not None:
        words += ["--sample", str(header.sample)]
    if header.epochs != 1:
        words += ["--epochs", str(header.epochs)]
    for name in ("temperature", "top_p", "max_tokens", "reasoning_tokens"):
        if name in header.generation:
            words += [f"--{name.replace('_', '-')}", spell(header.generation[name])]
    model_args = header.generation.get("model_args")
    if isinstance(model_args, Mapping):
        words += [word for key in model_args for word in ("-M", f"{key}={spell(model_args[key])}")]
    return shlex.join([*words, "--seed", str(header.seed)])


def spell(value: Json) -> str:
    """An option's value as it is typed."""
    return value if isinstance(value, str) else canonical(value)


def facts(header: RunHeader) -> Mapping[str, str]:
    """The header's other facts by name: data, generation, software, time."""
    found = {f"dataset {name}": value for name, value in sorted(header.dataset.items())}
    found |= {name: spell(value) for name, value in sorted(header.generation.items())}
    found |= dict(sorted(header.software.items()))
    if header.created:
        found["created"] = header.created
    return found


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
            f"{out} is not empty and not a report of ordojo; name another folder with `out`"
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
    env = environment()
    with replacing(out) as folder:
        _assets(folder / "assets")
        if runs:
            _write(folder / "index.html", index_page(env, found, pairs))
        if trainings:
            # Without runs of benchmarks it is the whole report.
            name = "training.html" if runs else "index.html"
            _write(folder / name, training_page(env, found))
        if hardness:
            name = "hardness.html" if runs or trainings else "index.html"
            _write(folder / name, hardness_page(env, found))
        for benchmark in found.benchmarks:
            name = f"{benchmark.name}.html"
            _write(folder / name, benchmark_page(env, found, benchmark.name))
        (folder / "data").mkdir()
        _write(folder / "assets/pairs.js", script("compare", compare_data(found, pairs)))
        (folder / "runs").mkdir()
        for column in counted(found.columns, "writing the samples of columns"):
            asked: dict[str, Instances] = {}
            for run in column.runs:
                key = repr((run.header.options, run.header.seed))
                if key not in asked:
                    asked[key] = instances(column.benchmark, run.header)
                chunks = write_samples(column, run, folder / "data" / run.slug, asked[key])
                page = samples_page(env, found, column, run, chunks)
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
