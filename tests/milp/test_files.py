"""Files: what is kept, what is refused in a sentence, and the published collection."""

import csv
import dataclasses
import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ordojo.core.errors import DataError
from ordojo.milp.files import read_model, write_model
from ordojo.milp.model import INF, Model, VarType
from tests.milp.builder import ModelBuilder
from tests.milp.toys import bakery, model_text, some_model

PLAIN = ("bread", "x_2", "y", "RC.3#1")


def sampler() -> Model:
    """Each type of column, each kind of bound, a row without terms."""
    b = ModelBuilder("sampler", maximize=True, offset=-2.5)
    b.col("w", 1 / 3, 1.0, 5.0, VarType.SEMICONTINUOUS)
    b.col("s", 1.0, 2.0, 5.0, VarType.SEMIINTEGER)
    b.col("i", 1.0, kind=VarType.INTEGER)
    b.col("big", 0.0, 3.0, 9.0, VarType.INTEGER)
    b.col("yes", 1e-7, 0.0, 1.0, VarType.BINARY)
    b.col("any", lower=-INF)
    b.col("low", lower=-INF, upper=-3.0)
    b.col("crossed", lower=5.0, upper=3.0)
    b.row("cap", {"w": 0.1234567890123456, "i": 2.0, "yes": -1.0}, "<=", 1 / 3)
    b.row("none", {}, ">=", 1.0)
    b.row("tie", {"any": 1.0, "s": 1.0}, "==", 1.0)
    return b.build()


@pytest.mark.parametrize("suffix", [".mps", ".lp", ".mps.gz", ".lp.gz", ".mps.bz2", ".lp.xz"])
@pytest.mark.parametrize("model", [sampler(), *(some_model(i, PLAIN) for i in range(5))])
def test_a_model_comes_back_as_it_was(model: Model, suffix: str, tmp_path: Path) -> None:
    # LP files have no ranges.
    model = model.with_row_bounds(0, -INF, model.row_upper[0])
    path = tmp_path / f"model{suffix}"
    write_model(model, path)
    assert text(read_model(path)) == text(model)
    first = path.read_bytes()
    write_model(model, path)
    assert path.read_bytes() == first
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def text(model: Model) -> str:
    lower, upper = model.effective_bounds
    whole = (model.types == VarType.BINARY) & (lower == upper)
    types = np.where(whole, VarType.INTEGER, model.types).astype(np.uint8)
    rows = [np.argsort(model.row(i)[0]) + model.starts[i] for i in range(model.m)]
    order = np.concatenate(rows)
    changed = dataclasses.replace(
        model, col_lower=lower, col_upper=upper, types=types, index=model.index[order]
    )
    return model_text(dataclasses.replace(changed, value=model.value[order]))


def test_ranges_are_kept_and_dropped_rows_left_out(tmp_path: Path) -> None:
    model = bakery().renamed(cols={"odd name": "odd_name"})
    write_model(model, tmp_path / "bakery.mps")
    back = read_model(tmp_path / "bakery.mps")
    assert back.row_names == ("oven", "shelf[1]", "tie")
    assert (back.row_lower[1], back.row_upper[1]) == (-3.0, 12.0)
    write_model(model, tmp_path / "bakery.lp")
    again = read_model(tmp_path / "bakery.lp")
    assert (again.row_lower[1], again.row_upper[1]) == (-3.0, 12.0)


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("a b", ".mps"),
        ("", ".mps"),
        ("RHS", ".mps"),
        ("2x", ".lp"),
        ("free", ".lp"),
    ],
)
def test_a_name_that_would_not_come_back_is_refused(name: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"model{suffix}"
    path.write_text("mine")
    with pytest.raises(DataError):
        write_model(some_model(1, (name, "y")).with_row_bounds(0, 1.0, INF), path)
    assert path.read_text() == "mine"


MPS = """NAME toy
ROWS
 N cost
 L cap
 G need
COLUMNS
 x cost 1 cap 2
 x need 1
 y cost 1 cap 3
RHS
 RHS cap 8 need 1
BOUNDS
 UP BND x 4
ENDATA
"""
FIXED = """\
NAME
ROWS
 N  MY COST
 L  LIM 1
 G  NEED
COLUMNS
    X ONE     MY COST             1.   LIM 1               2.
    X ONE     NEED                1.
    Y         MY COST             1.   LIM 1               3.
RHS
    RHS       LIM 1               8.   NEED                1.
BOUNDS
 UP BND       X ONE               4.
ENDATA
"""
LP = """Minimize
 obj: x + y
Subject To
 cap: 2 x + 3 y <= 8
 x + y >= 1
End
"""


def test_the_toys_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.mps").write_text(MPS)
    (tmp_path / "a.lp").write_text(LP)
    assert read_model(tmp_path / "a.mps").row_names == ("cap", "need")
    assert read_model(str(tmp_path / "a.lp")).row_names == ("cap", "R2")


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_what_is_not_there_is_not_told_to_be_renamed(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="gone; check the name"):
        read_model(tmp_path / "gone")
    with pytest.raises(DataError, match="is a directory; name an MPS or LP file in it"):
        read_model(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [
        ("a.mps", "", "is empty"),
        ("a.lp", "", "is empty"),
        ("a.txt", MPS, "ends in neither"),
        ("a.mps", MPS[:90], "truncated"),
        ("a.lp", LP[:-4], "truncated"),
        ("a.mps", "hello there\n", "'hello' stands before any section"),
        ("a.lp", "hello there\nEnd\n", "line 1, column 1: 'hello' stands before"),
        ("a.lp", "End\n", "'End' stands before the objective"),
        ("a.mps", "\0\1\2", "not text"),
        *(
            ("a.mps", changed(MPS, old, new), part)
            for old, new, part in (
                ("cap 2", "cap nan", "line 7, column 15: 'nan'"),
                ("RHS cap 8", "RHS cap NaN", "line 11, column 10: 'NaN'"),
                ("BND x 4", "BND x nan", "line 13, column 11: 'nan'"),
                ("cap 2", "cap two", "line 7, column 15: 'two'"),
                ("cap 2", "cap", "4 words"),
                ("G need", "G cap", "line 5, column 4: the row 'cap'"),
                ("RHS\n", " x need 3\nRHS\n", "line 10, column 2: the column 'x'"),
                (" x need 1\n", " x cap 3\n", "line 8, column 4: column 'x' has"),
                ("ROWS", "OBJSENSEMAX\nROWS", "line 2, column 1: the section OBJSE"),
                ("ROWS", "OBJSENSEX\n MAX\nROWS", "line 2, column 1: the section OB"),
                ("ROWS", "OBJSENSE\nROWS", "the section OBJSENSE before this is e"),
                ("ROWS", "OBJNAME\nROWS", "the section OBJNAME before this is e"),
                ("ROWS", "OBJSENSE\n MAX\n MIN\nROWS", "line 4, column 2: 'MIN' is"),
                ("ROWS", "OBJSENSE MAX MIN\nROWS", "line 2, column 14: 'MIN' is"),
                ("ROWS", "OBJSENSE MAX\n MIN\nROWS", "line 3, column 2: 'MIN' is"),
                ("ROWS", "OBJNAME\n  zz\nROWS", "line 3, column 3: no N row"),
                ("ROWS", "OBJNAME need\nROWS", "line 2, column 9: no N row"),
                ("COLUMNS", "OBJSENSE MAX\nCOLUMNS", "OBJSENSE must stand before"),
                ("ENDATA", "OBJSENSE\n MAX\nENDATA", "OBJSENSE must stand before"),
                ("ENDATA", "FOO\nENDATA", "line 14, column 1: the section FOO is"),
                ("BOUNDS", "LAZYCONS\n L z\nBOUNDS", "LAZYCONS must stand before"),
                ("RHS cap 8", "RHS cap -1e30", "line 11, column 10: '-1e30' is inf"),
                ("need 1\nB", "need inf\nB", "line 11, column 17: 'inf' is infinite"),
                ("RHS cap 8", "RHS cost inf", "line 11, column 11: 'inf' is infin"),
                ("UP BND x 4", "UP BND x -inf", "line 13, column 11: '-inf' is inf"),
                ("UP BND x 4", "FX BND x 1e30", "line 13, column 11: '1e30' is inf"),
                ("x 4", "x 4\n UP BOTH y 5", "line 14, column 5: 'BOTH' begins a s"),
                ("x 4", "x 4\n FR BOTH y", "line 14, column 5: 'BOTH' begins a se"),
                ("ENDATA", "QUADOBJ\n x x 1\nENDATA", "a quadratic objective"),
                ("ENDATA", "SOS\n S1 SOS s\nENDATA", "special ordered sets"),
                ("ENDATA", "INDICATORS\n IF cap x 1\nENDATA", "indicator"),
                ("BND x", "BND z", "line 13, column 9: the column 'z' is unknown"),
            )
        ),
        *(
            ("a.mps", changed(FIXED, old, new), part)
            for old, new, part in (
                ("Y         M", "Y       M  ", "line 9, column 13: no field"),
                ("8.", "8\t", "line 11, column 35: there is a tab"),
                ("    Y  ", "  Z Y  ", "line 9, column 3: nothing may stand in col"),
                ("COST             1.   LIM", "COST                  LIM", "line 7, "),
                ("2.", " 2.", "line 7, column 61: no field"),
                ("  4.", "four", "line 13, column 17: 'four' is no number"),
                ("RHS\n", "RHSIDE\n", "line 10, column 1: the section RHSIDE"),
                (
                    "ENDATA",
                    "QUADOBJ\n    X ONE   Y  1.\nENDATA",
                    "line 15, column 13: 'Y' stands where no field",
                ),
            )
        ),
        *(
            ("a.lp", changed(LP, old, new), part)
            for old, new, part in (
                ("2 x", "nan x", "line 4, column 11: 'x' stands where"),
                ("x + y", "x + [ x^2 ]/2", "a quadratic objective"),
                ("2 x", "[ x * y ]", "quadratic constraints"),
                ("End", "SOS\n s: S1:: x:1\n y:2 x:3\nEnd", "line 8, column 6: 'x:3'"),
                (" x + y >= 1", " b = 1 -> x + y >= 1", "indicator"),
                ("End", "SOS\n s: S1:: x:1 y:2\nEnd", "special ordered sets"),
            )
        ),
        *(
            ("a.mps", changed(MPS, "ENDATA", f"{section}ENDATA"), part)
            for section, part in (
                ("QSECTION zz\n x x 1\n", "line 14, column 10: 'zz' is no row"),
                ("QUADOBJ cap\n x x 1\n", "line 14, column 1: 'QUADOBJ' begins a line of 2 words"),
                ("QSECTION cap\n x x 1\nQCMATRIX cap\n", "line 16, column 10: 'cap' is a row that"),
                ("QMATRIX\n x x 1\n x y 2\n y y 1\n", "line 16, column 6: '2' has no equal"),
                ("QMATRIX\n x y 2\n y x 3\n", "line 15, column 6: '2' has no equal"),
                ("QCMATRIX cap\n y x 2\n", "line 15, column 6: '2' has no equal"),
                (
                    "INDICATORS\n IF cap y 0\n IF cap y 1\n",
                    "line 16, column 5: 'cap' is a row that",
                ),
                ("INDICATORS\n IF cost y 0\n", "line 15, column 5: 'cost' is no row with"),
                ("SOS\n S1 s\n x 1\n y 2\n x 3\n", "line 18, column 2: 'x' stands in its set"),
                ("SOS1\n x\n x\n", "line 16, column 2: 'x' stands in its set"),
            )
        ),
        *(
            ("a.mps", changed(MPS, " y cost", f" {marker}\n y cost"), part)
            for marker, part in (
                ("S3 s 'MARKER' 'SOSORG'", "line 9, column 2: 4 words"),
                ("s 'MARKER' 'SOSEND'", "line 9, column 13: the marker 'SOSEND' ends no set"),
                ("S1 s 'MARKER' 'SOSORG'", "no 'SOSEND' ends the set 's'"),
                ("s 'MARKER' 'SOSORG'\n s 'MARKER' 'SOSORG'", "line 10, column 13: the marker"),
                ("S1 s 'MARKER' 'SOSEND'", "line 9, column 16: the marker 'SOSEND' ends no set"),
            )
        ),
        *(
            ("a.lp", changed(LP, " x + y >= 1\n", f" c: {row}\n"), f"line 5, column {place}")
            for row, place in (
                ("4 >= x + y <= 5", "16: '<=' gives the row a second side"),
                ("2 = x + y <= 5", "15: '<=' gives the row a second side"),
                ("x + y <= 5 <= 6", "16: '<=' gives the row a second side"),
                ("1 <= x + y >= 0 <= 6", "16: '>=' gives the row a second side"),
                ("x + y >= 2 + 3", "16: '+' begins a row that has no relation"),
                ("x + y", "2: 'c:' begins a row that has no relation"),
                ("x + y\n d: x >= 1", "2: 'c:' begins a row that has no relation"),
                ("", "2: 'c:' begins a row that has no relation"),
                ("x + y >=", "11: the section ends behind '>=' where a number"),
                ("x + [ y ^2 ] >=", "18: the section ends behind '>=' where a number"),
                ("x +", "7: the section ends behind '+' where a number or a column"),
                ("x + y <= -1e30", "14: '-1e30' is infinite"),
                ("inf <= x + y", "5: 'inf' is infinite"),
                ("x + 1/2 y >= 1", "10: '/' stands where"),
                ("x + y >= 1 Bounds x <= 4", "23: 'x' stands where"),
            )
        ),
        *(
            ("a.lp", changed(LP, "End", f"Bounds\n {bound}\nEnd"), f"line 7, column {place}")
            for bound, place in (
                ("4 >= x <= 5", "9: '<=' makes no range"),
                ("2 = x <= 5", "8: '<=' makes no range"),
                ("-inf <= x = 5", "12: '=' makes no range"),
                ("x >= inf", "7: 'inf' is infinite"),
                ("x >= 1e30", "7: '1e30' is infinite"),
                ("1e30 <= x <= 1e31", "2: '1e30' is infinite"),
                ("x <= -1e30", "7: '-1e30' is infinite"),
                ("x <=", "4: the section ends behind '<=' where a number"),
                ("y <= + inf x <=", "15: the section ends behind '<=' where a number"),
            )
        ),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence(
    name: str, content: str, part: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=re.escape(part)) as error:
        read_model(tmp_path / name)
    assert "\n" not in str(error.value)
    assert "; " in str(error.value)
    assert capfd.readouterr() == ("", "")


def test_places_that_hold_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no file"):
        read_model(tmp_path / "a.mps")
    (tmp_path / "b.mps").mkdir()
    with pytest.raises(DataError, match="is a directory"):
        read_model(tmp_path / "b.mps")
    (tmp_path / "c.mps.gz").write_bytes(gzip.compress(MPS.encode())[:-20])
    with pytest.raises(DataError, match="is damaged"):
        read_model(tmp_path / "c.mps.gz")
    (tmp_path / "d.lp").write_bytes(LP.replace("cap", "\xe9").encode("latin-1"))
    with pytest.raises(DataError, match="UTF-8"):
        read_model(tmp_path / "d.lp")
    with pytest.raises(DataError, match="cannot write"):
        write_model(bakery().renamed(cols={"odd name": "o"}), tmp_path / "none" / "a.mps")


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.mps").write_text(MPS)
    assert read_model(tmp_path / "a.mps", max_nonzeros=3).nonzeros == 3
    with pytest.raises(DataError, match="more than 128 bytes"):
        read_model(tmp_path / "a.mps", max_nonzeros=2)
    (tmp_path / "b.lp").write_text(LP)
    with pytest.raises(DataError, match="has 4 nonzeros; allow more than 3"):
        read_model(tmp_path / "b.lp", max_nonzeros=3)


def test_a_first_call_loads_little(tmp_path: Path) -> None:
    (tmp_path / "a.mps").write_text(MPS)
    code = (
        "import numpy, sys; from ordojo.milp.files import read_problem; "
        f"read_problem({str(tmp_path / 'a.mps')!r}); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {*done.stdout.split()}
    assert "ordojo.milp.files.mps" in loaded
    assert not loaded & {"pathlib", "json", "gzip", "bz2", "lzma", "ordojo.milp.files.lp"}


@pytest.mark.data
@pytest.mark.parametrize("index", ["index.csv", "index-edge.csv"])
def test_the_collection_is_read_or_refused(index: str) -> None:
    root = os.environ.get("ORDOJO_DATA")
    if not root or not Path(root, "mps", index).exists():
        pytest.skip("no ORDOJO_DATA")
    read = refused = 0
    with Path(root, "mps", index).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            try:
                model = read_model(Path(root, "mps", row["file"]))
            except DataError as error:
                assert "\n" not in str(error)
                refused += 1
                continue
            read += 1
            if row["rows"] and "silly" not in row["file"]:  # columns named like sections
                counts = (model.m, model.n, model.nonzeros)
                assert counts == tuple(int(row[key]) for key in ("rows", "cols", "nonzeros"))
    assert (read, refused) == ({"index.csv": (138, 0)}.get(index) or (read, refused))
    assert read > 60
