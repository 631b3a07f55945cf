"""Numbers that names pack, `X0302` for product 3 in period 2: where all groups are cut."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from ordojo.structures.abstraction.tables import Members
from ordojo.structures.flat import Flat, Ints, NameBuffer
from ordojo.structures.grouping import Partition
from ordojo.structures.indices import Cut, Packed, packed, recut, split_names

Cuts = Mapping[int, tuple[Cut, ...]]
"""By the number of a group or family, how the indices in its names are split and joined."""


def packed_cuts(flat: Flat, chosen: Partition) -> tuple[Cuts, Cuts]:
    """The cuts of all groups and families that save bits, those of one kind together."""
    sides = (_read(flat.cols, chosen.groups), _read(flat.rows, chosen.families))
    known: dict[tuple[int, int], float] = defaultdict(float)
    for parts in (part for side in sides for part in side.values()):
        for one in packed(*parts):
            known[one.width, one.cut[1]] += one.bits
    groups, families = (
        {k: cuts for k, parts in side.items() if (cuts := _cuts(packed(*parts, known)))}
        for side in sides
    )
    return groups, families


def _cuts(found: list[Packed]) -> tuple[Cut, ...]:
    return tuple(one.cut for one in found)


def offered(names: NameBuffer, items: Ints, cuts: Sequence[Cut] = ()) -> Packed | None:
    """The cut of a class that saves most beside those made, whatever the others save; or none."""
    parts = _numbers(names, items)
    found = packed(*recut(*parts, cuts, {})) if parts else []
    return found[0] if found else None


def _read(names: NameBuffer, label: Ints) -> dict[int, tuple[list[str | int], list[Ints]]]:
    """The templates of the classes whose numbers may be packed."""
    parts = (_numbers(names, items) for items in Members.of(label).items)
    return {k: one for k, one in enumerate(parts) if one}


def _numbers(names: NameBuffer, items: Ints) -> tuple[list[str | int], list[Ints]] | None:
    """A class's template with numbers; none for those that only count the file's items."""
    parts = split_names(names.take(items)) if len(items) > 1 else None
    if not parts or not parts[1] or np.ptp(parts[1][0] - items) == 0:
        return None
    return parts
