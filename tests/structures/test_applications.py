"""What models resemble: every weight of a class's signature has a model whose guesses need it."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from perf.score import nameless

from ordojo.structures import abstract
from ordojo.structures.flat import Flat, flat_model
from ordojo.structures.labels import applications, label
from ordojo.structures.labels.applications import SIGNATURES, Traits, rank
from ordojo.structures.labels.view import LabelView
from tests.structures.test_labels import BUILT, T, rows_of

DRAW = np.random.default_rng(5)
TOYS: Mapping[str, tuple[dict[str, str], str]] = {
    "market share": (
        {
            f"s_{i}": " + ".join(f"{(7 * i + 13 * j) % 41 + 3} x_{j}" for j in range(12))
            + f" + u_{i} - v_{i} = 90"
            for i in range(3)
        },
        "x",
    ),
    "opened plants": (
        {f"serve_{i}": " + ".join(f"a_{i}_{j}" for j in range(5)) + " = 1" for i in T}
        | {
            f"open_{j}": " + ".join(f"{2 + i % 3} a_{i}_{j}" for i in T) + f" - 9 x_{j} <= 0"
            for j in range(5)
        },
        "x",
    ),
    "supply chain": (
        {
            f"node_{i}": " + ".join(f"f_{i}_{j}" for j in range(5) if j != i)
            + " - "
            + " - ".join(f"f_{j}_{i}" for j in range(5) if j != i)
            + f" + d_{i} - s_{i} = 0"
            for i in range(5)
        }
        | {f"need_{k}": f"d_{k} + d_{k + 1} >= {4 + k}" for k in range(4)}
        | {f"make_{k}": f"s_{k} + s_{k + 1} <= {9 + k}" for k in range(4)}
        | {f"use_{k}": f"s_{k} + 2 d_{k} <= {20 + k}" for k in range(5)},
        "",
    ),
    "generated columns": (
        {
            f"leg_{i}": " + ".join(
                f"x_{j}" for j in range(60) if (j * j * 7 + i * 13 + j) % 5 == 0 or j % 12 == i
            )
            + " = 1"
            for i in range(10)
        },
        "x",
    ),
    "many columns": (
        {
            f"cover_{i}": " + ".join(f"x_{j}" for j in sorted(DRAW.choice(60, 20, False))) + " >= 1"
            for i in range(5)
        },
        "x",
    ),
    "distances": (
        {
            f"apart_{i}_{j}": f"y_{i} - y_{j} >= {2 + i * j % 3}"
            for i in range(6)
            for j in range(i + 1, 6)
        },
        "",
    ),
}

GUESSES: dict[str, list[tuple[str, float, str]]] = {
    "bin_packing": [
        ("Bin Packing Problem", 0.9, "capacities that a binary opens, each item in exactly one"),
        ("Assignment Problem", 0.566, "exactly-one or at-most-one families, along two indices"),
        ("Clique / Conflict Packing", 0.481, "at most one of each listed set"),
        ("Structure-Based Assignment Problem", 0.273, "exactly-one families, with implications"),
    ],
    "disjunctive_scheduling": [
        ("Pairwise Disjunctive Scheduling", 0.75, "big-M disjunctions over pairs"),
    ],
    "facility_location": [
        ("Capacitated Facility Location Problem", 0.8, "links and capacities"),
        ("Facility Location Problem", 0.6, "served only by what is opened, a link for each pair"),
        ("Structure-Based Assignment Problem", 0.55, "exactly-one families, with implications"),
    ],
    "job_mode_time": [
        ("Job Shop Scheduling Problem", 0.65,
         "exactly one start, resources over windows of time, time-indexed binaries"),
        ("Knapsack Problem", 0.5, "a budget over yes-or-no decisions"),
        ("Assignment Problem", 0.277, "exactly-one or at-most-one families, and capacities alone"),
        ("Structure-Based Assignment Problem", 0.25, "exactly-one families"),
        ("Generic Graph-Indexed MILPs", 0.202, "weighted sums without a known structure"),
    ],
    "lot_sizing": [
        ("Capacitated Lot-Sizing Problem", 0.75,
         "stock balances from period to period, production only with a setup"),
        ("Production Planning Problem", 0.5, "periods are coupled, weighted resources"),
        ("Lot-Sizing Problem", 0.4, "stock balances from period to period"),
    ],
    "network_design": [
        ("Multi-Commodity Capacitated Network Design Problem", 0.5,
         "flow conservation, a copy for each commodity"),
        ("Network Flow Problem", 0.348, "flow conservation, in a share of the rows"),
    ],
    "round_trip": [
        ("Traveling Salesman Problem", 0.4,
         "one way in and out of each place, an order of visits over pairs"),
        ("Assignment Problem", 0.35, "exactly-one or at-most-one families, along two indices"),
        ("Structure-Based Assignment Problem", 0.25, "exactly-one families"),
        ("Generic Graph-Indexed MILPs", 0.156, "weighted sums without a known structure"),
    ],
    "scenario_transport": [
        ("Blending Problem", 0.427, "shares of continuous amounts"),
    ],
    "set_covering": [
        ("Dense Constraint Matrices", 0.6, "a dense matrix"),
        ("Set Cover Problem", 0.477, "each row needs one of a set"),
        ("Random Graph Cover / Pack (structural)", 0.341, "cover and pack over listed sets"),
    ],
    "shift_staffing": [
        ("Cutting Stock Problem", 0.567, "whole multiples of patterns, that meet demands"),
        ("Operations Optimization", 0.45, "a horizon that closes on itself"),
        ("Transportation Problem", 0.4,
         "amounts summed along two indices, what leaves and what arrives"),
    ],
    "transportation": [
        ("Transportation Problem", 0.7,
         "sums alone, amounts summed along two indices, what leaves and what arrives"),
        ("Small Misc. MILPs", 0.2, "mixed constraints"),
    ],
    "nameless job_mode_time": [
        ("Knapsack Problem", 0.3, "weighted capacities on whole decisions"),
        ("Assignment Problem", 0.277, "exactly-one or at-most-one families, and capacities alone"),
        ("Structure-Based Assignment Problem", 0.25, "exactly-one families"),
        ("Generic Graph-Indexed MILPs", 0.202, "weighted sums without a known structure"),
    ],
    "distances": [
        ("Compatibility / Separation Scheduling", 0.5, "distances between pairs of times"),
        ("Dense Constraint Matrices", 0.15, "in one block"),
    ],
    "generated columns": [
        ("Aircraft Assignment Problem", 0.85,
         "exactly one of many listed columns a row, a set partitioning over generated columns"),
        ("Random Graph Cover / Pack (structural)", 0.5, "cover and pack over listed sets"),
        ("Assignment Problem", 0.4, "exactly-one or at-most-one families"),
        ("Structure-Based Assignment Problem", 0.25, "exactly-one families"),
    ],
    "many columns": [
        ("Set Cover Problem", 0.9, "each row needs one of a set, nothing but covering"),
        ("Transportation Problem", 0.8, "few rows covered by very many columns"),
        ("Random Graph Cover / Pack (structural)", 0.5, "cover and pack over listed sets"),
        ("Dense Constraint Matrices", 0.15, "in one block"),
    ],
    "market share": [
        ("Market Share Optimization Problem", 0.8, "few dense equalities"),
        ("Dense Constraint Matrices", 0.15, "in one block"),
    ],
    "opened plants": [
        ("Capacitated Facility Location Problem", 0.5, "capacities that opening gives"),
    ],
    "supply chain": [
        ("Production Planning Problem", 0.7,
         "periods are coupled, without setups, weighted resources"),
        ("Supply Chain Optimization", 0.5, "what comes in goes on, to demands, in several stages"),
        ("Network Flow Problem", 0.356, "flow conservation, in a share of the rows"),
        ("Minimum Cost Flow Problem", 0.278, "flow conservation"),
    ],
}  # fmt: skip
"""By model its guesses: class, score, evidence; "mixed constraints", which all have, once."""


@pytest.fixture(scope="module")
def traits(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Traits]:
    """The traits of each model of the table."""

    def of(name: str) -> Flat:
        if name in TOYS:
            return rows_of(tmp_path_factory.mktemp("toy"), *TOYS[name])
        flat = flat_model(BUILT[name.removeprefix("nameless ")].model)
        return nameless(flat) if name.startswith("nameless ") else flat

    found = {}
    for name in GUESSES:
        flat = of(name)
        abstraction = abstract(flat)
        families = label(flat, abstraction).families
        found[name] = applications.read(LabelView(flat, abstraction), families)
    return found


def guesses(
    monkeypatch: pytest.MonkeyPatch, traits: dict[str, Traits]
) -> dict[str, list[tuple[str, float, str]]]:
    found = {}
    for name, mine in traits.items():
        monkeypatch.setattr(applications, "read", lambda view, families, mine=mine: mine)
        told = [(one.sub, one.score, one.evidence) for one in rank(None, ())]  # type: ignore[arg-type]
        plain = name != "transportation"
        found[name] = [one for one in told if not (plain and one[2] == "mixed constraints")]
    return found


def test_models_resemble_what_they_show(
    monkeypatch: pytest.MonkeyPatch, traits: dict[str, Traits]
) -> None:
    assert guesses(monkeypatch, traits) == GUESSES


@pytest.mark.parametrize(
    ("place", "k"), [(place, k) for place, one in enumerate(SIGNATURES) for k in range(len(one[2]))]
)
def test_every_weight_counts(
    monkeypatch: pytest.MonkeyPatch, traits: dict[str, Traits], place: int, k: int
) -> None:
    major, sub, reasons = SIGNATURES[place]
    less = (*reasons[:k], replace(reasons[k], weight=0.0), *reasons[k + 1 :])
    changed = (*SIGNATURES[:place], (major, sub, less), *SIGNATURES[place + 1 :])
    monkeypatch.setattr(applications, "SIGNATURES", changed)
    assert guesses(monkeypatch, traits) != GUESSES
