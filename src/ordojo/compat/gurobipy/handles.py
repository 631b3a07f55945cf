"""Variables, constraints and the other things that a program holds; attributes in any spelling."""

from collections.abc import Callable
from typing import Any, ClassVar

from ordojo.compat.core import expr as core
from ordojo.compat.core.handles import maker
from ordojo.compat.core.parts import Part
from ordojo.compat.gurobipy.attributes import read, write
from ordojo.compat.gurobipy.errors import GurobiError
from ordojo.compat.gurobipy.expressions import LinExpr, QuadExpr, Spelled, TempConstr, Term


class Handle:
    """Attribute access by Gurobi's names, whatever their case."""

    __slots__ = ()
    _what: ClassVar[str]
    _store: Any

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"'gurobipy.{self._what}' object has no attribute '{name}'")
        return read(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            write(self, name, value)

    def getAttr(self, attrname: str) -> Any:
        """An attribute's value."""
        return read(self, attrname)

    def setAttr(self, attrname: str, newval: Any) -> None:
        """Set an attribute, seen after the next update."""
        write(self, attrname, newval)

    def prefetchAttr(self, attrname: str) -> None:
        """Nothing: attributes are at hand."""

    def sameAs(self, other: Any) -> bool:
        """Whether both are the same object of the model."""
        return self is other

    def _number(self) -> int:
        """The place in the model; -1 where removed."""
        raise NotImplementedError

    def _live(self) -> int:
        """How many of the kind the last update left."""
        raise NotImplementedError

    def _awaits(self) -> bool:
        return self._number() >= self._live()

    def _check(self) -> None:
        if self._number() < 0:
            raise GurobiError(0, f"{self._what} was removed from the model")


class Var(Spelled, Handle, core.Var):
    """A variable."""

    __slots__ = ("__dict__",)
    __hash__ = core.Var.__hash__
    __mul__ = core.Var.__mul__
    __rmul__ = core.Var.__mul__
    _what = "Var"
    _term, _lin, _quad, _relation = Term, LinExpr, QuadExpr, TempConstr

    @property
    def X(self) -> float:
        """The value in the solution."""
        return self._value("X")

    @property
    def x(self) -> float:
        """The value in the solution."""
        return self._value("x")

    def _value(self, spelling: str) -> float:
        values = self._store.x
        if values is None or not 0 <= self._col < self._store.cols_live:
            found: float = read(self, spelling)
            return found
        number: float = values[self._col]
        return number

    @property
    def index(self) -> int:
        """The column's number; -1 before the update, -2 once removed."""
        return -2 if self._col < 0 else -1 if self._awaits() else self._col

    @property
    def nl(self) -> Any:
        """The variable as a nonlinear expression."""
        from ordojo.compat.gurobipy.expressions import formula

        return formula("leaf", self)

    def _number(self) -> int:
        return self._col

    def _live(self) -> int:
        live: int = self._store.cols_live
        return live

    def __repr__(self) -> str:
        label = self._store.label(self._col)
        if not label.startswith("*") and self._store.x is not None:
            label = f"{label} (value {self._store.x[self._col]})"
        return f"<gurobi.Var {label}>"


class Constr(Handle):
    """A linear constraint."""

    __slots__ = ("__dict__", "_row", "_store")
    _what = "Constr"
    _row: int

    @property
    def index(self) -> int:
        """The row's number; -1 before the update, -2 once removed."""
        return -2 if self._row < 0 else -1 if self._awaits() else self._row

    def _number(self) -> int:
        return self._row

    def _live(self) -> int:
        live: int = self._store.rows_live
        return live

    def __repr__(self) -> str:
        if self._row < 0:
            return "<gurobi.Constr *Removed*>"
        if self._awaits():
            return "<gurobi.Constr *Awaiting Model Update*>"
        return f"<gurobi.Constr {self._store.row_names[self._row]}>"


class PartHandle(Handle):
    """A handle of a part beside columns and rows."""

    __slots__ = ("__dict__", "_part", "_store")
    _part: Part

    def __init__(self, store: Any, part: Part) -> None:
        self._store, self._part = store, part
        part.handle = self

    @property
    def index(self) -> int:
        """The number among its kind; -1 before the update, -2 once removed."""
        return -2 if self._part.removed else self._part.number

    def _number(self) -> int:
        return (
            -1 if self._part.removed else self._part.number if self._part.number >= 0 else 1 << 60
        )

    def _live(self) -> int:
        return len(self._store.parts.get(self._part.family, ()))

    def _awaits(self) -> bool:
        return self._part.number < 0


class QConstr(PartHandle):
    """A quadratic constraint."""

    __slots__ = ()
    _what = "QConstr"

    def __repr__(self) -> str:
        if self._part.removed:
            return "<gurobi.QConstr *Removed*>"
        if self._awaits():
            return "<gurobi.QConstr Not Yet Added>"
        return f"<gurobi.QConstr {self._part.name or f'QC{self._part.number}'}>"


class GenConstr(PartHandle):
    """A general constraint."""

    __slots__ = ()
    _what = "GenConstr"

    def __repr__(self) -> str:
        if self._part.removed:
            return "<gurobi.GenConstr *Removed*>"
        text = "*Awaiting Model Update*" if self._awaits() else str(self._part.number)
        return f"<gurobi.GenConstr {text}>"


class SOS(PartHandle):
    """A special ordered set."""

    __slots__ = ()
    _what = "SOS"

    def __repr__(self) -> str:
        if self._part.removed:
            return "<gurobi.SOS *Removed*>"
        text = "*Awaiting Model Update*" if self._awaits() else str(self._part.number)
        return f"<gurobi.SOS {text}>"


_row_slots: Any = Constr
set_row_store, set_row = _row_slots._store.__set__, _row_slots._row.__set__
new_var: Callable[[Any, int], Var] = maker(Var, core.Var, "_col")
"""The handle of a column."""
new_constr: Callable[[Any, int], Constr] = maker(Constr, Constr, "_row")
"""The handle of a row."""

for _class in (Var, Constr, QConstr, GenConstr, SOS):
    _class.__module__ = "gurobipy"
