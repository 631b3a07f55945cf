"""gurobipy's Model: its methods are listed here and written in the modules named behind them."""

from typing import Any

from ordojo.compat.core.handles import lazy
from ordojo.compat.gurobipy import (
    building,
    callbacks,
    constraints,
    files,
    modelattrs,
    objective,
    printing,
    querying,
    relaxing,
    solving,
)
from ordojo.compat.gurobipy.env import Env, read_params, values_of, write_params
from ordojo.compat.gurobipy.errors import GurobiError, unsupported
from ordojo.compat.gurobipy.params import ParamClass
from ordojo.compat.gurobipy.state import State
from ordojo.solvers.problem import Function

_MATRIX = "ordojo.compat.gurobipy.matrix"
_OWN = frozenset({"Params", "params"})


class Model:
    """An optimization model; names that begin with an underscore are the program's own."""

    def __init__(self, name: str = "", env: Env | None = None) -> None:
        if not isinstance(name, str):
            raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
        values = values_of(env)
        fields = self.__dict__
        fields["_state"] = State(name, values)
        fields["Params"] = fields["params"] = ParamClass(values)

    addVar = building.addVar
    addVars = building.addVars
    addConstr = building.addConstr
    addConstrs = building.addConstrs
    addLConstr = building.addLConstr
    addQConstr = building.addQConstr
    addRange = building.addRange
    addSOS = building.addSOS
    addMVar = lazy(_MATRIX, "addMVar")
    addMConstr = lazy(_MATRIX, "addMConstr")
    addMQConstr = lazy(_MATRIX, "addMQConstr")
    setMObjective = lazy(_MATRIX, "setMObjective")
    addGenConstrMax = constraints.addGenConstrMax
    addGenConstrMin = constraints.addGenConstrMin
    addGenConstrAbs = constraints.addGenConstrAbs
    addGenConstrAnd = constraints.addGenConstrAnd
    addGenConstrOr = constraints.addGenConstrOr
    addGenConstrNorm = constraints.addGenConstrNorm
    addGenConstrIndicator = constraints.addGenConstrIndicator
    addGenConstrPWL = constraints.addGenConstrPWL
    addGenConstrPoly = constraints.addGenConstrPoly
    addGenConstrExp = constraints.addGenConstrExp
    addGenConstrExpA = constraints.addGenConstrExpA
    addGenConstrLog = constraints.addGenConstrLog
    addGenConstrLogA = constraints.addGenConstrLogA
    addGenConstrPow = constraints.addGenConstrPow
    addGenConstrSin = constraints.addGenConstrSin
    addGenConstrCos = constraints.addGenConstrCos
    addGenConstrTan = constraints.addGenConstrTan
    addGenConstrLogistic = constraints.addGenConstrLogistic
    addGenConstrNL = constraints.addGenConstrNL
    setObjective = objective.setObjective
    setObjectiveN = objective.setObjectiveN
    getObjective = objective.getObjective
    setPWLObj = objective.setPWLObj
    getPWLObj = objective.getPWLObj
    optimize = solving.optimize
    reset = solving.reset
    computeIIS = solving.computeIIS
    feasRelaxS = relaxing.feasRelaxS
    feasRelax = relaxing.feasRelax
    copy = querying.copy
    relax = querying.relax
    fixed = querying.fixed
    getVars = querying.getVars
    getConstrs = querying.getConstrs
    getQConstrs = querying.getQConstrs
    getGenConstrs = querying.getGenConstrs
    getSOSs = querying.getSOSs
    getVarByName = querying.getVarByName
    getConstrByName = querying.getConstrByName
    getRow = querying.getRow
    getCol = querying.getCol
    getCoeff = querying.getCoeff
    chgCoeff = querying.chgCoeff
    getQCRow = querying.getQCRow
    getSOS = querying.getSOS
    getA = querying.getA
    getQ = querying.getQ
    remove = querying.remove
    getGenConstrMax = querying.getter(Function.MAX)
    getGenConstrMin = querying.getter(Function.MIN)
    getGenConstrAbs = querying.getter(Function.ABS)
    getGenConstrAnd = querying.getter(Function.AND)
    getGenConstrOr = querying.getter(Function.OR)
    getGenConstrNorm = querying.getter(Function.NORM)
    getGenConstrPWL = querying.getter(Function.PWL)
    getGenConstrPoly = querying.getter(Function.POLY)
    getGenConstrExp = querying.getter(Function.EXP)
    getGenConstrExpA = querying.getter(Function.EXPA)
    getGenConstrLog = querying.getter(Function.LOG)
    getGenConstrLogA = querying.getter(Function.LOGA)
    getGenConstrPow = querying.getter(Function.POW)
    getGenConstrSin = querying.getter(Function.SIN)
    getGenConstrCos = querying.getter(Function.COS)
    getGenConstrTan = querying.getter(Function.TAN)
    getGenConstrLogistic = querying.getter(Function.LOGISTIC)
    getGenConstrIndicator = querying.getGenConstrIndicator
    cbGet = callbacks.cbGet
    cbGetSolution = callbacks.cbGetSolution
    cbGetNodeRel = callbacks.cbGetNodeRel
    cbLazy = callbacks.cbLazy
    cbCut = callbacks.cbCut
    cbSetSolution = callbacks.cbSetSolution
    cbUseSolution = callbacks.cbUseSolution
    cbProceed = callbacks.cbProceed
    cbStopOneMultiObj = callbacks.cbStopOneMultiObj
    terminate = callbacks.terminate
    write = files.write
    read = files.read_into
    getJSONSolution = files.getJSONSolution
    printStats = printing.printStats
    printAttr = printing.printAttr
    printQuality = printing.printQuality
    display = printing.display

    def update(self) -> None:
        """Make what was added or changed visible."""
        self._state.update()

    def setParam(self, paramname: str, newvalue: Any) -> None:
        """Set a parameter of this model."""
        self._state.params.set(paramname, newvalue)

    def getParamInfo(self, paramname: str) -> tuple[Any, ...] | None:
        """Name, type, value, least, greatest and default value of a parameter."""
        found: tuple[Any, ...] | None = self._state.params.info(paramname)
        return found

    def resetParams(self) -> None:
        """All parameters back to their defaults."""
        self._state.params.changed.clear()

    def readParams(self, filename: str) -> None:
        """Set what a .prm file says."""
        read_params(self._state.params, filename)

    def writeParams(self, filename: str) -> None:
        """Write the changed parameters as a .prm file."""
        write_params(self._state.params, filename)

    def getAttr(self, attrname: str, objs: Any = None) -> Any:
        """The model's attribute, or that of each of several variables or constraints."""
        return modelattrs.read(self, attrname, objs)

    def setAttr(self, attrname: str, arg1: Any, arg2: Any = None) -> None:
        """Set the model's attribute, or that of each of several variables or constraints."""
        if arg2 is None:
            modelattrs.write(self, attrname, arg1)
        else:
            modelattrs.write_many(self, attrname, arg1, arg2)

    def message(self, msg: str) -> None:
        """Write a line to the log."""
        self._state.params.log.line(msg)

    def dispose(self) -> None:
        """Free the model."""
        self.__dict__.pop("_state", None)

    close = dispose

    def prefetchAttr(self, attrname: str, objs: Any = None) -> None:
        """Nothing: attributes are at hand."""

    def sync(self) -> None:
        """Nothing: no solve runs beside the program."""

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *exc: object) -> None:
        self.dispose()

    def __getattr__(self, name: str) -> Any:
        if name == "_state":
            raise GurobiError(0, "Model has already been freed")
        if name.startswith("_"):
            raise AttributeError(f"'gurobipy.Model' object has no attribute '{name}'")
        return modelattrs.read(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            self.__dict__[name] = value
        elif name in _OWN:
            raise AttributeError(f"Attribute '{name}' cannot be set")
        else:
            modelattrs.write(self, name, value)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __repr__(self) -> str:
        state = self.__dict__.get("_state")
        if state is None:
            return "<gurobi.Model empty model>"
        kind = "MIP" if self.IsMIP else "Continuous"
        return (
            f"<gurobi.Model {kind} instance {state.name or 'Unnamed'}: {state.rows_live} constrs, "
            f"{state.cols_live} vars, {state.params.text()}>"
        )


def _lacking(name: str) -> Any:
    """A method of Gurobi's that this layer does not have."""

    def method(model: Model, *args: Any, **words: Any) -> Any:
        raise unsupported(name)

    method.__doc__ = "Not supported."
    return method


for _name in (
    *("presolve", "tune", "getTuneResult", "writeTuneResult", "optimizeAsync", "optimizeBatch"),
    *("singleScenarioModel", "getMultiobjEnv", "discardMultiobjEnvs", "getConcurrentEnv"),
    *("discardConcurrentEnvs", "addGenConstrNLAdv", "getGenConstrNL", "getGenConstrNLAdv"),
    *("basisHead", "cbSetParam", "convertToFixed", "dualize", "feasibility", "linearize"),
    *("getQCMatrices", "singularVectors"),
):
    setattr(Model, _name, _lacking(_name))
Model.__module__ = "gurobipy"
