"""Rows of true and false constraints, and the points that tell them apart."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.orqa.build.recipe import Case
from ordojo.core.errors import DataError
from ordojo.milp.model import INF, Model, VarType
from ordojo.templates.build import Built, build
from ordojo.templates.optimum import solve, violation

Row = tuple[dict[int, float], float, float]
"""Coefficients by column, lower and upper bound."""
TOLERANCE = 1e-6
MARGIN = 1e-3
"""By how much a witness breaks a false constraint at least."""
POINTS = 200
TRIES = 6
SECONDS = 20.0


@lru_cache(maxsize=16)
def model_of(case: Case) -> Built:
    """The case's model."""
    return build(case.spec, case.tables)


@lru_cache(maxsize=64)
def family_rows(case: Case, family: str, scope: str | None = None, rule: str = "") -> list[Row]:
    """The rows of a family, or of another scope and rule in its place."""
    mine = case.spec.family(family)
    if scope is not None:
        mine = replace(mine, scope=scope, rule=rule)
    return _rows(build(replace(case.spec, families=(mine,)), case.tables).model)


def _rows(model: Model) -> list[Row]:
    found: list[Row] = []
    for i in range(model.m):
        part = slice(int(model.starts[i]), int(model.starts[i + 1]))
        terms = dict(zip(model.index[part].tolist(), model.value[part].tolist(), strict=True))
        found.append((terms, float(model.row_lower[i]), float(model.row_upper[i])))
    return found


@lru_cache(maxsize=64)
def distinguished(case: Case, family: str, scope: str, rule: str) -> bool:
    """Whether some point within the variables' bounds obeys one of the two and not the other."""
    points = _points(case)
    true = _true(case, family)
    false = _obeys(family_rows(case, family, scope, rule), points)
    return bool((true != false).any())


def breaks(case: Case, scope: str, rule: str, witness: Mapping[str, float]) -> bool:
    """Whether a point satisfies the model and breaks the constraint; raises DataError."""
    model = model_of(case).model
    place = {name: j for j, name in enumerate(model.col_names)}
    if not witness.keys() <= place.keys():
        raise DataError("the witness has columns that the model lacks")
    x = np.zeros(model.n)
    x[[place[name] for name in witness]] = list(witness.values())
    if max(violation(model, x)) > TOLERANCE * (1 + float(np.abs(x).max(initial=0.0))):
        return False
    any_family = case.spec.families[0].name
    return not _obeys(family_rows(case, any_family, scope, rule), x[None])[0]


@lru_cache(maxsize=64)
def find_witness(case: Case, scope: str, rule: str) -> dict[str, float] | None:
    """A point that satisfies the model and breaks the constraint; None where none was found."""
    built = model_of(case)
    first = _any_point(case)
    if first is not None and breaks(case, scope, rule, first):
        return first
    rows = family_rows(case, case.spec.families[0].name, scope, rule)
    step = max(1, len(rows) // TRIES)
    for terms, low, high in rows[::step]:
        for side in ((-INF, low - _gap(low)), (high + _gap(high), INF)):
            if not np.isfinite(side).any():
                continue
            x = _feasible(built.model, terms, side)
            if x is None:
                continue
            point = _named(built.model, x)
            if breaks(case, scope, rule, point):
                return point
    return None


@lru_cache(maxsize=4)
def _any_point(case: Case) -> dict[str, float] | None:
    """A point that satisfies the model."""
    model = model_of(case).model
    x = _feasible(model, {0: 1.0}, (-INF, INF))
    return None if x is None else _named(model, x)


def _named(model: Model, x: NDArray[np.float64]) -> dict[str, float]:
    return {name: v for name, v in zip(model.col_names, x.tolist(), strict=True) if v}


def _gap(bound: float) -> float:
    return MARGIN * (1 + abs(bound)) if np.isfinite(bound) else 0.0


def _feasible(
    model: Model, terms: dict[int, float], side: tuple[float, float]
) -> NDArray[np.float64] | None:
    columns = sorted(terms)
    more = replace(
        model,
        objective=np.zeros(model.n),
        row_names=(*model.row_names, "witness"),
        row_lower=np.append(model.row_lower, side[0]),
        row_upper=np.append(model.row_upper, side[1]),
        starts=np.append(model.starts, model.starts[-1] + len(columns)).astype(np.int32),
        index=np.append(model.index, columns).astype(np.int32),
        value=np.append(model.value, [terms[c] for c in columns]),
    )
    x = solve(more, SECONDS).x
    if x is None:
        return None
    whole = model.types != VarType.CONTINUOUS
    rounded: NDArray[np.float64] = np.where(whole, np.rint(x), np.round(x, 9))
    return rounded


@lru_cache(maxsize=64)
def _true(case: Case, family: str) -> NDArray[np.bool_]:
    return _obeys(family_rows(case, family), _points(case))


@lru_cache(maxsize=4)
def _points(case: Case) -> NDArray[np.float64]:
    """Points within the bounds: sparse and full, small and large."""
    model = model_of(case).model
    rng = np.random.default_rng(np.random.SeedSequence([model.n, model.m]))
    low, up = model.effective_bounds
    top = np.where(np.isfinite(up), up, np.maximum(low, 0) + 1000.0)
    bottom = np.where(np.isfinite(low), low, top - 1000.0)
    share = rng.choice([0.0, 0.02, 0.1, 0.5, 1.0], (POINTS, 1))
    scale = rng.choice([0.001, 0.02, 0.2, 1.0], (POINTS, 1))
    drawn = np.where(top - bottom <= 1, 1.0, scale * rng.random((POINTS, model.n)))
    x = bottom + (top - bottom) * drawn * (rng.random((POINTS, model.n)) < share)
    whole = model.types != VarType.CONTINUOUS
    return np.asarray(np.where(whole, np.ceil(x), x), np.float64)


def _obeys(rows: list[Row], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    fine = np.ones(len(points), np.bool_)
    for terms, low, high in rows:
        at = points[:, list(terms)] @ np.array(list(terms.values()))
        slack = TOLERANCE * (1 + np.abs(at))
        fine &= (at >= low - slack) & (at <= high + slack)
    return fine
