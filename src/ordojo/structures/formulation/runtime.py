"""The part of every exported program that is the same: reading tables, collecting, solving.

The text between the marks is copied into the program, the parts that it needs only.
"""

READING = '''
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
'''

GROUPING = '''

def group_by(keys, part):
    """The keys in lists, by what `part` takes of each."""
    found = defaultdict(list)
    for key in keys:
        found[part(*key) if isinstance(key, tuple) else part(key)].append(key)
    return found
'''
REACHING = '''

def reaching(keys, part):
    """The keys in lists, by the whole numbers from first to last and by what else `part` takes."""
    found = defaultdict(list)
    for key in keys:
        first, last, rest = part(*key) if isinstance(key, tuple) else part(key)
        for number in range(first, last + 1):
            found[(number, *rest)].append(key)
    return found
'''

MODEL = '''

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
'''

GATES = '''

def plain_rows(model):
    """The rows without conditions: a condition becomes a bound that its variable switches off."""
    for name, low, high, terms, given in model.rows:
        if given is None:
            yield low, high, terms
            continue
        column, when = given
        least = most = 0.0
        for one, value in terms:
            ends = [value * side for side in model.columns[one][1:3]]
            least, most = least + min(ends), most + max(ends)
        for side, reach, sign in ((low, least, -1), (high, most, 1)):
            if abs(side) == inf or (side - reach) * sign >= 0:
                continue
            if abs(reach) == inf:
                sys.exit(f"row {name} holds only under a condition, and has no bound without it")
            slack = reach - side
            switch = [(column, slack if when else -slack)]
            limit = side + slack if when else side
            yield (limit, inf, terms + switch) if sign < 0 else (-inf, limit, terms + switch)
'''

SOLVE = '''

def solve(model, seconds=None):
    """Solve with HiGHS and print the status and the objective."""
    lp = highspy.HighsLp()
    rows = ROWS
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
'''

MAIN = """
if __name__ == "__main__":
    solve(build(), *sys.argv[1:2])
"""

REFUSAL = """
if __name__ == "__main__":
    sys.exit("cannot be solved by HiGHS: the model has the sections SECTIONS")
"""
