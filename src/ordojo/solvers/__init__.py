"""Solving, irreducible infeasible subsystems and repairs, by any of several solvers."""
