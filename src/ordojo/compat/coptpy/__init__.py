# ruff: noqa: F401
"""coptpy's interface, version 8, over open solvers; programs import it as `coptpy`.

What is not supported raises NotImplementedError and names the feature. A program's `Model`
(`model`) ends a chain of classes over that of `core`, a module each: `building`, `matrix`,
`solving`; `files` reads and writes. They fill a `state`, a store of `core`, with what `expressions`
say and return `handles`, whose information is tables; as with COPT changes are seen at once.
`solve` sends the problem to the service under the state's parameters, with callbacks on the way,
and attributes read the result. Whatever is imported here is what programs may name.
"""

from ordojo.compat.coptpy import constants as _constants
from ordojo.compat.coptpy.building import Column
from ordojo.compat.coptpy.constants import COPT, CoptError
from ordojo.compat.coptpy.expressions import (
    ConstrBuilder,
    ExprBuilder,
    LinExpr,
    NlExpr,
    QConstrBuilder,
    QuadExpr,
    multidict,
    nl,
    quicksum,
    tupledict,
    tuplelist,
)
from ordojo.compat.coptpy.handles import (
    SOS,
    Constraint,
    ConstrArray,
    GenConstr,
    GenConstrArray,
    GenConstrX,
    NlConstraint,
    NlConstrArray,
    QConstraint,
    QConstrArray,
    SOSArray,
    Var,
    VarArray,
)
from ordojo.compat.coptpy.matrix import (
    MConstr,
    MConstrBuilder,
    MLinExpr,
    MQConstr,
    MQConstrBuilder,
    MQuadExpr,
    MVar,
    NdArray,
    hstack,
    stack,
    vstack,
)
from ordojo.compat.coptpy.model import Envr, EnvrConfig, Model
from ordojo.compat.coptpy.solving import CallbackBase
from ordojo.compat.coptpy.state import ParamSetting
from ordojo.compat.core.model import exported as _exported

__version__ = "8.0.7"
_LACKING = """
    PsdVar PsdExpr SymMatrix LmiExpr ConeBuilder ExpConeBuilder AffineConeBuilder NlpCallbackBase
    LogCallback SOSBuilder GenConstrBuilder ConstrBuilderArray psdquicksum
"""
__all__ = _exported(globals())


def __getattr__(name: str) -> object:
    if name in _LACKING.split():
        raise _constants.unsupported(f"coptpy.{name}")
    raise AttributeError(f"module 'coptpy' has no attribute '{name}'")
