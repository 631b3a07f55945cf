"""Infeasible subsystems with parts: infeasible together, and without any one member feasible."""

import pytest

from ordojo.compat import transport
from ordojo.solvers import deletion
from ordojo.solvers.answers import Status
from ordojo.solvers.parted import PartedSubsystems
from tests.compat.service_problems import beyond_best, make

KINDS = ("indicator", "sos", "qcp", "max", "abs", "and", "pwl")
# Of this one the filter proves no irreducible set in 20 s: after its limit it says so.
CASES = [(kind, seed) for kind in KINDS for seed in (0, 1) if (kind, seed) != ("qcp", 0)]


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_every_member_is_needed(kind: str, seed: int) -> None:
    problem = make(kind, seed)
    if transport.solve(problem).status != Status.INFEASIBLE:
        problem = beyond_best(problem)
    systems = PartedSubsystems(problem)
    found = deletion.shrink(systems, 20.0)
    assert found is not None and found[1]
    kept = set(found[0])
    assert systems.feasible(kept, 5.0)[0] is False
    assert all(systems.feasible(kept - {member}, 5.0)[0] for member in kept)
