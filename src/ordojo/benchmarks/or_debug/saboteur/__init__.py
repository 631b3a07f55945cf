"""The saboteur: infeasible models out of feasible ones, with a verified way back (C.1 to C.9)."""
