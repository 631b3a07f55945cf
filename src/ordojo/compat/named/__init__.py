"""Solvers that programs name in other libraries: answered by the service's, under that name.

A program may ask Pyomo for glpk, PuLP for CBC, OR-Tools for CPLEX or cvxpy for GLPK_MI; whether a
machine has them must change nothing. `pyomo` and `pulp` have such models solved by the gurobipy
layer, and so by the service, which records who solved them; `others` gives OR-Tools and cvxpy the
HiGHS that they bring. What is told of the solve says under which name it was asked for. What HiGHS
and SCIP cannot answer is told as unsupported. `common` reads what solvers call their limits.
"""
