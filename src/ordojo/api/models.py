"""What can be done with an optimization model, or with a program that builds one."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ordojo.api.reading import read_model, read_problem
from ordojo.core.errors import UsageError
from ordojo.core.ranges import MENU, SECONDS, SIZE, WEIGHT, in_range
from ordojo.milp.model import INF, Model
from ordojo.solvers import equivalence
from ordojo.solvers import explain as explaining
from ordojo.solvers.answers import Iis, Repair, SolveResult
from ordojo.solvers.equivalence import Comparison
from ordojo.solvers.explain import Explanation
from ordojo.solvers.kept import KeptOracle, settled
from ordojo.solvers.registry import get_oracle
from ordojo.structure import Abstraction, abstract, read_flat
from ordojo.structure.convert import flat_model


@in_range(time_limit=SECONDS)
def solve(model: Any, *, solver: str = "highs", time_limit: float = 60.0) -> SolveResult:
    """Solve a model: status, objective, point, duals; checked by residuals.

    `time_limit` is in seconds. Raises SolverError where the solver is not installed.

    >>> solve("bakery.lp").status
    <Status.INFEASIBLE: 'INFEASIBLE'>
    """
    return get_oracle(solver).solve(read_model(model, time_limit=time_limit), time_limit)


@in_range(time_limit=SECONDS)
def iis(model: Any, *, solver: str = "highs", time_limit: float = 60.0) -> Iis:
    """An irreducible infeasible subsystem: rows and bounds that cannot all hold, none too many.

    Raises SolverError where the model is not proved infeasible within `time_limit` seconds.

    >>> model = read_model("bakery.lp")
    >>> iis(model).row_names(model)
    ('oven', 'orders')
    """
    return get_oracle(solver).iis(read_model(model, time_limit=time_limit), time_limit)


@in_range(time_limit=SECONDS, limit=MENU, conflicts=MENU)
def explain(
    model: Any,
    *,
    solver: str = "highs",
    time_limit: float = 60.0,
    limit: int = 5,
    conflicts: int = 3,
    weights: Mapping[str, float] | None = None,
    hard: Sequence[str] = (),
    caps: Mapping[str, float] | None = None,
    rank: str = "size",
    progress: Callable[[str], None] | None = None,
) -> Explanation:
    """Why a model is infeasible or unbounded, and at most `limit` repairs; prints a text.

    What is not linear is written as rows where bounds allow it, else kept, which is said.
    `weights` say what moving a row (or `x.lb`, `x.ub`) by 1 costs: 1 by default, inf for never, as
    for those that `hard` names; both take `*` and `?` in names. `rank`: repairs by "size" or
    "count" of moves. At most `conflicts` are shown, without a row in common. Raises UsageError for
    a name that the model does not have or a weight out of range.

    >>> print(explain("bakery.lp"))  # doctest: +ELLIPSIS
    bakery is infeasible ...
    """
    if rank not in ("size", "count"):
        raise UsageError(f"rank '{rank}': give 'size' or 'count'")
    problem = read_problem(model, time_limit=time_limit)
    parts = settled(problem)
    found = parts.model
    given: dict[str, float] = dict.fromkeys(parts.firm, INF)
    for name, weight in [*(weights or {}).items(), *((name, INF) for name in hard)]:
        if weight != INF:
            WEIGHT.check(f"weight of '{name}'", weight)
        given |= dict.fromkeys(_sides(found, name), weight)
    most: dict[str, float] = {}
    for name, cap in (caps or {}).items():
        SIZE.check(f"cap of '{name}'", cap)
        most |= dict.fromkeys(_sides(found, name), cap)
    told = explaining.explain(
        found,
        get_oracle(solver) if parts.kept is None else KeptOracle(parts.kept),
        time_limit,
        limit,
        given,
        progress=progress or (lambda line: None),
        conflicts=conflicts,
        rank=rank,
        caps=most,
    )
    if any("#" in found.row_names[i] for iis in told.conflicts for i, _ in iis.rows):
        told = replace(told, words=())  # of parts written as rows, whose families are ours
    if not parts.priced:
        repairs = tuple(replace(repair, objective=None) for repair in told.repairs)
        told = replace(told, objective=None, repairs=repairs)
    return replace(told, notes=(*problem.notes, *parts.said), linear=parts.kept is None)


def _sides(model: Model, pattern: str) -> list[str]:
    """The rows and bounds that a name, or a pattern with `*` and `?`, means."""
    if pattern in model.rows or (pattern.endswith((".lb", ".ub")) and pattern[:-3] in model.cols):
        return [pattern]
    bounds = (f"{name}{end}" for name in model.col_names for end in (".lb", ".ub"))
    wanted = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    if pattern in model.cols:
        wanted += r"\.[lu]b"
    match = re.compile(wanted).fullmatch
    found = [name for name in (*model.row_names, *bounds) if match(name)]
    if not found:
        raise UsageError(f"'{pattern}': the model has no row or bound of that name")
    return found


def repair(model: Any, **options: Any) -> tuple[Repair, ...]:
    """The smallest repairs of an infeasible model, smallest first; options as for `explain`.

    >>> [move.new for move in repair("bakery.lp")[0].shifts]
    [60.0]
    """
    return explain(model, **options).repairs


@in_range(time_limit=SECONDS)
def equivalent(model: Any, other: Any, *, time_limit: float = 30.0) -> Comparison:
    """Whether two models are the same problem, with the evidence: a mapping or a witness.

    EQUAL, DIFFERENT, or UNKNOWN where neither is shown within `time_limit` seconds.

    >>> equivalent("bakery.lp", "bakery.lp").verdict.value
    'equal'
    """
    first, second = (read_model(one, time_limit=time_limit) for one in (model, other))
    return equivalence.compare(first, second, time_limit)


def structure(model: Any) -> Abstraction:
    """The groups of variables and families of constraints of a flat model (paper 003, section 3).

    An MPS path is read bit for bit, with sections beyond linear rows.

    >>> len(structure("bakery.lp").families)
    2
    """
    if isinstance(model, str | Path) and Path(model).suffix != ".py":
        return abstract(read_flat(Path(model)))
    return abstract(flat_model(read_model(model)))
