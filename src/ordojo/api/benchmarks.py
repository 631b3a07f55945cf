"""Benchmarks: what there is, instances, environments, new sets, certificates, hardness, seasons.

A season is fresh by date: who names a month gets its items, which nobody's data had before. Its
folder has a file or folder of each benchmark that has a season (`Benchmark.season` items), and
`commitments.jsonl`, a line an item. The item's commitment is its content's SHA-256, that of the
answer is over both, so that an answer with few values cannot be found by trying all.
"""

import datetime
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from ordojo.api.kinds import DATA, AnyPath, AnyRuns, Said, Seed, unheard
from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.building import BuildTools, Overwriting
from ordojo.core.canonical import digest
from ordojo.core.environment import Environment
from ordojo.core.errors import DataError, GeneratorError, UsageError
from ordojo.core.hardness import Hardness
from ordojo.core.instance import Instance
from ordojo.core.journal import line, read_rows
from ordojo.core.options import Options, parse_options
from ordojo.core.outputs import whole_folder, write_file
from ordojo.core.registry import benchmark_names, benchmark_of, get_benchmark, portable
from ordojo.core.rows import Row, parse_file
from ordojo.core.seeds import generator as drawing
from ordojo.core.signatures import checked
from ordojo.core.spread import Place, spread, stateless
from ordojo.core.words import amount
from ordojo.datasets.registry import answered, dataset_ids
from ordojo.evaluation.evaluation import cost_in_words
from ordojo.evaluation.generation import generator
from ordojo.evaluation.providers.loading import CATALOGUE
from ordojo.evaluation.remote import at_hand
from ordojo.problems.instances import instance_folders
from ordojo.reports.hardness import keep


@dataclass(frozen=True)
class Catalogue:
    """What there is: of each benchmark its version, summary, options and rules; ids; models."""

    benchmarks: Mapping[str, Mapping[str, Any]]
    datasets: tuple[str, ...]
    models: tuple[str, ...]

    def text(self) -> str:
        """A few lines a benchmark, then the datasets and the embedded models."""
        lines = []
        for name, facts in self.benchmarks.items():
            options = ", ".join(f"{key}={value}" for key, value in facts["options"].items())
            lines.append(f"{name} v{facts['version']}: {facts['summary']}")
            lines += [f"  options: {options}", f"  rules: {', '.join(facts['rules'])}"]
        lines.append(f"datasets: {', '.join(self.datasets)}")
        return "\n".join([*lines, f"embedded models: {', '.join(self.models)}"])


@checked
def catalogue() -> Catalogue:
    """List benchmarks with their options and rules, datasets, and embedded models.

    Returns:
        Names and what belongs to them.

    Examples:
        >>> "orqa" in catalogue().benchmarks
        True
    """
    benchmarks = {}
    for benchmark in map(get_benchmark, benchmark_names()):
        fields = benchmark.options.model_fields
        benchmarks[benchmark.name] = {
            "version": benchmark.version,
            "summary": benchmark.summary,
            "options": {name: str(field.default) for name, field in fields.items()},
            "rules": list(benchmark.rules),
        }
    models = tuple(f"ordojo/{name}" for name in CATALOGUE)
    return Catalogue(benchmarks, tuple(dataset_ids()), models)


@checked
def load(
    benchmark: str | AnyBenchmark, *, seed: Seed = 0, **options: Any
) -> Sequence[Instance[Any]]:
    """Load the instances of a benchmark, each with a certificate that is checked on loading.

    Args:
        benchmark: A benchmark's name, or an object: a class of your own need not be installed.
        seed: Of what is drawn.
        **options: The benchmark's.

    Returns:
        The instances, in their order.

    Raises:
        UsageError: For an unknown name or option.
        DataError: Where the data are not at hand, or a certificate does not hold.

    Examples:
        >>> len(load("orqa", dataset="orqa@ordojo"))
        44
    """
    found = get_benchmark(benchmark)
    return found.load(parse_options(found.options, options, found.name), seed)


@checked
def make(benchmark: str | AnyBenchmark, *, seed: Seed = 0, **options: Any) -> Environment[Any]:
    """Make an environment of a benchmark.

    Args:
        benchmark: A benchmark's name, or an object.
        seed: Of what the environment draws.
        **options: The benchmark's.

    Returns:
        The environment: `reset(instance, seed)`, then `step(text)` until it is over.

    Raises:
        UsageError: For an unknown name or option.

    Examples:
        >>> environment = make("orqa", dataset="orqa@ordojo")
        >>> observation = environment.reset(load("orqa", dataset="orqa@ordojo")[0], seed=0)
        >>> environment.step("A").terminated
        True
    """
    found = get_benchmark(benchmark)
    return found.environment(parse_options(found.options, options, found.name), seed)


@checked
def build(
    benchmark: str | AnyBenchmark,
    out: AnyPath,
    *,
    force: bool = False,
    progress: Said = unheard,
    **settings: Any,
) -> Path:
    """Build new instances with their certificates; the same seed gives the same bytes.

    Args:
        benchmark: A benchmark that has a builder: its name, or an object.
        out: The file or folder to write.
        force: Write over what `out` holds, where the builder does not go on there or add to it.
        progress: Hears what is built.
        **settings: Those of `ordojo build BENCHMARK` (n, seed and more), the fields of the
            benchmark's `building`.

    Returns:
        `out`.

    Raises:
        UsageError: For an unknown setting, or an `out` that is not empty.
        DataError: Where `out` cannot be written.
        GeneratorError: Where no such instance can be made.

    Examples:
        >>> build("or-bias", "new.jsonl", n=5, seed=7).name
        'new.jsonl'
    """
    found, path = get_benchmark(benchmark), Path(out)
    if found.building is None:
        raise UsageError(f"{found.name} has no builder")
    if issubclass(found.building, Overwriting):
        taken = path.is_file() or (path.is_dir() and any(path.iterdir()))
        if taken and not force:
            raise UsageError(
                f"{path} is not empty; give `force` to write over it, or another `out`"
            )
    chosen = parse_options(found.building, settings, f"building {found.name}")
    for told in found.build(path, chosen, BuildTools(progress, generator, cost_in_words)):
        progress(told)
    return path


@checked
def hardness(
    target: Annotated[AnyPath | AnyBenchmark, DATA],
    *,
    train: AnyPath | None = None,
    runs: AnyRuns | None = None,
    seed: Seed = 0,
    **options: Any,
) -> Hardness:
    """Say how far one gets on a benchmark, or a file of built instances, without reading.

    Shortcuts follow a fixed rule; guessers are fitted to other instances than those measured. Each
    has its score with a 95% interval, and what it lives on. Then follows what gives answers away:
    texts, names, claims that do not hold, duplicates.

    Args:
        target: A benchmark, or a file or folder of built instances.
        train: Instances that guessers are fitted to; without them, they are cross-validated.
        runs: Keep the result in this folder, for the report.
        seed: Of what is drawn.
        **options: The benchmark's.

    Returns:
        Scores with intervals, and findings.

    Raises:
        UsageError: For an unknown name or option, or instances of `train` that are in `target`.
        DataError: Where the data are not at hand.

    Examples:
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
    benchmark = benchmark_of(target) or (None if path.exists() else get_benchmark(named))
    if benchmark is not None:
        chosen = parse_options(benchmark.options, options, benchmark.name)
        return benchmark, chosen, benchmark.load(chosen, seed), benchmark.dataset(chosen)
    if options:
        raise UsageError(f"{target} is a file or folder and takes no options")
    if path.is_dir():
        owner, options = answered(path)
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

    @property
    def instances(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    def text(self) -> str:
        """The notes, a line for each that does not hold, and the count."""
        named = ", ".join(f"{count} of {name}" for name, count in self.counts.items())
        good = self.instances - len(self.failures)
        return "\n".join(
            [
                *self.notes,
                *(f"{failure['where']}: {failure['problem']}" for failure in self.failures),
                f"{good} of {self.instances} certificates hold ({named})",
            ]
        )

    def to_json(self) -> dict[str, Any]:
        """The counts, all failures and the notes."""
        return {
            "instances": self.instances,
            "verified": self.instances - len(self.failures),
            "benchmarks": self.counts,
            "failures": self.failures,
            "notes": list(self.notes),
        }


PROVING = "proving certificates again"


@checked
def verify(path: AnyPath, *, on: str | Place = "local") -> Verification:
    """Check every certificate of built instances again, from scratch.

    Args:
        path: A file of instances, or a folder of instance folders, as `build` writes them.
        on: local, processes[:N], N, or ray[:ADDRESS]; the results are the same.

    Returns:
        How many there are, and those whose certificate does not hold.

    Raises:
        DataError: Where a row cannot be an instance at all.

    Examples:
        >>> verify(build("or-bias", "bias.jsonl", n=5, seed=7)).holds
        True
    """
    check = _folders if Path(path).is_dir() else _rows
    return check(Path(path), Place.parse(on))


def _folders(folder: Path, place: Place) -> Verification:
    owner = answered(folder)[0].name
    folders = instance_folders(folder)
    asked = [(portable(owner), one) for one in folders]
    found = spread(stateless(_problem), asked, place, what=PROVING)
    failures = [
        {"where": str(one), "id": one.name, "problem": problem}
        for one, problem in zip(folders, found, strict=True)
        if problem
    ]
    return Verification({owner: len(folders)}, failures)


def _problem(given: tuple[str | AnyBenchmark, Path | Instance[Any]]) -> str:
    """Why the certificate of a benchmark's folder or instance does not hold, "" where it does."""
    benchmark, one = get_benchmark(given[0]), given[1]
    try:
        if isinstance(one, Path):
            benchmark.verify_folder(one)
        else:
            benchmark.verify(one)
    except DataError as error:
        return str(error)
    return ""


def _rows(file: Path, place: Place) -> Verification:
    counts: dict[str, int] = {}
    failures: list[dict[str, str]] = []
    seen: dict[str, str] = {}
    together: dict[str, list[Instance[Any]]] = {}
    rows = list(_instances(file))
    asked = [(portable(benchmark.name), instance) for _, benchmark, instance, _ in rows]
    problems = spread(stateless(_problem), asked, place, what=PROVING)
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


ATTEMPTS = 20
"""Seeds that are tried where a set that can be solved unread is refused; none left is a fault."""

COMMITMENTS = "commitments.jsonl"


def today() -> datetime.date:
    """The date here and now, in UTC, so that a season begins everywhere at once."""
    return datetime.datetime.now(datetime.UTC).date()


@checked
def season(
    date: str,
    out: AnyPath,
    *,
    force: bool = False,
    items: Mapping[str, int] | None = None,
    progress: Said = unheard,
) -> Path:
    """Build a month's items of every benchmark that has a season: the same for all who name it.

    commitments.jsonl has a hash of every item and answer. Before the month begins it is all that is
    written; from then on the same call writes the items and compares.

    Args:
        date: The month that seeds the items, such as 2026-12.
        out: A folder.
        force: Write over what `out` holds.
        items: How many of each benchmark, by name; its own season's, if not given.
        progress: Hears what is built.

    Returns:
        `out`.

    Raises:
        UsageError: For a date that is no month, or an `out` that is not empty.
        DataError: Where `out` cannot be written, or the items are not those committed to.

    Examples:
        >>> season("2999-12", "a-month", items={"or-bias": 5}).name
        'a-month'
    """
    out = Path(out)
    if not re.fullmatch(r"[0-9]{4}-(0[1-9]|1[0-2])", date):
        raise UsageError(f"`date` {date} is no month; write it as in 2026-12")
    begins = datetime.date.fromisoformat(f"{date}-01")
    before = read_rows(out / COMMITMENTS)
    if out.is_file():
        raise UsageError(f"{out} is a file; name a folder with `out`")
    if not force and out.exists() and {path.name for path in out.iterdir()} - {COMMITMENTS}:
        raise UsageError(f"{out} is not empty; name another folder with `out`, or give `force`")
    if items is None:
        items = {one.name: one.season for one in map(get_benchmark, benchmark_names())}
    with whole_folder(out, keep=True, advice="name another folder with `out`") as draft:
        made = list(_make(date, draft, items, progress))
        if before and in_order(before) != in_order(made):
            raise DataError(
                f"{out / COMMITMENTS} commits to other items of {date}; build them with the "
                "version of ordojo that wrote it, or name another folder with `out`"
            )
        if today() < begins:
            shutil.rmtree(draft)
            draft.mkdir()
        write_file(draft / COMMITMENTS, b"".join(map(line, made)))
    if today() < begins:
        progress(
            f"{date} begins on {begins}: {out} has the commitments to its {len(made)} items alone; "
            "built again from that day on, it has the items"
        )
    else:
        progress(f"{out}: {amount(len(made), 'item')} of {date}, each with its commitment")
    return out


def in_order(lines: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Commitments by benchmark and id: their order in a file says nothing."""
    return sorted(lines, key=lambda line: (line["benchmark"], line["id"]))


def _name(benchmark: str) -> str:
    building = get_benchmark(benchmark).building
    return benchmark if building is not None and building.folder else f"{benchmark}.jsonl"


def _make(
    date: str, folder: Path, items: Mapping[str, int], progress: Said
) -> Iterator[dict[str, Any]]:
    """Build every benchmark's items in `folder`, and yield their commitments."""
    for name, count in sorted(items.items()):
        if not count:
            continue
        _build(name, folder / _name(name), date, count)
        progress(f"{name}: {amount(count, 'item')}")
        benchmark, _, instances, _ = measurable(folder / _name(name), 0, {})
        for instance in instances:
            answer = digest([instance.content_hash, benchmark.gold(instance)])
            yield {
                "benchmark": name,
                "id": instance.id,
                "item": instance.content_hash,
                "answer": answer,
            }


def _build(name: str, path: Path, date: str, count: int) -> None:
    for attempt in range(ATTEMPTS):
        rng = drawing(int(date.replace("-", "")), f"season/{name}", attempt)
        try:
            build(name, path, n=count, seed=int(rng.integers(2**31)))
            return
        except (DataError, GeneratorError) as error:
            refused = error
    raise refused
