# ruff: noqa: PTH123 - files are opened as answers open them
"""The largest set of binary words of which no two share a subsequence of the threshold's length."""

import json
from itertools import combinations, product

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 120

with open("instance.json") as stream:
    given = json.load(stream)["parameters"]
words = ["".join(bits) for bits in product("01", repeat=given["n_bits"])]

# Two words share a subsequence of that length where both have the same one: so each such
# subsequence allows one word, and no pairs are needed.
holders = {}
for word in words:
    for part in {"".join(bits) for bits in combinations(word, given["lcs_threshold"])}:
        holders.setdefault(part, []).append(word)

model = gp.Model("sorrell3")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
chosen = model.addVars(words, vtype=GRB.BINARY, name="chosen")
for part, held in holders.items():
    model.addConstr(gp.quicksum(chosen[word] for word in held) <= 1, name=part)
model.setObjective(chosen.sum(), GRB.MAXIMIZE)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
