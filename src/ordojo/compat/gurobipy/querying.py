"""Model methods that look things up and change them."""

from array import array
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix

from ordojo.compat.core import expressions as core
from ordojo.compat.core import shared
from ordojo.compat.core.assemble import merged
from ordojo.compat.core.shared import coefficient, column_of, row_of
from ordojo.compat.core.store import (
    FormulaPart,
    GeneralPart,
    IndicatorPart,
    QuadraticPart,
    SosPart,
)
from ordojo.compat.gurobipy.errors import GurobiError, failure, unsupported
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
    new_constr,
    new_var,
)
from ordojo.milp.model import VarType
from ordojo.solvers.problem import GeneralFunction


class Column(shared.ColumnPairs):
    """Pairs of coefficient and constraint."""

    __slots__ = ()

    def __init__(self, coeffs: Any = None, constrs: Any = None) -> None:
        self._pairs = []
        if constrs is not None:
            self.addTerms(coeffs, constrs)

    def addTerms(self, coeffs: Any, constrs: Any) -> None:
        """Add one pair, or as many as both lists hold."""
        if not isinstance(constrs, Iterable):
            self._pairs.append((constrs, float(coeffs)))
            return
        numbers, rows = [float(c) for c in coeffs], list(constrs)
        if len(numbers) != len(rows):
            raise failure("INVALID_ARGUMENT", "Array lengths don't match")
        self._pairs += zip(rows, numbers, strict=True)

    def size(self) -> int:
        """The number of pairs."""
        return len(self._pairs)

    def __repr__(self) -> str:
        return f"<gurobi.Column: {''.join(f'{c} {k.ConstrName} ' for k, c in self._pairs)}>"


Column.__module__ = "gurobipy"


def getVars(model: Any) -> list[Var]:
    """All variables."""
    state = model._state
    return list(state.columns[: state.cols_live])


def getConstrs(model: Any) -> list[Constr]:
    """All linear constraints."""
    state = model._state
    return list(state.rows[: state.rows_live])


def _handles(model: Any, family: str, kind: type[PartHandle]) -> list[Any]:
    state = model._state
    return [part.handle or kind(state, part) for part in state.family(family)]


def getQConstrs(model: Any) -> list[QConstr]:
    """All quadratic constraints."""
    return _handles(model, "quadratic", QConstr)


def getGenConstrs(model: Any) -> list[GenConstr]:
    """All general constraints."""
    return _handles(model, "general", GenConstr)


def getSOSs(model: Any) -> list[SOS]:
    """All special ordered sets."""
    return _handles(model, "sos", SOS)


def _named(names: Any, name: Any, items: list[Any], live: int) -> Any:
    if not isinstance(name, str):
        raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
    place = names.find(name)
    return items[place] if place is not None and place < live else None


def getVarByName(model: Any, name: str) -> Var | None:
    """The first variable of that name."""
    state = model._state
    found: Var | None = _named(state.col_names, name, state.columns, state.cols_live)
    return found


def getConstrByName(model: Any, name: str) -> Constr | None:
    """The first linear constraint of that name."""
    state = model._state
    found: Constr | None = _named(state.row_names, name, state.rows, state.rows_live)
    return found


def getRow(model: Any, constr: Any) -> LinExpr:
    """The left side of a linear constraint."""
    state = model._state
    found: LinExpr = row_of(state, _live_row(state, constr), LinExpr)
    return found


def state_has(state: Any, handle: Any) -> None:
    """Raise GurobiError for a variable or constraint of another model."""
    handle._check()
    if handle._store is not state:
        what = "Variable" if isinstance(handle, Var) else "Constraint"
        raise failure("NOT_IN_MODEL", f"{what} not in model")


def _live_row(state: Any, constr: Any) -> int:
    state_has(state, constr)
    if constr._awaits():
        row = constr._row
        raise failure(
            "INDEX_OUT_OF_RANGE",
            f"Invalid index range for constraint query: [{row}, {row + 1}]",
        )
    number: int = constr._row
    return number


def getCol(model: Any, var: Any) -> Column:
    """The constraints that mention a variable, with its coefficients."""
    state_has(model._state, var)
    rows, coeffs = column_of(model._state, var._col)
    return Column(coeffs, rows)


def getCoeff(model: Any, constr: Any, var: Any) -> float:
    """The coefficient of a variable in a linear constraint."""
    state_has(model._state, var)
    return coefficient(model._state, _live_row(model._state, constr), var._col)


def chgCoeff(model: Any, constr: Any, var: Any, newvalue: float) -> None:
    """Change a coefficient at the next update."""
    if not isinstance(constr, Constr):
        raise TypeError(f"{constr} is not a constraint")
    if not isinstance(var, Var):
        raise TypeError(f"{var} is not a variable")
    state = model._state
    state.check([var])
    if constr._store is not state:
        raise failure("NOT_IN_MODEL", "Constraint not in model")
    state.set_coefficient(constr, var, float(newvalue))


def getQCRow(model: Any, qc: Any) -> QuadExpr:
    """The left side of a quadratic constraint."""
    part = qc._part
    assert isinstance(part, QuadraticPart)
    index, value = merged(part.linear._c, part.linear._v)
    order = index.argsort()
    columns = [model._state.columns[j] for j in index[order].tolist()]
    linear = core.make(LinExpr, value[order].tolist(), columns, 0.0)
    return QuadExpr._of(linear, *(list(items) for items in part.products))


def getSOS(model: Any, sos: Any) -> tuple[int, list[Any], list[float]]:
    """Type, variables and weights of a special ordered set."""
    part = sos._part
    assert isinstance(part, SosPart)
    return part.kind, list(part.variables), list(part.weights)


def _getter(function: GeneralFunction) -> Any:
    """The `getGenConstr...` of a function: what `addGenConstr...` was given."""

    def get(model: Any, genconstr: Any) -> tuple[Any, ...]:
        part = genconstr._part
        if not isinstance(part, GeneralPart) or part.function != function:
            raise failure(
                "INVALID_ARGUMENT",
                f"General constraint has type {general_type(part)}, "
                f"but called get method for type {TYPES[function]}",
            )
        numbers = part.numbers
        if function in (GeneralFunction.MAX, GeneralFunction.MIN):
            return part.result, list(part.operands), numbers[0] if numbers else None
        if function in (GeneralFunction.AND, GeneralFunction.OR):
            return part.result, list(part.operands)
        if function == GeneralFunction.ABS:
            return part.result, part.operands[0]
        if function == GeneralFunction.NORM:
            return part.result, list(part.operands), numbers[0]
        if function == GeneralFunction.PWL:
            return part.operands[0], part.result, list(numbers[::2]), list(numbers[1::2])
        if function == GeneralFunction.POLY:
            return part.operands[0], part.result, list(numbers)
        return (part.operands[0], part.result, *numbers)

    get.__doc__ = f"What a general constraint of the kind {function.value} consists of."
    return get


for _function in GeneralFunction:
    _words = {
        GeneralFunction.PWL: "PWL",
        GeneralFunction.EXPA: "ExpA",
        GeneralFunction.LOGA: "LogA",
    }
    _word = _words.get(_function, _function.value.capitalize())
    globals()[f"getGenConstr{_word}"] = _getter(_function)


def getGenConstrIndicator(model: Any, genconstr: Any) -> tuple[Any, ...]:
    """Binary variable, its value, and the comparison it implies."""
    part = genconstr._part
    if not isinstance(part, IndicatorPart):
        raise failure(
            "INVALID_ARGUMENT",
            f"General constraint has type {general_type(part)}, but called get method for type 7",
        )
    lhs = core.make(LinExpr, list(part.coeffs), list(part.variables), 0.0)
    return part.binary, part.active, lhs, part.sense, part.rhs


def remove(model: Any, items: Any) -> None:
    """Remove variables or constraints at the next update."""
    members = getattr(items, "tolist", None)
    if isinstance(items, Mapping):
        items = list(items.values())
    elif members is not None:
        items = np.ravel(np.array(members(), dtype=object)).tolist()
    if isinstance(items, Iterable) and not isinstance(items, str | Var):
        for item in list(items):
            remove(model, item)
        return
    state = model._state
    if isinstance(items, Handle) and items._number() != -1 and items._store is not state:
        raise GurobiError(-1, "Item to be removed is not in model")
    if isinstance(items, Var | Constr):
        if items._number() >= 0:
            state.remove(items)
    elif isinstance(items, PartHandle):
        state.later(_remove_part, items._part)
    else:
        raise GurobiError(-1, "Item to be removed not a Var, Constr, SOS, QConstr, or GenConstr")


def _remove_part(part: Any) -> None:
    part.removed = True


def getA(model: Any) -> Any:
    """The linear constraints' coefficients as a scipy matrix."""
    state = model._state
    live = state.rows_live
    starts = np.array(state.starts[: live + 1])
    end = int(starts[-1])
    parts = (np.array(state.value[:end]), np.array(state.index[:end]), starts)
    return csr_matrix(parts, shape=(live, state.cols_live))


def getQ(model: Any) -> Any:
    """The objective's products as a scipy matrix."""
    state = model._state
    q, a, b = state.goal.products or ([], [], [])
    places = ([v._col for v in a], [v._col for v in b])
    return coo_matrix((np.array(q, float), places), shape=(state.cols_live, state.cols_live))


def copy(model: Any) -> Any:
    """Another model with the same content as of the last update; the solution stays behind."""
    old = model._state
    if any(isinstance(part, FormulaPart) for part in old.family("general")):
        raise unsupported("copying a model with nonlinear formulas", "build it a second time")
    made = type(model)(f"{old.name}_copy" if old.name else "")
    new = made._state
    new.params.changed.update(old.params.changed)
    shared.copy_into(new, old, new_var, new_constr)
    new.several, new.big = old.several, old.big
    for name, values in old.extra.items():
        new.extra[name] = {
            (new.columns if hasattr(handle, "_col") else new.rows)[handle._number()]: value
            for handle, value in values.items()
            if hasattr(handle, "_col") or hasattr(handle, "_row")
        }
    new.update()
    return made


def relax(model: Any) -> Any:
    """The continuous relaxation: no integer variables, no special ordered sets."""
    made = copy(model)
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


def fixed(model: Any) -> Any:
    """The continuous model with the integer variables fixed at the solution."""
    state = model._state
    if not any(state.kinds):
        raise GurobiError(-1, "Failed to create fixed model")
    if state.x is None:
        raise failure("DATA_NOT_AVAILABLE", "Unable to retrieve attribute 'X'")
    values, whole = list(state.x), bytes(state.kinds)
    made = copy(model)
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
