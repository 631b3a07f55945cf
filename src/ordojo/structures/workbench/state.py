"""What an expert edits: ways to split, the edits, what they do, and the journal's first state.

A group or family is split by what its members differ in (`parts`); `apply` does an edit to a
`WorkbenchState` (groups, families, names, sentences); `start` and `replayed` read a journal.
"""

import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal
from zipfile import BadZipFile

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ordojo.core.errors import DataError, UsageError
from ordojo.core.journal import Journal, Row
from ordojo.core.outputs import write_file
from ordojo.structures.abstraction.naming import Cuts, packed_cuts
from ordojo.structures.arrays import firsts, numbered
from ordojo.structures.blueprint import find_scenario
from ordojo.structures.blueprint.blueprint import BRACED, QUOTED
from ordojo.structures.flat import Flat, Floats, Ints
from ordojo.structures.grouping import Partition, partition
from ordojo.structures.grouping.features import column_types, templates
from ordojo.structures.indices import Cut

MOST = 100
"""The most parts of one split."""
MEANING = {
    "type": "continuous, integer, binary, semi-continuous",
    "bounds": "which bounds are 0, another number, or none",
    "cost": "no cost, a positive or a negative one",
    "sense": "=, <=, >=",
    "side": "right-hand side 0, positive or negative",
    "rhs": "the right-hand side's value",
    "range": "with a range or without",
    "length": "the number of coefficients",
    "meets": "what stands in the same rows or columns",
    "name": "the pattern of the name",
    "run": "where they do not follow each other in the file",
    "members": "members from one to another",
}


def _kind(values: Floats) -> Ints:
    """0, 1, another number by its sign, or no number by its sign."""
    kind = np.where(values > 0, 2, np.where(values < 0, 3, 0))
    kind = np.where(values == 1, 1, kind)
    return np.asarray(np.where(np.isinf(values), kind + 2, kind), np.int64)


_OWN: dict[str, dict[str, Callable[[Flat, Ints], Ints]]] = {
    "groups": {
        "type": lambda flat, items: column_types(flat)[items],
        "bounds": lambda flat, items: _kind(flat.lower[items]) * 8 + _kind(flat.upper[items]),
        "cost": lambda flat, items: _kind(flat.objective[items]),
    },
    "families": {
        "sense": lambda flat, items: flat.senses[items].astype(np.int64),
        "side": lambda flat, items: _kind(flat.rhs[items]),
        "rhs": lambda flat, items: (flat.rhs[items] + 0.0).view(np.int64),
        "range": lambda flat, items: np.isnan(flat.ranges[items]).astype(np.int64),
        "length": lambda flat, items: np.bincount(flat.index, minlength=flat.m)[items],
    },
}
"""What tells the members of a side apart by themselves."""
COLUMNS, ROWS = ((*own, "meets", "name", "run") for own in _OWN.values())


def parts(
    flat: Flat, side: str, items: Ints, other: Ints, by: str, first: int = 0, last: int = 0
) -> Ints:
    """The part 0, 1, ... of each member, in order of appearance.

    `side` is "groups" or "families", `other` the labels of the other side. `by` is a way of that
    side, or "members" with `first` to `last`, counted from 1. Raises UsageError for anything else.
    """
    if by == "members":
        if not 1 <= first <= last <= len(items):
            raise UsageError(f"members {first} to {last} are not there; give 1 to {len(items)}")
        place = np.arange(1, len(items) + 1)
        return numbered(((place >= first) & (place <= last)).astype(np.int64))
    ways = COLUMNS if side == "groups" else ROWS
    if by not in ways:
        raise UsageError(f"there is no way '{by}' to split {side}; known: {', '.join(ways)}")
    if by == "meets":
        return numbered(_meets(flat, side, items, other))
    names = flat.cols if side == "groups" else flat.rows
    if by == "name":
        return numbered(templates(names.take(items))[0])
    if by == "run":
        return np.cumsum(np.diff(items, prepend=items[:1]) > 1)
    return numbered(_OWN[side][by](flat, items))


def _meets(flat: Flat, side: str, items: Ints, other: Ints) -> Ints:
    """A number for the set of the other side's classes that each item meets."""
    mine, its = (flat.entry_cols, flat.index) if side == "groups" else (flat.index, flat.entry_cols)
    place = np.full(flat.n if side == "groups" else flat.m, -1, np.int64)
    place[items] = np.arange(len(items))
    chosen = place[mine] >= 0
    width = int(other.max(initial=-1)) + 1
    pairs = np.unique(place[mine[chosen]] * width + other[its[chosen]])
    weights = np.random.Generator(np.random.PCG64(11)).integers(1, 1 << 62, width + 1)
    found = np.zeros(len(items), np.int64)
    with np.errstate(over="ignore"):
        np.add.at(found, pairs // max(width, 1), weights[pairs % max(width, 1)])
    return found


Text = Annotated[str, Field(max_length=20_000)]
Short = Annotated[str, Field(max_length=200)]


class _Edit(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Rename(_Edit):
    """A new name; `of` is a group or family by its id, or `set:I`, `parameter:cost_x`.

    `name` "" gives back the found name. `before` is what it was called, for texts that say it.
    """

    kind: Literal["rename"]
    of: Short
    name: Short
    before: Short = ""


class Merge(_Edit):
    """Groups, or families, into the first of them."""

    kind: Literal["merge"]
    of: list[Short]


class Split(_Edit):
    """One group or family apart, by one of its `ways`; or members `first` to `last`, from 1."""

    kind: Literal["split"]
    of: Short
    by: Short
    first: int = 0
    last: int = 0


class Recut(_Edit):
    """The index in `place` of the names split before its last `digits`; 0 joins it and the next."""

    kind: Literal["index"]
    of: Short
    place: Annotated[int, Field(ge=0, le=50)]
    digits: Annotated[int, Field(ge=0, le=17)] = 0


class ScenarioChoice(_Edit):
    """Another scenario of the library; "" is the plain one."""

    kind: Literal["scenario"]
    name: Short


class Clause(_Edit):
    """A sentence of the blueprint; none gives back the drafted one.

    `part` is "story", "objective", "group" or "family" (`of` an id), "set" or "parameter" (a name),
    or "whole": a text in other words in the place of all sentences.
    """

    kind: Literal["clause"]
    part: Literal["story", "objective", "set", "parameter", "group", "family", "whole"]
    of: Short = ""
    text: Text | None = None


Change = Rename | Merge | Split | Recut | ScenarioChoice | Clause
_ADAPTER: TypeAdapter[Change] = TypeAdapter(Annotated[Change, Field(discriminator="kind")])


def read_edit(asked: Any) -> Change:
    """An edit from JSON; raises UsageError that names the field at fault."""
    try:
        return _ADAPTER.validate_python(asked)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "it"
        raise UsageError(f"this is no edit: {where}: {first['msg']}") from None


def said(edit: Change) -> str:
    """An edit in a few words, for the page's undo."""
    if isinstance(edit, Rename):
        return f"rename {edit.before or edit.of} to {edit.name or 'its found name'}"
    if isinstance(edit, Merge):
        return f"merge {len(edit.of)} {'groups' if edit.of[0].startswith('g') else 'families'}"
    if isinstance(edit, Split):
        return f"split by {edit.by}"
    if isinstance(edit, Recut):
        return "split an index" if edit.digits else "join two indices"
    if isinstance(edit, ScenarioChoice):
        return f"scenario {edit.name or 'plain'}"
    return f"text of {edit.part} {edit.of}".rstrip()


_ROLES = "(?:cost|lower|upper|type|sense|rhs|range)_"
_NAMED = re.compile(f"{QUOTED.pattern}|{BRACED.pattern}")


@dataclass(frozen=True, eq=False)
class Classes:
    """Groups (or families): the label of each item, and an id for each label that edits keep."""

    labels: Ints
    ids: tuple[str, ...]

    @classmethod
    def of(cls, labels: Ints, letter: str) -> "Classes":
        """As they were found: ids g0, g1, ... or f0, f1, ..."""
        count = int(labels.max(initial=-1)) + 1
        return cls(labels, tuple(f"{letter}{k}" for k in range(count)))

    def members(self, one: str) -> Ints:
        """The items of one, in order."""
        return np.flatnonzero(self.labels == self.ids.index(one))

    def merged(self, ids: list[str]) -> "Classes":
        """With some in the place of the first of them."""
        where = [self.ids.index(one) for one in ids]
        target = np.arange(len(self.ids))
        target[where] = where[0]
        return _ordered(target[self.labels], self.ids)

    def apart(self, one: str, part: Ints, fresh: list[str]) -> "Classes":
        """With the members of one in parts 0, 1, ...; all but the first part get `fresh` ids."""
        labels = self.labels.copy()
        items = self.members(one)
        labels[items[part > 0]] = len(self.ids) - 1 + part[part > 0]
        return _ordered(labels, self.ids + tuple(fresh))


def _ordered(labels: Ints, ids: tuple[str, ...]) -> Classes:
    found = numbered(labels)
    old = labels[firsts([found], len(found))]
    return Classes(found, tuple(ids[k] for k in old.tolist()))


@dataclass(frozen=True, eq=False)
class WorkbenchState:
    """Everything that edits decide.

    `names` are chosen names by id (or `set:I`, `parameter:p`), `texts` edited sentences of
    the blueprint by part and id or name, `cuts` the indices split and joined by id, `fresh` numbers
    the next id.
    """

    groups: Classes
    families: Classes
    named: tuple[bool, bool]
    names: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    cuts: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    scenario: str = ""
    fresh: int = 0

    @classmethod
    def of(cls, found: Partition, cuts: tuple[Cuts, Cuts]) -> "WorkbenchState":
        """Before the first edit."""
        sides = Classes.of(found.groups, "g"), Classes.of(found.families, "f")
        fresh = max(len(side.ids) for side in sides)
        made = {
            side.ids[k]: cut
            for side, mine in zip(sides, cuts, strict=True)
            for k, cut in mine.items()
        }
        return cls(*sides, (found.cols_named, found.rows_named), cuts=made, fresh=fresh)

    def partition(self) -> Partition:
        """Groups and families as the abstraction takes them."""
        return Partition(self.groups.labels, self.families.labels, *self.named)

    def cut(self) -> tuple[dict[int, tuple[tuple[int, int], ...]], ...]:
        """The cuts of groups and of families as the abstraction takes them."""
        return tuple(
            {k: self.cuts[one] for k, one in enumerate(side.ids) if one in self.cuts}
            for side in (self.groups, self.families)
        )

    def side(self, one: str) -> str:
        """The word groups or families; UsageError for an id that is not there."""
        for side in ("groups", "families"):
            if one in getattr(self, side).ids:
                return side
        raise UsageError(f"there is no group or family '{one}' now; look at the list again")


def apply(flat: Flat, state: WorkbenchState, edit: Change) -> WorkbenchState:
    """The state after an edit; raises UsageError where it makes no sense."""
    if isinstance(edit, Rename):
        return _renamed(state, edit)
    if isinstance(edit, Merge):
        return _merged(state, edit)
    if isinstance(edit, Split):
        return _split(flat, state, edit)
    if isinstance(edit, Recut):
        state.side(edit.of)
        mine = (*state.cuts.get(edit.of, ()), (edit.place, edit.digits))
        kept = {key: text for key, text in state.texts.items() if key[1] != edit.of}
        return replace(state, cuts={**state.cuts, edit.of: mine}, texts=kept)
    if isinstance(edit, ScenarioChoice):
        if edit.name:
            find_scenario(edit.name)
        return replace(state, scenario=edit.name)
    if edit.part in ("group", "family"):
        state.side(edit.of)
    texts = dict(state.texts)
    texts.pop((edit.part, edit.of), None)
    if edit.text is not None:
        texts[edit.part, edit.of] = edit.text
    return replace(state, texts=texts)


def _renamed(state: WorkbenchState, edit: Rename) -> WorkbenchState:
    if edit.of.partition(":")[0] not in ("set", "parameter"):
        state.side(edit.of)
    if edit.name and not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", edit.name):
        raise UsageError(f"'{edit.name}' is no name: use letters, digits and underscores")
    names = dict(state.names)
    names.pop(edit.of, None)
    if edit.name:
        names[edit.of] = edit.name
    if not (edit.before and edit.name):
        return replace(state, names=names)
    # Parameters carry the names of their groups, and texts name things in backticks and braces.
    word = re.compile(rf"(?<!\w)({_ROLES})?{re.escape(edit.before)}(?!\w)")

    def mended(text: str) -> str:
        return word.sub(rf"\g<1>{edit.name}", text)

    names = {
        # The key of a parameter's chosen name says the group.
        f"parameter:{mended(key.partition(':')[2])}" if key.startswith("parameter:") else key: name
        for key, name in names.items()
    }
    texts = {
        (part, mended(of) if part in ("set", "parameter") else of): _NAMED.sub(
            lambda match: mended(match.group()), text
        )
        for (part, of), text in state.texts.items()
    }
    return replace(state, names=names, texts=texts)


def _merged(state: WorkbenchState, edit: Merge) -> WorkbenchState:
    ids = list(dict.fromkeys(edit.of))
    sides = {state.side(one) for one in ids}
    if len(ids) < 2:
        raise UsageError("one alone cannot be merged; mark another")
    if len(sides) > 1:
        raise UsageError("a group and a family cannot be merged; mark only one kind")
    side = sides.pop()
    merged = getattr(state, side).merged(ids)
    return _without(state, ids, ids[1:], **{side: merged})


def _split(flat: Flat, state: WorkbenchState, edit: Split) -> WorkbenchState:
    side = state.side(edit.of)
    mine: Classes = getattr(state, side)
    other = state.families if side == "groups" else state.groups
    items = mine.members(edit.of)
    part = parts(flat, side, items, other.labels, edit.by, edit.first, edit.last)
    count = int(part.max(initial=-1)) + 1
    if count < 2:
        raise UsageError(f"its members are all alike by {edit.by}; nothing was split")
    if count > MOST:
        raise UsageError(f"this would make {count} parts, more than {MOST}; split another way")
    fresh = [f"{edit.of[0]}{state.fresh + k}" for k in range(count - 1)]
    found = _without(state, [edit.of], [], **{side: mine.apart(edit.of, part, fresh)})
    return replace(found, fresh=state.fresh + count - 1)


def _without(
    state: WorkbenchState, ids: list[str], gone: list[str], **sides: Any
) -> WorkbenchState:
    """Without the sentences about what is no longer the same, and the names of what is gone."""
    texts = {key: text for key, text in state.texts.items() if key[1] not in ids}
    names = {key: name for key, name in state.names.items() if key not in gone}
    cuts = {key: cut for key, cut in state.cuts.items() if key not in ids}
    return replace(state, texts=texts, names=names, cuts=cuts, **sides)


VERSION = 1
FOUND = "partition.npz"


def start(journal: Journal, flat: Flat, digest: str, name: str) -> WorkbenchState:
    """The state before the first edit, kept so that a better one later changes no session.

    Raises DataError where the journal's folder is another model's, or damaged.
    """
    path = journal.path.with_name(FOUND)
    if journal.rows:
        head = journal.rows[0]
        if head.get("workbench") != VERSION or head.get("digest") != digest:
            raise DataError(
                f"{path.parent} holds the edits of another model: choose another `folder`"
            )
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                groups, families = (kept[k].astype(np.int64) for k in ("groups", "families"))
                named = [bool(flag) for flag in kept["named"]]
                made: tuple[dict[int, tuple[Cut, ...]], dict[int, tuple[Cut, ...]]] = ({}, {})
                for side, k, place, digits in kept["cuts"].tolist() if "cuts" in kept else ():
                    made[side][k] = (*made[side].get(k, ()), (place, digits))
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise DataError(f"{path} is damaged ({error}); restore it from a copy") from None
        if (len(groups), len(families), len(named)) != (flat.n, flat.m, 2):
            raise DataError(f"{path} is of another model; restore it from a copy")
        return WorkbenchState.of(Partition(groups, families, *named), made)
    found = partition(flat)
    cuts = packed_cuts(flat, found)
    named = [found.cols_named, found.rows_named]
    data = io.BytesIO()
    rows = [(side, k, *cut) for side in (0, 1) for k, mine in cuts[side].items() for cut in mine]
    np.savez_compressed(
        data,
        groups=found.groups,
        families=found.families,
        named=named,
        cuts=np.array(rows, np.int64).reshape(-1, 4),
    )
    write_file(path, data.getvalue(), advice="choose another `folder`")
    journal.append({"workbench": VERSION, "digest": digest, "model": name})
    return WorkbenchState.of(found, cuts)


def replayed(rows: list[Row], path: Path) -> tuple[list[Change], int]:
    """The edits that a journal leaves, and how many of them hold."""
    edits: list[Change] = []
    at = 0
    for number, row in enumerate(rows, 2):
        try:
            if "edit" in row:
                edits = [*edits[:at], read_edit(row["edit"])]
                at += 1
            elif "drop" in row:
                at -= 1
                edits = edits[:at]
            else:
                at += 1 if "redo" in row else -1
            wrong = not 0 <= at <= len(edits)
        except UsageError:
            wrong = True
        if wrong:
            raise DataError(f"{path}:{number} is no step of these edits; restore it from a copy")
    return edits, at
