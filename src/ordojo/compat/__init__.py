"""The interfaces of gurobipy and coptpy over open solvers, for programs that run in the sandbox.

In goes a program written for Gurobi or COPT, out come its results as those libraries would give
them, and a record of each solve that the program cannot forge. `gurobipy` and `coptpy` spell the
two interfaces; what they have in common (expressions, a model's arrays, the problem made of them)
is `core`. `transport` sends the problem out of the sandbox (`messages`), `service` solves it with
the adapters of `ordojo.solvers` (equal ones once) and keeps the records.
`imports` tells what other libraries solve in the program's own process (`told_models` of which
models, `logs` keeps apart what they print), `named` answers for solvers that they know by name, and
`declared` sees whether those of `libraries` solve. `capture` gives the models that programs build.
"""
