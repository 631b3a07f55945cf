"""coptpy's interface, version 8, over open solvers; programs import it as `coptpy`.

What is not supported raises NotImplementedError and names the feature. A program's `Model`
(`model`) has the public functions of `building`, `matrix`, `querying`, `solving` and `files` as
methods. They fill a `state`, a store of `core`, with what `expressions` say and return `handles`,
whose information is tables; as with COPT changes are seen at once. `solve` sends the problem to
the service, with callbacks on the way, and attributes read the result.
"""

from importlib import import_module
from typing import Any

from ordojo.compat.coptpy.building import SOSBuilder
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
from ordojo.compat.coptpy.model import Envr, EnvrConfig, Model
from ordojo.compat.coptpy.querying import Column
from ordojo.compat.coptpy.solving import CallbackBase
from ordojo.compat.coptpy.state import ParamSetting

__version__ = "8.0.7"
_MATRIX = (
    "MVar",
    "MLinExpr",
    "MQuadExpr",
    "MConstr",
    "MQConstr",
    "MConstrBuilder",
    "MQConstrBuilder",
    "NdArray",
    "hstack",
    "stack",
    "vstack",
)
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
    "Model",
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
    "multidict",
    "nl",
    "psdquicksum",
    "quicksum",
    "tupledict",
    "tuplelist",
]


def __getattr__(name: str) -> Any:
    if name in _MATRIX:
        return getattr(import_module("ordojo.compat.coptpy.matrix"), name)
    if name in _LACKING:
        raise unsupported(f"coptpy.{name}")
    raise AttributeError(f"module 'coptpy' has no attribute '{name}'")
