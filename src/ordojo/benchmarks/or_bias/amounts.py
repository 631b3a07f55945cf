"""The numbers of a free answer: its marks cleaned away, each amount with what it stands for."""

import itertools
import math
import re
import unicodedata
from typing import Final, NamedTuple

from ordojo.core.readers.numbers import ONES, SCALES, TENS, pointed

_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
SUPERSCRIPT = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_VULGAR = re.compile(r"(?<=[0-9])(?=[¼-¾⅐-⅞])")
# What stands between dollars and is no money.
_MATHS = re.compile(r"\$\$?(?=[^\s$])([^$\n]{1,300})(?<!\s)\$\$?(?!\d)")
# In this order: what an earlier one leaves is what a later one expects.
_COMMANDS = (
    (re.compile(r"\\(?:[dt]?frac)\s?\{\s?(\d{1,9})\s?\}\s?\{\s?(\d{1,9})\s?\}"), r" \1/\2 "),
    (re.compile(r"\\(?:[dt]?frac)\s?\{([^{}]{0,99})\}\s?\{([^{}]{0,99})\}"), r"(\1)/(\2)"),
    (
        re.compile(r"```[a-z]{0,12}\n(?=[^`]{0,2000}(?:\bimport |\bprint\())[^`]{0,9000}(?:```|$)"),
        "\n",
    ),
    (re.compile(r"\\[dt]?frac\s?(\d)\s?(\d)(?!\d)"), r" \1/\2 "),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\\(?:times|cdot|ast\b(?<!\^\\ast))"), "×"),
    (re.compile(r"\\(?:approx|simeq|sim|cong|doteq)\b|[≃≅≒∼]|&asymp;"), "≈"),
    (re.compile(r"\\(?:to|implies|(?:[Ll]ong)?[Rr]ightarrow)\b|[=-]>|⇒|⟹"), "→"),
    (re.compile(r"\\pm\b"), "±"),
    (
        re.compile(r"\\(mu|sigma|Phi|phi)\b"),
        lambda found: {"mu": "μ", "sigma": "σ"}.get(found[1], "Φ"),
    ),
    (re.compile(r"Q\s?\^\s?\{?\s?(?:\\ast|\\star|\*|\\text\{opt\})\s?\}?"), "Q* "),
    (re.compile(r"([\^_])\s?\{\s?([-+]?\w{1,9})\s?\}"), r"\1\2"),
    (re.compile(r"\\(ln|log|exp)\b"), r"\1"),
    (re.compile(r"\\\\|<br\s?/?>"), "\n"),
    (re.compile(r"\\[,;:! ]"), " "),
    (
        re.compile(r"</?(?:final_?)?answer>|<\|begin_of_box\|>|\\f?boxed\s?\{|\\fbox\s?\{", re.I),
        "\nfinal answer: ",
    ),
    (re.compile(r"\\[A-Za-z]{1,20}|<(?:/?[a-z][^<>\n]{0,40})>|```[a-z]{0,12}"), " "),
    (re.compile(r"\\([%&#_])"), r"\1"),
    (re.compile(r"~~[^~\n]{1,80}~~"), " "),
    (re.compile(r"(?<!\d)\*{2,4}|\*{2,4}(?!\d)|_{2,4}|[`\"“”«»„{}\\\[\]&]"), " "),
    (re.compile(r"(?<![\w*)])[*_](?=[^\s*_])([^*\n_]{1,80})[*_](?![\w*(])"), r" \1 "),
    (re.compile(r"(?:^|(?<=\n))[^\S\n]{0,9}####\s?"), "final answer: "),
    (re.compile(r"(?:^|(?<=\n))[^\S\n]{0,9}[#>]++"), ""),
    (re.compile(r"(?<=\w)\n[-=]{3,99}(?=\n)"), ":"),
    (re.compile(r"\bapprox\."), "approximately"),
    (re.compile(r"\b(?:i\.e\.|viz\.)"), "namely"),
    (re.compile(r"\be\.g\."), "for example"),
    (re.compile(r"[−‐‑–—]"), "-"),
    (re.compile(r"[’‘]"), "'"),
    (re.compile(r"⁄"), "/"),
    (re.compile(r"(?<=[\d)]) ?x ?(?=[(\d])"), " * "),
    (re.compile(r"(?<=\d)~(?=\d)"), "-"),
    (re.compile(r"~"), "≈"),
    (re.compile(r"[^\S\n]?\|[^\S\n]?"), " : "),
    (re.compile(r"[^\S\n]+"), " "),
    (re.compile(r" ?\n[ \n]*+(?=[=≈→])"), " "),
    (re.compile(r" ?\n[ \n]*"), "\n"),
)
_ESCAPED_MONEY, _MONEY = "\\$", "€"


def clean(text: str) -> str:
    """The text in compatibility form (NFKC), without Markdown and LaTeX; "€" marks any money.

    Boxed and tagged answers become a line "final answer: ...". Time is linear in the length.
    """
    text = SUPERSCRIPT.sub(lambda found: "^" + found[0].translate(_SUPERSCRIPTS), text)
    text = unicodedata.normalize("NFKC", _VULGAR.sub(" ", text)).replace("ˆ", "^")
    text = _MATHS.sub(r" \1 ", text.replace(_ESCAPED_MONEY, _MONEY))
    text = re.sub(r"\$(?=\s?[-+.\d])|(?<=\d)\s?\$|[£¥₹]", _MONEY, text).replace("$", " ")
    for pattern, replacement in _COMMANDS:
        text = pattern.sub(replacement, text)
    return text.strip()


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


_WORD = "(?:" + "|".join([*reversed(ONES), *TENS, *SCALES]) + r")(?![a-z])"
_ONE = "(?:" + "|".join(list(ONES)[9::-1]) + r")(?![a-z])"
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
# Before a number that is no quantity: money, a step, the size of a batch, a period.
_OTHER_BEFORE = re.compile(
    r"(?:€|\b(?:batch|box|crate|pack|case|lot|multiple|carton|pallet)(?:es|s)\sof|\b(?:extra"
    r"|additional|further|another|USD|EUR|GBP|US|Rs\.?|step|level|stage|option|scenario|case|table"
    r"|eq(?:uation|\.)?|figure|method|part|section|example|day|week|period|chapter|tip"
    r"|note|HTTP|errors?|status|error\scode|[NU]\s?\([^()\n]{0,20}|few|several"
    r"|(?<!mi[sz]ed\s)by(?:\s(?:about|around|another))?)|±|\blog|\bROUND\([^()\n]{0,30},|#)\s?$",
    re.IGNORECASE,
)
# And after one: money, a share, a time, a count of other things, "too high".
_OTHER_AFTER = re.compile(
    r"-?\s?(?:[€%°]|(?:extra|additional|further|more\s(?!than))|(?:USD|EUR|GBP|dollars?|euros?"
    r"|cents?|bucks|yuan|percent(?:age|ile)?|per\scent|pct|pp|(?:business\s)?days?|hours?|hrs?"
    r"|weeks?|months?|years?|minutes?|mins?|seconds?|times|[ap]m|o'clock|miles?|km|degrees?"
    r"|decimals?|digits?|significant|std|sd|(?:approach|possibilit|polic|assumption|scenario"
    r"|simulation|observation|season|supplier|candidate|option|method|reason|factor|value|thing"
    r"|list|step|way)(?:e?s|ies)|customers?|people|'?s|standard\sdeviations?|sigmas?|σ|(?:st|nd|rd"
    r"|th)(?:\s?percentile|\s?quantile)?|D|x(?!\s?\d)|fold|h)(?![^\W\d_])|元"
    r"|(?:[a-z]{1,12}\s)?(?:below|above|(?:less|fewer|more|lower|higher)\sthan)\b"
    r"|(?:[a-z]{1,12}\s)?(?:is(?:n't|\snot)|can(?:'t|not)\sbe)\s(?:right|correct|it|possible"
    r"|valid)\b|(?:[a-z]{1,12}\s)?at\s(?:the\s)?(?:most|minimum|maximum)\b|(?:is|was)\s(?:wrong"
    r"|incorrect|too\s(?:low|high|many|few|much))\b)",
    re.IGNORECASE,
)
# What makes it part of a version, a date or a time of day.
_VERSION = re.compile(r"\.\d|/\d|:\d\d(?!\d)")
_THE = re.compile(r"\b(?:the|this|that|which|each|every|any|no) $", re.IGNORECASE)
_COUNTING = re.compile(r"\W?\s?[^\W\d]")  # "They buy one.": a pronoun
# What makes it the mark of an item, within a line and (before anything) at its start.
_MARKER = re.compile(r"[.)] [a-z]"), re.compile(r"[.)] \S")
# What else than an order a number may be of, here and in the languages of the corpora.
THING = (
    r"(?:(?:kritische[ns]?\s)?Verhältnis|Nachfrage|demanda|demande|domanda|mean|average|median"
    r"|expected(?:\sdemand)?|demand|deviation|std|stdev|SD|variance|sigma|mu|[μσΦz]"
    r"|z[-_\s]?(?:scores?|values?)|CR|SL|C_?[uo]|[PF]\s?\([^()\n]{0,20}\)|P\d\d"
    r"|Φ\^-1\s?\([^()\n]{0,9}\)|NORM\.?S?\.?INV\s?\([^()\n]{0,20}\)|fractiles?|ratio|IQR|range"
    r"|price|cost|salvage|profit|margin|revenue|overage|underage|probability|percentiles?"
    r"|quartiles?|quantile|service\slevel|overstock(?:ing)?|understock(?:ing)?|safety\sstock"
    r"|last\s(?:week|month|year|season|time)|yesterday|forecast|reorder\s(?:point|level)|capacity"
    r"|inventory|loss|penalty|lambda|λ|moyenne|Mittelwert|media|écart-type)"
)
_IS = (
    r"(?:is|was|be|of|at|equals|equal\sto|(?:comes|amounts)\sto|works\sout\s(?:at|to)|are|were|est"
    r"|ist|es|de|von)"
)
_ABOUT = (
    r"(?:(?:about|around|approximately|approx|roughly|nearly|almost|exactly|just|only|simply|circa"
    r"|ca\.?|environ|etwa|rund|ungefähr|unos|aproximadamente|≈|a\stotal\sof|therefore|then|thus"
    r"|also|still|the|equal\sto|to\sbe|rounded\sto|一|约|大约)\s?)"
)
# What is said to be something else, up to the number: "mean demand is about".
_NAMED = re.compile(
    rf"(?<![A-Za-z]){THING}(?:\s(?:demand|sales|value|value\sof\sdemand|cost|price|level"
    rf"|profit))?(?:\s?\([^()\n]{{0,20}}\))?,?\s?(?:which\s)?(?:[=:≈<>≤≥]"
    rf"|(?<![A-Za-z]){_IS}(?![A-Za-z]))?\s?{_ABOUT}{{0,2}}$",
    re.IGNORECASE,
)
# Beside which it is the order nevertheless: "the one with the best profit".
_ONE_WITH = re.compile(
    r"\b(?:one with the (?:best|highest|largest|lowest|smallest)|(?:maximi|minimi)[sz](?:es|ing"
    r"|e)) [^.,\n]{0,50}$",
    re.IGNORECASE,
)
# "Mean + one standard deviation = 80": neither of the two.
_SUM = re.compile(r"\+ ?[^=≈\n]{0,30}(?:σ|SD|deviations?)[^=≈\n]{0,20}[=≈]\s?$", re.IGNORECASE)
# "At least 80" is a limit, and no order.
_BOUND = re.compile(
    r"(?:[≥≤<>]|\b(?:above|below|over|under|beyond|exceed\w*|at (?:least|most)"
    r"|(?<!round )(?<!rounded )(?<!rounding )up to|(?:more|less|fewer|greater|higher|lower|larger"
    r"|smaller) than)) ?(?:about |around )?$",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\s?(?:units?|copies|loaves|items|pieces)?\s?(?P<how>-|\.{2,3}|…|to|through|or|bis|à|至"
    r"|到)\s?(?:about\s|around\s|maybe\s|even\s|possibly\s)?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\b(?:between|entre|zwischen)\s(?:about\s|around\s|roughly\s|≈\s?)?$", re.IGNORECASE
)
_AND = re.compile(r"\s?[A-Za-z]{0,12}\s(?:and|et|und|y)\s(?:about\s|around\s|roughly\s|≈\s?)?")
# "Raise the order from 50 to 63": the first is no order.
_CHANGED = re.compile(
    r"\b(?:rais|increas|reduc|lower|decreas|chang|mov|adjust|cut|bring)\w*\b[^.\n]{0,40}\bfrom\s$",
    re.IGNORECASE,
)
# Where decimals follow a comma, a dot parts thousands.
_DECIMAL_COMMA = re.compile(
    r"(?<![\d,.(\[])(?:\d{1,3}(?:\.\d{3}){0,3},\d{1,2}|0,\d{3,6})(?!\d|,\d|[)\]])"
)
_DOTTED = re.compile(r"\d{1,3}\.\d{3}")
# So it does before pieces in a language whose decimals follow a comma, unless others follow a dot.
_PIECES = re.compile(
    r"\s(?:Stück|Einheiten|Exemplare|unidades|ejemplares|exemplares|unità|pezzi|copie|stuks"
    r"|sztuk\w?|шт\w*|единиц\w*)\b"
)
_POINTED = re.compile(r"(?<![\d.,])\d{1,9}\.(?!\d{3}(?!\d))\d|(?<!\d)0\.\d")


_NEAR, _APART = 60, 40
"""Characters before a number in which stands what it is of, and most between the ends of a range:
a clause, so that time stays linear."""


def amounts(text: str) -> list[Amount]:
    """The finite numbers in a clean text, in order."""
    pieces = _PIECES.search(text) and not _POINTED.search(text)
    dotted = bool(pieces or _DECIMAL_COMMA.search(text))
    found = [amount for match in _NUMBER.finditer(text) if (amount := _amount(text, match, dotted))]
    for index, (first, second) in enumerate(itertools.pairwise(found)):
        if _is_range(text, first, second):
            found[index : index + 2] = first._replace(kind="range"), second._replace(kind="range")
    return found


def _amount(text: str, match: re.Match[str], dotted: bool) -> Amount | None:
    words, start, end = match["words"], match.start(), match.end()
    value = _worded(match) if words else _numeral(match)
    if value is None or not math.isfinite(value):
        return None
    if dotted and _DOTTED.fullmatch(match["digits"] or ""):
        value = 1_000 * value
    if match["sign"] and match["sign"] != "+":
        value = -value
    # A box in a sentence stands in a line of its own by now: "The ratio is", "final answer: 0.6".
    before = (
        text[max(0, start - _NEAR) : start].replace("\nfinal answer: ", " ").rpartition("\n")[2]
    )
    one = words and words.lower() == "one"
    if one and start and (_THE.search(text[:start][-9:]) or not _COUNTING.match(text, end)):
        return None
    if words and " " not in words and "-" not in words and value <= 12:
        kind = "small"
    elif _NAMED.search(before) and not (_ONE_WITH.search(before) or _SUM.search(before)):
        kind = "named"
    elif match["digits"] and value < 20 and _MARKER[before in {"", "("}].match(text, end):
        kind = "other"
    else:
        kind = "plain"
    if (
        _BOUND.search(before)
        or _CHANGED.search(before)
        or _OTHER_BEFORE.search(before)
        or _OTHER_AFTER.match(text, end)
        or _VERSION.match(text, end)
    ):
        kind = "other"
    return Amount(start, end, value, kind)


def _numeral(match: re.Match[str]) -> float | None:
    value = float(pointed(match["digits"]))
    if power := match["exponent"] or match["power"]:
        value = float(f"{value!r}e{int(power)}") if "e" not in repr(value) else math.nan
    if match["over"]:
        value += int(match["over"]) / int(match["under"])
    if match["divisor"]:
        divisor = float(match["divisor"])
        value = value / divisor if divisor else math.nan
    value += 0.5 if match["half"] else 0.0
    return value * (1_000 if match["kilo"] else SCALES.get((match["scale"] or "").lower(), 1))


def _worded(match: re.Match[str]) -> float | None:
    """The value of number words, None if they do not make one number ("one two three")."""
    whole = re.split(r"\spoint\s|\sand\sa\shalf", match["words"].lower())[0]
    total, current, room = 0, 0.0, math.inf
    for word in re.split(r"[-\s]+", whole):
        if word in SCALES:
            scale = SCALES[word]
            current = (current or 1) * scale
            if scale >= 1_000:
                total, current = total + int(current), 0.0
            room = math.inf
        elif word == "half":
            current = 0.5
        elif (value := TENS.get(word, ONES.get(word))) is not None:
            if value >= room:
                return None
            current, room = current + value, 10 if word in TENS else 0
    decimals = "".join(str(ONES[word]) for word in (match["point"] or "").lower().split())
    return total + current + float(f"0.{decimals or 0}") + (0.5 if match["half2"] else 0.0)


def _is_range(text: str, first: Amount, second: Amount) -> bool:
    between = text[first.end : second.start]
    if len(between) > _APART or "other" in {first.kind, second.kind}:
        return False
    before = text[max(0, first.start - 30) : first.start]
    if _BETWEEN.search(before) and _AND.fullmatch(between):
        return True
    found = _RANGE.fullmatch(between)
    return found is not None and (found["how"].lower() == "or" or first.value < second.value)
