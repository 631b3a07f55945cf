"""A first blueprint, made from formulation and labels alone; the same input gives the same one."""

from collections.abc import Sequence

from ordojo.structure.blueprint.blueprint import Blueprint, File, Item
from ordojo.structure.blueprint.clauses import family_clause, group_clause, objective_clause
from ordojo.structure.blueprint.scenarios import Scenario, find_scenario, scenario_for
from ordojo.structure.blueprint.words import SMALL, Words
from ordojo.structure.formulation import Formulation, IndexSet, Parameter, Table, data_files
from ordojo.structure.labels import Labels

SETS, SCALARS = "data/sets.csv", "data/parameters.csv"


def draft(
    formulation: Formulation, labels: Labels, scenario: str | Scenario | None = None
) -> Blueprint:
    """A sentence for every set, parameter, group and family, and for every file.

    `scenario` is one of the library by name or one's own; by default that of the best guess at the
    application. Raises UsageError for a name that is not there.
    """
    f = formulation
    guess = labels.applications[0]
    if isinstance(scenario, str):
        scenario = find_scenario(scenario)
    setting = scenario or scenario_for(guess.major)
    words = Words(f)
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
        application=(guess.major, guess.sub),
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


def _nouns(f: Formulation, setting: Scenario) -> dict[str, tuple[str, str]]:
    """A word for the elements of each set; a part of a set has the word of the whole."""
    moving = {
        name
        for family in f.families
        for term in family.terms
        for letter, name in zip(family.index, family.sets, strict=True)
        if any(at.letter == letter and at.shift for at in term.at)
    }
    decided = {name for group in f.groups for name in group.sets}
    found: dict[str, tuple[str, str]] = {}
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


def _sets(f: Formulation, words: Words, nouns: dict[str, tuple[str, str]]) -> list[Item]:
    used = _used(f)
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


def _members(one: IndexSet, words: Words) -> str:
    if one.first is None or one.last is None:
        return f"listed in column `{one.letter}` of {one.file}"
    ends = []
    for role, value in (("first", one.first), ("last", one.last)):
        ends.append(words.numbers.put(f"{role}_{one.name}", value))
    return f"numbered from {ends[0]} to {ends[1]}"


def _used(f: Formulation) -> set[str]:
    """The sets and tables that a domain or a condition names."""
    gates = [gate for family in f.families for gate, _ in family.given]
    terms = [*(term for family in f.families for term in family.terms), *gates]
    found = {factor.source for group in f.groups for factor in group.domain}
    found |= {factor.source for family in f.families for factor in family.domain}
    return found | {one.table for term in terms for one in term.where if one.table}


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
