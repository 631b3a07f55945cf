"""An abstraction on disk: structure.json and its tables; and the flat model back from there.

`write` and `read` keep an abstraction, `model` makes of one the flat model again (`regenerate` from
a folder), and `check` compares every bit with the file or its digest and gives a `Report`.
"""

import io
import json
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.core.files import parse_json, read_text
from ordojo.core.outputs import whole_folder
from ordojo.core.words import amount
from ordojo.structures.abstraction import terms
from ordojo.structures.abstraction.abstract import VERSION, Abstraction
from ordojo.structures.abstraction.naming import decode_names
from ordojo.structures.abstraction.relations import Sides
from ordojo.structures.abstraction.tables import Array, Entry, Members, Tables, decode_vector
from ordojo.structures.arrays import begins, ordered
from ordojo.structures.flat import Flat, Ints, NameBuffer, differences, digest, read_mps

STRUCTURE = "structure.json"
READ = (2, 3, VERSION)
"""Versions of structure.json that are read."""
OWN = (STRUCTURE, "tables/t*.npy", "model.md", "spy.svg", "labels.json")
"""What a folder of `ordojo structure` holds."""


def write(
    found: Abstraction, folder: Path | str, texts: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Write structure.json and tables/*.npy, and `texts` by name beside them, all or nothing.

    A former structure is replaced. Raises UsageError where the folder holds anything else,
    DataError where it cannot be written.
    """
    with whole_folder(folder, own=(*OWN, *texts)) as place:
        for name, data in files(found):
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_bytes(data)
        for name, text in texts.items():
            (place / name).write_bytes(text.encode())


def files(found: Abstraction) -> Iterator[tuple[str, bytes]]:
    """The files of an abstraction, by their paths in its folder."""
    for name, array in found.tables.arrays.items():
        data = io.BytesIO()
        np.save(data, array, allow_pickle=False)
        yield f"tables/{name}.npy", data.getvalue()
    yield STRUCTURE, (json.dumps(found.structure, indent=1) + "\n").encode()


def read(folder: Path | str) -> Abstraction:
    """Read what `write` wrote; raises DataError where something is missing or damaged."""
    folder = Path(folder)
    try:
        structure = parse_json(read_text(folder / STRUCTURE))
        arrays = {
            path.stem: np.load(path, allow_pickle=False)
            for path in sorted((folder / "tables").glob("t*.npy"))
        }
    except (OSError, ValueError, EOFError, SyntaxError, tokenize.TokenError) as error:
        # numpy parses the head of an array as Python.
        raise _damaged(folder, error) from None
    if not isinstance(structure, dict) or structure.get("version") not in READ:
        raise DataError(
            f"{folder}: structure.json has no version of {READ[0]} to {READ[-1]}; write it again"
        )
    return Abstraction(structure, Tables(arrays))


def regenerate(folder: Path | str) -> Flat:
    """The flat model that a folder says, every bit of it; raises DataError for a damaged one."""
    return both(folder)[0]


def both(folder: Path | str) -> tuple[Flat, Abstraction]:
    """What `regenerate` and `read` give, of one reading; raises DataError as they do."""
    try:
        found = read(folder)
        _ = found.shares  # what the model does not need, and a report shows
        return model(found), found
    except (KeyError, ValueError, IndexError, TypeError, OverflowError, MemoryError) as error:
        raise _damaged(Path(folder), error) from None


def _damaged(folder: Path, error: Exception) -> DataError:
    return DataError(
        f"{folder}: not a whole abstraction ({type(error).__name__}: {error}); write it again"
    )


def model(found: Abstraction) -> Flat:
    """The flat model that an abstraction says."""
    structure, tables = found.structure, found.tables
    cols, rows = found.members("groups"), found.members("families")
    right, col_names, col_parts = _items(structure["groups"], cols, tables, structure["symbols"])
    left, row_names, row_parts = _items(structure["families"], rows, tables, structure["symbols"])
    row, col, value = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    for spec in structure["terms"]:
        f, g = spec["family"], spec["group"]
        sides = Sides(left[f], right[g], (len(rows.items[f]), len(cols.items[g])))
        i, j, v = terms.decode(spec, sides, tables)
        row.append(rows.items[f][i])
        col.append(cols.items[g][j])
        value.append(v)
    index, columns = np.concatenate(row), np.concatenate(col)
    by_row = ordered(index)
    place = by_row[ordered(columns[by_row])]
    empty = np.zeros(0)
    return Flat(
        name=structure["name"].encode("latin-1"),
        maximize=structure["sense"] == "maximize",
        objective_name=structure["objective"].encode("latin-1"),
        objective=col_parts.get("cost", empty),
        offset=float.fromhex(structure["offset"]),
        cols=col_names,
        lower=col_parts.get("lower", empty),
        upper=col_parts.get("upper", empty),
        types=col_parts.get("type", empty.astype(np.uint8)),
        rows=row_names,
        senses=row_parts.get("sense", empty.astype(np.uint8)),
        rhs=row_parts.get("rhs", empty),
        ranges=row_parts.get("range", empty),
        starts=begins(columns, len(cols.label)),
        index=index[place].astype(np.int32),
        value=np.concatenate(value)[place],
        sections=tuple(text.encode("latin-1") for text in structure["sections"]),
    )


def _items(
    specs: list[Entry], members: Members, tables: Tables, symbols: list[str]
) -> tuple[list[list[Ints]], NameBuffer, dict[str, Array]]:
    """The index fields of each group, all names, and all attributes, in the file's order."""
    fields, names = [], []
    parts: dict[str, Array] = {}
    for spec, items in zip(specs, members.items, strict=True):
        name, found = decode_names(spec["names"], len(items), tables, symbols)
        place = [np.arange(len(items)), *found]
        for key in spec:
            if key in ("size", "names"):
                continue
            vector = decode_vector(spec[key], place, len(items), tables)
            parts.setdefault(key, np.zeros(len(members.label), vector.dtype))[items] = vector
        fields.append(found)
        names.append(name)
    lengths = np.concatenate([np.zeros(0, np.int64), *[name.lengths for name in names]])
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    buffer = np.concatenate([np.zeros(0, np.uint8), *[name.buffer for name in names]])
    order = np.concatenate([np.zeros(0, np.int64), *members.items])
    back = np.empty(len(order), np.int64)
    back[order] = np.arange(len(order))
    return fields, NameBuffer(buffer, starts).take(back), parts


@dataclass(frozen=True)
class Report:
    """What a check found.

    `exact` is whether every bit agrees and `differing` names the parts that do not. The shares are
    of the nonzeros: `closed` by joins of indices, `tabled` by tables shorter than the pairs,
    `residual` by listing them. `compression` is the file's bytes, unpacked as a plain MPS file of
    the same names and numbers would have, per byte of the folder.
    """

    exact: bool
    differing: tuple[str, ...]
    columns: int
    rows: int
    nonzeros: int
    groups: int
    families: int
    terms: int
    closed: float
    tabled: float
    residual: float
    numbers: int
    folder_bytes: int
    compression: float

    def to_json(self) -> dict[str, Any]:
        """The report as plain JSON."""
        return asdict(self)

    def text(self) -> str:
        """The report for a person."""
        verdict = "exact" if self.exact else f"NOT exact: {', '.join(self.differing)} differ"
        return (
            f"{verdict}\n{amount(self.columns, 'column')} in {amount(self.groups, 'group')}, "
            f"{amount(self.rows, 'row')} in {amount(self.families, 'family')}, "
            f"{amount(self.nonzeros, 'nonzero')} in {amount(self.terms, 'term')}\n"
            f"closed {self.closed:.1%}, tables {self.tabled:.1%}, residual {self.residual:.1%}; "
            f"{amount(self.numbers, 'number')}, compression {self.compression:.1f}"
        )


def check(folder: Path | str, mps: Path | str | Flat | None = None) -> Report:
    """Regenerate from disk and compare with the file, or with the digest kept when it was written.

    Raises DataError where the file or the folder cannot be read.
    """
    folder = Path(folder)
    back, found = both(folder)
    if mps is None:
        same = digest(back) == found.structure.get("digest")
        flat = back
        differing: tuple[str, ...] = () if same else ("digest",)
    else:
        flat = mps if isinstance(mps, Flat) else read_mps(mps)
        differing = tuple(differences(flat, back))
    shares = found.shares
    size = sum(p.stat().st_size for p in (folder / "tables").glob("t*.npy"))
    size += (folder / STRUCTURE).stat().st_size
    return Report(
        exact=not differing,
        differing=differing,
        columns=flat.n,
        rows=flat.m,
        nonzeros=flat.nonzeros,
        groups=len(found.groups),
        families=len(found.families),
        terms=len(found.terms),
        closed=shares["join"],
        tabled=shares["pairs"] + shares["interval"] + shares["key"],
        residual=shares["list"],
        numbers=found.tables.numbers(),
        folder_bytes=size,
        compression=mps_bytes(flat) / size,
    )


def mps_bytes(flat: Flat) -> int:
    """About the bytes of the model as an MPS file with single blanks and four bytes a number."""
    cols, rows = flat.cols.lengths, flat.rows.lengths
    entries = int(cols[flat.entry_cols].sum() + rows[flat.index].sum()) + 8 * flat.nonzeros
    costs = int((cols[flat.objective != 0] + 12).sum())
    sides = int((rows[flat.rhs != 0] + 12).sum())
    return entries + costs + sides + int((rows + 4).sum()) + int((cols + 16).sum())
