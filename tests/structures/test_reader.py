"""The reader: every kind of line, bad input in a sentence with its line, HiGHS as the other eye."""

import bz2
import gzip
import lzma
import os
import random
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ordojo.core.errors import DataError
from ordojo.milp.files.mps import number
from ordojo.milp.files.sections import endless
from ordojo.structures import Flat, read_mps
from ordojo.structures.flat import FREE, INTEGER, SEMICONTINUOUS, NameBuffer, digest, model_of
from tests.milp.by_highs import differences, read_by_highs
from tests.structures.toys import EVERYTHING, LOTS, structured

INF = float("inf")


def given(tmp_path: Path, text: str | bytes, name: str = "toy.mps") -> Flat:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_mps(path)


def refused(tmp_path: Path, text: str | bytes, name: str = "bad.mps") -> str:
    with pytest.raises(DataError) as error:
        given(tmp_path, text, name)
    assert "\n" not in str(error.value)
    return str(error.value)


def same(flat: Flat, path: Path) -> None:
    """The model is what HiGHS reads, but for free rows and coefficients under 1e-9."""
    theirs = read_by_highs(path)
    assert theirs is not None
    mine = model_of(flat)
    live = np.flatnonzero(flat.senses != FREE)
    kept = np.isin(mine.entry_rows, live) & (mine.value != 0)
    counts = np.bincount(mine.entry_rows[kept], minlength=mine.m)[live]
    mine = replace(
        mine,
        row_names=tuple(mine.row_names[i] for i in live),
        row_lower=endless(mine.row_lower[live]),
        row_upper=endless(mine.row_upper[live]),
        col_lower=endless(mine.col_lower),
        col_upper=endless(mine.col_upper),
        starts=np.concatenate([[0], np.cumsum(counts)]),
        index=mine.index[kept],
        value=mine.value[kept],
    )
    assert differences(mine, theirs) == []


def test_every_kind_of_line(tmp_path: Path) -> None:
    flat = given(tmp_path, EVERYTHING)
    assert (flat.name, flat.maximize, flat.objective_name) == (b"all of it", True, b"second")
    assert flat.rows.to_list() == [b"first", b"l", b"g", b"e1", b"e2"]
    assert flat.offset == 2.5
    low, up = flat.row_bounds
    assert low.tolist() == [-INF, 1.5, 1.0, 0.0, -3.0]
    assert up.tolist() == [INF, 4.0, 5.0, 2.0, 0.0]
    assert flat.lower.tolist() == [-1, -INF, 3, -INF, -INF, 0, 2, 0]
    assert flat.upper.tolist() == [5, -2, 3, INF, INF, 1, 9, 8]
    assert flat.types.tolist() == [0, 0, 0, 0, 0, INTEGER, INTEGER, SEMICONTINUOUS]
    assert flat.value[flat.starts[2]] == 12345678901234567890.0
    assert flat.sections[0].startswith(b"SOS\n S1") and flat.sections[1] == b"QUADOBJ\n    a a 2\n"


def test_lots_as_highs_reads_it(tmp_path: Path) -> None:
    flat = given(tmp_path, LOTS)
    same(flat, tmp_path / "toy.mps")
    assert flat.offset == 7.0


@pytest.mark.parametrize("seed", range(10))
def test_random_models_as_highs_reads_them(tmp_path: Path, seed: int) -> None:
    same(given(tmp_path, structured(seed)), tmp_path / "toy.mps")


def test_packed_files_say_the_same(tmp_path: Path) -> None:
    plain = digest(given(tmp_path, LOTS))
    for name, pack in (
        ("a.mps.gz", gzip.compress),
        ("a.mps.xz", lzma.compress),
        ("a.mps.bz2", bz2.compress),
    ):
        assert digest(given(tmp_path, pack(LOTS.encode()), name)) == plain
    assert digest(given(tmp_path, LOTS.replace("\n", "\r\n"))) == plain
    assert digest(given(tmp_path, LOTS.replace("  ", "\t"))) == plain
    assert digest(given(tmp_path, LOTS.replace("\n", "\n* x\n\n"))) == plain
    assert digest(given(tmp_path, LOTS.rstrip("\n"))) == plain


def test_fixed_format_with_blanks_in_names(tmp_path: Path) -> None:
    text = """NAME          FIXED
ROWS
 N  COST
 L  ROW 1
 G  ROW 2
COLUMNS
    COL 1     COST               1.0   ROW 1              2.0
    COL 1     ROW 2              3.0
    COL 2     ROW 2             -4.5
RHS
    RHS 1     ROW 1              5.0   ROW 2              6.0
BOUNDS
 UP BND 1     COL 2              7.0
ENDATA
"""
    flat = given(tmp_path, text)
    assert flat.cols.to_list() == [b"COL 1", b"COL 2"]
    assert flat.value.tolist() == [2.0, 3.0, -4.5]
    assert (flat.rhs.tolist(), flat.upper.tolist()) == ([5.0, 6.0], [INF, 7.0])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("x[1]  cap[1]  1", "x[1]  cap[9]  1", "line 12, column 11: the row 'cap[9]'"),
        ("x[1]  cap[1]  1", "x[1]  cap[1]  1x", "line 12, column 19: '1x' is no number"),
        ("x[1]  cap[1]  1", "x[1]  cap[1]  nan", "line 12, column 19: 'nan' is no number"),
        ("x[1]  cap[1]  1", "x[1]  cap[1]  inf", "line 12, column 19: 'inf' is no finite number"),
        ("x[1]  cap[1]  1", "x[1]  cap[1]", "line 12, column 5: 2 words stand where"),
        ("x[1]  cap[1]  1", "x[1]  bal[1]  1", "line 12, column 11: column 'x[1]' has a second"),
        (
            "x[2]  cap[2]  1",
            "x[1]  cap[2]  1",
            "line 14, column 5: the column 'x[1]'",
        ),
        (
            " L  cap[2]",
            " L  cap[1]",
            "line 8, column 5: the row 'cap[1]'",
        ),
        (" L  cap[2]", " Q  cap[2]", "line 8, column 2: 'Q' is none of"),
        ("bal[3]  1e1", "bal[2]  1e1", "line 27, column 10: the row 'bal[2]' has a second"),
        (
            " UP BND  x[2]  50",
            " UP BND  x[7]  50",
            "line 30, column 10: the column 'x[7]'",
        ),
        (
            " UP BND  x[2]  50",
            " UQ BND  x[2]  50",
            "line 30, column 2: the kind of bound 'UQ'",
        ),
        ("'INTEND'", "'SOSEND'", "line 24, column 19: the marker"),
        ("RHS\n", "DELAYEDROWS\n", "line 25, column 1: the section DELAYEDROWS is not"),
        ("ENDATA\n", "", "it has no ENDATA"),
        ("ROWS\n", "", "line 2, column 2: 'N' stands in the section NAME"),
        ("NAME lots", "NAME lo\0ts", "is not text"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert LOTS.count(old) >= 1
    assert said in refused(tmp_path, LOTS.replace(old, new, 1))


def test_bombs_and_other_files_end_soon(tmp_path: Path) -> None:
    def said(text: str | bytes, name: str = "bad.mps") -> str:
        return refused(tmp_path, text, name)

    given(tmp_path, LOTS)
    begin = time.process_time()
    assert "is not text" in said(bz2.compress(bytes(10_000_000), 1), "b.mps.bz2")
    endless = b"NAME x\nROWS\n N obj\nCOLUMNS\n " + b"x" * 20_000_000
    assert "longer than" in said(endless)
    path = tmp_path / "lines.mps.xz"
    path.write_bytes(lzma.compress(b"NAME x\n" + b"\n" * 12_000_000, preset=0))
    with pytest.raises(DataError, match="unpacks to more than"):
        read_mps(path, largest=10_000_000)
    assert "is damaged" in said(gzip.compress(LOTS.encode())[:-20], "c.mps.gz")
    assert said(LOTS, "d.mps.gz") and said(LOTS, "d.mps.xz")
    assert said(b"", "empty.mps") and said(os.urandom(100_000))
    with pytest.raises(DataError, match="there is no file"):
        read_mps(tmp_path / "nowhere.mps")
    assert time.process_time() - begin < 20


def test_what_a_file_declares_costs_nothing(tmp_path: Path) -> None:
    """Neither a header that speaks of 10^8 rows nor 10^8 lines behind a bound take long."""
    big = 10**8
    text = LOTS.replace("NAME lots", f"NAME lots {big} rows {big} columns")
    begin = time.process_time()
    assert given(tmp_path, text).name.endswith(b"columns")
    path = tmp_path / "many.mps.gz"
    member = gzip.compress(b"\n" * (big // 100), 1)
    path.write_bytes(gzip.compress(b"NAME x\nROWS\n N obj\n") + member * 100)
    with pytest.raises(DataError, match="unpacks to more than"):
        read_mps(path, largest=1 << 20)
    assert time.process_time() - begin < 5


def test_cut_files_are_refused(tmp_path: Path) -> None:
    for size in range(0, len(LOTS) - len("ENDATA\n"), 29):
        assert refused(tmp_path, LOTS[:size], "cut.mps")


@pytest.mark.parametrize("text", [LOTS, EVERYTHING])
def test_fuzzed_files_are_read_or_refused(tmp_path: Path, text: str) -> None:
    draw = random.Random(7)
    words = text.split()
    for _ in range(400):
        data = bytearray(text.encode())
        for _ in range(draw.randint(1, 4)):
            at, kind = draw.randrange(len(data)), draw.randrange(5)
            if kind == 0:
                data[at] = draw.randrange(256)
            elif kind == 1:
                del data[at : at + draw.randrange(40)]
            elif kind == 2:
                data[at:at] = f" {draw.choice(words)} ".encode()
            elif kind == 3:
                data[at:at] = b"\n" + draw.choice(text.splitlines()).encode() + b"\n"
            else:
                data[at:at] = draw.choice([b"nan", b"-inf", b"1e999", b"\t", b"\r", b"*", b"\0"])
        try:
            flat = given(tmp_path, bytes(data) or b" ")
        except DataError as error:
            assert "\n" not in str(error)
        else:
            assert len(flat.value) == flat.starts[-1] and np.isfinite(flat.value).all()


@pytest.mark.parametrize("word", ["", "-", ".", "1e", "1_0", "0x1", "--1", "1.2.3", "1e1e1", "e5"])
def test_what_is_no_number(word: str) -> None:
    assert number(word.encode()) is None


def test_names_are_bytes(tmp_path: Path) -> None:
    text = LOTS.replace("x[1]", "ä").encode("latin-1")
    assert given(tmp_path, text).cols[0] == b"\xe4"
    names = NameBuffer.of([b"a", b"", b"ccc"])
    assert names.take(np.array([2, 0])).to_list() == [b"ccc", b"a"]


@pytest.mark.data
@pytest.mark.parametrize("name", ["afiro", "forplan", "25fv47", "p0033", "misc03", "vtpbase"])
def test_published_models_as_highs_reads_them(name: str) -> None:
    path = Path(os.environ["ORDOJO_DATA"]) / "mps" / f"{name}.mps.gz"
    if not path.exists():
        pytest.skip("not in this collection")
    same(read_mps(path), path)
