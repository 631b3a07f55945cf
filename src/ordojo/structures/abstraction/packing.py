"""Numbers that names pack, `X0302` for product 3 in period 2: where all groups are cut."""

from collections import defaultdict
from collections.abc import Mapping

from ordojo.structures.abstraction.tables import Members
from ordojo.structures.flat import Flat, Ints, NameBuffer
from ordojo.structures.grouping import Partition
from ordojo.structures.indices import Cut, Packed, packed, split_names

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


def _read(names: NameBuffer, label: Ints) -> dict[int, tuple[list[str | int], list[Ints]]]:
    """The templates of the classes whose numbers may be packed; those that only count are not."""
    found = {}
    for k, items in enumerate(Members.of(label).items):
        parts = split_names(names.take(items)) if len(items) > 1 else None
        if parts and parts[1] and (parts[1][0] - items != parts[1][0][0] - items[0]).any():
            found[k] = parts
    return found
