"""lots: built from the tables in data/, and solved with HiGHS."""

import csv
import sys
from pathlib import Path

import highspy

DATA = Path(__file__).resolve().parent / "data"
inf = float("inf")


def read(name):
    """The rows of a file, each a dictionary by column."""
    with open(DATA / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def tuples(rows, **kinds):
    """The indices of each row, as the keys of a dictionary: one index, or a tuple of them."""
    parts = [[kind(row[name]) for row in rows] for name, kind in kinds.items()]
    return dict.fromkeys(parts[0] if len(parts) == 1 else zip(*parts))


def column(rows, name, kind, **kinds):
    """A column of the rows as a dictionary by their indices."""
    return dict(zip(tuples(rows, **kinds), [kind(row[name]) for row in rows]))


class Model:
    """Columns and rows as they come: the names, the sides, and the entries of each row."""

    def __init__(self, maximize, offset):
        self.maximize, self.offset = maximize, offset
        self.columns, self.rows = [], []

    def var(self, name, lower, upper, kind):
        """Add a variable; its number is what costs and rows refer to."""
        self.columns.append((name, lower, upper, kind, 0.0))
        return len(self.columns) - 1

    def cost(self, column, value):
        """Set the objective coefficient of a variable."""
        self.columns[column] = (*self.columns[column][:4], value)

    def row(self, name, terms, sense, rhs, span=None, given=None):
        """Add a constraint; `span` sets its second side as an MPS range does.

        `given`: (variable, value) under which alone the row holds.
        """
        low = -inf if sense in ("<=", "free") else rhs
        high = inf if sense in (">=", "free") else rhs
        if span is not None and span == span:
            if sense == ">=" or (sense == "=" and span > 0):
                high = rhs + abs(span)
            elif sense == "<=" or (sense == "=" and span < 0):
                low = rhs - abs(span)
        self.rows.append((name, low, high, terms, given))


def build():
    """Read the tables and build the model."""
    sets = {row["set"]: range(int(row["first"]), int(row["last"]) + 1) for row in read("sets.csv")}
    scalars = {row["name"]: float(row["value"]) for row in read("parameters.csv")}
    T = sets["T"]
    upper_x = scalars["upper_x"]
    cost_y = scalars["cost_y"]
    coef_cap_y = scalars["coef_cap_y"]
    rows = read("T.csv")
    cost_x = column(rows, "cost_x", float, t=int)
    rhs_bal = column(rows, "rhs_bal", float, t=int)
    model = Model(maximize=False, offset=scalars["offset"])

    x = {}
    for t in T:
        x[t] = model.var(f"x[{t}]", 0, upper_x, "continuous")

    s = {}
    for t in T:
        s[t] = model.var(f"s[{t}]", 0, inf, "continuous")

    y = {}
    for t in T:
        y[t] = model.var(f"y[{t}]", 0, 1, "binary")

    # costs
    for t in T:
        model.cost(x[t], cost_x[t])
    for t in T:
        model.cost(y[t], cost_y)

    # bal
    for t in T:
        terms = []
        terms.append((x[t], 1.0))
        if t - 1 in s:
            terms.append((s[t - 1], 1.0))
        terms.append((s[t], -1.0))
        model.row(f"bal[{t}]", terms, "=", rhs_bal[t])

    # cap
    for t in T:
        terms = []
        terms.append((x[t], 1.0))
        terms.append((y[t], -coef_cap_y))
        model.row(f"cap[{t}]", terms, "<=", 0)

    return model


def solve(model, seconds=None):
    """Solve with HiGHS and print the status and the objective."""
    lp = highspy.HighsLp()
    rows = [(low, high, terms) for _, low, high, terms, _ in model.rows]
    lp.num_col_, lp.num_row_ = len(model.columns), len(rows)
    names, lower, upper, kinds, costs = zip(*model.columns) if model.columns else ((),) * 5
    lp.col_lower_, lp.col_upper_, lp.col_cost_ = list(lower), list(upper), list(costs)
    lp.row_lower_, lp.row_upper_ = [low for low, _, _ in rows], [high for _, high, _ in rows]
    lp.integrality_ = [KINDS[kind] for kind in kinds]
    lp.sense_ = highspy.ObjSense.kMaximize if model.maximize else highspy.ObjSense.kMinimize
    lp.offset_ = model.offset
    starts = [0]
    for _, _, terms in rows:
        starts.append(starts[-1] + len(terms))
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = starts
    lp.a_matrix_.index_ = [one for _, _, terms in rows for one, _ in terms]
    lp.a_matrix_.value_ = [value for _, _, terms in rows for _, value in terms]
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("mip_rel_gap", 1e-9)
    if seconds is not None:
        highs.setOptionValue("time_limit", float(seconds))
    highs.passModel(lp)
    highs.run()
    print("status:", highs.modelStatusToString(highs.getModelStatus()))
    print("objective:", highs.getInfo().objective_function_value)


KINDS = {
    "continuous": highspy.HighsVarType.kContinuous,
    "binary": highspy.HighsVarType.kInteger,
    "integer": highspy.HighsVarType.kInteger,
    "semicontinuous": highspy.HighsVarType.kSemiContinuous,
    "semiinteger": highspy.HighsVarType.kSemiInteger,
}


if __name__ == "__main__":
    solve(build(), *sys.argv[1:2])
