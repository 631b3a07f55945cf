"""The constants of gurobipy's `GRB` and its parameters, as version 13 has them."""

from operator import attrgetter
from typing import Any

from ordojo.compat.core.parameters import AnyName, numbered, parameters

_SHOWN = """
    Cutoff=inf,-inf,inf IterationLimit=inf,0,inf NodeLimit=inf,0,inf
    SolutionLimit=2000000000,1,2000000000 TimeLimit=inf,0,inf WorkLimit=inf,0,inf
    MemLimit=inf,0,inf SoftMemLimit=inf,0,inf BestObjStop=-inf,-inf,inf BestBdStop=inf,-inf,inf
    FeasibilityTol=1e-06,1e-09,0.01 IntFeasTol=1e-05,1e-09,0.1 MarkowitzTol=0.0078125,0.0001,0.999
    MIPGap=0.0001,0,inf MIPGapAbs=1e-10,0,inf OptimalityTol=1e-06,1e-09,0.01 PSDTol=1e-06,0,inf
    Method=-1,-1,6 ConcurrentMethod=-1,-1,3 PerturbValue=0.0002,0,inf ObjScale=0.0,-1,inf
    ScaleFlag=-1,-1,3 SimplexPricing=-1,-1,3 Quad=-1,-1,1 NormAdjust=-1,-1,3 SiftMethod=-1,-1,2
    Sifting=-1,-1,2 LPWarmStart=-1,-1,2 NetworkAlg=-1,-1,1 BarIterLimit=1000,0,2000000000
    BarConvTol=1e-08,0,1 BarCorrectors=-1,-1,2000000000 BarHomogeneous=-1,-1,1 BarOrder=-1,-1,1
    BarQCPConvTol=1e-06,0,1 Crossover=-1,-1,5 CrossoverBasis=-1,-1,1 PDHGIterLimit=inf,0,inf
    PDHGRelTol=1e-06,0,inf PDHGAbsTol=1e-06,1e-09,0.01 PDHGConvTol=1e-06,0,1 PDHGGPU=0,0,1
    BranchDir=0,-1,1 DegenMoves=-1,-1,2000000000 Disconnected=-1,-1,2 FixVarsInIndicators=0,0,1
    Heuristics=0.05,0,1 IntegralityFocus=0,0,1 MinRelNodes=-1,-1,2000000000 MIPFocus=0,0,3
    NodefileStart=inf,0,inf NodefileDir=. NodeMethod=-1,-1,5 NoRelHeurTime=0.0,0,inf
    NoRelHeurWork=0.0,0,inf NoRelHeurSolutions=0,0,2000000000 OBBT=-1,-1,3
    PumpPasses=-1,-1,2000000000 RINS=-1,-1,2000000000 NLPHeur=-1,-1,3
    StartNodeLimit=-1,-3,2000000000 StartTimeLimit=inf,0,inf StartWorkLimit=inf,0,inf
    SubMIPNodes=500,0,2000000000 Symmetry=-1,-1,2 VarBranch=-1,-1,3 ZeroObjNodes=-1,-1,2000000000
    Cuts=-1,-1,3 CutPasses=-1,-1,2000000000 CliqueCuts=-1,-1,2 CoverCuts=-1,-1,2
    CutAggPasses=-1,-1,2000000000 FlowCoverCuts=-1,-1,2 FlowPathCuts=-1,-1,2
    GomoryPasses=-1,-1,2000000000 GUBCoverCuts=-1,-1,2 ImpliedCuts=-1,-1,2 ProjImpliedCuts=-1,-1,2
    DualImpliedCuts=-1,-1,2 MIPSepCuts=-1,-1,2 MIRCuts=-1,-1,2 StrongCGCuts=-1,-1,2
    NetworkCuts=-1,-1,2 SubMIPCuts=-1,-1,2 ZeroHalfCuts=-1,-1,2 ModKCuts=-1,-1,2
    InfProofCuts=-1,-1,2 RLTCuts=-1,-1,2 RelaxLiftCuts=-1,-1,2 BQPCuts=-1,-1,2 PSDCuts=-1,-1,2
    LiftProjectCuts=-1,-1,2 MixingCuts=-1,-1,2 MasterKnapsackCuts=-1,-1,2
    NLBarIterLimit=1000,0,2000000000 NLBarPFeasTol=1e-06,1e-12,0.1 NLBarDFeasTol=1e-06,1e-12,0.1
    NLBarCFeasTol=1e-08,1e-12,0.1 OptimalityTarget=-1,-1,1 CSQueueTimeout=-1.0,-1,inf
    CSPriority=0,-100,100 CSIdleTimeout=-1,-1,2000000000 CSTLSInsecure=0,0,1 TSPort=41954,0,65536
    CSAppName CSClientLog=0,0,3 Aggregate=1,0,2 AggFill=-1,-1,2000000000 PreDual=-1,-1,2
    ConcurrentMIP=1,1,64 ConcurrentJobs=0,0,2000000000 DisplayInterval=5,1,2000000000
    DistributedMIPJobs=0,0,2000000000 DualReductions=1,0,1 IISMethod=-1,-1,3 InfUnbdInfo=0,0,1
    JSONSolDetail=0,0,1 LogToConsole=1,0,1 MIQCPMethod=-1,-1,1 NonConvex=-1,-1,2
    NumericFocus=0,0,3 InheritParams=-1,-1,1 QCPDual=0,0,1 PreCrush=0,0,1 PreDepRow=-1,-1,1
    PreQLinearize=-1,-1,2 PrePasses=-1,-1,2000000000 Presolve=-1,-1,2
    PreSOS1BigM=-1.0,-1,10000000000 PreSOS2BigM=-1.0,-1,10000000000 PreSOS1Encoding=-1,-1,3
    PreSOS2Encoding=-1,-1,3 PreSparsify=-1,-1,2 PreMIQCPForm=-1,-1,2 Seed=0,0,2000000000
    SolutionTarget=-1,-1,1 Threads=0,-1,1024 LazyConstraints=0,0,1 FeasRelaxBigM=1000000.0,0,inf
    ImproveStartTime=inf,0,inf ImproveStartWork=inf,0,inf ImproveStartGap=0.0,0,inf
    ImproveStartNodes=inf,0,inf TuneTimeLimit=86400.0,0,inf TuneResults=-1,-2,2000000000
    TuneCriterion=-1,-1,3 TuneTrials=0,0,2000000000 TuneOutput=2,0,3 TuneJobs=0,0,2000000000
    TuneCleanup=0.0,0,1 TuneTargetMIPGap=0.0,0,inf TuneTargetTime=0.005,0,inf TuneMetric=-1,-1,1
    TuneDynamicJobs=0,-1,2000000000 UpdateMode=1,0,1 MultiObjMethod=-1,-1,2 MultiObjPre=-1,-1,2
    PoolSolutions=10,1,2000000000 PoolSearchMode=0,0,2 PoolGap=inf,0,inf PoolGapAbs=inf,0,inf
    IgnoreNames=0,0,1 PartitionPlace=15,0,31 FuncPieces=0,-2,200000000
    FuncPieceLength=0.01,1e-05,1000000 FuncPieceError=0.001,1e-06,1000000 FuncPieceRatio=-1.0,-1,1
    FuncMaxVal=1000000.0,0.01,inf FuncNonlinear=1,0,1 OutputFlag=1,0,1
"""
_NOT_SHOWN = """
    CSAPIAccessID CSAPISecret CSAuthToken CSBatchMode=0,0,1 CSGroup CSManager CSRouter
    CloudAccessID CloudHost CloudPool CloudSecretKey ComputeServer JobID LicenseID=0,0,2000000000
    LogFile ObjNumber=0,0,2000000000 ObjPassNumber=-1,-1,2000000000 Record=0,0,1 ResultFile
    ScenarioNumber=0,0,2000000000 ServerPassword ServerTimeout=60,1,2000000000 SolFiles
    SolutionNumber=0,0,2000000000 StartNumber=0,-1,2000000000 ThreadLimit=0,0,1024 TokenServer
    UserName WLSAccessID WLSConfig WLSProxy WLSSecret WLSToken WLSTokenDuration=0,0,2000000000
    WLSTokenRefresh=0.9,0,1 WorkerPassword WorkerPool
"""
SHOWN = [parameter.name for parameter in parameters(_SHOWN)]
"""The parameters in the order in which a model's text shows those that were changed."""
PARAMETERS = {p.name: p for p in sorted(parameters(_SHOWN + _NOT_SHOWN), key=attrgetter("name"))}
BY_LOWER = {name.lower(): parameter for name, parameter in PARAMETERS.items()}

_STATUS = """
    LOADED=1 OPTIMAL=2 INFEASIBLE=3 INF_OR_UNBD=4 UNBOUNDED=5 CUTOFF=6 ITERATION_LIMIT=7
    NODE_LIMIT=8 TIME_LIMIT=9 SOLUTION_LIMIT=10 INTERRUPTED=11 NUMERIC=12 SUBOPTIMAL=13
    INPROGRESS=14 USER_OBJ_LIMIT=15 WORK_LIMIT=16 MEM_LIMIT=17 LOCALLY_OPTIMAL=18
    LOCALLY_INFEASIBLE=19
"""
_NUMBERS = """
    SUPERBASIC=-3 NONBASIC_UPPER=-2 BARHOMOGENEOUS_AUTO=-1 BARORDER_AUTOMATIC=-1 CUTS_AUTO=-1
    MAXIMIZE=-1 METHOD_AUTO=-1 METHOD_NONE=-1 NONBASIC_LOWER=-1 PRESOLVE_AUTO=-1
    SIMPLEXPRICING_AUTO=-1 VARBRANCH_AUTO=-1 BARHOMOGENEOUS_OFF=0 BARORDER_AMD=0 BASIC=0
    CUTS_OFF=0 FEASRELAX_LINEAR=0 GENCONSTR_MAX=0 METHOD_PRIMAL=0 MIPFOCUS_BALANCED=0
    OPCODE_CONSTANT=0 PHASE_MIP_NOREL=0 PRESOLVE_OFF=0 SIMPLEXPRICING_PARTIAL=0
    VARBRANCH_PSEUDO_REDUCED=0 VERSION_MINOR=0 BARHOMOGENEOUS_ON=1 BARORDER_NESTEDDISSECTION=1
    BATCH_CREATED=1 CUTS_CONSERVATIVE=1 FEASRELAX_QUADRATIC=1 GENCONSTR_MIN=1 METHOD_DUAL=1
    MINIMIZE=1 MIPFOCUS_FEASIBILITY=1 OPCODE_VARIABLE=1 PARTITION_CLEANUP=1 PHASE_MIP_SEARCH=1
    PRESOLVE_CONSERVATIVE=1 SIMPLEXPRICING_STEEPEST_EDGE=1 SOS_TYPE1=1 VARBRANCH_PSEUDO_SHADOW=1
    BATCH_SUBMITTED=2 CUTS_AGGRESSIVE=2 FEASRELAX_CARDINALITY=2 GENCONSTR_ABS=2 METHOD_BARRIER=2
    MIPFOCUS_OPTIMALITY=2 OPCODE_PLUS=2 PARTITION_NODES=2 PHASE_MIP_IMPROVE=2
    PRESOLVE_AGGRESSIVE=2 SIMPLEXPRICING_DEVEX=2 SOS_TYPE2=2 VARBRANCH_MAX_INFEAS=2
    BATCH_ABORTED=3 CUTS_VERYAGGRESSIVE=3 GENCONSTR_AND=3 METHOD_CONCURRENT=3
    MIPFOCUS_BESTBOUND=3 OPCODE_MINUS=3 SIMPLEXPRICING_STEEPEST_QUICK=3 VARBRANCH_STRONG=3
    VERSION_TECHNICAL=3 BATCH_FAILED=4 GENCONSTR_OR=4 METHOD_DETERMINISTIC_CONCURRENT=4
    OPCODE_MULTIPLY=4 PARTITION_ROOTEND=4 BATCH_COMPLETED=5 GENCONSTR_NORM=5
    METHOD_DETERMINISTIC_CONCURRENT_SIMPLEX=5 OPCODE_DIVIDE=5 GENCONSTR_NL=6 METHOD_PDHG=6
    OPCODE_UMINUS=6 GENCONSTR_INDICATOR=7 OPCODE_SQUARE=7 GENCONSTR_PWL=8 OPCODE_SQRT=8
    PARTITION_ROOTSTART=8 GENCONSTR_POLY=9 OPCODE_SIN=9 GENCONSTR_EXP=10 OPCODE_COS=10
    GENCONSTR_EXPA=11 OPCODE_TAN=11 GENCONSTR_LOG=12 OPCODE_POW=12 GENCONSTR_LOGA=13
    OPCODE_EXP=13 VERSION_MAJOR=13 GENCONSTR_POW=14 OPCODE_LOG=14 GENCONSTR_SIN=15
    OPCODE_LOG2=15 GENCONSTR_COS=16 OPCODE_LOG10=16 PARTITION_EARLY=16 GENCONSTR_TAN=17
    OPCODE_LOGISTIC=17 GENCONSTR_LOGISTIC=18 OPCODE_TANH=18 OPCODE_SIGNPOW=19 MAX_CONCURRENT=64
    MAX_NAMELEN=255 MAX_STRLEN=512 MAX_TAGLEN=10240 DEFAULT_CS_PORT=61000 MAXINT=2000000000
"""
_ERRORS = """
    OUT_OF_MEMORY=10001 NULL_ARGUMENT=10002 INVALID_ARGUMENT=10003 UNKNOWN_ATTRIBUTE=10004
    DATA_NOT_AVAILABLE=10005 INDEX_OUT_OF_RANGE=10006 UNKNOWN_PARAMETER=10007
    VALUE_OUT_OF_RANGE=10008 NO_LICENSE=10009 SIZE_LIMIT_EXCEEDED=10010 CALLBACK=10011
    FILE_READ=10012 FILE_WRITE=10013 NUMERIC=10014 IIS_NOT_INFEASIBLE=10015 NOT_FOR_MIP=10016
    OPTIMIZATION_IN_PROGRESS=10017 DUPLICATES=10018 NODEFILE=10019 Q_NOT_PSD=10020
    QCP_EQUALITY_CONSTRAINT=10021 NETWORK=10022 JOB_REJECTED=10023 NOT_SUPPORTED=10024
    EXCEED_2B_NONZEROS=10025 INVALID_PIECEWISE_OBJ=10026 UPDATEMODE_CHANGE=10027 CLOUD=10028
    MODEL_MODIFICATION=10029 CSWORKER=10030 TUNE_MODEL_TYPES=10031 NOT_IN_MODEL=20001
    FAILED_TO_CREATE_MODEL=20002 INTERNAL=20003
"""
_CALLBACK = """
    POLLING=0 PRESOLVE=1 SIMPLEX=2 MIP=3 MIPSOL=4 MIPNODE=5 MESSAGE=6 BARRIER=7 MULTIOBJ=8 IIS=9
    PDHG=10 NLBAR=11 PRE_COLDEL=1000 PRE_ROWDEL=1001 PRE_SENCHG=1002 PRE_BNDCHG=1003
    PRE_COECHG=1004 SPX_ITRCNT=2000 SPX_OBJVAL=2001 SPX_PRIMINF=2002 SPX_DUALINF=2003
    SPX_ISPERT=2004 MIP_OBJBST=3000 MIP_OBJBND=3001 MIP_NODCNT=3002 MIP_SOLCNT=3003
    MIP_CUTCNT=3004 MIP_NODLFT=3005 MIP_ITRCNT=3006 MIP_OPENSCENARIOS=3007 MIP_PHASE=3008
    MIPSOL_SOL=4001 MIPSOL_OBJ=4002 MIPSOL_OBJBST=4003 MIPSOL_OBJBND=4004 MIPSOL_NODCNT=4005
    MIPSOL_SOLCNT=4006 MIPSOL_OPENSCENARIOS=4007 MIPSOL_PHASE=4008 MIPNODE_STATUS=5001
    MIPNODE_REL=5002 MIPNODE_OBJBST=5003 MIPNODE_OBJBND=5004 MIPNODE_NODCNT=5005
    MIPNODE_SOLCNT=5006 MIPNODE_BRVAR=5007 MIPNODE_OPENSCENARIOS=5008 MIPNODE_PHASE=5009
    MSG_STRING=6001 RUNTIME=6002 WORK=6003 MEMUSED=6004 MAXMEMUSED=6005 BARRIER_ITRCNT=7001
    BARRIER_PRIMOBJ=7002 BARRIER_DUALOBJ=7003 BARRIER_PRIMINF=7004 BARRIER_DUALINF=7005
    BARRIER_COMPL=7006 MULTIOBJ_OBJCNT=8001 MULTIOBJ_SOLCNT=8002 MULTIOBJ_SOL=8003
    MULTIOBJ_ITRCNT=8004 MULTIOBJ_OBJBST=8005 MULTIOBJ_OBJBND=8006 MULTIOBJ_STATUS=8007
    MULTIOBJ_MIPGAP=8008 MULTIOBJ_NODCNT=8009 MULTIOBJ_NODLFT=8010 MULTIOBJ_RUNTIME=8011
    MULTIOBJ_WORK=8012 IIS_CONSTRMIN=9001 IIS_CONSTRMAX=9002 IIS_CONSTRGUESS=9003
    IIS_BOUNDMIN=9004 IIS_BOUNDMAX=9005 IIS_BOUNDGUESS=9006 PDHG_ITRCNT=10001 PDHG_PRIMOBJ=10002
    PDHG_DUALOBJ=10003 PDHG_PRIMINF=10004 PDHG_DUALINF=10005 PDHG_COMPL=10006 NLBAR_ITRCNT=11001
    NLBAR_PRIMOBJ=11002 NLBAR_PRIMINF=11003 NLBAR_DUALINF=11004 NLBAR_COMPL=11005
"""
_ATTRIBUTES = """
    BarIterCount BarPi BarStatus BarX BatchErrorCode BatchErrorMessage BatchID BatchStatus
    BoundSVio BoundSVioIndex BoundSVioSum BoundVio BoundVioIndex BoundVioSum BranchPriority
    CBasis CTag ComplVio ComplVioIndex ComplVioSum ConcurrentWinMethod ConstrName ConstrResidual
    ConstrResidualIndex ConstrResidualSum ConstrSResidual ConstrSResidualIndex
    ConstrSResidualSum ConstrSVio ConstrSVioIndex ConstrSVioSum ConstrVio ConstrVioIndex
    ConstrVioSum DNumNZs DStart DualResidual DualResidualIndex DualResidualSum DualSResidual
    DualSResidualIndex DualSResidualSum DualSVio DualSVioIndex DualSVioSum DualVio DualVioIndex
    DualVioSum FarkasDual FarkasProof Fingerprint FuncNonlinear FuncPieceError FuncPieceLength
    FuncPieceRatio FuncPieces GenConstrName GenConstrType IISConstr IISConstrForce IISGenConstr
    IISGenConstrForce IISLB IISLBForce IISMinimal IISQConstr IISQConstrForce IISSOS IISSOSForce
    IISUB IISUBForce IntVio IntVioIndex IntVioSum IsMIP IsMultiObj IsQCP IsQP IterCount Kappa
    KappaExact LB Lazy LicenseExpiration MIPGap MaxBound MaxCoeff MaxMemUsed MaxObjCoeff
    MaxQCCoeff MaxQCLCoeff MaxQCRHS MaxQObjCoeff MaxRHS MaxVio MemUsed MinBound MinCoeff
    MinObjCoeff MinQCCoeff MinQCLCoeff MinQCRHS MinQObjCoeff MinRHS ModelName ModelSense
    NLBarIterCount NodeCount NumBinVars NumConstrs NumGenConstrs NumIntVars NumNZs NumObj
    NumObjPasses NumPWLObjVars NumQCNZs NumQConstrs NumQNZs NumSOS NumScenarios NumStart NumVars
    Obj ObjBound ObjBoundC ObjCon ObjN ObjNAbsTol ObjNCon ObjNName ObjNPass ObjNPriority
    ObjNRelTol ObjNVal ObjNWeight ObjPassNIterCount ObjPassNMIPGap ObjPassNNodeCount
    ObjPassNObjBound ObjPassNObjVal ObjPassNOpenNodeCount ObjPassNRuntime ObjPassNStatus
    ObjPassNWork ObjVal PDHGIterCount PStart PWLObjCvx Partition Pi PoolIgnore PoolNBoundVio
    PoolNBoundVioIndex PoolNBoundVioSum PoolNConstrVio PoolNConstrVioIndex PoolNConstrVioSum
    PoolNIntVio PoolNIntVioIndex PoolNIntVioSum PoolNMaxVio PoolNObjVal PoolNX PoolObjBound
    PoolObjVal PreFixVal QCName QCPi QCRHS QCSense QCSlack QCTag RC RHS Runtime SALBLow SALBUp
    SAObjLow SAObjUp SARHSLow SARHSUp SAUBLow SAUBUp ScenNLB ScenNName ScenNObj ScenNObjBound
    ScenNObjVal ScenNRHS ScenNUB ScenNX Sense Slack SolCount Start Status TuneResultCount UB
    UnbdRay VBasis VTag VType VarHintPri VarHintVal VarName VarPreStat Work X Xn
"""


class _Constants:
    """Named constants that cannot be changed."""

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self._what} are not modifiable")

    _what = "Gurobi constants"


def _constants(title: str, what: str, values: dict[str, Any]) -> Any:
    """An object of a class of that name with the constants as its attributes."""
    return type(title, (_Constants,), {**values, "_what": what, "__doc__": what})()


STATUS = numbered(_STATUS)
ERROR = numbered(_ERRORS)
ATTRIBUTES = tuple(_ATTRIBUTES.split())


class GRB(metaclass=AnyName):
    """All constants; also by group, as in `GRB.Status.OPTIMAL` and `GRB.Attr.X`."""

    attr = Attr = _constants(
        "AttrConstClass", "Gurobi attribute names", {name: name for name in ATTRIBUTES}
    )
    param = Param = _constants(
        "ParamConstClass", "Gurobi parameter names", {name: name for name in PARAMETERS}
    )
    status = Status = _constants("StatusConstClass", "Gurobi status constants", STATUS)
    error = Error = _constants("ErrorConstClass", "Gurobi error code constants", ERROR)
    callback = Callback = _constants(
        "CallbackConstClass", "Gurobi callback constants", numbered(_CALLBACK)
    )
    LESS_EQUAL, GREATER_EQUAL, EQUAL = "<", ">", "="
    CONTINUOUS, BINARY, INTEGER, SEMICONT, SEMIINT = "C", "B", "I", "S", "N"
    INFINITY, UNDEFINED = 1e100, 1e101
    ERROR_SECURITY = 10032


for _name, _value in {**STATUS, **numbered(_NUMBERS)}.items():
    setattr(GRB, _name, _value)
for _name, _value in ERROR.items():
    setattr(GRB, f"ERROR_{_name}", _value)
