"""A first blueprint, made from formulation and labels alone; the same input gives the same one."""

import ast
import math
from collections.abc import Iterator, Sequence

from ordojo.formulation.algebra import index_owners, indices, named, parse
from ordojo.formulation.spec import PARAMETERS, SETS, Family, Group, Parameter, Set
from ordojo.formulation.terms import read_term, read_terms, sides
from ordojo.structures.blueprint.blueprint import Blueprint, File, Item
from ordojo.structures.blueprint.recognised import matched_nouns, story
from ordojo.structures.blueprint.roles import chosen_sets, moved, role_nouns, roots
from ordojo.structures.blueprint.words import (
    SMALL,
    FormulationWords,
    TextScenario,
    called,
    constant,
    find_scenario,
)
from ordojo.structures.formulation import Formulation, data_files
from ordojo.structures.labels import Application, Labels
from ordojo.structures.recognition import Match

SENSES = {"<=": "must be at most", ">=": "must be at least", "=": "must equal"}
TURNED = {"<=": ">=", ">=": "<=", "=": "="}
CHOICE = {"=": "exactly one", "<=": "at most one", ">=": "at least one"}


KINDS = {
    "integer": "a whole number",
    "continuous": "an amount",
    "semicontinuous": "an amount, zero or else within its bounds",
    "semiinteger": "a whole number, zero or else within its bounds",
}


def group_clause(words: FormulationWords, group: Group) -> str:
    """What is decided, for which indices, and within which bounds."""
    name = called(group.name, indices(group.scope))
    each = f"for {words.scope(group.scope)}, " if group.scope else ""
    if group.domain == "binary":
        return f"{each}decide {name}, yes or no (one or zero)"
    kind = KINDS.get(group.domain)
    if kind is None:
        kind = f"a number of the kind that {words.value(parse(group.domain), 'kind')} gives"
    bounds = [
        f"at {side} {words.signed(parse(end), role)}"
        for end, side, role in ((group.lower, "least", "lower"), (group.upper, "most", "upper"))
        if end and not math.isinf(constant(parse(end)) or 0.0)
    ]
    limits = " and ".join(bounds) if bounds else "of any sign and size"
    return f"{each}decide {name}, {kind}, {limits}"


def objective_clause(words: FormulationWords, f: Formulation) -> str:
    """What is minimized or maximized."""
    goal = f.spec.objective
    parts: list[tuple[bool, str]] = []
    for term in read_terms(f.spec, goal.rule):
        if term.group == "offset":
            (offset,) = f.tables[PARAMETERS]["offset"]
            parts.append((offset < 0, words.numbers.put("offset", abs(offset))))
            continue
        body = words.product(term.factor, words.variable(term))
        if term.loops:
            scope = f.spec.group(term.group).scope
            body = f"the sum of {body} over {words.scope(scope, 'all')}"
        parts.append((words.subtracted(term), body))
    if not parts:
        return f"{goal.sense} zero: any decisions that keep all rules will do"
    return f"{goal.sense} {_joined(parts)}"


def _joined(parts: list[tuple[bool, str]]) -> str:
    first = f"{'minus ' if parts[0][0] else ''}{parts[0][1]}"
    return " ".join(
        [first, *(f"{'minus' if minus else 'plus'} {text}" for minus, text in parts[1:])]
    )


def family_clause(words: FormulationWords, family: Family) -> str:
    """For each of which indices what must hold; terms stand on the side where they are positive."""
    lead = f"for {words.scope(family.scope)}, " if family.scope else ""
    if family.given:
        lead += f"{' and '.join(f'if {_gate(words, gate)}' for gate in family.given)}, "
    _, relation, limit, *span = sides(family.rule)
    sense = str(relation.value) if isinstance(relation, ast.Constant) else ""
    terms = read_terms(words.spec, family.rule)
    if sense == "free":
        return f"{lead}{_side([words.term(term) for term in terms])} is not limited"
    choice = _choice(words, family, sense)
    if choice:
        return lead + choice
    left = [words.term(term) for term in terms if not words.subtracted(term)]
    right = [words.term(term) for term in terms if words.subtracted(term)]
    if constant(limit) != 0:
        side = left if words.negative(limit) else right
        side.append(words.value(limit, "limit"))
    if not left and sense in TURNED:
        left, right, sense = right, left, TURNED[sense]
    phrase = SENSES.get(sense)
    if phrase is None:
        phrase = f"must be in the relation that {words.value(relation, 'sense')} gives with"
    clause = f"{lead}{_side(left)} {phrase} {_side(right)}"
    for other in span:
        away = words.signed(other, "range")
        clause += f"; the other side is {away} away, by the rules of MPS ranges"
    return clause


def _side(parts: list[str]) -> str:
    return " plus ".join(parts) if parts else "zero"


def _choice(words: FormulationWords, family: Family, sense: str) -> str:
    """Exactly, at most or at least one of a group of binaries; "" where it is not that."""
    if sense not in CHOICE or not chosen_sets(words.spec, family):
        return ""
    (term,) = read_terms(words.spec, family.rule)
    body = words.term(term).removeprefix("the sum of ")
    return f"{CHOICE[sense]} of {body} must be chosen"


def _gate(words: FormulationWords, gate: str) -> str:
    term = read_term(words.spec, False, parse(gate))
    assert term.factor is not None
    name = words.variable(term)
    return f"{name} is {words.signed(term.factor, 'value')}{words.only(term)}"


_SURE = 0.7
"""The score from which an application is stated. Chosen on eight models: exp-1-500-5-5 (0.6) was a
facility location and set1ch (0.698) a network, and both are lot sizings; a wrong class misleads, a
missing one does not."""
UNKNOWN = "not determined"


def draft(
    formulation: Formulation,
    labels: Labels,
    scenario: str | TextScenario | None = None,
    match: Match | None = None,
) -> Blueprint:
    """A sentence for every set, parameter, group and family, and for every file.

    A model that is a problem of the library (`match`) is told in its words, under its class.

    `scenario` is one of the library by name or one's own. The default tells no story and calls no
    set more than its rows show (`roles`): structure does not say what is a stop or a trip. Raises
    UsageError for a name that is not there.
    """
    f, spec = formulation, formulation.spec
    guess = labels.applications[0]
    if not isinstance(scenario, TextScenario):
        scenario = find_scenario(scenario or "plain")
    setting = scenario
    words = FormulationWords(f)
    told = match if setting.name == "plain" else None
    nouns = _nouns(f, setting, told)
    scene = [] if told is not None and told.whole else [setting.story]
    scene += [story(f, told, words.numbers)] if told is not None else []
    objective = objective_clause(words, f)
    groups = tuple(Item(one.name, one.name, group_clause(words, one)) for one in spec.groups)
    families = tuple(Item(one.name, one.name, family_clause(words, one)) for one in spec.families)
    sets = tuple(_sets(f, words, nouns))
    parameters = tuple(
        Item(one.name, one.name, _parameter(one)) for one in spec.parameters if one.over
    )
    return Blueprint(
        id=f.name or "instance",
        application=_application(guess, match),
        scenario=setting.name,
        story=" ".join(scene),
        direction=spec.objective.sense,
        objective=objective,
        sets=sets,
        parameters=parameters,
        groups=groups,
        families=families,
        files=tuple(_files(f, nouns)),
        numbers=dict(sorted(words.numbers.values.items())),
    )


def _application(guess: Application, match: Match | None) -> tuple[str, str]:
    if match is not None and match.whole:
        return match.known.application
    return (guess.major, guess.sub) if guess.score >= _SURE else (UNKNOWN, UNKNOWN)


def _nouns(
    f: Formulation, setting: TextScenario, match: Match | None
) -> dict[str, tuple[str, str]]:
    """A word for the elements of each set; a part of a set has the word of the whole.

    A story has its own words; without one the roles have, where they show.
    """
    whole = roots(f.spec)
    moving = {whole[name] for family in f.spec.families for name in _moving(f, family)}
    decided = {name for group in f.spec.groups for name in index_owners(f.spec, group.scope)}
    found = role_nouns(f) if setting.name == "plain" else {}
    found |= matched_nouns(f, match) if match is not None else {}
    rest = list(setting.nouns)
    single = [one for one in f.spec.sets if not one.parts]
    # In a network the index of balances alone is the first word's: a node.
    for one in sorted(single, key=lambda one: setting.name == "network" and one.name in decided):
        root = whole[one.name]
        if root in found:
            found[one.name] = found[root]
        elif root in moving:
            found[one.name] = found[root] = setting.ordered
        else:
            found[one.name] = found[root] = rest.pop(0) if len(rest) > 1 else rest[0]
    return found


def _moving(f: Formulation, family: Family) -> Iterator[str]:
    """The sets of a family's indices that some variable has moved by a step."""
    terms = read_terms(f.spec, family.rule)
    letters = {letter for term in terms for letter, step in map(moved, term.at) if step}
    owners = index_owners(f.spec, family.scope)
    yield from (
        owner
        for letter, owner in zip(indices(family.scope), owners, strict=True)
        if letter in letters
    )


def _sets(f: Formulation, words: FormulationWords, nouns: dict[str, tuple[str, str]]) -> list[Item]:
    used = named(f.spec)
    found = []
    for one in f.spec.sets:
        if one.parts and one.name in used:
            of = " and ".join(f"`{name}`" for name in one.parts)
            text = f"the combinations `({', '.join(one.key)})` of {of} listed in {_path(one)}"
            found.append(Item(one.name, one.name, text))
        elif not one.parts and (one.name in used or not one.within):
            within = f" among those of `{one.within}`" if one.within else ""
            text = f"the {nouns[one.name][1]}{within}, {_members(f, one, words)}"
            found.append(Item(one.name, one.name, text))
    return found


def _path(one: Set | Parameter) -> str:
    return f"data/{one.table}.csv"


def _members(f: Formulation, one: Set, words: FormulationWords) -> str:
    if one.table != SETS:
        return f"listed in column `{one.key[0]}` of {_path(one)}"
    first, last = (
        words.numbers.put(f"{role}_{one.name}", value)
        for role, value in zip(("first", "last"), f.tables[SETS][one.name], strict=True)
    )
    return f"numbered from {first} to {last}"


def _parameter(one: Parameter) -> str:
    rest = ""
    if one.default is not None:
        word = SMALL.get(one.default, "minus one" if one.default == -1 else "infinite")
        rest = f", {word} where nothing is listed"
    index = f"[{', '.join(one.key)}]"
    return f"`{one.name}{index}`, the {_role(one)}, in column `{one.name}` of {_path(one)}{rest}"


def _role(one: Parameter) -> str:
    """What a parameter stands for, its names and letters in backticks."""
    words = one.meaning.split(" ")
    before = ("of", "in", "index", "first", "last", "from")
    return " ".join(
        f"`{word}`" if k and words[k - 1] in before else word for k, word in enumerate(words)
    )


def _files(f: Formulation, nouns: dict[str, tuple[str, str]]) -> list[File]:
    keys = {one.table: dict(zip(one.key, one.over, strict=True)) for one in f.spec.parameters}
    for item in f.spec.sets:
        keys[item.table] = dict(zip(item.key, item.parts or (item.name,), strict=True))
    roles = {one.name: one.meaning for one in f.spec.parameters}
    found = []
    for path in sorted(data_files(f)):
        table = path.removeprefix("data/").removesuffix(".csv")
        if table in _PLAIN:
            found.append(File(table, path, *_PLAIN[table]))
            continue
        of = keys[table]
        columns = {key: f"{nouns[name][0]}, of {name}" for key, name in of.items()}
        columns |= {name: roles[name] for name in f.arrays[table] if name not in of}
        kinds = [nouns[name][0] for name in of.values()]
        found.append(File(table, path, _about(kinds, len(columns) > len(of)), columns))
    return found


_PLAIN = {
    SETS: (
        "the sets that are numbered without gaps",
        {"set": "the set's name", "first": "its first number", "last": "its last number"},
    ),
    PARAMETERS: ("the single parameters", {"name": "the parameter's name", "value": "its value"}),
}
"""What the two files hold that are not a table of one kind of index."""


def _about(kinds: Sequence[str], data: bool) -> str:
    return f"one row {'for each' if data else 'each listed'} ({', '.join(kinds)})"
