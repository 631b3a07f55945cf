"""Sections of the file that are kept as they stand: indicators are read, others are named."""

import numpy as np

from ordojo.structure.flat import Flat, Floats
from ordojo.structure.formulation.adopt import Part
from ordojo.structure.formulation.units import Unit

Gates = dict[int, list[tuple[Part, Floats]]]
"""For each family, the variables of each group that switch its rows, and their values."""


def indicators(flat: Flat, groups: list[Unit], families: list[Unit]) -> tuple[Gates, list[str]]:
    """For each family with indicator rows, their variables and values; the other headers.

    A section of indicators that names what is not there, or a row twice, stays a header.
    """
    gates: Gates = {}
    other: list[str] = []
    for text in flat.sections:
        head, *lines = text.decode("utf-8", "replace").splitlines()
        words = [line.split() for line in lines if line.split() and not line.startswith("*")]
        found = None
        if head.split()[0] == "INDICATORS" and not gates:
            found = _gates(flat, words, groups, families)
        if found is None:
            other.append(head.strip())
        else:
            gates = found
    return gates, other


def _gates(
    flat: Flat, words: list[list[str]], groups: list[Unit], families: list[Unit]
) -> Gates | None:
    rows = {name.decode("utf-8", "replace"): k for k, name in enumerate(flat.rows.to_list())}
    cols = {name.decode("utf-8", "replace"): k for k, name in enumerate(flat.cols.to_list())}
    family, place = _places(families, flat.m)
    group, local = _places(groups, flat.n)
    found: dict[int, list[tuple[int, int, int, float]]] = {}
    for line in words:
        if len(line) != 4 or line[0] != "IF" or line[1] not in rows or line[2] not in cols:
            return None
        row, col = rows[line[1]], cols[line[2]]
        entry = int(place[row]), int(local[col]), int(group[col]), float(line[3])
        found.setdefault(int(family[row]), []).append(entry)
    gates: Gates = {}
    for f, entries in found.items():
        entries.sort()
        if len({entry[0] for entry in entries}) < len(entries):
            return None
        for g in sorted({entry[2] for entry in entries}):
            mine = [entry for entry in entries if entry[2] == g]
            row_at, col_at = (np.array([entry[k] for entry in mine], np.int64) for k in (0, 1))
            values = np.array([entry[3] for entry in mine])
            gates.setdefault(f, []).append((Part(f, g, row_at, col_at, values), values))
    return gates


def _places(units: list[Unit], size: int) -> tuple[np.ndarray, np.ndarray]:
    label, local = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for k, unit in enumerate(units):
        label[unit.items], local[unit.items] = k, np.arange(unit.size)
    return label, local
