"""A declaration written by hand becomes the model that its formulas say."""

from dataclasses import replace

import numpy as np
import pytest

from ordojo.core.errors import GeneratorError
from ordojo.formulation.algebra import Linear, Loop, Matching, Row, Uses, loops, row, total, uses
from ordojo.formulation.build import build
from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.milp.model import INF, VarType

SPEC = Spec(
    scenario="Two mines and two towns.",
    sets=(
        Set("I", "mine", "mines", table="mines", key=("mine",)),
        Set("A", "road", "roads", table="roads", key=("from", "to")),
        Set("T", "day", "days", size="n_days"),
    ),
    parameters=(
        Parameter("n_days", "number of days"),
        Parameter("most", "most ore", "tons", ("I",), "mines"),
        Parameter("cost", "cost", "dollars", ("A",), "roads"),
    ),
    groups=(
        Group("ore", "for (i, j) in A for t in T", "ore", "continuous", upper="10 * t"),
        Group("on", "for i in I", "switch", "binary"),
        Group("level", "", "level", "integer", lower=""),
    ),
    families=(
        Family(
            "limit",
            "for i in I for t in T if t >= 2",
            "sum(ore[m, j, t] for (m, j) in A if m == i) - 1 <= most[i] * on[i] - 3",
            "-",
            Semantic.INDICATOR,
            Scaffold.NESTED_LOOP,
        ),
        Family(
            "total",
            "",
            "level == sum(ore[i, j, t] for (i, j) in A for t in T)",
            "-",
            Semantic.AGGREGATION,
            Scaffold.GLOBAL,
        ),
    ),
    objective=Objective(
        "maximize",
        "2 * level - sum(cost[a] * ore[i, j, t] for a in A"
        " for (i, j) in A for t in T if a == (i, j)) + 5",
        "-",
    ),
)
TABLES = {
    "mines": {"mine": [1, 2], "most": [7, 9]},
    "roads": {"from": [1, 1, 2], "to": [1, 2, 2], "cost": [3, 4, 0.5]},
    "parameters": {"n_days": [2]},
}


def test_the_model_is_what_the_formulas_say():
    built = build(SPEC, TABLES, "ore")
    model = built.model
    ore = [f"ore[{i},{j},{t}]" for i, j in ((1, 1), (1, 2), (2, 2)) for t in (1, 2)]
    assert model.col_names == (*ore, "on[1]", "on[2]", "level")
    assert model.row_names == ("limit[1,2]", "limit[2,2]", "total")
    assert model.col_upper.tolist() == [10, 20, 10, 20, 10, 20, 1, 1, INF]
    assert model.col_lower.tolist() == [0] * 8 + [-INF]
    kinds = [VarType.CONTINUOUS] * 6 + [VarType.BINARY] * 2 + [VarType.INTEGER]
    assert model.types.tolist() == kinds
    assert model.maximize and model.offset == 5
    assert model.objective.tolist() == [-3, -3, -4, -4, -0.5, -0.5, 0, 0, 2]
    dense = np.zeros((3, 9))
    dense[model.entry_rows, model.index] = model.value
    assert dense.tolist() == [
        [0, 1, 0, 1, 0, 0, -7, 0, 0],
        [0, 0, 0, 0, 0, 1, 0, -9, 0],
        [-1, -1, -1, -1, -1, -1, 0, 0, 1],
    ]
    assert model.row_lower.tolist() == [-INF, -INF, 0]
    assert model.row_upper.tolist() == [-2, -2, 0]
    assert built.groups.tolist() == [0] * 6 + [1, 1, 2]
    assert built.families.tolist() == [0, 0, 1]
    assert built.row_keys == ((1, 2), (2, 2), ())
    assert built.column_keys[3] == (1, 2, 2)


def test_a_row_without_variables_is_an_error():
    tables = {**TABLES, "roads": {"from": [1], "to": [1], "cost": [1]}}
    family = Family(
        "empty",
        "for i in I",
        "sum(ore[m, j, 1] for (m, j) in A if m == i) >= 1",
        "-",
        Semantic.LOWER_SUM,
        Scaffold.SINGLE_LOOP,
    )
    spec = replace(SPEC, families=(family,))
    with pytest.raises(GeneratorError, match=r"empty\[2\] of ore has no variable"):
        build(spec, tables, "ore")


def test_a_missing_column_is_named():
    with pytest.raises(GeneratorError, match="table 'mines' lacks the column 'most'"):
        build(SPEC, {**TABLES, "mines": {"mine": [1, 2]}})


def test_scopes_and_uses_are_machine_readable():
    assert loops(SPEC.family("limit").scope) == (
        Loop(("i",), "I", ()),
        Loop(("t",), "T", ("t >= 2",)),
    )
    family = SPEC.family("limit")
    assert uses(SPEC, family.scope, family.rule) == Uses(
        sets=("I", "T", "A"), parameters=("most",), groups=("ore", "on")
    )
    with pytest.raises(GeneratorError, match="is no expression"):
        loops("for i in")


def test_sums_keep_constants_and_coefficients():
    x, y = Linear({0: 1.0}), Linear({1: 1.0})
    found = total([2 * x, 3, y - x, 1 - y * 2])
    assert found.terms == {0: 1.0, 1: -1.0} and found.constant == 4
    assert total([1, 2]) == 3
    made = row(3 - x, ">=", 2 * y + x)
    assert made == Row({0: -2.0, 1: -2.0}, -3.0, INF)
    assert row(5, "<=", 2 * x) == Row({0: 2.0}, 5.0, INF)
    assert row(x, "=", 4, -3.0) == Row({0: 1.0}, 1.0, 4.0)
    assert row(x, ">=", 4, -3.0) == Row({0: 1.0}, 4.0, 7.0)
    assert row(x, "free", 4).low == -INF
    with pytest.raises(TypeError):
        x * y  # type: ignore[operator]


def test_matching_finds_what_a_search_finds():
    pairs, matching = [(1, 2), (3, 2), (1, 4)], Matching()
    assert matching(pairs, "i", lambda i, j: i, 1) == [(1, 2), (1, 4)]
    assert matching(pairs, "j", lambda i, j: j, 2) == [(1, 2), (3, 2)]
    assert matching(pairs, "j", lambda i, j: j, 9) == []
