"""The optimum of a model, proved by HiGHS's branch and bound and checked by arithmetic.

It is checked twice: by the rows of the model, and by every rule of the declaration over the data,
apart from the built model.
"""

import ast
from typing import Any

from ordojo.core.errors import SolverError
from ordojo.formulation.algebra import compiled, listed, parse
from ordojo.formulation.build import Built, bind
from ordojo.formulation.spec import Spec, Tables
from ordojo.milp.model import Floats, Model
from ordojo.milp.tolerances import PRIMAL
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.highs_model import solve_exactly
from ordojo.solvers.residuals import Residuals, check_optimal


def solve(model: Model, seconds: float) -> SolveResult:
    """Solve within the time; an optimal answer has passed `check_optimal`.

    Raises SolverError where HiGHS gives an answer that does not stand the check.
    """
    found = solve_exactly(model, seconds)
    if found.status == Status.OPTIMAL:
        check_optimal(model, found)
    return found


def violation(model: Model, x: Floats) -> tuple[float, float, float]:
    """By how much a point breaks rows, bounds and integrality at most."""
    off = Residuals(model, x)
    rows, bounds, whole = (part.max(initial=0.0) for part in (off.rows, off.bounds, off.whole))
    return float(rows), float(bounds), float(whole)


def check_point(built: Built, tables: Tables, x: Floats, objective: float) -> None:
    """Raise SolverError where a point breaks a rule of the declaration or has another objective.

    The rules' two sides are evaluated over the tables with the variables' values in their place.
    """
    spec = built.spec
    values = {**bind(spec, tables), **_values(built, x), "sum": sum}
    for family in spec.families:
        rule = parse(family.rule)
        assert isinstance(rule, ast.Compare)
        text = listed(family.scope, *map(ast.unparse, (rule.left, rule.comparators[0])))
        for where, a, b in eval(compiled(spec, text), values):
            far = {ast.LtE: a - b, ast.GtE: b - a, ast.Eq: abs(a - b)}[type(rule.ops[0])]
            if not far <= PRIMAL * (1 + abs(a) + abs(b)):
                raise SolverError(
                    f"the solution of {built.model.name} breaks {family.name}{list(where)} by "
                    f"{far:.3g}; do not use it"
                )
    value = float(eval(compiled(spec, spec.objective.rule), values))
    if not abs(value - objective) <= PRIMAL * (1 + abs(value)):
        raise SolverError(
            f"the solution of {built.model.name} is worth {value!r}, not {objective!r}; "
            f"do not use it"
        )


def _values(built: Built, x: Floats) -> dict[str, Any]:
    """The variables' values by group: a number by index, or a number."""
    spec: Spec = built.spec
    found: dict[str, Any] = {group.name: {} for group in spec.groups}
    for label, key, value in zip(built.groups.tolist(), built.column_keys, x.tolist(), strict=True):
        group = spec.groups[label]
        if group.scope:
            found[group.name][key if len(key) > 1 else key[0]] = value
        else:
            found[group.name] = value
    return found
