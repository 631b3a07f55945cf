"""The solution written as .sol and read by the program."""

from pathlib import Path

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=5, vtype=COPT.INTEGER, name="x")
y = m.addVar(ub=5, vtype=COPT.INTEGER, name="y")
m.addConstr(3 * x + 2 * y <= 19)
m.setObjective(5 * x + 2 * y, COPT.MAXIMIZE)
m.solve()
m.write("best.sol")
lines = [line.split() for line in Path("best.sol").read_text().splitlines()]
values = {words[0]: float(words[1]) for words in lines if len(words) == 2 and words[0] in "xy"}
print("= values", values["x"], values["y"])
print("= obj", m.objval)
