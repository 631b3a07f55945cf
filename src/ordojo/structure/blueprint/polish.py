"""Polishing by a language model: any wording, but never another problem."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ordojo.core.errors import UsageError
from ordojo.core.policy import Generate
from ordojo.structure.blueprint.blueprint import BRACED, PATH, QUOTED, Blueprint, digits
from ordojo.structure.blueprint.words import TextScenario

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


POLISH_PROMPT = """Rewrite the problem description below so that it reads more fluently.
Change wording only. The problem must stay exactly the same:
- Keep every line, its order, its headings, and the name in backticks at its beginning.
- Keep every name in backticks, every {{name}} in braces and every file path, in their order.
- Keep every sum, product, side and condition where it is. Keep "at most", "at least", "equal",
  "each", "only", "if", "where it exists", and whether something is minimized or maximized.
- Add no number, no variable, no rule and no example.
Answer with the rewritten description alone.

{text}"""


@dataclass(frozen=True)
class Polished:
    """What came of it: the text to use, whether it is the model's, and why not.

    `reasons` has a list for each attempt that was refused; `raw` is the last answer.
    """

    text: str
    accepted: bool
    reasons: tuple[tuple[str, ...], ...]
    raw: str


def polish(text: str, generate: Generate, attempts: int = 1, seed: int = 0) -> Polished:
    """Ask a model to rewrite a blueprint's text; where the checks refuse it, the text stays.

    Raises UsageError for fewer than one attempt.
    """
    if attempts < 1:
        raise UsageError(f"polish: {attempts} attempts; give at least one")
    refused: list[tuple[str, ...]] = []
    raw = ""
    for attempt in range(attempts):
        raw = generate(
            POLISH_PROMPT.format(text=text),
            max_tokens=len(text) // 2 + 512,
            temperature=0.7 if attempt else 0.0,
            seed=seed + attempt,
        )
        answer = _bare(raw)
        wrong = reasons(text, answer)
        if not wrong:
            return Polished(answer, True, tuple(refused), raw)
        refused.append(tuple(wrong))
    return Polished(text, False, tuple(refused), raw)


def _bare(raw: str) -> str:
    """The answer without a code fence around it."""
    lines = raw.strip().splitlines()
    if len(lines) > 1 and lines[0].startswith("```") and lines[-1].startswith("```"):
        lines = lines[1:-1]
    return "\n".join(lines).strip() + "\n"


LONGEST = 600
"""Characters of a story."""
_NOUN = re.compile(r"[a-z][a-z -]{1,30}")
_STRUCTURE = re.compile(r"\{.*\}", re.DOTALL)

SETTING = """Choose a plausible setting for an optimization problem of the class "{application}".
Its decisions are called {groups}; its rules are called {families}; its index sets are {sets}.
Answer with JSON alone:
{{"story": "two or three sentences that set the scene, without any number, rule or objective",
  "ordered": ["singular", "plural"], "nouns": [["singular", "plural"], ...]}}
"ordered" is what an index in time or order counts; "nouns" are {count} pairs, what the elements of
the other index sets are called, in the order given. Use plain lower-case words for them."""


@dataclass(frozen=True)
class Invented:
    """The scenario, or None and the reasons why the answer is refused."""

    scenario: TextScenario | None
    reasons: tuple[str, ...]
    raw: str


def invent(blueprint: Blueprint, generate: Generate, seed: int = 0) -> Invented:
    """Ask a model for a scenario of a drafted blueprint; `draft` takes it in place of a name."""
    count = max(3, len(blueprint.sets))
    raw = generate(
        SETTING.format(
            application=blueprint.application[1],
            groups=", ".join(item.label for item in blueprint.groups),
            families=", ".join(item.label for item in blueprint.families),
            sets=", ".join(item.label for item in blueprint.sets) or "none",
            count=count,
        ),
        max_tokens=800,
        temperature=0.7,
        seed=seed,
    )
    found = _STRUCTURE.search(raw)
    try:
        value = json.loads(found.group()) if found else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return Invented(None, ("the answer is no JSON object",), raw)
    reasons = tuple(_faults(value))
    if reasons:
        return Invented(None, reasons, raw)
    nouns = tuple((str(one), str(many)) for one, many in value["nouns"])
    one, many = value["ordered"]
    story = " ".join(value["story"].split())
    return Invented(TextScenario("invented", (), story, (one, many), nouns), (), raw)


def _faults(value: dict[str, Any]) -> list[str]:
    story, pairs = value.get("story"), [value.get("ordered")]
    wrong = []
    if not isinstance(story, str) or not 20 <= len(story) <= LONGEST:
        wrong.append(f"'story' is no text of 20 to {LONGEST} characters")
    else:
        wrong += [f"the story has the number {one}" for one in digits(story)]
        wrong += [f"the story says {one}" for one in meaning(story) if one not in STORY]
    if isinstance(value.get("nouns"), list) and value["nouns"]:
        pairs += value["nouns"]
    else:
        wrong.append("'nouns' is no list of pairs")
    for pair in pairs:
        words = pair if isinstance(pair, list) else []
        if len(words) != 2 or not all(isinstance(w, str) and _NOUN.fullmatch(w) for w in words):
            wrong.append(f"{json.dumps(pair)[:60]} is no pair of plain words")
    return wrong
