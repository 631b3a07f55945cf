"""What can be done with benchmarks: instances, environments, evaluations, reports, new sets."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.building import BuildTools, Overwriting
from ordojo.core.canonical import digest
from ordojo.core.environment import Environment
from ordojo.core.errors import DataError, RunError, UsageError
from ordojo.core.extras import need
from ordojo.core.hardness import Hardness
from ordojo.core.instance import Instance
from ordojo.core.options import Options, parse_options
from ordojo.core.records import RunView
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.core.spread import Place, spread, stateless
from ordojo.datasets.rows import parse_file
from ordojo.datasets.schemas import Row
from ordojo.evaluate.evaluation import Evaluation, EvaluationRequest, cost_in_words
from ordojo.evaluate.generation import generator
from ordojo.evaluate.grade import Grading, answered
from ordojo.evaluate.remote import all_at_hand, at_hand
from ordojo.evaluate.runs import read_runs
from ordojo.problems.checks import instance_folders
from ordojo.report.compare import RunComparison, compare_runs, pairs
from ordojo.report.hardness import keep, kept, read_hardness
from ordojo.report.overview import Rows
from ordojo.report.paper import write_paper
from ordojo.report.site import TITLE, ReportPaths, write_report
from ordojo.report.study import study
from ordojo.report.training import logs, read_trainings


def load(
    benchmark: str | AnyBenchmark, *, seed: int = 0, **options: Any
) -> Sequence[Instance[Any]]:
    """The instances of a benchmark under its options, each with a certificate checked on loading.

    A benchmark is a name, or an object: a class of your own need not be installed to be tried.
    Raises UsageError for an unknown name or option, DataError where the data are not at hand.

    >>> len(load("orqa", dataset="orqa@ordojo"))
    44
    """
    found = get_benchmark(benchmark)
    return found.load(parse_options(found.options, options, found.name), seed)


def make(benchmark: str | AnyBenchmark, *, seed: int = 0, **options: Any) -> Environment[Any]:
    """An environment of a benchmark: `reset(instance, seed)`, then `step(text)` until it is over.

    >>> environment = make("orqa", dataset="orqa@ordojo")
    >>> observation = environment.reset(load("orqa", dataset="orqa@ordojo")[0], seed=0)
    >>> environment.step("A").terminated
    True
    """
    found = get_benchmark(benchmark)
    return found.environment(parse_options(found.options, options, found.name), seed)


def evaluate(
    benchmark: str | AnyBenchmark,
    model: str,
    *,
    runs: str | Path = "runs",
    limit: int | None = None,
    sample: int | None = None,
    epochs: int = 1,
    seed: int = 0,
    generation: dict[str, Any] | None = None,
    connection: dict[str, Any] | None = None,
    max_cost: float | None = None,
    on: str | Place = "local",
    **options: Any,
) -> RunView:
    """Ask a model a benchmark; what is in `runs` already is not asked again.

    `runs` is a folder, here or at any fsspec URL ("s3://bucket/runs").
    `model` is any name that `ordojo eval --model` takes. `generation` replaces the protocol's own
    settings (temperature, top_p, max_tokens, reasoning_tokens), `connection` holds the provider's.
    After `max_cost` dollars no further sample is begun, and RunError says so.
    A scripted policy plays `on` local, processes[:N] or ray[:ADDRESS], with the same records.
    Raises UsageError, DataError or ProviderError before anything is asked.

    >>> run = evaluate("orqa", "ordojo/gold", dataset="orqa@ordojo", limit=4)
    >>> len(run.records)
    4
    """
    with at_hand(runs) as folder:
        request = EvaluationRequest(
            get_benchmark(benchmark).name,
            model,
            folder,
            options,
            limit=limit,
            sample=sample,
            epochs=epochs,
            seed=seed,
            generation=generation or {},
            connection=connection or {},
            place=Place.parse(on),
            max_cost=max_cost,
        )
        return Evaluation(request).run()


def grade(
    responses: str | Path,
    dataset: str,
    *,
    runs: str | Path = "runs",
    on: str | Place = "processes",
    **options: Any,
) -> RunView:
    """Run and judge stored answers: {"id", "epoch", "completion"} a line.

    `dataset` is an id or a file of built instances, whose ids are those that `load` gives. Done
    `on` processes[:N] (one a core) or ray[:ADDRESS]. Every rule's verdict is in the run.
    Raises UsageError, DataError or SandboxError.
    """
    benchmark, named = answered(dataset)
    with at_hand(runs) as folder:
        grading = Grading(benchmark, Path(responses), {**options, **named}, folder)
        return grading.run(Place.parse(on))


def report(
    runs: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    title: str = TITLE,
    latex: str | Path | None = None,
    figures: str | Path | None = None,
    rows: Rows | None = None,
    damaged: Callable[[RunError], None] | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> ReportPaths:
    """Write the static site of runs (run folders, or folders of them) with tables and a summary.

    A former report in `out` is replaced; training runs and hardness have pages of their own. A
    damaged run is told to `damaged` and left out; raises RunError without it, and where no run is
    left. `progress` hears of runs that must not be compared. The folder `latex` gets every table as
    booktabs LaTeX and CSV, with the `rows` of runs ("mine", without a choice), "published" ones or
    "all"; `figures` gets every chart as SVG and PDF (`ordojo[figures]`).

    >>> run = evaluate("orqa", "ordojo/gold", dataset="orqa@ordojo", limit=4)
    >>> report("runs", "report").index.name
    'index.html'
    """
    if figures is not None:
        need("figures", "--figures")
    if rows is not None and latex is None:
        raise UsageError("--rows are those of the LaTeX tables; give their folder too, --latex DIR")
    if rows not in (None, *get_args(Rows)):
        raise UsageError(f"rows is mine, published or all, not {rows!r}")
    with all_at_hand(runs) as given:
        return _report(given, Path(out), title, latex, figures, rows, damaged, progress)


def _report(
    given: Sequence[Path],
    out: Path,
    title: str,
    latex: str | Path | None,
    figures: str | Path | None,
    rows: Rows | None,
    damaged: Callable[[RunError], None] | None,
    progress: Callable[[str], None],
) -> ReportPaths:
    bad: list[RunError] = []
    trained = read_trainings(given, bad.append)
    # A folder of training runs or of hardness alone is no folder of runs.
    hard = read_hardness(given, bad.append)
    asked = [one for one in given if _evaluated(one) or not (logs([one]) or kept([one]))]
    found = read_runs(asked, bad.append) if asked else []
    if bad and (damaged is None or not (found or trained or hard)):
        raise bad[0]
    for error in bad:
        assert damaged is not None
        damaged(error)
    _say_versions(found, progress)
    paths = write_report(found, out, title, trainings=trained, hardness=hard)
    if latex is not None or figures is not None:
        made = study(found, get_benchmark, title, trained, hard)
        asked_for = {"--latex": latex, "--rows": rows, "--figures": figures}
        words = ["ordojo", "report", *map(str, given), "-o", str(out)]
        words += [str(w) for flag, at in asked_for.items() if at is not None for w in (flag, at)]
        write_paper(
            made,
            {column.key: pairs(column) for column in made.columns},
            None if latex is None else Path(latex),
            None if figures is None else Path(figures),
            shlex.join(words),
            rows or "mine",
        )
    return paths


def _say_versions(runs: Sequence[RunView], progress: Callable[[str], None]) -> None:
    versions: dict[str, set[str]] = {}
    for run in runs:
        versions.setdefault(run.header.benchmark, set()).add(run.header.benchmark_version)
    for name, several in sorted(versions.items()):
        if len(several) > 1:
            progress(
                f"{name}: runs of versions {' and '.join(sorted(several))} stand apart; their "
                "scores are not comparable"
            )


def compare(
    *runs: str | Path | RunView, progress: Callable[[str], None] = lambda line: None
) -> tuple[RunComparison, ...]:
    """Compare runs in pairs, item by item, with the epochs of an item averaged.

    A run is what `evaluate` gives, its folder, or one of a folder of runs. Those of one benchmark,
    version, dataset and rule are a group; a run alone in its group is compared with nothing, and
    `progress` hears of several versions. Each pair has the difference of mean scores with its
    interval, a permutation test, the exact sign test (McNemar's) and its power, all by whole
    clusters; p-values are adjusted by Holm's method over the group. Raises UsageError where no two
    runs are comparable, RunError for a folder that cannot be read.

    >>> gold = evaluate("orqa", "ordojo/gold", dataset="orqa@ordojo", limit=8)
    >>> silent = evaluate("orqa", "ordojo/noop", dataset="orqa@ordojo", limit=8)
    >>> compare(gold, silent)[0].pairs[0].comparison.difference.value
    1.0
    """
    found: list[RunView] = []
    for one in runs:
        if isinstance(one, RunView):
            found.append(one)
        else:
            with all_at_hand(one) as folders:
                found += read_runs(folders)
    _say_versions(found, progress)
    return compare_runs(found)


def _evaluated(path: Path) -> bool:
    return (path / "run.json").exists() or any(path.glob("*/run.json"))


def build(
    benchmark: str | AnyBenchmark,
    out: str | Path,
    *,
    force: bool = False,
    progress: Callable[[str], None] = lambda line: None,
    **settings: Any,
) -> Path:
    """Build new instances with their certificates; the same seed gives the same bytes.

    `settings` (n, seed and more) are those of `ordojo build BENCHMARK`, the fields of the
    benchmark's `building`; `progress` gets the lines that it prints. What is in `out` already is
    written over with `force` alone, where the builder does not go on there or add to it. Raises
    UsageError, DataError or GeneratorError.

    >>> build("or-bias", "new.jsonl", n=5, seed=7).name
    'new.jsonl'
    """
    found, path = get_benchmark(benchmark), Path(out)
    if found.building is None:
        raise UsageError(f"{found.name} has no builder")
    if issubclass(found.building, Overwriting):
        taken = path.is_file() or (path.is_dir() and any(path.iterdir()))
        if taken and not force:
            raise UsageError(f"{path} is not empty; give --force to write over it, or another -o")
    chosen = parse_options(found.building, settings, f"building {found.name}")
    for line in found.build(path, chosen, BuildTools(progress, generator, cost_in_words)):
        progress(line)
    return path


def hardness(
    target: str | Path | AnyBenchmark,
    *,
    train: str | Path | None = None,
    runs: str | Path | None = None,
    seed: int = 0,
    **options: Any,
) -> Hardness:
    """How far one gets on a benchmark, or a file of built instances, without reading.

    `train` are instances that guessers are fitted to, a file as `target` may be; without them
    guessers are cross-validated. The result is kept in the folder `runs`, if there is one, for the
    report. Raises UsageError or DataError.

    >>> found = hardness("econlogicqa", dataset="econlogicqa@ordojo")
    >>> found.battery.shortcuts[0].name, round(found.battery.shortcuts[0].score.value, 3)
    ('as given', 0.028)
    """
    benchmark, chosen, instances, dataset = measurable(target, seed, options)
    seen: Sequence[Instance[Any]] = ()
    fitted_on = "the other parts of five"
    if train is not None:
        trainer, _, seen, learnt = measurable(train, seed, {})
        if trainer is not benchmark:
            raise UsageError(
                f"{train} has {trainer.name} instances, {target} {benchmark.name} ones"
            )
        known = {instance.content_hash for instance in instances}
        if both := sum(instance.content_hash in known for instance in seen):
            raise UsageError(
                f"{both} instances of {train} are in {target} as well; guessers must not be fitted "
                "to what they are measured on"
            )
        fitted_on = learnt["id"]
    found = Hardness(
        benchmark.name,
        benchmark.title,
        benchmark.version,
        dataset["id"],
        dataset["sha256"],
        len(instances),
        fitted_on,
        benchmark.hardness(chosen, instances, seen),
    )
    if runs is not None:
        with at_hand(runs) as folder:
            keep(found, folder)
    return found


def measurable(
    target: str | Path | AnyBenchmark, seed: int, options: dict[str, Any]
) -> tuple[AnyBenchmark, Options, Sequence[Instance[Any]], Mapping[str, str]]:
    """Benchmark, options, instances and dataset of a name with options, a file or a folder."""
    named = str(target) if isinstance(target, str | Path) else target.name
    path = Path(named).expanduser()
    if not path.exists() and (path.suffix or len(path.parts) > 1):
        raise UsageError(f"{named}: there is no such file or folder; build it, or name a benchmark")
    if named.replace("_", "-") in benchmark_names() or not path.exists():
        benchmark = get_benchmark(str(target) if isinstance(target, Path) else target)
        chosen = parse_options(benchmark.options, options, benchmark.name)
        return benchmark, chosen, benchmark.load(chosen, seed), benchmark.dataset(chosen)
    if options:
        raise UsageError(f"{target} is a file or folder and takes no options")
    if path.is_dir():
        owner, options = answered(str(path))
        return measurable(owner, seed, options)
    found = list(_instances(path))
    names = sorted({benchmark.name for _, benchmark, _, _ in found})
    if len(names) != 1:
        raise DataError(f"{path} has instances of {' and '.join(names) or 'nothing'}; give one")
    instances = [instance for _, _, instance, _ in found]
    digested = digest([instance.content_hash for instance in instances])
    benchmark = found[0][1]
    return benchmark, benchmark.options(), instances, {"id": path.name, "sha256": digested}


@dataclass(frozen=True)
class Verification:
    """How many instances each benchmark has, those whose certificate does not hold, and `notes`.

    The notes are lines on each set as a whole.
    """

    counts: dict[str, int]
    failures: list[dict[str, str]]
    notes: Sequence[str] = ()

    @property
    def holds(self) -> bool:
        """Whether every certificate holds."""
        return not self.failures


PROVING = "proving certificates again"


def verify(path: str | Path, *, on: str | Place = "local") -> Verification:
    """Every certificate of a file of instances, or of a folder of instance folders, from scratch.

    Done `on` local, processes[:N] or ray[:ADDRESS]. Raises DataError where a row cannot be an
    instance at all.

    >>> verify(build("or-bias", "bias.jsonl", n=5, seed=7)).holds
    True
    """
    check = _folders if Path(path).is_dir() else _rows
    return check(Path(path), Place.parse(on))


def _folders(folder: Path, place: Place) -> Verification:
    owner = answered(str(folder))[0]
    folders = instance_folders(folder)
    found = spread(
        stateless(partial(_problem, _check_folder)),
        [(owner, one) for one in folders],
        place,
        what=PROVING,
    )
    failures = [
        {"where": str(one), "id": one.name, "problem": problem}
        for one, problem in zip(folders, found, strict=True)
        if problem
    ]
    return Verification({owner: len(folders)}, failures)


def _problem(check: Callable[[Any], None], given: Any) -> str:
    """Why a certificate does not hold, "" where it does."""
    try:
        check(given)
    except DataError as error:
        return str(error)
    return ""


def _check_folder(given: tuple[str, Path]) -> None:
    name, folder = given
    get_benchmark(name).verify_folder(folder)


def _check(row: tuple[str, Instance[Any]]) -> None:
    name, instance = row
    get_benchmark(name).verify(instance)


def _rows(file: Path, place: Place) -> Verification:
    counts: dict[str, int] = {}
    failures: list[dict[str, str]] = []
    seen: dict[str, str] = {}
    together: dict[str, list[Instance[Any]]] = {}
    rows = list(_instances(file))
    asked = [(benchmark.name, instance) for _, benchmark, instance, _ in rows]
    problems = spread(stateless(partial(_problem, _check)), asked, place, what=PROVING)
    for (where, benchmark, instance, row), problem in zip(rows, problems, strict=True):
        counts[benchmark.name] = counts.get(benchmark.name, 0) + 1
        together.setdefault(benchmark.name, []).append(instance)
        try:
            if problem:
                raise DataError(problem)
            if row.get("content_hash", instance.content_hash) != instance.content_hash:
                raise DataError(f"{instance.id}: content_hash is not that of the content")
            if instance.id in seen:
                raise DataError(f"{instance.id}: the id stands at {seen[instance.id]} already")
        except DataError as error:
            failures.append({"where": where, "id": instance.id, "problem": str(error)})
        seen[instance.id] = where
    notes: list[str] = []
    for name, instances in together.items() if not failures else ():
        try:
            notes += get_benchmark(name).verify_set(instances)
        except DataError as error:
            failures.append({"where": str(file), "id": name, "problem": str(error)})
    return Verification(counts, failures, notes)


def _instances(file: Path) -> Iterator[tuple[str, AnyBenchmark, Instance[Any], Row]]:
    """Of each row of a built file its place, benchmark and instance, and the row itself."""
    for where, row in parse_file(file):
        name = row.get("benchmark")
        if not isinstance(name, str):
            raise DataError(f"{where}: lacks 'benchmark', the name of the instance's benchmark")
        benchmark = get_benchmark(name)
        try:
            yield where, benchmark, benchmark.read_instance(row), row
        except DataError as error:
            raise DataError(f"{where}: {error}; correct the row or build the file again") from None
