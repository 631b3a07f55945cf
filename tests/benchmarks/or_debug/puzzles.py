"""Small debugging problems, made by hand, with solver-checked IISs and objectives."""

from functools import cache

from ordojo.benchmarks.or_debug.schema import Debugging, make_instance
from ordojo.core.instance import Instance
from ordojo.milp.model import Model, VarType
from ordojo.solvers.highs import HighsOracle
from tests.milp.builder import ModelBuilder


def workshop(kind: VarType = VarType.CONTINUOUS, floor: float = 0.0, orders: float = 30.0) -> Model:
    """max 3 tables + 2 chairs: wood and hours are scarce, `orders` must be met."""
    b = ModelBuilder("workshop", maximize=True)
    b.col("tables", 3.0, floor, 30.0, kind)
    b.col("chairs", 2.0, 0.0, 40.0)
    b.row("wood", {"tables": 2.0, "chairs": 1.0}, "<=", 60.0)
    b.row("hours", {"tables": 1.0, "chairs": 1.0}, "<=", 40.0)
    b.row("orders", {"tables": 1.0, "chairs": 1.0}, ">=", orders)
    b.row("ratio", {"tables": 1.0, "chairs": -1.0}, "==", 0.0)
    return b.build()


def _instance(
    kind: str, original: Model, sabotaged: Model, targets: tuple[str, ...], fix: tuple[str, ...]
) -> Instance[Debugging]:
    oracle = HighsOracle()
    objective = oracle.solve(original).objective
    assert objective is not None
    iis = oracle.iis(sabotaged)
    problem = Debugging(
        index=0,
        split="eval",
        type=kind,
        family="workshop",
        text="A workshop makes as many tables as chairs.",
        original=original.to_json(),
        sabotaged=sabotaged.to_json(),
        targets=targets,
        fix=fix,
        iis_rows=iis.row_names(sabotaged),
        iis_bounds=iis.bound_names(sabotaged),
        objective=objective,
    )
    return make_instance(problem, {"highs": oracle.version})


@cache
def too_many_orders() -> Instance[Debugging]:
    """E-like: two rows must be repaired, `orders` and `wood`."""
    sabotaged = workshop(orders=50.0)
    sabotaged = sabotaged.with_row_bounds(0, -float("inf"), 30.0)
    return _instance(
        "E", workshop(), sabotaged, ("orders", "wood"), ("RELAX(orders, -20)", "RELAX(wood, 30)")
    )


@cache
def turned_orders() -> Instance[Debugging]:
    """E-like: one row, which does not bind at the optimum, asks for too much."""
    return _instance("E", workshop(), workshop(orders=50.0), ("orders",), ("RELAX(orders, -20)",))


@cache
def contradiction() -> Instance[Debugging]:
    """D: an added row that nothing asks for."""
    extra = workshop().with_new_row("mixing", (0, 1), (1.0, 2.0), 70.0, float("inf"))
    return _instance(
        "D",
        workshop().with_new_row("mixing", (0, 1), (1.0, 2.0), -float("inf"), float("inf")),
        extra,
        ("mixing",),
        ("DROP(mixing)",),
    )


@cache
def high_bound() -> Instance[Debugging]:
    """H: the lower bound of a column is the cause, a row the symptom."""
    return _instance(
        "H", workshop(), workshop(floor=28.0), ("tables.lb",), ("REWRITE(tables.lb, 0)",)
    )


@cache
def binary() -> Instance[Debugging]:
    """B: an integer column became binary."""
    original = workshop(VarType.INTEGER)
    return _instance(
        "B",
        original,
        original.with_type(0, VarType.BINARY),
        ("tables.type",),
        ("REWRITE(tables.type, INTEGER)",),
    )


def all_puzzles() -> list[Instance[Debugging]]:
    """One of each."""
    return [too_many_orders(), contradiction(), high_bound(), binary()]
