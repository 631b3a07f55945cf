"""gurobipy's Model: its methods are listed here and written in the modules named behind them."""

from typing import Any

from ordojo.compat.gurobipy import (
    building,
    callbacks,
    copying,
    files,
    genconstr,
    matrixhooks,
    modelattrs,
    objective,
    printing,
    querying,
    relaxing,
    solving,
    variables,
)
from ordojo.compat.gurobipy.env import Env, read_params, values_of, write_params
from ordojo.compat.gurobipy.errors import GurobiError, unsupported
from ordojo.compat.gurobipy.params import ParamClass
from ordojo.compat.gurobipy.state import State
from ordojo.compat.problem import Function

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

    addVar = variables.addVar  # noqa: N815
    addVars = variables.addVars  # noqa: N815
    addConstr = building.addConstr  # noqa: N815
    addConstrs = building.addConstrs  # noqa: N815
    addLConstr = building.addLConstr  # noqa: N815
    addQConstr = building.addQConstr  # noqa: N815
    addRange = building.addRange  # noqa: N815
    addSOS = building.addSOS  # noqa: N815
    addMVar = matrixhooks.addMVar  # noqa: N815
    addMConstr = matrixhooks.addMConstr  # noqa: N815
    addMQConstr = matrixhooks.addMQConstr  # noqa: N815
    setMObjective = matrixhooks.setMObjective  # noqa: N815
    addGenConstrMax = genconstr.addGenConstrMax  # noqa: N815
    addGenConstrMin = genconstr.addGenConstrMin  # noqa: N815
    addGenConstrAbs = genconstr.addGenConstrAbs  # noqa: N815
    addGenConstrAnd = genconstr.addGenConstrAnd  # noqa: N815
    addGenConstrOr = genconstr.addGenConstrOr  # noqa: N815
    addGenConstrNorm = genconstr.addGenConstrNorm  # noqa: N815
    addGenConstrIndicator = genconstr.addGenConstrIndicator  # noqa: N815
    addGenConstrPWL = genconstr.addGenConstrPWL  # noqa: N815
    addGenConstrPoly = genconstr.addGenConstrPoly  # noqa: N815
    addGenConstrExp = genconstr.addGenConstrExp  # noqa: N815
    addGenConstrExpA = genconstr.addGenConstrExpA  # noqa: N815
    addGenConstrLog = genconstr.addGenConstrLog  # noqa: N815
    addGenConstrLogA = genconstr.addGenConstrLogA  # noqa: N815
    addGenConstrPow = genconstr.addGenConstrPow  # noqa: N815
    addGenConstrSin = genconstr.addGenConstrSin  # noqa: N815
    addGenConstrCos = genconstr.addGenConstrCos  # noqa: N815
    addGenConstrTan = genconstr.addGenConstrTan  # noqa: N815
    addGenConstrLogistic = genconstr.addGenConstrLogistic  # noqa: N815
    addGenConstrNL = genconstr.addGenConstrNL  # noqa: N815
    setObjective = objective.setObjective  # noqa: N815
    setObjectiveN = objective.setObjectiveN  # noqa: N815
    getObjective = objective.getObjective  # noqa: N815
    setPWLObj = objective.setPWLObj  # noqa: N815
    getPWLObj = objective.getPWLObj  # noqa: N815
    optimize = solving.optimize
    reset = solving.reset
    computeIIS = solving.computeIIS  # noqa: N815
    feasRelaxS = relaxing.feasRelaxS  # noqa: N815
    feasRelax = relaxing.feasRelax  # noqa: N815
    copy = copying.copy
    relax = copying.relax
    fixed = copying.fixed
    getVars = querying.getVars  # noqa: N815
    getConstrs = querying.getConstrs  # noqa: N815
    getQConstrs = querying.getQConstrs  # noqa: N815
    getGenConstrs = querying.getGenConstrs  # noqa: N815
    getSOSs = querying.getSOSs  # noqa: N815
    getVarByName = querying.getVarByName  # noqa: N815
    getConstrByName = querying.getConstrByName  # noqa: N815
    getRow = querying.getRow  # noqa: N815
    getCol = querying.getCol  # noqa: N815
    getCoeff = querying.getCoeff  # noqa: N815
    chgCoeff = querying.chgCoeff  # noqa: N815
    getQCRow = querying.getQCRow  # noqa: N815
    getSOS = querying.getSOS  # noqa: N815
    getA = querying.getA  # noqa: N815
    getQ = querying.getQ  # noqa: N815
    remove = querying.remove
    getGenConstrMax = querying.getter(Function.MAX)  # noqa: N815
    getGenConstrMin = querying.getter(Function.MIN)  # noqa: N815
    getGenConstrAbs = querying.getter(Function.ABS)  # noqa: N815
    getGenConstrAnd = querying.getter(Function.AND)  # noqa: N815
    getGenConstrOr = querying.getter(Function.OR)  # noqa: N815
    getGenConstrNorm = querying.getter(Function.NORM)  # noqa: N815
    getGenConstrPWL = querying.getter(Function.PWL)  # noqa: N815
    getGenConstrPoly = querying.getter(Function.POLY)  # noqa: N815
    getGenConstrExp = querying.getter(Function.EXP)  # noqa: N815
    getGenConstrExpA = querying.getter(Function.EXPA)  # noqa: N815
    getGenConstrLog = querying.getter(Function.LOG)  # noqa: N815
    getGenConstrLogA = querying.getter(Function.LOGA)  # noqa: N815
    getGenConstrPow = querying.getter(Function.POW)  # noqa: N815
    getGenConstrSin = querying.getter(Function.SIN)  # noqa: N815
    getGenConstrCos = querying.getter(Function.COS)  # noqa: N815
    getGenConstrTan = querying.getter(Function.TAN)  # noqa: N815
    getGenConstrLogistic = querying.getter(Function.LOGISTIC)  # noqa: N815
    getGenConstrIndicator = querying.getGenConstrIndicator  # noqa: N815
    cbGet = callbacks.cbGet  # noqa: N815
    cbGetSolution = callbacks.cbGetSolution  # noqa: N815
    cbGetNodeRel = callbacks.cbGetNodeRel  # noqa: N815
    cbLazy = callbacks.cbLazy  # noqa: N815
    cbCut = callbacks.cbCut  # noqa: N815
    cbSetSolution = callbacks.cbSetSolution  # noqa: N815
    cbUseSolution = callbacks.cbUseSolution  # noqa: N815
    cbProceed = callbacks.cbProceed  # noqa: N815
    cbStopOneMultiObj = callbacks.cbStopOneMultiObj  # noqa: N815
    terminate = callbacks.terminate
    write = files.write
    read = files.read_into
    getJSONSolution = files.getJSONSolution  # noqa: N815
    printStats = printing.printStats  # noqa: N815
    printAttr = printing.printAttr  # noqa: N815
    printQuality = printing.printQuality  # noqa: N815
    display = printing.display

    def update(self) -> None:
        """Make what was added or changed visible."""
        self._state.update()

    def setParam(self, paramname: str, newvalue: Any) -> None:  # noqa: N802
        """Set a parameter of this model."""
        self._state.params.set(paramname, newvalue)

    def getParamInfo(self, paramname: str) -> tuple[Any, ...] | None:  # noqa: N802
        """Name, type, value, least, greatest and default value of a parameter."""
        found: tuple[Any, ...] | None = self._state.params.info(paramname)
        return found

    def resetParams(self) -> None:  # noqa: N802
        """All parameters back to their defaults."""
        self._state.params.changed.clear()

    def readParams(self, filename: str) -> None:  # noqa: N802
        """Set what a .prm file says."""
        read_params(self._state.params, filename)

    def writeParams(self, filename: str) -> None:  # noqa: N802
        """Write the changed parameters as a .prm file."""
        write_params(self._state.params, filename)

    def getAttr(self, attrname: str, objs: Any = None) -> Any:  # noqa: N802
        """The model's attribute, or that of each of several variables or constraints."""
        return modelattrs.read(self, attrname, objs)

    def setAttr(self, attrname: str, arg1: Any, arg2: Any = None) -> None:  # noqa: N802
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

    def prefetchAttr(self, attrname: str, objs: Any = None) -> None:  # noqa: N802
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
