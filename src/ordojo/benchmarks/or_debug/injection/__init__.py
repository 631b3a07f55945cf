"""Error injection: infeasible models out of feasible ones, with a verified way back (C.1 to C.9).

The paper calls this agent the saboteur. `generate` draws a seed problem, injects and validates
until one holds, with one error or several. The injectors are `knots` (types A to D) and `sides` (E
to I), which break a problem of which several cases could be true; `printed` has those of the paper.
They share `candidate`: what goes in and comes out, the solver that decides, the rows and sentences
added; and `validation`: algorithm 6, its robust form, and the draw among cases that are all valid.
"""
