"""Files that were misread once, each with its right value; what readers differ in is said."""

import dataclasses
import gzip
import logging
import random
from pathlib import Path

import numpy as np
import pytest

import ordojo
from ordojo.core.errors import DataError
from ordojo.milp.files import read_problem, write_model
from ordojo.solvers.answers import Status

CASES = Path(__file__).parent / "cases"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("objsense_maximum.mps", 4.0),
        ("mps_negup.mps", -9.0),
        ("rowN_second_used.mps", 4.0),
        ("mps2220_objsense_maximize.mps", 8.0),
        ("maximise.lp", 26.0),
        ("lp1448_lhsconst.lp", 6.0),
        ("bin_free.lp", 0.0),
        ("tinycoef.lp", 1e10 + 3),
        ("kw_inflow.lp", 10.0),
        ("bounds_twice.lp", 12.0),
        ("twice.lp", 1.0),
    ],
)
def test_the_optimum_is_the_right_one(name: str, value: float) -> None:
    found = ordojo.solve(CASES / name)
    assert found.status == Status.OPTIMAL
    assert found.objective == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("lhsconst2.lp", {"need", "cap"}),
        ("pulp_sos.lp", {"a", "b"}),
        ("lp_repeat.lp", {"r", "s", "t"}),
        ("range_mid.lp", {"need", "q"}),
        ("lp_gurobi_lazy.lp", {"need", "lz"}),
        ("lp_gurobi_multiobj.lp", {"need", "lim", "lim2"}),
        ("lp_z.lp.bz2", {"r", "s"}),
        ("lp_z.lp.xz", {"r", "s"}),
        ("lp561_digitrow.lp", {"0_first", "1_second", "2x"}),
        ("lp2888_gurobi.lp", {"need[a]", "need[b]", "R2"}),
        ("lp_gurobi_genconstr.lp", {"c1", "c2"}),
    ],
)
def test_the_conflict_is_the_right_one(name: str, rows: set[str]) -> None:
    found = ordojo.explain(CASES / name, time_limit=20.0)
    assert found.status == Status.INFEASIBLE
    named = {row for iis in found.conflicts for row in iis.row_names(found.model)}
    assert rows <= named


def test_a_large_coefficient_is_read_as_it_stands() -> None:
    assert read_problem(CASES / "num_1e15.lp").model.value.tolist() == [1e15, 1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("rational.mps", "line 6, column 22: '9/10'"),
        ("lp2953_product.lp", "line 4, column 11: 'v'"),
        ("lp874_nosign.lp", "line 4, column 11: '3'"),
    ],
)
def test_what_is_no_model_is_refused_by_its_place(name: str, place: str) -> None:
    with pytest.raises(DataError, match=place):
        read_problem(CASES / name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mps_negup.mps", "it is free below"),
        ("lhsconst2.lp", "brought to the right"),
        ("bin_free.lp", "cut to 0 and 1"),
        ("lp_gurobi_lazy.lp", "rows like others"),
        ("twice.lp", "told apart by a number"),
    ],
)
def test_what_readers_differ_in_is_said(
    name: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert said in " ".join(read_problem(CASES / name).notes)
    with caplog.at_level(logging.WARNING, "ordojo"):
        ordojo.read_model(CASES / name)
    assert said in caplog.text


FREE = """\
NAME
OBJNAME
 MY_COST
ROWS
 N OTHER
 N MY_COST
 L LIM_1
 G NEED_IT
 L Q_ROW
COLUMNS
 M 'MARKER' 'INTORG'
 X_ONE MY_COST 1 LIM_1 2
 X_ONE NEED_IT 1 Q_ROW 1
 M 'MARKER' 'INTEND'
 Y MY_COST 2 LIM_1 3
 B_1 MY_COST 0
RHS
 RHS LIM_1 8 NEED_IT 1
 RHS Q_ROW 9
RANGES
 RNG LIM_1 4
BOUNDS
 UP BND X_ONE 4
 FR BND Y
 BV BND B_1
SOS
 S1 SET_1
 X_ONE 1
 Y 2
QUADOBJ
 X_ONE X_ONE 2
QCMATRIX Q_ROW
 X_ONE Y 1
 Y X_ONE 1
INDICATORS
 IF NEED_IT B_1 1
ENDATA
"""
FIXED = """\
NAME
OBJNAME
    MY COST
ROWS
 N  OTHER
 N  MY COST
 L  LIM 1
 G  NEED IT
 L  Q ROW
COLUMNS
    M         'MARKER'                 'INTORG'
    X ONE     MY COST             1.   LIM 1               2.             00010
    X ONE     NEED IT             1.   Q ROW               1.
    M         'MARKER'                 'INTEND'
    Y         MY COST             2.   LIM 1               3.
    B 1       MY COST             0.                                      00020
RHS
    RHS       LIM 1               8.   NEED IT             1.
    RHS       Q ROW               9.
RANGES
    RNG       LIM 1               4.
BOUNDS
 UP           X ONE               4.
 FR           Y
 BV BND       B 1
SOS
 S1 SOS       SET 1                5
    SOS       X ONE               1.
    SOS       Y                   2.
QUADOBJ
    X ONE     X ONE               2.
QCMATRIX   Q ROW
    X ONE     Y                   1.
    Y         X ONE               1.
INDICATORS
 IF NEED IT   B 1                  1
ENDATA
"""
SETS = FREE[FREE.index("SOS\n") : FREE.index("QUADOBJ")]
PRODUCTS = "QCMATRIX Q_ROW\n X_ONE Y 1\n Y X_ONE 1\n"


def between(text: str, first: str, last: str) -> str:
    """The text with its columns X_ONE and Y between two markers instead of in a section SOS."""
    assert SETS in text
    text = text.replace(SETS, "").replace(" M 'MARKER' 'INTORG'", f"{first}\n M 'MARKER' 'INTORG'")
    return text.replace(" B_1 MY", f" {last}\n B_1 MY", 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FREE, FIXED),
        (FREE, f"\ufeff{FREE}"),
        (FREE, between(FREE, " S1 SET_1 'MARKER' 'SOSORG'", "SET_1 'MARKER' 'SOSEND'")),
        (FREE, between(FREE, " SET_1 'MARKER' 'SOSORG'", "X 'MARKER' 'SOSEND'")),
        (
            FREE.replace(" S1", " S2"),
            between(FREE, " S2 SET_1 'MARKER' 'SOSORG'", "X 'MARKER' 'SOSEND'"),
        ),
        (FREE, FREE.replace(PRODUCTS, "QSECTION Q_ROW\n Y X_ONE 2\n")),
        (FREE, FREE.replace("QUADOBJ", "QSECTION")),
        (FREE, FREE.replace("QUADOBJ", "QSECTION MY_COST")),
        (FREE, FREE.replace("QUADOBJ", "QCMATRIX MY_COST")),
    ],
)
def test_two_ways_to_write_a_model_are_read_alike(one: str, other: str, tmp_path: Path) -> None:
    assert one != other
    assert told(one, tmp_path / "a.mps") == told(other, tmp_path / "a.mps")


SUM = "Minimize\n obj: x + y + a/1\nSubject To\n c: x + y >= 2\nBounds\n -3 <= x <= 4\nEnd\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Subject To\n c:", "Subject To c:"),
        ("Subject To\n c:", "st c:"),
        ("Subject To\n c:", "  S.T.  c:"),
        ("Subject To\n c:", "Subject \t  To\n c:"),
        ("Subject To\n c:", "such   that c:"),
        ("c: x + y", "c: y + x"),
        ("Bounds\n -3", "Bounds -3"),
        ("Bounds\n -3 <= x <= 4", "bound x >= -3\n x <= 4"),
        ("", "\ufeff"),
    ],
)
def test_a_section_may_begin_in_its_heads_line(old: str, new: str, tmp_path: Path) -> None:
    assert old in SUM
    assert told(SUM, tmp_path / "a.lp") == told(SUM.replace(old, new, 1), tmp_path / "a.lp")


def test_unnamed_rows_and_types_may_stand_behind_a_head(tmp_path: Path) -> None:
    apart = "Minimize\n x\nst\n -x + y >= 2\nBinary\n x\nGenerals\n y z\nSemi\n w\nEnd\n"
    behind = "Minimize\n x\nst -x + y >= 2\nBinary x\nGenerals y z\nSemi w\nEnd\n"
    assert told(apart, tmp_path / "a.lp") == told(behind, tmp_path / "a.lp")
    for far in ("Binary" + 90 * " ", "Binary" + 90 * " " + "\n"):
        behind = behind.replace("Binary ", far, 1)
        assert told(apart, tmp_path / "a.lp") == told(behind, tmp_path / "a.lp")


def test_words_of_heads_are_names_where_no_head_can_be(tmp_path: Path) -> None:
    text = "Minimize\n x + bound\nst\n c: x +\n bound - 3 x >= 2\n d: x +\n st - x <= 3\n"
    text += "Bounds\n bound <= 4\n st free\n gen >= 1\nEnd\n"
    (tmp_path / "a.lp").write_text(text)
    assert read_problem(tmp_path / "a.lp").model.col_names == ("x", "bound", "st", "gen")


def test_a_head_that_may_be_a_column_is_refused(tmp_path: Path) -> None:
    text = "Minimize\n x + int\nst\n c: x + int >= 2.5\nGenerals\n x\n int\nEnd\n"
    (tmp_path / "a.lp").write_text(text)
    with pytest.raises(DataError, match="line 7: 'int' may be the column or the head"):
        read_problem(tmp_path / "a.lp")
    for other in (text.replace("x\n int", "x int"), text.replace("int", "end")):
        (tmp_path / "a.lp").write_text(other.replace(" end\nE", "E"))
        assert read_problem(tmp_path / "a.lp").model.n == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.lp", "\\ caf\xe9\nMinimize\n x\nSubject To \\ \xe9\n c: x >= 2\n\\ \xe9\nEnd\n"),
        (
            "a.mps",
            "* \xe9\nNAME\nROWS\n N o\n G c\nCOLUMNS\n* \xe9\n x o 1 c 1\nRHS\n r c 2\nENDATA\n",
        ),
    ],
)
def test_a_comment_may_be_in_any_encoding(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode("latin-1"))
    assert read_problem(path).model.row_lower.tolist() == [2.0]
    for part in (" x", " c"):
        path.write_bytes(text.replace(part, f"{part}\xe9").encode("latin-1"))
        with pytest.raises(DataError, match=r"line \d, column \d: this is not UTF-8 text"):
            read_problem(path)


def test_a_cost_beside_points_of_the_objective_gives_way(tmp_path: Path) -> None:
    text = (
        "NAME\nROWS\n N o\n G c\nCOLUMNS\n x o 9 c 1\nRHS\n r c 1\nPWLOBJ\n x 0 0\n x 1 4\nENDATA\n"
    )
    (tmp_path / "a.mps").write_text(text)
    problem = read_problem(tmp_path / "a.mps")
    assert problem.model.objective.tolist() == [0.0, 1.0]
    assert "Column 'x' has a cost and points of the objective: the points hold." in problem.notes


def test_a_name_may_have_a_slash(tmp_path: Path) -> None:
    text = "Minimize\n x/1 + [ x/1 ^2 + x[1]*x/1]/2\nst\n c/d: 2 x/1 + x[1] >= 1\nEnd\n"
    (tmp_path / "a.lp").write_text(text)
    problem = read_problem(tmp_path / "a.lp")
    assert (problem.model.col_names, problem.model.row_names) == (("x/1", "x[1]"), ("c/d",))
    assert problem.quadratic is not None
    assert problem.quadratic.value.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(("name", "text"), [("UP.LP", SUM), ("UP.MPS", FREE), ("Up.Mps.GZ", FREE)])
def test_an_ending_may_be_in_capitals(name: str, text: str, tmp_path: Path) -> None:
    data = text.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("GZ") else data)
    problem = read_problem(tmp_path / name)
    assert problem.model.n == 3
    write_model(read_problem(CASES / "everything.mps"), tmp_path / f"W{name}")
    assert read_problem(tmp_path / f"W{name}").model.n


def told(text: str, path: Path) -> str:
    """All that a file says, blanks in names as `_`."""
    path.write_text(text)
    return repr(plain(read_problem(path))).replace(" ", "_")


def plain(value: object) -> object:
    """A problem in lists and tuples."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if dataclasses.is_dataclass(value):
        return [plain(getattr(value, each.name)) for each in dataclasses.fields(value)]
    return value


@pytest.mark.parametrize("blocks", [1, 2])
@pytest.mark.parametrize(
    ("bounds", "lower", "upper"),
    [
        ("LO B x 2/LO B x 5", 5.0, np.inf),
        ("UP B x -5/UP B x 10", -np.inf, 10.0),
        ("FX B x 1/UP B x 4", 1.0, 4.0),
        ("FR B x/LO B x 0", 0.0, np.inf),
    ],
)
def test_two_bounds_for_one_side_are_said(
    bounds: str, lower: float, upper: float, blocks: int, tmp_path: Path
) -> None:
    text = "NAME\nROWS\n N o\nCOLUMNS\n x o 1\nBOUNDS\n {}\nENDATA\n"
    filler = "*" * 4000 + "\n"  # more lines than are read at once
    between = f"\n{filler * (300 * (blocks - 1))} "
    (tmp_path / "a.mps").write_text(text.format(bounds.replace("/", between)))
    problem = read_problem(tmp_path / "a.mps")
    assert (problem.model.col_lower.item(), problem.model.col_upper.item()) == (lower, upper)
    assert "Of two bounds of column 'x' for one side the later holds." in problem.notes


@pytest.mark.parametrize("order", ["UP B x 5/BV B x", "BV B x/UP B x 5"])
@pytest.mark.parametrize("blocks", [1, 2])
def test_a_binary_column_is_cut_whatever_comes_first(
    order: str, blocks: int, tmp_path: Path
) -> None:
    text = "NAME\nROWS\n N o\nCOLUMNS\n x o 1\nBOUNDS\n {}\nENDATA\n"
    between = "\n" + ("*" * 4000 + "\n") * (300 * (blocks - 1)) + " "
    (tmp_path / "a.mps").write_text(text.format(order.replace("/", between)))
    assert read_problem(tmp_path / "a.mps").model.col_upper.item() == 1.0


@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_any_text_is_read_or_refused_in_a_sentence(suffix: str, tmp_path: Path) -> None:
    draw, path = random.Random(5), tmp_path / f"a{suffix}"
    texts = [file.read_text() for file in sorted(CASES.glob(f"*{suffix}"))]
    bits = [*"[]:=-*3(", "\n", "->", "::", "<=", "^2", "/ 2", "inf", "S1 ::"]
    read = 0
    for _ in range(800):
        text = draw.choice(texts)
        for _ in range(draw.randint(1, 3)):
            at = draw.randrange(len(text) + 1)
            bit = draw.choice([*bits, *text.split()])
            text = f"{text[:at]} {bit} {text[at + draw.choice([0, 0, 9]) :]}"
        path.write_text(text)
        try:
            read += read_problem(path).model.n > 0
        except DataError as error:
            assert "\n" not in str(error)
    assert read > 20
