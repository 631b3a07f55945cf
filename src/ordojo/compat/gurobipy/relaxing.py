"""Model methods that let bounds and constraints be violated at a cost."""

from typing import Any

from ordojo.compat.gurobipy.building import Building, add_row
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, unsupported
from ordojo.compat.gurobipy.expressions import LinExpr, QuadExpr
from ordojo.compat.gurobipy.solving import Solving
from ordojo.milp.model import ENDLESS

_INF = float("inf")


def _penalties(what: str, things: Any, given: Any) -> list[float]:
    """A penalty for each thing; without any, none of them may be violated."""
    count = 0 if things is None else len(things)
    if given is None:
        return [_INF] * count
    if len(given) != count:
        raise GurobiError(0, f"Length of penalty list differs from length of {what} list")
    return [float(penalty) for penalty in given]


def _loosen_row(model: Building, costs: LinExpr, constr: Any, penalty: float) -> None:
    if penalty >= ENDLESS:
        return
    state, row = model._state, constr._row
    name, sense = state.row_names[row], chr(state.senses[row])
    for letter, sign, senses in (("P", 1.0, ">="), ("N", -1.0, "<=")):
        if sense not in senses:
            continue
        art = model.addVar(name=f"Art{letter}_{name}")
        state.set_coefficient(constr, art, sign)
        costs.addTerms(penalty, art)


def _loosen_bounds(model: Building, costs: LinExpr, var: Any, low: float, up: float) -> None:
    state, col = model._state, var._col
    name = state.col_names[col]
    for which, penalty, sign, sense in (("lower", low, 1.0, ">"), ("upper", up, -1.0, "<")):
        bound = getattr(state, which)[col]
        if penalty >= ENDLESS or abs(bound) >= ENDLESS:
            continue
        letter = "L" if which == "lower" else "U"
        art = model.addVar(name=f"Art{letter}_{name}")
        add_row(state, [1.0, sign], [var, art], sense, bound, f"CArt{letter}_{name}")
        getattr(state, which)[col] = -_INF if which == "lower" else _INF
        costs.addTerms(penalty, art)


def _cost(model: Building, costs: LinExpr, kind: int) -> Any:
    """What violations cost: as `costs` has it, each squared, or each that there is."""
    if kind == 0:
        return costs
    if kind == 1:
        return QuadExpr._of(LinExpr(), costs._c, costs._v, list(costs._v))
    state = model._state
    big = state.big = float(state.params["FeasRelaxBigM"])
    switches = []
    for art in costs._v:
        name = state.col_names[art._col].replace("_", "B_", 1)
        switch = model.addVar(vtype="B", name=name)
        add_row(state, [1.0, -big], [art, switch], "<", 0.0, f"C{name}")
        switches.append(switch)
    return LinExpr(costs._c, switches)


class Relaxing(Solving):
    """Relaxes a model."""

    def feasRelaxS(self, relaxobjtype: int, minrelax: bool, vrelax: bool, crelax: bool) -> float:
        """Let all bounds (`vrelax`) and constraints (`crelax`) be violated at a cost of one."""
        self.update()
        variables = self.getVars() if vrelax else None
        constrs = self.getConstrs() if crelax else None
        ones_v, ones_c = [1.0] * len(variables or []), [1.0] * len(constrs or [])
        return self.feasRelax(relaxobjtype, minrelax, variables, ones_v, ones_v, constrs, ones_c)

    def feasRelax(
        self,
        relaxobjtype: int,
        minrelax: bool,
        vars: Any,
        lbpen: Any,
        ubpen: Any,
        constrs: Any,
        rhspen: Any,
    ) -> float:
        """Change the model so that what is listed may be violated at its penalty.

        The cost is the sum of violations (type 0), of their squares (1) or their number (2). With
        `minrelax` the least cost is found first, returned and kept as a bound, and the old
        objective stays; otherwise the cost is the new objective and 0 is returned.
        """
        if relaxobjtype not in (0, 1, 2):
            raise GurobiError(0, "Invalid argument of relaxobjtype")
        lower, upper = _penalties("variable", vars, lbpen), _penalties("variable", vars, ubpen)
        sides = _penalties("constraint", constrs, rhspen)
        if any(penalty < 0 for penalty in (*lower, *upper, *sides)):
            raise unsupported(
                "feasRelax with a negative penalty", "give 0 or more, infinity for what must hold"
            )
        self.update()
        state = self._state
        before = self.getObjective()
        maximize = state.maximize
        costs = LinExpr()
        for var, low, up in zip(vars or [], lower, upper, strict=True):
            _loosen_bounds(self, costs, var, low, up)
        for constr, penalty in zip(constrs or [], sides, strict=True):
            _loosen_row(self, costs, constr, penalty)
        cost = _cost(self, costs, relaxobjtype)
        self.setObjective(cost, GRB.MINIMIZE)
        self.update()
        if not minrelax:
            return 0.0
        self.optimize()
        if state.x is None:
            raise unsupported(
                "feasRelax of a model that stays infeasible", "let more rows or bounds be relaxed"
            )
        least = float(cost.getValue())
        # The solver's own tolerance: a bound at the least cost itself may be found infeasible.
        most = least + 1e-6 * max(1.0, abs(least))
        if isinstance(cost, QuadExpr):
            self.addQConstr(cost <= most, name="feasobj")
        else:
            add_row(state, cost._c, cost._v, "<", most, "feasobj")
        self.setObjective(before, GRB.MAXIMIZE if maximize else GRB.MINIMIZE)
        self.update()
        return least
