"""A class that keeps its model and variables as attributes."""

import gurobipy as gp
from gurobipy import GRB


class Planner:
    def __init__(self, hours):
        self.model = gp.Model("planner")
        self.hours = hours
        self.make = self.model.addVars(hours, vtype=GRB.INTEGER, name="make")

    def build(self, limit, worth):
        self.model.addConstr(self.make.prod(self.hours) <= limit, "hours")
        self.model.setObjective(self.make.prod(worth), GRB.MAXIMIZE)
        return self

    def solve(self):
        self.model.optimize()
        return {k: round(v.X) for k, v in self.make.items()}


planner = Planner({"chair": 3, "desk": 7, "shelf": 5})
plan = planner.build(50, {"chair": 4, "desk": 10, "shelf": 6.5}).solve()
m = planner.model
print("= plan value", m.ObjVal, sum(plan.values()) > 0)
