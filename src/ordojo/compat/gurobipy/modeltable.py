"""What each of Gurobi's attributes of a model is read from and how it is set."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.compat.core.parts import QuadraticPart
from ordojo.compat.gurobipy import figures, results, sensitivity, solving
from ordojo.compat.gurobipy.attrtable import TABLES
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import UnavailableError, unsupported
from ordojo.compat.gurobipy.objective import goal_at, sense_of


@dataclass(frozen=True, slots=True)
class ModelAttribute:
    """How a model's attribute is read from its state, set there, and which type it takes."""

    name: str
    get: Callable[[Any], Any]
    set: Callable[[Any, Any], None] | None = None
    takes: str = "double"


def _solved(get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A figure that only a solve gives."""

    def guarded(state: Any) -> Any:
        if state.result is None:
            raise UnavailableError
        return get(state)

    return guarded


def _of_goal(field: str, takes: str) -> ModelAttribute:
    """An attribute of the objective that ObjNumber asks for."""
    names = {
        "name": "ObjNName",
        "priority": "ObjNPriority",
        "weight": "ObjNWeight",
        "abs_tol": "ObjNAbsTol",
        "rel_tol": "ObjNRelTol",
        "constant": "ObjNCon",
    }

    def get(state: Any) -> Any:
        number = state.params["ObjNumber"]
        if number and number not in state.goals:
            raise AttributeError(
                "Value of parameter ObjNumber is larger than the number of objectives"
            )
        return getattr(state.goals[number] if number else state.goal, field)

    def put(state: Any, value: Any) -> None:
        number = state.params["ObjNumber"]
        setattr(goal_at(state, number) if number else state.goal, field, value)

    return ModelAttribute(names[field], get, put, takes)


def _set_objectives(state: Any, count: int) -> None:
    goal_at(state, count - 1) if count > 1 else state.goals.clear()
    for number in [n for n in state.goals if n >= count]:
        del state.goals[number]


def _set(field: str) -> Callable[[Any, Any], None]:
    def put(state: Any, value: Any) -> None:
        setattr(state, field, value)

    return put


def _set_sense(state: Any, value: int) -> None:
    state.maximize = sense_of(value)


def _set_constant(state: Any, value: float) -> None:
    state.goal.constant = value


def _products(state: Any) -> int:
    _, a, b = state.goal.products or ([], [], [])
    return len({tuple(sorted((x._col, y._col))) for x, y in zip(a, b, strict=True)})


def _kinds(state: Any, codes: tuple[int, ...]) -> int:
    return sum(state.kinds[: state.cols_live].count(code) for code in codes)


def _ones(state: Any) -> int:
    """Binary variables, integer ones within 0 and 1 among them."""
    return sum(
        kind == 2 or (kind == 1 and low == 0.0 and up == 1.0)
        for kind, low, up in zip(state.kinds, state.lower, state.upper, strict=True)
    )


def _is_mip(state: Any) -> int:
    return int(
        _kinds(state, (1, 2, 3, 4)) > 0
        or bool(state.parts.get("general") or state.parts.get("sos"))
    )


def _has_quadratic(state: Any) -> bool:
    return any(isinstance(p, QuadraticPart) for p in state.family("quadratic"))


def _range(which: str, best: Callable[..., Any]) -> Callable[[Any], float]:
    def get(state: Any) -> float:
        values = np.abs(state.view(which))
        values = values[(values > 0) & (values < 1e20)]
        return float(best(values)) if len(values) else 0.0

    return get


def _violation(name: str) -> Callable[[Any], float]:
    return lambda state: results.violations(state)[name]


def _lacking(name: str) -> ModelAttribute:
    def get(state: Any) -> Any:
        if state.result is None:
            raise UnavailableError
        raise unsupported(f"attribute {name}")

    return ModelAttribute(name, get)


def _iis_minimal(state: Any) -> int:
    if state.iis is None:
        raise UnavailableError
    return int(state.iis_minimal)


def _start_count(state: Any) -> int:
    return int(bool(state.extra.get("Start")))


def _refuse_scenarios(state: Any, value: int) -> None:
    if value:
        raise unsupported("a model of several scenarios")


_ATTRIBUTES = [
    ModelAttribute("ModelName", lambda s: s.name, _set("name"), "string"),
    ModelAttribute("ModelSense", lambda s: -1 if s.maximize else 1, _set_sense, "integer"),
    ModelAttribute("ObjCon", lambda s: s.goal.constant, _set_constant),
    ModelAttribute("Status", lambda s: s.ended if s.ended is not None else GRB.LOADED),
    ModelAttribute("ObjVal", figures.objective),
    ModelAttribute("ObjBound", figures.bound),
    ModelAttribute("ObjBoundC", figures.bound),
    ModelAttribute("MIPGap", figures.gap),
    ModelAttribute("Runtime", lambda s: s.result.seconds if s.result else 0.0),
    ModelAttribute("Work", lambda s: s.result.seconds if s.result else 0.0),
    ModelAttribute("SolCount", solving.solution_count),
    ModelAttribute("NodeCount", _solved(lambda s: float(s.result.nodes))),
    ModelAttribute("OpenNodeCount", _solved(lambda s: 0.0)),
    ModelAttribute("IterCount", _solved(lambda s: float(s.result.iterations))),
    ModelAttribute("BarIterCount", _solved(lambda s: 0)),
    ModelAttribute("NumVars", lambda s: s.cols_live),
    ModelAttribute("NumConstrs", lambda s: s.rows_live),
    ModelAttribute("NumNZs", lambda s: s.starts[s.rows_live]),
    ModelAttribute("DNumNZs", lambda s: float(s.starts[s.rows_live])),
    ModelAttribute("NumQConstrs", lambda s: len(s.family("quadratic"))),
    ModelAttribute("NumGenConstrs", lambda s: len(s.family("general"))),
    ModelAttribute("NumSOS", lambda s: len(s.family("sos"))),
    ModelAttribute("NumIntVars", lambda s: _kinds(s, (1, 2, 4))),
    ModelAttribute("NumBinVars", _ones),
    ModelAttribute("NumQNZs", _products),
    ModelAttribute("NumQCNZs", lambda s: sum(len(p.products[0]) for p in s.family("quadratic"))),
    ModelAttribute("NumPWLObjVars", lambda s: len(s.extra.get("PWLObj", ()))),
    ModelAttribute("NumObj", lambda s: 1 + len(s.goals), _set_objectives, "integer"),
    ModelAttribute("NumStart", _start_count, lambda s, value: None, "integer"),
    ModelAttribute("NumScenarios", lambda s: 0, _refuse_scenarios, "integer"),
    ModelAttribute("IsMIP", _is_mip),
    ModelAttribute("IsQP", lambda s: int(bool(s.goal.products) and not _has_quadratic(s))),
    ModelAttribute("IsQCP", lambda s: int(_has_quadratic(s))),
    ModelAttribute("IsMultiObj", lambda s: int(bool(s.goals or s.several))),
    ModelAttribute("IISMinimal", _iis_minimal),
    ModelAttribute("FarkasProof", sensitivity.farkas_proof),
    ModelAttribute("PoolObjVal", figures.pool_objective),
    ModelAttribute("PoolNObjVal", figures.pool_objective),
    ModelAttribute("PoolObjBound", figures.pool_bound),
    ModelAttribute("ObjNVal", figures.goal_value),
    ModelAttribute("MaxCoeff", _range("value", np.max)),
    ModelAttribute("MinCoeff", _range("value", np.min)),
    ModelAttribute("MaxObjCoeff", _range("cost", np.max)),
    ModelAttribute("MinObjCoeff", _range("cost", np.min)),
    ModelAttribute("MaxRHS", _range("rhs", np.max)),
    ModelAttribute("MinRHS", _range("rhs", np.min)),
    ModelAttribute("MaxBound", _range("upper", np.max)),
    ModelAttribute("MinBound", _range("upper", np.min)),
    ModelAttribute("ConcurrentWinMethod", _solved(lambda s: -1)),
    ModelAttribute("MemUsed", lambda s: 0.0),
    ModelAttribute("MaxMemUsed", lambda s: 0.0),
    *(
        ModelAttribute(name, _violation(name))
        for name in (
            *("BoundVio", "BoundVioSum", "ConstrVio", "ConstrVioSum"),
            *("IntVio", "IntVioSum", "MaxVio"),
        )
    ),
    *(
        _of_goal(field, takes)
        for field, takes in (
            ("name", "string"),
            ("priority", "integer"),
            ("weight", "double"),
            ("abs_tol", "double"),
            ("rel_tol", "double"),
            ("constant", "double"),
        )
    ),
]
MODEL = {attribute.name.lower(): attribute for attribute in _ATTRIBUTES}
for _name in GRB.Attr.__class__.__dict__:
    _known = _name.lower() in MODEL or any(_name.lower() in t for t in TABLES.values())
    if not _name.startswith("_") and not _known:
        MODEL[_name.lower()] = _lacking(_name)
