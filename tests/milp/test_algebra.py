"""Algebra comes back as the same row, to the last bit."""

import pytest

from ordojo.milp.algebra import bound_text, number, objective_text, row_text
from ordojo.milp.expressions import LinearConstraint, parse_constraint
from ordojo.milp.model import INF, Model, VarType
from tests.milp.toys import awkward_numbers, bakery, model_text, some_model


def test_what_rows_look_like() -> None:
    model = bakery()
    assert row_text(model, 0) == "2 bread + 3.25 x[1] - `odd name` <= 60"
    assert row_text(model, 1) == "-3 <= bread + x[a,2] <= 12"
    assert row_text(model, 2) == "bread free"
    assert row_text(model, 3) == "x[1] - x[a,2] = 1"
    assert row_text(model.with_row(3, [], [], 0.0, 5.0), 3) == "0 <= 0 <= 5"
    assert bound_text(model, 1) == "0 <= x[1] <= 10, integer"
    assert bound_text(model, 2) == "x[a,2] <= 7"
    assert objective_text(model) == "maximize 3 bread + 2.5 x[1] - x[a,2] + `odd name` + 5"
    assert "  tie: x[1] - x[a,2] = 1\n" in model_text(model)


@pytest.mark.parametrize("index", range(40))
def test_every_row_is_read_back_exactly(index: int) -> None:
    model = some_model(index)
    for i in range(model.m):
        found = parse_constraint(row_text(model, i), model.cols)
        columns, values = model.row(i)
        assert dict(zip(found.index, found.value, strict=True)) == dict(
            zip(columns.tolist(), values.tolist(), strict=True)
        )
        assert (found.lower, found.upper) == (model.row_lower[i], model.row_upper[i])


def test_every_number_is_read_back_exactly() -> None:
    model = bakery()
    for a, b in zip(awkward_numbers(600), reversed(awkward_numbers(600)), strict=True):
        row = model.with_row(0, [0, 3], [a, b], -INF, a)
        found = parse_constraint(row_text(row, 0), row.cols)
        assert found == LinearConstraint((0, 3), (a, b), -INF, a)


def test_names_that_look_like_other_things_come_back() -> None:
    names = ("1e5", "-x", "a b", "`", "nan", "inf", "sum", "x y", "a+b", "3", "c:", "m.addConstr(")
    model = some_model(0, (*names, "x[1", "é", "x.", "y;"))
    for i in range(model.m):
        found = parse_constraint(row_text(model, i), model.cols)
        assert sorted(found.index) == sorted(model.row(i)[0].tolist())


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.0, "2"), (0.1, "0.1"), (1e22, "1e+22"), (1e15, "1000000000000000"), (-0.5, "-0.5")],
)
def test_numbers_are_short_and_exact(value: float, text: str) -> None:
    assert number(value) == text
    assert float(text) == value
    assert number(INF) == "inf"


def test_a_copy_keeps_what_its_change_leaves_as_it_was() -> None:
    model = bakery()
    assert model.rows and model.cols and model.content_hash and model.effective_bounds
    changed = model.with_type(0, VarType.BINARY).with_row(3, [0], [1.0], 0.0, 5.0)
    assert changed.rows is model.rows and changed.content_hash != model.content_hash
    again = Model.from_json(changed.to_json())
    assert changed.content_hash == again.content_hash
    assert [side.tolist() for side in changed.effective_bounds] == [
        side.tolist() for side in again.effective_bounds
    ]
    assert changed.renamed(rows={"tie": "knot"}).rows["knot"] == 3
