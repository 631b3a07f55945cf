"""What a model has beside columns and rows; variables are handles, so that numbers may change."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ordojo.compat.core.expr import make
from ordojo.solvers.problem import Function


@dataclass(eq=False, slots=True)
class Part:
    """One constraint of a family; `number` is its place after the update, -1 before.

    `handle` is what the interface has given the program for it.
    """

    family: ClassVar[str] = ""
    name: str = ""
    number: int = -1
    removed: bool = False
    handle: Any = None


@dataclass(eq=False, slots=True)
class QuadraticPart(Part):
    """linear + products (sense) rhs."""

    family: ClassVar[str] = "quadratic"
    linear: Any = None
    products: Any = None
    sense: str = "<"
    rhs: float = 0.0
    low: float | None = None


@dataclass(eq=False, slots=True)
class IndicatorPart(Part):
    """If `binary` has the value `active`, then linear (sense) rhs."""

    family: ClassVar[str] = "general"
    binary: Any = None
    active: int = 1
    coeffs: list[float] = field(default_factory=list)
    variables: list[Any] = field(default_factory=list)
    sense: str = "<"
    rhs: float = 0.0


@dataclass(eq=False, slots=True)
class GeneralPart(Part):
    """`result` equals a function of the operands."""

    family: ClassVar[str] = "general"
    function: Function = Function.MAX
    result: Any = None
    operands: list[Any] = field(default_factory=list)
    numbers: tuple[float, ...] = ()


@dataclass(eq=False, slots=True)
class FormulaPart(Part):
    """`result` equals a formula (a tree of the interface's own), taken apart when solving."""

    family: ClassVar[str] = "general"
    result: Any = None
    formula: Any = None


@dataclass(eq=False, slots=True)
class SosPart(Part):
    """A special ordered set of type 1 or 2."""

    family: ClassVar[str] = "sos"
    kind: int = 1
    variables: list[Any] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Goal:
    """What an objective has beside the columns' costs; of several, all of it.

    The first objective's linear coefficients are the store's `cost`; only the others have
    `coeffs` and `variables` here. `products` is (values, first, second) or None.
    """

    name: str = ""
    priority: int = 0
    weight: float = 1.0
    abs_tol: float = 1e-6
    rel_tol: float = 0.0
    constant: float = 0.0
    coeffs: list[float] = field(default_factory=list)
    variables: list[Any] = field(default_factory=list)
    products: tuple[list[float], list[Any], list[Any]] | None = None


def add_quadratic(
    state: Any, whole: Any, sense: str, name: str, rhs: float = 0.0, low: float | None = None
) -> QuadraticPart:
    """Add `whole` (sense) rhs; with the sense R, low <= whole <= rhs."""
    linear = whole._linear
    state.check([*linear._v, *whole._a, *whole._b])
    part = QuadraticPart(
        name=name,
        linear=make(whole._lin, linear._c[:], linear._v[:], 0.0),
        products=(whole._q[:], whole._a[:], whole._b[:]),
        sense=sense,
        rhs=float(rhs - linear._k),
        low=None if low is None else float(low - linear._k),
    )
    state.add_part(part)
    return part
