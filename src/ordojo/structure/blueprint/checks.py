"""Whether a rewritten text still says the same: names, numbers, scopes, senses, intent.

A line is reduced to what carries meaning: names in backticks, braces, paths, and the words of
`MEANINGS` (with their usual synonyms), in order. All other words are free. Rewriting may not
introduce, remove or alter modelling content (paper 003, appendix B.5), so any doubt is a reason.
"""

import re
from collections import Counter
from collections.abc import Iterator

from ordojo.structure.blueprint.blueprint import BRACED, PATH, QUOTED

ANCHOR = re.compile(r"- `([^`]+)`:")
SMALL = re.findall(
    r"\w+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
    "hundred thousand million billion dozen half third quarter twice double triple percent",
)
MEANINGS: tuple[tuple[str, str], ...] = (
    ("yes or no", r"yes or no|yes-or-no|binary"),
    (
        "at most",
        r"at most|up to|no more than|not more than|(?:must|can|may|should|does)? ?not exceed|"
        r"cannot exceed|no greater than|not (?:be )?greater than|not (?:be )?above",
    ),
    (
        "at least",
        r"at least|no less than|not less than|no fewer than|not (?:be )?below|not fall below|"
        r"no smaller than|not (?:be )?smaller than",
    ),
    ("equal", r"equals?|matches|match|the same as|identical to"),
    ("exactly", r"exactly|precisely"),
    ("more", r"more than|greater than|larger than|above|exceeds?|over and above"),
    ("fewer", r"less than|fewer than|smaller than|below"),
    ("exists", r"(?:where|if|when|wherever) it exists"),
    ("only", r"only"),
    ("if", r"if|when|whenever|while"),
    ("except", r"unless|except|excluding|apart from|other than|besides"),
    ("not", r"\w+n['’]t|not|never|no|none|neither|nor|without|cannot"),
    ("minimize", r"minimi[sz]e|minimi[sz]es|minimi[sz]ing|smallest|lowest|least|cheapest"),
    ("maximize", r"maximi[sz]e|maximi[sz]es|maximi[sz]ing|largest|highest|most|greatest"),
    ("sum", r"sum|total"),
    ("plus", r"plus|together with|added to"),
    ("minus", r"minus|reduced by|subtract(?:ed|ing)?"),
    ("times", r"times|multiplied by"),
    ("per", r"divided by|per|ratio"),
    ("each", r"each|every|all|any"),
    ("some", r"some|several|few|many|pairs? of"),
    ("from", r"from|starting at"),
    ("modulo", r"modulo"),
    ("optional", r"may|might|can|could|should|optional(?:ly)?|ideally|preferably"),
    ("whole", r"whole|integers?|integral"),
    ("chosen", r"chosen|selected|picked"),
    ("sign", r"(?:non-?)?(?:positive|negative)|strictly|sign"),
    (
        "limit",
        r"limit(?:ed|s)?|bound(?:ed|s)?|cap(?:ped|s)?|restrict(?:ed|ion|ions|s)?|forbidden|"
        r"prohibited|disallowed|allowed|permitted",
    ),
    ("between", r"between|range"),
    ("different", r"different|distinct|unequal"),
    (
        "order",
        r"before|after|next|previous|earlier|later|consecutive|adjacent|neighbou?ring|successive",
    ),
    *((word, word) for word in SMALL),
)
STORY = {"'each'", "'some'", "'if'", "'sum'", "'from'", "'whole'", "'optional'", "'chosen'"}
"""What a story may gain or lose; it may lose anything else, too, but gain none of it."""
_PIECES = "|".join(
    [
        f"(?P<ref>{QUOTED.pattern}|{BRACED.pattern}|{PATH.pattern})",
        r"(?P<digits>\d[\d.,]*)",
        *(rf"(?P<m{k}>\b(?:{pattern})\b)" for k, (_, pattern) in enumerate(MEANINGS)),
    ]
)
SCAN = re.compile(_PIECES, re.IGNORECASE)
"""Finds what carries meaning."""


def meaning(line: str) -> list[str]:
    """What carries meaning in a line, in order."""
    found = []
    for match in SCAN.finditer(line):
        kind = match.lastgroup or ""
        if kind == "ref":
            found.append(match.group().rstrip("."))
        elif kind == "digits":
            found.append(f"the number {match.group()}")
        else:
            found.append(f"'{MEANINGS[int(kind[1:])][0]}'")
    return found


def reasons(before: str, after: str) -> list[str]:
    """Why a rewritten text is refused; none where it says the same."""
    old, new = list(_parts(before)), list(_parts(after))
    names, given = [name for name, _ in old], [name for name, _ in new]
    wrong = [f"{name} is missing" for name in names if name not in given]
    wrong += [f"{name} is new" for name in given if name not in names]
    wrong += [f"{name} stands there twice" for name, n in Counter(given).items() if n > 1]
    if not wrong and names != given:
        wrong.append("the lines are in another order")
    if wrong:
        return wrong
    for (name, first), (_, second) in zip(old, new, strict=True):
        said, again = meaning(first), meaning(second)
        if name == "the story":
            gained = Counter(again) - Counter(said)
            wrong += [f"{name} gains {what}" for what in gained if what not in STORY]
        else:
            wrong += [f"{name} {why}" for why in _differences(said, again)]
    return wrong


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """The story, then each line by its section and label; a line goes on where it is wrapped."""
    section, name, lines = "the story", "the story", list[str]()
    for line in text.strip().splitlines():
        line = line.strip()
        head = line.removesuffix(":")
        if line.endswith(":") and head and head.isalpha() and not line.startswith("-"):
            yield name, " ".join(lines)
            section, name, lines = head, f"the heading {head}", []
        elif line.startswith("- "):
            yield name, " ".join(lines)
            anchor = ANCHOR.match(line)
            label = f"`{anchor.group(1)}`" if anchor else "its sentence"
            name, lines = f"{section}, {label}", [line]
        elif line:
            lines.append(line)
    yield name, " ".join(lines)


def _differences(old: list[str], new: list[str]) -> Iterator[str]:
    lost, added = Counter(old) - Counter(new), Counter(new) - Counter(old)
    for what in lost:
        yield f"loses {what}"
    for what in added:
        yield f"gains {what}"
    if not lost and not added and old != new:
        place = next(k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)
        yield f"has {new[place]} where {old[place]} was"
