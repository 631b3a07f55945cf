"""Model methods that look up, add, change and copy what a model has, and set objectives."""

import operator
from collections.abc import Callable, Mapping
from types import GeneratorType
from typing import Any

from ordojo.compat.coptpy.constants import (
    COPT,
    INFINITY,
    CoptError,
    cut,
    invalid,
    sense_of,
    unsupported,
)
from ordojo.compat.coptpy.expressions import (
    ConstrBuilder,
    LinExpr,
    NlExpr,
    QuadExpr,
    as_expression,
    formula,
    incompatible,
    index_keys,
    pairs,
    tupledict,
)
from ordojo.compat.coptpy.handles import (
    SOS,
    Cone,
    Constraint,
    ConstrArray,
    GenConstr,
    GenConstrArray,
    GenConstrX,
    NlConstraint,
    NlConstrArray,
    PartHandle,
    QConstraint,
    QConstrArray,
    SOSArray,
    Var,
    VarArray,
    given,
    kind_of,
    members,
    new_constr,
    new_var,
    over,
    paired,
)
from ordojo.compat.coptpy.state import Values
from ordojo.compat.core import expressions as core
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.model import ColumnPairs, ProgramModel
from ordojo.compat.core.store import FormulaPart, Goal, QuadraticPart, name_group
from ordojo.compat.core.tuples import keyed
from ordojo.milp.model import INF, VarType
from ordojo.milp.problem import LinearObjective


class Column(ColumnPairs):
    """Pairs of constraint and coefficient."""

    __slots__ = ()

    def __init__(self, constrs: Any = None, coeffs: Any = None) -> None:
        self._pairs = []
        if isinstance(constrs, Column):
            self._pairs += constrs._pairs
        elif constrs is not None and coeffs is None and not isinstance(constrs, Constraint):
            self._pairs += [(constr, float(c)) for constr, c in constrs]
        elif constrs is not None:
            self.addTerms(constrs, 1.0 if coeffs is None else coeffs)

    def addTerm(self, constr: Any, coeff: float = 1.0) -> None:
        self._pairs.append((constr, float(coeff)))

    def addTerms(self, constrs: Any, coeffs: Any) -> None:
        if isinstance(constrs, Constraint):
            self.addTerm(constrs, coeffs)
            return
        self._pairs += zip(*pairs(constrs, coeffs), strict=True)

    def addColumn(self, col: "Column", mult: float = 1.0) -> None:
        self._pairs += [(constr, mult * c) for constr, c in col._pairs]

    def setCoeff(self, idx: int, newval: float) -> None:
        self._pairs[idx] = (self._pairs[idx][0], float(newval))

    def getSize(self) -> int:
        return len(self._pairs)

    clone = ColumnPairs.copy
    size = property(getSize)

    def __repr__(self) -> str:
        pairs_text = " ".join(f"({c.getName()}, {value})" for c, value in self._pairs)
        return f"<coptpy.Column: {pairs_text}>"


Column.__module__ = "coptcore"


def _at(items: list[Any], idx: Any, missing: str) -> Any:
    if idx is None or not 0 <= idx < len(items):
        raise invalid(missing)
    return items[idx]


def _parts_of(kind: type[PartHandle], array: Any, family: str, missing: str = "") -> Any:
    """The methods that give all parts of a kind, one by its number, and one by its name."""

    def several(model: Any) -> Any:
        return array(model._parts(kind, family))

    def numbered(model: Any, idx: Any) -> Any:
        return _at(model._parts(kind, family), idx, missing)

    def called(model: Any, name: str) -> Any:
        return _at([p for p in model._parts(kind, family) if p._part.name == name], 0, missing)

    return several, numbered, called


def _aim(model: Any, idx: int) -> Any:
    if int(idx) not in model._state.goals:
        raise invalid("Invalid objective index")
    return model._state.goals[int(idx)]


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


class Building(ProgramModel):
    """Adds and changes variables and constraints, sets objectives, tells and copies."""

    _lin, _quad, _column = LinExpr, QuadExpr, Column
    _general, _indicator, _quadratic, _set = GenConstrX, GenConstr, QConstraint, SOS
    _new_var, _new_row = staticmethod(new_var), staticmethod(new_constr)
    _kind_of, _infinity = staticmethod(kind_of), INFINITY

    def getVars(self) -> Any:
        return VarArray(self._state.columns)

    def getVar(self, idx: Any) -> Any:
        return _at(self._state.columns, idx, "Invalid col index")

    def getVarByName(self, name: str) -> Any:
        return self.getVar(self._state.col_names.find(name))

    def getConstrs(self) -> Any:
        return ConstrArray(self._state.rows)

    def getConstr(self, idx: Any) -> Any:
        return _at(self._state.rows, idx, "Invalid row index")

    def getConstrByName(self, name: str) -> Any:
        return self.getConstr(self._state.row_names.find(name))

    getQConstrs, getQConstr, getQConstrByName = _parts_of(
        QConstraint, QConstrArray, "quadratic", "Invalid quad row index"
    )
    getGenConstrs, getGenConstr, getGenConstrByName = _parts_of(
        GenConstr, GenConstrArray, "general", "No such general constraint"
    )
    getNlConstrs, *_ = _parts_of(NlConstraint, NlConstrArray, "general")
    getSOSs, *_ = _parts_of(SOS, SOSArray, "sos")

    def getA(self) -> Any:
        """The linear constraints' coefficients as a scipy matrix."""
        return super().getA().tocsc()

    def getQuadRow(self, qconstr: QConstraint) -> QuadExpr:
        """The left side of a quadratic constraint."""
        part: Any = qconstr._part
        return QuadExpr._of(part.linear.copy(), *(list(items) for items in part.products))

    def clone(self) -> Any:
        """Another model with the same content and parameters, unsolved."""
        old = self._state
        made = self._twin(old.name)
        new = made._state
        new.params = Values(old.params.changed)
        new.update()
        return made

    def addConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> Any:
        """Add a linear constraint or an indicator; what is added comes back."""
        return self._add(lhs, sense, rhs, name, curved=False)

    def addQConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> Any:
        """Add a quadratic constraint; a linear one where there are no products."""
        return self._add(lhs, sense, rhs, name, curved=True)

    def _add(self, lhs: Any, sense: Any, rhs: Any, name: str, curved: bool) -> Any:
        """Add a comparison, one with products only where it may be `curved`."""
        if isinstance(lhs, tuple) and len(lhs) == 3:
            lhs, sense, rhs = lhs
        if isinstance(lhs, ConstrBuilder) and lhs._sense == ">>":
            return self._implied(lhs._lhs._lhs, int(lhs._lhs._rhs), lhs._rhs, name)
        if isinstance(lhs, bool):
            return add_row(self._state, LinExpr(), "<", 0.0 if lhs else -1.0, name)
        relation = lhs if hasattr(lhs, "_add_to") else comparison(lhs, sense, rhs)
        if hasattr(relation, "_add_to"):
            return relation._add_to(self, name, curved)
        if isinstance(relation._lhs, NlExpr) or isinstance(relation._rhs, NlExpr):
            raise ValueError(f"Unsupported {'quadratic ' if curved else ''}constraint sense")
        whole = difference(relation)
        if not isinstance(whole, CoreQuad):
            return linear_row(self._state, relation, whole, name)
        if not curved:
            raise TypeError("'QConstrBuilder' or 'MQConstrBuilder' is not valid for argument 'lhs'")
        return self._curve(whole, relation._sense, name)

    def addBoundConstr(
        self, expr: Any, lb: float = -COPT.INFINITY, ub: float = COPT.INFINITY, name: str = ""
    ) -> Any:
        """Add lb <= expr <= ub."""
        whole = as_expression(expr)
        if whole is None or isinstance(whole, CoreQuad):
            raise unsupported(
                "a bounded constraint that is not linear",
                "give one quadratic constraint for each side",
            )
        return add_range(self._state, whole, float(lb), float(ub), name)

    def _between(self, whole: Any, lower: float, upper: float, name: str) -> None:
        add_range(self._state, whole, lower, upper, name)

    def addConstrs(self, generator: Any, nameprefix: str = "R") -> Any:
        """Add a constraint for each comparison; a generator's loop variables are the keys."""
        single = isinstance(generator, bool | ConstrBuilder)
        if single or hasattr(generator, "_add_to"):
            return self.addConstr(generator, name=nameprefix)
        if isinstance(generator, int):
            names = [f"{nameprefix}({k})" for k in range(generator)]
            return ConstrArray([add_row(self._state, LinExpr(), "=", 0.0, n) for n in names])
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

    def addVar(
        self,
        lb: float = 0.0,
        ub: float = COPT.INFINITY,
        obj: float = 0.0,
        vtype: str = COPT.CONTINUOUS,
        name: str = "",
        column: Any = None,
    ) -> Any:
        if not isinstance(name, str):
            raise TypeError("The name of a variable is a text")
        lower, upper, cost = [given(lb)], [given(ub)], [given(obj)]
        var = self._new_columns(lower, upper, cost, bytes([_kind(vtype)]))[0]
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
        if isinstance(generator, bool | ConstrBuilder):
            return self.addNlConstr(generator, name=nameprefix)
        return self._add_each(generator, self.addNlConstr, nameprefix)

    def setCoeffs(self, constrs: Any, vars: Any, newvals: Any) -> None:
        """Change several coefficients: of each constraint for the variable at the same place."""
        chosen = zip(paired(constrs, vars), paired(constrs, newvals), strict=True)
        for (constr, var), (_, value) in chosen:
            self._state.check([var])
            self._state.set_coefficient(constr, var, float(value))
        self._state.update()

    setCoeff = setCoeffs

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
        state.proposed = [pair for pair in state.proposed if pair[0]._col >= 0]
        state.update()

    def getInfo(self, infoname: str, args: Any) -> Any:
        return over(args, lambda item: item.getInfo(infoname))

    def setInfo(self, infoname: str, args: Any, newvals: Any) -> None:
        for item, value in paired(args, newvals):
            item.setInfo(infoname, value)

    def getVarType(self, args: Any) -> Any:
        return self.getInfo("vtype", args)

    def setVarType(self, vars: Any, vartypes: Any) -> None:
        self.setInfo("vtype", vars, vartypes)

    def setNames(self, args: Any, names: Any) -> None:
        """Name variables or constraints: from a list, or by a prefix and their number."""
        if isinstance(names, str):
            args = members(args)
            names = [f"{names}({number})" for number in range(len(args))]
        self.setInfo("name", args, names)

    def _variable(self, value: Any) -> Any:
        """A variable that equals a linear expression: itself, or a new one with a row."""
        single = core.plain(value)
        if isinstance(single, Var):
            return single
        found = as_expression(single)
        if found is None or isinstance(found, CoreQuad):
            raise TypeError("'Var' object(s) are required for argument 'vars'")
        if (alone := core.lone(found)) is not None:
            return alone
        state = self._state
        made = new_var(state, len(state.columns))
        state.add_col(made, -INF, INF, 0.0, VarType.CONTINUOUS)
        state.col_names.add("")
        self.addConstr(found - made == 0.0)
        return made

    def _points(self, xs: list[float], ys: list[float]) -> None:
        if len(xs) != len(ys):
            raise invalid("Lengths of x-points and y-points differ")

    def _implied(self, binary: Any, value: int, relation: Any, name: str) -> Any:
        """Add: if the binary variable has the value, then the linear comparison holds."""
        binary, state = core.plain(binary), self._state
        if not isinstance(binary, Var) or isinstance(relation._lhs, CoreQuad):
            raise TypeError("'Var' object(s) are required for argument 'var'")
        state.check([binary])
        if state.kinds[binary._col] != VarType.BINARY:
            raise invalid("Invalid indicator variable")
        left, right = as_expression(relation._lhs), as_expression(relation._rhs)
        if left is None or right is None:
            raise unsupported(
                "an indicator of a range constraint", "give one indicator for each side"
            )
        whole, sense = left - right, relation._sense
        if value not in (0, 1):
            # A binary variable never has that value, so nothing is implied.
            state.check(whole._v)
            value, whole, sense = 1, LinExpr(), "="
        return self._imply(binary, value, whole, sense, name)

    def addGenConstrIndicator(
        self,
        binvar: Any,
        binval: Any,
        lhs: Any,
        sense: Any = None,
        rhs: Any = None,
        type: int = COPT.INDICATOR_IF,
        name: str = "",
    ) -> Any:
        """Add: if binvar = binval, then the linear comparison holds."""
        if not isinstance(lhs, ConstrBuilder):
            lhs = core.relate(
                ConstrBuilder, lhs, sense_of(sense) or "N", 0.0 if rhs is None else rhs
            )
        if type != COPT.INDICATOR_IF:
            raise unsupported(
                "an indicator constraint of type ONLYIF or IFANDONLYIF",
                "state the reverse of it as one of type IF",
            )
        return self._implied(binvar, int(binval), lhs, name)

    def addGenConstrIndicators(self, builders: Any, nameprefix: str = "") -> Any:
        named = [(f"{nameprefix}({k})" if nameprefix else "", b) for k, b in enumerate(builders)]
        return GenConstrArray([self.addConstr(builder, name=name) for name, builder in named])

    def addCone(self, vars: Any, ctype: int = COPT.CONE_QUAD) -> Cone:
        """Add a second-order cone: x1^2 >= x2^2 + ..., or rotated: 2 x1 x2 >= x3^2 + ..."""
        several = core.members(vars)
        state = self._state
        state.check(several)
        heads = 1 if ctype == COPT.CONE_QUAD else 2
        if ctype not in (COPT.CONE_QUAD, COPT.CONE_RQUAD) or len(several) < heads:
            raise invalid("Fail to add cone")
        for head in several[:heads]:
            state.lower[head._col] = max(0.0, state.lower[head._col])
        tail = several[heads:]
        first, second, by = several[0], several[heads - 1], -1.0 if heads == 1 else -2.0
        part = QuadraticPart(
            linear=LinExpr(),
            products=([*[1.0] * len(tail), by], [*tail, first], [*tail, second]),
            sense="<",
        )
        return self._kept(Cone, part)

    def addSOS(self, sostype: Any, vars: Any, weights: Any = None) -> Any:
        """Add a special ordered set; without weights the order given counts."""
        several = core.members([vars] if isinstance(vars, Var) else vars)
        if isinstance(weights, Mapping) and isinstance(vars, Mapping):
            weights = [weights[key] for key in vars]
        return self._ordered(sostype, several, weights, invalid("Fail to add SOS constraint"))

    def setObjective(self, expr: Any, sense: Any = None) -> None:
        """Set the objective, and its sense where one is given."""
        state = self._state
        if sense is not None and (isinstance(sense, str) or core.number(sense) is None):
            raise TypeError("The sense of an objective is COPT.MINIMIZE or COPT.MAXIMIZE")
        state.formula = expr if isinstance(expr, NlExpr) else None
        found = LinExpr() if isinstance(expr, NlExpr) else as_expression(expr)
        if found is None:
            raise incompatible(expr)
        self._aim_at(found, None if sense is None else int(sense) < 0)

    def setObjSense(self, sense: int) -> None:
        self._state.maximize = int(sense) < 0

    def setObjConst(self, constant: float) -> None:
        self._state.goal.constant = float(constant)

    def getObjective(self) -> Any:
        """The objective as an expression."""
        formula = self._state.formula
        return self._objective() if formula is None else formula

    def delQuadObj(self) -> None:
        self._state.goal.products = None

    def delNlObj(self) -> None:
        self._state.formula = None

    def setObjectiveN(
        self,
        idx: int,
        expr: Any,
        sense: int = 0,
        priority: float = 0.0,
        weight: float = 1.0,
        abstol: float = 1e-6,
        reltol: float = 0.0,
    ) -> None:
        """Set one of several linear objectives, beside which the single one does not count."""
        found = as_expression(expr)
        if found is None or isinstance(found, CoreQuad):
            raise unsupported(
                "one of several objectives that is not linear",
                "move what is not linear into constraints",
            )
        state = self._state
        state.check(found._v)
        state.goals[int(idx)] = Goal(
            priority=float(priority),
            weight=float(weight),
            abs_tol=float(abstol),
            rel_tol=float(reltol),
            constant=float(found._k),
            coeffs=found._c,
            variables=found._v,
            sense=int(sense),
        )

    def _pursue(self, number: int, goal: LinearObjective, expression: Any) -> None:
        sense = COPT.MAXIMIZE if self._state.maximize else COPT.MINIMIZE
        figures = goal.priority, goal.weight, goal.abs_tol, goal.rel_tol
        self.setObjectiveN(number, expression, sense, *figures)

    def getObjectiveN(self, idx: int) -> Any:
        return self._expression(_aim(self, idx))

    def delObjN(self, idx: int) -> None:
        _aim(self, idx)
        del self._state.goals[int(idx)]

    def getAttrN(self, idx: int, attrname: str) -> float:
        """The value of one of several objectives."""
        aim = _aim(self, idx)
        if str(attrname).lower() != "objval":
            raise unsupported(f"getAttrN of '{attrname}'")
        x = self._state.x
        return COPT.INFINITY if x is None else aim.value(x)
