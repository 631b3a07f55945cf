"""Evidence of a comparison is tried again from the two models alone, as a doubter would."""

from collections.abc import Sequence

from ordojo.milp.model import INF, Model
from ordojo.solvers.equivalence import Ground, Witness
from ordojo.solvers.equivalence.answers import Implication
from ordojo.solvers.equivalence.containment import _asked, _follows, _sides_of, _stated, _views
from ordojo.solvers.equivalence.witnesses import _judged, compare_values, view
from ordojo.solvers.search import Search


def check_witness(one: Model, other: Model, witness: Witness, time_limit: float) -> bool:
    """Whether the evidence of difference holds, from the two models alone.

    A point is put into both models; figures are found anew.
    """
    if witness.ground == Ground.POINT:
        return _check_point(one, other, witness)
    return compare_values(one, other, witness.ground, Search(time_limit)) is not None


def _check_point(one: Model, other: Model, witness: Witness) -> bool:
    """Whether a POINT witness holds: feasible in its model, forbidden or valued otherwise there."""
    source, target = (one, other) if witness.feasible_in == "one" else (other, one)
    names = frozenset(source.col_names)
    seen, mine = view(target, names), view(source, names)
    if seen is None or mine is None or witness.point.keys() != names:
        return False
    return _judged(seen, witness.point, witness.feasible_in, mine) is not None


def check_implications(one: Model, other: Model, shown: Sequence[Implication]) -> bool:
    """Whether the multipliers show that both are the same problem; nothing is solved."""
    views = _views(one, other)
    if views is None:
        return False
    by = {(side, number, sense): multipliers for side, number, sense, multipliers in shown}
    return all(
        abs(end) == INF
        or _stated(sides, demand, sense)
        or _follows(source, demand, sense, by.get((side, number, sense), ()))
        for side, (source, target) in enumerate((views, views[::-1]))
        for sides in [_sides_of(source)]
        for number, demand in enumerate(_asked(source, target))
        for sense, end in ((1, demand.up), (-1, demand.low))
    )
