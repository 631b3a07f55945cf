"""Reading the objective value that a program printed.

Every repetition in the patterns is bounded, so that no output costs more than its length.
"""

import math
import re
from dataclasses import dataclass
from typing import Final, Literal

Word = Literal["infeasible", "unbounded", "no solution"]

RULES: Final = ("answer", "objective", "total", "log", "last line", "verdict")
"""The ways to be read, in order of priority."""

_TAIL = 100_000
"""Characters that are read of a longer output, at its end."""

_DASHES = "\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d"
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SPELLINGS = str.maketrans(_FULL_WIDTH | dict.fromkeys(map(ord, _DASHES), ord("-")))
_GROUPED = re.compile(r"(?<=\d)['’_\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_RAISED = re.compile(r"(?<=10)[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}")
_LOWERED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")

_DIGITS = (
    r"\d{1,3}(?:,\d{3}){1,20}(?!\d)(?:\.\d{1,40})?"
    r"|\d{1,3}(?:\.\d{3}){1,20},\d{1,2}(?!\d)|\d{1,3}(?:\.\d{3}){2,20}(?![\d.])"
    r"|\d{1,400}(?:\.\d{0,400}|,\d{1,40}(?!\d))?|\.\d{1,400}"
)
_POWER = r"e[-+]?\d{1,5}|\s?[x×*]\s?10\s?(?:\^|\*\*)\s?\(?[-+]?\d{1,3}\)?"
_NUMBER = (
    r"(?P<sign>[-+])?\s?[$€£¥]?\s?(?:[a-z_.]{1,16}\d{0,3}\(\s?['\"]?)?(?P<inner>[-+])?"
    rf"(?:(?P<digits>{_DIGITS})(?P<power>{_POWER})?(?:\s?/\s?(?P<over>\d{{1,15}})(?![\d./]))?"
    r"(?:\s(?P<scale>thousand|million|billion)\b)?"
    r"|(?P<special>(?:infinity|inf|nan)\b|∞))"
)
_SAID = (
    r"(?P<word>infeasible|impossible|unbounded|none|null|error|n/?a\b|undefined"
    r"|no (?:optimal |best |feasible )?solution)"
)
_TRAIL = r"(?:[ _](?!bound|gap|range|limit|coefficient|sense)[a-z]{1,20}){0,5}?"
_GAP = (
    r"['\"`*]{0,4}(?:\s?[(\[][^()\[\]\n]{0,40}[)\]])?\s{0,9}(?:[:=]|\bis\b|\bwas\b|->|→){1,3}"
    r"\s{0,20}['\"`*]{0,4}\s?(?:approximately |about |≈\s?|~\s?)?"
)
_NOUN = (
    r"(?:cost|profit|revenue|income|return|earning|expense|expenditure|distance|makespan|loss"
    r"|benefit|utility|score|reward|penalty|value|objective|sale|price|weight|length)s?"
)
_EXTREME = r"(?:optim(?:al|um)|best|mini?m(?:um|al|i[sz]ed)?|max(?:imum|imal|imi[sz]ed)?|min)"

_FLAGS = re.IGNORECASE | re.MULTILINE
_ANSWER = re.compile(
    r"(?:optim(?:al|um)[ _]?(?:objective[ _]?)?value|objective[ _]?value|obj[ _]?val(?:ue)?"
    rf"|just print the best solution){_TRAIL}{_GAP}(?:{_NUMBER}|{_SAID})",
    _FLAGS,
)
_OBJECTIVE = re.compile(
    rf"\b(?:{_EXTREME}(?:[ _][a-z]{{1,20}}){{0,4}}?[ _](?:{_NOUN}|time)|objective|obj)\b"
    rf"{_TRAIL}{_GAP}(?:{_NUMBER})",
    _FLAGS,
)
_TOTAL = re.compile(
    rf"(?:\b(?:total|overall|final)(?:[ _][a-z]{{1,20}}){{0,4}}?[ _]{_NOUN}\b{_TRAIL}"
    rf"|^\s{{0,20}}(?:{_NOUN}|z|result|answer)\b){_GAP}(?:{_NUMBER})",
    _FLAGS,
)
_LOG = re.compile(
    rf"\b(?:optimal objective|best objective|optimal cost|best solution|primal bound)[ :]{{1,9}}"
    rf"(?:{_NUMBER})",
    _FLAGS,
)
_ALONE = re.compile(rf"\s{{0,40}}(?:{_NUMBER})[)'\"]{{0,3}}\s{{0,40}}", _FLAGS)
_VERDICT = re.compile(
    r"\b(?P<word>infeasible|unbounded|no (?:optimal |best |feasible )?solution)\b", _FLAGS
)

_WORDS: dict[str, Word] = {
    "infeasible": "infeasible",
    "impossible": "infeasible",
    "no feasible solution": "infeasible",
    "unbounded": "unbounded",
}
_SCALES = {"": 1.0, "thousand": 1e3, "million": 1e6, "billion": 1e9}


@dataclass(frozen=True, slots=True)
class Stated:
    """What an output says: a value, maybe nan or infinite, or in a word that there is none.

    `how` is the rule of `RULES` that read it, `text` the part that was read.
    """

    value: float | None
    word: Word | None
    how: str
    text: str


def read_objective(output: str) -> Stated | None:
    """The objective value that an output states, or that there is none; None if it says neither.

    In order: "answer", after "optimal value", "objective value" or what else the protocols'
    prompts ask for; "objective", after a name such as "Minimum cost (USD):"; "total", after "Total
    cost", or a line that begins with "Profit ="; "log", a solver's closing line; "last line", one
    that is nothing but a number; "verdict", the words infeasible, unbounded, no solution. The last
    statement of a kind counts.
    """
    text = _plain(output)
    patterns = (_ANSWER, _OBJECTIVE, _TOTAL, _LOG)
    for how, pattern in zip(RULES, patterns, strict=False):
        if (found := _last(pattern, text)) is not None:
            return _stated(found, how)
    line = text.rstrip().rpartition("\n")[2]
    if len(line) <= 500 and (alone := _ALONE.fullmatch(line)):
        return _stated(alone, "last line")
    if (said := _last(_VERDICT, text)) is not None:
        return _stated(said, "verdict")
    return None


def read_number(text: str) -> float | None:
    """The number that a text is, in any of its spellings; None if it is something else."""
    found = _ALONE.fullmatch(_plain(text)) if len(text) <= 500 else None
    return _value(found) if found else None


def _plain(output: str) -> str:
    text = _GROUPED.sub("", output[-_TAIL:]).translate(_SPELLINGS)
    return _RAISED.sub(lambda power: "^" + power[0].translate(_LOWERED), text)


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    last = None
    for found in pattern.finditer(text):
        last = found
    return last


def _stated(found: re.Match[str], how: str) -> Stated:
    said = found.groupdict().get("word")
    if said is None:
        return Stated(_value(found), None, how, found[0].strip())
    word = _WORDS.get(" ".join(said.lower().split()), "no solution")
    return Stated(None, word, how, found[0].strip())


def _value(found: re.Match[str]) -> float:
    negative = "-" in ((found["sign"] or "") + (found["inner"] or ""))
    if special := found["special"]:
        size = math.nan if special.lower() == "nan" else math.inf
    else:
        size = _size(found)
    return -size if negative else size


def _size(found: re.Match[str]) -> float:
    power = re.sub(r"\s?[x×*]\s?10\s?(?:\^|\*\*)\s?\(?", "e", found["power"] or "").rstrip(")")
    size = float(_point(found["digits"]) + power)
    if found["over"] and float(found["over"]):
        size /= float(found["over"])
    return size * _SCALES[(found["scale"] or "").lower()]


def _point(digits: str) -> str:
    """The digits with a point before the decimals, and nothing between thousands."""
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        return digits.replace(",", "")
    if "," in digits:
        return digits.replace(".", "").replace(",", ".")
    return digits.replace(".", "") if digits.count(".") > 1 else digits
