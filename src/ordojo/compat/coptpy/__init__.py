"""coptpy's interface, version 8, over open solvers; programs import it as `coptpy`.

What is not supported raises NotImplementedError and names the feature. A program's `Model`
(`model`) ends a chain of classes over that of `core`, a module each: `querying`, `functions`,
`building`, `objectives`, `matrix`, `solving`, `relaxing`; `files` reads and writes. They fill a
`state`, a store of `core`, with what `expressions` say and return `handles`, whose information is
tables; as with COPT changes are seen at once. `solve` sends the problem to the service under
`params`, with callbacks on the way, and attributes read the result.
"""

from typing import Any

from ordojo.compat.coptpy.constants import COPT
from ordojo.compat.coptpy.errors import CoptError, unsupported
from ordojo.compat.coptpy.expressions import (
    ConstrBuilder,
    ExprBuilder,
    GenConstrBuilder,
    LinExpr,
    NlExpr,
    QConstrBuilder,
    QuadExpr,
    multidict,
    nl,
    psdquicksum,
    quicksum,
    tupledict,
    tuplelist,
)
from ordojo.compat.coptpy.functions import SOSBuilder
from ordojo.compat.coptpy.handles import (
    SOS,
    Constraint,
    ConstrArray,
    ConstrBuilderArray,
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
from ordojo.compat.coptpy.params import ParamSetting
from ordojo.compat.coptpy.querying import Column
from ordojo.compat.coptpy.solving import CallbackBase

__version__ = "8.0.7"
_LACKING = (
    "PsdVar",
    "PsdExpr",
    "SymMatrix",
    "LmiExpr",
    "ConeBuilder",
    "ExpConeBuilder",
    "AffineConeBuilder",
    "NlpCallbackBase",
    "LogCallback",
)
__all__ = [
    "COPT",
    "SOS",
    "CallbackBase",
    "Column",
    "ConstrArray",
    "ConstrBuilder",
    "ConstrBuilderArray",
    "Constraint",
    "CoptError",
    "Envr",
    "EnvrConfig",
    "ExprBuilder",
    "GenConstr",
    "GenConstrArray",
    "GenConstrBuilder",
    "GenConstrX",
    "LinExpr",
    "MConstr",
    "MConstrBuilder",
    "MLinExpr",
    "MQConstr",
    "MQConstrBuilder",
    "MQuadExpr",
    "MVar",
    "Model",
    "NdArray",
    "NlConstrArray",
    "NlConstraint",
    "NlExpr",
    "ParamSetting",
    "QConstrArray",
    "QConstrBuilder",
    "QConstraint",
    "QuadExpr",
    "SOSArray",
    "SOSBuilder",
    "Var",
    "VarArray",
    "hstack",
    "multidict",
    "nl",
    "psdquicksum",
    "quicksum",
    "stack",
    "tupledict",
    "tuplelist",
    "vstack",
]


def __getattr__(name: str) -> Any:
    if name in _LACKING:
        raise unsupported(f"coptpy.{name}")
    raise AttributeError(f"module 'coptpy' has no attribute '{name}'")
