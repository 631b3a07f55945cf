"""Variables and linear constraints."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ordojo.compat.coptpy.constants import KINDS, cut
from ordojo.compat.coptpy.errors import CoptError, invalid
from ordojo.compat.coptpy.expressions import ConstrBuilder, LinExpr, QuadExpr, Spelled, Term
from ordojo.compat.coptpy.information import Handle, basis, in_iis, kind_of, relaxed
from ordojo.compat.core import expr as core
from ordojo.compat.core.handles import maker


class Placed(Handle):
    """A variable or linear constraint."""

    __slots__ = ()

    def getBasis(self) -> int:
        """Not supported."""
        return basis(self)

    def getLowerIIS(self) -> int:
        """Whether the lower bound or side is in the infeasible subsystem."""
        return int(self.getInfo("iislb"))

    def getUpperIIS(self) -> int:
        """Whether the upper bound or side is in the infeasible subsystem."""
        return int(self.getInfo("iisub"))

    def remove(self) -> None:
        """Take it out of the model."""
        self._store.remove(self)
        self._store.update()


def _solution(var: Any) -> float:
    values = var._store.values()
    if values is None:
        raise var._failed()
    number: float = values[var._col]
    return number


def _reduced(var: Any) -> float:
    state = var._store
    if state.values() is None or state.result.col_dual is None:
        raise var._failed()
    return float(state.result.col_dual[var._col])


def _column(which: str) -> tuple[Any, Any]:
    def read(var: Any) -> float:
        return cut(getattr(var._store, which)[var._col])

    def write(var: Any, value: Any) -> None:
        getattr(var._store, which)[var._col] = cut(float(value))

    return read, write


def _set_kind(var: Any, letter: Any) -> None:
    var._store.kinds[var._col] = kind_of(letter)


_lower, _set_lower = _column("lower")
_upper, _set_upper = _column("upper")
_cost, _set_cost = _column("cost")


class Var(Spelled, Placed, core.Var):
    """A variable."""

    __slots__ = ()
    __hash__: Any = None
    __mul__ = core.Var.__mul__
    __rmul__ = core.Var.__mul__
    _what = "variable"
    _term, _lin, _quad, _relation = Term, LinExpr, QuadExpr, ConstrBuilder
    _reads: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "lb": _lower,
        "ub": _upper,
        "obj": _cost,
        "vtype": lambda v: KINDS[v._store.kinds[v._col]],
        "name": lambda v: v._store.col_names.given(v._col),
        "x": _solution,
        "value": _solution,
        "rc": _reduced,
        "redcost": _reduced,
        "basis": basis,
        "index": lambda v: v._col,
        "branchfactor": lambda v: 1.0,
        "iislb": in_iis("col_lower"),
        "iisub": in_iis("col_upper"),
        "relaxlb": relaxed("lower"),
        "relaxub": relaxed("upper"),
        "relaxvalue": relaxed("value"),
    }
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]] = {
        "lb": _set_lower,
        "ub": _set_upper,
        "obj": _set_cost,
        "vtype": _set_kind,
        "name": lambda v, name: v._store.col_names.rename(v._col, name),
        "branchfactor": lambda v, value: None,
    }

    @property
    def x(self) -> float:
        """The value in the solution."""
        return _solution(self)

    @x.setter
    def x(self, value: Any) -> None:
        raise invalid("Unknown variable information")

    @property
    def X(self) -> float:
        """The value in the solution."""
        return _solution(self)

    @X.setter
    def X(self, value: Any) -> None:
        raise invalid("Unknown variable information")

    @property
    def size(self) -> int:
        """One."""
        return 1

    @property
    def shape(self) -> tuple[int, ...]:
        """Of no dimension."""
        return ()

    def getType(self) -> str:
        """The letter of the type."""
        letter: str = self.getInfo("vtype")
        return letter

    def setType(self, newtype: str) -> None:
        """Change the type."""
        self.setInfo("vtype", newtype)

    def _place(self) -> int:
        return self._col

    def _failed(self) -> CoptError:
        return invalid("Fail to get variable information")


def _dual(constr: Any) -> float:
    result = _row_result(constr)
    if result.row_dual is None:
        raise constr._failed()
    return float(result.row_dual[constr._row])


def _row_result(constr: Any) -> Any:
    state = constr._store
    if state.outcome.rows != len(state.rows) or state.x is None:
        raise constr._failed()
    return state.result


def _activity(constr: Any) -> float:
    _row_result(constr)
    state = constr._store
    state.update()
    values, (index, coeffs) = state.x, state.row(constr._row)
    return float(sum(c * values[j] for j, c in zip(index, coeffs, strict=True)))


def _set_side(place: int) -> Callable[[Any, Any], None]:
    def write(constr: Any, value: Any) -> None:
        both = list(constr._store.sides(constr._row))
        both[place] = cut(float(value))
        constr._store.set_sides(constr._row, *both)

    return write


class Constraint(Placed):
    """A linear constraint."""

    __slots__ = ("_row", "_store")
    _row: int
    _what = "constraint"
    _reads: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "lb": lambda c: c._store.sides(c._row)[0],
        "ub": lambda c: c._store.sides(c._row)[1],
        "name": lambda c: c._store.row_names.given(c._row),
        "index": lambda c: c._row,
        "pi": _dual,
        "dual": _dual,
        "slack": _activity,
        "basis": basis,
        "iislb": in_iis("row_lower"),
        "iisub": in_iis("row_upper"),
        "relaxlb": relaxed("row_lower"),
        "relaxub": relaxed("row_upper"),
    }
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]] = {
        "lb": _set_side(0),
        "ub": _set_side(1),
        "name": lambda c, name: c._store.row_names.rename(c._row, name),
    }

    def _place(self) -> int:
        return self._row


new_var: Callable[[Any, int], Var] = maker(Var, core.Var, "_col")
"""The handle of a column."""
new_constr: Callable[[Any, int], Constraint] = maker(Constraint, Constraint, "_row")
"""The handle of a row."""

for _class in (Var, Constraint):
    _class.__module__ = "coptcore"
