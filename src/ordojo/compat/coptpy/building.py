"""Model methods that add and change variables and constraints."""

import operator
from collections.abc import Callable, Mapping
from types import GeneratorType
from typing import Any

from ordojo.compat.coptpy.constants import COPT, LETTERS, cut, sense_of
from ordojo.compat.coptpy.errors import CoptError, invalid, unsupported
from ordojo.compat.coptpy.expressions import (
    ConstrBuilder,
    GenConstrBuilder,
    LinExpr,
    NlExpr,
    as_expression,
    formula,
    index_keys,
    tupledict,
)
from ordojo.compat.coptpy.functions import Functions
from ordojo.compat.coptpy.handles import (
    Constraint,
    ConstrArray,
    HandleArray,
    NlConstraint,
    PartHandle,
    Var,
    given,
    kind_of,
    members,
    new_constr,
    over,
    paired,
)
from ordojo.compat.core import expressions as core
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.store import FormulaPart, name_group, replace_rows
from ordojo.compat.core.tuples import keyed


def comparison(lhs: Any, sense: Any, rhs: Any) -> Any:
    """The comparison that the arguments of `addConstr` mean."""
    if isinstance(lhs, ConstrBuilder):
        return lhs
    if rhs is None or lhs is None:
        raise ValueError("Unsupported constraint sense")
    letter = sense_of(sense)
    if letter is None:
        return core.relate(ConstrBuilder, lhs, "N", rhs)
    compare = {"<": operator.le, ">": operator.ge, "=": operator.eq}
    made = compare[letter](lhs, rhs)
    if isinstance(made, bool):
        return core.relate(ConstrBuilder, LinExpr(lhs), letter, rhs)
    return made


def difference(relation: Any) -> Any:
    """Left less right side of a comparison; of a range, the left side."""
    left = as_expression(relation._lhs)
    if isinstance(relation._rhs, list | tuple):
        if left is None or len(relation._rhs) != 2:
            raise ValueError("A range constraint needs an expression and two numbers")
        return left
    right = as_expression(relation._rhs)
    if left is None or right is None:
        side = relation._rhs if left is not None else relation._lhs
        kind = type(side).__name__
        raise TypeError(f"float() argument must be a string or a real number, not '{kind}'")
    return left - right


def linear_row(state: Any, relation: Any, whole: Any, name: str) -> Constraint:
    """Add a linear comparison, whose sides differ by `whole`."""
    if isinstance(relation._rhs, list | tuple):
        lower, upper = (float(side) for side in relation._rhs)
        return add_range(state, whole, lower, upper, name)
    if relation._sense == "N":
        return add_range(state, whole, -COPT.INFINITY, COPT.INFINITY, name)
    return add_row(state, whole, relation._sense, 0.0 - whole._k, name)


def add_row(state: Any, whole: Any, sense: str, rhs: float, name: str) -> Constraint:
    """Add a linear row: the terms of `whole` (sense) rhs."""
    coeffs, variables, _ = core.linear(whole) or ([], [], 0.0)
    state.check(variables)
    constr = new_constr(state, len(state.rows))
    state.add_row(constr, coeffs, variables, ord(sense), cut(rhs))
    state.row_names.add(str(name))
    return constr


def add_range(state: Any, whole: Any, lower: float, upper: float, name: str) -> Constraint:
    """Add lower <= whole <= upper."""
    constant = whole._k if isinstance(whole, core.LinExpr) else 0.0
    constr = add_row(state, whole, "<", 0.0, name)
    state.set_sides(constr._row, cut(lower - constant), cut(upper - constant))
    return constr


def _is_quadratic(item: Any) -> bool:
    return isinstance(item, ConstrBuilder) and (
        isinstance(item._lhs, CoreQuad) or isinstance(item._rhs, CoreQuad)
    )


def _kind(letter: Any) -> int:
    try:
        return kind_of(letter)
    except CoptError:
        raise invalid("Fail to add a variable") from None


def _each(asked: Any, keys: list[Any], shape: list[int], default: Any) -> list[Any]:
    """One value per key, of one value, a dictionary, or lists nested like the index lists."""
    if isinstance(asked, str) or core.number(asked) is not None:
        return [asked] * len(keys)
    if isinstance(asked, Mapping):
        # COPT looks up tuples only: keys of other kinds count for nothing.
        if not any(isinstance(key, tuple) for key in asked):
            return [default] * len(keys)
        wanted = [key if isinstance(key, tuple) else (key,) for key in keys]
        if any(key not in asked for key in wanted):
            raise IndexError("A dictionary lacks a value for some of the keys")
        return [asked[key] for key in wanted]
    if asked is None:
        raise TypeError("float() argument must be a string or a real number, not 'NoneType'")
    values = list(asked)
    for _ in shape[1:]:
        if values and hasattr(values[0], "__iter__") and not isinstance(values[0], str):
            values = [item for part in values for item in part]
    if len(values) < len(keys):
        raise IndexError("list index out of range")
    return values[: len(keys)]


class Building(Functions):
    """Adds and changes variables and constraints."""

    def addConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> Any:
        """Add a linear constraint or an indicator; what is added comes back."""
        if isinstance(lhs, tuple) and len(lhs) == 3:
            lhs, sense, rhs = lhs
        adds = getattr(lhs, "_add_to", None)
        if adds is not None:
            return adds(self, name, "addConstr")
        if isinstance(lhs, GenConstrBuilder):
            return self._implied(lhs, name)
        if isinstance(lhs, bool):
            return add_row(self._state, LinExpr(), "<", 0.0 if lhs else -1.0, name)
        relation = comparison(lhs, sense, rhs)
        if hasattr(relation, "_add_to"):
            return relation._add_to(self, name, "addConstr")
        if isinstance(relation._lhs, NlExpr) or isinstance(relation._rhs, NlExpr):
            raise ValueError("Unsupported constraint sense")
        whole = difference(relation)
        if isinstance(whole, CoreQuad):
            raise TypeError("'QConstrBuilder' or 'MQConstrBuilder' is not valid for argument 'lhs'")
        return linear_row(self._state, relation, whole, name)

    def addBoundConstr(
        self,
        expr: Any,
        lb: float = -COPT.INFINITY,
        ub: float = COPT.INFINITY,
        name: str = "",
    ) -> Any:
        """Add lb <= expr <= ub."""
        whole = as_expression(expr)
        if whole is None or isinstance(whole, CoreQuad):
            raise unsupported(
                "a bounded constraint that is not linear",
                "give one quadratic constraint for each side",
            )
        return add_range(self._state, whole, float(lb), float(ub), name)

    def addConstrs(self, generator: Any, nameprefix: str = "R") -> Any:
        """Add a constraint for each comparison; a generator's loop variables are the keys."""
        adds = getattr(generator, "_add_to", None)
        if adds is not None:
            return adds(self, nameprefix, "addConstrs")
        state = self._state
        if isinstance(generator, bool):
            return self.addConstr(generator, name=nameprefix)
        if isinstance(generator, int):
            return ConstrArray(
                [
                    add_row(state, LinExpr(), "=", 0.0, f"{nameprefix}({k})")
                    for k in range(generator)
                ]
            )
        if isinstance(generator, ConstrBuilder | GenConstrBuilder):
            return self.addConstr(generator, name=nameprefix)
        return self._add_each(generator, self._add_linear, nameprefix)

    def _add_linear(self, item: Any) -> Any:
        if _is_quadratic(item):
            raise TypeError("'QConstrBuilder' is not valid in argument 'generator'")
        return self.addConstr(item)

    def _add_each(self, items: Any, add: Callable[[Any], Any], prefix: Any) -> tupledict:
        """Add each comparison of a generator, dictionary or list, named by its key or number."""
        first = len(self._state.rows)
        keys: list[Any] = []
        if isinstance(items, GeneratorType):
            made = [add(item) for item in keyed(items, keys)]
        else:
            several = items if isinstance(items, Mapping) else dict(enumerate(items))
            keys, made = list(several), [add(item) for item in several.values()]
        name_group(self._state, first, keys, made, str(prefix))
        return tupledict(zip(keys, made, strict=True))

    def getConstrBuilders(self, constrs: Any = None) -> Any:
        """The comparisons that linear constraints hold."""
        if isinstance(constrs, Constraint):
            lower, upper = self._state.sides(constrs._row)
            made = ConstrBuilder()
            row = self.getRow(constrs)
            if lower == upper or upper < COPT.INFINITY:
                made.setBuilder(row, LETTERS["=" if lower == upper else "<"], upper)
            else:
                made.setBuilder(row, LETTERS[">"], lower)
            return made
        if isinstance(constrs, Mapping):
            return tupledict({key: self.getConstrBuilders(c) for key, c in constrs.items()})
        return HandleArray([self.getConstrBuilders(c) for c in constrs or self.getConstrs()])

    def addVar(
        self,
        lb: float = 0.0,
        ub: float = COPT.INFINITY,
        obj: float = 0.0,
        vtype: str = COPT.CONTINUOUS,
        name: str = "",
        column: Any = None,
    ) -> Var:
        """Add a variable."""
        if not isinstance(name, str):
            raise TypeError("The name of a variable is a text")
        lower, upper, cost = [given(lb)], [given(ub)], [given(obj)]
        var: Var = self._new_columns(lower, upper, cost, bytes([_kind(vtype)]))[0]
        self._state.col_names.add(name)
        if column is not None:
            for constr, coefficient in column._pairs:
                self.setCoeff(constr, var, coefficient)
        return var

    def addVars(
        self,
        *indices: Any,
        lb: Any = 0.0,
        ub: Any = COPT.INFINITY,
        obj: Any = 0.0,
        vtype: Any = COPT.CONTINUOUS,
        nameprefix: str = "C",
    ) -> tupledict:
        """Add a variable for each key, or for each combination of keys of several lists."""
        keys, shape = index_keys(indices)
        lower, upper, cost = (
            [given(value) for value in _each(part, keys, shape, default)]
            for part, default in ((lb, 0.0), (ub, COPT.INFINITY), (obj, 0.0))
        )
        letters = _each(vtype, keys, shape, COPT.CONTINUOUS)
        made = self._new_columns(lower, upper, cost, bytes(map(_kind, letters)))
        self._state.col_names.add_group(str(nameprefix), keys)
        return tupledict(zip(keys, made, strict=True))

    def addQConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> Any:
        """Add a quadratic constraint; a linear one where there are no products."""
        adds = getattr(lhs, "_add_to", None)
        if adds is not None:
            return adds(self, name, "addQConstr")
        if isinstance(lhs, bool | GenConstrBuilder):
            return self.addConstr(lhs, name=name)
        if isinstance(lhs, tuple) and len(lhs) == 3:
            lhs, sense, rhs = lhs
        relation = comparison(lhs, sense, rhs)
        if hasattr(relation, "_add_to"):
            return relation._add_to(self, name, "addQConstr")
        if isinstance(relation._lhs, NlExpr) or isinstance(relation._rhs, NlExpr):
            raise ValueError("Unsupported quadratic constraint sense")
        whole = difference(relation)
        if not isinstance(whole, CoreQuad):
            return linear_row(self._state, relation, whole, name)
        return self._curve(whole, relation._sense, name)

    def addNlConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> Any:
        """Add a nonlinear constraint; a quadratic or linear one where it is no more than that."""
        if isinstance(lhs, bool):
            return self.addConstr(lhs, name=name)
        relation = comparison(lhs, sense, rhs)
        if not isinstance(relation._lhs, NlExpr) and not isinstance(relation._rhs, NlExpr):
            return self.addQConstr(relation, name=name)
        whole = formula("-", relation._lhs, relation._rhs)
        if whole is NotImplemented:
            raise TypeError("A nonlinear constraint needs expressions on both sides")
        part = FormulaPart(name=str(name), formula=whole)
        part.result = (relation._sense, 0.0)
        return self._kept(NlConstraint, part)

    def addNlConstrs(self, generator: Any, nameprefix: str = "NR") -> Any:
        """Add a nonlinear constraint for each comparison."""
        if isinstance(generator, bool | ConstrBuilder):
            return self.addNlConstr(generator, name=nameprefix)
        return self._add_each(generator, self.addNlConstr, nameprefix)

    def setCoeff(self, constr: Constraint, var: Var, newval: float) -> None:
        """Change a coefficient."""
        self.setCoeffs([constr], [var], [newval])

    def setCoeffs(self, constrs: Any, vars: Any, newvals: Any) -> None:
        """Change several coefficients: of each constraint for the variable at the same place."""
        state = self._state
        state.update()
        if isinstance(constrs, Constraint):
            constrs, vars = [constrs], [vars]
        keys = list(constrs) if isinstance(constrs, Mapping) else None
        rows = list(constrs.values()) if keys is not None else list(constrs)
        cols = [vars[key] for key in keys] if keys is not None else list(vars)
        if core.number(newvals) is not None:
            values = [newvals] * len(rows)
        else:
            values = [newvals[key] for key in keys] if keys is not None else list(newvals)
        rebuilt: dict[int, dict[int, float]] = {}
        for row, var, value in zip(rows, cols, values, strict=True):
            state.check([var])
            if row._row not in rebuilt:
                rebuilt[row._row] = dict(zip(*state.row(row._row), strict=True))
            rebuilt[row._row][var._col] = float(value)
        replace_rows(
            state, {i: {j: c for j, c in terms.items() if c != 0.0} for i, terms in rebuilt.items()}
        )

    def remove(self, args: Any) -> None:
        """Take variables, constraints or other parts out of the model."""
        state = self._state
        state.update()
        for item in members(args):
            if isinstance(item, PartHandle):
                item._part.removed = True
            elif isinstance(item, Var | Constraint):
                state.remove(item)
                if isinstance(item, Constraint):
                    state.lows.pop(item, None)
            else:
                raise unsupported(
                    f"removing a {type(item).__name__}", "give variables and constraints"
                )
        state.proposed.pairs = [pair for pair in state.proposed.pairs if pair[0]._col >= 0]
        state.update()

    def getInfo(self, infoname: str, args: Any) -> Any:
        """A piece of information of one or several variables or constraints."""
        return over(args, lambda item: item.getInfo(infoname))

    def setInfo(self, infoname: str, args: Any, newvals: Any) -> None:
        """Change a piece of information of one or several variables or constraints."""
        for item, value in paired(args, newvals):
            item.setInfo(infoname, value)

    def getVarType(self, args: Any) -> Any:
        """The letters of variables' types."""
        return over(args, lambda var: var.getType())

    def setVarType(self, vars: Any, vartypes: Any) -> None:
        """Change variables' types."""
        for var, letter in paired(vars, vartypes):
            var.setType(letter)

    def setNames(self, args: Any, names: Any) -> None:
        """Name variables or constraints: from a list, or by a prefix and their number."""
        if isinstance(names, str):
            for number, item in enumerate(members(args)):
                item.setName(f"{names}({number})")
            return
        for item, name in paired(args, names):
            item.setName(name)
