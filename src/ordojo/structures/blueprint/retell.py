"""Whether a text in other words still says the whole model, without a language model at hand.

`facts` lists what a text has to say: every number, set, direction, type and bound. `missing` looks
for each of them: a fact is matched with one claim of one sentence (`claims.py`), and what stays
unmatched, on either side, is named. It is a check and no proof: two rules whose numbers change
places inside one sentence pass it. The proof is a reconstruction that is equivalent (`ordojo
retell --rebuilt`).
"""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from ordojo.formulation.algebra import parse, uses
from ordojo.formulation.spec import Family, Group, Spec
from ordojo.formulation.terms import read_terms, sides
from ordojo.milp.tolerances import SAME
from ordojo.structures.blueprint.blueprint import BRACED, PATH, QUOTED, SETS, Blueprint, Item, text
from ordojo.structures.blueprint.claims import Claim, Number, blocks, claims, numbers, sentences
from ordojo.structures.blueprint.words import constant, fixed
from ordojo.structures.formulation import Formulation

T = TypeVar("T")
MEANT = {
    ">=": {">=", "low", "nonnegative", "implies"},
    "<=": {"<=", "high", "implies", "available"},
    "nonnegative": {"nonnegative", "low"},
    "integer": {"integer"},
}
"""The claims that say a fact, where they are more than the one of its own kind."""
SHARED = {"nonnegative", "integer", "binary", "free", "minimize", "maximize"}
"""What may be said once for several groups, or again."""
ALL = re.compile(
    r"\b(?:all|every|any|no|none of|these|both)(?: of)?(?: the| these| those)?(?: \w+)? "
    r"(?:decision|choice|quantit|amount|number|value|variable|level)\w*|"
    r"\b(?:everything|nothing|they|a negative \w+)\b|"
    r"^(?:Negative )?(?:amounts|quantities|numbers|values|levels|flows|loads|shipments|volumes)\b",
    re.IGNORECASE,
)
"""Says something of all decisions."""
WARY = re.compile(
    r"\b(?:unless|except|excluding|apart from|if|only|not|never|without|ideally|preferably|"
    r"optional(?:ly)?|may|might|could|should|minus)\b|\w+n['’]t\b",
    re.IGNORECASE,
)
"""What turns or softens a formal line; it may not come to it."""
DECIDED = (
    r"(?:be )?(?:decided?|settled?|determined?|chosen?|choose|planned|plan|found|find|fix(?:ed)?)"
)
DEMAND = re.compile(
    rf"\b(?:(?:must|has to|have to|needs? to|should|shall)(?! {DECIDED}\b)|may not|cannot|can't|"
    r"never|always|only|forbidden|not allowed)\b",
    re.IGNORECASE,
)
"""What demands something; a clause with it has to say something of the model."""
CLAUSE = re.compile(r"[,;:] | (?:and|but|while|though|yet|so that) ")


@dataclass(frozen=True)
class Fact:
    """Something that a text has to say (`needed`) or may say.

    `kind` is that of a claim, `owner` the item that it is said of (its label), `what` names it for
    a person, `numbers` are those that may stand beside it; `linked` is a rule by which one decision
    allows another. `columns` are the words for the table columns that limit it, `others` those for
    all other columns.
    """

    kind: str
    owner: str
    what: str
    numbers: frozenset[Number] = frozenset()
    needed: bool = True
    linked: bool = False
    columns: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def fits(self, claim: Claim) -> bool:
        """Whether a claim may say this."""
        if claim.kind not in MEANT.get(self.kind, {self.kind}):
            return False
        if claim.kind == "implies":
            return self.linked
        if claim.kind == "nonnegative" and self.kind == ">=":
            return 0.0 in self.numbers
        if self.columns:
            mine, another = (
                any(_mentions(claim.after, word) for word in words)
                for words in (self.columns, self.others)
            )
            if another and not mine:
                return False
        if claim.number is None or self.kind in SHARED:
            return self.kind != "nonnegative" or claim.number in (None, 0.0)
        return any(same(claim.number, one) for one in self.numbers)


@dataclass(frozen=True)
class Thing:
    """A number, set or table column: what it is, the label of its line, the words that name it."""

    what: str
    owner: str
    words: tuple[str, ...]

    def named(self, text: str) -> bool:
        """Whether a text names it."""
        return any(_mentions(text, word) for word in self.words)


@dataclass(frozen=True)
class Facts:
    """What a text has to say of a model.

    `drafted` are the lines of its draft by label, `sizes` how many indices belong together, and how
    many elements a set has.
    """

    facts: tuple[Fact, ...]
    values: dict[str, float]
    things: tuple[Thing, ...]
    drafted: dict[str, str]
    sizes: frozenset[Number]


SHOWN = 60
"""Characters of a sentence that a reason quotes."""
OBJECTIVE, STORY, LINE = "the objective", "the story", "a line"


def same(one: Number, other: Number) -> bool:
    """Whether two numbers are the same, or two names."""
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return abs(one - other) <= SAME * max(1.0, abs(one))


def facts(f: Formulation, blueprint: Blueprint) -> Facts:
    """Everything that a text of this model has to say; the blueprint gives names and labels."""
    found = list[Fact]()
    values = {name: float(v) for name, v in blueprint.numbers.items() if isinstance(v, int | float)}
    items = {item.name: item for item in blueprint.parameters}
    columns = {
        one.name: (f"`{one.name}[", one.name, *_words(items[one.name]))
        for one in f.spec.parameters
        if one.over and one.name in items
    }
    goal = f.spec.objective.sense
    found.append(Fact(goal, OBJECTIVE, f"that the objective is to {goal}"))
    for group, item in zip(f.spec.groups, blueprint.groups, strict=True):
        ends = {">=": group.lower, "<=": group.upper, "=": group.lower}
        for fact in _of_group(f, group, item, _beside(item.text, values)):
            found.append(_limited(fact, uses(f.spec, ends.get(fact.kind, "")).parameters, columns))
    for family, item in zip(f.spec.families, blueprint.families, strict=True):
        beside, (linked, alone) = _beside(item.text, values), _linked(f.spec, family)
        of = uses(f.spec, family.rule).parameters
        found += [_limited(fact, of, columns) for fact in _of_family(family, item, beside, alone)]
        if linked:  # said in two ways: nothing without it, and how much with it
            found.append(Fact("implies", item.label, "", beside, False, True))
    owned = _by_label((fact.owner, fact) for fact in found)
    lines = {label: " ".join(said) for label, said in _by_label(_parts(text(blueprint))).items()}
    for label, line in lines.items():
        places = [(label, claim, line) for claim in claims(line)]
        spare = _matched(owned.get(label, []), places, {label})[1]
        beside = _beside(line, values) if spare else frozenset[Number]()
        found += [Fact(claim.kind, label, "", beside, False) for _, claim, _ in spare]
    things = [Thing(f"the number {{{name}}}", "", (f"{{{name}}}",)) for name in values]
    for item in blueprint.sets:
        if BRACED.search(item.text):  # said by its numbers
            found.append(Fact("available", item.label, "", _beside(item.text, values), False))
        else:
            things.append(Thing(f"the set `{item.label}`", "", _words(item)))
    for one in f.spec.parameters:
        if one.name in columns:
            what = f"the table column `{one.name}` of data/{one.table}.csv"
            things.append(Thing(what, items[one.name].label, columns[one.name]))
    keys = [*(one.key for one in f.spec.sets), *(one.key for one in f.spec.parameters)]
    sizes = [*map(len, keys), *(f.size(one.name) for one in f.spec.sets)]
    return Facts(tuple(found), values, tuple(things), lines, frozenset(map(float, sizes)))


def _limited(fact: Fact, names: Collection[str], columns: Mapping[str, tuple[str, ...]]) -> Fact:
    """The fact, with the words for the columns that limit it and for the others."""
    mine = tuple(word for name, words in columns.items() if name in names for word in words)
    others = (word for name, words in columns.items() if name not in names for word in words)
    return replace(fact, columns=mine, others=tuple(one for one in others if one not in mine))


def _by_label(pairs: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    found = dict[str, list[T]]()
    for label, one in pairs:
        found.setdefault(label, []).append(one)
    return found


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


_KINDS = {
    "binary": "is yes or no",
    "integer": "is a whole number",
    "semicontinuous": "is zero or else within its bounds",
}


def _of_group(
    f: Formulation, group: Group, item: Item, beside: frozenset[Number]
) -> Iterator[Fact]:
    label, name = item.label, f"`{item.label}`"
    if not group.domain.isidentifier():
        yield Fact("kind", label, f"which kind of number {name} is")
    kinds = {"semiinteger": ("integer", "semicontinuous")}.get(group.domain, (group.domain,))
    yield from (
        Fact(kind, label, f"that {name} {_KINDS[kind]}") for kind in kinds if kind in _KINDS
    )
    if group.domain == "binary":
        return
    if fixed(f, group):
        yield Fact("=", label, f"the value of {name}", beside)
        return
    low = constant(parse(group.lower or "-inf"))
    high = constant(parse(group.upper or "inf"))
    if low == -np.inf:
        if high == np.inf:
            yield Fact("free", label, f"that {name} may be negative")
    elif low == 0:
        yield Fact("nonnegative", label, f"that {name} is at least zero", frozenset({0.0}))
    else:
        yield Fact(">=", label, f"the lower bound of {name}", beside - {0.0})
    if high != np.inf:
        yield Fact("<=", label, f"the upper bound of {name}", beside)


OF_SENSE = {"<=": "<=", ">=": ">=", "=": "=", "free": "unlimited"}
TURNED = {"<=": ">=", ">=": "<="}
SAID = {"<=": "at most", ">=": "at least", "=": "equal"}


def _linked(spec: Spec, family: Family) -> tuple[bool, bool]:
    """Whether a yes or no allows the rest of a rule, and whether it says no number besides."""
    _, _, limit, *span = sides(family.rule)
    domains = {one.name: one.domain for one in spec.groups}
    terms = read_terms(spec, family.rule, family.scope)
    allowed = constant(limit) == 0 and not span and len(terms) > 1
    allowed = allowed and any(domains[term.group] == "binary" for term in terms)
    return allowed, allowed and all(term.factor is None for term in terms)


def _of_family(
    family: Family, item: Item, beside: frozenset[Number], linked: bool
) -> Iterator[Fact]:
    label = item.label
    _, sense, _, *span = sides(family.rule)
    kind = OF_SENSE[str(sense.value)] if isinstance(sense, ast.Constant) else "sense"
    said = [claim.kind.replace("nonnegative", ">=") for claim in claims(item.text)]
    if kind in TURNED and kind not in said and TURNED[kind] in said:
        kind = TURNED[kind]  # the sentence has the sides the other way round
    word = f" ({SAID[kind]})" if kind in SAID else ""
    yield Fact(kind, label, f"the rule `{label}`{word}", beside, linked=linked)
    if span:
        yield Fact("range", label, f"the second side of `{label}`", beside)


Place = tuple[str, Claim, str]
"""A claim, the label that its line begins with ("" for none), and its sentence."""


def _matched(
    wanted: Sequence[Fact], places: Sequence[Place], labels: Collection[str]
) -> tuple[list[Fact], list[Place]]:
    """The needed facts without a claim and the claims without a fact."""
    if not wanted or not places:
        return [one for one in wanted if one.needed], list(places)
    named = {sentence: _named(sentence, labels) for _, _, sentence in places}
    score = np.array(
        [[_score(fact, place, named[place[2]]) for place in places] for fact in wanted]
    )
    from scipy.optimize import linear_sum_assignment  # a third of what `structure` would load

    rows, cols = linear_sum_assignment(score, maximize=True)
    said = score[rows, cols] > 0
    taken, used = set(rows[said].tolist()), set(cols[said].tolist())
    lacking = [
        fact
        for k, fact in enumerate(wanted)
        if fact.needed
        and k not in taken
        and not (
            fact.kind in SHARED
            and any(score[k, j] > 0 and ALL.search(place[2]) for j, place in enumerate(places))
        )
    ]
    again = score.max(axis=0) > 0
    spare = [
        place
        for j, place in enumerate(places)
        if j not in used and not (place[1].kind in SHARED and again[j])
    ]
    return lacking, spare


def _score(fact: Fact, place: Place, named: set[str]) -> float:
    """0 where a claim cannot say a fact; needed facts and named owners count more."""
    claim = place[1]
    if not fact.fits(claim):
        return 0.0
    number = claim.number is not None and any(
        same(claim.number, one) for one in fact.numbers - {0.0, 1.0}
    )
    mine = fact.owner in named
    way = fact.linked == (claim.kind == "implies")
    return 1 + 8 * fact.needed + 2 * mine + number + way - 0.5 * (bool(named) and not mine)


def _named(sentence: str, labels: Collection[str]) -> set[str]:
    """The labels that a sentence names, in backticks or, if they are longer, as words."""
    quoted = {word for one in QUOTED.findall(sentence) for word in re.findall(r"\w+", one)}
    spoken = f" {' '.join(re.findall(r'[a-z0-9]+', sentence.lower()))} "
    return {
        label
        for label in labels
        if label in quoted or (len(label) > 1 and f" {label.lower().replace('_', ' ')} " in spoken)
    }


def missing(wanted: Facts, told: str) -> list[str]:
    """What a text fails to say or says beyond the model, each in a few words; none if accepted.

    A text whose lines begin with the labels of the model is formal: every line has to be there and
    in order, and to say its own facts; with its names in backticks, all in their order and nothing
    that turns its meaning, or with none of them.
    """
    parts = _parts(told)
    formal = any(name in wanted.drafted for name, _ in parts if name not in (OBJECTIVE, STORY))
    if formal:
        return _formal(wanted, _by_label(parts))
    wrong = [
        f"{thing.what} is missing"
        for thing in wanted.things
        if not thing.named(told) and not _valued(wanted, thing.what, told)
    ]
    wrong += [f"{one} is new" for one in _strange(wanted, told)]
    places = [("", claim, one) for _, one in parts for claim in claims(one)]
    lacking, spare = _matched(wanted.facts, places, wanted.drafted)
    wrong += [f"{fact.what} is missing" for fact in lacking]
    wrong += [f'{_beyond(claim)} in "{_short(one)}"' for _, claim, one in spare]
    silent = (clause for _, one in parts for clause in _silent(one))
    return wrong + [f'the model says nothing like "{_short(one)}"' for one in silent]


def _silent(sentence: str) -> Iterator[str]:
    """The clauses that demand something and claim nothing."""
    for claim in claims(sentence):
        sentence = sentence.replace(claim.words, f"<{claim.words.replace(' ', '_')}>", 1)
    for clause in CLAUSE.split(sentence):
        if "<" not in clause and not clause.endswith("?") and DEMAND.search(clause):
            yield clause


def _beyond(claim: Claim) -> str:
    return f"the model says nothing like '{claim.words}'"


def _formal(wanted: Facts, lines: dict[str, list[str]]) -> list[str]:
    """What is wrong with the lines of a formal text."""
    wrong = [f"the line of `{name}` is missing" for name in wanted.drafted if name not in lines]
    wrong += [f"the line of `{name}` is new" for name in lines if name not in wanted.drafted]
    if wrong:
        return wrong
    if _ordered(lines) != _ordered(wanted.drafted):
        return ["the lines are in another order"]
    owned = _by_label((fact.owner, fact) for fact in wanted.facts)
    things = _by_label((thing.owner, thing) for thing in wanted.things)
    for name, before in wanted.drafted.items():
        after = " ".join(lines[name])
        if after == before:
            continue
        wrong += [f"`{name}` {why}" for why in _turned(name, before, after)]
        if len(lines[name]) > len(sentences(before)) and name != STORY:
            wrong.append(f"`{name}` gains a sentence")
        lost = (thing for thing in things.get(name, []) if not thing.named(after))
        wrong += [f"{thing.what} is missing" for thing in lost]
        places = [(name, claim, after) for claim in claims(after)]
        lacking, spare = _matched(owned.get(name, []), places, {name})
        wrong += [f"{fact.what} is missing" for fact in lacking]
        wrong += [f"{_beyond(claim)} in `{name}`" for _, claim, _ in spare]
    whole = " ".join(one for said in lines.values() for one in said)
    return wrong + [f"{one} is new" for one in _strange(wanted, whole)]


def _ordered(lines: Iterable[str]) -> list[str]:
    """Labels in their order; the objective may stand before the rules, as it once did."""
    return [one for one in lines if one != OBJECTIVE and not one.endswith(":")]


def _turned(name: str, before: str, after: str) -> Iterator[str]:
    """Names and numbers that a line loses, gains or exchanges, and words that turn it."""
    old, new = _refs(before), _refs(after)
    spoken = not QUOTED.search(after)
    if spoken:
        old = [one for one in old if not one.startswith("`")]
    lost, gained = Counter(old) - Counter(new), Counter(new) - Counter(old)
    yield from (f"loses {one}" for one in lost)
    yield from (f"gains {one}" for one in gained)
    if spoken or name == STORY:
        return
    if not lost and not gained and old != new:
        place = next(k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)
        yield f"has {new[place]} where {old[place]} was"
    yield from (f"gains '{one}'" for one in _wary(after) - _wary(before))


def changed(f: Formulation, drafted: Blueprint, edited: Blueprint) -> list[str]:
    """What an edited blueprint no longer says of the model, or says beyond it; none if as strict.

    Labels, the story and the application are free. `drafted` is the draft of the same formulation.
    """
    wrong, kinds = edited.faults(), ("sets", "parameters", "groups", "families")
    for kind in kinds:
        old, new = ([one.name for one in getattr(b, kind)] for b in (drafted, edited))
        wrong += [f"`{one}` is missing from the {kind}" for one in old if one not in new]
        wrong += [f"`{one}` is new among the {kind}" for one in new if one not in old]
        if not wrong and old != new:
            wrong.append(f"the {kind} are in another order")
    for name, value in drafted.numbers.items():
        if edited.numbers.get(name) != value:
            wrong.append(f"{{{name}}} is {edited.numbers.get(name)}, in the model {value}")
    if edited.direction != drafted.direction:
        wrong.append(f"the direction is {edited.direction}, in the model {drafted.direction}")
    if [one.path for one in edited.files] != [one.path for one in drafted.files]:
        wrong.append("the files are not those of the model")
    if wrong:
        return wrong

    labelled: dict[str, Any] = {}
    for kind in kinds:
        both = zip(getattr(drafted, kind), getattr(edited, kind), strict=True)
        labelled[kind] = tuple(replace(old, label=new.label) for old, new in both)
    base = replace(drafted, **labelled)
    return missing(facts(f, base), text(edited))


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
        if name == f"{SETS}:":  # texts of before have their sets under the data
            continue
        found += [(name, one) for one in sentences(block)]
    return found


def _mentions(text: str, word: str) -> bool:
    if word[0] in "`{":
        return word in text
    return bool(re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE))


def _valued(wanted: Facts, thing: str, text: str) -> bool:
    """Whether a named number stands there by its value, or by another name of it."""
    name = thing.partition("{")[2][:-1]
    said = [wanted.values.get(n, n) if isinstance(n, str) else n for n in numbers(text)]
    return name in wanted.values and any(same(wanted.values[name], n) for n in said)


def _strange(wanted: Facts, text: str) -> list[str]:
    """Numbers and names in braces that the model does not have."""
    known: set[Number] = {*wanted.values, *wanted.values.values(), 0.0, 1.0, 2.0}
    known |= wanted.sizes
    known |= {one for line in wanted.drafted.values() for one in numbers(line)}
    found = [
        one
        for one in dict.fromkeys(numbers(text))
        if one not in known and not any(same(one, k) for k in known)
    ]
    return [f"{{{one}}}" if isinstance(one, str) else f"the number {one:g}" for one in found]


def _refs(line: str) -> list[str]:
    """Names in backticks and braces, and files, in order."""
    pattern = f"{QUOTED.pattern}|{BRACED.pattern}|{PATH.pattern}"
    return [match.group().rstrip(".") for match in re.finditer(pattern, line)]


def _wary(line: str) -> Counter[str]:
    """Words that turn a meaning, but those that are part of a claim."""
    for claim in claims(line):
        line = line.replace(claim.words, " ", 1)
    return Counter(match.group().lower() for match in WARY.finditer(line))


def _short(sentence: str) -> str:
    return sentence if len(sentence) <= SHOWN else sentence[: SHOWN - 1] + "…"
