"""Reading the one order quantity that a person would take a free answer to mean.

Every repetition in the patterns is bounded, so that no reply costs more than its length.
"""

import re
from typing import Final, NamedTuple

from ordojo.benchmarks.or_bias.amounts import Amount, amounts
from ordojo.benchmarks.or_bias.phrases import (
    BRACKETED,
    BREAK,
    CHAIN,
    CORRECTED,
    DECLINED,
    ENDED,
    FINAL,
    FLAGS,
    FUNCTION,
    HEDGE,
    IS_ORDER,
    LINE_END,
    LINK,
    NEXT_QUESTION,
    NOUN,
    OBJECT,
    OPERATED,
    OPERATOR,
    RESULT,
    SECOND,
    SO,
    SUBJECT,
    UNIT,
    UNMEANT,
    VERB,
)
from ordojo.benchmarks.or_bias.plaintext import clean
from ordojo.core.replies import after_thinking

_HEAD, _TAIL = 4_000, 20_000
"""Characters that are read of a longer reply, at its two ends."""

RULES: Final = ("bare", "final", "opening", "label", "statement", "last line", "only number")
"""The rules that give a number, in order of priority."""

FAILURES: Final = ("empty", "no number", "range", "several numbers")
"""Why there is none."""

_BARE = re.compile(r"\s{0,9}(-?\d{1,20}(?:\.\d{1,20})?)(?: units?)?\.?\s{0,9}")
_SIMPLE = re.compile(r"\s{0,9}Order quantity: (-?\d{1,20}(?:\.\d{1,20})?)(?: units?)?\.?\s{0,9}")


class _Statement(NamedTuple):
    rule: str
    start: int
    end: int
    value: float | None
    failure: str = "range"


def read_quantity(text: str) -> float | None:
    """The one order quantity that a person would read in the text, None if there is none."""
    return read_quantity_by(text)[0]


def read_quantity_by(text: str) -> tuple[float | None, str]:
    """The quantity with the rule that read it, or None with the reason.

    Thinking is passed over, and what follows where a model poses itself the next question. In
    order: "bare", nothing but a number; "final", a boxed, tagged or so-called final answer;
    "opening", a first line that begins with the number; "label", a line such as "Order quantity:
    74 units"; "statement", the last stated order ("I would order 74", "Q* = ... = 74.4": what
    follows the last equals sign); "last line", a closing line that is a number or an equation;
    "only number", the only one that is not money, a percentage, or said to be something else. A
    later statement takes precedence if it rounds the former, or if a word such as "wait" parts the
    two. A range is no number ("range"), nor are several without a statement ("several numbers").
    """
    if simple := _BARE.fullmatch(text):
        return float(simple[1]), "bare"
    if simple := _SIMPLE.fullmatch(text):
        return float(simple[1]), "label"
    text = after_thinking(text)
    if not text or text.startswith("<think>"):
        return None, "empty"
    if len(text) > _HEAD + _TAIL:
        text = f"{text[:_HEAD]}\n{text[-_TAIL:].partition(' ')[2]}"
    own = NEXT_QUESTION.split(text, maxsplit=1)[0]
    if own != text and (found := _read(own))[1] in RULES[:5]:
        return found
    return _read(text)


def _read(text: str) -> tuple[float | None, str]:
    text = clean(text)
    numbers = amounts(text)
    if not numbers:
        return None, "no number" if text else "empty"
    if len(numbers) == 1 and (alone := _alone(text, numbers[0])):
        return alone
    stated = _statements(text, numbers)
    if opening := _opening(text, numbers):
        stated.append(opening)
    if stated:
        return _choose(text, stated)
    declined = [found.end() for found in NOUN.finditer(text) if DECLINED.match(text, found.end())]
    if declined and not any(number.start > declined[-1] for number in numbers):
        return None, "no number"
    if (last := _last_line(text, numbers)) is not None:
        return last, "last line"
    values = {number.value for number in numbers if number.kind == "plain"}
    if len(values) == 1:
        return values.pop(), "only number"
    if values:
        return None, "several numbers"
    return None, "range" if any(number.kind == "range" for number in numbers) else "no number"


def _alone(text: str, number: Amount) -> tuple[float, str] | None:
    around = text[: number.start] + " " + text[number.end :]
    if number.kind in {"plain", "small"} and re.fullmatch(
        rf"\W{{0,12}}{HEDGE}{{0,3}}\W{{0,3}}{UNIT}\W{{0,12}}", around, FLAGS
    ):
        return number.value, "bare"
    return None


def _choose(text: str, stated: list[_Statement]) -> tuple[float | None, str]:
    """The last statement of the best rank, or a later one that corrects it."""
    rank = min(RULES.index(statement.rule) for statement in stated)
    best = max((s for s in stated if RULES.index(s.rule) == rank), key=lambda s: s.end)
    last = max(stated, key=lambda s: s.end)
    if last.end > best.end and (
        CORRECTED.search(text, best.end, last.end) or _rounds(best.value, last.value)
    ):
        best = last
    return (best.value, best.rule) if best.value is not None else (None, best.failure)


def _rounds(value: float | None, whole: float | None) -> bool:
    return value is not None and whole is not None and 0 < abs(value - whole) < 1 and not whole % 1


def _statements(text: str, numbers: list[Amount]) -> list[_Statement]:
    stated: list[_Statement] = []
    for pattern in (NOUN, VERB, SO):
        first = 0
        for anchor in pattern.finditer(text):
            while first < len(numbers) and numbers[first].start < anchor.end():
                first += 1
            if found := _after(text, numbers, first, anchor, pattern):
                stated.append(found)
    for index, number in enumerate(numbers):
        if number.kind in {"plain", "small"} and (said := IS_ORDER.match(text, number.end)):
            line = text[max(0, number.start - 40) : number.start].rpartition("\n")[2]
            if not UNMEANT.search(line):
                value, end = _result(text, numbers, index)
                stated.append(_Statement("statement", number.start, max(end, said.end()), value))
    return stated


def _after(
    text: str, numbers: list[Amount], first: int, anchor: re.Match[str], pattern: re.Pattern[str]
) -> _Statement | None:
    """The statement that an anchor makes with one of the next few numbers."""
    before = text[max(0, anchor.start() - 40) : anchor.start()]
    clause = BREAK.split(before)[-1]
    final = bool(FINAL.match(anchor[0])) or clause.lower().endswith("final ")
    if not final and UNMEANT.search(clause):
        return None
    if FUNCTION.search(clause) and text[anchor.end() : anchor.end() + 1] == ")":
        return None
    for index in range(first, min(first + (6 if pattern is NOUN else 2), len(numbers))):
        number = numbers[index]
        gap = text[anchor.end() : number.start]
        if len(gap) > 120 or BREAK.search(gap.replace(":\n", ": ")):
            return None
        if number.kind == "other" or not _joins(gap.replace(":\n", ": "), number, pattern):
            continue
        if number.kind == "range":
            return _Statement("final" if final else "statement", anchor.start(), number.end, None)
        value, end = _result(text, numbers, index)
        if value is None:
            return None
        if anchor[0].lower().endswith("ing") and SUBJECT.match(text, end):
            return None
        if pattern is SO and (end != number.end or not ENDED.match(text, end)):
            return None
        line = not clause.rpartition("\n")[2].strip(" -:•*,{'") and (
            anchor.start() == 0 or "\n" in before or len(before) < 40
        )
        named = pattern is NOUN and end == number.end and anchor[0][0] != "Q"
        labelled = line and named and LINE_END.match(text, end)
        rule = "final" if final else "label" if labelled else "statement"
        return _Statement(rule, anchor.start(), end, value)
    return None


def _joins(gap: str, number: Amount, pattern: re.Pattern[str]) -> bool:
    if pattern is NOUN:
        if CHAIN.fullmatch(gap):
            return True
        return number.kind != "named" and bool(LINK.search(gap))
    if pattern is VERB:
        return bool(OBJECT.fullmatch(gap))
    return number.kind == "plain" and bool(re.fullmatch(rf"{HEDGE}{{0,3}}", gap, FLAGS))


def _result(text: str, numbers: list[Amount], index: int) -> tuple[float | None, int]:
    """What a calculation that begins at a number comes to, None if it is left undone."""
    value: float = numbers[index].value
    end, undone = numbers[index].end, False
    for number in numbers[index + 1 : index + 40]:
        gap = text[end : number.start]
        if len(gap) > 60 or number.kind in {"other", "range"}:
            break
        if BRACKETED.fullmatch(gap) and not undone:
            if value % 1 and not number.value % 1:
                value = number.value
        elif RESULT.fullmatch(gap):
            value, undone = number.value, False
        elif OPERATOR.fullmatch(gap) or (gap.strip() in {"", "("} and text[number.start] in "+-"):
            undone = True
        else:
            break
        end = number.end
    return (None if undone or OPERATED.match(text, end) else value), end


def _opening(text: str, numbers: list[Amount]) -> _Statement | None:
    number = numbers[0]
    if number.start > 30 or number.kind not in {"plain", "small", "range"}:
        return None
    if not re.fullmatch(rf"[\s'(:*-]{{0,6}}{HEDGE}{{0,3}}", text[: number.start], FLAGS):
        return None
    if number.kind == "range":
        return _Statement("statement", number.start, number.end, None)
    value, end = _result(text, numbers, 0)
    if value is None or not ENDED.match(text, end):
        return None
    if SECOND.match(text, end):
        return _Statement("opening", number.start, end, None, "several numbers")
    return _Statement("opening", number.start, end, value)


def _last_line(text: str, numbers: list[Amount]) -> float | None:
    """The number that the last line is, or comes to."""
    start = text.rfind("\n") + 1
    index = next((i for i, number in enumerate(numbers) if number.start >= start), None)
    if index is None or numbers[index].kind != "plain":
        return None
    value, end = _result(text, numbers, index)
    lead = text[start : numbers[index].start]
    plain = re.fullmatch(rf"\W{{0,6}}{HEDGE}{{0,3}}|[^\d\n]{{0,30}}[=≈]\s?", lead, FLAGS)
    return value if plain and LINE_END.match(text, end) else None
