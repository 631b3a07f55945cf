"""COPT's constants and parameters, the names of attributes and information, and its errors."""

from typing import Any

from ordojo.compat.core.calls import asking, lacking
from ordojo.compat.core.parameters import AnyName, numbered, parameters, spelled

INFINITY = 1e30
UNDEFINED = 1e40

_PARAMETERS = """
    AbsGap=1e-06,0,inf BarHomogeneous=-1,-1,1 BarIterLimit=500,0,2147483647 BarOrder=-1,-1,2
    BarStart=-1,-1,2 BarThreads=-1,-1,128 ConcurrentLpMode=-1,-1,3 ConflictAnalysis=-1,-1,1
    Crossover=1,-1,1 CrossoverThreads=-1,-1,128 CutLevel=-1,-1,3 DivingHeurLevel=-1,-1,3
    DualPerturb=-1,-1,1 DualPrice=-1,-1,1 DualTol=1e-06,1e-09,0.0001 Dualize=-1,-1,1
    FAPHeurLevel=-1,-1,4 FeasRelaxMode=0,0,5 FeasTol=1e-06,1e-09,0.0001 GPUDevice=-1,-1,2147483647
    GPUMode=-1,-1,2 HeurLevel=-1,-1,3 IISMethod=-1,-1,1 IntTol=1e-06,1e-09,0.1
    LazyConstraints=-1,-1,1 LinearizeIndicators=0,0,1 LinearizeSos=0,0,1 LogLevel=2,2,3
    LogToConsole=1,0,1 Logging=1,0,1 LpMethod=-1,-1,6 MatrixTol=1e-10,0,1e-07
    MemLimit=1e+20,0,1e+20 MipNLPIterLimit=100,-1,2147483647 MipRepair=-1,-1,3
    MipStartMode=-1,-1,3 MipStartNodeLimit=-1,-1,2147483647 MipTasks=-1,-1,256
    MultiObjParamMode=0,0,1 MultiObjTimeLimit=1e+20,0,1e+20 NLPIterLimit=10000,0,2147483647
    NLPLinScale=-1,-1,1 NLPMuUpdate=-1,-1,1 NLPTol=1e-08,1e-13,0.001
    NodeCutRounds=-1,-1,2147483647 NodeLimit=-1,-1,2147483647 NonConvex=-1,-1,2
    PDLPTol=1e-06,1e-12,0.0001 PreRootHeurLevel=-1,-1,3 Presolve=-1,-1,4 QMatrixTol=5e-14,0,1e-07
    RelGap=0.0001,0,inf ReqFarkasRay=0,0,1 ReqSensitivity=0,0,1 RootCutLevel=-1,-1,3
    RootCutRounds=-1,-1,2147483647 RoundingHeurLevel=-1,-1,3 SDPMethod=-1,-1,2 Scaling=-1,-1,1
    SimplexThreads=-1,-1,128 SolTimeLimit=1e+20,0,1e+20 StrongBranching=-1,-1,3
    SubMipHeurLevel=-1,-1,3 Threads=-1,-1,128 TimeLimit=1e+20,0,1e+20 TreeCutLevel=-1,-1,3
    TuneMeasure=-1,-1,1 TuneMethod=-1,-1,1 TuneMode=-1,-1,3 TuneOutputLevel=2,0,3
    TunePermutes=0,0,2147483647 TuneTargetRelGap=0.0001,0,inf TuneTargetTime=0.01,0,inf
    TuneTimeLimit=0.0,0,1e+20 WriteDualProb=0,0,1
"""
PARAMETERS = list(parameters(_PARAMETERS))
BY_LOWER = {parameter.name.lower(): parameter for parameter in PARAMETERS}
_OF_GOALS = "MultiObjAbsTol MultiObjPriority MultiObjRelTol MultiObjWeight"
_ATTRIBUTES = """
    AffineCones BarrierIter BestBnd BestGap BestObj Bins Cols Cones Elems ExpCones FeasRelaxObj
    HasBasis HasBranchFactor HasDualFarkas HasFeasRelaxSol HasIIS HasLpSol HasMipSol HasNLObj
    HasPrimalRay HasPsdObj=HasPSDObj HasQObj HasSensitivity HasSol IISCols IISIndicators IISRows
    IISSOSs Indicators Ints IsMIP IsMinIIS LmiConstrs=LMIConstrs LpObjVal LpStatus MaxBound MaxCost
    MaxElem MaxQCost MaxQElem MaxQLElem MaxQRHS MaxRHS MemPeak MinBound MinCost MinElem MinQCost
    MinQElem MinQLElem MinQRHS MinRHS MipStatus MultiObjs NLConstrs NLElems NodeCnt ObjBound
    ObjConst ObjSense ObjVal PDLPIter PoolSols PsdCols=PSDCols PsdConstrs=PSDConstrs
    PsdElems=PSDElems QConstrs QElems Rows SimplexIter SolvingTime Soss Status SymMats TuneResults
"""
_INFORMATION = """
    BranchFactor Dual DualFarkas LB Obj PrimalRay RedCost RelaxLB RelaxUB RelaxValue SALBLow
    SALBUp SAObjLow SAObjUp SAUBLow SAUBUp Slack UB Value
"""
_CALLBACK = """
    BestBnd BestObj HasIncumbent Incumbent MipCandObj MipCandidate NodeStatus RelaxSolObj
    RelaxSolution
"""


_NUMBERS = """
    MINIMIZE=1 MAXIMIZE=-1 SOS_TYPE1=1 SOS_TYPE2=2 CONE_QUAD=1 CONE_RQUAD=2 EXPCONE_PRIMAL=3
    EXPCONE_DUAL=4 GENCONSTR_ABS=1 GENCONSTR_AND=2 GENCONSTR_MAX=3 GENCONSTR_MIN=4
    GENCONSTR_OR=5 GENCONSTR_PWL=6 INDICATOR_IF=1 INDICATOR_ONLYIF=2 INDICATOR_IFANDONLYIF=3
    BASIS_LOWER=0 BASIS_BASIC=1 BASIS_UPPER=2 BASIS_SUPERBASIC=3 BASIS_FIXED=4 UNSTARTED=0
    OPTIMAL=1 INFEASIBLE=2 UNBOUNDED=3 INF_OR_UNB=4 NUMERICAL=5 NODELIMIT=6 IMPRECISE=7
    TIMEOUT=8 UNFINISHED=9 INTERRUPTED=10 ITERLIMIT=11 LOCAL_OPTIMAL=20 LOCAL_INFEASIBLE=21
    CBCONTEXT_MIPRELAX=1 CBCONTEXT_MIPSOL=2 CBCONTEXT_MIPNODE=4 CBCONTEXT_INCUMBENT=8
    EVALTYPE_OBJVAL=1 EVALTYPE_CONSTRVAL=2 EVALTYPE_GRADIENT=4 EVALTYPE_JACOBIAN=8
    EVALTYPE_HESSIAN=16 DENSETYPE_ROWMAJOR=-1 DENSETYPE_COLMAJOR=-2
"""
_CLIENT = """
    CAFILE=CaFile CERTFILE=CertFile CERTKEYFILE=CertKeyFile CLUSTER=Cluster FLOATING=Floating
    PASSWORD=PassWord PORT=Port PRIORITY=Priority WAITTIME=WaitTime WEBSERVER=WebServer
    WEBLICENSEID=WebLicenseId WEBACESSKEY=WebAccessKey WEBTOKENDURATION=WebTokenDuration
"""


class _Names:
    """Names as attributes, each with the text that COPT takes for it."""

    def __init__(self, text: str) -> None:
        vars(self).update(spelled(text))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


def _names(title: str, text: str) -> Any:
    """An object of a class of that name with the names as its attributes."""
    return type(title, (_Names,), {})(text)


class COPT(metaclass=AnyName):
    """COPT's constants."""

    VERSION_MAJOR, VERSION_MINOR, VERSION_TECHNICAL = 8, 0, 7
    Version = version = "8.0.7"
    INFINITY, UNDEFINED = INFINITY, UNDEFINED
    LESS_EQUAL, GREATER_EQUAL, EQUAL, FREE, RANGE = "L", "G", "E", "N", "R"
    CONTINUOUS, BINARY, INTEGER = "C", "B", "I"
    Param = param = _names("ParamEnum", f"{' '.join(p.name for p in PARAMETERS)} {_OF_GOALS}")
    Attr = attr = _names("AttrEnum", _ATTRIBUTES)
    Info = info = _names("InfoEnum", _INFORMATION)
    CBInfo = CbInfo = cbinfo = _names("CBInfoEnum", _CALLBACK)


for _name, _number in numbered(_NUMBERS).items():
    setattr(COPT, _name, _number)
for _name, _value in spelled(_CLIENT).items():
    setattr(COPT, f"CLIENT_{_name}", _value)

SENSES = {COPT.LESS_EQUAL: "<", COPT.GREATER_EQUAL: ">", COPT.EQUAL: "="}
LETTERS = {"<": COPT.LESS_EQUAL, ">": COPT.GREATER_EQUAL, "=": COPT.EQUAL}


def sense_of(text: Any) -> str | None:
    """One of < > = for COPT's letter of a sense, None for a free row; ValueError for others."""
    if isinstance(text, str) and text in SENSES:
        return SENSES[text]
    if text == COPT.FREE:
        return None
    raise ValueError("Unsupported constraint sense")


def cut(value: float) -> float:
    """A bound with what lies beyond COPT's infinity brought back to it."""
    return max(-INFINITY, min(INFINITY, value))


FILE, INVALID, INTERNAL = 2, 3, 5


class CoptError(Exception):
    """An error with COPT's number and message."""

    def __init__(self, retcode: Any = 0, message: Any = "") -> None:
        super().__init__(message)
        self.retcode = retcode
        self.message = message

    def __str__(self) -> str:
        return f"{self.retcode}, {self.message}"

    __repr__ = __str__


CoptError.__module__ = "coptcore"


def invalid(message: str) -> CoptError:
    """The error of a wrong argument or of something that is not there."""
    return CoptError(INVALID, f"(INVALID) {message}")


def failed_file(message: str) -> CoptError:
    """The error of a file that cannot be read or written."""
    return CoptError(FILE, f"(FILE) {message}")


unsupported = lacking("coptpy", "COPT")


asked_service = asking(lambda error: CoptError(INTERNAL, f"(INTERNAL) {error}"))
"""Asks the solver service; CoptError where it does not take the problem."""
