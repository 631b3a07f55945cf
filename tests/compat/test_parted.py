"""Infeasible subsystems with parts: infeasible together, and without any one member feasible."""

import pytest

from ordojo.solvers import deletion, parted
from tests.compat.service_problems import beyond_best, make

CASES = [(kind, 1) for kind in ("indicator", "sos", "qcp", "max", "abs", "and")] + [("pwl", 0)]
"""Those that have an optimum, within a second: others have none to go beyond (indicator 0, sos 0,
pwl 1), and of qcp 0 the filter proves no irreducible set in 20 s."""


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_every_member_is_needed(kind: str, seed: int) -> None:
    problem = beyond_best(make(kind, seed))
    systems = parted.PartedSubsystems(problem)
    found = deletion.shrink(systems, 20.0)
    assert found is not None and found[1]
    kept = set(found[0])
    assert systems.feasible(kept, 5.0)[0] is False
    assert all(systems.feasible(kept - {member}, 5.0)[0] for member in kept)
