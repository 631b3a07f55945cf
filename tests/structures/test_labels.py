"""Every semantic type, scaffold and MIPLIB class on models that have it by construction."""

import os
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from perf.problems import sample
from perf.score import nameless

from ordojo.api.structures import write_structure
from ordojo.problems.registry import NAMES, get_template
from ordojo.structures import abstract, read_flat
from ordojo.structures.flat import Flat, flat_model
from ordojo.structures.labels import CLASSES, Labels, Scaffold, Semantic, label
from ordojo.structures.labels.labels import classify, decide
from ordojo.structures.labels.view import Rows
from ordojo.structures.recognition import UNDETERMINED
from tests.structures.toys import flat_of

BUILT = dict(zip(NAMES, sample(len(NAMES)), strict=True))

BINARY = "x1 x2 x3 x4"
INTEGER = "n1 n2 n3"


def lp(rows: Iterable[str], extra: str = "", binaries: str = BINARY, bounds: str = "") -> str:
    """An LP file; `y`s are continuous, y4 free."""
    objective = f"obj: {' + '.join(f'{name}' for name in (BINARY + ' ' + INTEGER).split())}"
    lines = "\n".join(f" r{k}: {row}" for k, row in enumerate(rows))
    text = f"Minimize\n {objective} + y1 + y2 + y3 + y4\nSubject To\n{lines}\nBounds\n y4 free\n"
    return f"{text} y1 <= 50\n{bounds}{extra}General\n {INTEGER}\nBinary\n {binaries}\nEnd\n"


def rows_of(folder: Path, rows: dict[str, str], binaries: str = "", bounds: str = "") -> Flat:
    """A model whose rows are given by name, all columns in the objective."""
    words = " ".join(rows.values()).replace("-", " ").replace("+", " ").split()
    names = list(dict.fromkeys(word for word in words if word[0].isalpha()))
    lines = "\n".join(f" {name}: {row}" for name, row in rows.items())
    kinds = f"Binary\n {' '.join(n for n in names if n[0] in binaries)}\n" if binaries else ""
    text = f"Minimize\n obj: {' + '.join(names)}\nSubject To\n{lines}\nBounds\n{bounds}{kinds}End\n"
    return flat_of(folder, text)


def family(folder: Path, rows: dict[str, str], binaries: str = "", bounds: str = "") -> Labels:
    """The labels of such a model."""
    flat = rows_of(folder, rows, binaries, bounds)
    return label(flat, abstract(flat))


S = Semantic
ROWS = [
    ("x1 + x2 + x3 = 1", S.EXACTLY_ONE, "set partitioning"),
    ("2 x1 + 2 x2 + 2 x3 = 2", S.EXACTLY_ONE, "set partitioning"),
    ("x1 + x2 + x3 <= 1", S.AT_MOST_ONE, "set packing"),
    ("x1 + x2 + x3 >= 1", S.AT_LEAST_ONE, "set covering"),
    ("x1 + x2 + x3 = 2", S.EQUALITY, "cardinality"),
    ("x1 + x2 + x3 <= 2", S.UPPER_SUM, "invariant knapsack"),
    ("x1 + x2 + x3 >= 2", S.LOWER_SUM, "mixed binary"),
    ("x1 + x2 + x3 <= 0", S.UPPER_SUM, "invariant knapsack"),
    ("x1 + x2 + x3 = 0", S.EQUALITY, "cardinality"),
    ("x1 + x2 + x3 <= -1", S.UPPER_SUM, "mixed binary"),
    ("2 x1 + 3 x2 + x3 <= -1", S.UPPER_WEIGHTED_SUM, "mixed binary"),
    ("2 x1 + 3 x2 + 4 x3 = 5", S.EQUALITY, "equation knapsack"),
    ("2 x1 + 3 x2 + 4 x3 <= 4", S.UPPER_WEIGHTED_SUM, "bin packing"),
    ("2 x1 + 3 x2 + 4 x3 <= 6", S.UPPER_WEIGHTED_SUM, "knapsack"),
    ("2 x1 + 3 x2 + 4 x3 >= 6", S.LOWER_WEIGHTED_SUM, "mixed binary"),
    ("n1 + 2 n2 + 3 n3 <= 9", S.UPPER_WEIGHTED_SUM, "integer knapsack"),
    ("n1 + 2 n2 - 3 n3 <= 9", S.UPPER_WEIGHTED_SUM, "general linear"),
    ("y1 + 2 y2 + x1 >= 4", S.LOWER_WEIGHTED_SUM, "mixed binary"),
    ("- y1 - 2 y2 <= -4", S.LOWER_WEIGHTED_SUM, "mixed binary"),
    ("y1 + y2 + y3 >= 4", S.LOWER_SUM, "mixed binary"),
    ("y1 + y2 = 3", S.EQUALITY, "aggregation"),
    ("y1 - y2 <= 3", S.COMPARISON, "precedence"),
    ("3 y1 - y2 <= 0", S.COMPARISON, "mixed binary"),
    ("x1 - x2 <= 0", S.IMPLICATION, "precedence"),
    ("x1 + x2 - x3 <= 1", S.IMPLICATION, "invariant knapsack"),
    ("x1 - x2 - x3 <= 0", S.IMPLICATION, "invariant knapsack"),
    ("x1 + x2 + x3 - x4 <= 0", S.IMPLICATION, "set packing"),
    ("y2 - 40 x1 <= 0", S.IMPLICATION, "variable bound"),
    ("y2 - 4 x1 >= 0", S.IMPLICATION, "variable bound"),
    ("2 x2 + 2 x3 + x4 - 5 x1 <= 0", S.IMPLICATION, "bin packing"),
    ("2 x2 + 2 x3 + x4 - 3 x1 <= 0", S.INDICATOR, "bin packing"),
    ("y1 + y2 - 40 x1 <= 0", S.INDICATOR, "mixed binary"),
    ("y1 + y2 - 4 x1 >= 0", S.INDICATOR, "mixed binary"),
    ("y2 - 40 x1 - 60 x2 <= 0", S.IMPLICATION, "mixed binary"),
    ("y2 - y3 + 1000 x1 <= 990", S.INDICATOR, "mixed binary"),
    ("y1 - 50 x1 <= 0", S.IMPLICATION, "variable bound"),
    ("2 y1 + 300 x1 <= 320", S.INDICATOR, "variable bound"),
    ("2 y2 + 30 x1 <= 320", S.UPPER_WEIGHTED_SUM, "variable bound"),
    ("y1 + y4 - 3 n1 <= 0", S.LOWER_PROPORTION, "general linear"),
    ("y4 - 0.3 y2 - 0.3 y3 <= 0", S.UPPER_PROPORTION, "mixed binary"),
    ("y4 - 0.3 y2 - 0.3 y3 >= 0", S.LOWER_PROPORTION, "mixed binary"),
    ("y2 <= 7", S.UPPER_BOUND, "singleton"),
    ("- 2 y2 <= -7", S.LOWER_BOUND, "singleton"),
    ("y2 = 7", S.EQUALITY, "singleton"),
]


def test_rows_have_their_type_and_class(tmp_path: Path) -> None:
    flat = flat_of(tmp_path, lp(row for row, _, _ in ROWS))
    rows = Rows.of(flat)
    rules, chosen = decide(rows)
    found = [
        (row, rules[k][0], CLASSES[c])
        for (row, _, _), k, c in zip(ROWS, chosen.tolist(), classify(rows).tolist(), strict=True)
    ]
    assert found == ROWS


def test_empty_and_free_rows(tmp_path: Path) -> None:
    path = tmp_path / "toy.mps"
    path.write_text(
        "NAME t\nROWS\n N o\n N p\n L r\nCOLUMNS\n x o 1 p 1\nRHS\nRANGES\nBOUNDS\nENDATA\n"
    )
    flat = read_flat(path)
    rules, chosen = decide(Rows.of(flat))
    classes = [CLASSES[k] for k in classify(Rows.of(flat))]
    assert {rules[k][0] for k in chosen} == {Semantic.DOMAIN}
    assert "empty" in classes


T = range(1, 11)
SCAFFOLDS = {
    "global": ({"budget": " + ".join(f"{i} x_{i}" for i in T) + " <= 20"}, Scaffold.GLOBAL),
    "single": (
        {f"cap_{j}": " + ".join(f"x_{i}_{j}" for i in T) + f" <= {j}" for j in range(4)},
        Scaffold.SINGLE_LOOP,
    ),
    "nested": (
        {
            f"cap_{j}_{t}": " + ".join(f"{i} x_{i}_{j}_{t}" for i in range(3)) + " <= 9"
            for j, t in product(range(4), T)
        },
        Scaffold.NESTED_LOOP,
    ),
    "coupled": (
        {f"bal_{t}": f"p_{t} + s_{t - 1} - s_{t} = {3 + t}" for t in T},
        Scaffold.COUPLED,
    ),
    "cyclic": (
        {f"rest_{i}_{t}": f"x_{i}_{t} + x_{i}_{t % 10 + 1} <= 1" for i in range(3) for t in T},
        Scaffold.CYCLIC,
    ),
    "two loops in one number": (
        {f"r_{k}": f"{2 + k} y_{k} - x_{k % 4 + 1} <= {k}" for k in range(24)},
        Scaffold.SINGLE_LOOP,
    ),
    "window": (
        {f"w_{t}": " + ".join(f"x_{s}" for s in range(t, t + 4)) + " <= 2" for t in range(1, 8)},
        Scaffold.WINDOW,
    ),
    "window around the end": (
        {f"w_{t}": " + ".join(f"x_{(t + k - 1) % 10 + 1}" for k in range(4)) + " <= 2" for t in T},
        Scaffold.WINDOW,
    ),
    "cumulative window": (
        {f"w_{t}": " + ".join(f"x_{s}" for s in range(1, t + 1)) + " >= 2" for t in T},
        Scaffold.WINDOW,
    ),
    "pairwise": (
        {
            f"or_{i}_{j}": f"t_{j} - t_{i} - 90 x_{i}_{j} >= {i - 90}"
            for i, j in product(range(5), range(5))
            if i < j
        },
        Scaffold.PAIRWISE,
    ),
    "all pairs without their names": (
        {
            f"c{k}": f"x_{i} + x_{j} <= 1"
            for k, (i, j) in enumerate((i, j) for i in range(5) for j in range(i))
        },
        Scaffold.PAIRWISE,
    ),
}


@pytest.mark.parametrize("name", SCAFFOLDS)
def test_scaffolds(tmp_path: Path, name: str) -> None:
    rows, scaffold = SCAFFOLDS[name]
    labels = family(tmp_path, rows, "x", " t_0 <= 80\n")
    assert {found.scaffold for found in labels.families} == {scaffold}


ARCS = [(1, 2), (2, 3), (3, 4), (4, 1), (1, 3), (4, 2), (2, 5), (5, 4)]


def network(commodities: int) -> dict[str, str]:
    """Flow balances for each commodity, arcs that a binary opens."""
    rows: dict[str, str] = {}
    for k, n in product(range(commodities), range(1, 6)):
        out = [f"f_{k}_{i}_{j}" for i, j in ARCS if i == n]
        into = [f"f_{k}_{i}_{j}" for i, j in ARCS if j == n]
        level = 7 if n == k + 1 else -7 if n == 4 else 0
        rows[f"bal_{k}_{n}"] = f"{' + '.join(out)} - {' - '.join(into)} = {level}"
    for i, j in ARCS:
        total = " + ".join(f"f_{k}_{i}_{j}" for k in range(commodities))
        rows[f"open_{i}_{j}"] = f"{total} - 9 y_{i}_{j} <= 0"
    return rows


def test_commodities_are_copies(tmp_path: Path) -> None:
    labels = family(tmp_path, network(3), "y")
    balance, opened = labels.families
    assert (balance.semantic, balance.scaffold) == (Semantic.EQUALITY, Scaffold.REPLICATED)
    assert (opened.semantic, opened.scaffold) == (Semantic.INDICATOR, Scaffold.SINGLE_LOOP)
    assert labels.applications[0].sub == "Multi-Commodity Capacitated Network Design Problem"


def test_listed_members_are_subsets(tmp_path: Path) -> None:
    draw = np.random.default_rng(3)
    sets = [sorted(draw.choice(30, 6, replace=False).tolist()) for _ in range(20)]
    rows = {f"cover_{k}": " + ".join(f"x_{j}" for j in s) + " >= 1" for k, s in enumerate(sets)}
    labels = family(tmp_path, rows, "x")
    assert labels.families[0].scaffold == Scaffold.SUBSET
    assert labels.families[0].semantic == Semantic.AT_LEAST_ONE
    assert labels.families[0].miplib == "set covering"
    assert labels.families[0].classes == {"set covering": 20}
    assert labels.applications[0].sub == "Set Cover Problem"


def test_definitions_are_no_balances(tmp_path: Path) -> None:
    rows = {
        f"use_{t}": f"h_{t} - " + " - ".join(f"{i} x_{i}_{t}" for i in (2, 3)) + " = 0" for t in T
    }
    assert family(tmp_path, rows, "x").families[0].semantic == Semantic.AGGREGATION
    rows = {f"bal_{t}": f"p_{t} + s_{t - 1} - s_{t} = 0" for t in T}
    assert family(tmp_path, rows).families[0].semantic == Semantic.EQUALITY


def test_what_defines_a_coupled_group_is_coupled(tmp_path: Path) -> None:
    use = {f"use_{t}": f"h_{t} - 2 x_1_{t} - 3 x_2_{t} = 0" for t in T}
    smooth = {f"up_{t}": f"h_{t} - 1.1 h_{t - 1} <= 0" for t in T if t > 1}
    assert [one.scaffold for one in family(tmp_path, use).families] == [Scaffold.SINGLE_LOOP]
    labels = family(tmp_path, use | smooth)
    assert [one.scaffold for one in labels.families] == [Scaffold.COUPLED, Scaffold.COUPLED]


def test_ratios_within_a_group_are_proportions(tmp_path: Path) -> None:
    rows = {
        f"quality_{b}": " ".join(f"{q:+} x_{i}_{b}" for i, q in enumerate((3, -2, 5, -1))) + " <= 0"
        for b in range(6)
    }
    assert family(tmp_path, rows).families[0].semantic == Semantic.UPPER_PROPORTION


def test_groups_have_domains_and_bounds(tmp_path: Path) -> None:
    rows = {f"r_{k}": f"x_{k} + y_{k} + z_{k} <= 3" for k in range(4)}
    bounds = "".join(f" 2 <= y_{k} <= 8\n z_{k} free\n" for k in range(4))
    labels = family(tmp_path, rows, "x", bounds)
    kinds = [[semantic for semantic, _ in group.semantics] for group in labels.groups]
    assert kinds == [
        [Semantic.DOMAIN],
        [Semantic.UPPER_BOUND, Semantic.LOWER_BOUND],
        [Semantic.DOMAIN],
    ]
    assert labels.groups[0].semantics[0][1] == "all are binary"


def test_an_indicator_section_is_one(tmp_path: Path) -> None:
    path = tmp_path / "toy.mps"
    path.write_text(
        "NAME t\nROWS\n N o\n L c1\n L c2\nCOLUMNS\n"
        " M1 'MARKER' 'INTORG'\n b o 1\n M2 'MARKER' 'INTEND'\n"
        " y1 o 1 c1 1\n y1 c2 1\n y2 c1 1 c2 2\nRHS\n R c1 4 c2 4\n"
        "BOUNDS\n BV B b\nINDICATORS\n IF c1 b 1\nENDATA\n"
    )
    flat = read_flat(path)
    rules, chosen = decide(Rows.of(flat))
    types = [rules[k][0] for k in chosen]
    assert types == [Semantic.INDICATOR, Semantic.UPPER_WEIGHTED_SUM]


APPLICATIONS = {
    "Capacitated Lot-Sizing Problem": (
        {
            f"bal_{i}_{t}": f"p_{i}_{t} + s_{i}_{t - 1} - s_{i}_{t} = {3 + t}"
            for i in (1, 2)
            for t in T
        }
        | {f"set_{i}_{t}": f"p_{i}_{t} - 90 x_{i}_{t} <= 0" for i in (1, 2) for t in T}
        | {f"cap_{t}": f"2 p_1_{t} + 3 p_2_{t} <= 50" for t in T}
    ),
    "Facility Location Problem": (
        {f"serve_{i}": " + ".join(f"a_{i}_{j}" for j in range(5)) + " = 1" for i in T}
        | {f"open_{i}_{j}": f"a_{i}_{j} - x_{j} <= 0" for i in T for j in range(5)}
    ),
    "Bin Packing Problem": (
        {f"one_{i}": " + ".join(f"a_{i}_{j}" for j in range(5)) + " = 1" for i in T}
        | {
            f"bin_{j}": " + ".join(f"{2 + i % 3} a_{i}_{j}" for i in T) + f" - 9 x_{j} <= 0"
            for j in range(5)
        }
    ),
    "Assignment Problem": (
        {f"row_{i}": " + ".join(f"x_{i}_{j}" for j in T) + " = 1" for i in T}
        | {f"col_{j}": " + ".join(f"x_{i}_{j}" for i in T) + " = 1" for j in T}
    ),
    "Pairwise Disjunctive Scheduling": (SCAFFOLDS["pairwise"][0]),
    "Knapsack Problem": (SCAFFOLDS["global"][0]),
}


@pytest.mark.parametrize("name", APPLICATIONS)
def test_application_classes(tmp_path: Path, name: str) -> None:
    labels = family(tmp_path, APPLICATIONS[name], "xa", " t_0 <= 80\n")
    best = labels.applications[0]
    assert best.sub == name and best.evidence and 0 < best.score <= 1
    scores = [guess.score for guess in labels.applications]
    assert scores == sorted(scores, reverse=True)


def test_json_is_plain_and_repeats(tmp_path: Path) -> None:
    import json

    first = json.dumps(family(tmp_path, network(2), "y").to_json())
    assert first == json.dumps(family(tmp_path, network(2), "y").to_json())
    assert '"semantic": "equality"' in first and '"scaffold": "replicated"' in first


PUBLISHED = {
    "30n20b8": ("CapMech_", Scaffold.WINDOW),
    "flugpl": ("ANZ", Scaffold.COUPLED),
    "flugplinf": ("Flow_Balance_M", Scaffold.COUPLED),
    "bnatt400": ("unique_config_", Scaffold.SINGLE_LOOP),
    "assign1-5-8": ("assign_task_T", Scaffold.SINGLE_LOOP),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_scaffolds_that_the_paper_names(name: str) -> None:
    root = os.environ.get("ORDOJO_DATA")
    if not root:
        pytest.skip("ORDOJO_DATA is not set")
    flat = read_flat(Path(root) / "mnl-mps" / f"{name}.mps.xz")
    found = abstract(flat)
    prefix, scaffold = PUBLISHED[name]
    labels = label(flat, found).families
    mine = [
        one.scaffold
        for one, spec in zip(labels, found.families, strict=True)
        if spec["names"].get("pieces", [""])[0] == prefix
    ]
    assert mine == [scaffold]


@pytest.mark.parametrize(
    ("name", "main"),
    [("lot_sizing", "Production Planning"), ("production_planning", "Production Planning"),
     ("max_flow", "Network Flow"), ("network_design", "Network Flow")],
)  # fmt: skip
def test_a_stock_is_no_network_without_names(name: str, main: str) -> None:
    flat = nameless(flat_model(BUILT[name].model))
    assert label(flat, abstract(flat)).applications[0].major.startswith(main)


def test_no_wrong_class_is_stated_without_names(tmp_path: Path) -> None:
    """Of each template its own class, or none; and no percentage beside what it resembles."""
    stated = 0
    for name, built in BUILT.items():
        numbers = (tuple(f"x{k}" for k in range(count)) for count in (built.model.n, built.model.m))
        model = replace(built.model, **dict(zip(("col_names", "row_names"), numbers, strict=True)))
        written = write_structure(model, tmp_path / name)
        own = get_template(name).application
        said = tuple(written.labels["class"])
        assert said in (own, UNDETERMINED), name
        assert (f"class: {own[1]} ({own[0]})" in written.table) == (said == own)
        assert "%" not in written.table
        stated += said == own
    assert stated >= 30
