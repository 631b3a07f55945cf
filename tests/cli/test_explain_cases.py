"""Small models on which an explanation once said what was not so, each with its right value."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordojo.cli import cli

BIG = """Minimize
 obj: x
Subject To
 fix: y = 1
 big: y - 10000000 x <= 0
 no: x <= 0.4
Binary
 x
End
"""
SLACK = """Minimize
 obj: x
Subject To
 cap: x + Rgcap = 10
 dem: x >= 20
Bounds
 x <= 50
 Rgcap <= 4
End
"""
SHIFTS = """Minimize
 obj: x_a_1
Subject To
 held_a1: x_a_1 + x_a_2 = 2
 held_b1: x_b_1 + x_b_2 = 1
 held_c1: x_c_1 + x_c_2 = 1
 room_1: x_a_1 + x_b_1 + x_c_1 <= 1
 room_2: x_a_2 + x_b_2 + x_c_2 <= 1
Binary
 x_a_1 x_a_2 x_b_1 x_b_2 x_c_1 x_c_2
End
"""
CHAIN = """Minimize
 obj: {costs}
Subject To
{rows}
 demand: {total} >= 1000
End
"""


def told(folder: Path, text: str, *words: str) -> dict[str, object]:
    path = folder / "case.lp"
    path.write_text(text)
    done = CliRunner().invoke(cli, ["explain", str(path), *words, "--json"])
    assert done.exit_code == 0, done.exception
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_huge_constant_does_not_make_a_model_feasible(tmp_path: Path) -> None:
    found = told(tmp_path, BIG)
    assert found["status"] == "INFEASIBLE"
    iis, repairs = found["iis"], found["repairs"]
    assert isinstance(iis, dict) and isinstance(repairs, list)
    assert {row["name"] for row in iis["rows"]} == {"fix", "big", "no"} and iis["irreducible"]
    moves = {one["moves"][0]["target"]: one["cost"] for one in repairs}
    assert moves["fix"] == pytest.approx(1.0) and moves["no"] == pytest.approx(0.6)


def test_an_optimum_is_that_of_whole_numbers(tmp_path: Path) -> None:
    # One unit of y lets 1e9 through: a ten millionth of it, which is whole to a solver, lets 100.
    numbers = range(3)
    rows = "\n".join(f" big{k}: x{k} - 1000000000 y{k} <= 0" for k in numbers)
    costs = " + ".join(f"1000000 y{k}" for k in numbers)
    text = CHAIN.format(costs=costs, rows=rows, total=" + ".join(f"x{k}" for k in numbers))
    found = told(tmp_path, text.replace("End", "Binary\n y0 y1 y2\nEnd"))
    assert found["status"] == "OPTIMAL" and found["objective"] == pytest.approx(1e6)


def test_the_hidden_column_of_a_range_is_neither_shown_nor_moved(tmp_path: Path) -> None:
    found = told(tmp_path, SLACK, "--hard", "cap")
    assert "Rg" not in json.dumps(found["iis"]) and "6 <= x <= 10" in json.dumps(found["iis"])
    repairs = found["repairs"]
    assert isinstance(repairs, list)
    assert [move["target"] for one in repairs for move in one["moves"]] == ["dem"]


@pytest.mark.parametrize(
    ("row", "function"),
    [("[ x * Rgcap ] >= 30", ""), ("x + y >= 11", "general constraints\n g: y = ABS ( Rgcap )\n")],
    ids=["product", "function"],
)
def test_a_column_of_a_part_is_no_hidden_one(tmp_path: Path, row: str, function: str) -> None:
    pytest.importorskip("pyscipopt")
    rows = f" cap: x + Rgcap = 10\n q: {row}\nbounds\n Rgcap <= 4\n"
    # Where x is 6 or more x (10 - x) is 24 at most, and what both add up to is 10.
    found = told(tmp_path, f"minimize\n x\nsubject to\n{rows}{function}end\n")
    assert found["status"] == "INFEASIBLE"


def test_without_one_row_the_rest_can_hold_with_all_bounds(tmp_path: Path) -> None:
    found = told(tmp_path, SHIFTS)
    iis = found["iis"]
    assert isinstance(iis, dict) and iis["irreducible"]
    # Two lessons of a fill both rooms, so that one more is too many: two rows of lessons suffice.
    names = {row["name"] for row in iis["rows"]}
    assert {"held_a1", "room_1", "room_2"} < names and len(names) == 4
    assert "held" in iis["words"] and "against all" not in iis["words"].split(" ")[0]


def test_a_side_moves_no_further_than_its_cap(tmp_path: Path) -> None:
    text = "Minimize\n obj: x\nSubject To\n top: x <= 4\n low: x >= 10\nEnd\n"
    found = told(tmp_path, text, "--cap", "low=5", "--cap", "x.lb=0")
    repairs = found["repairs"]
    assert isinstance(repairs, list)
    assert all(
        abs(m["to"] - m["from"]) <= 5 + 1e-9
        for r in repairs
        for m in r["moves"]
        if m["target"] == "low"
    )
    assert any([m["target"] for m in r["moves"]] == ["top"] for r in repairs)
    assert told(tmp_path, text, "--cap", "top=1", "--cap", "low=2")["beyond_repair"]


def test_a_family_by_one_amount(tmp_path: Path) -> None:
    text = (
        "Minimize\n obj: x\nSubject To\n cap(a): x <= 4\n cap(b): y <= 4\n need: x + y >= 20\nEnd\n"
    )
    repairs = told(tmp_path, text)["repairs"]
    assert isinstance(repairs, list)
    (family,) = [one for one in repairs if one["family"]]
    assert family["family"] == "cap" and [m["to"] for m in family["moves"]] == [10.0, 10.0]
    assert all(one["least"] is (one["cost"] <= 12 + 1e-6) for one in repairs)


def test_two_causes_need_two_changes(tmp_path: Path) -> None:
    text = "Minimize\n obj: x\nSubject To\n a: x <= 1\n b: x >= 2\n c: y <= 1\n d: y >= 3\nEnd\n"
    found = told(tmp_path, text)
    assert found["one_side_suffices"] is False and found["further_conflicts"]
    repairs = found["repairs"]
    assert isinstance(repairs, list) and repairs[0]["fewest"] and len(repairs[0]["moves"]) == 2


def lp(rows: str, bounds: str = "", goal: str = "Minimize\n c: x") -> str:
    return f"{goal}\nSubject To\n{rows}\n{bounds}\nEnd\n"


def text_of(folder: Path, text: str, *words: str) -> str:
    path = folder / "case.lp"
    path.write_text(text)
    done = CliRunner().invoke(cli, ["explain", str(path), *words])
    assert done.exit_code == 0, done.exception
    return done.stdout


def test_bounds_that_cross_are_conflicts_of_their_own(tmp_path: Path) -> None:
    bounds = "Bounds\n" + "\n".join(f" {k + 2} <= x{k} <= 1" for k in range(4))
    text = lp(" a: x0 + x1 + x2 + x3 >= 0", bounds, "Minimize\n c: x0")
    found = told(tmp_path, text, "--conflicts", "4")
    further, repairs = found["further_conflicts"], found["repairs"]
    assert isinstance(further, list) and isinstance(repairs, list)
    assert len(further) == 3 and not any(one["rows"] for one in further)
    assert len({one["bounds"][0]["column"] for one in further}) == 3
    # Two conflicts are shown, and four prove what is least.
    assert repairs[0]["fewest"] and len(repairs[0]["moves"]) == 4
    assert ", fewest" in text_of(tmp_path, text, "--conflicts", "2")


def test_caps_that_forbid_a_repair_are_said_to(tmp_path: Path) -> None:
    text = lp(" a: x + y >= 12", "Bounds\n x <= 5\n y <= 4")
    caps = ("--cap", "a=1", "--cap", "x.ub=1", "--cap", "y.ub=0.5")
    said = text_of(tmp_path, text, *caps)
    assert "Without the caps there is a repair" in said and "free to move" not in said
    said = text_of(tmp_path, text, *caps, "--hard", "a", "--hard", "*.ub")
    assert "No repair: with all sides free" in said


def test_one_member_is_told_as_one(tmp_path: Path) -> None:
    said = text_of(tmp_path, lp(" a: 2 x + 2 y = 3", "General\n x y"))
    assert "This cannot hold by itself for whole numbers:" in said and "These 1" not in said


def test_a_repaired_model_without_end_is_told(tmp_path: Path) -> None:
    said = text_of(
        tmp_path, lp(" a: 2 x + 2 y = 3\n b: z >= 1", "General\n x y", "Minimize\n c: - z")
    )
    assert "(solved again, then unbounded)" in said


def test_a_ray_of_whole_numbers_is_whole(tmp_path: Path) -> None:
    ray = told(tmp_path, lp(" a: x - 1.5 y <= 2", "General\n x y", "Maximize\n c: x"))["ray"]
    assert ray == {"moves": {"x": 3.0, "y": 2.0}, "gain": 3.0, "proven": True}


def test_an_equality_that_became_a_range_is_written(tmp_path: Path) -> None:
    text = lp(" a: x - y = 2\n b: x <= 3\n c: y >= 3")
    told(tmp_path, text, "--hard", "b", "--hard", "c", "--write", str(tmp_path / "new.lp"))
    assert "a: 0 <= x - y <= 2" in (tmp_path / "new.lp").read_text()
    assert told(tmp_path, (tmp_path / "new.lp").read_text())["status"] == "OPTIMAL"


def test_a_choice_without_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.lp").write_text(BIG)
    done = CliRunner().invoke(cli, ["explain", str(tmp_path / "m.lp"), "--choose", "2"])
    assert "--write FILE" in str(done.exception)


@pytest.mark.parametrize(
    ("row", "bounds", "said"),
    [
        ("c: x + y = 10", "x <= 3\n y <= 4", "x + y = 10 (only >= takes part)"),
        ("c: 3 <= x + y <= 10", "x >= 11", "3 <= x + y <= 10 (only <= takes part)"),
        ("c: x + y >= 10", "x <= 3\n y <= 4", "x + y >= 10"),
        ("c: 5 <= x + y <= 3", "x <= 3", "5 <= x + y <= 3"),
    ],
)
def test_a_conflict_names_the_side_that_takes_part(
    row: str, bounds: str, said: str, tmp_path: Path
) -> None:
    iis = told(tmp_path, f"Minimize\n x\nSubject To\n {row}\nBounds\n {bounds}\nEnd\n")["iis"]
    assert isinstance(iis, dict) and [one["text"] for one in iis["rows"]] == [said]


@pytest.mark.parametrize(
    ("bounds", "ends"),
    [
        ("2 <= b <= 1", ["b >= 2", "b <= 1 (binary)"]),
        ("b <= -1", ["b >= 0 (binary)", "b <= -1"]),
        ("0.3 <= b <= 0.4", ["b >= 0.3", "b <= 0.4"]),
    ],
)
def test_a_binary_whose_bounds_leave_it_no_value_is_told(
    bounds: str, ends: list[str], tmp_path: Path
) -> None:
    text = f"Minimize\n b\nSubject To\n c: b + x >= 0\nBounds\n {bounds}\nBinary\n b\nEnd\n"
    iis = told(tmp_path, text)["iis"]
    assert isinstance(iis, dict) and [one["text"] for one in iis["bounds"]] == ends
    shown = CliRunner().invoke(cli, ["explain", str(tmp_path / "case.lp")]).stdout
    assert "Column 'b' is binary, and neither 0 nor 1 is at least " in shown
    assert "No repair" in shown


def test_a_binary_of_an_mps_file_stays_one_whatever_its_bounds(tmp_path: Path) -> None:
    path = tmp_path / "a.mps"
    path.write_text("NAME\nROWS\n N o\nCOLUMNS\n b o 1\nBOUNDS\n BV s b\n LO s b 2\nENDATA\n")
    shown = CliRunner().invoke(cli, ["explain", str(path)]).stdout
    assert "neither 0 nor 1 is at least 2 and at most 1" in shown and "No repair" in shown


def test_more_conflicts_than_asked_for_are_told(tmp_path: Path) -> None:
    rows = "".join(f" low{k}: x{k} + y{k} >= 2\n up{k}: x{k} + y{k} <= 1\n" for k in range(4))
    path = tmp_path / "a.lp"
    path.write_text(f"Minimize\n x0\nSubject To\n{rows}End\n")
    for most, more in ((3, True), (4, False)):
        told = CliRunner().invoke(cli, ["explain", str(path), "--conflicts", str(most)]).stdout
        assert ("There are conflicts beside these 3; ask for more of them." in told) == more
