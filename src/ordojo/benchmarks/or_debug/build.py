"""`ordojo build or-debug`: its settings, a pool in one file, or the paper's splits in a folder.

The sets that are asked are found here: eval comes with ordojo, the others are generated.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice, pairwise
from pathlib import Path
from time import perf_counter
from typing import ClassVar

from ordojo.benchmarks.or_debug import authors, published
from ordojo.benchmarks.or_debug.adversaries import DRAWS, certify_known, certify_large, filtered
from ordojo.benchmarks.or_debug.from_files import build_from
from ordojo.benchmarks.or_debug.injection.generate import (
    GeneratedProblem,
    attempt,
    produce,
    produce_several,
    shared_solver,
)
from ordojo.benchmarks.or_debug.injection.validation import CHECKS, PHASES
from ordojo.benchmarks.or_debug.large import focused, produce_large
from ordojo.benchmarks.or_debug.schema import (
    HARD,
    LARGE,
    LIBRARY,
    PRINTED,
    QUIET,
    SPLITS,
    TOLD,
    TYPES,
    Debugging,
    content_key,
    make_instance,
    read_file,
    read_text,
    shipped,
)
from ordojo.benchmarks.or_debug.shortcuts import certify
from ordojo.benchmarks.or_debug.silent import produce_silent
from ordojo.benchmarks.or_debug.telling.anew import told_anew
from ordojo.core.building import BuildTools, Overwriting, PlaceField, place, setting
from ordojo.core.errors import DataError, GeneratorError, ProviderError, UsageError
from ordojo.core.instance import Instance, object_of, write_instances
from ordojo.core.outputs import named, whole_folder
from ordojo.core.policy import Generate
from ordojo.core.progress import counted
from ordojo.core.ranges import COUNT
from ordojo.core.seeds import generator
from ordojo.core.spread import HERE, Place, spread, stateless
from ordojo.core.words import amount
from ordojo.datasets.store import locate
from ordojo.solvers.highs import HighsOracle


class Tally:
    """Counts of a build; `add` each problem, then ask for the lines."""

    def __init__(self) -> None:
        self.attempts: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self._regenerations: Counter[str] = Counter()
        self._rows: list[int] = []
        self._columns: list[int] = []
        self._iis: list[int] = []
        self.shortcuts: list[str] = []
        self.kept: list[str] = []
        self._drawn: Counter[int] = Counter()

    def add(self, made: GeneratedProblem) -> None:
        """Count one problem with its failed attempts."""
        problem, model = made.problem, made.problem.model
        self.attempts[problem.type].update(made.passed)
        self._drawn[made.drawn] += 1
        failed = problem.regenerations
        self._regenerations[str(failed) if failed < 3 else "3 or more"] += 1
        self._rows.append(sum(model.is_live(i) for i in range(model.m)))
        self._columns.append(model.n)
        self._iis.append(len(problem.iis_rows) + len(problem.iis_bounds))

    def lines(self, basic: Mapping[str, float]) -> Iterator[str]:
        """The report; `basic` are the success shares of the basic injectors. In brackets: paper."""
        yield "injections that pass algorithm 6, robust and basic, and by phase [tables 21 and 22]:"
        for kind, title in TYPES.items():
            if passed := self.attempts[kind]:
                robust = _cent(through(passed, PHASES))
                yield (
                    f"  {kind} {title}: robust {robust} [{published.ROBUST[kind]}%], basic "
                    f"{_cent(basic[kind])} [{published.BASIC[kind]}%]; {_phases(passed, kind)}"
                )
        everything = sum(self.attempts.values(), Counter())
        yield f"  all: {_phases(everything, 'all')}"
        share = through(everything, CHECKS) / through(everything, PHASES)
        yield f"of those, accepted as they cannot be solved unread: {_cent(share)}"
        count, so_far, cumulated = len(self._rows), 0, 0
        told = []
        for times, share in published.REGENERATIONS.items():
            so_far += self._regenerations[times]
            cumulated += share
            told.append(
                f"{times}: {_cent(self._regenerations[times] / count)} [{share}%], "
                f"so far {_cent(so_far / count)} [{cumulated}%]"
            )
        yield f"regenerations (table 23): {'; '.join(told)}"
        shares = {
            group: sum(self.attempts[kind][CHECKS] for kind in group) / count
            for group in published.GROUPS
        }
        yield "mix (table 20): " + ", ".join(
            f"{group[0]}-{group[-1]} {_cent(shares[group])} [{said}%]"
            for group, said in published.GROUPS.items()
        )
        yield self.size()

    def again(self) -> Iterator[str]:
        """How many problems were drawn again, if any were."""
        if more := sum((drawn - 1) * times for drawn, times in self._drawn.items()):
            yield (
                f"drawn again, as one who knows the generator repaired them: {more}; in their "
                f"{DRAWS}th draw taken as they were: {self._drawn[DRAWS]}"
            )

    def size(self) -> str:
        """Rows, columns and IIS members."""
        low, high = published.IIS_RANGE
        iis = (  # of which models that solve have none
            f", IIS {_mean(self._iis):.1f} [{published.MEAN_IIS}], from {min(self._iis)} to "
            f"{max(self._iis)} [{low} to {high}]"
        )
        return (
            f"mean size (tables 3 and 20): {_mean(self._rows):.1f} rows [{published.MEAN_ROWS}], "
            f"{_mean(self._columns):.1f} columns [{published.MEAN_COLUMNS}]"
        ) + (iis if any(self._iis) else "")


def through(passed: Mapping[int, int], checks: int) -> float:
    """The share of attempts that passed so many checks, NaN without any."""
    total = sum(passed.values())
    done = sum(count for found, count in passed.items() if found >= checks)
    return done / total if total else float("nan")


def phase_rates(passed: Mapping[int, int]) -> list[float]:
    """For each phase the share that passed it among those that came to it, NaN if none came."""
    shares = [through(passed, phase) for phase in range(PHASES + 1)]
    return [now / before if before else float("nan") for before, now in pairwise(shares)]


def _phases(passed: Mapping[int, int], kind: str) -> str:
    """The pass rates by phase, and the final one."""
    rates = [*phase_rates(passed), through(passed, PHASES)]
    *phases, final = [
        f"{_cent(share)} [{said}%]"
        for share, said in zip(rates, published.PHASES[kind], strict=True)
    ]
    return f"phases {' '.join(phases)}, final {final}"


def _cent(share: float) -> str:
    return f"{100 * share:.0f}%"


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values)


POOL = "pool"
"""The split of problems built by number, apart from the paper's splits."""

BASIC_SAMPLE = 40
"""How often each basic injector is tried for the report."""

AT_ONCE = 8
"""Texts that a language model is asked for at once: what most providers bear."""

FEW = 25
"""So many problems are made here sooner than other processes begin."""


TRAINED = ("train", "rl")
"""Splits that are learnt from, not asked: what is repaired unread stays in them."""


def kind_of(index: int) -> str:
    """The type of item `index`: all nine in turn, which makes the paper's 44/33/22 mix."""
    return tuple(TYPES)[index % len(TYPES)]


def build(
    out: Path,
    n: int | None,
    seed: int,
    splits: Sequence[str] = tuple(SPLITS),
    place: Place = HERE,
    basic_sample: int = BASIC_SAMPLE,
    two_rows: bool = False,
    special: str = "",
    as_printed: bool = False,
    anew: Generate | None = None,
) -> Iterator[str]:
    """Write the problems and yield lines on them, the paper's figures in brackets.

    With `n`, `out` is a file that ends in ".jsonl": a pool of n, or n of a `special` split.
    Without, it is a folder, of a file for each of `splits`. The bytes depend on `seed`, `two_rows`
    (the form of type E) and `as_printed` (of types A and C) alone. Raises UsageError, DataError, or
    GeneratorError, also for a set that can be solved unread; what is `as_printed` may be.
    `anew` is a language model that tells each problem in its own words (`told_anew`).
    """
    if n is None:
        if special:
            raise UsageError(f"`{special}` is for one file of problems; say with `n` how many")
        if out.suffix == ".jsonl":
            raise UsageError(f"{out} would be a folder of splits; add `n`, or name a folder")
        if unknown := [split for split in splits if split not in SPLITS]:
            raise UsageError(f"there is no split '{unknown[0]}'; choose among {', '.join(SPLITS)}")
        plan = {f"{split}.jsonl": (split, SPLITS[split]) for split in splits}
    else:
        if out.suffix != ".jsonl":
            raise UsageError(f"{out} would be one file of {n}; give it a name ending in .jsonl")
        if n < 1:
            raise UsageError(f"`n` is {n}; ask for 1 or more")
        plan = {out.name: (special or POOL, n)}
    tally, seen = Tally(), set[str]()
    solvers = {"highs": HighsOracle().version}
    start = perf_counter()
    total = 0
    with whole_folder(out, keep=True) if n is None else nullcontext(out.parent) as folder:
        for name, (split, size) in plan.items():
            problems = produce_all(split, seed, size, place, two_rows, as_printed)
            if anew is not None:
                problems = _anew(problems, anew, tally)
            total += write_instances(folder / name, _counted(problems, solvers, tally, seen))
            yield f"{named(folder / name)}: {amount(size, 'problem')}"
    seconds = perf_counter() - start
    built = f"{amount(total, 'problem')} built and validated"
    yield f"{built} in {seconds:.1f} s, {total / seconds:.0f} a second"
    if anew is not None:
        yield f"told anew by the model: {total - len(tally.kept)} of {total}"
        yield from tally.kept
    yield from tally.shortcuts
    yield from tally.again()
    if special:
        yield tally.size()
        return
    kinds = counted(TYPES, "trying basic injectors")
    yield from tally.lines({kind: basic_success(kind, seed, basic_sample) for kind in kinds})


def produce_all(
    split: str,
    seed: int,
    size: int,
    place: Place = HERE,
    two_rows: bool = False,
    as_printed: bool = False,
) -> Iterator[GeneratedProblem]:
    """The first `size` problems of a split, in order, `filtered` where they are to be asked.

    The place changes nothing.
    Raises GeneratorError, and RunError where processes die again and again.
    """
    place = HERE if place.name == "processes" and size <= FEW else place
    make = stateless(partial(_make, split, seed, two_rows, as_printed))
    yield from spread(make, range(size), place, what=f"building {split} problems")


def _anew(
    made: Iterator[GeneratedProblem], generate: Generate, tally: Tally
) -> Iterator[GeneratedProblem]:
    """The problems in a model's words; one whose text loses a fact keeps its own, as is said."""

    def retold(one: GeneratedProblem) -> GeneratedProblem | str:
        assert one.told is not None
        try:
            text = told_anew(one.told, generate)
        except DataError as error:
            return f"  {one.problem.type} {one.problem.index} keeps its own text: {error}"
        except OSError as error:  # of the network; where it is raised files are written
            raise ProviderError(f"the model that retells gave no text: {error}") from None
        return replace(one, problem=replace(one.problem, text=text))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        while some := list(islice(made, AT_ONCE)):
            for one, told in zip(some, pool.map(retold, some), strict=True):
                if isinstance(told, str):
                    tally.kept.append(told)
                yield one if isinstance(told, str) else told


def basic_success(kind: str, seed: int, sample: int = BASIC_SAMPLE) -> float:
    """The share of `sample` basic injections that pass algorithm 6."""
    passed = (
        attempt(kind, generator(seed, f"or-debug/basic/{kind}", i), shared_solver(), robust=False)
        for i in range(sample)
    )
    return sum(outcome.validation.holds for outcome in passed) / sample


def _make(split: str, seed: int, two_rows: bool, as_printed: bool, index: int) -> GeneratedProblem:
    if split == HARD:
        return produce_several(split, seed, index)
    if split == LARGE:
        return produce_large(split, seed, index)
    if split == QUIET:
        draw = partial(produce_silent, split, seed, index)
    else:
        draw = partial(produce, split, seed, index, kind_of(index), two_rows, as_printed=as_printed)
    if split in TRAINED or as_printed:
        return draw()
    coin = generator(seed, f"or-debug/sifted/{split}", index)
    return filtered(lambda again: draw(again=again), coin)


def _counted(
    made: Iterator[GeneratedProblem], solvers: Mapping[str, str], tally: Tally, seen: set[str]
) -> Iterator[Instance[Debugging]]:
    found: list[Debugging] = []
    for one in made:
        key = content_key(one.problem)
        if key in seen:
            raise GeneratorError(
                f"item {one.problem.index} of {one.problem.split} is there already; "
                "take another seed"
            )
        seen.add(key)
        tally.add(one)
        found.append(focused(one.problem))
        yield make_instance(one.problem, solvers, one.found)
    try:  # before the last line is written: a set that is refused leaves no file
        strict = [one for one in found if one.method not in PRINTED]
        if found and found[0].split == LARGE:
            tally.shortcuts += certify_large(found)
            return
        tally.shortcuts += certify([one for one in strict if not one.is_silent])
        tally.shortcuts += certify_known(strict)
    except DataError as error:
        raise GeneratorError(str(error)) from None


class RepairSettings(Overwriting):
    """Build infeasible models to repair: N in one file, or the train, rl and eval sets.

    Prints how far policies get that never read, and refuses a set that yields to them; and how many
    candidates of each type passed the validation, beside the paper's figures. With --from, each
    model of a folder becomes an instance; what is none is named with its reason.
    """

    example: ClassVar[str] = "ordojo build or-debug --n 200 --seed 1 -o models.jsonl"
    doing: ClassVar[str] = "building problems of or-debug"
    out_is: ClassVar[str] = "FILE.jsonl or a folder."

    n: int | None = COUNT.field(None, "N models of all types, in one file.")
    on: PlaceField = place("processes", "--processes")
    folders: tuple[Path, ...] = setting(
        (), "A folder of infeasible models (.mps, .lp, .py), in place of generated ones.", "--from"
    )
    two_rows: bool = setting(False, "Type E breaks two rows, not one.", "--two-row-e")
    as_printed: bool = setting(
        False,
        "Types A and C by algorithms 7 and 8 of the paper; they can be repaired unread.",
        "--as-printed",
    )
    hard: bool = setting(False, "N larger models with several errors at once.")
    silent: bool = setting(False, "N models that solve, with one error and its optimum.")
    large: bool = setting(False, "N models of 5,000 to 100,000 rows, infeasible or wrong.")
    retell: str | None = setting(
        None, "A language model that tells each problem in its own words.", metavar="MODEL"
    )
    broken: bool = setting(False, "Break the feasible ones of these models, too.", "--break")


def build_with(out: Path, settings: RepairSettings, tools: BuildTools) -> Iterator[str]:
    """See `build.build`, or of models that are there `from_files.build_from`.

    Raises UsageError for settings that do not go together, and what those raise.
    """
    if settings.broken and not settings.folders:
        raise UsageError("`broken` belongs to `folders`; name a folder of models")
    asked = {HARD: settings.hard, QUIET: settings.silent, LARGE: settings.large}
    chosen = [name for name, is_asked in asked.items() if is_asked]
    if len(chosen) > 1:
        raise UsageError(f"`{chosen[0]}` and `{chosen[1]}` are two sets: choose one")
    if settings.folders and (settings.n or chosen):
        name = chosen[0] if chosen else "n"
        raise UsageError(f"`{name}` is for generated models; leave `folders` out")
    if settings.retell and (settings.folders or settings.silent or settings.large):
        raise UsageError("`retell` is for small infeasible models that are generated; leave it out")
    if settings.folders:
        return build_from(out, settings.folders, settings.seed, settings.broken, settings.on)
    if settings.as_printed and chosen:
        raise UsageError(f"`as_printed` is for types A and C; leave it, or `{chosen[0]}`, out")
    return build(
        out,
        settings.n,
        settings.seed,
        place=settings.on,
        two_rows=settings.two_rows,
        special=chosen[0] if chosen else "",
        as_printed=settings.as_printed,
        anew=tools.model(settings.retell) if settings.retell else None,
    )


SEED = 0
"""The sets are those of this seed; other seeds come as files."""

AUTHORS = "authors/"
"""What the names of the authors' own sets begin with."""

SHIPPED = ("eval", "eval-v1", "eval-v3", "eval-v6", HARD, QUIET, "silent-v3", LARGE)
"""Sets as `ordojo build or-debug --seed 0` made them, so that another version of the solver asks
the same. `eval-v1` is the eval set of versions 1 and 2, and `eval-v6` and `silent-v3` are those
that were not filtered. The hard set takes long to make."""

WILD = "wild"
"""The set of public models, which are not ours to ship: it is built, and then found as data."""


@lru_cache(maxsize=4)
def load_set(name: str) -> tuple[Instance[Debugging], ...]:
    """The instances of a set, in order. Raises UsageError or DataError."""
    if name in (*SHIPPED, LIBRARY):
        return tuple(read_text(shipped(name)))
    if name == TOLD:
        # The same problems in other words, of which there are a line for each of the first ones.
        return tuple(map(_told, load_set("eval-v6"), shipped(TOLD)))
    if name == WILD:
        return tuple(read_file(locate("or-debug@wild").files["test"]))
    if name.startswith(AUTHORS):
        return authors.load(name.removeprefix(AUTHORS))
    if name not in SPLITS:
        raise UsageError(f"there is no set '{name}'; choose from {', '.join(SPLITS)}, {SHIPPED[1]}")
    solvers = {"highs": HighsOracle().version}
    made = produce_all(name, SEED, SPLITS[name])
    return tuple(make_instance(one.problem, solvers) for one in made)


def _told(instance: Instance[Debugging], line: str) -> Instance[Debugging]:
    problem = replace(instance.problem, split=TOLD, text=json.loads(line))
    solvers = object_of(instance.certificate.data, "solvers")
    versions = {name: str(version) for name, version in solvers.items()}
    return make_instance(problem, versions, version=instance.version)
