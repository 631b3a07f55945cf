"""coptpy's Model and its attributes, and the Envr that makes it."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ordojo.compat.coptpy import files
from ordojo.compat.coptpy.constants import COPT, unsupported
from ordojo.compat.coptpy.handles import Cone
from ordojo.compat.coptpy.solving import Solving
from ordojo.compat.coptpy.state import ParamSetting, State, Values, gap
from ordojo.compat.core.model import Disposable, extreme
from ordojo.compat.core.store import FormulaPart, IndicatorPart, SosPart, StoredConstraint
from ordojo.milp.model import VarType


def _count(family: str, formulas: bool = False, cones: bool = False) -> Callable[[Any], int]:
    def read(state: Any) -> int:
        state.update()
        parts = [p for p in state.family(family) if isinstance(p.handle, Cone) == cones]
        return sum(isinstance(part, FormulaPart) == formulas for part in parts)

    return read


def _is_mip(state: Any) -> int:
    parts = [*state.parts.get("general", ()), *state.parts.get("sos", ())]
    return int(any(state.kinds) or any(not isinstance(part, FormulaPart) for part in parts))


def _elements(state: Any) -> int:
    state.update()
    return len(state.index)


def _products(state: Any) -> int:
    return len(state.goal.products[0]) if state.goal.products else 0


def _of_mip(read: Callable[[Any], Any], missing: Any = 0.0) -> Callable[[Any], Any]:
    """A figure that only solves of MIPs have."""
    return lambda state: read(state) if state.outcome.mip_status else missing


def _bound(state: Any) -> float:
    bound = state.result.bound if state.result is not None else None
    if state.outcome.status == COPT.INFEASIBLE:
        return -COPT.INFINITY if state.maximize else COPT.INFINITY
    if bound is None or abs(bound) > COPT.INFINITY:
        return COPT.INFINITY if state.maximize else -COPT.INFINITY
    return float(bound)


def _objective(state: Any) -> float:
    return float(state.outcome.objective)


def _gap(state: Any) -> float:
    if state.outcome.status == COPT.INFEASIBLE:
        return 0.0
    return COPT.INFINITY if state.x is None else gap(state.result)


def _figure(name: str) -> Callable[[Any], Any]:
    return lambda state: getattr(state.result, name) if state.result is not None else 0


def _in_subsystem(kind: str) -> Callable[[Any], int]:
    """How many rows ("row") or columns ("col") the infeasible subsystem has a side of."""

    def read(state: Any) -> int:
        sides = [one for one in state.iis or () if isinstance(one, tuple)]
        return len({number for side, number in sides if side.startswith(kind)})

    return read


def _parts_in_subsystem(kind: type[StoredConstraint]) -> Callable[[Any], int]:
    return lambda state: sum(isinstance(part, kind) for part in state.iis or ())


READ: Mapping[str, Callable[[Any], Any]] = {
    "cols": lambda s: len(s.columns),
    "rows": lambda s: len(s.rows),
    "elems": _elements,
    "qelems": _products,
    "bins": lambda s: s.kinds.count(VarType.BINARY),
    "ints": lambda s: s.kinds.count(VarType.INTEGER),
    "soss": _count("sos"),
    "qconstrs": _count("quadratic"),
    "cones": _count("quadratic", cones=True),
    "hasfeasrelaxsol": lambda s: int(s.relaxed is not None),
    "feasrelaxobj": lambda s: s.relaxed["objective"] if s.relaxed else 0.0,
    "indicators": _count("general"),
    "nlconstrs": _count("general", formulas=True),
    "multiobjs": lambda s: len(s.goals),
    "objsense": lambda s: COPT.MAXIMIZE if s.maximize else COPT.MINIMIZE,
    "objconst": lambda s: float(s.goal.constant),
    "hasqobj": lambda s: int(_products(s) > 0),
    "hasnlobj": lambda s: int(s.formula is not None),
    "ismip": _is_mip,
    "status": lambda s: s.outcome.status,
    "lpstatus": lambda s: s.outcome.lp_status,
    "mipstatus": lambda s: s.outcome.mip_status,
    "objval": _objective,
    "lpobjval": lambda s: _objective(s) if s.outcome.lp_status else 0.0,
    "bestobj": _of_mip(_objective),
    "bestbnd": _of_mip(_bound),
    "bestgap": _of_mip(_gap),
    "objbound": lambda s: _bound(s) if s.outcome.mip_status else _objective(s),
    "hassol": lambda s: int(s.x is not None),
    "haslpsol": lambda s: int(s.x is not None and s.outcome.lp_status != 0),
    "hasmipsol": lambda s: int(s.x is not None and s.outcome.mip_status != 0),
    "poolsols": _of_mip(lambda s: s.solutions, 0),
    "solvingtime": lambda s: float(_figure("seconds")(s)),
    "simplexiter": _figure("iterations"),
    "nodecnt": _figure("nodes"),
    "hasiis": lambda s: int(s.iis is not None),
    "isminiis": lambda s: int(s.iis is not None and s.iis_minimal),
    "iisrows": _in_subsystem("row"),
    "iiscols": _in_subsystem("col"),
    "iisindicators": _parts_in_subsystem(IndicatorPart),
    "iissoss": _parts_in_subsystem(SosPart),
    "minelem": extreme("value", np.min),
    "maxelem": extreme("value", np.max),
    "mincost": extreme("cost", np.min),
    "maxcost": extreme("cost", np.max),
    "minrhs": extreme("rhs", np.min),
    "maxrhs": extreme("rhs", np.max),
    "name": lambda s: s.name,
}
_NO_FIGURES = """
    affinecones barrieriter expcones hasbasis hasbranchfactor hasdualfarkas hasprimalray haspsdobj
    hassensitivity lmiconstrs nlelems pdlpiter psdcols psdconstrs
    psdelems symmats tuneresults
"""
_FIGURES = frozenset(name.lower() for name in vars(COPT.Attr).values())


def read(state: Any, name: Any) -> Any:
    """An attribute's value; AttributeError where there is none of that name."""
    lower = str(name).lower()
    found = READ.get(lower)
    if found is not None:
        return found(state)
    if lower in _NO_FIGURES.split():
        return 0
    if lower in _FIGURES:
        raise unsupported(f"attribute {name}")
    raise AttributeError(f"Invalid attribute name '{name}'")


_NAMES = """
    addAffineCone addAffineCones addCone addConeByDim addCones addDenseMat addDiagMat
    addExpCone addExpConeByDim addExpCones addEyeMat addOnesMat addPsdVar addPsdVars
    addSparseMat addSymMat bsolve computeShadowPriceRange delPsdObj feasRelaxN fsolve
    getBasisHead getConstrBasis getPoolObjValN getVarBasis interrupt loadCone loadConeMatrix
    loadExpCone loadNlData loadQ loadTuneParam readBasis readBin readCbf readJsonSol readOrd
    readSdpa readTune setBasis setLpSolution setNlPrimalStart setSlackBasis tune writeBasis
    setLogCallback writeBin writeCbf writeJsonSol writeMpsStr writeNL writeOrd writePoolSol
    writeRelax writeTuneParam setParamN getParamN resetParamN resetObjParamN getSOS
    getSOSBuilders getGenConstrIndicator getNlRow getConstrBuilders setObjParamN getObjParamN
"""
_LACKING_METHODS = frozenset(_NAMES.split())


class Model(Solving):
    """An optimization model; changes are seen at once."""

    write, writeLp, writeMps, writeSol = files.write, files.writeLp, files.writeMps, files.writeSol
    writeMst, writeParam, writeIIS = files.writeMst, files.writeParam, files.writeIIS
    read, readLp, readMps, readSol = files.read, files.readLp, files.readMps, files.readSol
    readMst, readParam, setLogFile = files.readMst, files.readParam, files.setLogFile

    def __init__(self, name: str = "") -> None:
        if not isinstance(name, str):
            raise TypeError("The name of a model is a text")
        fields = self.__dict__
        fields["_state"] = State(name, Values())
        fields["Param"] = fields["param"] = ParamSetting(self)

    def setParam(self, paramname: str, newval: Any) -> None:
        state = self._state
        was = state.params["Logging"]
        name, value = state.params.set(paramname, newval)
        if was or state.params["Logging"]:
            state.lines(f"Setting parameter '{name}' to {value:g}")

    def getParam(self, paramname: str) -> Any:
        return self.getParamInfo(paramname)[1]

    def getParamInfo(self, paramname: str) -> Any:
        """Name, value, default, least and greatest value of a parameter."""
        return self._state.params.info(paramname)

    def resetParam(self) -> None:
        self._state.params.changed.clear()

    def getAttr(self, attrname: str) -> Any:
        return read(self._state, attrname)

    def clear(self) -> None:
        self.__dict__["_state"] = State(self._state.name, self._state.params)

    def dispose(self) -> None:
        self.clear()

    def __getattr__(self, name: str) -> Any:
        if name in _LACKING_METHODS:
            raise unsupported(f"Model.{name}")
        if name.startswith("_"):
            raise AttributeError(f"Invalid attribute name '{name}'")
        return read(self._state, name)

    def __setattr__(self, name: str, value: Any) -> None:
        lower = name.lower()
        if lower == "objsense":
            self.setObjSense(value)
        elif lower == "objconst":
            self.setObjConst(value)
        else:
            raise AttributeError("Invalid attribute name 'setAttr'")

    def __repr__(self) -> str:
        return f"<coptpy.Model: {self._state.name}>"


Model.__module__ = "coptcore"


class EnvrConfig:
    """Settings for an environment; kept, and without effect."""

    def __init__(self) -> None:
        self._set: dict[str, str] = {}

    def set(self, name: str, value: str) -> None:
        self._set[str(name)] = str(value)


class Envr(Disposable):
    """Makes models."""

    def __init__(self, arg: Any = None) -> None:
        self._arg = arg

    def createModel(self, name: str = "") -> Model:
        return Model(name)

    def dispose(self) -> None:
        """Nothing: there is no licence to give back."""

    close = dispose


for _class in (Envr, EnvrConfig):
    _class.__module__ = "coptcore"
