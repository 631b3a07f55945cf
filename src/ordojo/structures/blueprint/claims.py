"""What a sentence claims: directions, types, bounds and numbers, in ordinary words.

`PHRASES` says each meaning in the ways that people say it. It was written on one list of
paraphrases and measured once on another (docs/workbench.md has both figures). Where two phrases
overlap the one that begins first counts, of those the longest: "no less than" is no "less than".
"""

import re
from dataclasses import dataclass, field

from ordojo.core.readers.numbers import ONES, SCALES, TENS
from ordojo.structures.blueprint.blueprint import BRACED, PATH, QUOTED

_NOT = (
    r"(?:(?:(?:may|must|shall|can) )?(?:not|never)|cannot|can ?not|can't|must ?n't|may ?n't|no|nor)"
    r"(?: to)?"
)
_BE = r"(?: (?:be|go|fall|drop|get|rise|become|ever be|(?:add up|sum|come|amount) to))?"
_LESS = r"(?:less|fewer|smaller|lower)"
_MORE = r"(?:more|greater|larger|higher|bigger)"
_ZERO = r"(?:zero|0|nothing)"
_BAD = r"(?=[^.;,]{1,40}? (?:cannot|can't|may not|must not|(?:is|are) (?:not|too|im)))"
"""Said of what comes before it: "less than 9 is too little"."""
_ALL = r"(?:anything|all|everything)"
_AS = r"as possible|as \w+ (?:can|could|may|gets?|has to|have to|needs? to)(?: be| get)?"
PHRASES: dict[str, tuple[str, ...]] = {
    "<=": (
        r"at (?:the )?most",
        rf"{_NOT}{_BE} {_MORE} than",
        rf"{_NOT}{_BE} (?:above|over|beyond)",
        rf"(?:{_NOT}|without)(?: be)? exceed(?:ed|ing|s)?",
        rf"(?:anything )?{_MORE} than{_BAD}|{_ALL} (?:above|over|beyond){_BAD}",
        r"no more \w+ than|(?:and|but) (?:no|not) (?:more|longer|further)",
        r"(?:cannot|can't|may not) \w+ more(?! than)",
        r"is the (?:most|maximum) (?:that|one|we|you|it|they)|is the (?:limit|ceiling)",
        r"as (?:its|their|the|a) (?:ceiling|maximum)",
        r"fits? (?:with)?in(?:to|side)?|(?:space|room) for only",
        r"up to",
        r"(?:a|the) maximum of",
        r"(?:no|not) more than",
        r"(?:no|none|nobody)(?: (?!and |but )\w+){0,6}? more than",
        r"(?:stays?|remains?|kept|keeps?|be|is|are) (?:with)?in(?:side)?(?: the limit)?(?= [{\d`]|"
        r" (?:the|its|their|this|that) (?:\w+ )?(?:limit|capacity|budget|bound|allowance))",
        r"(?:is |are |be )?(?:limited (?:to|by)|capped(?: at)?|restricted to)",
        r"(?:below|under) or (?:equal(?: to)?|at)|less than or equal to|at or below",
        r"(?:at or )?(?:below|under) the (?:limit|maximum|bound|cap)(?: of)?",
        r"bounded (?:from )?above(?: by)?|(?:an )?upper (?:bound|limit)(?: of)?",
        r"no two|not both|cannot both|at most one",
        r"two (?:of )?[^.;,]{1,40}?(?:not allowed|forbidden|excluded)|only(?= [{\d])",
        r"available (?:in|on|at|for|per)\b|there (?:are|is) only",
    ),
    ">=": (
        r"at (?:the )?least",
        rf"{_NOT}{_BE} {_LESS} than",
        rf"{_NOT}{_BE} (?:below|under)|{_NOT} (?:fall|drop) short of",
        rf"{_LESS} than{_BAD}|{_ALL} (?:below|under){_BAD}",
        r"(?:needs?|requires?) (?:an?|one)(?= \w)(?! or )|as (?:its|their|the|a) (?:floor|minimum)",
        r"(?:no|none|never|not)(?: \w+){0,6}? without (?:an?|any|one)\b",
        r"(?:a|the) minimum of",
        r"or (?:more|higher|above)",
        r"at or above|(?:above|over) or equal(?: to)?|(?:exceeds?|more than|greater than|larger "
        r"than|higher than) or equal(?:s)?(?: to)?",
        r"(?:must|has to|have to|needs? to|should|shall|is to|are to) (?:reach|cover|satisfy|meet|"
        r"fulfil)",
        r"(?:must|has to|have to|needs? to|should|shall|is to|are to|is|are) (?:always )?be (?:met|"
        r"covered|satisfied|fulfilled|reached)|(?:is|are) (?:met|covered|satisfied|fulfilled)\b",
        r"bounded (?:from )?below(?: by)?|(?:a )?lower (?:bound|limit)(?: of)?",
    ),
    "=": (
        r"exactly|precisely",
        r"(?:must |both |is |are |be )*equals?(?: to)?",
        r"(?:is |are |be )?(?:the same as|identical to)|(?:is|are|be|stays?) the same(?! \w)",
        r"one and only one|a single|just one|one (?:\w+ ){0,3}(?:and|but) no other",
        r"(?:adds?|added|sums?|comes?|amounts?|totals?) (?:up )?to(?: exactly)?"
        r"(?![^.;]*? or (?:more|higher|less|fewer)| (?:at |no |not )?(?:most|least|more|less)\b)",
        r"(?<!the )balance[sd]?|in balance",
        r"match(?:es|ed)?|coincides?",
    ),
    "minimize": (
        r"minimi[sz](?:e[sd]?|ing|ation)|minimal",
        rf"as (?:small|low|little|cheap(?:ly)?|short|few)(?: \w+)*? (?:{_AS})",
        r"(?:the )?(?:cheapest|lowest|smallest|least|shortest)(?= (?!than)\w)",
        r"(?:costs?|takes|uses|needs|spends?|pays?) (?:the )?least",
        r"to a minimum",
    ),
    "maximize": (
        r"maximi[sz](?:e[sd]?|ing|ation)|maximal",
        rf"as (?:large|high|much|great|many|big|good|long)(?: \w+)*? (?:{_AS})",
        r"(?:the )?(?:greatest|highest|largest)(?= (?!than)\w)|the most(?= \w)",
        r"(?:earns?|yields?|brings|gains?) (?:the )?most(?: \w+)?",
        r"to a maximum",
    ),
    "binary": (
        r"whether(?: or not)?",
        r"yes[ -]or[ -]no(?:,? \(?one or zero\)?)?|binary",
        r"(?:either |value )?(?:zero or one|one or zero|0 or 1|1 or 0)",
        r"0[/-]1|zero[- ]one",
        r"either (?:\w+ )+or (?:is )?(?:not|left)|either \w+ or \w+",
        r"\w+,? or (?:(?:it|he|she|they) )?(?:(?:is|are|does|do|has|have|stays?) )?not\b",
        r"on or off|in or out|all or nothing|\w+ or (?:is )?left\b",
        r"decides? if",
    ),
    "integer": (
        r"whole[- ](?:numbers?|units?|pieces?)|integers?|integral|integrality",
        r"how many|in whole \w+",
        r"(?:no )?fraction(?:s|al)?(?: \w+)*? (?:not|is|are) (?:possible|allowed|permitted|sold)|"
        r"fractions? (?:of \w+ \w+ |of \w+ )?(?:are|is) not",
        r"no fraction(?:s|al)|indivisible|(?:cannot|not|never) be (?:split|divided)",
    ),
    "nonnegative": (
        r"non-?negative",
        rf"{_NOT}(?: \w+){{0,5}}? negative|{_NOT}(?: \w+)* be negative|nothing may be negative",
        r"none of (?:\w+ )+negative|negative (?:\w+ )?makes? no sense",
        r"negative (?:\w+ )?(?:is|are) (?:not|never)(?: \w+)?|negative (?:\w+ )?(?:is|are) "
        r"(?:forbidden|excluded)",
        rf"at (?:the )?least {_ZERO}\b|{_ZERO} or (?:more|higher|above|greater)",
        rf"{_NOT}(?: \w+)*? (?:below|under|{_LESS} than) {_ZERO}\b",
        rf"(?:greater|larger|more) than or equal to {_ZERO}\b|no amount may be less than zero",
    ),
    "free": (
        r"(?:any|either) sign|(?:unrestricted|free) in sign|of any sign and size",
        r"(?:may|can|might|could)(?: also)? be negative",
        r"positive(?:,)?(?: or|,) negative(?:,? or zero)?|negative or positive",
        r"negative (?:\w+ )?(?:is|are) allowed",
    ),
    "between": (
        r"(?:(?:lies?|is|are|be) )?between(?=[^.]* and )",
        r"(?:(?:numbered|ranges?|runs?) )?from(?= (?:[{`\d]|zero|one|minus)[^.]*? (?:up )?to )",
    ),
    "semicontinuous": (
        r"zero or else|(?:either )?(?:zero|nothing)(?: at all)?,? or (?:else )?(?:at least|between|"
        r"within)",
    ),
    "implies": (
        r"only (?:if|when|where|once)|unless|(?:can|may) only(?: be)?",
        r"only (?!whole|integ|\d)(?:\w+ ){1,3}(?:can|may|is|are)(?: be)?|that (?:is|are) \w+ only",
        rf"(?:{_NOT}|nothing)(?: \w+)*? (?:closed|shut|unused|(?:is|are) not)\b",
        r"(?:closed|shut|unused|not (?!negative)\w+)(?: \w+){0,3}? (?:no|nothing|none|never)\b",
        r"without (?:an?|its|the) [\w-]+,? (?:no|nothing|none|never)\b",
    ),
    "available": (r"(?:are|is) (?:available|on hand)",),
    "unlimited": (r"not limited|without (?:any )?limit|no limit",),
    "range": (r"the other side|by the rules of mps ranges",),
    "sense": (r"(?:in )?the (?:relation|direction|sense) that",),
    "kind": (r"of the kind that",),
    "soft": (
        r"ideally|preferably|if possible|where possible|optional(?:ly)?|as a rule|usually|"
        r"(?:should|must|may) not be (?:at (?:most|least)|exactly|equal)|roughly|about (?=[{\d])",
        r"needs? not|needn't|(?:do|does) not (?:have|need) to|not necessarily",
    ),
}
_SCAN = {
    kind: re.compile("|".join(rf"(?<![\w-]){phrase}" for phrase in phrases), re.IGNORECASE)
    for kind, phrases in PHRASES.items()
}
_SUPERLATIVE = re.compile(r"(?:the )?(?:\w+est|least|most)", re.IGNORECASE)
_GOAL = re.compile(
    r"\?|\b(?:aims?|goals?|objectives?|wants?|wish(?:es)?|like|tr(?:y|ies)|seeks?|find|choose|pick|"
    r"get|look(?:s|ing)?|after|hopes?|prefers?|should|to|plan|solution|best)\b",
    re.IGNORECASE,
)
"""Without such a word "the largest amount" is one of the data, not what is aimed at."""
_PARTS = {"half": 0.5, "twice": 2.0, "double": 2.0, "third": 1 / 3, "quarter": 0.25}
WORDS = {word: float(value) for word, value in (ONES | TENS | SCALES | _PARTS).items()}
_WORD = rf"(?:{'|'.join(sorted(WORDS, key=len, reverse=True))})"
_NUMBER = re.compile(
    rf"(?P<brace>{BRACED.pattern})|(?P<digits>\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?)"
    rf"|(?<![\w-])(?P<words>{_WORD}(?:(?<=hundred) and(?= {_WORD}\b)|(?:-| (?:a )?){_WORD}\b)*)"
    r"(?![\w-])",
    re.IGNORECASE,
)
_NEAR = re.compile(r"[ (]*(?:(?:a|an|the|total|sum|of|minus|number|value|amount) )*")
"""What may stand between a direction and its number."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")

Number = float | str
"""A number as it stands, or the name of a given one."""


_CLAUSE_ENDS = re.compile(r"[,;:(] ?| (?:and|but|while|or) ")


@dataclass(frozen=True)
class Claim:
    """One meaning that a sentence claims: its kind, the words, and the number right after them.

    `after` is what follows until the clause ends: there a limit stands that is no number.
    """

    kind: str
    words: str
    number: Number | None = None
    after: str = field(default="", compare=False)


def claims(sentence: str) -> list[Claim]:
    """What a sentence claims, in order; a range claims a "low" and a "high" end.

    Names in backticks and paths of files claim nothing.
    """
    blank = re.sub(
        f"{QUOTED.pattern}|{PATH.pattern}",
        lambda match: match.group()[0] + "x" * (len(match.group()) - 1),
        sentence,
    )
    spans = [
        (match.start(), -match.end(), kind)
        for kind, pattern in _SCAN.items()
        for match in pattern.finditer(blank)
    ]
    found, reached = list[Claim](), 0
    for start, stop, kind in sorted(spans):
        words, number = sentence[start:-stop], _after(blank, -stop)
        limited = number is not None or blank[-stop:].startswith(" `")
        if start < reached or (not limited and _again(found, kind, blank[reached:start])):
            continue
        reached = -stop
        if _SUPERLATIVE.fullmatch(words) and not _GOAL.search(blank):
            continue
        after = _CLAUSE_ENDS.split(sentence[-stop:], maxsplit=1)[0]
        if kind == "available":
            number = next(iter(numbers(blank[:start])), None)
        if kind == "between":
            found += [Claim("low", words, number, after), Claim("high", words)]
        elif number == 0 and kind == ">=":
            found.append(Claim("nonnegative", words))
        else:
            found.append(Claim(kind, words, number, after))
    return found


def _again(found: list[Claim], kind: str, between: str) -> bool:
    """Whether words say once more what was just said: "only 42 can come at most"."""
    same = found and found[-1].kind == kind and found[-1].number is not None
    return bool(same and re.fullmatch(r"(?: [\w{}.]+){1,4} ", between)) and " and " not in between


def _after(sentence: str, place: int) -> Number | None:
    near = _NEAR.match(sentence, place)
    match = _NUMBER.match(sentence, near.end() if near else place)
    return _value(match) if match else None


def _value(match: re.Match[str]) -> Number:
    if match["brace"]:
        return match["brace"][1:-1]
    if match["digits"]:
        return float(match["digits"].rstrip(",").replace(",", ""))
    return _spelled(re.findall(r"[a-z]+", match["words"].lower()))


def _spelled(words: list[str]) -> float:
    """The number of "two hundred and ten", "twenty-seven" or "half a dozen"."""
    total = part = 0.0
    for value in (WORDS[word] for word in words if word in WORDS):
        if value >= 1000:
            total, part = total + (part or 1) * value, 0.0
        elif value in (12, 100) or 0 < value < 1:
            part = (part or 1) * value
        else:
            part += value
    return total + part


def numbers(text: str) -> list[Number]:
    """Every number of a text: digits, words, and names in braces."""
    for pattern in (QUOTED, PATH):
        text = pattern.sub(" ", text)
    return [_value(match) for match in _NUMBER.finditer(text)]


def blocks(text: str) -> list[str]:
    """The paragraphs, headings and items of a text, each on one line.

    Lines go on where they are wrapped; a blank line, a heading or a bullet begins another.
    """
    found = list[str]()
    for line in text.strip().splitlines():
        line = line.strip()
        fresh = not found or not line or not found[-1] or found[-1].endswith(":")
        if fresh or re.match(r"[-*#] ?|\d+[.)] ", line):
            found.append(line)
        else:
            found[-1] += " " + line
    return [block for block in found if block]


def sentences(block: str) -> list[str]:
    """The sentences of a paragraph."""
    return [one for one in _SENTENCE.split(block.strip()) if one]
