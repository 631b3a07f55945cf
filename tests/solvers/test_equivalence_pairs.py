"""Equivalence on 500 generated pairs, on bench4opt's reference models, and on large models."""

import itertools
import os
import re
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from ordojo.core.errors import DataError
from ordojo.core.seeds import generator
from ordojo.milp.files import read_model
from ordojo.milp.model import INF, Floats, Model, VarType
from ordojo.solvers.equivalence import (
    Ground,
    ModelMapping,
    check_mapping,
    compare,
)

from .equivalence_cases import dense_of, pair, permuted, rescaled
from .evidence import check_implications, check_witness


def solved(model: Model, direction: Floats) -> tuple[int, float]:
    """scipy's status (4: none) and least value of direction times x: an opinion from outside."""
    low, up = model.effective_bounds
    whole = model.types != VarType.CONTINUOUS
    found = milp(
        direction,
        integrality=whole.astype(int),
        bounds=Bounds(low, up),
        constraints=[LinearConstraint(dense_of(model), model.row_lower, model.row_upper)],
    )
    return int(found.status), float(found.fun) if found.status == 0 else 0.0


def least(model: Model, ground: Ground) -> tuple[int, float]:
    """The objective in min form, at its best or its worst."""
    sign = -1.0 if model.maximize else 1.0
    turn = -1.0 if ground == Ground.WORST else 1.0
    status, value = solved(model, turn * sign * model.objective)
    return status, turn * value + sign * model.offset


def agree(one: Model, other: Model, mapping: ModelMapping, rng: np.random.Generator) -> bool:
    """Whether random directions, carried over by the mapping, have the same least values."""
    for _ in range(3):
        mine, yours, constant = np.zeros(one.n), np.zeros(other.n), 0.0
        for j, k, scale, shift in mapping.columns:
            d = float(rng.integers(-3, 4)) / abs(scale)
            mine[j], yours[k] = d, d * scale
            constant += d * shift
        a, b = solved(one, mine), solved(other, yours)
        if 4 in (a[0], b[0]):
            continue  # scipy has no opinion
        if a[0] != b[0] or abs(a[1] - b[1] - (constant if a[0] == 0 else 0)) > 1e-5 * (
            1 + abs(a[1]) + abs(constant)
        ):
            return False
    return True


def test_500_pairs_have_no_wrong_equal_and_no_wrong_different() -> None:
    counts: Counter[tuple[bool, str]] = Counter()
    for k in range(500):
        case = pair(k)
        found = compare(case.one, case.other, 20.0)
        counts[bool(case.change), found.verdict] += 1
        if found.verdict == "equal":
            if found.mapping is None:
                assert found.implications is not None
                assert check_implications(case.one, case.other, found.implications), k
            else:
                assert check_mapping(case.one, case.other, found.mapping), k
                rng = generator(0, "directions", k)
                assert agree(case.one, case.other, found.mapping, rng), k
            assert agree_at_ends(case.one, case.other), k
        if found.verdict == "different":
            # A rewritten copy is never another problem, and the figures differ for scipy too.
            assert found.witness is not None
            assert case.change, k
            ground = found.witness.ground
            a, b = least(case.one, ground), least(case.other, ground)
            assert a[0] != b[0] or abs(a[1] - b[1]) > 1e-6 * (1 + abs(a[1])), k
            if k % 10 == 0:
                assert check_witness(case.one, case.other, found.witness, 20.0)
    rewritten = sum(n for (change, _), n in counts.items() if not change)
    assert rewritten == 300
    assert counts[False, "equal"] >= 290, counts
    assert counts[True, "different"] >= 100, counts


def agree_at_ends(one: Model, other: Model) -> bool:
    """Whether best and worst objectives are the same for scipy."""
    for ground in (Ground.OPTIMUM, Ground.WORST):
        a, b = least(one, ground), least(other, ground)
        if 4 in (a[0], b[0]):
            continue
        if a[0] != b[0] or (a[0] == 0 and abs(a[1] - b[1]) > 1e-5 * (1 + abs(a[1]))):
            return False
    return True


def test_columns_matched_by_name_show_changes_that_no_objective_shows() -> None:
    counts: Counter[str] = Counter()
    for k in range(500):
        case = pair(k)
        if not case.change or solved(case.one, np.zeros(case.one.n))[0] != 0:
            continue
        found = compare(case.one, case.changed, 20.0, by_name=True)
        counts[found.verdict] += 1
        if found.witness is not None and found.witness.ground == Ground.POINT:
            counts["point"] += 1
            assert check_witness(case.one, case.changed, found.witness, 20.0), k
        if found.verdict == "equal":
            assert agree_at_ends(case.one, case.changed), k
    assert counts["point"] >= 10, counts
    assert counts["different"] > 3 * counts["unknown"], counts


def _read_lp(path: Path, folder: Path) -> Model:
    """An LP file whose names have brackets, which HiGHS takes for quadratic terms."""
    names: dict[str, str] = {}
    text = re.sub(r"(?m)^\\.*$", "", path.read_text(encoding="utf-8"))
    text = re.sub(
        r"[A-Za-z_][\w.'()&-]*\[[^\]]*\][\w\[\],]*",
        lambda found: names.setdefault(found[0], f"q{len(names)}_"),
        text,
    )
    copy = folder / "model.lp"
    copy.write_text(text, encoding="utf-8")
    return read_model(copy)


@pytest.mark.data
def test_bench4opt_references_equal_their_permuted_copies(tmp_path: Path) -> None:
    root = os.environ.get("ORDOJO_DATA")
    if root is None or not (Path(root) / "bench4opt").is_dir():
        pytest.skip("no bench4opt under $ORDOJO_DATA")
    paths = sorted(Path(root).glob("bench4opt/*/*/*/model.lp"))
    seen, start = 0, time.perf_counter()
    models = []
    for k, path in enumerate(paths):
        try:
            model = _read_lp(path, tmp_path)
        except DataError:
            continue  # quadratic ones, and those with two rows of one name
        models.append(model)
        rng = generator(0, "bench4opt", k)
        other = permuted(model, rng)
        found = compare(model, rescaled(other, rng) if k % 2 else other, 30.0)
        assert found.verdict == "equal", path.parent.name
        seen += 1
    assert seen >= 400
    assert time.perf_counter() - start < 120
    # And none equals its neighbour in the list, which is another instance.
    for one, other in itertools.pairwise(models[:60]):
        assert compare(one, other, 10.0).verdict != "equal"


def _staircase(size: int) -> Model:
    """`size` columns, as many rows of five terms."""
    rng = generator(1, "staircase", size)
    index = np.sort(rng.permuted(np.tile(np.arange(size), (5, 1)), axis=1).T, axis=1)
    for _ in range(20):  # no column twice in a row
        twice = np.flatnonzero((np.diff(index, axis=1) == 0).any(axis=1))
        index[twice] = np.sort(rng.integers(0, size, (len(twice), 5)), axis=1)
    return Model(
        "staircase",
        False,
        rng.integers(1, 5, size).astype(float),
        0.0,
        tuple(f"x{j}" for j in range(size)),
        np.zeros(size),
        np.full(size, INF),
        np.zeros(size, np.uint8),
        tuple(f"r{i}" for i in range(size)),
        np.full(size, -INF),
        rng.integers(10, 99, size).astype(float),
        np.arange(0, 5 * size + 1, 5).astype(np.int32),
        index.reshape(-1).astype(np.int32),
        rng.integers(1, 9, 5 * size).astype(float),
    )


def _reversed(model: Model) -> Model:
    """Rows and columns in the opposite order, the rows scaled; for models with equal-sized rows."""
    value = model.value.reshape(model.m, -1)[::-1, ::-1] * -3.0
    index = model.n - 1 - model.index.reshape(model.m, -1)[::-1, ::-1]
    return Model(
        "reversed",
        model.maximize,
        model.objective[::-1].copy(),
        model.offset,
        model.col_names,
        model.col_lower[::-1].copy(),
        model.col_upper[::-1].copy(),
        model.types[::-1].copy(),
        model.row_names,
        -3.0 * model.row_upper[::-1],
        -3.0 * model.row_lower[::-1],
        model.starts,
        index.reshape(-1).astype(np.int32),
        value.reshape(-1).copy(),
    )


def test_ten_thousand_rows_take_seconds() -> None:
    model = _staircase(10_000)
    start = time.perf_counter()
    found = compare(model, _reversed(model), 60.0)
    assert found.verdict == "equal"
    assert time.perf_counter() - start < 20
