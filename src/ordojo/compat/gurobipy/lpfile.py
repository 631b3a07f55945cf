"""A model's text in Gurobi's LP format, with everything beyond linear; names are taken as they are.

The format's grammar is that of Gurobi's reference manual ("LP format").
"""

from collections.abc import Iterable, Iterator
from typing import Any

from ordojo.compat.core.assemble import infinite
from ordojo.compat.core.parts import (
    FormulaPart,
    GeneralPart,
    IndicatorPart,
    Part,
    QuadraticPart,
    SosPart,
)
from ordojo.compat.gurobipy.errors import unsupported
from ordojo.milp.algebra import number
from ordojo.solvers.problem import Function

_WIDTH = 8
_SIGNS = {"<": "<=", ">": ">=", "=": "="}
Terms = Iterable[tuple[float, str]]


def lp_lines(state: Any) -> Iterator[str]:
    """The lines of an LP file of an updated state."""
    names = state.col_names.all()
    yield f"\\ Model {state.name}"
    yield "Maximize" if state.maximize else "Minimize"
    yield from _objective(state, names)
    yield "Subject To"
    for i, name in enumerate(state.row_names.all()[: state.rows_live]):
        index, value = state.row(i)
        terms = [(c, names[j]) for c, j in zip(value, index, strict=True)]
        sense, rhs = _SIGNS[chr(state.senses[i])], number(state.rhs[i])
        yield from _wrapped(f" {_name(name)}: ", terms, f" {sense} {rhs}")
    yield from _quadratic_rows(state, names)
    yield from _indicators(state, names)
    yield from _bounds(state, names)
    yield from _types(state, names)
    yield from _sos(state, names)
    yield from _general(state, names)
    yield "End"


def _name(name: str) -> str:
    return "_".join(name.split())


def _terms(coeffs: Any, variables: Any, names: list[str]) -> list[tuple[float, str]]:
    return [(c, names[v._col]) for c, v in zip(coeffs, variables, strict=True) if v._col >= 0]


def _wrapped(start: str, terms: Terms, end: str = "") -> Iterator[str]:
    line, count = start, 0
    for k, (c, name) in enumerate(terms):
        if k and k % _WIDTH == 0:
            yield line
            line = "  "
        sign = "- " if c < 0 else "+ " if k else ""
        by = "" if abs(c) == 1 else f"{number(abs(c))} "
        line += f"{sign}{by}{_name(name)} "
        count += 1
    yield (line if count else f"{start}0 ").rstrip() + end


def _products(products: Any, names: list[str], by: float) -> str:
    parts = []
    for q, a, b in zip(*products, strict=True):
        if a._col < 0 or b._col < 0:
            continue
        first, second = _name(names[a._col]), _name(names[b._col])
        pair = f"{first} ^ 2" if a is b else f"{first} * {second}"
        parts.append(f"{'- ' if q < 0 else '+ '}{number(abs(by * q))} {pair}")
    return f"[ {' '.join(parts)} ]"


def _objective(state: Any, names: list[str]) -> Iterator[str]:
    if state.goals:
        raise unsupported("writing several objectives")
    if state.extra.get("PWLObj"):
        raise unsupported("writing a piecewise-linear objective")
    used = set(state.index[: state.starts[state.rows_live]])
    terms = [(c, names[j]) for j, c in enumerate(state.cost) if c != 0.0 or j not in used]
    end = f" + {number(state.goal.constant)} Constant" if state.goal.constant else ""
    if state.goal.products:
        end += f" + {_products(state.goal.products, names, 2.0)} / 2"
    yield from _wrapped("  ", terms, end)


def _quadratic_rows(state: Any, names: list[str]) -> Iterator[str]:
    for part in state.family("quadratic"):
        assert isinstance(part, QuadraticPart)
        if part.low is not None:
            raise unsupported("writing a quadratic range")
        terms = _terms(part.linear._c, part.linear._v, names)
        title = _name(part.name or f"qc{part.number}")
        end = f" + {_products(part.products, names, 1.0)} {_SIGNS[part.sense]} {number(part.rhs)}"
        yield from _wrapped(f" {title}: ", terms, end)


def _indicators(state: Any, names: list[str]) -> Iterator[str]:
    for part in state.family("general"):
        if isinstance(part, IndicatorPart):
            terms = _terms(part.coeffs, part.variables, names)
            start = f" {_label(part)}: {_name(names[part.binary._col])} = {part.active} -> "
            yield from _wrapped(start, terms, f" {_SIGNS[part.sense]} {number(part.rhs)}")


def _label(part: Part) -> str:
    return _name(part.name or f"GC{part.number}")


def _bounds(state: Any, names: list[str]) -> Iterator[str]:
    yield "Bounds"
    if state.goal.constant:
        yield " Constant = 1"
    lows, ups = infinite(state.view("lower")).tolist(), infinite(state.view("upper")).tolist()
    infinity = float("inf")
    for name, kind, low, up in zip(names, state.kinds, lows, ups, strict=True):
        name = _name(name)
        if kind == 2 and (low, up) == (0.0, 1.0):
            continue
        if (low, up) == (-infinity, infinity):
            yield f" {name} free"
        elif low == up:
            yield f" {name} = {number(low)}"
        elif up < infinity:
            yield f" {'-inf' if low == -infinity else number(low)} <= {name} <= {number(up)}"
        elif low != 0.0:
            yield f" {name} >= {'-inf' if low == -infinity else number(low)}"


def _types(state: Any, names: list[str]) -> Iterator[str]:
    for title, codes in (("Binaries", (2,)), ("Generals", (1, 4)), ("Semi-Continuous", (3, 4))):
        found = [_name(n) for n, kind in zip(names, state.kinds, strict=True) if kind in codes]
        if found:
            yield title
            for k in range(0, len(found), _WIDTH):
                yield " " + " ".join(found[k : k + _WIDTH])


def _sos(state: Any, names: list[str]) -> Iterator[str]:
    sets = [part for part in state.family("sos") if isinstance(part, SosPart)]
    if sets:
        yield "SOS"
    for part in sets:
        pairs = _terms(part.weights, part.variables, names)
        members = "  ".join(f"{_name(name)}:{number(weight)}" for weight, name in pairs)
        yield f" s{part.number}: S{part.kind} :: {members}"


def _general(state: Any, names: list[str]) -> Iterator[str]:
    shown = False
    for part in state.family("general"):
        if isinstance(part, FormulaPart):
            raise unsupported("writing nonlinear formulas")
        if not isinstance(part, GeneralPart):
            continue
        if not shown:
            yield "General Constraints"
            shown = True
        members = [_name(names[var._col]) for var in part.operands]
        result, numbers = _name(names[part.result._col]), [number(c) for c in part.numbers]
        title = part.function.value.upper()
        if part.function == Function.PWL:
            points = " ".join(
                f"({x}, {y})" for x, y in zip(numbers[::2], numbers[1::2], strict=True)
            )
            yield f" {_label(part)}: {result} = PWL ( {members[0]} ) : {points}"
        elif part.function in (Function.MAX, Function.MIN):
            yield f" {_label(part)}: {result} = {title} ( {' , '.join(members + numbers)} )"
        elif numbers:
            ends = " ".join(numbers)
            yield f" {_label(part)}: {result} = {title} ( {', '.join(members)}; {ends} )"
        else:
            yield f" {_label(part)}: {result} = {title} ( {' , '.join(members)} )"
