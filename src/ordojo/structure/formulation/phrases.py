"""Values, indices, conditions and terms of a formulation as plain mathematics."""

from ordojo.structure.formulation.numbers import shortest
from ordojo.structure.formulation.spec import Condition, Factor, Group, Subscript, Term, Value


def called(name: str, index: tuple[str, ...]) -> str:
    """A name with its indices."""
    return f"{name}[{', '.join(index)}]" if index else name


def scope(domain: tuple[Factor, ...]) -> str:
    """`i in I, (j, k) in JK`."""
    parts = []
    for factor in domain:
        inner = ", ".join(factor.letters)
        parts.append(f"{inner if len(factor.letters) == 1 else f'({inner})'} in {factor.source}")
    return ", ".join(parts)


def value(one: Value) -> str:
    """A number, a parameter with its indices, or a line through an index."""
    if one.kind == "number":
        return shortest(one.number)
    if one.kind == "affine":
        step = "" if one.step == 1 else "-" if one.step == -1 else f"{one.step} "
        start = int(one.number)
        rest = f" {'+' if start > 0 else '-'} {abs(start)}" if start else ""
        rest += f" + {value(one.plus)}" if one.plus is not None else ""
        return f"{step}{one.of[0]}{rest}"
    sign = "-" if one.sign < 0 else ""
    return f"{sign}{called(one.parameter, one.of)}"


def expression(at: Subscript) -> str:
    """An index expression as text that is also Python."""
    if at.lookup:
        return f"{at.lookup}[{', '.join(at.of)}]"
    if not at.letter:
        return repr(at.word) if at.word else str(at.shift)
    if at.shift:
        return f"{at.letter} {'+' if at.shift > 0 else '-'} {abs(at.shift)}"
    return at.letter


def signed(coefficient: Value, variable: str, over: str) -> tuple[str, str]:
    """The sign and the rest of a term."""
    if coefficient.kind == "number":
        size = abs(coefficient.number)
        sign = "-" if coefficient.number < 0 else "+"
        factor = "" if size == 1 else f"{shortest(size)} "
    elif coefficient.kind == "affine":
        sign = "-" if coefficient.step < 0 and coefficient.number <= 0 else "+"
        step, start = coefficient.step, coefficient.number
        if sign == "-":
            step, start = -step, -start
        turned = Value("affine", start, of=coefficient.of, step=step)
        text = value(turned)
        factor = f"({text}) " if start else f"{text} "
    else:
        sign = "-" if coefficient.sign < 0 else "+"
        factor = f"{called(coefficient.parameter, coefficient.of)} "
    return sign, f"{over}{factor}{variable}"


def joined(parts: list[tuple[str, str]]) -> str:
    """Signed texts as one line."""
    if not parts:
        return "0"
    first = f"{'- ' if parts[0][0] == '-' else ''}{parts[0][1]}"
    return " ".join([first, *(f"{sign} {rest}" for sign, rest in parts[1:])])


def term_text(term: Term, group: Group) -> tuple[str, str]:
    """The sign of a term and the rest, as a sum where it is one."""
    at = tuple(expression(one) for one in term.at)
    inner = [condition(one) for one in term.where if not one.scope]
    outer = [condition(one) for one in term.where if one.scope]
    over = ""
    if term.over:
        over = f"sum over {_over(term, group, inner)} of "
        inner = []
    sign, text = signed(term.coefficient, called(term.group, at), over)
    notes = [*inner, *outer]
    if notes:
        text += f" (only for {', '.join(notes)})"
    elif not term.complete and not term.over:
        text += " (where it exists)"
    return sign, text


def _over(term: Term, group: Group, limits: list[str]) -> str:
    """The summed letters, where they come from, and what limits them."""
    if any(one.kind == "member" and set(term.over) <= set(one.of) for one in term.where):
        return f"{', '.join(term.over)} with {', '.join(limits)}"
    return _ranges(term, group) + (f" with {', '.join(limits)}" if limits else "")


def _ranges(term: Term, group: Group) -> str:
    """The summed letters with the sets or tables that they come from."""
    parts = []
    for factor in group.domain:
        texts = []
        free = False
        for letter in factor.letters:
            at = term.at[group.index.index(letter)]
            texts.append(expression(at))
            free = free or at.letter in term.over
        if not free:
            continue
        if len(texts) == 1:
            parts.append(f"{texts[0]} in {factor.source}")
        else:
            loose = [text for text in texts if text in term.over]
            parts.append(f"{', '.join(loose)}: ({', '.join(texts)}) in {factor.source}")
    return "; ".join(parts)


def condition(one: Condition) -> str:
    """A condition as text."""
    if one.kind == "member":
        text = one.of[0] if len(one.of) == 1 else f"({', '.join(one.of)})"
        return f"{text} in {one.table}"
    if one.kind == "modular":
        shift = f" + {one.shift}" if one.shift else ""
        return f"{one.of[1]} = {one.of[0]}{shift} modulo {one.modulus}"
    low, high = (None if end is None else value(end) for end in (one.low, one.high))
    if low == high:
        return f"{one.of[0]} = {low}"
    if low is None:
        return f"{one.of[0]} <= {high}"
    return f"{one.of[0]} >= {low}" if high is None else f"{low} <= {one.of[0]} <= {high}"
