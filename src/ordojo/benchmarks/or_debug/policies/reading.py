"""The description's numbers held against the code's: where the two differ, something is wrong."""

import math
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.milp.model import INF, Model, VarType
from ordojo.solvers.answers import Side

FIRM = 1000.0
"""How much dearer it is to move a side by its own size where the description states it."""

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def contradictory_binaries(model: Model) -> NDArray[np.bool_]:
    """For each column, whether it is binary though its own bound allows more than 1."""
    return np.asarray(
        (model.types == VarType.BINARY) & (model.col_upper > 1) & (model.col_upper < INF)
    )


class Reading:
    """What an agent finds that compares the text of a problem with the model, number by number.

    It takes numbers for what they are, not for what they say: two sides with one number are alike.
    """

    def __init__(self, problem: Debugging) -> None:
        model = self._model = problem.model
        said = {float(n.replace(",", "").rstrip(".")) for n in _NUMBER.findall(problem.text)}
        sides = (model.row_lower, model.row_upper, model.col_lower, model.col_upper)
        used = np.abs(np.concatenate([*sides, model.value, model.objective]))
        self._stated = said | {number / 100 for number in said} | {0.0}
        self._left = sorted(said - set(used.tolist()))

    def weights(self) -> dict[str, float]:
        """Elastic weights by element: one over its size, times `FIRM` where it is stated.

        A binary column whose own bound allows more than 1 contradicts itself: that bound is soft.
        """
        found: dict[str, float] = {}
        for name, sides in self._elements():
            firm = all(abs(side) in self._stated for side in sides)
            found[name] = (FIRM if firm else 1.0) / max([1.0, *(abs(side) for side in sides)])
        return found

    def aim(self, old: float, side: Side, least: float) -> float | None:
        """Where to move a side that stood at `old` and must reach `least` or go beyond.

        The nearest number that the description has and the code has not; without one, nowhere
        (None: the side is invented, drop it) if `old` is not stated, else to `least`.
        """
        slip = 1e-9 * max(1.0, abs(least))
        if side == Side.UPPER:
            beyond = [number for number in self._left if number >= least - slip]
        else:
            beyond = [number for number in reversed(self._left) if number <= least + slip]
        if beyond:
            return beyond[0]
        return least if abs(old) in self._stated else None

    def _elements(self) -> Iterator[tuple[str, list[float]]]:
        """Rows and bounds by name, each with its finite sides."""
        model = self._model
        sides = model.row_lower.tolist(), model.row_upper.tolist()
        for name, lower, upper in zip(model.row_names, *sides, strict=True):
            yield name, [side for side in (lower, upper) if math.isfinite(side)]
        uppers = np.where(contradictory_binaries(model), math.nan, model.col_upper).tolist()
        cols = zip(model.col_names, model.col_lower.tolist(), uppers, strict=True)
        for name, lower, upper in cols:
            yield f"{name}.lb", [lower] if math.isfinite(lower) else []
            yield f"{name}.ub", [upper] if upper != INF else []
