"""The abstract problem as text: one line for each set, parameter, group and family."""

from ordojo.core.errors import DataError
from ordojo.structure.blueprint.blueprint import Blueprint, Item

DATA, DECISIONS, OBJECTIVE, RULES = "Data", "Decisions", "Objective", "Rules"


def text(blueprint: Blueprint) -> str:
    """The text of a blueprint; raises DataError where an edit put a number or a gap into it.

    Every group and every family has a line that begins with its label in backticks.
    """
    wrong = blueprint.faults()
    if wrong:
        raise DataError(f"the blueprint of {blueprint.id}: {'; '.join(wrong)}; edit it")
    files = {one.path for one in blueprint.files}
    lines = [blueprint.story, "", f"{DATA}:"]
    lines += [_line(item) for item in (*blueprint.sets, *blueprint.parameters)]
    said = "\n".join(lines)
    rest = sorted(path for path in files if path not in said)
    if rest:
        lines.append(f"- The same numbers, and those in braces, also stand in {', '.join(rest)}.")
    lines += ["", f"{DECISIONS}:", *(_line(item) for item in blueprint.groups)]
    lines += ["", f"{OBJECTIVE}:", f"- {blueprint.objective}."]
    lines += ["", f"{RULES}:", *(_line(item) for item in blueprint.families)]
    return "\n".join(lines) + "\n"


def _line(item: Item) -> str:
    return f"- `{item.label}`: {item.text}."
