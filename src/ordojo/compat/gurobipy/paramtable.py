"""Gurobi's parameters: name, default, least and greatest value, as version 13 has them."""

from ordojo.compat.core.params import Parameter, numeric

_WHOLE = """
    AggFill=-1,-1,2000000000 Aggregate=1,0,2 BQPCuts=-1,-1,2 BarCorrectors=-1,-1,2000000000
    BarHomogeneous=-1,-1,1 BarIterLimit=1000,0,2000000000 BarOrder=-1,-1,1 BranchDir=0,-1,1
    CSBatchMode=0,0,1 CSClientLog=0,0,3 CSIdleTimeout=-1,-1,2000000000 CSPriority=0,-100,100
    CSTLSInsecure=0,0,1 CliqueCuts=-1,-1,2 ConcurrentJobs=0,0,2000000000 ConcurrentMIP=1,1,64
    ConcurrentMethod=-1,-1,3 CoverCuts=-1,-1,2 Crossover=-1,-1,5 CrossoverBasis=-1,-1,1
    CutAggPasses=-1,-1,2000000000 CutPasses=-1,-1,2000000000 Cuts=-1,-1,3
    DegenMoves=-1,-1,2000000000 Disconnected=-1,-1,2 DisplayInterval=5,1,2000000000
    DistributedMIPJobs=0,0,2000000000 DualImpliedCuts=-1,-1,2 DualReductions=1,0,1
    FixVarsInIndicators=0,0,1 FlowCoverCuts=-1,-1,2 FlowPathCuts=-1,-1,2 FuncNonlinear=1,0,1
    FuncPieces=0,-2,200000000 GUBCoverCuts=-1,-1,2 GomoryPasses=-1,-1,2000000000
    IISMethod=-1,-1,3 IgnoreNames=0,0,1 ImpliedCuts=-1,-1,2 InfProofCuts=-1,-1,2
    InfUnbdInfo=0,0,1 InheritParams=-1,-1,1 IntegralityFocus=0,0,1 JSONSolDetail=0,0,1
    LPWarmStart=-1,-1,2 LazyConstraints=0,0,1 LicenseID=0,0,2000000000 LiftProjectCuts=-1,-1,2
    LogToConsole=1,0,1 MIPFocus=0,0,3 MIPSepCuts=-1,-1,2 MIQCPMethod=-1,-1,1 MIRCuts=-1,-1,2
    MasterKnapsackCuts=-1,-1,2 Method=-1,-1,6 MinRelNodes=-1,-1,2000000000 MixingCuts=-1,-1,2
    ModKCuts=-1,-1,2 MultiObjMethod=-1,-1,2 MultiObjPre=-1,-1,2 NLBarIterLimit=1000,0,2000000000
    NLPHeur=-1,-1,3 NetworkAlg=-1,-1,1 NetworkCuts=-1,-1,2 NoRelHeurSolutions=0,0,2000000000
    NodeMethod=-1,-1,5 NonConvex=-1,-1,2 NormAdjust=-1,-1,3 NumericFocus=0,0,3 OBBT=-1,-1,3
    ObjNumber=0,0,2000000000 ObjPassNumber=-1,-1,2000000000 OptimalityTarget=-1,-1,1
    OutputFlag=1,0,1 PDHGGPU=0,0,1 PSDCuts=-1,-1,2 PartitionPlace=15,0,31 PoolSearchMode=0,0,2
    PoolSolutions=10,1,2000000000 PreCrush=0,0,1 PreDepRow=-1,-1,1 PreDual=-1,-1,2
    PreMIQCPForm=-1,-1,2 PrePasses=-1,-1,2000000000 PreQLinearize=-1,-1,2
    PreSOS1Encoding=-1,-1,3 PreSOS2Encoding=-1,-1,3 PreSparsify=-1,-1,2 Presolve=-1,-1,2
    ProjImpliedCuts=-1,-1,2 PumpPasses=-1,-1,2000000000 QCPDual=0,0,1 Quad=-1,-1,1
    RINS=-1,-1,2000000000 RLTCuts=-1,-1,2 Record=0,0,1 RelaxLiftCuts=-1,-1,2 ScaleFlag=-1,-1,3
    ScenarioNumber=0,0,2000000000 Seed=0,0,2000000000 ServerTimeout=60,1,2000000000
    SiftMethod=-1,-1,2 Sifting=-1,-1,2 SimplexPricing=-1,-1,3
    SolutionLimit=2000000000,1,2000000000 SolutionNumber=0,0,2000000000 SolutionTarget=-1,-1,1
    StartNodeLimit=-1,-3,2000000000 StartNumber=0,-1,2000000000 StrongCGCuts=-1,-1,2
    SubMIPCuts=-1,-1,2 SubMIPNodes=500,0,2000000000 Symmetry=-1,-1,2 TSPort=41954,0,65536
    ThreadLimit=0,0,1024 Threads=0,-1,1024 TuneCriterion=-1,-1,3 TuneDynamicJobs=0,-1,2000000000
    TuneJobs=0,0,2000000000 TuneMetric=-1,-1,1 TuneOutput=2,0,3 TuneResults=-1,-2,2000000000
    TuneTrials=0,0,2000000000 UpdateMode=1,0,1 VarBranch=-1,-1,3 WLSTokenDuration=0,0,2000000000
    ZeroHalfCuts=-1,-1,2 ZeroObjNodes=-1,-1,2000000000
"""
_REAL = """
    BarConvTol=1e-08,0,1 BarQCPConvTol=1e-06,0,1 BestBdStop=inf,-inf,inf
    BestObjStop=-inf,-inf,inf CSQueueTimeout=-1,-1,inf Cutoff=inf,-inf,inf
    FeasRelaxBigM=1000000,0,inf FeasibilityTol=1e-06,1e-09,0.01 FuncMaxVal=1000000,0.01,inf
    FuncPieceError=0.001,1e-06,1000000 FuncPieceLength=0.01,1e-05,1000000 FuncPieceRatio=-1,-1,1
    Heuristics=0.05,0,1 ImproveStartGap=0,0,inf ImproveStartNodes=inf,0,inf
    ImproveStartTime=inf,0,inf ImproveStartWork=inf,0,inf IntFeasTol=1e-05,1e-09,0.1
    IterationLimit=inf,0,inf MIPGap=0.0001,0,inf MIPGapAbs=1e-10,0,inf
    MarkowitzTol=0.0078125,0.0001,0.999 MemLimit=inf,0,inf NLBarCFeasTol=1e-08,1e-12,0.1
    NLBarDFeasTol=1e-06,1e-12,0.1 NLBarPFeasTol=1e-06,1e-12,0.1 NoRelHeurTime=0,0,inf
    NoRelHeurWork=0,0,inf NodeLimit=inf,0,inf NodefileStart=inf,0,inf ObjScale=0,-1,inf
    OptimalityTol=1e-06,1e-09,0.01 PDHGAbsTol=1e-06,1e-09,0.01 PDHGConvTol=1e-06,0,1
    PDHGIterLimit=inf,0,inf PDHGRelTol=1e-06,0,inf PSDTol=1e-06,0,inf PerturbValue=0.0002,0,inf
    PoolGap=inf,0,inf PoolGapAbs=inf,0,inf PreSOS1BigM=-1,-1,10000000000
    PreSOS2BigM=-1,-1,10000000000 SoftMemLimit=inf,0,inf StartTimeLimit=inf,0,inf
    StartWorkLimit=inf,0,inf TimeLimit=inf,0,inf TuneCleanup=0,0,1 TuneTargetMIPGap=0,0,inf
    TuneTargetTime=0.005,0,inf TuneTimeLimit=86400,0,inf WLSTokenRefresh=0.9,0,1
    WorkLimit=inf,0,inf
"""
_TEXT = """
    CSAPIAccessID CSAPISecret CSAppName CSAuthToken CSGroup CSManager CSRouter CloudAccessID
    CloudHost CloudPool CloudSecretKey ComputeServer JobID LogFile NodefileDir=. ResultFile
    ServerPassword SolFiles TokenServer UserName WLSAccessID WLSConfig WLSProxy WLSSecret
    WLSToken WorkerPassword WorkerPool
"""


def _table() -> dict[str, Parameter]:
    found = {p.name: p for p in (*numeric(int, _WHOLE), *numeric(float, _REAL))}
    for word in _TEXT.split():
        name, _, value = word.partition("=")
        found[name] = Parameter(name, str, value)
    return dict(sorted(found.items()))


PARAMETERS = _table()
BY_LOWER = {name.lower(): parameter for name, parameter in PARAMETERS.items()}
