"""A first blueprint, made from formulation and labels alone; the same input gives the same one."""

import ast
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from ordojo.core.words import joined
from ordojo.formulation.algebra import index_owners, indices, named, names_in, parse
from ordojo.formulation.spec import PARAMETERS, SETS, Family, Group, Parameter, Set, Spec
from ordojo.formulation.terms import Summand, read_term, read_terms, sides
from ordojo.structures.blueprint.background import (
    OPTION,
    REQUIREMENT,
    TURNED,
    background,
    choice,
    matched_meanings,
    matched_nouns,
    moved,
    positive,
    role_nouns,
    roots,
    story,
)
from ordojo.structures.blueprint.blueprint import Blueprint, File, Item
from ordojo.structures.blueprint.words import (
    ITEM,
    PLAIN,
    POSITION,
    FormulationWords,
    Noun,
    TextScenario,
    called,
    constant,
    find_scenario,
    fixed,
)
from ordojo.structures.formulation import Formulation, data_files
from ordojo.structures.formulation.spec import SMALL
from ordojo.structures.recognition import UNDETERMINED, Recognition

SENSES = {"<=": "must be at most", ">=": "must be at least", "=": "must equal"}
BEYOND = {"<=": "at least that minus", ">=": "at most that plus"}
"""How far a row with two sides may be from the one that is told."""
CHOICE = {"=": "exactly one", "<=": "at most one", ">=": "at least one"}


KINDS = {
    "integer": "a whole number",
    "continuous": "an amount",
    "semicontinuous": "an amount, zero or else within its bounds",
    "semiinteger": "a whole number, zero or else within its bounds",
}


def group_clause(words: FormulationWords, group: Group) -> str:
    """What is decided, for which indices, and within which bounds, or what is given."""
    name = called(group.name, indices(group.scope))
    each = f"for {words.scope(group.scope)}, " if group.scope else ""
    if group.domain == "binary":
        return f"{each}decide {name}, yes or no (one or zero)"
    kind = KINDS.get(group.domain)
    if kind is None:
        kind = f"a number of the kind that {words.value(parse(group.domain), 'kind')} gives"
    if fixed(words.formulation, group):
        value = words.signed(parse(group.lower), "lower")
        return f"{each}{name} is fixed: {kind} that must equal {value}"
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
            size = words.numbers.put("offset", abs(offset))
            parts.append((offset < 0, f"the constant {size}"))
            continue
        body = words.product(term.factor, words.variable(term))
        if term.loops:
            scope = f.spec.group(term.group).scope
            body = f"the sum of {body} over {words.scope(scope, 'all')}"
        parts.append((words.subtracted(term), body))
    if not parts:
        return f"{goal.sense} zero: any decisions that keep all rules will do"
    return f"{goal.sense} {_joined(parts)}{_counted(words.spec)}"


def _counted(spec: Spec) -> str:
    """What an objective counts: of yes or no alone, each for one, it is a number of them."""
    terms = read_terms(spec, spec.objective.rule)
    counts = [
        term.factor is None and not term.minus and spec.group(term.group).domain == "binary"
        for term in terms
        if term.group != "offset"
    ]
    # Of one variable of many there is nothing to count.
    counts += [False for term in terms if term.at and not term.loops]
    return ": how often the answer is yes" if counts and all(counts) else ""


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
    terms = read_terms(words.spec, family.rule, family.scope)
    how, _ = choice(words.spec, family)
    if how:
        body = words.term(terms[0], family).removeprefix("the sum of ")
        return f"{lead}{CHOICE[how]} of {body} must be chosen"
    parts = [(bool(one.loops), words.subtracted(one), words.term(one, family)) for one in terms]
    if sense != "free" and constant(limit) != 0:
        parts.append((False, not words.negative(limit), words.value(limit, "limit")))
    # What a sum is limited to ends a side: what is added after it would read as part of that.
    parts.sort(key=lambda part: part[0])
    if sense == "free":
        told = _joined([(minus, text) for _, minus, text in parts]) if parts else "zero"
        return f"{lead}{told} is not limited"
    left = [text for _, minus, text in parts if not minus]
    right = [text for _, minus, text in parts if minus]
    if all(map(words.subtracted, terms)) and sense in TURNED:
        left, right, sense = right, left, TURNED[sense]
    phrase = SENSES.get(sense)
    if phrase is None:
        phrase = f"must be in the relation that {words.value(relation, 'sense')} gives with"
    if not terms and sense != "free":
        # Both sides are turned already.
        plain = parse(f"{ast.unparse(limit)} {'==' if sense == '=' else sense} 0")
        holds = phrase in SENSES.values() and words.always(plain, family)
        lead += "it holds whatever is decided, as " if holds else "whatever is decided, "
        phrase = phrase.replace("must be", "is") if holds else phrase
    clause = f"{lead}{_side(left)} {phrase} {_side(right)}"
    for other in span:
        away = words.signed(other, "range")
        known = sense in BEYOND and positive(words.formulation, other)
        mps = f"; the other side is {away} away, by the rules of MPS ranges"
        clause += f", and {BEYOND[sense]} {away}" if known else mps
    return clause


def _side(parts: list[str]) -> str:
    return " plus ".join(parts) or "zero"


def _gate(words: FormulationWords, gate: str) -> str:
    term = read_term(words.spec, False, parse(gate))
    assert term.factor is not None
    name = words.variable(term)
    return f"{name}{words.only(term)} is {words.signed(term.factor, 'value')}"


def draft(
    formulation: Formulation,
    scenario: str | TextScenario | None = None,
    match: Recognition | None = None,
) -> Blueprint:
    """A sentence for every set, parameter, group and family, and for every file.

    A model that is a problem of the library (`match`) is told in its words, under its class; of
    any other the class is not determined.

    `scenario` is one of the library by name or one's own. The default tells no story but what the
    rows show, and no set is called more than that (`role_nouns`): structure does not say what is a
    stop or a trip. Raises UsageError for a name that is not there.
    """
    f, spec = formulation, formulation.spec
    if not isinstance(scenario, TextScenario):
        scenario = find_scenario(scenario or PLAIN.name)
    setting = scenario
    words = FormulationWords(f)
    told = match if setting is PLAIN else None
    nouns = _nouns(f, setting, told)
    scene = [story(f, told, words.numbers)] if told is not None else []
    if told is None or not told.whole:
        scene.insert(0, setting.story or background(f))
    objective = objective_clause(words, f)
    groups = tuple(Item(one.name, one.name, group_clause(words, one)) for one in spec.groups)
    families = tuple(Item(one.name, one.name, family_clause(words, one)) for one in spec.families)
    sets = tuple(_sets(f, words, nouns))
    meanings = matched_meanings(f, told) if told is not None else {}
    parameters = tuple(_parameters(words, meanings))
    return Blueprint(
        id=f.name or "instance",
        application=match.application if match else UNDETERMINED,
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


def _nouns(f: Formulation, setting: TextScenario, match: Recognition | None) -> dict[str, Noun]:
    """A word for the elements of each set; a part of a set has the word of the whole.

    A set is called by its name's word of the setting, by its role's, by what it is in the problem
    that the model is, or else a position, where it has neighbours, or an item.
    """
    whole = roots(f.spec)
    moving = {whole[name] for family in f.spec.families for name in _moving(f, family)}
    found = {
        name: setting.nouns.get(noun[0], noun)
        for name, noun in role_nouns(f).items()
        # What has neighbours is more than a thing that is met or chosen.
        if not (name in moving and noun in (REQUIREMENT, OPTION, ITEM))
    } | {name: setting.nouns[name] for name in whole if name in setting.nouns}
    found |= matched_nouns(f, match) if match is not None else {}
    return {
        one.name: found.get(root, POSITION if root in moving else ITEM)
        for one in f.spec.sets
        if not one.parts
        for root in [whole[one.name]]
    }


def _moving(f: Formulation, family: Family) -> Iterator[str]:
    """The sets of a family's indices that some variable has moved by one step, to a neighbour."""
    terms = read_terms(f.spec, family.rule, family.scope)
    letters = {letter for term in terms for letter, step in map(moved, term.at) if abs(step) == 1}
    owners = index_owners(f.spec, family.scope)
    yield from (
        owner
        for letter, owner in zip(indices(family.scope), owners, strict=True)
        if letter in letters
    )


def _sets(f: Formulation, words: FormulationWords, nouns: dict[str, Noun]) -> list[Item]:
    used = named(f.spec)
    found = []
    for one in f.spec.sets:
        if one.parts and one.name in used:
            of = joined([f"`{name}`" for name in one.parts])
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


def _parameters(words: FormulationWords, meanings: Mapping[str, str]) -> Iterator[Item]:
    """A sentence for each table column; those that stand for the same name the variable, too.

    `meanings` are what a problem that the model is calls them.
    """
    told = [one for one in words.spec.parameters if one.over]
    often = Counter(one.meaning for one in told)
    at = _variables(words) if max(often.values(), default=0) > 1 else {}
    serves = _served(words.spec)
    for one in told:
        role = _role(one, serves.get(one.name, frozenset()))
        if often[one.meaning] > 1 and one.name in at:
            group, variable = at[one.name]
            role = role.replace(f"`{group}`", variable)
        if one.name in meanings:
            role = f"{meanings[one.name]} (the {role})"
        yield Item(one.name, one.name, _parameter(one, role))


def _served(spec: Spec) -> dict[str, set[frozenset[str]]]:
    """For each parameter the pairs of a family and a group of whose terms it serves some only."""
    terms: Counter[frozenset[str]] = Counter()
    uses: Counter[tuple[str, frozenset[str]]] = Counter()
    for family in spec.families:
        for term in read_terms(spec, family.rule, family.scope):
            pair = frozenset((family.name, term.group))
            terms[pair] += 1
            uses.update((name, pair) for name in _parameters_of(term))
    found: dict[str, set[frozenset[str]]] = {}
    for (name, pair), count in uses.items():
        if count < terms[pair]:
            found.setdefault(name, set()).add(pair)
    return found


def _parameters_of(term: Summand) -> set[str]:
    """The names in a term: of its factor, its variable's indices, its conditions and loops."""
    parts = [term.factor, *term.at, *term.tests, *(loop.iter for loop in term.loops)]
    return set().union(*(names_in(part) for part in parts if part))


def _variables(words: FormulationWords) -> dict[str, tuple[str, str]]:
    """For each parameter of a rule the group and the variable that it first stands beside."""
    found: dict[str, tuple[str, str]] = {}
    for family in words.spec.families:
        for term in read_terms(words.spec, family.rule, family.scope):
            for name in sorted(_parameters_of(term)):
                found.setdefault(name, (term.group, words.variable(term)))
    return found


def _parameter(one: Parameter, role: str) -> str:
    rest = ""
    if one.default is not None:
        word = SMALL.get(one.default, "minus one" if one.default == -1 else "infinite")
        rest = f", {word} where nothing is listed"
    index = f"[{', '.join(one.key)}]"
    return f"`{one.name}{index}`, the {role}, in column `{one.name}` of {_path(one)}{rest}"


_MEETING = re.compile(r"(?:index )?((?:first |last )?)(\w+) of (\S+) in (\S+)")
_PAIR = re.compile(r"(\S+) in (\S+)(?: from \S+ on)?$")


def _role(one: Parameter, some: Collection[frozenset[str]]) -> str:
    """What a parameter stands for, its names and letters in backticks.

    Of a family and a group that meet in several terms, `some` has the pair where it serves not all.
    """
    meaning, *none = one.meaning.split(", ")
    pair = _PAIR.search(meaning)
    partly = " in some of its terms" if pair and frozenset(pair.groups()) in some else ""
    match = _MEETING.fullmatch(meaning)
    if match and meaning.startswith(("index", "first", "last")):
        which, letter, owner, other = match.groups()
        said = f"{which}`{letter}` with which `{owner}` meets `{other}`{partly}"
    else:
        words = meaning.split(" ")
        before = ("of", "in", "index", "first", "last", "from")
        said = " ".join(
            f"`{word}`" if k and words[k - 1] in before and word != "the" else word
            for k, word in enumerate(words)
        ) + partly.replace("its", "the")
    said = ", ".join([said, *none])
    return re.sub(r"(?<=, in steps before )\w+", r"`\g<0>`", said)


def _files(f: Formulation, nouns: dict[str, Noun]) -> list[File]:
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
        kinds = ", ".join(nouns[name][0] for name in of.values())
        each = "for each" if len(columns) > len(of) else "each listed"
        found.append(File(table, path, f"one row {each} ({kinds})", columns))
    return found


_PLAIN = {
    SETS: (
        "the sets that are numbered without gaps",
        {"set": "the set's name", "first": "its first number", "last": "its last number"},
    ),
    PARAMETERS: ("the single parameters", {"name": "the parameter's name", "value": "its value"}),
}
"""What the two files hold that are not a table of one kind of index."""
