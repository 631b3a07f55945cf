"""A model made in a function and handed back; a guard on __main__."""

import gurobipy as gp
from gurobipy import GRB


def solve(demand):
    model = gp.Model("lots")
    periods = range(len(demand))
    make = model.addVars(periods, name="make")
    stock = model.addVars(periods, name="stock")
    setup = model.addVars(periods, vtype=GRB.BINARY, name="setup")
    for t in periods:
        before = stock[t - 1] if t else 0
        model.addConstr(before + make[t] == demand[t] + stock[t], name=f"balance_{t}")
        model.addConstr(make[t] <= sum(demand) * setup[t], name=f"setup_{t}")
    model.setObjective(
        gp.quicksum(40 * setup[t] + 1 * stock[t] + 2 * make[t] for t in periods), GRB.MINIMIZE
    )
    model.optimize()
    return model


if __name__ == "__main__":
    m = solve([20, 30, 10, 40])
    print("= optimal value", m.ObjVal)
