"""A model's methods that both interfaces have, over a store; an interface's model adds its own."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from inspect import isfunction
from types import ModuleType
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from scipy.sparse import csr_matrix

from ordojo.compat.core import matrix as flat
from ordojo.compat.core import store
from ordojo.compat.core.expressions import (
    LinExpr,
    QuadExpr,
    make,
    members,
    number,
    plain,
    zipped,
)
from ordojo.compat.core.handles import PartHandle
from ordojo.compat.core.matrix import ExpressionArray, Objects, Variables
from ordojo.milp.model import ENDLESS, Model, VarType
from ordojo.milp.problem import GeneralFunction, LinearObjective, Problem, Quadratic

Part = TypeVar("Part", bound=PartHandle)


def extreme(which: str, best: Any) -> Callable[[Any], float]:
    """Reads the largest or smallest size in one of a store's arrays, without 0 and infinity."""

    def read(state: Any) -> float:
        values = np.abs(state.view(which))
        values = values[(values > 0) & (values < ENDLESS)]
        return float(best(values)) if len(values) else 0.0

    return read


def exported(names: Mapping[str, Any]) -> list[str]:
    """What `from library import *` gives: all but modules and what begins with an underscore."""
    return [
        name
        for name, value in names.items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    ]


class Disposable:
    """What is disposed of at the end of a `with` block."""

    dispose: Callable[[], None]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.dispose()


class ColumnPairs:
    """Pairs of row and coefficient; an interface's class says in which order they are given."""

    __slots__ = ("_pairs",)
    _pairs: list[tuple[Any, float]]

    def clear(self) -> None:
        """Empty the column."""
        self._pairs = []

    def copy(self) -> Any:
        """Another column with the same content."""
        made = type(self)()
        made._pairs = list(self._pairs)
        return made

    def getCoeff(self, idx: int) -> float:
        """Coefficient number `idx`."""
        return self._pairs[idx][1]

    def getConstr(self, idx: int) -> Any:
        """Constraint number `idx`."""
        return self._pairs[idx][0]

    def remove(self, item: Any) -> None:
        """Drop pair number `item`, or all pairs with that constraint."""
        if isinstance(item, int):
            del self._pairs[item]
        else:
            self._pairs = [pair for pair in self._pairs if pair[0] is not item]


def one_sided(low: float, up: float) -> list[tuple[str, float]]:
    """The senses and right sides that say what two sides say."""
    if low == up:
        return [("=", low)]
    return [(sense, side) for sense, side in ((">", low), ("<", up)) if abs(side) < np.inf]


def copy_into(new: Any, old: Any, new_var: Any, new_row: Any) -> None:
    """Fill an empty store with the live content of an updated one, over handles of its own."""
    cols, rows = old.cols_live, old.rows_live
    end = old.starts[rows]
    counts = {"lower": cols, "upper": cols, "cost": cols, "kinds": cols}
    counts |= {"starts": rows + 1, "index": end, "value": end, "senses": rows, "rhs": rows}
    for which, count in counts.items():
        setattr(new, which, getattr(old, which)[:count])
    new.columns = [new_var(new, j) for j in range(cols)]
    new.rows = [new_row(new, i) for i in range(rows)]
    new.col_names, new.row_names = old.col_names.copy(cols), old.row_names.copy(rows)
    new.cols_live, new.rows_live, new.maximize = cols, rows, old.maximize
    twins = zip([*old.columns[:cols], *old.rows[:rows]], [*new.columns, *new.rows], strict=True)
    gone = old.removed_store()
    memo = {id(old): new, id(gone): gone, **{id(one): other for one, other in twins}}
    for name in new.copied:
        setattr(new, name, deepcopy(getattr(old, name), memo))
    for part in (part for family in old.parts for part in old.family(family)):
        made = deepcopy(replace(part, handle=None, number=-1), memo)
        type(part.handle)(new, made)
        new.add_part(made)


class ProgramModel(Disposable, ABC):
    """What is added, told and changed alike; the class variables are the interface's own kinds.

    `_new_var` and `_new_row` make handles of a store's columns and rows by their numbers,
    `_kind_of` reads a variable type's letter.
    """

    _state: Any
    _new_var: ClassVar[Any]
    _new_row: ClassVar[Any]
    _kind_of: ClassVar[Any]
    _array: ClassVar[Any]
    _lin: ClassVar[type[LinExpr]]
    _quad: ClassVar[type[QuadExpr]]
    _column: ClassVar[type[ColumnPairs]]
    _general: ClassVar[type[PartHandle]]
    _indicator: ClassVar[type[PartHandle]]
    _quadratic: ClassVar[type[PartHandle]]
    _set: ClassVar[type[PartHandle]]
    _infinity: ClassVar[float] = np.inf

    def __init_subclass__(cls) -> None:
        """Have errors of calls name the method alone, as both interfaces do.

        One that was made by a function is named after the attribute that it is. A program's own
        class is left as it is.
        """
        if not cls.__module__.startswith("ordojo."):
            return
        for name, method in vars(cls).items():
            if isfunction(method):
                if vars(cls).get(method.__name__) is not method:
                    method.__name__ = name
                method.__qualname__ = method.__name__

    @abstractmethod
    def _variable(self, value: Any) -> Any:
        """The variable that an operand of a general constraint means."""

    @abstractmethod
    def _points(self, xs: list[float], ys: list[float]) -> None:
        """Raise where x and y are no points of a piecewise-linear function."""

    @abstractmethod
    def _mismatch(self, wanted: int, given: int, what: str) -> Exception:
        """The error where a matrix has other columns than there are variables for it."""

    @abstractmethod
    def _add_form(self, terms: ExpressionArray, sense: Any, name: Any) -> Any:
        """Add a quadratic expression compared with zero."""

    @abstractmethod
    def _between(self, whole: Any, lower: float, upper: float, name: str) -> None:
        """Add a linear expression between two sides: one may be infinite, both the same."""

    @abstractmethod
    def addVar(self, *, name: str = "") -> Any:
        """Add a variable without bound above and cost, at least 0."""

    @abstractmethod
    def setObjective(self, expr: Any, sense: Any = None) -> None:
        """Set the objective, and its sense where one is given."""

    def _columns(self, x: Any, count: int, what: str) -> ExpressionArray:
        """The variables, of all where x is None, that `count` columns of `what` belong to."""
        if x is None:
            self.update()
            x = self._state.columns
        found = x._held if isinstance(x, Variables) else flat.objects(map(plain, x))
        if found.size != count:
            raise self._mismatch(count, found.size, what)
        return flat.of_variables(found.reshape(-1))

    def update(self) -> None:
        """Make what was added or changed visible."""
        self._state.update()

    def _operands(self, function: GeneralFunction, given: Any) -> list[Any]:
        """The operands of a general constraint."""
        return members(given)

    def _number_of(self, constr: Any) -> Any:
        """The number of a row that is to be read."""
        return constr._row

    def _has(self, handle: Any) -> None:
        """Raise where a variable or constraint is another model's."""

    def _twin(self, name: str) -> Any:
        """Another model with the content of this one's store."""
        kind: Any = type(self)
        made = kind(name)
        copy_into(made._state, self._state.seen(), self._new_var, self._new_row)
        return made

    def _kept(self, kind: type[Part], part: store.StoredConstraint) -> Part:
        """Add a part; its handle."""
        self._state.add_part(part)
        return kind(self._state, part)

    def _parts(self, kind: type[Part], family: str) -> list[Part]:
        """The handles of one kind among a family's parts."""
        parts = self._state.seen().family(family)
        return [part.handle for part in parts if isinstance(part.handle, kind)]

    def addGenConstrMax(self, resvar: Any, vars: Any, constant: Any = None, name: str = "") -> Any:
        """Add resvar = the largest of variables and numbers."""
        return self._extreme(GeneralFunction.MAX, resvar, vars, constant, name)

    def addGenConstrMin(self, resvar: Any, vars: Any, constant: Any = None, name: str = "") -> Any:
        """Add resvar = the least of variables and numbers."""
        return self._extreme(GeneralFunction.MIN, resvar, vars, constant, name)

    def addGenConstrAnd(self, resvar: Any, vars: Any, name: str = "") -> Any:
        """Add resvar = 1 if all binary variables are 1, else 0."""
        return self._extreme(GeneralFunction.AND, resvar, vars, None, name)

    def addGenConstrOr(self, resvar: Any, vars: Any, name: str = "") -> Any:
        """Add resvar = 1 if any binary variable is 1, else 0."""
        return self._extreme(GeneralFunction.OR, resvar, vars, None, name)

    def addGenConstrAbs(self, resvar: Any, argvar: Any, name: str = "") -> Any:
        """Add resvar = the absolute value of argvar."""
        return self._function(name, GeneralFunction.ABS, resvar, [argvar])

    def addGenConstrPWL(self, xvar: Any, yvar: Any, xpts: Any, ypts: Any, name: str = "") -> Any:
        """Add yvar = a function of xvar that is linear between points."""
        xs, ys = [float(x) for x in xpts], [float(y) for y in ypts]
        self._points(xs, ys)
        return self._function(name, GeneralFunction.PWL, yvar, [xvar], zipped(xs, ys))

    def _extreme(
        self, function: GeneralFunction, resvar: Any, vars: Any, constant: Any, name: str
    ) -> Any:
        """Add resvar = max, min, and, or of variables among which numbers may stand."""
        result = self._variable(resvar)
        given = self._operands(function, vars)
        numbers = [] if constant is None else [float(constant)]
        numbers += [float(found) for found in map(number, given) if found is not None]
        variables = [item for item in given if number(item) is None]
        best = max if function == GeneralFunction.MAX else min
        return self._function(
            name, function, result, variables, (best(numbers),) if numbers else ()
        )

    def _function(
        self,
        name: str,
        function: GeneralFunction,
        resvar: Any,
        operands: Sequence[Any],
        numbers: tuple[float, ...] = (),
    ) -> Any:
        """Add resvar = function of the operands."""
        numbers = self._accepted(function, numbers)
        chosen, result = [self._variable(item) for item in operands], self._variable(resvar)
        self._state.check([result, *chosen])
        part = store.GeneralPart(
            name=str(name), function=function, result=result, operands=chosen, numbers=numbers
        )
        return self._kept(self._general, part)

    def _accepted(self, function: GeneralFunction, numbers: tuple[float, ...]) -> tuple[float, ...]:
        """The numbers of a function as the library takes them, which may raise its error."""
        return numbers

    def _imply(self, binary: Any, active: int, whole: Any, sense: str, name: str) -> Any:
        """Add: if the binary variable is `active`, then `whole` (sense) 0."""
        self._state.check([binary, *whole._v])
        part = store.IndicatorPart(
            name=str(name),
            binary=binary,
            active=active,
            coeffs=whole._c,
            variables=whole._v,
            sense=sense,
            rhs=0.0 - whole._k,
        )
        return self._kept(self._indicator, part)

    def _curve(
        self, whole: Any, sense: str, name: str, rhs: float = 0.0, low: float | None = None
    ) -> Any:
        """Add a quadratic `whole` (sense) rhs; with the sense R, low <= whole <= rhs."""
        linear = whole._linear
        self._state.check([*linear._v, *whole._a, *whole._b])
        part = store.QuadraticPart(
            name=str(name),
            linear=make(self._lin, linear._c[:], linear._v[:], 0.0),
            products=(whole._q[:], whole._a[:], whole._b[:]),
            sense=sense,
            rhs=float(rhs - linear._k),
            low=None if low is None else float(low - linear._k),
        )
        return self._kept(self._quadratic, part)

    def _ordered(self, kind: Any, variables: list[Any], weights: Any, uneven: Exception) -> Any:
        """Add a special ordered set; without weights the order given counts."""
        chosen = range(1, len(variables) + 1) if weights is None else weights
        numbers = [float(weight) for weight in chosen]
        if len(numbers) != len(variables):
            raise uneven
        self._state.check(variables)
        return self._kept(
            self._set, store.SosPart(kind=int(kind), variables=variables, weights=numbers)
        )

    def _aim_at(self, found: Any, maximize: bool | None) -> None:
        """Make an expression the objective, and its sense where one is given."""
        state, products = self._state, None
        if isinstance(found, QuadExpr):
            products = (found._q[:], found._a[:], found._b[:])
            state.check([*found._a, *found._b])
            found = found._linear
        state.check(found._v)
        coeffs, variables, constant = found._c[:], found._v[:], float(found._k)
        columns = len(state.columns)

        def put() -> None:
            state.set_costs(coeffs, variables, columns)
            state.goal.constant, state.goal.products = constant, products
            state.extra.pop("PWLObj", None)
            if maximize is not None:
                state.maximize = maximize

        state.later(put)

    def _objective(self) -> Any:
        """The objective as an expression."""
        state = self._state.seen()
        chosen = [j for j in range(state.cols_live) if state.cost[j] != 0.0]
        costs, variables = [state.cost[j] for j in chosen], [state.columns[j] for j in chosen]
        linear = make(self._lin, costs, variables, state.goal.constant)
        products = state.goal.products
        return self._quad._of(linear, *(list(part) for part in products)) if products else linear

    def _expression(self, goal: store.Goal) -> Any:
        """One of several objectives as an expression."""
        return make(self._lin, list(goal.coeffs), list(goal.variables), goal.constant)

    def getRow(self, constr: Any) -> Any:
        """The left side of a linear constraint."""
        state = self._state.seen()
        index, value = state.row(self._number_of(constr))
        return make(self._lin, value, [state.columns[j] for j in index], 0.0)

    def getCoeff(self, constr: Any, var: Any) -> float:
        """The coefficient of a variable in a linear constraint."""
        self._has(var)
        index, value = self._state.seen().row(self._number_of(constr))
        return float(value[index.index(var._col)]) if var._col in index else 0.0

    def getCol(self, var: Any) -> Any:
        """The constraints that mention a variable, with its coefficients."""
        var = self._variable(var)
        self._has(var)
        state, made = self._state.seen(), self._column()
        entries = np.flatnonzero(np.array(state.index) == var._col)
        rows = np.searchsorted(np.array(state.starts), entries, "right") - 1
        made._pairs = [
            (state.rows[i], state.value[k])
            for i, k in zip(rows.tolist(), entries.tolist(), strict=True)
        ]
        return made

    def getA(self) -> Any:
        """The linear constraints' coefficients as a scipy matrix."""
        state = self._state.seen()
        starts = np.array(state.starts[: state.rows_live + 1])
        value, index = (np.array(part[: starts[-1]]) for part in (state.value, state.index))
        return csr_matrix((value, index, starts), shape=(state.rows_live, state.cols_live))

    def addMQConstr(
        self,
        Q: Any,
        c: Any,
        sense: Any,
        rhs: Any,
        xQ_L: Any = None,
        xQ_R: Any = None,
        xc: Any = None,
        name: Any = "",
    ) -> Any:
        """Add xQ_L' Q xQ_R + c' xc (sense) rhs."""
        form = self._form(Q, c, xQ_L, xQ_R, xc)
        return self._add_form(flat.plus(form, flat.of_constants(rhs), -1.0), sense, name)

    def _form(self, Q: Any, c: Any, xQ_L: Any, xQ_R: Any, xc: Any) -> ExpressionArray:
        """xQ_L' Q xQ_R + c' xc as one expression."""
        total, parts = flat.of_constants(0.0), []
        if Q is not None:
            matrix = flat.numbers_of(Q)
            left = flat.product(self._columns(xQ_L, matrix.shape[0], "Q"), matrix)
            parts.append(flat.product(left, self._columns(xQ_R, matrix.shape[1], "Q")))
        if c is not None:
            costs = np.asarray(c, float).reshape(-1)
            parts.append(flat.product(costs, self._columns(xc, len(costs), "c")))
        for part in parts:
            assert part is not None
            total = flat.plus(total, part)
        return total

    def setMObjective(
        self,
        Q: Any,
        c: Any,
        constant: Any,
        xQ_L: Any = None,
        xQ_R: Any = None,
        xc: Any = None,
        sense: Any = None,
    ) -> None:
        """Set the objective xQ_L' Q xQ_R + c' xc + constant."""
        form = self._form(Q, c, xQ_L, xQ_R, xc)
        whole = flat.plus(form, flat.of_constants(float(constant)))
        self.setObjective(self._array._made(whole).item(), sense)

    def _loosen(
        self, constr: Any, prices: tuple[float, float], names: tuple[str, str] = ("", "")
    ) -> list[tuple[str, Any, float]]:
        """Let a row's lower and upper side be violated by new variables, but at infinite prices.

        Each such side, with its variable and price.
        """
        sense, made = chr(self._state.senses[constr._row]), []
        for side, sign, senses, price, name in zip(
            ("lower", "upper"), (1.0, -1.0), (">=R", "<=R"), prices, names, strict=True
        ):
            if sense in senses and price < ENDLESS:
                violation = self.addVar(name=name)
                self._state.set_coefficient(constr, violation, sign)
                made.append((side, violation, price))
        return made

    def _new_columns(
        self, lower: list[float], upper: list[float], cost: list[float], kinds: bytes
    ) -> list[Any]:
        """Add variables, binary ones within 0 and 1; the handles. The caller names them."""
        if VarType.BINARY in kinds:
            binary = [kind == VarType.BINARY for kind in kinds]
            lower = [max(low, 0.0) if one else low for one, low in zip(binary, lower, strict=True)]
            upper = [min(up, 1.0) if one else up for one, up in zip(binary, upper, strict=True)]
        state, new_var = self._state, self._new_var
        first = len(state.columns)
        made = [new_var(state, number) for number in range(first, first + len(kinds))]
        state.add_cols(made, lower, upper, cost, kinds)
        return made

    def _fill(self, found: Model) -> None:
        """Put a linear model's columns and rows into an empty store."""
        state = self._state
        state.name, state.maximize, state.goal.constant = found.name, found.maximize, found.offset
        bounds, cost = (found.col_lower.tolist(), found.col_upper.tolist()), found.objective
        made = [self._new_var(state, j) for j in range(found.n)]
        state.add_cols(made, *bounds, cost.tolist(), bytes(found.types))
        state.col_names.add_many(found.col_names)
        for i, name in enumerate(found.row_names):
            index, value = (part.tolist() for part in found.row(i))
            whole = make(self._lin, value, [made[j] for j in index], 0.0)
            self._between(whole, found.row_lower.item(i), found.row_upper.item(i), name)
        state.update()

    def _take(self, problem: Problem) -> None:
        """Put a problem into an empty store."""
        self._fill(problem.model)
        state, x = self._state, self._state.columns

        def whole(index: Any, value: Any, quadratic: Quadratic | None = None) -> Any:
            linear = make(self._lin, value.tolist(), [x[j] for j in index.tolist()], 0.0)
            if quadratic is None:
                return linear
            first, second = ([x[j] for j in part.tolist()] for part in quadratic[:2])
            return self._quad._of(linear, quadratic.value.tolist(), first, second)

        if problem.quadratic is not None:
            none = np.zeros(0)
            self._aim_at(self._objective() + whole(none, none, problem.quadratic), None)
        for row in problem.quadratic_rows:
            body = whole(row.index, row.value, row.quadratic)
            for sense, side in one_sided(row.lower, row.upper):
                self._curve(body, sense, row.name, side)
        for tie in problem.indicators:
            for sense, side in one_sided(tie.lower, tie.upper):
                body = whole(tie.index, tie.value) - side
                self._imply(x[tie.binary], tie.active, body, sense, tie.name)
        for sos in problem.sos:
            variables, weights = [x[j] for j in sos.index.tolist()], sos.weights.tolist()
            self._ordered(sos.kind, variables, weights, ValueError())._part.name = sos.name
        for each in problem.general:
            operands = [x[j] for j in each.operands.tolist()]
            self._function(each.name, each.function, x[each.result], operands, each.numbers)
        for k, goal in enumerate(problem.objectives):
            used = np.flatnonzero(goal.coefficients)
            self._pursue(k, goal, whole(used, goal.coefficients[used]) + goal.offset)
        state.update()

    @abstractmethod
    def _pursue(self, number: int, goal: LinearObjective, expression: Any) -> None:
        """Set one of several objectives as a file has it."""

    def _column_array(self, shape: Any, numbers: Sequence[Any], vtype: Any, name: Any) -> Objects:
        """Add an array of variables with these lower and upper bounds, costs and types."""
        shape = flat.shape_of(shape)
        lower, upper, cost = (flat.repeated(part, shape).tolist() for part in numbers)
        letters = np.broadcast_to(np.asarray(vtype), shape).reshape(-1).tolist()
        codes = {letter: self._kind_of(str(letter)) for letter in dict.fromkeys(letters)}
        made = self._new_columns(lower, upper, cost, bytes(map(codes.__getitem__, letters)))
        store.name_array(self._state.col_names, name, shape)
        return flat.objects(made).reshape(shape)

    def _product_array(self, A: Any, x: Any, senses: str, b: Any, name: Any) -> Objects:
        """Add the rows A x (sense) b, of one sense or each of its own."""
        matrix = flat.numbers_of(A)
        left = flat.product(matrix, self._columns(x, matrix.shape[1], "A"))
        assert left is not None
        return self._row_array(left, senses, b, name)

    def _row_array(self, terms: ExpressionArray, senses: str, rhs: Any, name: Any) -> Objects:
        """Add a row for each expression (sense) its right side; the handles."""
        state, size = self._state, terms.size
        state.check(terms.variables)
        part = terms.linear
        order, starts = flat.grouped(part.rows, size)
        first, base = len(state.rows), len(state.index)
        state.index.frombytes(part.columns()[0].astype(np.int32)[order].tobytes())
        state.value.frombytes(part.coeffs[order].tobytes())
        state.starts.frombytes((base + starts[1:]).astype(np.int64).tobytes())
        state.senses.extend(senses.encode() * (size if len(senses) == 1 else 1))
        sides = np.broadcast_to(np.asarray(rhs, float), terms.shape).reshape(-1) - terms.constants
        state.rhs.frombytes(np.clip(sides, -self._infinity, self._infinity).tobytes())
        made = [self._new_row(state, row) for row in range(first, first + size)]
        state.rows.extend(made)
        store.name_array(state.row_names, name, terms.shape)
        return flat.objects(made).reshape(terms.shape)
