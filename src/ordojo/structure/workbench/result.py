"""What follows from a state of edits: abstraction, check, labels, formulation, blueprint."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ordojo.structure.abstraction import Abstraction, abstract
from ordojo.structure.abstraction.folder import model, mps_bytes
from ordojo.structure.blueprint import Blueprint, Item, draft
from ordojo.structure.blueprint.blueprint import QUOTED
from ordojo.structure.flat import Flat, differences, digest
from ordojo.structure.formulation import Formulation, formulate, spy_svg
from ordojo.structure.formulation.naming import named_units
from ordojo.structure.labels import Labels, label
from ordojo.structure.workbench.state import State

Say = Callable[[str], None]
_HEADER = 128


@dataclass(frozen=True, eq=False)
class Base:
    """What groups and families alone decide; names do not matter here.

    `differing` are the parts of the model that do not come back bit for bit: none if exact.
    `found` are the names that groups and families get, by id.
    """

    abstraction: Abstraction
    differing: tuple[str, ...]
    compression: float
    labels: Labels
    found: Mapping[str, str]

    @property
    def exact(self) -> bool:
        """Whether the regenerated model has the digest of the file's."""
        return not self.differing


@dataclass(frozen=True, eq=False)
class Result:
    """Everything that the page shows of a state.

    `names` renames as `formulate` takes it; `keys` is what set and parameter names are to be
    renamed by. `faults` are what the blueprint may not say; `notes` name edits that have no place.
    """

    state: State
    base: Base
    formulation: Formulation
    blueprint: Blueprint
    spy: str
    names: Mapping[str, str]
    keys: Mapping[str, str]
    faults: tuple[str, ...]
    notes: tuple[str, ...]


def base(flat: Flat, whole: str, state: State, say: Say) -> Base:
    """Abstract with the state's partition, compare digests (`whole` is the file's), label."""
    say("abstraction")
    found = abstract(flat, state.partition())
    say("exactness")
    back = model(found)
    same = digest(back) == whole
    differing = () if same else tuple(differences(flat, back)) or ("digest",)
    say("labels")
    labels = label(flat, found)
    groups, families, _ = named_units(found, {})
    names = [unit.name for unit in (*groups, *families)]
    ids = (*state.groups.ids, *state.families.ids)
    size = sum(array.nbytes + _HEADER for array in found.tables.arrays.values())
    size += len(json.dumps(found.structure, indent=1))
    return Base(
        found, differing, mps_bytes(flat) / size, labels, dict(zip(ids, names, strict=True))
    )


def work_out(flat: Flat, state: State, made: Base, say: Say) -> Result:
    """Formulation, blueprint and picture; raises DataError for names that cannot be."""
    say("formulation")
    units = {made.found[one]: name for one, name in state.names.items() if one in made.found}
    first = formulate(flat, made.abstraction, units)
    things = [f"set:{one.name}" for one in first.sets]
    things += [f"parameter:{one.name}" for one in first.parameters]
    more = {key: name for key, name in state.names.items() if key in things}
    names = units | {key.partition(":")[2]: name for key, name in more.items()}
    whole = formulate(flat, made.abstraction, names) if more else first
    called = [one.name for one in whole.sets] + [one.name for one in whole.parameters]
    say("blueprint")
    drafted = draft(whole, made.labels, state.scenario or None)
    blueprint, unused = _edited(drafted, state, whole)
    unused += [key for key in state.names if key not in things and key not in made.found]
    say("spy plot")
    return Result(
        state=state,
        base=made,
        formulation=whole,
        blueprint=blueprint,
        spy=spy_svg(flat, made.abstraction, units),
        names=names,
        keys=dict(zip(called, things, strict=True)),
        faults=(*blueprint.faults(), *_strangers(drafted, blueprint)),
        notes=tuple(f"an edit of {one} waits: it is not there now" for one in unused),
    )


def _edited(drafted: Blueprint, state: State, f: Formulation) -> tuple[Blueprint, list[str]]:
    """The draft with the edited sentences in place, and the edits without a place."""
    wanted = dict(state.texts)
    story = wanted.pop(("story", ""), drafted.story)
    objective = wanted.pop(("objective", ""), drafted.objective)

    def taken(part: str, of: str, item: Item) -> Item:
        return replace(item, text=wanted.pop((part, of), item.text))

    found = replace(
        drafted,
        story=story,
        objective=objective,
        groups=tuple(map(taken, ["group"] * len(f.groups), state.groups.ids, drafted.groups)),
        families=tuple(
            map(taken, ["family"] * len(f.families), state.families.ids, drafted.families)
        ),
        sets=tuple(taken("set", one.name, one) for one in drafted.sets),
        parameters=tuple(taken("parameter", one.name, one) for one in drafted.parameters),
    )
    return found, [f"the text of {part} {of}" for part, of in wanted]


def _strangers(drafted: Blueprint, edited: Blueprint) -> list[str]:
    """Names in backticks that nothing in the model has."""
    known = {word for _, text in drafted.sentences() for word in _words(text)}
    items = (*drafted.sets, *drafted.parameters, *drafted.groups, *drafted.families)
    known |= {item.name for item in items}
    wrong = []
    for what, text in edited.sentences():
        for word in dict.fromkeys(_words(text)):
            if word not in known:
                wrong.append(f"{what} names `{word}`, which is nothing in the model")
    return wrong


def _words(text: str) -> list[str]:
    return [word for quoted in QUOTED.findall(text) for word in re.findall(r"[A-Za-z]\w*", quoted)]
