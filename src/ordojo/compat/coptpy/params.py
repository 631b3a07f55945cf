"""COPT's parameters: accepted in any case, clipped like COPT's, mapped or named as ignored."""

from typing import Any

from ordojo.compat.core.params import Kept, Parameter, numeric
from ordojo.solvers.problem import Settings

_WHOLE = """
    BarHomogeneous=-1,-1,1 BarIterLimit=500,0,2147483647 BarOrder=-1,-1,2 BarStart=-1,-1,2
    BarThreads=-1,-1,128 ConcurrentLpMode=-1,-1,3 ConflictAnalysis=-1,-1,1 Crossover=1,-1,1
    CrossoverThreads=-1,-1,128 CutLevel=-1,-1,3 DivingHeurLevel=-1,-1,3 DualPerturb=-1,-1,1
    DualPrice=-1,-1,1 Dualize=-1,-1,1 FAPHeurLevel=-1,-1,4 FeasRelaxMode=0,0,5
    GPUDevice=-1,-1,2147483647 GPUMode=-1,-1,2 HeurLevel=-1,-1,3 IISMethod=-1,-1,1
    LazyConstraints=-1,-1,1 LinearizeIndicators=0,0,1 LinearizeSos=0,0,1 LogLevel=2,2,3
    LogToConsole=1,0,1 Logging=1,0,1 LpMethod=-1,-1,6 MipNLPIterLimit=100,-1,2147483647
    MipRepair=-1,-1,3 MipStartMode=-1,-1,3 MipStartNodeLimit=-1,-1,2147483647 MipTasks=-1,-1,256
    MultiObjParamMode=0,0,1 NLPIterLimit=10000,0,2147483647 NLPLinScale=-1,-1,1
    NLPMuUpdate=-1,-1,1 NodeCutRounds=-1,-1,2147483647 NodeLimit=-1,-1,2147483647
    NonConvex=-1,-1,2 PreRootHeurLevel=-1,-1,3 Presolve=-1,-1,4 ReqFarkasRay=0,0,1
    ReqSensitivity=0,0,1 RootCutLevel=-1,-1,3 RootCutRounds=-1,-1,2147483647
    RoundingHeurLevel=-1,-1,3 SDPMethod=-1,-1,2 Scaling=-1,-1,1 SimplexThreads=-1,-1,128
    StrongBranching=-1,-1,3 SubMipHeurLevel=-1,-1,3 Threads=-1,-1,128 TreeCutLevel=-1,-1,3
    TuneMeasure=-1,-1,1 TuneMethod=-1,-1,1 TuneMode=-1,-1,3 TuneOutputLevel=2,0,3
    TunePermutes=0,0,2147483647 WriteDualProb=0,0,1
"""
_REAL = """
    AbsGap=1e-06,0,inf DualTol=1e-06,1e-09,0.0001 FeasTol=1e-06,1e-09,0.0001
    IntTol=1e-06,1e-09,0.1 MatrixTol=1e-10,0,1e-07 MemLimit=1e+20,0,1e+20
    MultiObjTimeLimit=1e+20,0,1e+20 NLPTol=1e-08,1e-13,0.001 PDLPTol=1e-06,1e-12,0.0001
    QMatrixTol=5e-14,0,1e-07 RelGap=0.0001,0,inf SolTimeLimit=1e+20,0,1e+20
    TimeLimit=1e+20,0,1e+20 TuneTargetRelGap=0.0001,0,inf TuneTargetTime=0.01,0,inf
    TuneTimeLimit=0,0,1e+20
"""
HONOURED = frozenset(
    {
        *("TimeLimit", "RelGap", "AbsGap", "FeasTol", "IntTol", "NodeLimit", "Presolve"),
        *("Logging", "LogToConsole"),
    }
)
IGNORED: set[str] = set()
"""Names of the parameters that programs of this process have set without effect."""


BY_LOWER = {p.name.lower(): p for p in (*numeric(int, _WHOLE), *numeric(float, _REAL))}


class Values(Kept):
    """The values of one model's parameters."""

    by_lower, honoured, ignored = BY_LOWER, HONOURED, IGNORED

    def set(self, name: Any, value: Any) -> tuple[str, float]:
        """Set a parameter, brought into its range; its own spelling and the value it has now."""
        parameter = find(name)
        new: Any = parameter.kind(value)
        new = parameter.kind(max(parameter.low, min(parameter.high, new)))
        self._keep(parameter, new)
        return parameter.name, new

    def info(self, name: Any) -> tuple[Any, ...]:
        """Name, value, default, least and greatest value."""
        found = find(name)
        kind = found.kind
        return (found.name, self[found.name], found.default, kind(found.low), kind(found.high))

    def settings(self, relaxed: bool, lazy: bool) -> Settings:
        """What of the parameters the solver service is told."""
        changed = self.changed
        nodes = changed.get("NodeLimit", -1)
        return Settings(
            time_limit=changed.get("TimeLimit"),
            mip_gap=changed.get("RelGap"),
            mip_gap_abs=changed.get("AbsGap"),
            feasibility_tol=changed.get("FeasTol"),
            integrality_tol=changed.get("IntTol"),
            node_limit=None if nodes < 0 else float(nodes),
            presolve=changed.get("Presolve") != 0,
            relaxed=relaxed,
            lazy=lazy,
            ignored=self._unheeded(),
        )


def find(name: Any) -> Parameter:
    """The parameter of that name, in any case; AttributeError where there is none."""
    parameter = BY_LOWER.get(str(name).lower())
    if parameter is None:
        raise AttributeError(f"Invalid parameter name '{name}'")
    return parameter


class ParamSetting:
    """`Model.Param`: the parameters as attributes."""

    __slots__ = ("_model",)
    _model: Any

    def __init__(self, model: Any) -> None:
        object.__setattr__(self, "_model", model)

    def __getattr__(self, name: str) -> Any:
        return self._model.getParam(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._model.setParam(name, value)

    def __repr__(self) -> str:
        return "<coptpy.ParamSetting>"
