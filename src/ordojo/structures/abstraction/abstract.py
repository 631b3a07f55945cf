"""The abstraction of a flat model: groups, families and terms over tables."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.structures.abstraction import terms
from ordojo.structures.abstraction.naming import (
    COUNTS,
    Cuts,
    decode_names,
    encode_names,
    packed_cuts,
    read_names,
)
from ordojo.structures.abstraction.relations import Sides
from ordojo.structures.abstraction.tables import (
    Array,
    Entry,
    Members,
    Tables,
    decode_order,
    encode_order,
    encode_vector,
    entries,
)
from ordojo.structures.flat import Flat, Ints, digest
from ordojo.structures.grouping import Partition, partition
from ordojo.structures.grouping.features import written

FEWEST = 3
"""Rows of a family whose numbers are looked at."""


def _counting(
    flat: Flat,
    cols: Members,
    rows: Members,
    right: list[list[Ints]],
    family: int,
    fields: list[Ints],
) -> bool:
    """Whether a family is numbered in its order, though each row stands for a column of a group.

    `setup_1` to `setup_90`, each with one `x[t, i]`, are over (t, i). Where the number is an index
    of the columns up to a shift, as in `capacity_1` to `capacity_15` with all `x[t, i]` of one t,
    it stays.
    """
    if len(fields) != 1 or len(fields[0]) < FEWEST or (np.diff(fields[0]) != 1).any():
        return False
    starts, col, _ = flat.by_rows
    items = rows.items[family]
    many = np.diff(starts)[items]
    row = np.repeat(np.arange(len(items)), many)
    shift = np.repeat(starts[items] - np.cumsum(many) + many, many)
    met = col[np.arange(len(row)) + shift]
    single = False
    for group in np.unique(cols.label[met]).tolist():
        mine = cols.label[met] == group
        place, number = cols.local[met[mine]], fields[0][row[mine]]
        if any(len(set((f[place] - number).tolist())) == 1 for f in right[group]):
            return False
        alone = bool((np.bincount(row[mine], minlength=len(items)) == 1).all())
        single |= alone and len(right[group]) > 0 and len(set(place.tolist())) == len(items)
    return single


VERSION = 4


@dataclass(frozen=True)
class Abstraction:
    """`structure` is what structure.json says; the tables that it names are apart."""

    structure: Entry
    tables: Tables

    @property
    def groups(self) -> list[Entry]:
        """The variable groups."""
        return list(self.structure["groups"])

    @property
    def families(self) -> list[Entry]:
        """The constraint families."""
        return list(self.structure["families"])

    @property
    def terms(self) -> list[Entry]:
        """The terms of all families."""
        return list(self.structure["terms"])

    def members(self, side: str) -> Members:
        """The columns of each of the "groups", or the rows of each of the "families"."""
        order = {"groups": "columns", "families": "rows"}[side]
        return Members.of(decode_order(self.structure[order], self.tables))

    def fields(self, side: str) -> list[list[Ints]]:
        """The index fields of each of the "groups", or of the "families"."""
        symbols = self.structure["symbols"]
        return [
            decode_names(one["names"], one["size"], self.tables, symbols)[1]
            for one in self.structure[side]
        ]

    @property
    def shares(self) -> dict[str, float]:
        """The share of the nonzeros that each kind of relation says; `list` is the residual."""
        total: dict[str, float] = dict.fromkeys(("join", "pairs", "interval", "key", "list"), 0.0)
        for term in self.terms:
            total[term["relation"]["kind"]] += term["nonzeros"]
        whole = sum(total.values())
        return {kind: count / whole if whole else float("nan") for kind, count in total.items()}


def abstract(
    flat: Flat, chosen: Partition | None = None, cuts: tuple[Cuts, Cuts] | None = None
) -> Abstraction:
    """Find groups, families and terms; `regenerate` on what is written gives every bit back.

    `chosen` is a partition to use instead of the one found (an expert's, or the modeller's own),
    `cuts` change the indices of its groups and families, by default where numbers are packed;
    raises UsageError where those cannot be.
    """
    found = chosen or partition(flat)
    cuts = packed_cuts(flat, found) if cuts is None else cuts
    tables, symbols = Tables(), dict[str, int]()
    cols, rows = Members.of(found.groups), Members.of(found.families)
    names = [
        side.take(items)
        for side, members in ((flat.cols, cols), (flat.rows, rows))
        for items in members.items
    ]
    # Names that a writer made say nothing but place and count of entries.
    made = written(flat.cols, np.diff(flat.starts))
    told = zip(names, read_names(names, symbols), strict=True)
    fields, specs = ({"groups": list[Any](), "families": list[Any]()} for _ in range(2))
    attributes: dict[str, dict[str, Array]] = {
        "groups": {
            "lower": flat.lower, "upper": flat.upper, "type": flat.types, "cost": flat.objective
        },
        "families": {"sense": flat.senses, "rhs": flat.rhs, "range": flat.ranges},
    }  # fmt: skip
    for side, members, cut in (("groups", cols, cuts[0]), ("families", rows, cuts[1])):
        for k, items in enumerate(members.items):
            naming, mine = encode_names(*next(told), tables, symbols, cut.get(k, ()))
            if side == "groups":
                counts = bool(made[items].all())
            else:
                counts = _counting(flat, cols, rows, fields["groups"], k, mine)
            if counts:
                naming[COUNTS], mine = True, []
            index = [np.arange(len(items)), *mine]
            spec: Entry = {"size": len(items), "names": naming}
            for key, vector in attributes[side].items():
                spec[key] = encode_vector(vector[items], index, tables)
            fields[side].append(mine)
            specs[side].append(spec)
    orders = [encode_order(labels, tables) for labels in (found.groups, found.families)]
    starts, col, place = flat.by_rows
    row, value = np.repeat(np.arange(flat.m), np.diff(starts)), flat.value[place]
    said = list[Entry]()
    for family, group, i, j, v in entries(rows, cols, row, col, value):
        sizes = len(rows.items[family]), len(cols.items[group])
        sides = Sides(fields["families"][family], fields["groups"][group], sizes)
        block = terms.Block(i, j, v, sides)
        said += [{"family": family, "group": group, **one} for one in terms.encode(block, tables)]
    structure: Entry = {
        "version": VERSION,
        "digest": digest(flat),
        "name": flat.name.decode("latin-1"),
        "sense": "maximize" if flat.maximize else "minimize",
        "objective": flat.objective_name.decode("latin-1"),
        "offset": float(flat.offset).hex(),
        "sections": [text.decode("latin-1") for text in flat.sections],
        "symbols": list(symbols),
        "columns": orders[0],
        "rows": orders[1],
        **specs,
        "terms": said,
    }
    return Abstraction(structure, tables)
