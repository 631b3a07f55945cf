import pytest

from ordojo.benchmarks.or_debug.actions import Action, Invalid, parse_action
from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.repairs import apply_action, apply_fix
from ordojo.core.errors import DataError
from ordojo.milp.model import INF, Model, VarType
from ordojo.solvers.highs import HighsOracle
from tests.benchmarks.or_debug.puzzles import all_puzzles, workshop
from tests.milp.builder import ModelBuilder


def after(text: str, model: Model | None = None) -> Model | Invalid:
    action = parse_action(text)
    assert isinstance(action, Action), action
    return apply_action(model or workshop(VarType.INTEGER), action)


def model_of(text: str, model: Model | None = None) -> Model:
    found = after(text, model)
    assert isinstance(found, Model), found
    return found


@pytest.mark.parametrize(
    ("text", "row", "lower", "upper"),
    [
        ("RELAX(wood, 30)", 0, -INF, 90.0),
        ("RELAX(wood, -30)", 0, -INF, 30.0),
        ("RELAX(orders, -10)", 2, 20.0, INF),
        ("RELAX(ratio, 5)", 3, 5.0, 5.0),
        ("DROP(wood)", 0, -INF, INF),
        ("REWRITE(wood, tables - 2*chairs >= 7)", 0, 7.0, INF),
        ("REWRITE(wood, 1 <= tables <= 4)", 0, 1.0, 4.0),
    ],
)
def test_a_repair_moves_the_sides_of_its_row(
    text: str, row: int, lower: float, upper: float
) -> None:
    model = model_of(text)
    assert (model.row_lower[row], model.row_upper[row]) == (lower, upper)


def test_a_range_is_relaxed_on_the_side_that_the_sign_tells() -> None:
    model = workshop().with_row_bounds(0, 10.0, 60.0)
    up, down = model_of("RELAX(wood, 5)", model), model_of("RELAX(wood, -5)", model)
    assert (up.row_lower[0], up.row_upper[0]) == (10, 65)
    assert (down.row_lower[0], down.row_upper[0]) == (5, 60)


def test_rewriting_a_row_replaces_its_terms_alone() -> None:
    before = workshop()
    model = model_of("REWRITE(hours, 4 chairs <= 8)", before)
    assert [a.tolist() for a in model.row(1)] == [[1], [4.0]]
    assert [a.tolist() for a in model.row(2)] == [a.tolist() for a in before.row(2)]
    assert model.row_names == before.row_names


@pytest.mark.parametrize(
    ("text", "lower", "upper", "kind"),
    [
        ("RELAX(tables.ub, 5)", 0.0, 35.0, VarType.INTEGER),
        ("RELAX(lb(tables), -5)", -5.0, 30.0, VarType.INTEGER),
        ("DROP(tables.UB)", 0.0, INF, VarType.INTEGER),
        ("REWRITE(tables_ub, 12)", 0.0, 12.0, VarType.INTEGER),
        ("REWRITE(tables.lb, tables >= 3)", 3.0, 30.0, VarType.INTEGER),
        ("REWRITE(tables.lb, -2 tables <= 8)", -4.0, 30.0, VarType.INTEGER),
        ("REWRITE(tables.ub, inf)", 0.0, INF, VarType.INTEGER),
        ("REWRITE(tables.lb, 31)", 31.0, 30.0, VarType.INTEGER),
        ("REWRITE(tables.type, GRB.CONTINUOUS)", 0.0, 30.0, VarType.CONTINUOUS),
        ("REWRITE(tables.type, binary)", 0.0, 30.0, VarType.BINARY),
    ],
)
def test_a_repair_changes_a_bound_or_a_type(
    text: str, lower: float, upper: float, kind: VarType
) -> None:
    model = model_of(text)
    assert (model.col_lower[0], model.col_upper[0], model.types[0]) == (lower, upper, kind)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("RELAX(wod, 3)", "did you mean 'wood'"),
        ("DROP(tables)", "tables.lb or tables.ub"),
        ("RELAX(wood, nan)", "finite"),
        ("RELAX(wood, inf)", "finite"),
        ("RELAX(wood, 1e400)", "finite"),
        ("RELAX(wood, 1e13)", "1e+12"),
        ("RELAX(wood, 0)", "changes nothing"),
        ("RELAX(wood, 1e-30)", "too small"),
        ("RELAX(tables.type, 1)", "is a type"),
        ("DROP(tables.type)", "CONTINUOUS"),
        ("REWRITE(tables.type, real-valued)", "is no type"),
        ("REWRITE(tables.type, INTEGER)", "already"),
        ("REWRITE(wood, 2 tables + chairs <= 60)", "has that form already"),
        ("REWRITE(tables.ub, 30)", "has that form already"),
        ("REWRITE(tables.ub, nan)", "finite"),
        ("REWRITE(tables.ub, chairs <= 3)", "is a bound"),
        ("REWRITE(wood, stools <= 3)", "unknown variable 'stools' at position 0"),
        ("REWRITE(wood, tables*chairs <= 3)", "product of variables at position 6"),
        ("REWRITE(wood, tables < 3)", "strict sign '<' at position 7"),
        ("REWRITE(wood, 1e20 tables <= 3)", "too large"),
        ("REWRITE(wood, 1e-12 tables <= 3)", "too small"),
        ("REWRITE(wood, tables)", "at position"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(text: str, says: str) -> None:
    model = workshop(VarType.INTEGER)
    before = model.to_json()
    found = after(text, model)
    assert isinstance(found, Invalid)
    assert says in found.reason
    assert model.to_json() == before


def test_a_dropped_row_is_neither_relaxed_nor_dropped_but_may_be_rewritten() -> None:
    gone = model_of("DROP(wood)")
    relaxed, dropped = after("RELAX(wood, 3)", gone), after("DROP(wood)", gone)
    assert isinstance(relaxed, Invalid) and "was dropped" in relaxed.reason
    assert isinstance(dropped, Invalid) and "nothing to drop" in dropped.reason
    back = model_of("REWRITE(wood, 2 tables + chairs <= 60)", gone)
    assert back.to_json() == workshop(VarType.INTEGER).to_json()


def test_a_row_named_like_a_bound_wins() -> None:
    b = ModelBuilder("names")
    b.col("x")
    b.col('y["a"]')
    b.row("x_lb", {"x": 1.0}, ">=", 1.0)
    b.row("x.ub", {"x": 1.0}, "<=", 9.0)
    model = b.build()
    for text, part, name in (
        ("x_lb", ElementKind.ROW, "x_lb"),
        ("x.ub", ElementKind.ROW, "x.ub"),
        ("x.lb", ElementKind.LB, "x.lb"),
        ("UB(x)", ElementKind.UB, "x.ub"),
        ('y["a"].lb', ElementKind.LB, 'y["a"].lb'),
        ("x.type", ElementKind.TYPE, "x.type"),
    ):
        found = find_element(model, text)
        assert found is not None
        assert (found.part, found.name) == (part, name)
    assert find_element(model, "x") is None
    assert find_element(model, "") is None


def test_every_puzzle_is_solved_by_its_fix() -> None:
    for instance in all_puzzles():
        fixed = apply_fix(instance.problem.model, instance.problem.fix)
        found = HighsOracle().solve(fixed)
        assert found.objective == pytest.approx(instance.problem.objective)


@pytest.mark.parametrize("fix", ["DROP(nothing)", "hello", "GET_IIS"])
def test_a_fix_that_cannot_be_applied_raises(fix: str) -> None:
    with pytest.raises(DataError, match="cannot be applied"):
        apply_fix(workshop(), [fix])
