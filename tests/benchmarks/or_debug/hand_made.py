"""Small debugging problems written by hand, whose answers can be seen at a glance."""

from typing import Any

from ordojo.benchmarks.or_debug.schema import Debugging, make_instance
from ordojo.core.instance import Instance
from ordojo.milp.model import Model, VarType
from tests.milp.builder import ModelBuilder

TEXT = "A bakery {bakes} at most 100 loaves; white at least 60, rye at least 40, each pays 3 and 2."


def bakery(
    rye: float = 40.0, white_upper: float = 90.0, kind: VarType = VarType.CONTINUOUS
) -> Model:
    b = ModelBuilder("bakery", maximize=True)
    b.col("white", cost=3.0, upper=white_upper, kind=kind)
    b.col("rye", cost=2.0, upper=80.0)
    b.row("oven", {"white": 1.0, "rye": 1.0}, "<=", 100.0)
    b.row("white_order", {"white": 1.0}, ">=", 60.0)
    b.row("rye_order", {"rye": 1.0}, ">=", rye)
    b.row("flour", {"white": 2.0, "rye": 1.0}, "<=", 400.0)
    return b.build()


def problem(model: Model, target: str, fix: str, rows: tuple[str, ...], **other: Any) -> Debugging:
    return Debugging(
        index=0,
        split="train",
        type=other.get("type", "A"),
        family="bakery",
        text=TEXT,
        original=bakery().to_json(),
        sabotaged=model.to_json(),
        targets=(target,),
        fix=(fix,),
        iis_rows=rows,
        iis_bounds=other.get("iis_bounds", ()),
        objective=260.0,
    )


ROW = problem(
    bakery(rye=50.0), "rye_order", "RELAX(rye_order, -10)", ("oven", "white_order", "rye_order")
)
BOUND = problem(
    bakery(white_upper=55.0),
    "white.ub",
    "RELAX(white.ub, 35)",
    ("white_order",),
    iis_bounds=("white.ub",),
    type="H",
)


def instance(made: Debugging = ROW) -> Instance[Debugging]:
    return make_instance(made, {})
