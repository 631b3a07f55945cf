"""A flat model with its groups and families: labels, names for a person, indices of columns."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ordojo.milp.model import Model
from ordojo.structures.abstraction import Abstraction
from ordojo.structures.abstraction.tables import Members
from ordojo.structures.flat import Flat, Floats, Ints, NameBuffer, model_of
from ordojo.structures.grouping import partition
from ordojo.structures.grouping.features import generic, templates
from ordojo.structures.indices import split_names

_TERMS = 6
"""Terms of a row that are shown: a line of text holds about as many."""


@dataclass(frozen=True, eq=False)
class ModelLayout:
    """A model whose column j is in group `groups[j]` and whose row i in family `families[i]`."""

    flat: Flat
    groups: Ints
    families: Ints

    @classmethod
    def of(cls, flat: Flat, found: Abstraction | None = None) -> "ModelLayout":
        """By an abstraction of the model, or by the partition found without one."""
        if found is None:
            chosen = partition(flat)
            return cls(flat, chosen.groups, chosen.families)
        return cls(flat, found.members("groups").label, found.members("families").label)

    @cached_property
    def columns_of(self) -> list[Ints]:
        """The columns of each group, in the file's order."""
        return Members.of(self.groups).items

    @cached_property
    def rows_of(self) -> list[Ints]:
        """The rows of each family, in the file's order."""
        return Members.of(self.families).items

    @cached_property
    def group_names(self) -> list[str]:
        """What to call each group: its columns' common name."""
        return _titles(self.flat.cols, self.columns_of, "group")

    @cached_property
    def family_names(self) -> list[str]:
        """What to call each family: its rows' common name."""
        return _titles(self.flat.rows, self.rows_of, "family")

    def fields(self, group: int) -> list[Ints]:
        """The indices in the names of a group's columns, its order in the file where none."""
        items = self.columns_of[group]
        found = split_names(self.flat.cols.take(items))
        kept = [field for field in (found[1] if found else []) if field.min() < field.max()]
        return kept or [np.arange(len(items))]

    @cached_property
    def model(self) -> Model:
        """The same model for a solver; sections of the file are not in it."""
        return model_of(self.flat)

    @cached_property
    def implied_bounds(self) -> tuple[Floats, Floats]:
        """The columns' bounds with those that rows of a single term put on them."""
        model = self.model
        low, up = (side.copy() for side in model.effective_bounds)
        single = np.flatnonzero(np.diff(model.starts) == 1)
        at = model.starts[:-1][single]
        col, a = model.index[at], model.value[at]
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = model.row_lower[single] / a, model.row_upper[single] / a
        np.maximum.at(low, col, np.where(a > 0, ends[0], ends[1]))
        np.minimum.at(up, col, np.where(a > 0, ends[1], ends[0]))
        return low, up

    def row_text(self, i: int, spelled: Callable[[int], str] | None = None) -> str:
        """Row i for a person, long ones cut; `spelled` names columns in another way."""
        spelled = spelled or self.flat.cols.text
        index, value = self.model.row(i)
        terms = [
            f"{'-' if a < 0 else '+'} {'' if abs(a) == 1 else f'{abs(a):g} '}{spelled(j)}"
            for j, a in zip(index[:_TERMS].tolist(), value[:_TERMS].tolist(), strict=True)
        ]
        more = f" + {len(index) - _TERMS} more terms" if len(index) > _TERMS else ""
        text = " ".join(terms).removeprefix("+ ")
        text = text.replace("- ", "-", 1) if text.startswith("-") else text
        low, up = self.model.row_lower[i], self.model.row_upper[i]
        if low == up:
            side = f" = {low:g}"
        else:
            side = f" <= {up:g}" if np.isfinite(up) else ""
            side += f" >= {low:g}" if np.isfinite(low) else ""
        return f"{self.flat.rows.text(i)}: {text or '0'}{more}{side}"


def _titles(names: NameBuffer, members: list[Ints], what: str) -> list[str]:
    """`cap[*,*]`, the only member's own name, or a number with the first member's name."""
    found = []
    for k, items in enumerate(members):
        first = names.text(int(items[0]))
        mine = names.take(items)
        split = split_names(mine)
        title = f"{what} {k + 1} (first {first})"
        if len(items) == 1:
            title = first
        elif split is not None:
            label, spelled = templates(mine)
            if not (label.any() or generic(spelled[0])):
                title = "".join(p if isinstance(p, str) else "*" for p in split[0])
        found.append(title)
    return found
