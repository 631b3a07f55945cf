"""The description's length: counted from changes as from scratch, blind to order; what it finds."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from perf.problems import sample
from perf.score import nameless, relation, shuffled

from ordojo.problems.registry import NAMES
from ordojo.structures.abstraction import abstract, check, write
from ordojo.structures.arrays import numbered
from ordojo.structures.flat import Flat, NameBuffer, flat_model
from ordojo.structures.grouping import partition
from ordojo.structures.grouping.description import (
    PARTS,
    PartitionSearch,
    State,
    Which,
    sides,
    unnamed,
)
from tests.structures.test_grouping import Row, goals, inventory, model

SIDES: tuple[Which, Which] = ("cols", "rows")
BUILT = dict(zip(NAMES, sample(len(NAMES)), strict=True))


def exact(flat: Flat, folder: Path) -> bool:
    write(abstract(flat), folder)
    return bool(check(folder, flat).exact)


@pytest.mark.parametrize("name", ["lot_sizing", "min_cost_flow", "unit_commitment"])
def test_a_change_is_counted_as_from_scratch(name: str) -> None:
    built = BUILT[name]
    flat, draw = flat_model(built.model), np.random.default_rng(4)
    labels: dict[Which, np.ndarray] = {
        "cols": numbered(np.asarray(built.groups)), "rows": numbered(np.asarray(built.families))
    }  # fmt: skip
    state = State(sides(flat), labels)
    for which in SIDES:
        for some in ([0], [0, len(state.sizes[which]) - 1]):
            items = np.flatnonzero(np.isin(labels[which], some))
            part = numbered(draw.integers(0, 3, len(items)))
            changed = state.changed(which, items, part)
            assert state.after(which, items, part).tolist() == changed.parts().tolist()


def test_order_says_nothing() -> None:
    built = BUILT["power_dispatch"]
    flat = nameless(flat_model(built.model))
    mixed, cols, rows = shuffled(flat, 5)
    groups, families = np.asarray(built.groups), np.asarray(built.families)
    one = State(sides(flat), {"cols": groups, "rows": families}).parts()
    other = State(sides(mixed), {"cols": groups[cols], "rows": families[rows]}).parts()
    assert dict(zip(PARTS, one, strict=True)) == dict(zip(PARTS, other, strict=True))


@pytest.mark.parametrize(
    "name",
    ["diet", "product_mix", "bin_packing", "facility_location", "transportation", "blending"],
)
def test_small_models_without_names_keep_their_statements(name: str) -> None:
    built = BUILT[name]
    flat, cols, rows = shuffled(nameless(flat_model(built.model)), 2)
    found = partition(flat)
    assert relation(found.groups, np.asarray(built.groups)[cols]) == "same"
    assert relation(found.families, np.asarray(built.families)[rows]) == "same"


@pytest.mark.parametrize(
    ("col", "row"),
    [
        (b"x%d", b"c%d"),
        (b"x%d", b"_C%d"),
        (b"x_%d", b"row_%d"),
        (b"Var%d", b"Con%d"),
        (b"%d", b"e%d"),
    ],
)
@pytest.mark.parametrize("name", ["lot_sizing", "min_cost_flow", "unit_commitment"])
def test_how_numbers_are_spelled_makes_no_difference(name: str, col: bytes, row: bytes) -> None:
    flat = flat_model(BUILT[name].model)
    told, found = partition(nameless(flat)), partition(nameless(flat, col, row))
    assert np.array_equal(told.groups, found.groups)
    assert np.array_equal(told.families, found.families)


@pytest.mark.parametrize("row", [b"_C%d", b"eq%d", b"row_%d"])
def test_rows_that_are_numbered_beside_named_columns_have_no_names(row: bytes) -> None:
    flat = flat_model(BUILT["unit_commitment"].model)
    told = replace(flat, rows=nameless(flat).rows)
    found = replace(flat, rows=nameless(flat, row=row).rows)
    assert np.array_equal(partition(told).families, partition(found).families)


def test_rows_that_pyomo_numbers_by_their_sense_have_no_names() -> None:
    flat = nameless(flat_model(BUILT["unit_commitment"].model), b"x%d")
    sense = {ord("E"): b"e", ord("L"): b"u", ord("G"): b"l"}
    rows = [b"c_%s_x%d_" % (sense[one], k) for k, one in enumerate(flat.senses.tolist())]
    found = partition(replace(flat, rows=NameBuffer.of(rows)))
    assert np.array_equal(found.families, partition(flat).families)
    assert not found.rows_named


def test_a_search_stops_at_its_budget() -> None:
    flat = nameless(flat_model(BUILT["unit_commitment"].model))
    free: dict[Which, np.ndarray] = {"cols": np.ones(flat.n, bool), "rows": np.ones(flat.m, bool)}
    search = PartitionSearch(flat, unnamed(flat), free)
    search.left = 0
    start: dict[Which, np.ndarray] = {k: numbered(kinds) for k, kinds in search.fixed.items()}
    state = State(sides(flat), start)
    assert search.run(state) is state


def test_a_model_of_one_row(tmp_path: Path) -> None:
    flat, _, _ = model([("only", "L", {f"x,{j}": 1.0 + j for j in range(5)}, 9.0)], "x")
    assert partition(flat).families.tolist() == [0]
    assert exact(flat, tmp_path)


def test_a_model_of_no_pattern(tmp_path: Path) -> None:
    draw = np.random.default_rng(9)
    rows = [
        (str(i), "LGE"[draw.integers(3)],
         {f"x,{j}": float(draw.normal()) for j in draw.choice(30, draw.integers(1, 12), False)},
         float(draw.normal()))
        for i in range(40)
    ]  # fmt: skip
    flat, _, _ = model(rows)
    found = partition(flat)
    assert len(found.families) == 40
    assert exact(flat, tmp_path)


@pytest.mark.parametrize("rows", [inventory(40), goals()], ids=["inventory", "goals"])
def test_names_that_lie_cost_no_exactness(rows: list[Row], tmp_path: Path) -> None:
    """Two groups under one name, then one group under two."""
    flat, groups, _ = model(rows, "setup choose")
    one = [b"thing[%d]" % k for k in range(flat.n)]
    two = [b"%s[%d]" % (b"odd" if g == 0 and k % 2 else b"abc"[g : g + 1], k)
           for k, g in enumerate(groups.tolist())]  # fmt: skip
    for number, names in enumerate((one, two)):
        lying = Flat(**{**vars(flat), "cols": NameBuffer.of(names)})
        assert len(partition(lying).groups) == flat.n
        assert exact(lying, tmp_path / str(number))
