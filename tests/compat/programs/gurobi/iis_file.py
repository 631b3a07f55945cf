"""An IIS written as .ilp."""

from pathlib import Path

import gurobipy as gp

m = gp.Model()
x = m.addVar(name="x")
m.addConstr(x >= 6, "low")
m.addConstr(x <= 4, "high")
m.optimize()
m.computeIIS()
m.write("conflict.ilp")
text = Path("conflict.ilp").read_text()
print("= rows", "low" in text, "high" in text)
