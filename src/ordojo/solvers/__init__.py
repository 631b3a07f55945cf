"""Solving, irreducible infeasible subsystems and repairs, by any of several solvers.

In goes a `Model`, or a `Problem` (`problem.py`): a model with what is beyond linear, limits, and a
callback (`search.py`). Out comes a `SolveResult`, an `Iis` or a `Repair` (`answers.py`).

Each solver is adapted once: HiGHS in `highs_model.py` (and `simplex.py`, its warm linear programs
and a branch and bound over them), SCIP in `scip.py` and `scip_hooks.py`, Gurobi in `gurobi.py`. Two
ways lead there. `choose.py` takes any problem to the solver that suits, rewritten
(`reformulation.py`) or again and again for the best points (`solution_pool.py`): so the service
behind the gurobipy and coptpy layers solves. An oracle (`protocol.py`; HiGHS's is `highs.py`,
`choose.py` has them by name) holds a linear model, warm, and finds IISs: by the dual ray
(`farkas.py`), by deletion (`deletion.py`; `parted.py` with parts beyond linear), checked in
`iis.py`. `tightening.py` says what follows without a solve. On the oracle stand `repair.py` (over
`elastic.py`), `kept.py`, `asked/` and `explain.py`, with rays of an unbounded problem (`ray.py`)
and with conflicts in words (`conflicts.py`, `families.py`); `equivalence/` compares
two models. `residuals.py` believes no solver: it checks each answer by arithmetic.
"""
