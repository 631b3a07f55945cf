"""Model methods that look things up, change and remove them, and copy a model."""

from array import array
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import coo_matrix

from ordojo.compat.core import model as core
from ordojo.compat.core.assemble import merged, quadratic_of
from ordojo.compat.core.expressions import Products, make, plain
from ordojo.compat.core.store import FormulaPart, GeneralPart, IndicatorPart
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, failure, finite, named, unsupported
from ordojo.compat.gurobipy.expressions import LinExpr, QuadExpr
from ordojo.compat.gurobipy.handles import (
    SOS,
    TYPES,
    Constr,
    GenConstr,
    Handle,
    PartHandle,
    QConstr,
    Var,
    general_type,
    kind_of,
    new_constr,
    new_var,
)
from ordojo.milp.model import VarType
from ordojo.solvers.problem import GeneralFunction

Kind = TypeVar("Kind")


class Column(core.ColumnPairs):
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
            raise failure("INVALID_ARGUMENT", "Array lengths don't match")
        if not all(isinstance(row, Constr) for row in rows):
            raise failure("INVALID_ARGUMENT", "Only linear constraints allowed")
        self._pairs += zip(rows, numbers, strict=True)

    def size(self) -> int:
        return len(self._pairs)

    def __repr__(self) -> str:
        return f"<gurobi.Column: {''.join(f'{c} {k.ConstrName} ' for k, c in self._pairs)}>"


Column.__module__ = "gurobipy"


def _named(names: Any, name: Any, items: list[Any], live: int) -> Any:
    place = names.find(named(name))
    return items[place] if place is not None and place < live else None


def _getter(function: GeneralFunction) -> Any:
    """The `getGenConstr...` of a function: what `addGenConstr...` was given."""

    def get(model: Any, genconstr: Any) -> tuple[Any, ...]:
        part = model._part_of(GenConstr, genconstr, "general constraint")
        if not isinstance(part, GeneralPart) or part.function != function:
            raise _other_type(part, TYPES[function])
        numbers = part.numbers
        result, operands = part.result, list(part.operands)
        match function:
            case GeneralFunction.MAX | GeneralFunction.MIN:
                none = -1e30 if function == GeneralFunction.MAX else 1e30
                return result, operands, numbers[0] if numbers else none
            case GeneralFunction.AND | GeneralFunction.OR | GeneralFunction.NORM:
                return result, operands, *numbers
            case GeneralFunction.ABS:
                return result, operands[0]
            case GeneralFunction.PWL:
                return operands[0], result, list(numbers[::2]), list(numbers[1::2])
            case GeneralFunction.POLY:
                return operands[0], result, list(numbers)
        return operands[0], result, *numbers

    get.__doc__ = f"What a general constraint of the kind {function.value} consists of."
    return get


def _other_type(part: Any, asked: int) -> GurobiError:
    text = f"General constraint has type {general_type(part)}, but called get method for type"
    return failure("INVALID_ARGUMENT", f"{text} {asked}")


def _remove_part(part: Any) -> None:
    part.removed = True


class Querying(core.ProgramModel):
    """Tells, changes and copies what a model has."""

    _lin, _quad, _column = LinExpr, QuadExpr, Column
    _general = _indicator = GenConstr
    _quadratic, _set = QConstr, SOS
    _new_var, _new_row = staticmethod(new_var), staticmethod(new_constr)
    _kind_of = staticmethod(kind_of)

    def _variable(self, value: Any) -> Var:
        return self._of_kind(Var, value, "variable")

    def _of_kind(self, kind: type[Kind], value: Any, what: str) -> Kind:
        """The handle that is given, perhaps as an array without dimensions."""
        single = plain(value)
        if not isinstance(single, kind):
            if hasattr(single, "_as_expression"):
                single.item()  # raises, as there are several or none
            raise TypeError(f"{single} is not a {what}")
        return single

    def _number_of(self, constr: Any) -> Any:
        found = self._of_kind(Constr, constr, "constraint")
        row = found._row
        if found._store is self._state and found._awaits():
            text = f"Invalid index range for constraint query: [{row}, {row + 1}]"
            raise failure("INDEX_OUT_OF_RANGE", text)
        self._has(found)
        return row

    def _has(self, handle: Any) -> None:
        if handle._store is not self._state or handle._awaits():
            kinds = {Var: "Variable", SOS: "SOS", GenConstr: "General constraint"}
            raise failure("NOT_IN_MODEL", f"{kinds.get(type(handle), 'Constraint')} not in model")

    def _part_of(self, kind: type[PartHandle], value: Any, what: str) -> Any:
        handle = self._of_kind(kind, value, what)
        self._has(handle)
        handle._check()
        return handle._part

    def getVars(self) -> list[Var]:
        return list(self._state.columns[: self._state.cols_live])

    def getConstrs(self) -> list[Constr]:
        return list(self._state.rows[: self._state.rows_live])

    def getQConstrs(self) -> list[QConstr]:
        return self._parts(QConstr, "quadratic")

    def getGenConstrs(self) -> list[GenConstr]:
        return self._parts(GenConstr, "general")

    def getSOSs(self) -> list[SOS]:
        return self._parts(SOS, "sos")

    def getVarByName(self, name: str) -> Any:
        """The first variable of that name; None without one."""
        state = self._state
        return _named(state.col_names, name, state.columns, state.cols_live)

    def getConstrByName(self, name: str) -> Any:
        """The first linear constraint of that name; None without one."""
        state = self._state
        return _named(state.row_names, name, state.rows, state.rows_live)

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

    getGenConstrMax = _getter(GeneralFunction.MAX)
    getGenConstrMin = _getter(GeneralFunction.MIN)
    getGenConstrAbs = _getter(GeneralFunction.ABS)
    getGenConstrAnd = _getter(GeneralFunction.AND)
    getGenConstrOr = _getter(GeneralFunction.OR)
    getGenConstrNorm = _getter(GeneralFunction.NORM)
    getGenConstrPWL = _getter(GeneralFunction.PWL)
    getGenConstrPoly = _getter(GeneralFunction.POLY)
    getGenConstrExp = _getter(GeneralFunction.EXP)
    getGenConstrExpA = _getter(GeneralFunction.EXPA)
    getGenConstrLog = _getter(GeneralFunction.LOG)
    getGenConstrLogA = _getter(GeneralFunction.LOGA)
    getGenConstrPow = _getter(GeneralFunction.POW)
    getGenConstrSin = _getter(GeneralFunction.SIN)
    getGenConstrCos = _getter(GeneralFunction.COS)
    getGenConstrTan = _getter(GeneralFunction.TAN)
    getGenConstrLogistic = _getter(GeneralFunction.LOGISTIC)

    def getGenConstrIndicator(self, genconstr: Any) -> tuple[Any, ...]:
        """Binary variable, its value, and the comparison it implies."""
        part = self._part_of(GenConstr, genconstr, "general constraint")
        if not isinstance(part, IndicatorPart):
            raise _other_type(part, GRB.GENCONSTR_INDICATOR)
        lhs = make(LinExpr, list(part.coeffs), list(part.variables), 0.0)
        return part.binary, part.active, lhs, part.sense, part.rhs

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
        if any(isinstance(part, FormulaPart) for part in old.family("general")):
            raise unsupported("copying a model with nonlinear formulas", "build it a second time")
        made = self._twin(f"{old.name}_copy")
        new = made._state
        new.params.changed.update(old.params.changed)
        new.several, new.meant, new.big = old.several, old.several, old.big
        new.start_count = old.start_count
        for j in (j for j, kind in enumerate(new.kinds) if kind == VarType.BINARY):
            new.lower[j], new.upper[j] = max(new.lower[j], 0.0), min(new.upper[j], 1.0)
        for name, values in old.extra.items():
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
