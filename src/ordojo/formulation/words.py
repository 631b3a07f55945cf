"""The declaration in words: scopes, data, decisions, rules, the goal; no number that is data."""

from functools import lru_cache
from itertools import zip_longest

from ordojo.core.words import joined
from ordojo.formulation.algebra import loops
from ordojo.formulation.spec import PARAMETERS, Family, Group, Objective, Parameter, Spec


def sentence(text: str) -> str:
    """Text with a capital letter and a full stop."""
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")


def measured(one: Group | Parameter | Objective) -> str:
    """What something means, with its unit where the meaning does not say it already."""
    return one.meaning + (f", in {one.unit}" if one.unit and one.unit not in one.meaning else "")


@lru_cache(maxsize=4096)
def each(spec: Spec, scope: str) -> str:
    """A scope in words, its conditions left out: "for each product and each period"; or ""."""
    known = {item.name: item.one for item in spec.sets}
    found = [known[loop.over] for loop in loops(scope)]
    return f"for {joined([f'each {one}' for one in found])}" if found else ""


def scope_words(spec: Spec, family: Family) -> str:
    """A family's scope in words with a colon behind it; nothing for a single row."""
    words = family.each or each(spec, family.scope)
    return f"{words}: " if words else ""


@lru_cache(maxsize=4096)
def group_words(spec: Spec, group: Group) -> str:
    """What is decided: "for each lane, the decision whether ... (yes or no)"."""
    words = each(spec, group.scope)
    kind = {
        "binary": "yes or no",
        "integer": "a whole number",
        "continuous": "it may be fractional",
    }[group.domain]
    notes = [kind]
    if group.domain != "binary":
        notes += _bounds(spec, group)
    return f"{words + ', ' if words else ''}the {measured(group)} ({', '.join(notes)})"


def _bounds(spec: Spec, group: Group) -> list[str]:
    known = {item.name: item.meaning for item in spec.parameters}

    def said(bound: str) -> str:
        name = bound.partition("[")[0]
        return f"the {known[name]}" if name in known else "zero" if bound == "0" else bound

    found = [f"at least {said(group.lower)}"] if group.lower else ["it may be negative"]
    return found + ([f"at most {said(group.upper)}"] if group.upper else [])


def column_words(spec: Spec, table: str) -> dict[str, str]:
    """What each column of a table holds, by its name, keys first."""
    if table == PARAMETERS:
        return {"name": "name of the value", "value": "the value"}
    found: dict[str, str] = {}
    for item in spec.sets:
        if item.table != table:
            continue
        if len(item.key) == 1:
            found[item.key[0]] = f"number of the {item.one}"
        for column, part in zip_longest(item.key, item.parts) if len(item.key) > 1 else ():
            one = spec.set(part).one if part else ""
            owner = f" {'an' if one[0] in 'aeiou' else 'a'} {one}" if one else ""
            whose = f",{owner} by its number"
            found[column] = f"{column} of the {item.one}{whose}"
    for parameter in spec.parameters:
        if parameter.table != table:
            continue
        for column, words in zip(spec.key(parameter), _owners(spec, parameter), strict=True):
            found.setdefault(column, words)
        found[parameter.name] = measured(parameter)
    return found


def _owners(spec: Spec, parameter: Parameter) -> list[str]:
    """What each key column of a parameter's table holds."""
    found: list[str] = []
    for name in parameter.over:
        item = spec.set(name)
        if len(spec.columns(name)) == 1:
            found.append(f"number of the {item.one}")
        else:
            found += [f"{column} of the {item.one}, by its number" for column in item.key]
    return found


def tables_of(spec: Spec) -> list[str]:
    """The tables in the order of their first mention, that of scalars last."""
    named = [item.table for item in spec.sets if item.table]
    named += [item.table for item in spec.parameters if item.table != PARAMETERS]
    return [*dict.fromkeys(named), PARAMETERS]


def table_words(spec: Spec, table: str) -> str:
    """What a table lists, without its columns."""
    if table == PARAMETERS:
        scalars = [item for item in spec.parameters if not item.over]
        return (
            f"single values: {'; '.join(f'`{one.name}`, the {measured(one)}' for one in scalars)}"
        )
    own = [f"the {item.many}" for item in spec.sets if item.table == table and len(item.key) == 1]
    return spec.files.get(table, own[0] if own else table)


def abstract_problem(spec: Spec) -> str:
    """The problem in words; `{name}` stands for a scalar parameter, tables for all other data."""
    lines = [spec.scenario, "", "Data:"]
    for table in tables_of(spec)[:-1]:
        columns = "; ".join(f"`{k}` ({text})" for k, text in column_words(spec, table).items())
        lines.append(f"- `data/{table}.csv`: {table_words(spec, table)}. Columns: {columns}.")
    scalars = [item for item in spec.parameters if not item.over]
    given = "; ".join(f"the {measured(item)}: {{{item.name}}}" for item in scalars)
    lines.append(f"- Single values (also in `data/{PARAMETERS}.csv`): {given}.")
    counted = [item for item in spec.sets if item.size]
    if counted:
        many = joined([f"the {item.many}" for item in counted])
        lines.append(f"- Numbered from 1: {many}.")
    lines += ["", "Decide:"]
    lines += [f"- {sentence(group_words(spec, group))}" for group in spec.groups]
    lines += ["", "Rules:"]
    lines += [
        f"- {sentence(scope_words(spec, family) + family.meaning)}" for family in spec.families
    ]
    lines += ["", f"{spec.objective.sense.capitalize()} {measured(spec.objective)}."]
    return "\n".join(lines)
