"""The saboteur: infeasible models out of feasible ones, with a verified way back (C.1 to C.9)."""

from ordojo.benchmarks.or_debug.saboteur.generate import INJECTORS, attempt, generate, produce

__all__ = ["INJECTORS", "attempt", "generate", "produce"]
