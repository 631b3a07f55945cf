"""Model methods that add functions of variables, indicators, cones and special ordered sets."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from ordojo.compat.coptpy.constants import COPT
from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.coptpy.expressions import (
    ConstrBuilder,
    GenConstrBuilder,
    LinExpr,
    as_expression,
)
from ordojo.compat.coptpy.handles import Cone, GenConstr, GenConstrArray, Var, new_var
from ordojo.compat.coptpy.querying import Querying
from ordojo.compat.core import expressions as core
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.store import QuadraticPart
from ordojo.milp.model import INF, VarType


class SOSBuilder:
    """Type, variables and weights of a special ordered set."""

    def __init__(self) -> None:
        self.type: int = COPT.SOS_TYPE1
        self.vars: list[Any] = []
        self.weights: Any = None

    def setBuilder(self, sostype: int, vars: Any, weights: Any = None) -> None:
        """Become another set."""
        self.type, self.vars = int(sostype), core.members(vars)
        if isinstance(weights, Mapping):
            weights = list(weights.values())
        self.weights = weights

    def getType(self) -> int:
        """The type."""
        return self.type

    def getSize(self) -> int:
        """How many variables there are."""
        return len(self.vars)

    def getVar(self, idx: int) -> Any:
        """One of the variables."""
        return self.vars[idx]

    def getWeight(self, idx: int) -> float:
        """One of the weights."""
        return float(idx + 1 if self.weights is None else self.weights[idx])


class Functions(Querying):
    """Adds general constraints, indicators, cones and sets."""

    def _variable(self, value: Any) -> Var:
        """A variable that equals a linear expression: itself, or a new one with a row."""
        single = core.plain(value)
        if isinstance(single, Var):
            return single
        found = as_expression(single)
        if found is None or isinstance(found, CoreQuad):
            raise TypeError("'Var' object(s) are required for argument 'vars'")
        if len(found._v) == 1 and found._c[0] == 1.0 and found._k == 0.0:
            first: Var = found._v[0]
            return first
        state = self._state
        made = new_var(state, len(state.columns))
        state.add_col(made, -INF, INF, 0.0, VarType.CONTINUOUS)
        state.col_names.add("")
        self.addConstr(found - made == 0.0)
        return made

    @abstractmethod
    def addConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> Any:
        """Add a linear constraint or an indicator; what is added comes back."""

    def _points(self, xs: list[float], ys: list[float]) -> None:
        if len(xs) != len(ys):
            raise invalid("Lengths of x-points and y-points differ")

    def _implied(self, builder: GenConstrBuilder, name: str = "") -> GenConstr:
        """Add what an indicator builder says."""
        binary, relation = core.plain(builder.binvar), builder.then
        if not isinstance(binary, Var) or isinstance(relation._lhs, CoreQuad):
            raise TypeError("'Var' object(s) are required for argument 'var'")
        state = self._state
        state.check([binary])
        if state.kinds[binary._col] != VarType.BINARY:
            raise invalid("Invalid indicator variable")
        if builder.type != COPT.INDICATOR_IF:
            raise unsupported(
                "an indicator constraint of type ONLYIF or IFANDONLYIF",
                "state the reverse of it as one of type IF",
            )
        left, right = as_expression(relation._lhs), as_expression(relation._rhs)
        if left is None or right is None:
            raise unsupported(
                "an indicator of a range constraint", "give one indicator for each side"
            )
        value, whole, sense = int(builder.binval), left - right, relation._sense
        if value not in (0, 1):
            # A binary variable never has that value, so nothing is implied.
            state.check(whole._v)
            value, whole, sense = 1, LinExpr(), "="
        found: GenConstr = self._imply(binary, value, whole, sense, name)
        return found

    def addGenConstrIndicator(
        self,
        binvar: Any,
        binval: Any,
        lhs: Any,
        sense: Any = None,
        rhs: Any = None,
        type: int = COPT.INDICATOR_IF,
        name: str = "",
    ) -> GenConstr:
        """Add: if binvar = binval, then the linear comparison holds."""
        if not isinstance(lhs, ConstrBuilder):
            made = ConstrBuilder()
            made.setBuilder(lhs, sense, 0.0 if rhs is None else rhs)
            lhs = made
        builder = GenConstrBuilder()
        builder.setBuilder(binvar, binval, lhs, type=type)
        return self._implied(builder, name)

    def addGenConstrIndicators(self, builders: Any, nameprefix: str = "") -> Any:
        """Add several indicators."""
        return GenConstrArray(
            [
                self._implied(builder, f"{nameprefix}({k})" if nameprefix else "")
                for k, builder in enumerate(builders)
            ]
        )

    def addCone(self, vars: Any, ctype: int = COPT.CONE_QUAD) -> Cone:
        """Add a second-order cone: x1^2 >= x2^2 + ..., or rotated: 2 x1 x2 >= x3^2 + ..."""
        several = core.members(vars)
        state = self._state
        state.check(several)
        heads = 1 if ctype == COPT.CONE_QUAD else 2
        if ctype not in (COPT.CONE_QUAD, COPT.CONE_RQUAD) or len(several) < heads:
            raise invalid("Fail to add cone")
        for head in several[:heads]:
            state.lower[head._col] = max(0.0, state.lower[head._col])
        tail = several[heads:]
        first, second, by = several[0], several[heads - 1], -1.0 if heads == 1 else -2.0
        part = QuadraticPart(
            linear=LinExpr(),
            products=([*[1.0] * len(tail), by], [*tail, first], [*tail, second]),
            sense="<",
        )
        return self._kept(Cone, part)

    def addSOS(self, sostype: Any, vars: Any = None, weights: Any = None) -> Any:
        """Add a special ordered set; without weights the order given counts."""
        if isinstance(sostype, SOSBuilder):
            sostype, vars, weights = sostype.type, sostype.vars, sostype.weights
        several = core.members([vars] if isinstance(vars, Var) else vars)
        if isinstance(weights, Mapping) and isinstance(vars, Mapping):
            weights = [weights[key] for key in vars]
        return self._ordered(sostype, several, weights, invalid("Fail to add SOS constraint"))
