"""Whether a text in other words still says the whole model, without a language model at hand.

`facts` lists what a text has to say: every number, set, direction, type and bound. `missing` looks
for each of them: a fact is matched with one claim of one sentence (`claims.py`), and what stays
unmatched, on either side, is named. It is a check and no proof: two rules whose numbers change
places inside one sentence pass it. The proof is a reconstruction that is equivalent (`ordojo
retell --rebuilt`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from ordojo.structure.blueprint.blueprint import BRACED, PATH, QUOTED, Blueprint, Item, text
from ordojo.structure.blueprint.claims import Claim, Number, blocks, claims, numbers, sentences
from ordojo.structure.formulation import Family, Formulation, Group
from ordojo.structure.formulation import Value as Said

MEANT = {
    ">=": {">=", "low"},
    "<=": {"<=", "high"},
    "nonnegative": {"nonnegative", "low"},
    "integer": {"integer"},
}
"""The claims that say a fact, where they are more than the one of its own kind."""
SHARED = {"nonnegative", "integer", "binary", "free", "minimize", "maximize"}
"""What may be said once for several groups, or again."""
ALL = re.compile(
    r"\b(?:all|every|any|no|none of|these|both)(?: of)?(?: the| these| those)?(?: \w+)? "
    r"(?:decision|choice|quantit|amount|number|value|variable|level)\w*|"
    r"\b(?:everything|nothing|they)\b",
    re.IGNORECASE,
)
"""Says something of all decisions."""
WARY = re.compile(
    r"\b(?:unless|except|excluding|apart from|if|only|not|never|without|ideally|preferably|"
    r"optional(?:ly)?|may|might|could|should|minus)\b|\w+n['’]t\b",
    re.IGNORECASE,
)
"""What turns or softens a formal line; it may not come to it."""
TOLERANCE = 1e-9
"""Relative: a text gives a number with all its digits."""


@dataclass(frozen=True)
class Fact:
    """Something that a text has to say (`needed`) or may say.

    `kind` is that of a claim, `owner` the item that it is said of (its label), `what` names it for
    a person, `numbers` are those that may stand beside it.
    """

    kind: str
    owner: str
    what: str
    numbers: frozenset[Number] = frozenset()
    needed: bool = True

    def fits(self, claim: Claim) -> bool:
        """Whether a claim may say this."""
        if claim.kind not in MEANT.get(self.kind, {self.kind}):
            return False
        if claim.number is None or self.kind in SHARED:
            return self.kind != "nonnegative" or claim.number in (None, 0.0)
        return any(same(claim.number, one) for one in self.numbers)


@dataclass(frozen=True)
class Facts:
    """What a text has to say of a model.

    `things` are sets, tables and parameters: what each is, and the words any of which names it.
    `refs` are the formal names of each line of the drafted text, by the line's label.
    """

    facts: tuple[Fact, ...]
    values: dict[str, float]
    things: tuple[tuple[str, tuple[str, ...]], ...]
    labels: tuple[str, ...]
    refs: dict[str, list[str]]
    drafted: dict[str, str]


SHOWN = 60
"""Characters of a sentence that a reason quotes."""
OBJECTIVE, STORY, LINE = "the objective", "the story", "a line"


def same(one: Number, other: Number) -> bool:
    """Whether two numbers are the same, or two names."""
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return abs(one - other) <= TOLERANCE * max(1.0, abs(one))


def facts(f: Formulation, blueprint: Blueprint) -> Facts:
    """Everything that a text of this model has to say; the blueprint gives names and labels."""
    found = list[Fact]()
    values = {name: float(v) for name, v in blueprint.numbers.items() if isinstance(v, int | float)}
    goal = "maximize" if f.maximize else "minimize"
    found.append(Fact(goal, OBJECTIVE, f"that the objective is to {goal}"))
    for group, item in zip(f.groups, blueprint.groups, strict=True):
        found += _of_group(group, item, _beside(item.text, values))
    for family, item in zip(f.families, blueprint.families, strict=True):
        found += _of_family(family, item, _beside(item.text, values))
    parts = _parts(text(blueprint))
    lines = {name: " ".join(one for at, one in parts if at == name) for name, _ in parts}
    for label, line in lines.items():
        mine = [fact for fact in found if fact.owner == label]
        _, spare, _ = _matched(mine, [(label, claim, line) for claim in claims(line)], {label})
        found += [
            Fact(claim.kind, label, "", _beside(line, values), False) for _, claim, _ in spare
        ]
    things: list[tuple[str, tuple[str, ...]]]
    things = [(f"the number {{{name}}}", (f"{{{name}}}",)) for name in values]
    things += [(f"the set `{item.label}`", _words(item)) for item in blueprint.sets]
    parameters = {item.name: item for item in blueprint.parameters}
    for one in f.parameters:
        if one.value is None and one.name in parameters:
            words = (f"`{one.name}[", one.column, *_words(parameters[one.name]))
            things.append((f"the table column `{one.column}` of {one.file}", words))
    refs = {label: _refs(line) for label, line in lines.items()}
    return Facts(tuple(found), values, tuple(things), tuple(lines), refs, lines)


def _words(item: Item) -> tuple[str, ...]:
    """What a person may call a thing: its name, its label, the noun or file of its sentence."""
    noun = re.match(r"the (?:set of )?([a-z][a-z -]*[a-z])(?=,| among|$)", item.text)
    singular = noun[1].removesuffix("s") if noun else ""
    label = item.label if len(item.label) > 1 else ""
    files = [path.rstrip(".").removeprefix("data/") for path in PATH.findall(item.text)]
    return tuple(filter(None, (f"`{item.name}`", f"`{item.label}`", label, singular, *files)))


def _beside(line: str, values: dict[str, float]) -> frozenset[Number]:
    """The numbers of a sentence, by name and by value; nothing is always zero."""
    found: set[Number] = {0.0}
    for one in numbers(line):
        found |= {one, values[one]} if isinstance(one, str) and one in values else {one}
    return frozenset(found)


def _of_group(group: Group, item: Item, beside: frozenset[Number]) -> Iterator[Fact]:
    label, name = item.label, f"`{item.label}`"
    if group.types is not None:
        yield Fact("kind", label, f"which kind of number {name} is")
    if group.type in ("binary", "integer", "semicontinuous"):
        words = {"binary": "is yes or no", "integer": "is a whole number"}
        yield Fact(group.type, label, f"that {name} {words.get(group.type, 'may be zero or else')}")
    if group.type == "semiinteger":
        yield Fact("integer", label, f"that {name} is a whole number")
        yield Fact("semicontinuous", label, f"that {name} is zero or else within its bounds")
    if group.type == "binary":
        return
    low, high = _end(group.lower), _end(group.upper)
    if low == -np.inf:
        if high == np.inf:
            yield Fact("free", label, f"that {name} may be negative")
    elif low == 0:
        yield Fact("nonnegative", label, f"that {name} is at least zero", frozenset({0.0}))
    else:
        yield Fact(">=", label, f"the lower bound of {name}", beside)
    if high != np.inf:
        yield Fact("<=", label, f"the upper bound of {name}", beside)


def _end(value: Said) -> float | None:
    return value.number if value.kind == "number" else None


OF_SENSE = {"<=": "<=", ">=": ">=", "=": "=", "free": "unlimited", "mixed": "sense"}
TURNED = {"<=": ">=", ">=": "<="}
SAID = {"<=": "at most", ">=": "at least", "=": "equal"}


def _of_family(family: Family, item: Item, beside: frozenset[Number]) -> Iterator[Fact]:
    label = item.label
    kind = OF_SENSE[family.sense]
    said = [claim.kind for claim in claims(item.text)]
    if kind in TURNED and kind not in said and TURNED[kind] in said:
        kind = TURNED[kind]  # the sentence has the sides the other way round
    word = f" ({SAID[kind]})" if kind in SAID else ""
    yield Fact(kind, label, f"the rule `{label}`{word}", beside)
    if family.range is not None:
        yield Fact("range", label, f"the second side of `{label}`", beside)


Place = tuple[str, Claim, str]
"""A claim, the label that its line begins with ("" for none), and its sentence."""


def _matched(
    wanted: Sequence[Fact], places: Sequence[Place], labels: Iterable[str]
) -> tuple[list[Fact], list[Place], list[tuple[Fact, Place]]]:
    """Facts without a claim, claims without a fact, and the pairs; most needed facts first."""
    if not wanted or not places:
        return [one for one in wanted if one.needed], list(places), []
    known = set(labels)
    score = np.array([[_score(fact, place, known) for place in places] for fact in wanted])
    rows, cols = linear_sum_assignment(score, maximize=True)
    pairs = [(k, j) for k, j in zip(rows.tolist(), cols.tolist(), strict=True) if score[k, j] > 0]
    taken, used = {k for k, _ in pairs}, {j for _, j in pairs}
    lacking = []
    for k, fact in enumerate(wanted):
        if k in taken or not fact.needed:
            continue
        whole = fact.kind in SHARED and any(
            score[k, j] > 0 and ALL.search(place[2]) for j, place in enumerate(places)
        )
        if not whole:
            lacking.append(fact)
    spare = [
        place
        for j, place in enumerate(places)
        if j not in used and not (place[1].kind in SHARED and (score[:, j] > 0).any())
    ]
    return lacking, spare, [(wanted[k], places[j]) for k, j in pairs]


def _score(fact: Fact, place: Place, labels: set[str]) -> float:
    """0 where a claim cannot say a fact; needed facts and named owners count more."""
    label, claim, sentence = place
    if (label in labels and label != fact.owner) or not fact.fits(claim):
        return 0.0
    named = _names(sentence, fact.owner)
    others = any(_names(sentence, one) for one in labels - {fact.owner})
    number = claim.number is not None and any(
        same(claim.number, one) for one in fact.numbers - {0.0, 1.0}
    )
    return 1 + 8 * fact.needed + 2 * named + number - 0.5 * (others and not named)


def _names(sentence: str, label: str) -> bool:
    spoken = re.escape(label).replace("_", "[ _]")
    if len(label) == 1:
        return f"`{label}`" in sentence or f"`{label}[" in sentence
    return bool(re.search(rf"(?<!\w){spoken}(?!\w)", sentence, re.IGNORECASE))


def missing(wanted: Facts, told: str) -> list[str]:
    """What a text fails to say or says beyond the model, each in a few words; none if accepted.

    A text whose lines begin with the labels of the model is formal: every line has to be there, in
    order, with its names in order, and nothing that turns its meaning.
    """
    parts = _parts(told)
    formal = any(name in wanted.labels for name, _ in parts if name not in (OBJECTIVE, STORY))
    wrong = _formal(wanted, parts) if formal else []
    if wrong:
        return wrong
    for thing, words in wanted.things:
        if not any(_mentions(told, word) for word in words) and not _valued(wanted, thing, told):
            wrong.append(f"{thing} is missing")
    wrong += [f"{one} is new" for one in _strange(wanted, told)]
    places = [(name, claim, one) for name, one in parts for claim in claims(one)]
    if not formal:
        places = [("", claim, one) for _, claim, one in places]
    lacking, spare, _ = _matched(wanted.facts, places, wanted.labels)
    wrong += [f"{fact.what} is missing" for fact in lacking]
    for name, claim, one in spare:
        where = f"`{name}`" if formal and name != STORY else f'"{_short(one)}"'
        wrong.append(f"'{claim.words}' in {where} is nothing that the model says")
    return wrong


def _parts(told: str) -> list[tuple[str, str]]:
    """Every sentence with the label of its line, or what else it belongs to."""
    found = []
    for block in blocks(told):
        anchor = re.match(r"- `([^`]+)`: *", block)
        if anchor:
            name, block = anchor[1], block[anchor.end() :]
        elif re.match(r"- (?:minimi[sz]e|maximi[sz]e)\b", block, re.IGNORECASE):
            name = OBJECTIVE
        else:
            name = LINE if block.startswith("- ") else STORY
            name = block if re.fullmatch(r"[A-Z]\w+:", block) else name
        found += [(name, one) for one in sentences(block)]
    return found


def _mentions(text: str, word: str) -> bool:
    if word[0] in "`{":
        return word in text
    return bool(re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE))


def _valued(wanted: Facts, thing: str, text: str) -> bool:
    """Whether a named number stands there by its value."""
    name = thing.partition("{")[2][:-1]
    return name in wanted.values and any(same(wanted.values[name], n) for n in numbers(text))


def _strange(wanted: Facts, text: str) -> list[str]:
    """Numbers and names in braces that the model does not have."""
    known: set[Number] = {*wanted.values, *wanted.values.values(), 0.0, 1.0, 2.0}
    known |= {one for line in wanted.drafted.values() for one in numbers(line)}
    found = dict.fromkeys(one for one in numbers(text) if not any(same(one, k) for k in known))
    return [f"{{{one}}}" if isinstance(one, str) else f"the number {one:g}" for one in found]


def _refs(line: str) -> list[str]:
    """Names in backticks and braces, and files, in order."""
    pattern = f"{QUOTED.pattern}|{BRACED.pattern}|{PATH.pattern}"
    return [match.group().rstrip(".") for match in re.finditer(pattern, line)]


def _formal(wanted: Facts, parts: Sequence[tuple[str, str]]) -> list[str]:
    """What is wrong with the lines of a formal text."""
    lines = dict[str, list[str]]()
    for name, one in parts:
        lines.setdefault(name, []).append(one)
    wrong = [f"the line of `{name}` is missing" for name in wanted.labels if name not in lines]
    wrong += [f"the line of `{name}` is new" for name in lines if name not in wanted.labels]
    if not wrong and tuple(lines) != wanted.labels:
        wrong.append("the lines are in another order")
    for name in () if wrong else wanted.labels:
        before, after = wanted.drafted[name], " ".join(lines[name])
        old, new = wanted.refs[name], _refs(after)
        wrong += [f"`{name}` loses {one}" for one in Counter(old) - Counter(new)]
        wrong += [f"`{name}` gains {one}" for one in Counter(new) - Counter(old)]
        if Counter(old) == Counter(new) and old != new:
            place = next(k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)
            wrong.append(f"`{name}` has {new[place]} where {old[place]} was")
        if name != STORY:
            wrong += [f"`{name}` gains '{one}'" for one in _wary(after) - _wary(before)]
            if len(lines[name]) > len(sentences(before)):
                wrong.append(f"`{name}` gains a sentence")
    return wrong


def _wary(line: str) -> Counter[str]:
    """Words that turn a meaning, but those that are part of a claim."""
    for claim in claims(line):
        line = line.replace(claim.words, " ", 1)
    return Counter(match.group().lower() for match in WARY.finditer(line))


def _short(sentence: str) -> str:
    return sentence if len(sentence) <= SHOWN else sentence[: SHOWN - 1] + "…"
