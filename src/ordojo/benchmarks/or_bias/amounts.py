"""Finding the amounts in a clean text: each number with its value and kind.

Every repetition in the patterns is bounded or possessive: no text costs more than its length.
"""

import itertools
import math
import re
from typing import Final, NamedTuple


class Amount(NamedTuple):
    """A number in a text.

    Kinds: "plain" may be an order; "small" is a number word up to twelve, which is one only where
    an order is stated; "named" is said to be something else (a mean, a ratio, a z); "other" is
    money, a percentage, an ordinal, a time, a count of decimals; "range" is an end of a range.
    """

    start: int
    end: int
    value: float
    kind: str


# fmt: off
_ONES: Final = {word: value for value, word in enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
))}
_TENS: Final = {word: 10 * value for value, word in enumerate((
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
), start=2)}
# fmt: on
_SCALES: Final = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000}
_WORD = "(?:" + "|".join([*reversed(_ONES), *_TENS, *_SCALES]) + r")(?![a-z])"
_ONE = "(?:" + "|".join(list(_ONES)[9::-1]) + r")(?![a-z])"
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.^])(?<![\^_]-)(?P<sign>(?:(?<![)%])[-+]|(?:minus|negative)\s))?"
    r"(?:(?P<digits>"
    r"\d{1,3}(?:,\d{3}){1,6}+(?:\.\d{1,300}+)?(?!\d|,\d)"
    r"|\d{1,2}(?:,\d{2}){1,4},\d{3}(?!\d|,\d)"
    r"|\d{1,3}(?:\.\d{3}){1,6}+,\d{1,300}+"
    r"|\d{1,3}(?:\.\d{3}){2,6}+(?![.,]?\d)"
    r"|(?:\d{1,2}(?= )|\d{3}(?=(?: 000){1,6}(?!\d| \d))|\d{1,3}(?=['_]))(?P<gap>[ '_])\d{3}"
    r"(?:(?P=gap)\d{3}){0,5}+(?:[.,]\d{1,300}+)?(?!\d|[ ',.]\d)"
    r"|\d{1,300},\d{1,300}+(?![.,]\d)"
    r"|\d++(?:\.\d++)?|\.\d++)"
    r"(?:[eE](?P<exponent>[-+]?\d{1,4})(?![A-Za-z0-9])"
    r"|\s?[×x*·]\s?10\s?(?:\^|\*\*)\s?\(?(?P<power>[-+]?\d{1,3})\)?)?"
    r"(?:\s(?P<over>\d{1,3})\s?/\s?(?P<under>[1-9]\d{0,2})(?![\d.])"
    r"|\s?/\s?(?P<divisor>\d{1,9}(?:\.\d{1,9})?)(?![\d/]))?"
    r"(?P<half>\sand\sa\shalf(?![a-z]))?"
    r"(?:(?P<kilo>[kK])(?![A-Za-z])|\s(?P<scale>dozen|hundred|thousand|million)(?![a-z]))?"
    rf"|(?P<words>(?:(?:an?|half\sa)\s(?=dozen|hundred|thousand|million))?{_WORD}"
    rf"(?:(?:[-\s]|(?<=hundred)\sand\s|(?<=thousand)\sand\s){_WORD}){{0,12}}+"
    rf"(?:\spoint(?P<point>(?:\s{_ONE}){{1,6}}))?(?P<half2>\sand\sa\shalf(?![a-z]))?))",
    re.IGNORECASE,
)
_OTHER_BEFORE = re.compile(
    r"(?:€|\b(?:USD|EUR|GBP|US|Rs\.?|step|level|stage|option|scenario|case|table|eq(?:uation|\.)?"
    r"|figure|method|part|section|example|day|week|period|N\(|N\s\(|section|chapter|tip|note)"
    r"|±|\blog|\bROUND\([^()\n]{0,30},|#)\s?$",
    re.IGNORECASE,
)
_OTHER_AFTER = re.compile(
    r"-?\s?(?:[€%°]|(?:USD|EUR|GBP|dollars?|euros?|cents?|bucks|yuan|percent(?:age|ile)?|per\scent"
    r"|pct|pp|(?:business\s)?days?|hours?|hrs?|weeks?|months?|years?|minutes?|mins?|seconds?|times"
    r"|[ap]m|o'clock|miles?|km|degrees?|decimals?|digits?|significant|std|sd|customers?|people"
    r"|standard\sdeviations?|sigmas?|σ|(?:st|nd|rd|th)(?:\s?percentile|\s?quantile)?|D|x(?!\s?\d)|fold|h)"
    r"(?![^\W\d_])|元|(?:[a-z]{1,12}\s)?(?:below|above|(?:less|fewer|more|lower|higher)\sthan)\b)",
    re.IGNORECASE,
)
_VERSION = re.compile(r"\.\d|/\d|:\d\d(?!\d)")
_MARKER = re.compile(r"[.)] (?=\S)")
_THING = (
    r"(?:mean|average|median|expected(?:\sdemand)?|demand|deviation|std|stdev|SD|variance|sigma|mu|[μσΦz]"
    r"|z[-_\s]?(?:scores?|values?)|CR|SL|C_?[uo]|[PF]\s?\([^()\n]{0,20}\)|P\d\d|Φ\^-1\s?\([^()\n]{0,9}\)"
    r"|NORM\.?S?\.?INV\s?\([^()\n]{0,20}\)|fractiles?|ratio|IQR|range|price|cost|salvage|profit|margin"
    r"|revenue|overage|underage|probability|percentiles?|quartiles?|quantile|service\slevel"
    r"|overstock(?:ing)?|understock(?:ing)?|safety\sstock|last\s(?:week|month|year|season|time)"
    r"|yesterday|capacity|inventory|loss|penalty|moyenne|Mittelwert|media|écart-type)"
)
_IS = r"(?:is|was|be|of|at|equals|equal\sto|are|were|est|ist|es|de|von)"
_ABOUT = (
    r"(?:(?:about|around|approximately|approx|roughly|nearly|almost|exactly|just|only|simply|circa|ca\.?"
    r"|environ|etwa|rund|ungefähr|unos|aproximadamente|≈|a\stotal\sof|therefore|then|thus|also|still"
    r"|the|equal\sto|to\sbe|rounded\sto|一|约|大约)\s?)"
)
_NAMED = re.compile(
    rf"(?<![A-Za-z]){_THING}(?:\s(?:demand|sales|value|value\sof\sdemand|cost|price|level|profit))?"
    rf"(?:\s?\([^()\n]{{0,20}}\))?,?\s?(?:which\s)?(?:[=:≈<>≤≥]|(?<![A-Za-z]){_IS}(?![A-Za-z]))?\s?"
    rf"{_ABOUT}{{0,2}}$",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\s?(?:units?|copies|loaves|items|pieces)?\s?(?P<how>-|to|through|or|bis|à|至|到)\s?"
    r"(?:about\s|around\s|maybe\s|even\s|possibly\s)?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\b(?:between|entre|zwischen)\s(?:about\s|around\s|roughly\s|≈\s?)?$", re.IGNORECASE
)
_AND = re.compile(r"\s?[A-Za-z]{0,12}\s(?:and|et|und|y)\s(?:about\s|around\s|roughly\s|≈\s?)?")
_ROUNDING = re.compile(r"\bround(?:ed|ing|s)?\s[^\n]{0,16}$", re.IGNORECASE)
_CALCULATED = re.compile(r"\s?[=≈*×·/+)]")


def amounts(text: str) -> list[Amount]:
    """The finite numbers in a clean text, in order."""
    found = [amount for match in _NUMBER.finditer(text) if (amount := _amount(text, match))]
    for index, (first, second) in enumerate(itertools.pairwise(found)):
        if _is_range(text, first, second):
            found[index] = first._replace(kind="range")
            found[index + 1] = second._replace(kind="range")
    return found


def _amount(text: str, match: re.Match[str]) -> Amount | None:
    words, start, end = match["words"], match.start(), match.end()
    value = _worded(match) if words else _numeral(match)
    if value is None or not math.isfinite(value):
        return None
    if match["sign"] and match["sign"] != "+":
        value = -value
    before = text[max(0, start - 60) : start].rpartition("\n")[2]
    own_line = start == 0 or text[start - 1] == "\n"
    if words and " " not in words and "-" not in words and value <= 12:
        kind = "small"
    elif _NAMED.search(before):
        kind = "named"
    elif own_line and match["digits"] and value < 20 and _MARKER.match(text, end):
        kind = "other"
    else:
        kind = "plain"
    if _OTHER_BEFORE.search(before) or _OTHER_AFTER.match(text, end) or _VERSION.match(text, end):
        kind = "other"
    return Amount(start, end, value, kind)


def _numeral(match: re.Match[str]) -> float | None:
    digits, gap = match["digits"], match["gap"]
    if gap:
        digits = digits.replace(gap, "").replace(",", ".")
    comma, point = digits.rfind(","), digits.rfind(".")
    if digits.count(".") > 1 or -1 < point < comma:
        digits = digits.replace(".", "").replace(",", ".")
    elif (comma >= 0 and (digits.startswith("0,") or not re.search(r",\d{3}(?:\.|$)", digits))) or (
        comma > 3 and digits.count(",") == 1
    ):
        digits = digits.replace(",", ".")
    value = float(digits.replace(",", ""))
    if power := match["exponent"] or match["power"]:
        value = float(f"{value!r}e{int(power)}") if "e" not in repr(value) else math.nan
    if match["over"]:
        value += int(match["over"]) / int(match["under"])
    if match["divisor"]:
        divisor = float(match["divisor"])
        value = value / divisor if divisor else math.nan
    value += 0.5 if match["half"] else 0.0
    return value * (1_000 if match["kilo"] else _SCALES.get((match["scale"] or "").lower(), 1))


def _worded(match: re.Match[str]) -> float | None:
    """The value of number words, None if they do not make one number ("one two three")."""
    whole = re.split(r"\spoint\s|\sand\sa\shalf", match["words"].lower())[0]
    total, current, room = 0, 0.0, math.inf
    for word in re.split(r"[-\s]+", whole):
        if word in _SCALES:
            scale = _SCALES[word]
            current = (current or 1) * scale
            if scale >= 1_000:
                total, current = total + int(current), 0.0
            room = math.inf
        elif word == "half":
            current = 0.5
        elif (value := _TENS.get(word, _ONES.get(word))) is not None:
            if value >= room:
                return None
            current, room = current + value, 10 if word in _TENS else 0
    decimals = "".join(str(_ONES[word]) for word in (match["point"] or "").lower().split())
    return total + current + float(f"0.{decimals or 0}") + (0.5 if match["half2"] else 0.0)


def _is_range(text: str, first: Amount, second: Amount) -> bool:
    between = text[first.end : second.start]
    if len(between) > 40 or "other" in {first.kind, second.kind}:
        return False
    before = text[max(0, first.start - 30) : first.start]
    if _BETWEEN.search(before) and _AND.fullmatch(between):
        return True
    if not (found := _RANGE.fullmatch(between)) or _ROUNDING.search(before):
        return False
    if found["how"].lower() == "or":
        return True
    return first.value < second.value and not _CALCULATED.match(text, second.end)
