"""Values and conditions of a formulation as Python expressions."""

from dataclasses import replace

from ordojo.structure.formulation.spec import Condition, Formulation, Value


def number(f: Formulation, value: Value) -> str:
    """A value as a Python expression."""
    if value.kind == "number":
        return repr(float(value.number))
    if value.kind == "affine":
        start = int(value.number)
        rest = f" {'+' if start > 0 else '-'} {abs(start)}" if start else ""
        rest += f" + {number(f, value.plus)}" if value.plus is not None else ""
        step = "" if value.step == 1 else "-" if value.step == -1 else f"{value.step} * "
        return f"{step}{value.of[0]}{rest}"
    sign = "-" if value.sign < 0 else ""
    if not value.of:
        return f"{sign}{value.parameter}"
    key = key_of(value.of)
    default = next(one.default for one in f.parameters if one.name == value.parameter)
    if default is not None:
        inner = f"({key})" if len(value.of) > 1 else key
        return f"{sign}{value.parameter}.get({inner}, {default!r})"
    return f"{sign}{value.parameter}[{key}]"


def key_of(parts: tuple[str, ...] | list[str]) -> str:
    """What stands between the brackets."""
    return ", ".join(parts)


def tuple_of(parts: list[str]) -> str:
    """One index as it is, more as a tuple."""
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def letters_of(value: Value | None) -> tuple[str, ...]:
    """The letters of a value; of one at another parameter's value, that one's."""
    if value is None:
        return ()
    mine = tuple(parts_of(text)[1] for text in value.of)
    return mine + letters_of(value.plus)


def parts_of(text: str) -> tuple[str, str]:
    """`f[i]` as f and i; a plain index as "" and itself."""
    head, _, letter = text.rpartition("[")
    return head, letter.removesuffix("]")


def swapped(value: Value, swap: dict[str, str]) -> Value:
    """A value over other letters."""
    plus = None if value.plus is None else swapped(value.plus, swap)
    of = []
    for text in value.of:
        head, letter = parts_of(text)
        other = swap.get(letter, letter)
        of.append(f"{head}[{other}]" if head else other)
    return replace(value, of=tuple(of), plus=plus)


def whole(text: str) -> str:
    """An index bound without the decimal point of a float."""
    return text[:-2] if text.endswith(".0") else text


def condition_of(f: Formulation, one: Condition) -> str:
    """A condition as a Python expression."""
    if one.kind == "member":
        return f"{tuple_of(list(one.of))} in {one.table}"
    low, high = (None if end is None else whole(number(f, end)) for end in (one.low, one.high))
    if low == high:
        return f"{one.of[0]} == {low}"
    if low is None:
        return f"{one.of[0]} <= {high}"
    return f"{one.of[0]} >= {low}" if high is None else f"{low} <= {one.of[0]} <= {high}"
