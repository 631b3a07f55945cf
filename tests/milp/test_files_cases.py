"""Files that were misread once, each with its right value; what readers differ in is said."""

import logging
import random
from pathlib import Path

import pytest

import ordojo
from ordojo.core.errors import DataError
from ordojo.milp.files import read_problem
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
