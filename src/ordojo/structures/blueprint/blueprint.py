"""A blueprint: what the text says of each set, group, family and file; edited as JSON."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.structures.artifact import checked

QUOTED = re.compile(r"`[^`]*`")
BRACED = re.compile(r"\{\w+\}")
PATH = re.compile(r"\bdata/[\w.-]+")
VERSION = 1


@dataclass(frozen=True)
class Item:
    """A set, group, family or parameter: its name in the formulation, a label, and its sentence.

    `label` is what the text calls it; the sentence starts in lower case and ends without a full
    stop. In sentences, names of the formulation stand in backticks, given numbers in braces.
    """

    name: str
    label: str
    text: str


@dataclass(frozen=True)
class File:
    """A table: its key in instance.json, its path, what it holds, a sentence for each column."""

    key: str
    path: str
    description: str
    columns: Mapping[str, str]


@dataclass(frozen=True)
class Blueprint:
    """Everything that the text says, in its order.

    `numbers` are the parameters that the text names in braces, `application` is (main class,
    problem class). `direction` is "minimize" or "maximize".
    """

    id: str
    application: tuple[str, str]
    scenario: str
    story: str
    direction: str
    objective: str
    sets: tuple[Item, ...]
    parameters: tuple[Item, ...]
    groups: tuple[Item, ...]
    families: tuple[Item, ...]
    files: tuple[File, ...]
    numbers: Mapping[str, Json]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, which `from_json` reads after editing."""
        found = asdict(self)
        return {"version": VERSION, **found, "application": list(self.application)}

    @classmethod
    def from_json(cls, value: Any, where: str = "the blueprint") -> "Blueprint":
        """From JSON; raises DataError that names the field at fault."""
        if not isinstance(value, dict) or value.get("version") != VERSION:
            raise DataError(f"{where} is no blueprint of version {VERSION}; draft it again")
        parts = {key: part for key, part in value.items() if key != "version"}
        return checked(cls, parts, where, "mend it, or draft it again")

    def sentences(self) -> Iterator[tuple[str, str]]:
        """Every sentence with what it says something about."""
        yield "the story", self.story
        yield "the objective", self.objective
        for kind, items in (
            ("set", self.sets),
            ("parameter", self.parameters),
            ("group", self.groups),
            ("family", self.families),
        ):
            for item in items:
                yield f"{kind} {item.name}", item.text

    def faults(self) -> list[str]:
        """What may not be: empty or repeated labels, numbers in sentences, unknown braces."""
        wrong = []
        for kind in (self.groups, self.families):
            labels = [item.label for item in kind]
            twice = sorted({one for one in labels if labels.count(one) > 1})
            wrong += [f"the label '{one}' is used twice" for one in twice]
        if self.direction not in ("minimize", "maximize"):
            wrong.append(f"direction is '{self.direction}'")
        for what, text in self.sentences():
            if not text.strip():
                wrong.append(f"{what} says nothing")
            if digits(text):
                wrong.append(f"{what} has the number {digits(text)[0]} in its text")
            if "\n" in text:
                wrong.append(f"{what} goes over several lines")
            unknown = [name for name in BRACED.findall(text) if name[1:-1] not in self.numbers]
            wrong += [f"{what} names {name}, which is no parameter" for name in unknown]
        return wrong


def digits(text: str) -> list[str]:
    """Numbers in digits outside of names in backticks, braces and paths."""
    for pattern in (QUOTED, BRACED, PATH):
        text = pattern.sub(" ", text)
    return re.findall(r"\d[\d.,]*", text)


SETS, DATA = "Sets", "Data"
HAS = {
    "data/parameters.csv": "single numbers by their names",
    "data/sets.csv": "the first and last member of sets of numbers",
}
"""What the files have that are of no table."""
DECISIONS, RULES, OBJECTIVE = "Decisions", "Rules", "Objective"


def text(blueprint: Blueprint) -> str:
    """The text of a blueprint; raises DataError where an edit put a number or a gap into it.

    Every group and every family has a line that begins with its label in backticks.
    """
    wrong = blueprint.faults()
    if wrong:
        raise DataError(f"the blueprint of {blueprint.id}: {'; '.join(wrong)}; edit it")
    files = {one.path for one in blueprint.files}
    lines = [blueprint.story]
    if blueprint.sets:
        lines += ["", f"{SETS}:", *(_line(item) for item in blueprint.sets)]
    lines += ["", f"{DATA}:", *(_line(item) for item in blueprint.parameters)]
    said = "\n".join(lines)
    rest = sorted(path for path in files if path not in said)
    if rest:
        told = (f"{path} has {HAS.get(path, 'more of these data')}" for path in rest)
        lines.append(f"- {', '.join(told)}.")
    lines += ["", f"{DECISIONS}:", *(_line(item) for item in blueprint.groups)]
    lines += ["", f"{RULES}:", *(_line(item) for item in blueprint.families)]
    lines += ["", f"{OBJECTIVE}:", f"- {blueprint.objective}."]
    return "\n".join(lines) + "\n"


def _line(item: Item) -> str:
    return f"- `{item.label}`: {item.text}."
