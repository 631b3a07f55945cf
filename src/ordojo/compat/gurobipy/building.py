"""Model methods that add variables and constraints, and set objectives."""

import gc
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import GeneratorType
from typing import Any

import numpy as np

from ordojo.compat.core import expressions as core
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.store import name_group, owner
from ordojo.compat.core.tuples import combined_keys, loop_names
from ordojo.compat.gurobipy.errors import GurobiError, failure
from ordojo.compat.gurobipy.expressions import (
    GenExpr,
    LinExpr,
    NLExpr,
    QuadExpr,
    TempConstr,
    as_expression,
    tupledict,
)
from ordojo.compat.gurobipy.functions import Functions
from ordojo.compat.gurobipy.handles import Constr, Var, kind_of, new_constr, new_var, single
from ordojo.compat.gurobipy.state import goal_at, goal_read, maximizes
from ordojo.solvers.problem import GeneralFunction


def index_keys(indices: Sequence[Any]) -> list[Any]:
    """The keys that the index arguments of `addVars` mean."""
    lists = [range(part) if type(part) is int else list(part) for part in indices]
    return combined_keys(lists)


def _each(given: Any, keys: list[Any], default: float) -> list[float]:
    """One number per key of a number, a list, an array or a dictionary that may have gaps."""
    if isinstance(given, int | float):
        numbers = [float(given)] * len(keys)
    elif isinstance(given, Mapping):
        numbers = [_real(given.get(key, default)) for key in keys]
    elif isinstance(given, np.ndarray):
        numbers = np.asarray(given, float).ravel().tolist()
    elif isinstance(given, Iterable) and not isinstance(given, str):
        numbers = [_real(item) for item in np.ravel(np.array(list(given), object)).tolist()]
    else:
        numbers = [_real(given)] * len(keys)
    assert len(numbers) == len(keys)
    if any(number != number for number in numbers):
        place = next(k for k, number in enumerate(numbers) if number != number)
        raise failure("INVALID_ARGUMENT", f"Element {place} of a double array is Nan.")
    return numbers


def _kinds(given: Any, keys: list[Any]) -> bytes:
    if isinstance(given, str) or not isinstance(given, Iterable):
        return bytes([kind_of(single(given))]) * len(keys)
    letters = [given.get(k, "C") for k in keys] if isinstance(given, Mapping) else list(given)
    assert len(letters) == len(keys)
    return bytes([kind_of(single(letter)) for letter in letters])


def _real(value: Any) -> float:
    if isinstance(value, str) or value is None or callable(value):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return float(value)


_BINARY = kind_of("B")
_CODES = {letter: kind_of(letter) for letter in "CBISNcbisn"}
_SENSES = {"<": ord("<"), ">": ord(">"), "=": ord("=")}


def add_row(
    state: Any, coeffs: list[float], variables: list[Any], sense: str, rhs: float, name: str
) -> Constr:
    """Add a linear row."""
    if rhs != rhs:
        raise failure("INVALID_ARGUMENT", "Constant is Nan")
    if len(variables) > 1:
        owners = set(map(owner, variables))
        if len(owners) > 1 or state not in owners:
            raise state.stranger()
    elif variables and variables[0]._store is not state:
        raise state.stranger()
    constr = new_constr(state, len(state.rows))
    state.add_row(constr, coeffs, variables, _SENSES[sense], rhs)
    state.row_names.add(name)
    return constr


def add_general(
    model: Functions,
    name: str,
    function: GeneralFunction,
    result: Var,
    operands: list[Any],
    numbers: tuple[float, ...] = (),
) -> None:
    """Add: `result` equals a function of the operands."""
    model._function(name, function, result, operands, numbers)


def sense_of(text: Any) -> str | None:
    """One of < > = for any of Gurobi's spellings of a sense."""
    return {
        "<": "<",
        "<=": "<",
        "=<": "<",
        ">": ">",
        ">=": ">",
        "=>": ">",
        "=": "=",
        "==": "=",
    }.get(text if isinstance(text, str) else "")


def _objective(expr: Any) -> Any:
    if isinstance(expr, NLExpr | GenExpr):
        raise GurobiError(-1, "Objective must be linear or quadratic")
    found = None if isinstance(expr, TempConstr) else as_expression(expr)
    if found is None:
        raise GurobiError(-1, "Unable to convert argument to an expression")
    return found


def _no_side(other: Any, mine: Any) -> TypeError:
    """What Gurobi says of a side that is no expression: texts of numbers are tried as numbers."""
    kind, own = type(other).__name__, "LinExpr"
    sign = "-"
    if isinstance(other, str):
        own = type(mine).__name__
        with suppress(ValueError):
            float(other)
            sign = "+"
    text = f"unsupported operand type(s) for {sign}: 'gurobipy._core.{own}' and '{kind}'"
    return TypeError(text)


class Building(Functions):
    """Adds variables and constraints, and sets objectives."""

    def addVar(
        self,
        lb: float = 0.0,
        ub: float = 1e100,
        obj: float = 0.0,
        vtype: str = "C",
        name: str = "",
        column: Any = None,
    ) -> Var:
        """Add a variable."""
        state = self._state
        kind = _CODES.get(vtype) if isinstance(vtype, str) else None
        if kind is None:
            kind = kind_of(vtype)
        if kind == _BINARY:
            lb, ub = max(_real(lb), 0.0), min(_real(ub), 1.0)
        if lb != lb or ub != ub or obj != obj:
            raise failure("INVALID_ARGUMENT", "Element 0 of a double array is Nan.")
        if not isinstance(name, str):
            raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
        var = new_var(state, len(state.columns))
        try:
            state.add_col(var, lb, ub, obj, kind)
        except TypeError:
            del state.lower[len(state.columns) :], state.upper[len(state.columns) :]
            del state.cost[len(state.columns) :]
            raise
        state.col_names.add(name)
        if column is not None:
            for constr, coefficient in column._pairs:
                state.set_coefficient(constr, var, coefficient)
        return var

    def addVars(
        self,
        *indices: Any,
        lb: Any = 0.0,
        ub: Any = 1e100,
        obj: Any = 0.0,
        vtype: Any = "C",
        name: Any = "",
    ) -> tupledict:
        """Add a variable for each key, or for each combination of keys of several lists."""
        keys = index_keys(indices)
        if len(set(keys)) != len(keys):
            raise KeyError("Duplicate keys in Model.addVars()")
        state, kinds = self._state, _kinds(vtype, keys)
        lower, upper = _each(lb, keys, 0.0), _each(ub, keys, 1e100)
        cost = _each(obj, keys, 0.0)
        # A collector's run over the many new objects would find nothing to free.
        enabled = gc.isenabled()
        gc.disable()
        try:
            made = self._new_columns(lower, upper, cost, kinds)
            found = tupledict(zip(keys, made, strict=True))
        finally:
            if enabled:
                gc.enable()
        if isinstance(name, str) or name is None:
            state.col_names.add_group(name or "", keys)
        else:
            given = [name.get(k, "") for k in keys] if isinstance(name, Mapping) else list(name)
            if len(given) != len(keys):
                raise AssertionError
            state.col_names.add_many(given)
        return found

    def addConstr(self, lhs: Any, name: str = "", *spare: Any) -> Any:
        """Add a linear, quadratic, indicator or general constraint; what is added comes back."""
        if spare:
            text = f"addConstr() takes at most 3 positional arguments ({3 + len(spare)} given)"
            raise TypeError(text)
        if type(lhs) is TempConstr:
            left, right = lhs._lhs, lhs._rhs
            kind = type(right)
            if type(left) is LinExpr and (kind is float or kind is int) and type(name) is str:
                return add_row(self._state, left._c, left._v, lhs._sense, right - left._k, name)
            return self._relation(lhs, name)
        adds = getattr(lhs, "_add_to", None)
        if adds is not None:
            return adds(self, name)
        if isinstance(lhs, bool):
            # A comparison of two numbers: a row without terms that holds or does not.
            return add_row(self._state, [], [], "<", 0.0 if lhs else -1.0, name)
        raise failure("INVALID_ARGUMENT", "Invalid value for Model.addConstr")

    def _relation(self, tc: TempConstr, name: Any) -> Any:
        """A comparison that is not simply a linear expression against a number."""
        if not isinstance(name, str):
            raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
        left, sense, right = core.plain(tc._lhs), tc._sense, core.plain(tc._rhs)
        if sense == ">>":
            return self._implied(left, right, name)
        if isinstance(right, GenExpr) or isinstance(left, GenExpr):
            return self._equal(left, sense, right, name)
        if isinstance(left, NLExpr) or isinstance(right, NLExpr):
            return self._formula(left, sense, right, name)
        if isinstance(right, list | tuple) and sense == "=":
            if isinstance(right, tuple):
                raise failure("INVALID_ARGUMENT", "Range constraint requires a list [lb,ub]")
            if len(right) != 2:
                raise failure("INVALID_ARGUMENT", "Range constraint requires two values")
            return self.addRange(left, right[0], right[1], name)
        lhs, rhs = as_expression(left), as_expression(right)
        if lhs is None or rhs is None:
            raise _no_side(left if lhs is None else right, rhs if lhs is None else lhs)
        whole = lhs - rhs
        if isinstance(whole, CoreQuad):
            return self._curve(whole, sense, name)
        return add_row(self._state, whole._c, whole._v, sense, 0.0 - whole._k, name)

    def addLConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: Any = "") -> Constr:
        """Add a linear constraint from a comparison, or from its two sides and a sense."""
        if isinstance(lhs, TempConstr):
            if isinstance(sense, str) and not name:
                name = sense
            lhs, sense, rhs = lhs._lhs, lhs._sense, lhs._rhs
        left, right = as_expression(lhs), as_expression(rhs)
        sense = sense_of(sense)
        if not isinstance(left, LinExpr) or not isinstance(right, LinExpr) or sense is None:
            raise GurobiError(0, "Invalid argument to Model.addLConstr")
        whole = left - right
        return add_row(self._state, whole._c, whole._v, sense, 0.0 - whole._k, name)

    def addQConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: Any = "") -> Any:
        """Add a quadratic constraint from a comparison, or from its two sides and a sense."""
        if isinstance(lhs, TempConstr):
            return self._relation(lhs, name or (sense if isinstance(sense, str) else ""))
        left, right = as_expression(lhs), as_expression(rhs)
        sense = sense_of(sense)
        if left is None or right is None or sense is None:
            raise GurobiError(0, "Invalid argument to Model.addQConstr")
        whole = left - right
        if isinstance(whole, LinExpr):
            return add_row(self._state, whole._c, whole._v, sense, 0.0 - whole._k, name)
        return self._curve(whole, sense, name)

    def addRange(self, expr: Any, lower: float, upper: float, name: str = "") -> Any:
        """Add lower <= expr <= upper: an equation with a further variable, as Gurobi has it."""
        state, found = self._state, as_expression(expr)
        if isinstance(found, CoreQuad):
            return self._curve(found, "R", name, low=float(lower), rhs=float(upper))
        if found is None:
            raise failure("INVALID_ARGUMENT", "Invalid value for Model.addRange")
        state.check(found._v)
        label = name or f"R{len(state.rows)}"
        spare = self.addVar(0.0, float(upper) - float(lower), name=f"Rg{label}")
        rhs = float(upper) - found._k
        return add_row(state, [*found._c, 1.0], [*found._v, spare], "=", rhs, name)

    def addConstrs(self, generator: Any, name: Any = "") -> tupledict:
        """Add a constraint for each comparison of a generator; its loop variables are the keys."""
        if not isinstance(generator, GeneratorType):
            raise KeyError("Missing constraint index")
        state = self._state
        keys: list[Any] = []
        made: list[Any] = []
        first = len(state.rows)
        # As `tuples.keyed` does, but without a generator around this one, a twentieth of the time.
        names = loop_names(generator.gi_code)
        single = names[0] if len(names) == 1 else None
        frame: Any = generator.gi_frame
        for tc in generator:
            local = frame.f_locals
            keys.append(local[single] if single else tuple([local[n] for n in names]))
            if type(tc) is TempConstr:
                left, right = tc._lhs, tc._rhs
                kind = type(right)
                if type(left) is LinExpr and (kind is float or kind is int):
                    made.append(add_row(state, left._c, left._v, tc._sense, right - left._k, ""))
                    continue
            made.append(self.addConstr(tc))
        if name:
            name_group(state, first, keys, made, str(name))
        return tupledict(zip(keys, made, strict=True))

    def addSOS(self, type: int, vars: Any, wts: Any = None) -> Any:
        """Add a special ordered set; without weights the order given counts."""
        several = list(vars.values()) if isinstance(vars, Mapping) else list(vars)
        text = "Length of weight list differs from length of variable list"
        return self._ordered(type, several, wts, GurobiError(0, text))

    def setObjective(self, expr: Any, sense: Any = None) -> None:
        """Set the objective, and its sense where one is given."""
        found = _objective(expr)
        self._aim_at(found, None if sense is None else maximizes(sense))

    def setObjectiveN(
        self,
        expr: Any,
        index: int,
        priority: int = 0,
        weight: float = 1.0,
        abstol: float = 1e-6,
        reltol: float = 0.0,
        name: str = "",
    ) -> None:
        """Set one of several linear objectives."""
        found = _objective(expr)
        if isinstance(found, CoreQuad):
            raise GurobiError(-1, "Objective must be linear for multi-objective model")
        state = self._state
        state.check(found._v)
        coeffs, variables = found._c[:], found._v[:]

        if index < 0:
            raise failure("INVALID_ARGUMENT", "Objective index must be non-negative")
        state.meant = max(state.meant, index + 1)

        def put() -> None:
            goal = goal_at(state, index)
            goal.name, goal.priority, goal.weight = name, int(priority), float(weight)
            goal.abs_tol, goal.rel_tol, goal.constant = float(abstol), float(reltol), found._k
            state.several = max(state.several, index + 1)
            if index:
                goal.coeffs, goal.variables = coeffs, variables
                return
            state.set_costs(coeffs, variables, len(state.cost))

        state.later(put)

    def getObjective(self, index: int | None = None) -> LinExpr | QuadExpr:
        """The objective as an expression."""
        state = self._state
        if index is not None and index < 0:
            text = f"Unable to set parameter ObjNumber to value {index} (minimum is 0)"
            raise failure("VALUE_OUT_OF_RANGE", text)
        if index is not None:
            goal = goal_read(state, index)
            if index:
                further: LinExpr = self._expression(goal)
                return further
        found: LinExpr | QuadExpr = self._objective()
        return found

    def setPWLObj(self, var: Any, x: Any, y: Any) -> None:
        """Give a variable a piecewise-linear term in the objective."""
        xs, ys = [float(each) for each in x], [float(each) for each in y]
        if len(xs) != len(ys):
            raise GurobiError(-1, "Arguments x and y must have the same length")
        numbers = tuple(each for pair in zip(xs, ys, strict=True) for each in pair)
        state = self._state
        state.check([var])

        def put() -> None:
            if var._col >= 0:
                state.cost[var._col] = 0.0
                state.extra.setdefault("PWLObj", {})[var] = numbers

        state.later(put)

    def getPWLObj(self, var: Any) -> list[tuple[float, float]]:
        """The points of a variable's piecewise-linear objective term."""
        numbers = self._state.extra.get("PWLObj", {}).get(var, ())
        return list(zip(numbers[::2], numbers[1::2], strict=True))
