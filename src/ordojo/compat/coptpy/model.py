"""coptpy's Model: its methods are listed here and written in the modules they name."""

from typing import Any

from ordojo.compat.coptpy import (
    attributes,
    building,
    callbacks,
    constraints,
    files,
    objective,
    querying,
    solving,
)
from ordojo.compat.coptpy.errors import unsupported
from ordojo.compat.coptpy.log import line
from ordojo.compat.coptpy.params import ParamSetting, Values
from ordojo.compat.coptpy.state import State
from ordojo.compat.core.handles import lazy

_MATRIX = "ordojo.compat.coptpy.matrix"
_NAMES = """
    addAffineCone addAffineCones addCone addConeByDim addCones addDenseMat addDiagMat
    addExpCone addExpConeByDim addExpCones addEyeMat addOnesMat addPsdVar addPsdVars
    addSparseMat addSymMat bsolve computeShadowPriceRange delPsdObj feasRelaxN fsolve
    getBasisHead getConstrBasis getPoolObjValN getVarBasis interrupt loadCone loadConeMatrix
    loadExpCone loadNlData loadQ loadTuneParam readBasis readBin readCbf readJsonSol readOrd
    readSdpa readTune setBasis setLpSolution setNlPrimalStart setSlackBasis tune writeBasis
    writeBin writeCbf writeJsonSol writeMpsStr writeNL writeOrd writePoolSol writeRelax
    writeTuneParam setParamN getParamN resetParamN resetObjParamN getSOS getSOSBuilders
    getGenConstrIndicator getNlRow
"""
_LACKING = frozenset(_NAMES.split())
"""Methods of COPT's that this layer does not have."""


class Model:
    """An optimization model; changes are seen at once."""

    def __init__(self, name: str = "") -> None:
        if not isinstance(name, str):
            raise TypeError("The name of a model is a text")
        fields = self.__dict__
        fields["_state"] = State(name, Values())
        fields["Param"] = fields["param"] = ParamSetting(self)

    addVar = building.addVar
    addVars = building.addVars
    addConstr = building.addConstr
    addConstrs = building.addConstrs
    addBoundConstr = building.addBoundConstr
    addQConstr = building.addQConstr
    addNlConstr = building.addNlConstr
    addNlConstrs = building.addNlConstrs
    getConstrBuilders = building.getConstrBuilders
    addGenConstrIndicator = constraints.addGenConstrIndicator
    addGenConstrIndicators = constraints.addGenConstrIndicators
    addGenConstrMax = constraints.addGenConstrMax
    addGenConstrMin = constraints.addGenConstrMin
    addGenConstrAbs = constraints.addGenConstrAbs
    addGenConstrAnd = constraints.addGenConstrAnd
    addGenConstrOr = constraints.addGenConstrOr
    addGenConstrPWL = constraints.addGenConstrPWL
    addSOS = constraints.addSOS
    addCone = constraints.addCone
    addMVar = lazy(_MATRIX, "addMVar")
    addMConstr = lazy(_MATRIX, "addMConstr")
    addMQConstr = lazy(_MATRIX, "addMQConstr")
    setMObjective = lazy(_MATRIX, "setMObjective")
    loadMatrix = lazy(_MATRIX, "loadMatrix")
    setObjective = objective.setObjective
    setObjSense = objective.setObjSense
    setObjConst = objective.setObjConst
    getObjective = objective.getObjective
    delQuadObj = objective.delQuadObj
    delNlObj = objective.delNlObj
    setObjectiveN = objective.setObjectiveN
    getObjectiveN = objective.getObjectiveN
    delObjN = objective.delObjN
    setObjParamN = objective.setObjParamN
    getObjParamN = objective.getObjParamN
    getAttrN = objective.getAttrN
    getVars = querying.getVars
    getVar = querying.getVar
    getVarByName = querying.getVarByName
    getConstrs = querying.getConstrs
    getConstr = querying.getConstr
    getConstrByName = querying.getConstrByName
    getQConstrs = querying.getQConstrs
    getQConstr = querying.getQConstr
    getQConstrByName = querying.getQConstrByName
    getGenConstrs = querying.getGenConstrs
    getGenConstr = querying.getGenConstr
    getGenConstrByName = querying.getGenConstrByName
    getNlConstrs = querying.getNlConstrs
    getSOSs = querying.getSOSs
    getRow = querying.getRow
    getQuadRow = querying.getQuadRow
    getCol = querying.getCol
    getCoeff = querying.getCoeff
    setCoeff = building.setCoeff
    setCoeffs = building.setCoeffs
    getA = querying.getA
    getInfo = building.getInfo
    setInfo = building.setInfo
    getVarType = building.getVarType
    setVarType = building.setVarType
    setNames = building.setNames
    remove = building.remove
    getValues = solving.getValues
    getSlacks = solving.getSlacks
    getDuals = solving.getDuals
    getRedcosts = solving.getRedcosts
    getLpSolution = solving.getLpSolution
    getPoolObjVal = solving.getPoolObjVal
    getPoolSolution = solving.getPoolSolution
    getVarLowerIIS = solving.getVarLowerIIS
    getVarUpperIIS = solving.getVarUpperIIS
    getConstrLowerIIS = solving.getConstrLowerIIS
    getConstrUpperIIS = solving.getConstrUpperIIS
    getIndicatorIIS = solving.getIndicatorIIS
    getSOSIIS = solving.getSOSIIS
    solve = solving.solve
    solveLP = solving.solveLP
    computeIIS = solving.computeIIS
    setMipStart = solving.setMipStart
    loadMipStart = solving.loadMipStart
    reset = solving.reset
    resetAll = solving.resetAll
    feasRelax = solving.feasRelax
    feasRelaxS = solving.feasRelaxS
    setCallback = callbacks.setCallback
    addLazyConstr = callbacks.addLazyConstr
    addLazyConstrs = callbacks.addLazyConstrs
    addUserCut = callbacks.addUserCut
    addUserCuts = callbacks.addUserCuts
    interrupt = callbacks.interrupt
    write = files.write
    writeLp = files.writeLp
    writeMps = files.writeMps
    writeSol = files.writeSol
    writeMst = files.writeMst
    writeParam = files.writeParam
    writeIIS = files.writeIIS
    read = files.read
    readLp = files.readLp
    readMps = files.readMps
    readMst = files.readMst
    readSol = files.readMst
    readParam = files.readParam
    setLogFile = files.setLogFile

    def setParam(self, paramname: str, newval: Any) -> None:
        """Set a parameter."""
        state = self._state
        was = state.params["Logging"]
        name, value = state.params.set(paramname, newval)
        if was or state.params["Logging"]:
            line(state, f"Setting parameter '{name}' to {value:g}")

    def getParam(self, paramname: str) -> float:
        """A parameter's value."""
        value: float = self.getParamInfo(paramname)[1]
        return value

    def getParamInfo(self, paramname: str) -> tuple[Any, ...]:
        """Name, value, default, least and greatest value of a parameter."""
        found: tuple[Any, ...] = self._state.params.info(paramname)
        return found

    def resetParam(self) -> None:
        """Give all parameters their defaults."""
        self._state.params.changed.clear()

    def getAttr(self, attrname: str) -> Any:
        """An attribute's value."""
        return attributes.read(self._state, attrname)

    def setLogCallback(self, logcb: Any) -> None:
        """Not supported."""
        raise unsupported("setLogCallback")

    def update(self) -> None:
        """Nothing: changes are seen at once."""

    def clear(self) -> None:
        """Empty the model."""
        self.__dict__["_state"] = State(self._state.name, self._state.params)

    def clone(self) -> "Model":
        """Another model with the same content, unsolved."""
        from ordojo.compat.coptpy.querying import clone

        made: Model = clone(self)
        return made

    def dispose(self) -> None:
        """Free the model's memory."""
        self.clear()

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *error: object) -> None:
        self.dispose()

    def __getattr__(self, name: str) -> Any:
        if name in _LACKING:
            raise unsupported(f"Model.{name}")
        if name.startswith("_"):
            raise AttributeError(f"Invalid attribute name '{name}'")
        return attributes.read(self._state, name)

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
