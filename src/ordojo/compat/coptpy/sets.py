"""Special ordered sets and second-order cones."""

from collections.abc import Mapping
from typing import Any

from ordojo.compat.coptpy.constants import COPT
from ordojo.compat.coptpy.errors import invalid
from ordojo.compat.coptpy.expressions import LinExpr
from ordojo.compat.coptpy.handles import Var
from ordojo.compat.coptpy.others import SOS, Cone
from ordojo.compat.core.parts import QuadraticPart, SosPart
from ordojo.compat.core.pieces import members


def addCone(model: Any, vars: Any, ctype: int = COPT.CONE_QUAD) -> Cone:
    """Add a second-order cone: x1^2 >= x2^2 + ..., or rotated: 2 x1 x2 >= x3^2 + ..."""
    several = members(vars)
    state = model._state
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
    state.add_part(part)
    return Cone(state, part)


def addSOS(model: Any, sostype: Any, vars: Any = None, weights: Any = None) -> SOS:
    """Add a special ordered set; without weights the order given counts."""
    if isinstance(sostype, SOSBuilder):
        sostype, vars, weights = sostype.type, sostype.vars, sostype.weights
    several = members([vars] if isinstance(vars, Var) else vars)
    if weights is None:
        chosen = [float(k) for k in range(1, len(several) + 1)]
    elif isinstance(weights, Mapping) and isinstance(vars, Mapping):
        chosen = [float(weights[key]) for key in vars]
    else:
        chosen = [float(w) for w in weights]
    if len(chosen) != len(several):
        raise invalid("Fail to add SOS constraint")
    model._state.check(several)
    part = SosPart(kind=int(sostype), variables=several, weights=chosen)
    model._state.add_part(part)
    return SOS(model._state, part)


class SOSBuilder:
    """Type, variables and weights of a special ordered set."""

    def __init__(self) -> None:
        self.type = COPT.SOS_TYPE1
        self.vars: list[Any] = []
        self.weights: Any = None

    def setBuilder(self, sostype: int, vars: Any, weights: Any = None) -> None:
        """Become another set."""
        self.type, self.vars = int(sostype), members(vars)
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
