"""Every public file at hand as HiGHS reads it, number by number, but where HiGHS is known wrong."""

import lzma
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ordojo.core.errors import DataError
from ordojo.milp.files import read_problem
from tests.milp.by_highs import differences, read_by_highs

pytestmark = pytest.mark.data

OTHERWISE = {
    "1451.lp": "a constant on the left of a row, which HiGHS leaves out",
    "silly-names.mps": "columns named like sections",
    "semi-continuous.mps": "an integer column with a bound SC",
}
"""Files that HiGHS reads otherwise, and what it is about."""
REFUSED = {"nan0.mps", "nan1.mps", "warnings.mps", "1448.lp", "garbage.lp"}
"""Files that are no whole models, of which HiGHS reads something."""


def files() -> Iterator[Path]:
    """The files of `mps` and `bench4opt`, and of `mnl-mps` those that are small."""
    root = Path(os.environ.get("ORDOJO_DATA", "nowhere"))
    yield from sorted(root.glob("mps/**/*.mps*"))
    yield from sorted(root.glob("mps/**/*.lp*"))
    yield from sorted(path for path in root.glob("mnl-mps/*.xz") if path.stat().st_size < 200_000)
    yield from sorted(root.glob("bench4opt/**/*.lp"))


def plain(path: Path, folder: Path) -> Path:
    """The file as HiGHS can open it."""
    if path.suffix != ".xz":
        return path
    copy = folder / path.stem
    copy.write_bytes(lzma.decompress(path.read_bytes()))
    return copy


def test_all_files_as_highs_reads_them(tmp_path: Path) -> None:
    same, found, refused = 0, dict[str, list[str]](), list[str]()
    for path in files():
        theirs = read_by_highs(plain(path, tmp_path))
        try:
            problem = read_problem(path)
        except DataError:
            if theirs is not None:
                refused.append(path.name)
            continue
        if theirs is None or problem.general or problem.indicators or problem.quadratic_rows:
            continue
        other = differences(problem.model, theirs)
        same += not other
        if other:
            found[path.name] = other
    if not same and not found:
        pytest.skip("no ORDOJO_DATA")
    assert found.keys() == OTHERWISE.keys()
    assert set(refused) == REFUSED
    assert same == 281
