"""gurobipy's interface, version 13, over open solvers; programs import it as `gurobipy`.

What is not supported raises NotImplementedError and names the feature. A program's `Model`
(`model`) ends a chain of classes over that of `core`, a module each: `querying`, `functions`,
`building`, `matrix`, `solving`, `relaxing`; `files` reads and writes. They fill a `state`, a store
of `core`, with what `expressions` say and return `handles`, whose attributes are tables, as the
model's are (`attributes`); as with Gurobi changes are seen after an update. `optimize` sends the
problem to the service under `params`, with callbacks on the way, and attributes read the result,
those of a basis by `analysis`.
"""

from typing import Any

from ordojo.compat.core.model import refusing
from ordojo.compat.gurobipy import nlfunc
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, unsupported
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
from ordojo.compat.gurobipy.files import read_model_file
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
from ordojo.compat.gurobipy.model import Model
from ordojo.compat.gurobipy.params import Env, default
from ordojo.compat.gurobipy.querying import Column

__version__ = "13.0.3"
__all__ = [
    "GRB",
    "SOS",
    "Batch",
    "Column",
    "Constr",
    "Env",
    "GenConstr",
    "GenExpr",
    "GurobiError",
    "LinExpr",
    "MConstr",
    "MLinExpr",
    "MQConstr",
    "MQuadExpr",
    "MVar",
    "Model",
    "NLExpr",
    "QConstr",
    "QuadExpr",
    "TempConstr",
    "Var",
    "abs_",
    "all_",
    "and_",
    "any_",
    "concatenate",
    "disposeDefaultEnv",
    "getParamInfo",
    "gurobi",
    "hstack",
    "loadModel",
    "max_",
    "min_",
    "multidict",
    "nlfunc",
    "norm",
    "or_",
    "paramHelp",
    "quicksum",
    "read",
    "readParams",
    "resetParams",
    "setParam",
    "tupledict",
    "tuplelist",
    "vstack",
    "writeParams",
]

all_, any_ = and_, or_


class gurobi:
    """The library's version and platform."""

    version = staticmethod(lambda: (13, 0, 3))
    platform = staticmethod(lambda: "linux64")


def read(filename: str, env: Env | None = None) -> Any:
    """A model from an LP or MPS file."""
    return read_model_file(Model(env=env), filename)


setParam, resetParams = default.setParam, default.resetParams
readParams, writeParams = default.readParams, default.writeParams
disposeDefaultEnv = default.resetParams


def getParamInfo(paramname: str, env: Env | None = None) -> tuple[Any, ...] | None:
    """Name, type, value, least, greatest and default value of a parameter."""
    return (env or default)._values.info(paramname)


def paramHelp(paramname: str | None = None) -> None:
    """Print nothing: there is no manual behind."""


Batch, loadModel = refusing("Batch", unsupported), refusing("loadModel", unsupported)
