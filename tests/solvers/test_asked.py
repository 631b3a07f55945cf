"""What is asked next, on models small enough to be answered by hand."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import ordojo
from ordojo.core.errors import DataError, OrdojoError, UsageError
from ordojo.milp.model import Model
from ordojo.solvers.answers import Status

# The best plan is bread 15, cake 10: oven and flour bind, 3 * 15 + 4 * 10 = 85.
BAKERY = """\\ bakery
maximize
 value: 3 bread + 4 cake
subject to
 oven: 2 bread + 3 cake <= 60
 flour: bread + cake <= 25
 orders: cake >= 5
end
"""
# Two ways to 10 at a cost of 1 each; e costs nothing and is in no row.
TIE = """minimize
 cost: a + b + 0 e
subject to
 need: a + b >= 10
 most: a <= 8
bounds
 b <= 9
 e <= 4
end
"""
WAREHOUSES = """minimize
 cost: 10 open1 + 14 open2 + x1 + 2 x2
subject to
 demand: x1 + x2 = 6
 use1: x1 - 8 open1 <= 0
 use2: x2 - 5 open2 <= 0
 green: open2 <= 0
binary
 open1
 open2
end
"""


@pytest.fixture
def read(tmp_path: Path) -> Any:
    def model(text: str) -> Model:
        path = tmp_path / "model.lp"
        path.write_text(text)
        return ordojo.read_model(path)

    return model


def plan(found: Any) -> dict[str, tuple[float, float]]:
    changes = {one.column: (one.before, one.after) for one in found.changes}
    return {name: pytest.approx(pair, abs=1e-6) for name, pair in changes.items()}


@pytest.mark.parametrize(
    ("edits", "objective", "changes"),
    [
        (["oven <= 50"], 72.5, {"bread": (15, 17.5), "cake": (10, 5)}),
        (["cake <= 8"], 83, {"bread": (15, 17), "cake": (10, 8)}),
        (["obj.cake = 3.5"], 80, {}),
        (["obj.cake = 2"], 70, {"bread": (15, 20), "cake": (10, 5)}),
        (["flour[cake] = 2"], 65, {"cake": (10, 5)}),
        (["drop oven"], 100, {"bread": (15, 0), "cake": (10, 25)}),
        (["early: bread <= 12"], 84, {"bread": (15, 12), "cake": (10, 12)}),
        (["2 bread <= 24"], 84, {"bread": (15, 12), "cake": (10, 12)}),
        (["bread = 12"], 84, {"bread": (15, 12), "cake": (10, 12)}),
        (["oven <= inf", "flour ≤ 20"], 80, {"bread": (15, 0), "cake": (10, 20)}),
        (["o*n <= 50"], 72.5, {"bread": (15, 17.5), "cake": (10, 5)}),
        (["col.*a* <= 9"], 63, {"bread": (15, 9), "cake": (10, 9)}),
        (["obj.* = 3"], 75, {}),
        (["drop o*n*"], 100, {"bread": (15, 0), "cake": (10, 25)}),
    ],
    ids=str,
)
@pytest.mark.parametrize("solver", ["highs", "scip"])
def test_what_if(
    read: Any, solver: str, edits: list[str], objective: float, changes: Mapping[str, Any]
) -> None:
    if solver == "scip":
        pytest.importorskip("pyscipopt")
    found = ordojo.whatif(read(BAKERY), edits, solver=solver)
    assert found.before.objective == pytest.approx(85)
    assert found.after.objective == pytest.approx(objective)
    assert found.closest and dict(plan(found)) == changes
    assert len(found.said) == len(edits)


def test_the_plan_is_the_closest_optimal_one(read: Any) -> None:
    model = read(TIE)
    before = ordojo.whatif(model, ["e <= 5"])
    assert not before.changes and before.closest
    # What a gives up b takes, however a and b were split.
    found = ordojo.whatif(model, ["a <= 3", "most <= 7"])
    assert found.gain == 0 and found.closest
    moved = {one.column: one.after - one.before for one in found.changes}
    assert sum(moved.values()) == pytest.approx(0, abs=1e-6) and "e" not in moved
    assert set(moved) <= {"a", "b"}


def test_only_the_sides_that_were_asked_are_marked(read: Any) -> None:
    model = read(BAKERY.replace("orders: cake >= 5", "orders: 5 <= cake <= 9"))
    for edit, marked in [
        ("bread <= -5", {"bread.ub"}),
        ("orders <= 4", {"orders"}),
        ("orders <= 100", set()),
        ("bread >= 31", {"bread.lb"}),
        ("oven[cake] = 13", {"oven"}),
    ]:
        conflict = ordojo.whatif(model, [edit, "low: cake <= 3"][: 1 + (not marked)]).conflict
        assert conflict is not None
        assert {one.name for one in conflict.members if one.asked} - {"low"} == marked


def test_what_becomes_infeasible_has_a_conflict_with_the_edit_in_it(read: Any) -> None:
    found = ordojo.whatif(read(BAKERY), ["cake <= 2"])
    assert found.after.status == Status.INFEASIBLE and found.conflict is not None
    asked = {member.name: member.asked for member in found.conflict.members}
    assert asked == {"orders": False, "cake.ub": True} and found.conflict.irreducible
    assert "<- asked" in found.text()
    again = ordojo.whatif(read(BAKERY.replace("cake >= 5", "cake >= 21")), ["flour <= 24"])
    assert again.conflict is not None and not again.conflict.takes_part
    assert "takes no part" in again.text()
    mended = ordojo.whatif(read(BAKERY.replace("cake >= 5", "cake >= 21")), ["drop orders"])
    assert mended.before.status == Status.INFEASIBLE
    assert mended.after.objective == pytest.approx(85) and not mended.changes


def test_why_not(read: Any) -> None:
    model = read(WAREHOUSES)
    forbidden = ordojo.whynot(model, "open2 >= 1")
    assert forbidden.conflict is not None and forbidden.conflict.takes_part
    assert {m.name for m in forbidden.conflict.members} == {"asked", "green"}
    free = ordojo.read_model(model).without_row(model.rows["green"])
    # 16 by the first warehouse; opening the second besides costs its 14.
    found = ordojo.whynot(free, "open2 >= 1")
    assert found.before.objective == 16 and found.gain == -14
    assert {one.column for one in found.changes} == {"open2"}
    on_row = ordojo.whynot(free, "use1 <= -3")
    assert on_row.after.objective == pytest.approx(16 + 14 + 1)
    assert ordojo.whynot(free, "x1 >= 6").gain == 0
    assert "costs nothing" in ordojo.whynot(free, "x1 >= 6").text()


def test_a_row_and_a_column_of_one_name_are_told_apart(read: Any) -> None:
    model = read("minimize\n c: x + 3 y\nsubject to\n x: x + y >= 4\n b: y <= 8\nend\n")
    with pytest.raises(UsageError, match="'x' is a row and a column; write row"):
        ordojo.whynot(model, "x >= 5")
    assert ordojo.whynot(model, "row.x <= 3").after.status == Status.INFEASIBLE
    assert ordojo.whynot(model, "col.x <= 3").after.objective == 6


def test_a_contradiction_less_than_tolerances_is_said_to_be_that(read: Any) -> None:
    row, most = "0.00941405802920591 x = 1.71739e-05", "237803.6204010335 x >= 432.8213435016365"
    model = read(f"minimize\n c: 0 x\nsubject to\n a: {row}\n b: {most}\nend\n")
    found = ordojo.whynot(model, "4 x = 0.007297")
    assert found.after.status == Status.INFEASIBLE
    assert "No conflict to show: what contradicts is less than a solver tolerates." in found.text()


def test_worth_of_both_sides_and_their_ends(read: Any) -> None:
    model = read(BAKERY)
    found = ordojo.worth(model, "oven", by=2)
    (side,) = found.sides
    assert found.dual == pytest.approx(1) and found.activity == pytest.approx(60)
    assert [step.gain for step in side.steps] == pytest.approx([2, -2])
    assert side.feasible[0].value == pytest.approx(15) and side.feasible[1].value == float("inf")
    assert side.free is not None and side.free.objective == pytest.approx(100)
    assert [end.value for end in side.idle] == pytest.approx([75])
    (low,) = ordojo.worth(model, "orders").sides
    assert [step.gain for step in low.steps] == [0, 0]
    assert low.feasible[1].value == pytest.approx(20)
    assert [end.value for end in low.idle] == pytest.approx([10])


def test_worth_of_an_equality_and_of_whole_numbers(read: Any) -> None:
    model = read(WAREHOUSES)
    free = model.without_row(model.rows["green"])
    found = ordojo.worth(free, "demand", by=3)
    (side,) = found.sides
    # 9 needs both: 10 + 14 + 8 + 2; 3 needs one: 10 + 3. There is no dual of an integer program.
    assert [step.outcome.objective for step in side.steps] == pytest.approx([34, 13])
    assert found.dual is None and (side.feasible[0].value, side.feasible[1].value) == (0, 13)
    assert "no solution above 13" in found.text()
    without = side.free
    assert without is not None and without.objective == 0
    ranged = model.with_row_bounds(model.rows["demand"], 6, 9)
    assert [str(one.side) for one in ordojo.worth(ranged, "demand").sides] == ["upper", "lower"]


def family(costs: list[float], needs: list[float]) -> str:
    n = len(costs)
    lines = ["minimize", " cost: " + " + ".join(f"{c} x[{j}]" for j, c in enumerate(costs))]
    lines += ["subject to", *(f" need[{j}]: x[{j}] >= {needs[j]}" for j in range(n))]
    lines += [f" cap[{j}]: 2 x[{j}] <= 100" for j in range(n)]
    return "\n".join([*lines, "end", ""])


def test_suspects_and_their_undo(read: Any) -> None:
    costs, needs = [3.0, 4.0, 5.0, 4.0, 3.0, 4.0], [10.0, 12.0, 9.0, 11.0, 10.0, 12.0]
    good = read(family(costs, needs))
    assert ordojo.suspects(good).found == ()
    found = ordojo.suspects(read(family([*costs[:2], 300.0, *costs[3:]], needs)))
    (one,) = found.found
    assert (one.target, one.suggested) == ("obj.x[2]", 3.0) and "factor of 100" in one.why
    assert one.gain == pytest.approx(9 * 297)
    slip = ordojo.suspects(read(family([3.0, 4.0, 400.0, *costs[3:]], [*needs[:5], 720.0])))
    assert slip.base.status == Status.INFEASIBLE
    first = slip.found[0]
    assert (first.target, first.suggested) == ("need[5]", 12.0)
    assert first.outcome is not None and first.outcome.status == Status.OPTIMAL
    only = ordojo.suspects(read(family([3.0, 4.0, 400.0, *costs[3:]], needs)), family="need*")
    assert only.found == () and "No number is unlike its family's." in only.text()
    small = ordojo.suspects(read(family(costs[:4], needs[:4])))
    assert not small.compared and "No family has 5 numbers other than 0" in small.text()
    cut = ordojo.suspects(read(family([3.0, 4.0, 400.0, *costs[3:]], [*needs[:5], 720.0])), limit=1)
    assert len(cut.found) == 1 and cut.more == 1
    assert "1 number unlike its" in cut.text() and "Not shown: 1 weaker one;" in cut.text()


def test_the_undo_of_a_fixed_column_moves_both_its_bounds(read: Any) -> None:
    fixed = "\n".join(f" make[{j}] = {1200 if j == 3 else 10 + j}" for j in range(8))
    rows = "\n".join(f" need[{j}]: make[{j}] >= 2" for j in range(8))
    text = f"minimize\n c: make[3]\nsubject to\n{rows}\nbounds\n{fixed}\nend\n"
    (one,) = ordojo.suspects(read(text)).found
    assert (one.target, one.suggested, one.gain) == ("make[3].ub", 12, pytest.approx(1188))


def test_a_sign_unlike_all_others(read: Any) -> None:
    found = ordojo.suspects(read(family([3.0, 4.0, -5.0, 4.0, 3.0, 4.0], [1.0] * 6)))
    (one,) = found.found
    assert one.target == "obj.x[2]" and one.suggested == 5.0 and "sign" in one.why
    assert one.gain == pytest.approx(-(5 + 250))  # it was worth 5 * 50 to make it


def test_check_says_what_is_broken(read: Any) -> None:
    model = read(WAREHOUSES)
    good = ordojo.check(model, {"open1": 1, "x1": 6})
    assert good.feasible and good.objective == 16 and good.missing == ("open2", "x2")
    bad = ordojo.check(model, {"open1": 0.5, "x1": 6, "x2": -1, "y": 3})
    assert [(one.kind, one.name, one.by) for one in bad.broken] == [
        ("row", "use1", pytest.approx(2)),
        ("row", "demand", pytest.approx(1)),
        ("bound", "x2", pytest.approx(1)),
        ("integrality", "open1", pytest.approx(0.5)),
    ]
    assert bad.unknown == ("y",) and "no such column: y" in bad.text()
    with pytest.raises(DataError, match="solution of another model: 3 of its 4 names"):
        ordojo.check(model, {"a": 1, "b": 2, "c": 3, "x1": 6})


def test_a_part_of_a_plan_is_completed_or_refused_with_a_conflict(read: Any) -> None:
    model = read(BAKERY)
    found = ordojo.check(model, {"cake": 7}, complete=True)
    assert found.plan == pytest.approx({"bread": 18, "cake": 7}) and found.objective == 82
    none = ordojo.check(model, {"cake": 1}, complete=True)
    assert none.conflict is not None and none.plan is None
    assert not none.feasible and none.to_json()["feasible"] is False
    assert {member.name for member in none.conflict.members} == {"orders", "given cake"}
    whole = ordojo.check(model, {"bread": 15, "cake": 10}, complete=True)
    assert "Nothing was left to solve for" in whole.text()
    idle = ordojo.check(model, {"cake": 20, "bread": 0}, complete=True)
    assert "solved for" not in idle.text()
    near = ordojo.check(model, {"cake": 4.999999}, complete=True)
    assert near.plan is not None and "held within" in near.text()


PLANS = {
    "highs.sol": (
        "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 85\n"
        "# Columns 2\nbread 15\ncake 10\n# Rows 3\noven 60\nflour 25\norders 10\n\n"
        "# Dual solution values\nNone\n\n# Basis\nHiGHS v1\nNone\n"
    ),
    "gurobi.sol": "# Solution for model bakery\n# Objective value = 85\nbread 15\ncake 10\n",
    "scip.sol": (
        "solution status: optimal\nobjective value:                   85\n"
        "bread                15 \t(obj:3)\ncake                 10 \t(obj:4)\n"
    ),
    "cbc.sol": (
        "Optimal - objective value 85.00000000\n      0 bread   15   0\n      1 cake   10   0\n"
    ),
    "cbc-all.sol": (
        "Stopped on time - objective value 85\n      0 oven   60   1\n**    1 flour  25   1\n"
        "      2 orders 10   0\n      0 bread   15   0\n      1 cake   10   0\n\n"
    ),
    "miplib.sol": "=obj= 85\nbread 15\ncake 10\n",
    "plan.json": '{"bread": 15, "cake": 10}',
    "plan.csv": "name,value\nbread,15\ncake,10\n",
    "bare.csv": "bread,15\n\ncake,1e1\n",
}


@pytest.mark.parametrize("name", PLANS)
def test_every_format_of_a_plan(read: Any, tmp_path: Path, name: str) -> None:
    model, path = read(BAKERY), tmp_path / name
    path.write_text(PLANS[name])
    found = ordojo.check(model, path)
    assert found.feasible and found.objective == pytest.approx(85) and not found.missing
    assert json.loads(json.dumps(found.to_json()))["feasible"] is True


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("p.json", "[1, 2]", "no JSON object"),
        ("p.json", '{"bread": 1, "bread": 2}', "given twice"),
        ("p.json", '{"bread": null}', "no finite number"),
        ("p.json", "{", "no JSON"),
        (
            "p.json",
            '{"SolutionInfo": {}, "Vars": [{"VTag": ["bread"], "X": 1}]}',
            "lacks a VarName",
        ),
        ("p.json", '{"SolutionInfo": {"Status": 3}}', "holds no plan"),
        ("p.json", '{"SolutionInfo": {}, "Vars": [3]}', "no JSON solution of Gurobi's"),
        ("p.sol", "Columns\n    Index Status  Lower\n", "HiGHS's pretty solution \\(style 1\\)"),
        ("p.sol", "c Problem:    q\nc Rows:  3\n", "GLPK's form"),
        ("p.sol", "Problem:    q\nRows:  3\n", "GLPK's form"),
        ("p.json", '{"bread": 1e308}', "'bread' has '1e\\+308', no finite number"),
        ("p.csv", "x" * 200_000, "line 1: field larger than field limit"),
        ("p.sol", "Optimal - objective value 1\n0 bread 1 0\n1 cake\n", "line 3: '1 cake' is no"),
        ("p.csv", "bread,1,2\n", "line 1: 3 cells"),
        ("p.csv", "bread,one\n", "line 1: 'bread' has 'one'"),
        ("p.sol", "# only this\n", "names no column"),
        ("p.sol", "bread\n", "line 1: 'bread' is no name and value"),
        ("p.sol", "bread nan\n", "no finite number"),
        ("p.sol", "Model status\nInfeasible\n\n# Primal solution values\nNone\n", "no plan"),
        ("p.sol", "solution status: infeasible\nno solution available\n", "p.sol holds no plan"),
        ("p.sol", "=infeas=\n", "p.sol holds no plan"),
        ("p.sol", "flower 3\nsugar 2\n", "another model: 2 of its 2 names"),
    ],
)
def test_a_plan_that_is_none_is_one_sentence(
    read: Any, tmp_path: Path, name: str, text: str, says: str
) -> None:
    model, path = read(BAKERY), tmp_path / name
    path.write_text(text)
    with pytest.raises(DataError, match=says) as caught:
        ordojo.check(model, path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        ("ovn <= 50", "no row or column 'ovn'; did you mean 'oven'"),
        ("obj.bred = 3", "no column 'bred'; did you mean 'bread'"),
        ("oven[bred] = 3", "no column 'bred' for row 'oven'; did you mean 'bread'"),
        ("drop ovn", "no row 'ovn'; did you mean 'oven'"),
        ("oven < 50", "strict sign"),
        ("oven: bread <= 3", "there is a row 'oven' already"),
        ("bread + sugar <= 3", "unknown variable 'sugar'"),
        ("oven <= -inf", "finite side"),
        ("oven >= 1e20", "finite side"),
        ("obj.bread = -1e25", "finite number"),
        ("bread + cake >= 1e25", "1e\\+20 and more is infinite"),
        ("oven[bread] <= 3", "set by '='"),
        ("obj.bread = inf", "finite number"),
        ("sug* <= 3", "nothing that is called 'sug\\*'$"),
        ("oen* <= 3", "nothing that is called 'oen\\*'; did you mean 'oven'"),
        ("drop bread*", "nothing that is called 'bread\\*'"),
        ("* <= 3", "write row.\\* or col.\\*"),
        ("", "is no change"),
        ("oven", "is no change"),
        ("oven <= nan", "'nan' is no number"),
        ("bread <= NaN", "'NaN' is no number"),
        ("bread + cake <= nan", "'nan' is no number"),
        ("oven <= bread", "'bread' is no number"),
        ("obj.bread = cake", "'cake' is no number"),
        ("oven[bread] = much", "'much' is no number"),
        ("obj.bred = cake", "no column 'bred'"),
    ],
)
def test_an_edit_that_names_nothing_is_one_sentence(read: Any, edit: str, says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        ordojo.whatif(read(BAKERY), [edit])
    assert "\n" not in str(caught.value) and repr(edit)[1:-1] in str(caught.value)


def test_other_bad_input_is_one_sentence(read: Any) -> None:
    model, houses = read(BAKERY), read(WAREHOUSES)
    for act, says in [
        (lambda: ordojo.whatif(model, []), "nothing is changed"),
        (lambda: ordojo.whatif(houses, ["open1 <= 3"]), "'open1' is binary"),
        (lambda: ordojo.whynot(model, "open >= 1"), "unknown variable 'open'"),
        (lambda: ordojo.whynot(model, "oven <= nan"), "'nan' is no number"),
        (lambda: ordojo.worth(model, "flouer"), "no row 'flouer'; did you mean 'flour'"),
        (lambda: ordojo.worth(model.without_row(0), "oven"), "no side to move"),
        (lambda: ordojo.suspects(model, family="cap*"), "no family 'cap\\*'"),
        (lambda: ordojo.suspects(model, limit=0), "`limit` 0: give a whole number"),
        (lambda: ordojo.worth(model, "oven", by=-1), "`by` -1"),
        (lambda: ordojo.whatif(model, ["oven <= 5"], time_limit=0), "`time_limit` 0"),
        (lambda: ordojo.whatif(model, ["oven <= 5"], solver="cplex"), "cplex"),
        (lambda: ordojo.check(model, 3), "mapping of texts to numbers or a path"),
        (lambda: ordojo.check(model, "nowhere.sol"), "nowhere.sol"),
    ]:
        with pytest.raises(OrdojoError, match=says) as caught:
            act()
        assert "\n" not in str(caught.value)


QUADRATIC = """minimize
 cost: x + [ 2 x^2 ] / 2
subject to
 low: x + y >= 3
 either: z = 1 -> y <= 1
bounds
 y <= 2
binary
 z
end
"""


def test_parts_beyond_rows_are_kept_and_said(read: Any, tmp_path: Path) -> None:
    pytest.importorskip("pyscipopt")
    path = tmp_path / "parts.lp"
    path.write_text(QUADRATIC)
    # y goes to 2, x to 1: 1 + 1; with z on y is 1 at most, and x is 2: 2 + 4.
    found = ordojo.whynot(path, "z >= 1")
    assert found.before.objective == pytest.approx(2, abs=1e-5)
    assert found.after.objective == pytest.approx(6, abs=1e-5)
    broken = ordojo.check(path, {"x": 1, "y": 2, "z": 1}).broken
    assert [(one.kind, one.name) for one in broken] == [("indicator", "either")]
    for ask in (
        lambda: ordojo.whatif(path, ["either <= 2"]),
        lambda: ordojo.whatif(path, ["drop either"]),
        lambda: ordojo.whatif(path, ["either[y] = 2"]),
        lambda: ordojo.whynot(path, "either <= 2"),
    ):
        with pytest.raises(UsageError, match="'either' is no linear row"):
            ask()
    with pytest.raises(UsageError, match=r"^'either' is no linear row"):
        ordojo.worth(path, "either")
    forbidden = ordojo.whatif(path, ["z = 1", "x <= 1"])
    assert forbidden.conflict is not None and forbidden.conflict.takes_part


def test_what_was_not_proved_is_not_said(read: Any) -> None:
    from ordojo.solvers.asked.plan import what_if
    from ordojo.solvers.asked.solves import Solves
    from ordojo.solvers.asked.worth import worth_of
    from ordojo.solvers.problem import Problem

    found = what_if(Problem(read(BAKERY)), ["oven <= 5"], Solves("highs", 0.0))
    assert found.after.status == Status.TIME_LIMIT and found.gain is None
    assert "not finished within the limit (no plan found)" in found.text()
    row = worth_of(Problem(read(BAKERY)), "oven", 1.0, Solves("highs", 0.0))
    assert "below which number there is no solution is not known" in row.text()
    assert "below not known" not in row.text()


def beyond(folder: Path, text: str) -> Path:
    path = folder / "model.lp"
    path.write_text(text)
    return path


# x is a root of y at most, and grows with it for ever; y <= 9 holds it at 3.
ROOT = """maximize
 far: x
subject to
 root: [ x^2 ] - y <= 0
 limit: y <= 9
end
"""


def test_a_solver_s_infinity_is_no_optimum(tmp_path: Path) -> None:
    pytest.importorskip("pyscipopt")
    path = beyond(tmp_path, ROOT)
    found = ordojo.whatif(path, ["drop limit"])
    assert found.after.status == Status.UNBOUNDED and found.before.objective == pytest.approx(3)
    (side,) = ordojo.worth(path, "limit").sides
    assert side.free is not None and side.free.status == Status.UNBOUNDED and not side.idle
    # Where only a column that costs nothing runs away, the optimum stays.
    free = beyond(tmp_path, ROOT.replace(" limit: y <= 9", " limit: x <= 2"))
    assert ordojo.whatif(free, ["obj.x = 2"]).after.objective == pytest.approx(4)


def test_the_solver_that_solved_is_named(tmp_path: Path) -> None:
    pytest.importorskip("pyscipopt")
    path = beyond(tmp_path, ROOT)
    assert ordojo.whatif(path, ["limit <= 4"]).solver.startswith("scip ")
    assert ordojo.whynot(path, "x >= 4").solver.startswith("scip ")
    assert ordojo.worth(path, "limit").solver.startswith("scip ")
    assert ordojo.suspects(path).solver.startswith("scip ")
    assert ordojo.whatif(beyond(tmp_path, BAKERY), ["oven <= 5"]).solver.startswith("highs ")


PARTS = """minimize
 cost: x + y
subject to
 row: x + y + z <= 20
 disc: [ x^2 + 2 x * y ] + z <= 1
 low: b = 1 -> x + y >= 10
bounds
 z <= 9
binary
 b
general constraints
 far: w = ABS ( x )
sos
 one: S1:: x:1 y:2 z:3
 two: S2:: x:1 y:2 z:3
end
"""


def test_what_is_no_row_is_broken_by_its_own_amount(tmp_path: Path) -> None:
    plan = {"x": 3, "y": 1e-5, "z": 2, "b": 1, "w": 1}
    found = ordojo.check(beyond(tmp_path, PARTS), plan)
    told = {one.name: (one.value, one.by) for one in found.broken}
    assert told == {
        "disc": (pytest.approx(11.00006), pytest.approx(10.00006)),
        "low": (pytest.approx(3.00001), pytest.approx(6.99999)),
        "far": (1, 2),
        "one": (2, 2),
        "two": (2, 2),
    }
    text = found.text()
    assert "disc  z + x^2 + 2 x*y <= 1: is 11.00006, off by 10.0001" in text
    assert "low   b = 1 -> x + y >= 10: is 3.00001, off by 6.99999" in text
    assert "far   w = abs(x), 3: is 1, off by 2" in text
    assert "one   x, y, z are not 0, and only one of them may be" in text
    assert "two   x, y, z are not 0, and only two neighbours may be" in text


def test_a_function_outside_its_domain_is_broken(tmp_path: Path) -> None:
    def broken(function: str, x: float, y: float) -> bool:
        text = "minimize\n x\nsubject to\n c: x + y >= -9000\nbounds\n x free\n y free\n"
        path = beyond(tmp_path, f"{text}general constraints\n g: y = {function}\nend\n")
        found = ordojo.check(path, {"x": x, "y": y})
        assert found.feasible or "undefined there: is" in found.text()
        assert [one["by"] for one in found.to_json()["broken"]] == [None] * (not found.feasible)
        return not found.feasible

    assert broken("LOG ( x )", -1, 0) and broken("POW ( x ^ 0.5 )", -4, 2)
    assert broken("EXP ( x )", 5000, 0)
    # A root at 0 within the solvers' tolerance, a jump, and a curve that is flat far away.
    assert not broken("POW ( x ^ 0.5 )", -1e-7, 0)
    assert not broken("PWL ( x ) : (0, 0) (1, 0) (1, 5) (2, 5)", 1, 3)
    assert not broken("LOGISTIC ( x )", -5000, 0)


def test_along_a_curve_an_end_is_told_in_its_certain_digits(tmp_path: Path) -> None:
    pytest.importorskip("pyscipopt")
    text = "maximize\n o: 3 x + 2 y\nsubject to\n q: [ x^2 + y^2 ] <= 25\n e: x - y = 1\nend\n"
    told = ordojo.worth(beyond(tmp_path, text), "e").text()
    # Without it x is 15 and y 10 over the root of 13: 65 and 5 over that root.
    assert "without it: optimum 18.0277564; the row is then about 1.387" in told


def test_a_dual_price_says_what_it_proves(read: Any) -> None:
    twice = "minimize\n x\nsubject to\n a: x + y >= 2\n b: x + y >= 2\nbounds\n y <= 0\nend\n"
    told = ordojo.worth(read(twice), "a")
    assert "the optimum changes by at least that times what is added to the side" in told.text()
    assert "tighter by 1, to 3: optimum 3, 1 worse" in told.text()
    for up in (True, False):  # what is proved holds both ways, whichever basis is found
        moved = 1.0 if up else -1.0
        (step,) = [one for one in told.sides[0].steps if one.value == 2 + moved]
        assert told.dual is not None and step.outcome.objective is not None
        assert step.outcome.objective - 2 >= told.dual * moved - 1e-9
    assert "at most that times" in ordojo.worth(read(BAKERY), "oven").text()


@pytest.mark.parametrize("goal", ["x", "x + [ x ^2 ] / 2"])
def test_a_row_is_worth_nothing_where_the_rest_is_infeasible(goal: str, tmp_path: Path) -> None:
    rows = "a: x >= 5\n b: x <= 3\n c: x + y = 8"
    (tmp_path / "a.lp").write_text(f"minimize\n {goal}\nsubject to\n {rows}\nend\n")
    told = ordojo.worth(tmp_path / "a.lp", "c").text()
    assert "the rest of the model is infeasible" in told and "not known" not in told


def test_a_plan_within_tolerance_is_told_by_how_much_it_is_off(read: Any) -> None:
    model = read("minimize\n x\nsubject to\n a: x - y <= 0\ngeneral\n z\nend\n")
    near = ordojo.check(model, {"x": 1e9, "y": 1e9 - 500, "z": 1.000001})
    assert near.feasible and [one.name for one in near.near] == ["a", "z"]
    assert "feasible in model only within the solvers' tolerances" in near.text()
    assert "x - y <= 0: is 500, off by 500" in near.text()
    assert not ordojo.check(model, {"x": 0.3, "y": 0.1 + 0.2, "z": 1}).near
    assert not ordojo.check(model, {"x": 3, "y": 1}).near


def test_a_plan_in_the_place_of_a_file_is_told(read: Any) -> None:
    with pytest.raises(DataError, match="no solution file x=2; a plan is given as a file"):
        ordojo.check(read(BAKERY), "x=2")
    with pytest.raises(DataError, match="names no column"):
        ordojo.check(read(BAKERY), {})


# HiGHS calls these infeasible, infeasible or unbounded, and optimal; all run away.
RUNS_AWAY = """\
Maximize
 obj: - 13000000.0 x0 - 1 x5 + 3 x3
Subject To
 r0: + 15838 x2 - 13 x4 + 0.0005 x0 - 1 x1 + 1100000.0 x3 >= -3
 r1: + 0.5 x0 - 2 x5 + 3959.5 x4 + 5 x1 + 5 x2 <= 1000000.0
 r2: - 2 x2 - 2 x5 + 5 x3 + 3000 x1 + 2 x0 - 13 x4 >= 1000000.0
 r3: + 11 x5 + 1.5 x0 - 7 x3 - 2 x4 + 5 x1 - 13 x2 >= 0.5
Bounds
 -inf <= x2 <= -3
 0 <= x4 <= 8
Generals
 x0 x1 x5
End
"""
LEFT_OPEN = """\
Minimize
 obj: - 2 x2 + 39595 x1 + 2 x3 - 13 x0
Subject To
 r0: + 3 x4 + 1.5 x2 + 3959.5 x3 - 13000000.0 x0 >= 10
 r1: + 1e-05 x3 - 7 x1 >= 1000000.0
 r2: + 11000000.0 x0 - 7 x2 - 2 x4 <= 1
 r3: + 1 x1 - 7 x0 + 3 x3 = 0.5
Bounds
 x0 free
 x2 free
 -4 <= x4 <= 6
Generals
 x2 x4
End
"""
NO_OPTIMUM = """\
Minimize
 obj: + 0.0005 x2 - 7000000.0 x3 + 2 x4
Subject To
 r0: + 5 x2 + 3 x4 + 3 x0 + 11 x5 + 0.5 x1 - 2 x3 <= 33333
 r1: + 1.5 x0 + 0.5 x4 - 13 x2 - 1000000.0 x5 + 11 x3 + 1500.0 x1 >= -100000.0
Bounds
 x0 free
 -3 <= x2 <= 3
 -inf <= x3 <= 5
 x4 free
Generals
 x1 x2 x3
End
"""
# Simplex calls this one unbounded, which no ray shows; SCIP and Gurobi have its optimum.
NO_RAY = """\
Maximize
 obj: + 0.5 x2 - 2 x7
Subject To
 r0: - 1000000.0 x4 - 7 x5 - 1 x3 - 2 x8 + 3 x0 + 11 x1 + 1000000.0 x2 + 11878.5 x7 + 1 x6 <= 10
 r1: + 2 x4 <= 1000000.0
 r2: - 7919 x3 - 1300000.0 x1 + 3 x8 <= 1
 r3: + 5e-06 x2 - 2 x5 + 11 x7 + 3 x4 - 2e-05 x6 + 1.5 x1 - 700000.0 x3 >= 100
 r4: + 11 x7 + 5 x8 + 500000.0 x4 - 2 x6 - 7 x5 >= 0
Bounds
 x1 free
 -inf <= x2 <= 5
 -3 <= x5 <= 7
 x7 free
 2 <= x8 <= 8
Generals
 x0 x2 x3 x4 x6 x7
End
"""


@pytest.mark.parametrize("text", [RUNS_AWAY, LEFT_OPEN, NO_OPTIMUM])
def test_what_highs_calls_infeasible_is_unbounded_by_a_ray(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text(text)
    told = ordojo.explain(tmp_path / "a.lp")
    assert told.status == Status.UNBOUNDED and told.ray is not None and told.ray.proven
    changed = ordojo.whatif(tmp_path / "a.lp", ["obj.x0 = 0.5"])
    assert changed.before.status == Status.UNBOUNDED


def test_a_model_is_unbounded_only_by_a_ray(tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text(NO_RAY)
    told = ordojo.explain(tmp_path / "a.lp")
    assert told.status == Status.OPTIMAL or "no ray shows" in told.text()
    assert ordojo.solve(tmp_path / "a.lp").status == told.status != Status.UNBOUNDED


# HiGHS's presolve loses points between broken bounds of whole numbers.
BROKEN = """\
Minimize
 obj: 4 x0
Subject To
 r0: - 5 x0 + 4 x1 <= 5
Bounds
 -3 <= x0 <= -2
 -2.5 <= x1 <= 997.5
Generals
 x0 x1
End
"""
NONE_LEFT = """\
Maximize
 obj: - x0
Subject To
 r2: - x0 >= 1.50001
Bounds
 x0 >= -2.5
Generals
 x0
End
"""
# Within HiGHS's tolerance of a dual this has an optimum; x2 and x0 run away.
BY_A_HAIR = """\
Maximize
 obj: 2 x1 - 1e-05 x2
Subject To
 r0: - 0.0001 x0 - 1e-05 x1 + 2 x2 - 1e-05 x3 = -1.99976
Bounds
 x0 free
 -3 <= x1 <= 0
 -inf <= x2 <= 1
 -inf <= x3 <= 0.5
End
"""
# Simplex, having lost its way, calls this infeasible.
LOST = """\
Maximize
 obj: 0 x0 + 0.01 x1 + 0 x2 + 10000 x3 - 3 x4 - 7 x5 + 3.5 Constant
Subject To
 r0: - 1000000 x0 - 2 x2 - 1000000 x4 + x5 <= -7
 r1: 3 x3 - 3 x4 >= -999997
 r2: 10000 x0 - 0.01 x2 + 2 x5 <= -9999.01
 r3: - 10000 x0 + 7 x1 + 1000000 x2 - 0.5 x3 - 3 x4 - 1000000 x5 = -3
 r4: - 7 x0 + 0.01 x1 - 1000000 x3 + 2 x4 <= 10004.99
Bounds
 Constant = 1
 x0 >= -1
 x1 >= -3
 x2 free
 x3 free
 -inf <= x4 <= 1e-07
 0.5 <= x5 <= 1000000.5
Generals
 x1 x3
End
"""
# Simplex ends a hundredth short of this one's optimum, within its tolerance of a dual.
SHORT = """\
Minimize
 obj: 0 x0 + 3 x1 - 0.01 x2 + 3 x3 - 0.5 x4 + 0.5 x5
Subject To
 r0: -0.01 <= - 10000 x0 + 3 x1 - x2 + 0.5 x4 <= 999999.99
 r1: - 10000 x0 - x1 + 7 x2 + 3 x3 - 1000000 x5 <= -1990014.5
 r2: - 10000 x0 + 0.01 x1 + 1000000 x2 + 0.01 x3 - x4 - 7 x5 >= -990013.495
 r3: - 1000000 x0 - 3 x1 + 7 x2 + 1000000 x3 + x4 + 7 x5 >= 1000005
 r4: - 1000000 x0 - 10000 x1 - 0.01 x2 + 0.5 x3 + 1000000 x4 + x5 <= -0.5
Bounds
 -inf <= x0 <= 0.5
 x1 >= 0.5
 x2 free
 x4 <= 10
Semi-Continuous
 x1 x3 x4 x5
End
"""
# SCIP calls this one optimal at 10.9.
SEMI = """\
Maximize
 obj: - 3 x0 - 5 x1 + 5 x2 - 2 x3 - 2 x4 + 2 x5 + 3.5 Constant
Subject To
 r0: - 4 x0 - 5 x1 + 3 x2 - 2 x3 + x5 <= -4
 r1: 4 x2 - 2 x4 - 5 x5 >= -3
Bounds
 Constant = 1
 x0 >= 1
 -inf <= x2 <= 3
 x3 free
 -1 <= x4 <= -0.99999
Semi-Continuous
 x0 x5
End
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BROKEN, "optimum -8"),
        (NONE_LEFT, "optimum 2"),
        (BY_A_HAIR, "unbounded"),
        (LOST, "unbounded"),
        (SHORT, "optimum 3.99519028"),
        (SEMI, "unbounded"),
    ],
)
def test_what_a_solver_calls_otherwise_is_told_right(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text(text)
    if "Semi" in text:
        pytest.importorskip("pyscipopt")
    assert ordojo.whynot(tmp_path / "a.lp", "x0 <= 1e6").before.text() == told
    found = ordojo.solve(tmp_path / "a.lp")
    assert found.status == (Status.UNBOUNDED if told == "unbounded" else Status.OPTIMAL)
    if found.objective is not None:
        assert found.objective == pytest.approx(float(told.removeprefix("optimum ")))
    assert ordojo.explain(tmp_path / "a.lp").status == found.status


def test_of_several_objectives_the_figures_are_said_to_be_the_firsts(tmp_path: Path) -> None:
    goals = "".join(
        f" O{k}: Priority={2 - k} Weight=1 AbsTol=0 RelTol=0\n {sum_}\n"
        for k, sum_ in enumerate(("x + y", "x"))
    )
    text = f"Minimize multi-objectives\n{goals}Subject To\n c: x + y >= 2\nEnd\n"
    (tmp_path / "a.lp").write_text(text)
    said = "Of 2 objectives the figures are the first one's"
    told = ordojo.whynot(tmp_path / "a.lp", "x >= 2").text()
    assert said in told and "no bound proved" not in told
    assert said in ordojo.explain(tmp_path / "a.lp").text()
    with pytest.raises(UsageError, match="several objectives; change them in its own source"):
        ordojo.whatif(tmp_path / "a.lp", ["obj.x = 2"])


def test_coefficients_that_highs_leaves_out_are_told(
    read: Any, caplog: pytest.LogCaptureFixture
) -> None:
    model = read("minimize\n x\nsubject to\n c: x + 1e-12 y >= 1\n d: y <= 1e12\nend\n")
    said = "HiGHS leaves out coefficients of 1e-12 and less, 1 in all, as that of 'y' in row 'c'"
    assert said in ordojo.worth(model, "c").text() and said in ordojo.explain(model).text()
    with caplog.at_level("WARNING", "ordojo"):
        ordojo.solve(model)
    assert said in caplog.text
    assert said not in ordojo.worth(read(BAKERY), "oven").text()


@pytest.mark.parametrize("most", ["4", "1e30"])
def test_a_semicontinuous_optimum_is_proved(most: str, read: Any) -> None:
    text = f"minimize\n x + 2 y\nsubject to\n c: x + y >= 3\nbounds\n x <= {most}\nsemi\n x\nend\n"
    if most != "4":
        pytest.importorskip("pyscipopt")
    assert "As it is: optimum 3." in ordojo.worth(read(text), "c").text()


@pytest.mark.parametrize(
    ("low", "beginning"),
    [("1.0000001", "It is feasible to"), ("0.5", "Changed, it is feasible to")],
)
def test_an_optimum_by_tolerance_is_told_as_that_by_every_question(
    low: str, beginning: str, tmp_path: Path
) -> None:
    rows = f" a: x + y <= 1\n b: x + y >= {low}\n c: x - y <= 0.5\n"
    path = tmp_path / "a.lp"
    path.write_text(f"Minimize\n x + 2 y\nSubject To\n{rows}End\n")
    already = low != "0.5"
    told = [
        ordojo.whatif(path, ["b >= 1.0000001"]).text(),
        ordojo.whynot(path, "b >= 1.0000001").text(),
    ]
    assert all(f"\n{beginning} the solver's tolerance only: row 'a'" in one for one in told)
    said = [
        ordojo.worth(path, "c").text(),
        ordojo.suspects(path).text(),
        ordojo.explain(path).text(),
    ]
    assert all(("tolerance only: row 'a'" in one) == already for one in said)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.json", '{"SolutionInfo": {"Status": 2}, "Vars": [{"VarName": "y", "X": 4.5}]}'),
        (
            "p.sol",
            "# Primal solution values\nFeasible\n# Columns -1\ny 4.5 1\n# Rows 1\nc 4.5 0\n",
        ),
    ],
)
def test_a_plan_of_the_columns_that_are_not_0(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "a.lp").write_text("Minimize\n x + 2 y\nSubject To\n c: x + y >= 4\nEnd\n")
    found = ordojo.check(tmp_path / "a.lp", tmp_path / name)
    assert (found.feasible, found.objective, found.missing) == (True, 9.0, ("x",))
