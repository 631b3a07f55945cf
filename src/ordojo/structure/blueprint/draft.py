"""A first blueprint, made from formulation and labels alone; the same input gives the same one."""

import math
from collections.abc import Sequence

from ordojo.structure.blueprint.blueprint import Blueprint, File, Item
from ordojo.structure.blueprint.roles import chosen_sets, role_nouns
from ordojo.structure.blueprint.words import (
    SMALL,
    FormulationWords,
    TextScenario,
    called,
    find_scenario,
    negative,
)
from ordojo.structure.formulation import (
    Family,
    Formulation,
    Group,
    IndexSet,
    Parameter,
    Table,
    Term,
    data_files,
)
from ordojo.structure.formulation import Value as Said
from ordojo.structure.formulation.text import sources
from ordojo.structure.labels import Labels

SENSES = {"<=": "must be at most", ">=": "must be at least", "=": "must equal"}
TURNED = {"<=": ">=", ">=": "<=", "=": "="}
CHOICE = {"=": "exactly one", "<=": "at most one", ">=": "at least one"}


def group_clause(words: FormulationWords, group: Group) -> str:
    """What is decided, for which indices, and within which bounds."""
    name = called(group.name, group.index)
    each = f"for {words.scope(group.domain)}, " if group.index else ""
    if group.type == "binary":
        return f"{each}decide {name}, yes or no (one or zero)"
    kind = {
        "integer": "a whole number",
        "continuous": "an amount",
        "semicontinuous": "an amount, zero or else within its bounds",
        "semiinteger": "a whole number, zero or else within its bounds",
    }.get(group.type, "")
    if group.types is not None:
        kind = f"a number of the kind that {words.value(group.types, 'kind')} gives"
    low, high = _infinite(group.lower), _infinite(group.upper)
    bounds = [] if low else [f"at least {words.signed(group.lower, 'lower')}"]
    bounds += [] if high else [f"at most {words.signed(group.upper, 'upper')}"]
    limits = " and ".join(bounds) if bounds else "of any sign and size"
    return f"{each}decide {name}, {kind}, {limits}"


def _infinite(one: Said) -> bool:
    return one.kind == "number" and math.isinf(one.number)


def objective_clause(words: FormulationWords, f: Formulation) -> str:
    """What is minimized or maximized."""
    parts: list[tuple[bool, str]] = []
    for group in f.groups:
        if group.cost.kind == "number" and group.cost.number == 0:
            continue
        body = words.product(group.cost, called(group.name, group.index))
        if group.index:
            body = f"the sum of {body} over {words.scope(group.domain).replace('each', 'all')}"
        parts.append((negative(group.cost), body))
    if f.offset:
        parts.append((f.offset < 0, words.numbers.put("offset", abs(f.offset))))
    direction = "maximize" if f.maximize else "minimize"
    if not parts:
        return f"{direction} zero: any decisions that keep all rules will do"
    return f"{direction} {_joined(parts)}"


def _joined(parts: list[tuple[bool, str]]) -> str:
    first = f"{'minus ' if parts[0][0] else ''}{parts[0][1]}"
    return " ".join(
        [first, *(f"{'minus' if minus else 'plus'} {text}" for minus, text in parts[1:])]
    )


def family_clause(words: FormulationWords, family: Family) -> str:
    """For each of which indices what must hold; terms stand on the side where they are positive."""
    lead = f"for {words.scope(family.domain)}, " if family.index else ""
    if family.given:
        lead += f"{' and '.join(f'if {_gate(words, *gate)}' for gate in family.given)}, "
    if family.sense == "free":
        return f"{lead}{_side([words.term(term) for term in family.terms])} is not limited"
    choice = _choice(words, family)
    if choice:
        return lead + choice
    left = [words.term(term) for term in family.terms if not negative(term.coefficient)]
    right = [words.term(term) for term in family.terms if negative(term.coefficient)]
    if not (family.rhs.kind == "number" and family.rhs.number == 0):
        side = left if negative(family.rhs) else right
        side.append(words.value(family.rhs, "limit"))
    sense = family.sense
    if not left and sense in TURNED:
        left, right, sense = right, left, TURNED[sense]
    phrase = SENSES.get(sense)
    if phrase is None and family.senses is not None:
        phrase = f"must be in the relation that {words.value(family.senses, 'sense')} gives with"
    clause = f"{lead}{_side(left)} {phrase} {_side(right)}"
    if family.range is not None:
        other = words.signed(family.range, "range")
        clause += f"; the other side is {other} away, by the rules of MPS ranges"
    return clause


def _side(parts: list[str]) -> str:
    return " plus ".join(parts) if parts else "zero"


def _choice(words: FormulationWords, family: Family) -> str:
    """Exactly, at most or at least one of a group of binaries; "" where it is not that."""
    if family.sense not in CHOICE or not chosen_sets(family, words.groups):
        return ""
    (term,) = family.terms
    body = words.term(term).removeprefix("the sum of ")
    return f"{CHOICE[family.sense]} of {body} must be chosen"


def _gate(words: FormulationWords, gate: Term, when: Said) -> str:
    only = [words.condition(one) for one in gate.where]
    name = called(gate.group, [words.index(at) for at in gate.at])
    note = f" (only for {' and '.join(only)})" if only else ""
    return f"{name} is {words.signed(when, 'value')}{note}"


_SURE = 0.7
"""The score from which an application is stated. Chosen on eight models: exp-1-500-5-5 (0.6) was a
facility location and set1ch (0.698) a network, and both are lot sizings; a wrong class misleads, a
missing one does not."""
UNKNOWN = "not determined"
SETS, SCALARS = "data/sets.csv", "data/parameters.csv"


def draft(
    formulation: Formulation, labels: Labels, scenario: str | TextScenario | None = None
) -> Blueprint:
    """A sentence for every set, parameter, group and family, and for every file.

    `scenario` is one of the library by name or one's own. The default tells no story and calls no
    set more than its rows show (`roles`): structure does not say what is a stop or a trip. Raises
    UsageError for a name that is not there.
    """
    f = formulation
    guess = labels.applications[0]
    if not isinstance(scenario, TextScenario):
        scenario = find_scenario(scenario or "plain")
    setting = scenario
    words = FormulationWords(f)
    nouns = _nouns(f, setting)
    objective = objective_clause(words, f)
    groups = tuple(Item(one.name, one.name, group_clause(words, one)) for one in f.groups)
    families = tuple(Item(one.name, one.name, family_clause(words, one)) for one in f.families)
    sets = tuple(_sets(f, words, nouns))
    tables = {table.name: table for table in f.tables}
    parameters = tuple(
        Item(one.name, one.name, _parameter(one, tables[one.table]))
        for one in f.parameters
        if one.value is None
    )
    return Blueprint(
        id=f.name or "instance",
        application=(guess.major, guess.sub) if guess.score >= _SURE else (UNKNOWN, UNKNOWN),
        scenario=setting.name,
        story=setting.story,
        direction="maximize" if f.maximize else "minimize",
        objective=objective,
        sets=sets,
        parameters=parameters,
        groups=groups,
        families=families,
        files=tuple(_files(f, nouns)),
        numbers=dict(sorted(words.numbers.values.items())),
    )


def _nouns(f: Formulation, setting: TextScenario) -> dict[str, tuple[str, str]]:
    """A word for the elements of each set; a part of a set has the word of the whole.

    A story has its own words; without one the roles have, where they show.
    """
    moving = {
        name
        for family in f.families
        for term in family.terms
        for letter, name in zip(family.index, family.sets, strict=True)
        if any(at.letter == letter and at.shift for at in term.at)
    }
    decided = {name for group in f.groups for name in group.sets}
    found = role_nouns(f) if setting.name == "plain" else {}
    roots = {one.name: one.within or one.name for one in f.sets}
    rest = list(setting.nouns)
    # In a network the index of balances alone is the first word's: a node.
    for one in sorted(f.sets, key=lambda one: setting.name == "network" and one.name in decided):
        root = roots[one.name]
        if root in found:
            found[one.name] = found[root]
        elif moving & {name for name, whole in roots.items() if whole == root}:
            found[one.name] = found[root] = setting.ordered
        else:
            found[one.name] = found[root] = rest.pop(0) if len(rest) > 1 else rest[0]
    return found


def _sets(f: Formulation, words: FormulationWords, nouns: dict[str, tuple[str, str]]) -> list[Item]:
    used = sources(f)
    found = []
    for one in f.sets:
        if one.within and one.name not in used:
            continue
        within = f" among those of `{one.within}`" if one.within else ""
        found.append(
            Item(one.name, one.name, f"the {nouns[one.name][1]}{within}, {_members(one, words)}")
        )
    for table in f.tables:
        if len(table.keys) > 1 and table.name in used:
            of = " and ".join(f"`{name}`" for name in table.sets)
            text = f"the combinations `({', '.join(table.keys)})` of {of} listed in {table.file}"
            found.append(Item(table.name, table.name, text))
    return found


def _members(one: IndexSet, words: FormulationWords) -> str:
    if one.first is None or one.last is None:
        return f"listed in column `{one.letter}` of {one.file}"
    ends = []
    for role, value in (("first", one.first), ("last", one.last)):
        ends.append(words.numbers.put(f"{role}_{one.name}", value))
    return f"numbered from {ends[0]} to {ends[1]}"


def _parameter(one: Parameter, table: Table) -> str:
    index = f"[{', '.join(table.keys)}]"
    rest = ""
    if one.default is not None:
        word = SMALL.get(one.default, "minus one" if one.default == -1 else "infinite")
        rest = f", {word} where nothing is listed"
    return f"`{one.name}{index}`, the {_role(one)}, in column `{one.column}` of {one.file}{rest}"


def _role(one: Parameter) -> str:
    """What a parameter stands for, its names and letters in backticks."""
    words = one.role.split(" ")
    named = ("of", "in", "index", "first", "last")
    return " ".join(
        f"`{word}`" if k and words[k - 1] in named else word for k, word in enumerate(words)
    )


def _files(f: Formulation, nouns: dict[str, tuple[str, str]]) -> list[File]:
    columns: dict[str, dict[str, str]] = {
        SETS: {
            "set": "the set's name",
            "first": "its first number",
            "last": "its last number",
        },
        SCALARS: {"name": "the parameter's name", "value": "its value"},
    }
    about = {SETS: "the sets that are numbered without gaps", SCALARS: "the single parameters"}
    roles = {one.name: one.role for one in f.parameters}
    for table in f.tables:
        keys = {
            key: f"{nouns[name][0]}, of {name}"
            for key, name in zip(table.keys, table.sets, strict=True)
        }
        columns[table.file] = keys | {name: roles.get(name, "value") for name in table.columns}
        about[table.file] = _about(table, nouns)
    for one in f.sets:
        if one.first is None and one.file not in about:
            columns[one.file] = {one.letter: nouns[one.name][0]}
            about[one.file] = f"the {nouns[one.name][1]}"
    found = []
    for path in sorted(data_files(f)):
        key = path.removeprefix("data/").removesuffix(".csv")
        found.append(File(key, path, about.get(path, "data"), columns.get(path, {})))
    return found


def _about(table: Table, nouns: dict[str, tuple[str, str]]) -> str:
    kinds: Sequence[str] = [nouns[name][0] for name in table.sets]
    what = "for each" if table.columns else "each listed"
    return f"one row {what} ({', '.join(kinds)})"
