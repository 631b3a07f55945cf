"""Why a Pyomo model is infeasible, and what would repair it; the demand must stay.

... is infeasible (4 rows, 4 columns, 8 nonzeros; highs ...)

These 4 cannot all hold (remove any one and the rest can):
...
In words: capacity of lyon and turin against demand of rome and bern.

Repairs:
  1. moves 15 in all: one change, least in all (solved again, optimum then 105)
     capacity[lyon] <= 40 becomes 55
...
"""

import pyomo.environ as pyo

import ordojo

model = pyo.ConcreteModel("Factory")
plants, cities = ["lyon", "turin"], ["rome", "bern"]
capacity = {"lyon": 40, "turin": 50}
demand = {"rome": 60, "bern": 45}

model.ship = pyo.Var(plants, cities, bounds=(0, None))
model.cost = pyo.Objective(expr=sum(model.ship[p, c] for p in plants for c in cities))
model.capacity = pyo.Constraint(
    plants, rule=lambda m, p: sum(m.ship[p, c] for c in cities) <= capacity[p]
)
model.demand = pyo.Constraint(
    cities, rule=lambda m, c: sum(m.ship[p, c] for p in plants) >= demand[c]
)

print(ordojo.explain(model, hard=["demand*"]))
