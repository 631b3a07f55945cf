"""Whether a folder gives back its file bit for bit, and how well it says so."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ordojo.structure.abstraction.folder import read, regenerate
from ordojo.structure.flat import Flat, differences, digest
from ordojo.structure.reader import read_mps


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
            f"{verdict}\n{self.columns} columns in {self.groups} groups, {self.rows} rows in "
            f"{self.families} families, {self.nonzeros} nonzeros in {self.terms} terms\n"
            f"closed {self.closed:.1%}, tables {self.tabled:.1%}, residual {self.residual:.1%}; "
            f"{self.numbers} numbers, compression {self.compression:.1f}"
        )


def check(folder: Path | str, mps: Path | str | Flat | None = None) -> Report:
    """Regenerate from disk and compare with the file, or with the digest kept when it was written.

    Raises DataError where the file or the folder cannot be read.
    """
    folder = Path(folder)
    back, found = regenerate(folder), read(folder)
    if mps is None:
        same = digest(back) == found.structure.get("digest")
        flat = back
        differing: tuple[str, ...] = () if same else ("digest",)
    else:
        flat = mps if isinstance(mps, Flat) else read_mps(mps)
        differing = tuple(differences(flat, back))
    shares = found.shares
    size = sum(p.stat().st_size for p in (folder / "tables").glob("t*.npy"))
    size += (folder / "structure.json").stat().st_size
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
