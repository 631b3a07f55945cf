"""Names of a group as a template with whole-number fields, or as a list where they do not fit.

Numbers may be packed, `X0302` for product 3 in period 2: `packed_cuts` says where names are cut.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ordojo.core.errors import UsageError
from ordojo.structures.abstraction.tables import (
    Entry,
    Members,
    Tables,
    decode_vector,
    encode_vector,
)
from ordojo.structures.flat import Flat, Ints, NameBuffer
from ordojo.structures.grouping import Partition
from ordojo.structures.indices import (
    DIGITS,
    WORD,
    Cut,
    Packed,
    packed,
    recut,
    said_by,
    split_names,
    split_words,
)

COUNTS = "counts"
"""Marks a template whose number is no index."""


def joined(pieces: list[str | int], fields: list[Ints], count: int) -> NameBuffer:
    """The names that a template and its fields say."""
    parts: list[tuple[Ints, NDArray[np.uint8] | None, Ints | None]] = []
    place = 0
    for piece in pieces:
        if isinstance(piece, str):
            text = np.frombuffer(piece.encode(), np.uint8)
            parts.append((np.full(count, len(text)), text, None))
        else:
            field = fields[place]
            place += 1
            width = np.searchsorted(10 ** np.arange(1, DIGITS + 1), field, "right") + 1
            parts.append((np.maximum(width, piece), None, field))
    length = sum((part[0] for part in parts), np.zeros(count, np.int64))
    starts = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
    buffer = np.zeros(int(starts[-1]), np.uint8)
    at = starts[:-1].copy()
    for width, letters, values in parts:
        if letters is not None:
            for k, letter in enumerate(letters.tolist()):
                buffer[at + k] = letter
        elif values is not None:
            rest = values.copy()
            for k in range(int(width.max(initial=0))):
                inside = k < width
                buffer[(at + width - 1 - k)[inside]] = (rest % 10 + 48)[inside]
                rest //= 10
        at += width
    return NameBuffer(buffer, starts)


Parts = tuple[list[str | int], list[Ints]]
"""A template's pieces and its index fields."""


def read_names(units: Sequence[NameBuffer], symbols: dict[str, int]) -> list[Parts | None]:
    """The template and fields of each unit's names; None where they are not alike.

    `symbols` numbers the words used as indices, over all units; new ones are added. What one unit
    has for an index is one in all, whichever stands first, so the others are read twice.
    """
    found = [split_names(names) or split_words(names, symbols) for names in units]
    return [one or split_words(names, symbols) for one, names in zip(found, units, strict=True)]


def encode_names(
    names: NameBuffer,
    found: Parts | None,
    tables: Tables,
    symbols: dict[str, int],
    cuts: Sequence[Cut] = (),
) -> tuple[Entry, list[Ints]]:
    """The spec of a group's names, `found` in them, and its index fields (none: a list).

    `cuts` change the fields as `recut` says.
    """
    place = np.arange(len(names))
    if found is None:
        if cuts:
            raise UsageError("these names have no index to split or join")
        sizes = tables.put(names.lengths)
        return {"kind": "list", "text": tables.put(names.buffer), "sizes": sizes}, []
    pieces, fields = recut(*found, cuts, symbols) if cuts else found
    done: list[Ints] = [place]
    specs = []
    for field in fields:
        specs.append(_cycle(field) or encode_vector(field, done, tables))
        done.append(field)
    return {"kind": "template", "pieces": pieces, "fields": specs}, fields


def decode_names(
    spec: Entry, count: int, tables: Tables, symbols: list[str]
) -> tuple[NameBuffer, list[Ints]]:
    """The names and index fields that a spec says."""
    if spec["kind"] == "list":
        starts = np.concatenate([[0], np.cumsum(tables.get(spec["sizes"]))]).astype(np.int64)
        return NameBuffer(tables.get(spec["text"]), starts), []
    done: list[Ints] = [np.arange(count)]
    for part in spec["fields"]:
        if part["kind"] == "cycle":
            turn = (np.arange(count) // part["each"]) % part["values"]
            field = turn * part["step"] + part["start"]
        else:
            field = decode_vector(part, done, count, tables)
        done.append(field.astype(np.int64))
    fields = [] if spec.get(COUNTS) else done[1:]
    if WORD in spec["pieces"]:
        said = said_by(spec["pieces"], done[1:], symbols, count)
        return NameBuffer.of([one.encode() for one in said]), fields
    return joined(spec["pieces"], done[1:], count), fields


def _cycle(field: Ints) -> Entry | None:
    """A field as a cycle of repeated values, if it is one."""
    change = np.flatnonzero(field != field[0])
    if not len(change):
        return None
    each = int(change[0])
    step = int(field[each] - field[0])
    low, high = int(field.min()), int(field.max())
    values = (high - low) // abs(step) + 1
    spec = {"kind": "cycle", "each": each, "values": values, "step": step, "start": int(field[0])}
    turn = (np.arange(len(field)) // each) % values * step + field[0]
    return spec if np.array_equal(turn, field) else None


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
        {k: tuple(one.cut for one in found) for k, parts in side.items()
         if (found := packed(*parts, known))}
        for side in sides
    )  # fmt: skip
    return groups, families


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
