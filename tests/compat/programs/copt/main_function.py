"""A function that builds and solves, called under the guard."""

import coptpy as cp
from coptpy import COPT


def solve(demand):
    env = cp.Envr()
    model = env.createModel("lots")
    periods = range(len(demand))
    make = model.addVars(periods, nameprefix="make")
    stock = model.addVars(periods, nameprefix="stock")
    setup = model.addVars(periods, vtype=COPT.BINARY, nameprefix="setup")
    for t in periods:
        before = stock[t - 1] if t else 0
        model.addConstr(before + make[t] == demand[t] + stock[t], name=f"balance_{t}")
        model.addConstr(make[t] <= sum(demand) * setup[t], name=f"setup_{t}")
    model.setObjective(
        cp.quicksum(40 * setup[t] + stock[t] + 2 * make[t] for t in periods), COPT.MINIMIZE
    )
    model.solve()
    return model


if __name__ == "__main__":
    m = solve([20, 30, 10, 40])
    print("= optimal value", m.objval)
