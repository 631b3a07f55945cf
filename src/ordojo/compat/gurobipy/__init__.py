# ruff: noqa: F401
"""gurobipy's interface, version 13, over open solvers; programs import it as `gurobipy`.

What is not supported raises NotImplementedError and names the feature. A program's `Model`
(`model`) ends a chain of classes over that of `core`, a module each: `general` (constraints),
`building`, `matrix`, `solving`; `files` reads and writes. They fill a `state`, a store of `core`,
with what `expressions` say and return `handles`, whose attributes are tables, as the model's are
(`attributes`); as with Gurobi changes are seen after an update. `optimize` sends the problem to the
service under `params`, with callbacks on the way, and attributes read the result, those of a
`basis`, too. Whatever is imported here is what programs may name.
"""

from ordojo.compat.core.model import exported as _exported
from ordojo.compat.gurobipy import nlfunc
from ordojo.compat.gurobipy.building import Column
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError
from ordojo.compat.gurobipy.expressions import (
    GenExpr,
    LinExpr,
    NLExpr,
    QuadExpr,
    TempConstr,
    abs_,
    and_,
    max_,
    min_,
    multidict,
    norm,
    or_,
    quicksum,
    tupledict,
    tuplelist,
)
from ordojo.compat.gurobipy.handles import SOS, Constr, GenConstr, QConstr, Var
from ordojo.compat.gurobipy.matrix import (
    MConstr,
    MLinExpr,
    MQConstr,
    MQuadExpr,
    MVar,
    concatenate,
    hstack,
    vstack,
)
from ordojo.compat.gurobipy.model import Batch, Model, gurobi, loadModel, read
from ordojo.compat.gurobipy.params import (
    Env,
    disposeDefaultEnv,
    getParamInfo,
    paramHelp,
    readParams,
    resetParams,
    setParam,
    writeParams,
)

__version__ = "13.0.3"
all_, any_ = and_, or_
__all__ = ["nlfunc", *_exported(globals())]
