"""Groups, families, names and sentences as edits leave them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ordojo.core.errors import UsageError
from ordojo.structure.blueprint import find_scenario
from ordojo.structure.blueprint.blueprint import BRACED, QUOTED
from ordojo.structure.flat import Flat, Ints
from ordojo.structure.grouping import Partition
from ordojo.structure.grouping.features import numbered
from ordojo.structure.workbench.edits import Change, Merge, Rename, Setting, Split
from ordojo.structure.workbench.ways import MOST, parts

_ROLES = "(?:cost|lower|upper|type|sense|rhs|range)_"
_NAMED = re.compile(f"{QUOTED.pattern}|{BRACED.pattern}")


@dataclass(frozen=True, eq=False)
class Side:
    """Groups (or families): the label of each item, and an id for each label that edits keep."""

    labels: Ints
    ids: tuple[str, ...]

    @classmethod
    def of(cls, labels: Ints, letter: str) -> "Side":
        """As they were found: ids g0, g1, ... or f0, f1, ..."""
        count = int(labels.max(initial=-1)) + 1
        return cls(labels, tuple(f"{letter}{k}" for k in range(count)))

    def members(self, one: str) -> Ints:
        """The items of one, in order."""
        return np.flatnonzero(self.labels == self.ids.index(one))

    def merged(self, ids: list[str]) -> "Side":
        """With some in the place of the first of them."""
        where = [self.ids.index(one) for one in ids]
        target = np.arange(len(self.ids))
        target[where] = where[0]
        return _ordered(target[self.labels], self.ids)

    def apart(self, one: str, part: Ints, fresh: list[str]) -> "Side":
        """With the members of one in parts 0, 1, ...; all but the first part get `fresh` ids."""
        labels = self.labels.copy()
        items = self.members(one)
        labels[items[part > 0]] = len(self.ids) - 1 + part[part > 0]
        return _ordered(labels, self.ids + tuple(fresh))


def _ordered(labels: Ints, ids: tuple[str, ...]) -> Side:
    found = numbered(labels)
    old = np.zeros(int(found.max(initial=-1)) + 1, np.int64)
    old[found[::-1]] = labels[::-1]
    return Side(found, tuple(ids[k] for k in old.tolist()))


@dataclass(frozen=True, eq=False)
class State:
    """Everything that edits decide.

    `names` are chosen names by id (or `set:I`, `parameter:p`), `texts` edited sentences of
    the blueprint by part and id or name, `fresh` numbers the next id.
    """

    groups: Side
    families: Side
    named: tuple[bool, bool]
    names: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    scenario: str = ""
    fresh: int = 0

    @classmethod
    def of(cls, found: Partition) -> "State":
        """Before the first edit."""
        groups, families = Side.of(found.groups, "g"), Side.of(found.families, "f")
        fresh = max(len(groups.ids), len(families.ids))
        return cls(groups, families, (found.cols_named, found.rows_named), fresh=fresh)

    def partition(self) -> Partition:
        """Groups and families as the abstraction takes them."""
        return Partition(self.groups.labels, self.families.labels, *self.named)

    def side(self, one: str) -> str:
        """The word groups or families; UsageError for an id that is not there."""
        for side in ("groups", "families"):
            if one in getattr(self, side).ids:
                return side
        raise UsageError(f"there is no group or family '{one}' now; look at the list again")


def apply(flat: Flat, state: State, edit: Change) -> State:
    """The state after an edit; raises UsageError where it makes no sense."""
    if isinstance(edit, Rename):
        return _renamed(state, edit)
    if isinstance(edit, Merge):
        return _merged(state, edit)
    if isinstance(edit, Split):
        return _split(flat, state, edit)
    if isinstance(edit, Setting):
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


def _renamed(state: State, edit: Rename) -> State:
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

    names = {_kept(key, mended): name for key, name in names.items()}
    texts = {
        (part, mended(of) if part in ("set", "parameter") else of): _NAMED.sub(
            lambda match: mended(match.group()), text
        )
        for (part, of), text in state.texts.items()
    }
    return replace(state, names=names, texts=texts)


def _kept(key: str, mended: Callable[[str], str]) -> str:
    """The key of a chosen name; that of a parameter says the group."""
    kind, colon, rest = key.partition(":")
    return f"{kind}:{mended(rest)}" if kind == "parameter" and colon else key


def _merged(state: State, edit: Merge) -> State:
    ids = list(dict.fromkeys(edit.of))
    sides = {state.side(one) for one in ids}
    if len(ids) < 2:
        raise UsageError("one alone cannot be merged; mark another")
    if len(sides) > 1:
        raise UsageError("a group and a family cannot be merged; mark only one kind")
    side = sides.pop()
    merged = getattr(state, side).merged(ids)
    return _without(state, ids, ids[1:], **{side: merged})


def _split(flat: Flat, state: State, edit: Split) -> State:
    side = state.side(edit.of)
    mine: Side = getattr(state, side)
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


def _without(state: State, ids: list[str], gone: list[str], **sides: Any) -> State:
    """Without the sentences about what is no longer the same, and the names of what is gone."""
    texts = {key: text for key, text in state.texts.items() if key[1] not in ids}
    names = {key: name for key, name in state.names.items() if key not in gone}
    return replace(state, texts=texts, names=names, **sides)
