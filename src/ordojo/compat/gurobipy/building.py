"""Model methods that look up, add, change, remove and copy what a model has, and set objectives."""

import gc
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import GeneratorType
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix

from ordojo.compat.core import expressions as core
from ordojo.compat.core.assemble import merged, quadratic_of
from ordojo.compat.core.expressions import Products, make
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.model import ColumnPairs
from ordojo.compat.core.store import (
    name_group,
    owner,
)
from ordojo.compat.core.tuples import combined_keys, loop_names
from ordojo.compat.gurobipy.errors import (
    LONGEST,
    GurobiError,
    called,
    failure,
    finite,
    invalid,
    named,
    numeric,
    real,
    unsupported,
)
from ordojo.compat.gurobipy.expressions import (
    GenExpr,
    LinExpr,
    NLExpr,
    QuadExpr,
    TempConstr,
    as_expression,
    tupledict,
)
from ordojo.compat.gurobipy.general import GeneralConstraints
from ordojo.compat.gurobipy.handles import (
    SOS,
    Constr,
    GenConstr,
    Handle,
    PartHandle,
    QConstr,
    Var,
    kind_of,
    new_constr,
    new_var,
    single,
    start_name,
)
from ordojo.compat.gurobipy.state import goal_at, goal_read, maximizes
from ordojo.milp.model import ENDLESS, VarType
from ordojo.milp.problem import LinearObjective


class Column(ColumnPairs):
    """Pairs of coefficient and constraint."""

    __slots__ = ()

    def __init__(self, coeffs: Any = None, constrs: Any = None) -> None:
        self._pairs = []
        if constrs is not None:
            self.addTerms(coeffs, constrs)

    def addTerms(self, coeffs: Any, constrs: Any) -> None:
        """Add one pair, or as many as both lists hold."""
        if not isinstance(constrs, Iterable):
            coeffs, constrs = [coeffs], [constrs]
        numbers, rows = [float(c) for c in coeffs], list(constrs)
        if len(numbers) != len(rows):
            raise invalid("Array lengths don't match")
        if not all(isinstance(row, Constr) for row in rows):
            raise invalid("Only linear constraints allowed")
        self._pairs += zip(rows, numbers, strict=True)

    def size(self) -> int:
        return len(self._pairs)

    def __repr__(self) -> str:
        return f"<gurobi.Column: {''.join(f'{c} {k.ConstrName} ' for k, c in self._pairs)}>"


Column.__module__ = "gurobipy"


def _of_name(names: Any, name: Any, items: list[Any], live: int) -> Any:
    place = names.find(named(name))
    return items[place] if place is not None and place < live else None


def _remove_part(part: Any) -> None:
    part.removed = True


def index_keys(indices: Sequence[Any]) -> list[Any]:
    """The keys that the index arguments of `addVars` mean."""
    lists = [range(part) if type(part) is int else list(part) for part in indices]
    return combined_keys(lists)


def _spread(given: Any, keys: list[Any], default: Any) -> list[Any]:
    """A value per key, of a single one, a list, an array or a dictionary that may have gaps."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        return [given] * len(keys)
    if isinstance(given, Mapping):
        return [given.get(key, default) for key in keys]
    found: list[Any] = np.ravel(np.array(list(given), object)).tolist()
    assert len(found) == len(keys)
    return found


def _each(given: Any, keys: list[Any], default: float) -> list[float]:
    """A number per key."""
    if isinstance(given, int | float):
        numbers = [float(given)] * len(keys)
    else:
        numbers = [real(item) for item in _spread(given, keys, default)]
    numeric(numbers)
    return numbers


def _kinds(given: Any, keys: list[Any]) -> bytes:
    if isinstance(given, str):
        return bytes([kind_of(single(given))]) * len(keys)
    return bytes([kind_of(single(letter)) for letter in _spread(given, keys, "C")])


def _names(given: Any, keys: list[Any]) -> str | list[str]:
    """The base of the variables' names, or a name for each."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        return called(str(given or ""))
    return [called(name) for name in _spread(given, keys, "")]


_BINARY = kind_of("B")
_CODES = {letter: kind_of(letter) for letter in "CBISNcbisn"}
_HINTS = "VarHintVal VarHintPri BranchPriority Partition PoolIgnore PStart DStart IISLBForce "
_HINTS += "IISUBForce IISConstrForce"
"""Attributes that a copy does not have."""
_SENSES = {"<": ord("<"), ">": ord(">"), "=": ord("=")}


def add_row(
    state: Any, coeffs: list[float], variables: list[Any], sense: str, rhs: float, name: str
) -> Constr:
    """Add a linear row."""
    if rhs != rhs:
        raise invalid("Constant is Nan")
    if type(name) is not str or len(name) > LONGEST:
        called(name)
    total = sum(coeffs)
    if total - total != 0.0:  # some are infinite, or none, which Gurobi takes for zero
        finite([c for c in coeffs if c == c])
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


_SPELLED = {"<": "< <= =<", ">": "> >= =>", "=": "= =="}
_OF_SENSE = {text: sense for sense, texts in _SPELLED.items() for text in texts.split()}


def sense_of(text: Any) -> str | None:
    """One of < > = for any of Gurobi's spellings of a sense."""
    return _OF_SENSE.get(text) if isinstance(text, str) else None


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


class Building(GeneralConstraints):
    """Adds variables and constraints, sets objectives, tells, changes and copies."""

    _lin, _quad, _column = LinExpr, QuadExpr, Column
    _quadratic, _set = QConstr, SOS
    _new_var, _new_row = staticmethod(new_var), staticmethod(new_constr)
    _kind_of = staticmethod(kind_of)

    def _number_of(self, constr: Any) -> Any:
        found = self._of_kind(Constr, constr, "constraint")
        row = found._row
        if found._store is self._state and found._awaits():
            text = f"Invalid index range for constraint query: [{row}, {row + 1}]"
            raise failure("INDEX_OUT_OF_RANGE", text)
        self._has(found)
        return row

    def getVars(self) -> list[Var]:
        return list(self._state.columns[: self._state.cols_live])

    def getConstrs(self) -> list[Constr]:
        return list(self._state.rows[: self._state.rows_live])

    def getQConstrs(self) -> list[QConstr]:
        return self._parts(QConstr, "quadratic")

    def getSOSs(self) -> list[SOS]:
        return self._parts(SOS, "sos")

    def getVarByName(self, name: str) -> Any:
        """The first variable of that name; None without one."""
        state = self._state
        return _of_name(state.col_names, name, state.columns, state.cols_live)

    def getConstrByName(self, name: str) -> Any:
        """The first linear constraint of that name; None without one."""
        state = self._state
        return _of_name(state.row_names, name, state.rows, state.rows_live)

    def chgCoeff(self, constr: Any, var: Any, newvalue: float) -> None:
        """Change a coefficient at the next update."""
        var, constr = self._variable(var), self._of_kind(Constr, constr, "constraint")
        state = self._state
        state.check([var])
        if constr._store is not state:
            raise failure("NOT_IN_MODEL", "Constraint not in model")
        finite([value := float(newvalue)])
        state.set_coefficient(constr, var, value)

    def getCoeff(self, constr: Any, var: Any) -> float:
        """The coefficient of a variable in a linear constraint."""
        var, constr = self._variable(var), self._of_kind(Constr, constr, "constraint")
        self._has(var)
        self._has(constr)
        return super().getCoeff(constr, var)

    def getQCRow(self, qc: Any) -> QuadExpr:
        """The left side of a quadratic constraint."""
        part = self._part_of(QConstr, qc, "quadratic constraint")
        index, value = merged(part.linear._c, part.linear._v)
        order = index.argsort()
        columns = [self._state.columns[j] for j in index[order].tolist()]
        linear = make(LinExpr, value[order].tolist(), columns, 0.0)
        products = zip(*self._products(part.products), strict=True)
        ordered = sorted(products, key=lambda found: (found[1]._col, found[2]._col))
        parts = [list(items) for items in zip(*ordered, strict=True)]
        return QuadExpr._of(linear, *(parts or ([], [], [])))

    def _products(self, given: Products) -> Products:
        """Products as the model has them: each pair once, the first variable of both first."""
        found, columns = quadratic_of(*given), self._state.columns
        first, second = (
            [columns[j] for j in part.tolist()] for part in (found.first, found.second)
        )
        return found.value.tolist(), first, second

    def getSOS(self, sos: Any) -> tuple[int, list[Any], list[float]]:
        """Type, variables and weights of a special ordered set."""
        part = self._part_of(SOS, sos, "special ordered set")
        return part.kind, list(part.variables), list(part.weights)

    def remove(self, items: Any) -> None:
        """Remove variables or constraints at the next update."""
        members = getattr(items, "tolist", None)
        if isinstance(items, Mapping):
            items = list(items.values())
        elif members is not None:
            items = np.ravel(np.array(members(), dtype=object)).tolist()
        if isinstance(items, Iterable) and not isinstance(items, str | Var):
            for item in list(items):
                self.remove(item)
            return
        state = self._state
        if isinstance(items, Handle) and items._number() != -1 and items._store is not state:
            raise GurobiError(-1, "Item to be removed is not in model")
        if isinstance(items, Var | Constr):
            if items._number() >= 0:
                state.remove(items)
        elif isinstance(items, PartHandle):
            if items._awaits():
                kinds = {QConstr: "quadratic constraint", GenConstr: "general constraint"}
                kind = kinds.get(type(items), "SOS constraint")
                raise GurobiError(-1, f"Tried to remove a {kind} that does not exist")
            state.later(_remove_part, items._part)
        else:
            raise GurobiError(
                -1, "Item to be removed not a Var, Constr, SOS, QConstr, or GenConstr"
            )

    def getQ(self) -> Any:
        """The objective's products as a scipy matrix."""
        state = self._state
        q, a, b = state.goal.products or ([], [], [])
        places = ([v._col for v in a], [v._col for v in b])
        return coo_matrix((np.array(q, float), places), shape=(state.cols_live, state.cols_live))

    def copy(self) -> Any:
        """Another model with the same content as of the last update; the solution stays behind."""
        old = self._state
        made = self._twin(f"{old.name}_copy")
        new = made._state
        new.params.changed.update(old.params.changed)
        new.several, new.meant, new.big = old.several, old.several, old.big
        for j in (j for j, kind in enumerate(new.kinds) if kind == VarType.BINARY):
            new.lower[j], new.upper[j] = max(new.lower[j], 0.0), min(new.upper[j], 1.0)
        left = {*_HINTS.split(), *map(start_name, range(old.start_count))}
        for name, values in old.extra.items():
            if name in left:
                continue
            new.extra[name] = {
                (new.columns if hasattr(handle, "_col") else new.rows)[handle._number()]: value
                for handle, value in values.items()
                if hasattr(handle, "_col") or hasattr(handle, "_row")
            }
        new.update()
        return made

    def relax(self) -> Any:
        """The continuous relaxation: no integer variables, no special ordered sets."""
        made = self.copy()
        state = made._state
        if state.parts.get("general"):
            raise unsupported(
                "relax of a model with general constraints", "write them as linear rows first"
            )
        kinds, lower = list(state.kinds), list(state.lower)
        for j, kind in enumerate(kinds):
            if kind in (VarType.SEMICONTINUOUS, VarType.SEMIINTEGER):
                lower[j] = min(lower[j], 0.0)
            kinds[j] = VarType.CONTINUOUS
        state.kinds, state.lower = bytearray(kinds), array("d", lower)
        state.parts.pop("sos", None)
        return made

    def fixed(self) -> Any:
        """The continuous model with the integer variables fixed at the solution."""
        state = self._state
        if not any(state.kinds):
            raise GurobiError(-1, "Failed to create fixed model")
        if state.x is None:
            raise failure("DATA_NOT_AVAILABLE", "Unable to retrieve attribute 'X'")
        values, whole = list(state.x), bytes(state.kinds)
        made = self.copy()
        other = made._state
        for j, kind in enumerate(whole):
            if kind:
                value = values[j]
                near = float(round(value))
                # Ten times IntFeasTol: what is farther off is a semi-continuous value, not noise.
                value = near if abs(near - value) < 1e-4 else value
                other.lower[j] = other.upper[j] = value
                other.kinds[j] = VarType.CONTINUOUS
        return made

    def addVar(
        self,
        lb: float = 0.0,
        ub: float = 1e100,
        obj: float = 0.0,
        vtype: str = "C",
        name: str = "",
        column: Any = None,
    ) -> Var:
        state = self._state
        kind = _CODES.get(vtype) if isinstance(vtype, str) else None
        if kind is None:
            kind = kind_of(vtype)
        if kind == _BINARY:
            lb, ub = max(real(lb), 0.0), min(real(ub), 1.0)
        if lb != lb or ub != ub or obj != obj:
            numeric(math.nan)
        if type(name) is not str or len(name) > LONGEST:  # a call less for each variable
            called(name)
        if column is not None:
            finite([coefficient for _, coefficient in column._pairs])
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
        names = _names(name, keys)
        # A collector's run over the many new objects would find nothing to free.
        enabled = gc.isenabled()
        gc.disable()
        try:
            made = self._new_columns(lower, upper, cost, kinds)
            found = tupledict(zip(keys, made, strict=True))
        finally:
            if enabled:
                gc.enable()
        if isinstance(names, str):
            state.col_names.add_group(names, keys)
        else:
            state.col_names.add_many(names)
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
        raise invalid("Invalid value for Model.addConstr")

    def _relation(self, tc: TempConstr, name: Any) -> Any:
        """A comparison that is not simply a linear expression against a number."""
        named(name)
        left, sense, right = core.plain(tc._lhs), tc._sense, core.plain(tc._rhs)
        if sense == ">>":
            return self._implied(left, right, name)
        if isinstance(right, GenExpr) or isinstance(left, GenExpr):
            return self._equal(left, sense, right, name)
        if isinstance(left, NLExpr) or isinstance(right, NLExpr):
            return self._formula(left, sense, right, name)
        if isinstance(right, list | tuple) and sense == "=":
            if isinstance(right, tuple):
                raise invalid("Range constraint requires a list [lb,ub]")
            if len(right) != 2:
                raise invalid("Range constraint requires two values")
            return self.addRange(left, right[0], right[1], name)
        lhs, rhs = as_expression(left), as_expression(right)
        if lhs is None or rhs is None:
            raise _no_side(left if lhs is None else right, rhs if lhs is None else lhs)
        return self._added(lhs - rhs, sense, name)

    def _added(self, whole: Any, sense: str, name: Any) -> Any:
        """Add `whole` (sense) 0."""
        if isinstance(whole, CoreQuad):
            return self._curve(whole, sense, name)
        return add_row(self._state, whole._c, whole._v, sense, 0.0 - whole._k, name)

    def addLConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: Any = "") -> Any:
        """Add a linear constraint from a comparison, or from its two sides and a sense."""
        if isinstance(lhs, TempConstr):
            if isinstance(sense, str) and not name:
                name = sense
            lhs, sense, rhs = lhs._lhs, lhs._sense, lhs._rhs
        left, right = as_expression(lhs), as_expression(rhs)
        sense = sense_of(sense)
        if not isinstance(left, LinExpr) or not isinstance(right, LinExpr) or sense is None:
            raise GurobiError(0, "Invalid argument to Model.addLConstr")
        return self._added(left - right, sense, name)

    def addQConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: Any = "") -> Any:
        """Add a quadratic constraint from a comparison, or from its two sides and a sense."""
        if isinstance(lhs, TempConstr):
            return self._relation(lhs, name or (sense if isinstance(sense, str) else ""))
        left, right = as_expression(lhs), as_expression(rhs)
        sense = sense_of(sense)
        if left is None or right is None or sense is None:
            raise GurobiError(0, "Invalid argument to Model.addQConstr")
        return self._added(left - right, sense, name)

    def addRange(self, expr: Any, lower: float, upper: float, name: str = "") -> Any:
        """Add lower <= expr <= upper.

        As Gurobi has it: an equation with a further variable where both sides are finite.
        """
        state, found = self._state, as_expression(expr)
        if isinstance(found, CoreQuad):
            return self._curve(found, "R", name, low=float(lower), rhs=float(upper))
        if found is None:
            raise invalid("Invalid value for Model.addRange")
        state.check(found._v)
        finite(found._c)
        numeric([low := float(lower), up := float(upper)])
        if up >= ENDLESS or low <= -ENDLESS:
            sense, side = (">", low) if up >= ENDLESS else ("<", up)
            return add_row(state, found._c, found._v, sense, side - found._k, name)
        label = name or f"R{len(state.rows)}"
        spare = self.addVar(0.0, up - low, name=f"Rg{label}")
        return add_row(state, [*found._c, 1.0], [*found._v, spare], "=", up - found._k, name)

    def _curve(
        self, whole: Any, sense: str, name: str, rhs: float = 0.0, low: float | None = None
    ) -> Any:
        side = rhs - whole._linear._k
        if side != side:
            raise invalid("Constant is Nan")
        finite([c for c in (*whole._linear._c, *whole._q) if c == c])
        return super()._curve(whole, sense, name, rhs, low)

    def _aim_at(self, found: Any, maximize: bool | None) -> None:
        linear = found._linear if isinstance(found, CoreQuad) else found
        finite(linear._c)
        finite(found._q if isinstance(found, CoreQuad) else ())
        finite(linear._k, lone=True)
        if isinstance(found, CoreQuad):
            self._state.check([*found._a, *found._b])
            products = self._products((found._q, found._a, found._b))
            found = QuadExpr._of(linear, *products) if products[0] else linear
        super()._aim_at(found, maximize)

    def _between(self, whole: Any, lower: float, upper: float, name: str) -> None:
        if -np.inf < lower < upper < np.inf:
            self.addRange(whole, lower, upper, name)
            return
        sense = "=" if lower == upper else "<" if lower == -np.inf else ">"
        rhs = upper if sense == "<" else lower
        add_row(self._state, whole._c, whole._v, sense, rhs, name)

    def addConstrs(self, generator: Any, name: Any = "") -> tupledict:
        """Add a constraint for each comparison of a generator; its loop variables are the keys."""
        if not isinstance(generator, GeneratorType):
            raise KeyError("Missing constraint index")
        state = self._state
        base = called(str(name or ""))
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
        if base:
            name_group(state, first, keys, made, base)
        return tupledict(zip(keys, made, strict=True))

    def addSOS(self, type: Any, vars: Any, wts: Any = None) -> Any:
        """Add a special ordered set; without weights the order given counts."""
        if isinstance(type, str):
            raise TypeError("an integer is required")
        given = vars.values() if isinstance(vars, Mapping) else vars
        several = [self._variable(var) for var in given]
        if len(set(several)) != len(several):
            raise failure("DUPLICATES", "Problem adding SOS constraints")
        text = "Length of weight list differs from length of variable list"
        return self._ordered(1 if type == 1 else 2, several, wts, GurobiError(0, text))

    def setObjective(self, expr: Any, sense: Any = None) -> None:
        """Set the objective, and its sense where one is given."""
        found = _objective(expr)
        self._aim_at(found, None if sense is None else maximizes(sense))

    def setObjectiveN(
        self,
        expr: Any,
        index: int,
        priority: Any = 0,
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
        finite(found._c)
        coeffs, variables = found._c[:], found._v[:]

        if isinstance(priority, str):
            raise TypeError("an integer is required")
        if index < 0:
            raise invalid("Objective index must be non-negative")
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

    def _pursue(self, number: int, goal: LinearObjective, expression: Any) -> None:
        figures = goal.priority, goal.weight, goal.abs_tol, goal.rel_tol
        self.setObjectiveN(expression, number, *figures, goal.name)

    def getObjective(self, index: int | None = None) -> Any:
        """The objective as an expression."""
        state = self._state
        if index is None:
            return self._objective()
        if index < 0:
            text = f"Unable to set parameter ObjNumber to value {index} (minimum is 0)"
            raise failure("VALUE_OUT_OF_RANGE", text)
        goal = goal_read(state, index)
        return self._expression(goal) if index else self._objective()

    def setPWLObj(self, var: Any, x: Any, y: Any) -> None:
        """Give a variable a piecewise-linear term in the objective."""
        xs, ys = [float(each) for each in x], [float(each) for each in y]
        if len(xs) != len(ys):
            raise GurobiError(-1, "Arguments x and y must have the same length")
        if not xs:
            return
        numeric(xs)
        numeric(ys)
        var, state, numbers = self._variable(var), self._state, core.zipped(xs, ys)
        state.check([var])

        def put() -> None:
            if var._col >= 0:
                state.cost[var._col] = 0.0
                state.extra.setdefault("PWLObj", {})[var] = numbers

        state.later(put)

    def getPWLObj(self, var: Any) -> list[tuple[float, float]]:
        """The points of a variable's piecewise-linear objective term."""
        numbers = self._state.pieces.get(self._variable(var), ())
        return list(zip(numbers[::2], numbers[1::2], strict=True))
