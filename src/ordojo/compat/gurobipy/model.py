"""gurobipy's Model, its attributes, and what it prints."""

import fnmatch
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ordojo.compat.core.calls import refusing
from ordojo.compat.core.handles import UnavailableError
from ordojo.compat.gurobipy import files
from ordojo.compat.gurobipy.attributes import MODEL, violations
from ordojo.compat.gurobipy.errors import (
    GurobiError,
    UnreadError,
    failure,
    invalid,
    named,
    unsupported,
)
from ordojo.compat.gurobipy.expressions import tupledict
from ordojo.compat.gurobipy.handles import TABLES, Handle, converted, single
from ordojo.compat.gurobipy.matrix import MHandles
from ordojo.compat.gurobipy.params import Env, ParamClass, ParameterMethods, values_in, values_of
from ordojo.compat.gurobipy.solving import Solving
from ordojo.compat.gurobipy.state import State


def read_attribute(model: Any, name: str, objs: Any = None) -> Any:
    """A model's attribute, or one of several variables or constraints."""
    attribute = MODEL.get(named(name).lower())
    if objs is not None:
        _check(model, name)
        if isinstance(objs, Mapping):
            return tupledict(zip(objs, _values(model, name, objs.values()), strict=True))
        if isinstance(objs, Handle | MHandles) or not isinstance(objs, Iterable):
            raise GurobiError(-1, "Unrecognized argument to getAttr")
        return _values(model, name, objs)
    if attribute is None:
        members = _group(model, name)
        try:
            return [member.getAttr(name) for member in members]
        except AttributeError as error:
            raise failure("DATA_NOT_AVAILABLE", str(error)) from None
    try:
        return attribute.get(model._state)
    except UnavailableError:
        raise AttributeError(f"Unable to retrieve attribute '{name}'") from None


def _check(model: Any, name: str) -> None:
    if name.lower() not in MODEL:
        _group(model, name)


def _values(model: Any, name: str, objs: Iterable[Any]) -> list[Any]:
    """The attribute of each; GurobiError where one has none now."""
    found = []
    for place, obj in enumerate(objs):
        try:
            found.append(_own(model, obj).getAttr(name))
        except UnreadError as error:
            raise error.among(place) from None
    return found


def _own(model: Any, obj: Any) -> Any:
    if not hasattr(obj, "_store"):
        raise AttributeError(f"'{type(obj).__name__}' object has no attribute '_typeenum'")
    if obj._store is not model._state:
        raise failure("NOT_IN_MODEL", f"{obj._what} not in model")
    return obj


def _group(model: Any, name: str) -> Any:
    """All things of the model that have an attribute; AttributeError where no kind has it."""
    for what, table in TABLES.items():
        if name.lower() in table:
            return getattr(model, f"get{what}s")()
    raise AttributeError(f"'gurobipy.Model' object has no attribute '{name}'")


def write_attribute(model: Any, name: str, value: Any) -> None:
    """Set a model's attribute at the next update."""
    attribute = MODEL.get(named(name).lower())
    if attribute is None:
        members = _group(model, name)
        if isinstance(value, Handle):
            raise ValueError(f"Unhandled attribute value {value!r}")
        many = isinstance(value, Sequence) and not isinstance(value, str)
        if many and len(value) != len(members):
            raise ValueError("Input argument has incorrect length")
        write_many(model, name, members, value)
        return
    if attribute.set is None:
        raise AttributeError(f"Attribute '{name}' cannot be set")
    attribute.put(model._state, model._state, converted(attribute, value))


def write_many(model: Any, name: str, objs: Any, values: Any) -> None:
    """Set an attribute of one or several variables or constraints."""
    _check(model, name)
    if isinstance(objs, Handle):
        objs, values = [objs], [values]
    if isinstance(objs, MHandles):
        raise AttributeError(
            f"'gurobipy.{type(objs).__name__}' object has no attribute '__cindex__'"
        )
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


_TITLES = {"Var": "Variable", "Constr": "Constraint", "QConstr": "QConstraint"}


def _shown(cells: Iterable[Any]) -> str:
    """A line of a table."""
    return "".join(
        f"{cell:>12g} " if isinstance(cell, int | float) else f"{cell:>12} " for cell in cells
    )


_OWN = frozenset({"Params", "params"})


def _lacking(names: str) -> Iterator[Callable[..., Any]]:
    return (refusing(name, unsupported) for name in names.split())


class Model(Solving, ParameterMethods):
    """An optimization model; names that begin with an underscore are the program's own."""

    def __init__(self, name: str = "", env: Env | None = None) -> None:
        values = values_of(env)
        fields = self.__dict__
        fields["_state"] = State(named(name), values)
        fields["Params"] = fields["params"] = ParamClass(self)

    def printStats(self) -> None:
        """Print the model's size."""
        state, log = self._state, self._state.params.log
        log.line(f"Statistics for model '{state.name or 'Unnamed'}':")
        log.line(
            f"  Linear constraint matrix    : {state.rows_live} rows, {state.cols_live} columns, "
            f"{state.starts[state.rows_live]} nonzeros"
        )
        whole = self.NumIntVars
        if whole:
            log.line(
                f"  Variable types              : {state.cols_live - whole} continuous, "
                f"{whole} integer ({self.NumBinVars} binary)"
            )

    def printAttr(self, attrs: Any, filter: str = "*") -> None:
        """Print attributes of the model, or of what in it has them, zeros left out."""
        names = [attrs] if isinstance(attrs, str) else list(attrs)
        for name in names:
            _check(self, name)
        log = self._state.params.log
        if all(name.lower() in MODEL for name in names):
            log.line("")
            log.line(_shown(names))
            log.line("-" * (13 * len(names) - 1))
            log.line(_shown([read_attribute(self, name) for name in names]))
            return
        kinds = [k for k, table in TABLES.items() if all(name.lower() in table for name in names)]
        if not kinds:
            raise GurobiError(0, "Attribute types are not compatible")
        what = kinds[0]
        log.line("")
        log.line(_shown([_TITLES.get(what, what), *names]))
        log.line("-" * (13 * len(names) + 12))
        for member in getattr(self, f"get{what}s")():
            label = "QCName" if what == "QConstr" else f"{what}Name"
            name = member.getAttr(label) if label.lower() in TABLES[what] else str(member.index)
            values = [_values(self, attr, [member])[0] for attr in names]
            if fnmatch.fnmatchcase(name, filter) and any(values):
                log.line(_shown([name, *values]))

    def printQuality(self) -> None:
        """Print the largest violations at the solution."""
        log = self._state.params.log
        try:
            found = violations(self._state)
        except UnavailableError:
            log.line("No solution available")
            return
        log.line(f"Solution quality statistics for model '{self._state.name or 'Unnamed'}' :")
        log.line("  Maximum violation:")
        for label, key in (
            ("Bound", "BoundVio"),
            ("Constraint", "ConstrVio"),
            ("Integrality", "IntVio"),
        ):
            log.line(f"    {label:<16}: {found[key]:.8e}")

    def display(self) -> None:
        """Print the model in LP format."""
        for line in files.lp_lines(self._state):
            self._state.params.log.line(line)

    def getParamInfo(self, paramname: str) -> Any:
        """Name, type, value, least, greatest and default value of a parameter."""
        return values_in(self).info(paramname)

    def getAttr(self, attrname: str, objs: Any = None) -> Any:
        """The model's attribute, or that of each of several variables or constraints."""
        return read_attribute(self, attrname, objs)

    def setAttr(self, attrname: str, arg1: Any, arg2: Any = None) -> None:
        if arg2 is None:
            write_attribute(self, attrname, arg1)
        else:
            write_many(self, attrname, arg1, arg2)

    def message(self, msg: str) -> None:
        """Write a line of the program's own to the log."""
        self._state.params.log.line(msg)

    def dispose(self) -> None:
        state = self.__dict__.pop("_state", None)
        if state is not None:
            state.free()

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
        raise invalid("Model is not a multi-scenario model")

    write, read, getJSONSolution = files.write, files.read, files.getJSONSolution
    presolve, tune, writeTuneResult = _lacking("presolve tune writeTuneResult")
    optimizeAsync, optimizeBatch = _lacking("optimizeAsync optimizeBatch")
    getMultiobjEnv, getConcurrentEnv = _lacking("getMultiobjEnv getConcurrentEnv")
    addGenConstrNLAdv, getGenConstrNLAdv = _lacking("addGenConstrNLAdv getGenConstrNLAdv")
    getGenConstrNL, getQCMatrices = _lacking("getGenConstrNL getQCMatrices")
    basisHead, convertToFixed, dualize = _lacking("basisHead convertToFixed dualize")
    feasibility, linearize, singularVectors = _lacking("feasibility linearize singularVectors")

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


Model.__module__ = "gurobipy"
Batch, loadModel = refusing("Batch", unsupported), refusing("loadModel", unsupported)


class gurobi:
    """The library's version and platform."""

    version = staticmethod(lambda: (13, 0, 3))
    platform = staticmethod(lambda: "linux64")


def read(filename: str, env: Env | None = None) -> Any:
    """A model from an LP or MPS file."""
    return files.read_model_file(Model(env=env), filename)
