"""Variables added by Column."""

import coptpy as cp

env = cp.Envr()
m = env.createModel()
base = m.addVar(obj=10, name="base")
rows = [m.addConstr(base >= d, name=f"d{d}") for d in (31, 8, 27)]
for k, p in enumerate([(3, 0, 0), (0, 2, 0), (0, 0, 1), (1, 0, 2)]):
    col = cp.Column()
    col.addTerms(rows, list(p))
    m.addVar(obj=1, column=col, name=f"p{k}")
m.solve()
print("= obj", m.objval)
