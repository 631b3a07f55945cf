"""gurobipy's Model, its attributes, and what it prints."""

import fnmatch
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ordojo.compat.core.shared import add_methods, extreme_of, methods, refusing
from ordojo.compat.core.store import QuadraticPart
from ordojo.compat.gurobipy import building, files, handles, matrix, querying, solving
from ordojo.compat.gurobipy.building import goal_at, maximizes, objective_values
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, UnavailableError, failure, known, unsupported
from ordojo.compat.gurobipy.expressions import tupledict
from ordojo.compat.gurobipy.files import lp_lines
from ordojo.compat.gurobipy.handles import TABLES, Attribute, Handle, converted, single
from ordojo.compat.gurobipy.matrix import MHandles
from ordojo.compat.gurobipy.params import Env, ParamClass, ParameterMethods, values_of
from ordojo.compat.gurobipy.solving import State


def objective(state: Any) -> float:
    """The objective of the solution, or what stands for it."""
    result = known(state.result)
    if state.x is None:
        return _without_solution(state)
    if state.goals or state.several:
        return objective_values(state)[0]
    return float(known(result.objective))


def _without_solution(state: Any) -> float:
    """What a solve that a limit has stopped shows where it has no solution.

    For an unbounded MIP it is Gurobi's large number, as Gurobi has it where its presolve finds
    the ray; elsewhere Gurobi shows some point's objective there.
    """
    limited = (GRB.TIME_LIMIT, GRB.NODE_LIMIT, GRB.INTERRUPTED, GRB.CUTOFF)
    if state.ended == GRB.TIME_LIMIT or (state.is_mip and state.ended in limited):
        return -float("inf") if state.maximize else float("inf")
    if state.is_mip and state.ended == GRB.UNBOUNDED:
        return 1e30 if state.maximize else -1e30
    raise UnavailableError


def bound(state: Any) -> float:
    """The bound on the objective."""
    if state.result is None or state.goals:
        raise UnavailableError
    if state.is_mip and state.ended == GRB.INFEASIBLE:
        return -float("inf") if state.maximize else float("inf")
    if state.ended in (GRB.INFEASIBLE, GRB.INF_OR_UNBD, GRB.UNBOUNDED):
        raise UnavailableError
    bound = state.result.bound
    if bound is None:
        if not state.is_mip and state.x is not None:
            return objective(state)
        return float("inf") if state.maximize else -float("inf")
    return float(bound)


def gap(state: Any) -> float:
    """The gap of a MIP."""
    if state.result is None or state.goals or not state.is_mip:
        raise UnavailableError
    if state.ended == GRB.UNBOUNDED:
        raise UnavailableError
    return solving.gap(state)


def pool_bound(state: Any) -> float:
    """A bound on the solutions that are not in the pool."""
    whole = state.ended == GRB.OPTIMAL and state.is_mip and state.params["PoolSearchMode"] == 2
    if not whole or not state.result.pool:
        return bound(state)
    if len(state.result.pool) < state.params["PoolSolutions"]:
        return -float("inf") if state.maximize else float("inf")
    return float(state.result.pool[-1][0])


def pool_objective(state: Any) -> float:
    """The objective of the solution that SolutionNumber asks for."""
    if state.x is None or not state.is_mip:
        raise AttributeError("No solution available")
    return float(known(handles.solution(state, state.params["SolutionNumber"]))[0])


def goal_value(state: Any) -> float:
    """The value of the objective that ObjNumber asks for."""
    if state.x is None:
        raise AttributeError("No solution available")
    values = objective_values(state)
    number = int(state.params["ObjNumber"])
    if number >= len(values):
        raise AttributeError("Value of parameter ObjNumber is larger than the number of objectives")
    return values[number]


def _solved(get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A figure that only a solve gives."""

    def guarded(state: Any) -> Any:
        known(state.result)
        return get(state)

    return guarded


def _of_goal(attribute: str, field: str, takes: str) -> Attribute:
    """An attribute of the objective that ObjNumber asks for."""

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

    return Attribute(attribute, get, put, takes)


def _set_objectives(state: Any, count: int) -> None:
    goal_at(state, count - 1) if count > 1 else state.goals.clear()
    for number in [n for n in state.goals if n >= count]:
        del state.goals[number]


def _set(field: str) -> Callable[[Any, Any], None]:
    def put(state: Any, value: Any) -> None:
        setattr(state, field, value)

    return put


def _set_sense(state: Any, value: int) -> None:
    state.maximize = maximizes(value)


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
    return lambda state: extreme_of(state, which, best)


def _violation(name: str) -> Callable[[Any], float]:
    def get(state: Any) -> float:
        if name.startswith("Int") and not state.is_mip:
            raise UnavailableError
        return handles.violations(state)[name]

    return get


def _lacking(name: str) -> Attribute:
    def get(state: Any) -> Any:
        raise unsupported(f"attribute {name}")

    return Attribute(name, _solved(get))


def _iis_minimal(state: Any) -> int:
    known(state.iis)
    return int(state.iis_minimal)


def _start_count(state: Any) -> int:
    return int(bool(state.extra.get("Start")))


def _refuse_scenarios(state: Any, value: int) -> None:
    if value:
        raise unsupported("a model of several scenarios", "solve one model for each scenario")


_ATTRIBUTES = [
    Attribute("ModelName", lambda s: s.name, _set("name"), "string"),
    Attribute("ModelSense", lambda s: -1 if s.maximize else 1, _set_sense, "integer"),
    Attribute("ObjCon", lambda s: s.goal.constant, _set_constant),
    Attribute("Status", lambda s: s.ended if s.ended is not None else GRB.LOADED),
    Attribute("ObjVal", objective),
    Attribute("ObjBound", bound),
    Attribute("ObjBoundC", bound),
    Attribute("MIPGap", gap),
    Attribute("Runtime", lambda s: s.result.seconds if s.result else 0.0),
    Attribute("Work", lambda s: s.result.seconds if s.result else 0.0),
    Attribute("SolCount", solving.solution_count),
    Attribute("NodeCount", _solved(lambda s: float(s.result.nodes))),
    Attribute("OpenNodeCount", _solved(lambda s: 0.0)),
    Attribute("IterCount", _solved(lambda s: float(s.result.iterations))),
    Attribute("BarIterCount", _solved(lambda s: 0)),
    Attribute("NumVars", lambda s: s.cols_live),
    Attribute("NumConstrs", lambda s: s.rows_live),
    Attribute("NumNZs", lambda s: s.starts[s.rows_live]),
    Attribute("DNumNZs", lambda s: float(s.starts[s.rows_live])),
    Attribute("NumQConstrs", lambda s: len(s.family("quadratic"))),
    Attribute("NumGenConstrs", lambda s: len(s.family("general"))),
    Attribute("NumSOS", lambda s: len(s.family("sos"))),
    Attribute("NumIntVars", lambda s: _kinds(s, (1, 2, 4))),
    Attribute("NumBinVars", _ones),
    Attribute("NumQNZs", _products),
    Attribute("NumQCNZs", lambda s: sum(len(p.products[0]) for p in s.family("quadratic"))),
    Attribute("NumPWLObjVars", lambda s: len(s.extra.get("PWLObj", ()))),
    Attribute("NumObj", lambda s: 1 + len(s.goals), _set_objectives, "integer"),
    Attribute("NumStart", _start_count, lambda s, value: None, "integer"),
    Attribute("NumScenarios", lambda s: 0, _refuse_scenarios, "integer"),
    Attribute("IsMIP", _is_mip),
    Attribute("IsQP", lambda s: int(bool(s.goal.products) and not _has_quadratic(s))),
    Attribute("IsQCP", lambda s: int(_has_quadratic(s))),
    Attribute("IsMultiObj", lambda s: int(bool(s.goals or s.several))),
    Attribute("IISMinimal", _iis_minimal),
    Attribute("FarkasProof", handles.farkas_proof),
    Attribute("PoolObjVal", pool_objective),
    Attribute("PoolNObjVal", pool_objective),
    Attribute("PoolObjBound", pool_bound),
    Attribute("ObjNVal", goal_value),
    Attribute("MaxCoeff", _range("value", np.max)),
    Attribute("MinCoeff", _range("value", np.min)),
    Attribute("MaxObjCoeff", _range("cost", np.max)),
    Attribute("MinObjCoeff", _range("cost", np.min)),
    Attribute("MaxRHS", _range("rhs", np.max)),
    Attribute("MinRHS", _range("rhs", np.min)),
    Attribute("MaxBound", _range("upper", np.max)),
    Attribute("MinBound", _range("upper", np.min)),
    Attribute("ConcurrentWinMethod", _solved(lambda s: -1)),
    Attribute("MemUsed", lambda s: 0.0),
    Attribute("MaxMemUsed", lambda s: 0.0),
    *(
        Attribute(name, _violation(name))
        for name in (
            *("BoundVio", "BoundVioSum", "ConstrVio", "ConstrVioSum"),
            *("IntVio", "IntVioSum", "MaxVio"),
        )
    ),
    _of_goal("ObjNName", "name", "string"),
    _of_goal("ObjNPriority", "priority", "integer"),
    _of_goal("ObjNWeight", "weight", "double"),
    _of_goal("ObjNAbsTol", "abs_tol", "double"),
    _of_goal("ObjNRelTol", "rel_tol", "double"),
    _of_goal("ObjNCon", "constant", "double"),
]
MODEL = {attribute.name.lower(): attribute for attribute in _ATTRIBUTES}
for _name in GRB.Attr.__class__.__dict__:
    _known = _name.lower() in MODEL or any(_name.lower() in t for t in TABLES.values())
    if not _name.startswith("_") and not _known:
        MODEL[_name.lower()] = _lacking(_name)


def read_attribute(model: Any, name: str, objs: Any = None) -> Any:
    """A model's attribute, or one of several variables or constraints."""
    if not isinstance(name, str):
        raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
    if objs is not None:
        return _of_many(model, name, objs)
    attribute = MODEL.get(name.lower())
    if attribute is None:
        return _of_all(model, name)
    try:
        return attribute.get(model._state)
    except UnavailableError:
        raise AttributeError(f"Unable to retrieve attribute '{name}'") from None


def _of_many(model: Any, name: str, objs: Any) -> Any:
    if name.lower() not in MODEL and _group(model, name) is None:
        raise _no_attribute(name)
    if isinstance(objs, Mapping):
        return tupledict(zip(objs, _values(model, name, objs.values()), strict=True))
    if isinstance(objs, Handle | MHandles) or not isinstance(objs, Iterable):
        raise GurobiError(-1, "Unrecognized argument to getAttr")
    return _values(model, name, objs)


def _no_attribute(name: str) -> AttributeError:
    return AttributeError(f"'gurobipy.Model' object has no attribute '{name}'")


def _values(model: Any, name: str, objs: Iterable[Any]) -> list[Any]:
    """The attribute of each; GurobiError where one has none now."""
    found = []
    for place, obj in enumerate(objs):
        try:
            found.append(_own(model, obj).getAttr(name))
        except AttributeError as error:
            text = str(error)
            if text.startswith("Unable to retrieve"):
                raise failure("DATA_NOT_AVAILABLE", text) from None
            if text.startswith("Index out of range"):
                text = text.replace("Index out", f"Index {place} out", 1)
                raise failure("INDEX_OUT_OF_RANGE", text) from None
            raise
    return found


def _own(model: Any, obj: Any) -> Any:
    if not hasattr(obj, "_store"):
        raise AttributeError(f"'{type(obj).__name__}' object has no attribute '_typeenum'")
    if obj._store is not model._state:
        raise failure("NOT_IN_MODEL", f"{obj._what} not in model")
    return obj


def _group(model: Any, name: str) -> list[Any] | None:
    """All things of the model that have an attribute; None where no kind has it."""
    groups: dict[str, Callable[[], list[Any]]] = {
        "Var": model.getVars,
        "Constr": model.getConstrs,
        "QConstr": model.getQConstrs,
        "GenConstr": model.getGenConstrs,
        "SOS": model.getSOSs,
    }
    for what, members in groups.items():
        if name.lower() in TABLES[what]:
            return members()
    return None


def _of_all(model: Any, name: str) -> list[Any]:
    members = _group(model, name)
    if members is None:
        raise _no_attribute(name)
    try:
        return [member.getAttr(name) for member in members]
    except AttributeError as error:
        raise failure("DATA_NOT_AVAILABLE", str(error)) from None


def write_attribute(model: Any, name: str, value: Any) -> None:
    """Set a model's attribute at the next update."""
    if not isinstance(name, str):
        raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
    attribute = MODEL.get(name.lower())
    if attribute is None:
        members = _group(model, name)
        if members is None:
            raise _no_attribute(name)
        if isinstance(value, Handle):
            raise ValueError(f"Unhandled attribute value {value!r}")
        many = isinstance(value, Sequence) and not isinstance(value, str)
        if many and len(value) != len(members):
            raise ValueError("Input argument has incorrect length")
        write_many(model, name, members, value)
        return
    if attribute.set is None:
        raise AttributeError(f"Attribute '{name}' cannot be set")
    when = model._state.hint if attribute.takes == "string" else model._state.later
    when(attribute.set, model._state, converted(attribute, value))


def write_many(model: Any, name: str, objs: Any, values: Any) -> None:
    """Set an attribute of one or several variables or constraints."""
    if name.lower() not in MODEL and _group(model, name) is None:
        raise _no_attribute(name)
    if isinstance(objs, Handle):
        objs, values = [objs], [values]
    if isinstance(objs, MHandles):
        raise AttributeError(f"'gurobipy.{objs._title}' object has no attribute '__cindex__'")
    if isinstance(objs, str) or not isinstance(objs, Iterable):
        raise AttributeError(f"'{type(objs).__name__}' object has no attribute '_cmodel'")
    chosen = list(objs.values()) if isinstance(objs, Mapping) else list(objs)
    if isinstance(values, str) or not isinstance(values, Iterable):
        given = [values] * len(chosen)
    else:
        source: Any = values
        given = [source[key] for key in objs] if isinstance(objs, Mapping) else list(values)
    if len(given) != len(chosen):
        raise AttributeError(f"Attribute '{name}' inconsistent lengths of both arguments")
    for obj, value in zip(chosen, given, strict=True):
        if isinstance(value, str) and name.lower() in ("lb", "ub", "obj", "rhs", "start"):
            raise TypeError("must be real number, not str")
        if name.lower() == "vtype":
            value = single(value)
        _own(model, obj).setAttr(name, value)


def printStats(model: Any) -> None:
    """Print the model's size."""
    state, log = model._state, model._state.params.log
    log.line(f"Statistics for model '{state.name or 'Unnamed'}':")
    log.line(
        f"  Linear constraint matrix    : {state.rows_live} rows, {state.cols_live} columns, "
        f"{state.starts[state.rows_live]} nonzeros"
    )
    whole = model.NumIntVars
    if whole:
        log.line(
            f"  Variable types              : {state.cols_live - whole} continuous, "
            f"{whole} integer ({model.NumBinVars} binary)"
        )


def printAttr(model: Any, attrs: Any, filter: str = "*") -> None:
    """Print attributes of the variables or constraints that have them, zeros left out."""
    names = [attrs] if isinstance(attrs, str) else list(attrs)
    log = model._state.params.log
    for what, members, label in (
        ("Var", model.getVars(), "VarName"),
        ("Constr", model.getConstrs(), "ConstrName"),
    ):
        table = TABLES[what]
        if not all(name.lower() in table for name in names):
            continue
        title = "Variable" if what == "Var" else "Constraint"
        log.line("")
        log.line(f"{title:>12} " + " ".join(f"{name:>12}" for name in names))
        log.line("-" * (13 * (len(names) + 1)))
        for member in members:
            name = member.getAttr(label)
            values = [_values(model, attr, [member])[0] for attr in names]
            if fnmatch.fnmatchcase(name, filter) and any(values):
                shown = " ".join(
                    f"{value:>12g}" if isinstance(value, int | float) else f"{value:>12}"
                    for value in values
                )
                log.line(f"{name:>12} {shown}")
        return


def printQuality(model: Any) -> None:
    """Print the largest violations at the solution."""
    log = model._state.params.log
    try:
        found = handles.violations(model._state)
    except UnavailableError:
        log.line("No solution available")
        return
    log.line(f"Solution quality statistics for model '{model._state.name or 'Unnamed'}' :")
    log.line("  Maximum violation:")
    for label, key in (
        ("Bound", "BoundVio"),
        ("Constraint", "ConstrVio"),
        ("Integrality", "IntVio"),
    ):
        log.line(f"    {label:<16}: {found[key]:.8e}")


def display(model: Any) -> None:
    """Print the model in LP format."""
    for line in lp_lines(model._state):
        model._state.params.log.line(line)


_OWN = frozenset({"Params", "params"})


class Model(ParameterMethods):
    """An optimization model; names that begin with an underscore are the program's own."""

    def __init__(self, name: str = "", env: Env | None = None) -> None:
        if not isinstance(name, str):
            raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
        values = values_of(env)
        fields = self.__dict__
        fields["_state"] = State(name, values)
        fields["Params"] = fields["params"] = ParamClass(values)

    def update(self) -> None:
        """Make what was added or changed visible."""
        self._state.update()

    def getParamInfo(self, paramname: str) -> tuple[Any, ...] | None:
        """Name, type, value, least, greatest and default value of a parameter."""
        found: tuple[Any, ...] | None = self._state.params.info(paramname)
        return found

    def getAttr(self, attrname: str, objs: Any = None) -> Any:
        """The model's attribute, or that of each of several variables or constraints."""
        return read_attribute(self, attrname, objs)

    def setAttr(self, attrname: str, arg1: Any, arg2: Any = None) -> None:
        """Set the model's attribute, or that of each of several variables or constraints."""
        if arg2 is None:
            write_attribute(self, attrname, arg1)
        else:
            write_many(self, attrname, arg1, arg2)

    def message(self, msg: str) -> None:
        """Write a line of the program's own to the log."""
        self._state.params.log.line(msg)

    def dispose(self) -> None:
        """Free the model."""
        self.__dict__.pop("_state", None)

    close = dispose

    def prefetchAttr(self, attrname: str, objs: Any = None) -> None:
        """Nothing: attributes are at hand."""

    def sync(self) -> None:
        """Nothing: no solve runs beside the program."""

    discardConcurrentEnvs = discardMultiobjEnvs = sync

    def getTuneResult(self, i: int) -> None:
        """There is none, as `tune` is not supported."""
        raise failure("DATA_NOT_AVAILABLE", "Requested data not available")

    def singleScenarioModel(self) -> Any:
        """There is none, as scenarios are not supported."""
        raise failure("INVALID_ARGUMENT", "Model is not a multi-scenario model")

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *exc: object) -> None:
        self.dispose()

    def __getattr__(self, name: str) -> Any:
        if name == "_state":
            raise GurobiError(0, "Model has already been freed")
        if name.startswith("_"):
            raise AttributeError(f"'gurobipy.Model' object has no attribute '{name}'")
        return read_attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            self.__dict__[name] = value
        elif name in _OWN:
            raise AttributeError(f"Attribute '{name}' cannot be set")
        else:
            write_attribute(self, name, value)

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


_LACKING = """
    presolve tune writeTuneResult optimizeAsync optimizeBatch getMultiobjEnv getConcurrentEnv
    addGenConstrNLAdv
    getGenConstrNL getGenConstrNLAdv basisHead convertToFixed dualize feasibility
    linearize getQCMatrices singularVectors
"""
add_methods(
    Model,
    methods(building, querying, solving, files, matrix, sys.modules[__name__]),
    refusing(_LACKING, unsupported),
)
Model.__module__ = "gurobipy"
