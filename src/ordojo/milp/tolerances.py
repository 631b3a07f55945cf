"""How far numbers about models may be off: each tolerance once, with what it trades."""

PRIMAL = 1e-6
"""By how much a row or bound may be broken, relative to its terms.

The solvers' default, as are the next three: with less, right answers would be refused for rounding;
with ten times as much, a wrong optimum of a badly scaled model could pass.
"""
DUAL = 1e-6
"""By how much a reduced cost may have the wrong sign or differ from c - A'y, relative likewise."""
OBJECTIVE = 1e-6
"""By how much two optima, or an objective and what it is computed from, may differ and be one;
relative, or absolute below 1. Also what benchmarks' papers ask for (003, F.3)."""
WHOLE = 1e-6
"""How far from a whole number a value or bound may lie and be taken for it: HiGHS's default.

With less, bounds that a solver left just short of a number would be rounded past it."""
INTEGRALITY = 1e-5
"""How far from whole an integral column of an answer may lie before the answer is refused: Gurobi's
default, ten times HiGHS's, as answers come from any solver."""
LOOSE = 1e-4
"""A point that is off by more than this, relative to its terms, is no solution.

Between PRIMAL and this an answer is not proved wrong, which badly scaled models need."""
FEASIBILITY = 1e-7
"""HiGHS's own tolerance of rows, bounds and duals: bounds are widened by it, so that nothing is cut
off, and what moves by less has not moved."""
APART = 1e-5
"""How far beyond a solver's tolerance something lies that was not brought about by it: ten times
PRIMAL. What differs by less stays undecided."""
MARGIN = 5e-6
"""How far two figures must lie apart to differ, relative to the terms that they sum: five times a
solver's tolerance, so that two solves of one model never do; smaller differences stay undecided."""
SAME = 1e-9
"""By how much two numbers that mean the same may differ, relative to their size, and the noise of a
sum: data that differ on purpose do so by 1e-6 and more, round-off in doubles by 1e-12 and less."""
FINE = 1e-9
"""The gap and the violations of an optimum that certifies something: solvers' own of 1e-4 and 1e-6
would let another point pass for the best. Below it only time is spent, as doubles end there."""
FINEST = 1e-10
"""HiGHS's least tolerance of a row, a dual and a whole number."""
CLUSTER = 2e-10
"""Numbers nearer than this, relative to their size, have one colour.

Sums of some hundred terms differ by 1e-14 to 1e-12 when written in another order; data that differ
on purpose, by 1e-6 and more. A wrong merge costs time only: a match is checked number by number.
"""
NEAR_ZERO = 1e-11
"""What counts as 0 where there is no size to be relative to; as above."""
ROUNDING = 1e-12
"""What sums of doubles lose, relative to the size of what is summed."""
LEAST_TERM = 1e-12
"""HiGHS takes no smaller coefficient, whatever it is asked."""
