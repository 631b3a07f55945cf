"""`ordojo build or-debug --from FOLDER`: instances of models that are there, not generated.

An infeasible model becomes an instance as it is. Its truth is the original model NAME.original.mps
where one stands beside it, else the menu of smallest repairs, each of which is solved again. With
`broken`, a feasible model of 50 to 5,000 rows is broken by an injector, and is its own truth.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from ordojo.benchmarks.or_debug import authors as certified
from ordojo.benchmarks.or_debug import certificate
from ordojo.benchmarks.or_debug.actions import Action, ActionKind, number, parse_action
from ordojo.benchmarks.or_debug.injection import printed
from ordojo.benchmarks.or_debug.injection.candidate import ColdSolver, Source, tidy
from ordojo.benchmarks.or_debug.injection.validation import validate
from ordojo.benchmarks.or_debug.outcome import differences
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.schema import NATURAL, OWN, Debugging, make_instance
from ordojo.compat.capture import model_of_program
from ordojo.core.benchmark import Suggestion
from ordojo.core.canonical import Json, significant
from ordojo.core.errors import DataError, OrdojoError, ProviderError, UsageError
from ordojo.core.files import parse_json, read_text
from ordojo.core.instance import Instance, write_instances
from ordojo.core.records import RunView
from ordojo.core.seeds import generator
from ordojo.core.spread import HERE, Place, spread, stateless
from ordojo.milp.algebra import row_text
from ordojo.milp.files import read_model, write_model
from ordojo.milp.model import Model
from ordojo.milp.tolerances import OBJECTIVE
from ordojo.solvers.answers import Status
from ordojo.solvers.highs import HighsOracle, HighsSession
from ordojo.solvers.repair import minimal_repairs

ROWS = (50, 5000)
"""Fewest rows of a feasible model that is broken, and most of any: more do not end in the time."""

LARGEST = 200_000
"""Nonzeros of a model: each injection solves it some ten times."""

PATIENCE = 300.0
"""Seconds after which another process gives a model up, whatever the solver is at."""

TIME_LIMIT = 30.0
"""Seconds of finding a model's repairs, or of breaking it."""

KINDS = "ACHACHACHDDD"
"""Types that are tried, until one holds: they need neither text nor integer columns. An added row
(D) breaks nearly every model, and so comes last."""

_MODELS = (".mps", ".lp", ".py")
_PACKED = (".gz", ".xz")


def build_from(
    out: Path, folders: Sequence[Path], seed: int = 0, broken: bool = False, place: Place = HERE
) -> Iterator[str]:
    """Write an instance for each model of the folders, and yield a line for each.

    What is none is named with its reason, and the rest goes on. Limits are of wall time, so that a
    busier machine may leave out more. Raises UsageError or DataError.
    """
    if out.suffix != ".jsonl":
        raise UsageError(f"{out} would be one file; give it a name ending in .jsonl")
    found: list[Instance[Debugging]] = []
    names: set[str] = set()
    solvers = {"highs": HighsOracle().version}
    models = list(_models(folders))
    tried = spread(
        stateless(partial(_tried, seed, broken, solvers)),
        models,
        place,
        lost=lambda model, error: (None, None, str(error)),
        limit=PATIENCE,
        what="making instances of models",
    )
    for (path, name), (one, extra, why) in zip(models, tried, strict=True):
        if name in names:
            why = f"a model called {name} was taken before"
        if one is None or why:
            yield f"{path}: left out: {why}"
            continue
        names.add(name)
        problem = replace(one, index=len(found))
        instance = make_instance(problem, solvers, extra)
        found.append(instance)
        truth = "its original" if problem.original else "repairs"
        yield f"{path}: {instance.id}, {problem.model.m:,} rows, truth: {truth}"
    for path in _orphans(folders):
        yield f"{path}: left out: a description without a model of its name"
    if not found:
        raise DataError(f"{', '.join(map(str, folders))}: no model became an instance")
    count = write_instances(out, found)
    largest = max(instance.problem.model.m for instance in found)
    natural = sum(instance.problem.type == NATURAL for instance in found)
    yield f"{out}: {count} instances, {natural} infeasible as they were, largest {largest:,} rows"


Tried = tuple[Debugging | None, dict[str, Json] | None, str]
"""A problem with what was found true of it, or why there is none."""


def _tried(seed: int, broken: bool, solvers: dict[str, str], model: tuple[Path, str]) -> Tried:
    try:
        problem, found = _problem(*model, seed, broken)
        # Large models are decided at the solver's tolerance: what does not hold again is none.
        instance = make_instance(problem, solvers, found)
        (certificate if problem.original else certified).verify(instance)
    except OrdojoError as error:
        return None, None, str(error)
    return problem, found, ""


def _models(folders: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Every model of the folders by path and name, those that are another's original left out."""
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"there is no folder {folder}; name one with models")
        for path in sorted(folder.iterdir()):
            name, ending = _stem(path)
            if ending in _MODELS and not name.endswith(".original"):
                yield path, name


def _orphans(folders: Sequence[Path]) -> Iterator[Path]:
    """Descriptions of no model."""
    for folder in folders:
        held = {_stem(path)[0] for path in folder.iterdir() if _stem(path)[1] in _MODELS}
        for path in sorted(folder.glob("*.txt")):
            if path.stem not in held:
                yield path


def _stem(path: Path) -> tuple[str, str]:
    bare = path.with_suffix("") if path.suffix in _PACKED else path
    return bare.stem, bare.suffix


def _read(path: Path) -> Model:
    """A model of any of the kinds; raises DataError."""
    if path.suffix == ".py":
        return model_of_program(path, time_limit=TIME_LIMIT)
    return read_model(path)


def _problem(
    path: Path, name: str, seed: int, broken: bool
) -> tuple[Debugging, dict[str, Json] | None]:
    model = tidy(_read(path))
    if model.m > ROWS[1] or model.nonzeros > LARGEST:
        raise DataError(
            f"it has {model.m:,} rows, {model.nonzeros:,} nonzeros: at most {ROWS[1]:,} and "
            f"{LARGEST:,} are taken"
        )
    text, optimum = _companions(path, name)
    solver = ColdSolver()
    try:
        solved = solver.solve(model)
        if solved.status == Status.INFEASIBLE:
            problem, found = _natural(path, name, model, solver, optimum)
        elif solved.status == Status.OPTIMAL and broken and solved.x is not None:
            source = Source(name, model, text, solved.x.copy(), float(solved.objective or 0.0))
            problem, found = _broken(source, seed, solver), None
        else:
            say = {Status.OPTIMAL: "feasible", Status.UNBOUNDED: "unbounded"}
            raise DataError(
                f"it is {say.get(solved.status, 'not decided in the time')}, not infeasible"
            )
    finally:
        solver.close()
    return replace(problem, split=OWN, family=name, text=text), found


def _companions(path: Path, name: str) -> tuple[str, float | None]:
    """The description NAME.txt, and the optimum that NAME.json states, where they are."""
    text, stated = path.with_name(f"{name}.txt"), path.with_name(f"{name}.json")
    optimum: Any = None
    try:
        said = read_text(text).strip() if text.exists() else f"The model {name}, without a text."
        if stated.exists():
            optimum = parse_json(read_text(stated))["objective"]
            optimum = float(optimum)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"what stands beside it cannot be read ({error})") from None
    return said, optimum


def _natural(
    path: Path, name: str, model: Model, solver: ColdSolver, optimum: float | None
) -> tuple[Debugging, dict[str, Json] | None]:
    """An infeasible model with the truth that there is: its original, or the menu of repairs."""
    iis = solver.iis(model)
    if iis is None:
        raise DataError("it is not infeasible when solved again")
    problem = Debugging(
        0, OWN, NATURAL, name, "", {}, model.to_json(), (), (),
        iis.row_names(model), iis.bound_names(model), 0.0, "natural",
    )  # fmt: skip
    problem.__dict__["model"] = model
    originals = [path.with_name(f"{name}.original{end}{z}") for end in _MODELS for z in ("", ".gz")]
    original = next((_read(p) for p in originals if p.exists()), None)
    if original is not None:
        return _by_original(problem, model, tidy(original), solver), None
    menu = [
        (repair, fix)
        for repair in minimal_repairs(model, limit=5, time_limit=TIME_LIMIT)
        if repair.verified and repair.objective is not None
        for moves in [[Action(ActionKind.RELAX, s.target, s.new - s.old) for s in repair.shifts]]
        for fix in [tuple(map(str, moves))]
        if solver.solve(apply_fix(model, fix)).status == Status.OPTIMAL
    ]
    if optimum is not None:
        close = OBJECTIVE * max(1.0, abs(optimum))
        menu = [one for one in menu if abs((one[0].objective or 0.0) - optimum) <= close]
    if not menu:
        reached = "" if optimum is None else f" that reaches the stated optimum {optimum:g}"
        raise DataError(f"no repair{reached} was proved in {TIME_LIMIT:g} s")
    menu.sort(key=lambda one: (len(one[1]), one[0].cost))
    fixes = [fix for _, fix in menu]
    optima = [significant(solver.solve(apply_fix(model, fix)).objective or 0.0) for fix in fixes]
    targets = tuple(shift.target for shift in menu[0][0].shifts)
    problem = certified.with_model(problem, targets=targets, fix=fixes[0], objective=optima[0])
    with_bounds, found = certified.certify(problem, HighsSession())
    found |= {
        "menu": [{"fix": list(f), "objective": z} for f, z in zip(fixes, optima, strict=True)]
    }
    return with_bounds, found


def _by_original(
    problem: Debugging, model: Model, original: Model, solver: ColdSolver
) -> Debugging:
    """The problem whose truth is an original: what differs, put back."""
    if original.row_names != model.row_names or original.col_names != model.col_names:
        raise DataError("its original has not the same rows and columns")
    solved = solver.solve(original)
    if solved.status != Status.OPTIMAL or solved.objective is None:
        raise DataError(f"its original is {solved.status.value}, not OPTIMAL")
    fix = []
    targets = differences(model, original)
    for target in targets:
        if target in original.rows:
            text = row_text(original, original.rows[target])
        elif target.endswith(".type"):
            raise DataError(f"its original has another type of {target[:-5]}")
        else:
            j = original.cols[target[:-3]]
            side = original.col_lower if target.endswith(".lb") else original.col_upper
            text = number(float(side[j]))
        fix.append(str(Action(ActionKind.REWRITE, target, expr=text)))
    return replace(
        problem,
        original=original.to_json(),
        targets=tuple(targets),
        fix=tuple(fix),
        objective=significant(float(solved.objective)),
    )


def _broken(source: Source, seed: int, solver: ColdSolver) -> Debugging:
    """A feasible model, broken by an injector, and validated as generated ones are."""
    model = source.model
    if model.m < ROWS[0]:
        raise DataError(f"it is feasible and has {model.m} rows: {ROWS[0]} or more are broken")
    rng = generator(seed, f"or-debug/from/{source.family}", 0)
    reason = ""
    deadline = perf_counter() + TIME_LIMIT
    for attempt, kind in enumerate(KINDS):
        if perf_counter() > deadline:
            break
        try:
            candidate = printed.BASIC[kind](source, rng, solver)
        except (LookupError, ValueError):  # no such row, or numbers that cannot be put back
            candidate = None
        if candidate is None:
            continue
        fix = tuple(str(action) for action in candidate.fix)
        shown = validate(
            kind, candidate.original, candidate.sabotaged, candidate.targets, fix, solver, False
        )
        reason = shown.reason
        if shown.holds and shown.iis is not None:
            sabotaged = candidate.sabotaged
            return Debugging(
                0, OWN, kind, source.family, source.text, candidate.original.to_json(),
                sabotaged.to_json(), candidate.targets, fix, shown.iis.row_names(sabotaged),
                shown.iis.bound_names(sabotaged), shown.objective, candidate.method, attempt,
            )  # fmt: skip
    raise DataError(f"it is feasible, and no injection broke it well ({reason})")


def suggest(
    model: Model, text: str, ask: Callable[[Path, Mapping[str, Json]], RunView]
) -> Suggestion:
    """Write the model as an instance, have it asked, and tell what was done.

    Raises DataError where there is nothing to repair, ProviderError where no reply came.
    """
    with tempfile.TemporaryDirectory(prefix="ordojo-suggest-") as name:
        folder = Path(name, "models")
        folder.mkdir()
        write_model(model, folder / "model.mps")
        if text:
            (folder / "model.txt").write_text(text, "utf-8")
        file = Path(name, "model.jsonl")
        lines: list[str] = []
        try:
            lines.extend(build_from(file, [folder]))
        except DataError:
            raise DataError(
                f"there is nothing to repair: {lines[-1].rpartition(': ')[2]}"
            ) from None
        run = ask(file, {"history": "state"})
        [record] = run.records
    if record.error:
        raise ProviderError(f"{run.header.model} gave no repair: {record.error}")
    turns = record.episode.turns
    actions = [parse_action(turn.reply, model) for turn in turns]
    found = turns[-1].info.get("objective") if turns else None
    return Suggestion(
        run.header.model,
        tuple(str(action) for action in actions if isinstance(action, Action)),
        float(found) if isinstance(found, int | float) else None,
    )
