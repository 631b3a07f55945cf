"""COPT's parameters, and the values of one model."""

from typing import Any

from ordojo.compat.coptpy.constants import BY_LOWER
from ordojo.compat.core.handles import ByName
from ordojo.compat.core.parameters import ParameterValues, SolverParameter
from ordojo.solvers.problem import Settings

TOLD = {
    "time_limit": "TimeLimit",
    "mip_gap": "RelGap",
    "mip_gap_abs": "AbsGap",
    "feasibility_tol": "FeasTol",
    "integrality_tol": "IntTol",
    "node_limit": "NodeLimit",
}
HONOURED = frozenset({*TOLD.values(), "Presolve", "Logging", "LogToConsole"})
IGNORED: set[str] = set()
"""Names of the parameters that programs of this process have set without effect."""


class Values(ParameterValues):
    """The values of one model's parameters."""

    by_lower, told, honoured, ignored = BY_LOWER, TOLD, HONOURED, IGNORED

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
        presolve = self["Presolve"] != 0
        return self._told(presolve=presolve, relaxed=relaxed, lazy=lazy)


def find(name: Any) -> SolverParameter:
    """The parameter of that name, in any case; AttributeError where there is none."""
    parameter = BY_LOWER.get(str(name).lower())
    if parameter is None:
        raise AttributeError(f"Invalid parameter name '{name}'")
    return parameter


class ParamSetting(ByName):
    """`Model.Param`: the parameters as attributes."""

    __slots__ = ("_model",)

    def __init__(self, model: Any) -> None:
        self._model = model

    def _read(self, name: str) -> Any:
        return self._model.getParam(name)

    def _write(self, name: str, value: Any) -> None:
        self._model.setParam(name, value)

    def __repr__(self) -> str:
        return "<coptpy.ParamSetting>"
