"""Error injection: infeasible models out of feasible ones, with a verified way back (C.1 to C.9).

The paper calls this agent the saboteur.
"""
