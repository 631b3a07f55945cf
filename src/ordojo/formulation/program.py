"""A declaration as a program that reads its tables, builds the model by loops, and solves it.

Variables, costs and rows are written from the declaration: loops as they stand there, sums as loops
that add terms, products of sums multiplied out, and tests that equate something of an element to
something known as look-ups. Meanings stand as comments.
"""

import ast
import keyword
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ordojo.formulation.algebra import (
    called,
    equated,
    indices,
    loops,
    names_in,
    parse,
    tuple_of,
    unused,
)
from ordojo.formulation.algebra import names as targets
from ordojo.formulation.spec import PARAMETERS, SETS, Spec
from ordojo.formulation.terms import Summand, expanded, numbers, sides, term
from ordojo.formulation.words import scope_words, sentence

Kinds = Mapping[str, Mapping[str, str]]
"""By table and column, what its texts are read as: "int", "float", "str" or, either of the first
two, "number"."""
_ANY = "number"
_DOMAINS = ("binary", "integer", "continuous", "semicontinuous", "semiinteger")
_WIDTH = 96

# What every program has in common: reading tables, collecting, solving; each part where needed.

_READING = '''
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

_NUMBER = '''

def number(text):
    """A whole number as int, another one as float."""
    return int(text) if text.lstrip("-").isdigit() else float(text)
'''
_GROUPING = '''

def group_by(keys, part):
    """The keys in lists, by what `part` takes of each."""
    found = defaultdict(list)
    for key in keys:
        found[part(*key) if isinstance(key, tuple) else part(key)].append(key)
    return found
'''
_REACHING = '''

def reaching(keys, part):
    """The keys in lists, by the whole numbers from first to last and by what else `part` takes."""
    found = defaultdict(list)
    for key in keys:
        first, last, rest = part(*key) if isinstance(key, tuple) else part(key)
        for number in range(first, last + 1):
            found[(number, *rest)].append(key)
    return found
'''

_MODEL = '''

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
        self.columns[column] = (*self.columns[column][:4], COST)

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
        self.rows.append((name, low, high, TERMS, given))
'''
_ADDING = '''

def added(terms):
    """The entries of a row, those of one variable added."""
    found = {}
    for one, value in terms:
        found[one] = found.get(one, 0.0) + value
    return list(found.items())
'''

_GATES = '''

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

_SOLVE = '''

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

_MAIN = """
if __name__ == "__main__":
    solve(build(), *sys.argv[1:2])
"""

_REFUSAL = """
if __name__ == "__main__":
    sys.exit("cannot be solved by HiGHS: the model has the sections SECTIONS")
"""


def solve_py(
    spec: Spec, title: str, kinds: Kinds | None = None, sections: Sequence[str] = (),
    distinct: bool = False,
) -> str:  # fmt: skip
    """The program; its length is bounded by groups and families.

    It needs highspy and the files of `csv_texts` beside it, with the columns of `kinds`: by default
    those that the declaration names, of numbers. `build()` returns the model: `columns` of (name,
    lower, upper, kind, cost) and `rows` of (name, lower, upper, entries, condition). A model with
    `sections` that HiGHS has no word for is built but not solved: exit with their names.
    `distinct`: no rule names a variable twice.
    """
    kinds = kinds or _numbers(spec)
    body = "\n".join(_build(spec, kinds))
    grouped, reached = "group_by(" in body, "reaching(" in body
    model = _MODEL.replace("COST", "value" if distinct else "self.columns[column][4] + value")
    parts = [_head(title, grouped or reached), _READING]
    parts += [_NUMBER] * any(_ANY in columns.values() for columns in kinds.values())
    parts += [_GROUPING] * grouped + [_REACHING] * reached
    parts += [model.replace("TERMS", "terms" if distinct else "added(terms)")]
    parts += [_ADDING] * (not distinct) + ["\n\n" + body + "\n"]
    if sections:
        heads = ", ".join(head.split()[0] for head in sections)
        return "".join([*parts, _REFUSAL.replace("SECTIONS", heads)])
    gated = any(family.given for family in spec.families)
    plain = "[(low, high, terms) for _, low, high, terms, _ in model.rows]"
    parts += [_GATES] * gated
    parts += [_SOLVE.replace("ROWS", "list(plain_rows(model))" if gated else plain)]
    return "".join([*parts, "\n" + _MAIN])


def _head(title: str, grouping: bool) -> str:
    name = title.replace("\\", "/").replace('"', "'")
    lines = [f'"""{name}: built from the tables in data/, and solved with HiGHS."""', ""]
    lines += ["import csv", "import sys"]
    lines += ["from collections import defaultdict"] * grouping
    lines += ["from pathlib import Path", ""]
    lines += ["import highspy", ""]
    return "\n".join(lines)


def _build(spec: Spec, kinds: Kinds) -> Iterator[str]:
    sums = _Sums(spec)
    groups = {group.name for group in spec.groups}
    yield "def build():"
    yield '    """Read the tables and build the model."""'
    yield from _indented(_data(spec, kinds), 1)
    goal = [*expanded(groups, parse(spec.objective.rule))]
    offset = sums.told(numbers(goal))
    maximize = spec.objective.sense == "maximize"
    yield f"    model = Model(maximize={maximize}, offset={'0.0' if offset == '0' else offset})"
    for group in spec.groups:
        low = group.lower or "-inf"
        up = group.upper or ("1" if group.domain == "binary" else "inf")
        kind = f'"{group.domain}"' if group.domain in _DOMAINS else sums.text(group.domain)
        name = label(group.name, group.scope)
        made = f"model.var({name}, {sums.text(low)}, {sums.text(up)}, {kind})"
        yield ""
        yield from _indented(_comment(group.meaning), 1)
        if not group.scope:
            yield f"    {group.name} = {made}"
            continue
        yield f"    {group.name} = {{}}"
        key = ", ".join(indices(group.scope))
        yield from _indented(_nested(group.scope, [f"{group.name}[{key}] = {made}"]), 1)
    costs = [one for one in goal if one.group]
    meaning = spec.objective.meaning and f"{spec.objective.sense} {spec.objective.meaning}"
    yield from ["", *_indented(_comment(meaning or "costs", not meaning), 1)] * bool(costs)
    for one in costs:
        yield from _indented(sums.lines(one, "model.cost({key}, {coefficient})"), 1)
    for family in spec.families:
        said = family.meaning and scope_words(spec, family) + family.meaning
        yield from ["", *_indented(_comment(said or family.name, not said), 1)]
        body = ["terms = []"]
        left, sense, right, *span = sides(family.rule)
        mine, theirs = [*expanded(groups, left)], [*expanded(groups, right, True)]
        for one in (*mine, *theirs):
            if one.group:
                body += sums.lines(one, "terms.append(({key}, {coefficient}))")
        if any(one.group for one in theirs) or ast.unparse(numbers(mine)) != "0":
            turned = [replace(one, minus=not one.minus) for one in (*theirs, *mine)]
            right = numbers(turned)
        more = "".join(f", span={sums.told(one)}" for one in span)
        if family.given:
            body.append("given = None")
            more += ", given=given"
        for gate in family.given:
            body += sums.lines(term(False, parse(gate)), "given = ({key}, {coefficient})")
        name = label(family.name, family.scope)
        sign = f'"{sense.value!s}"' if isinstance(sense, ast.Constant) else sums.told(sense)
        body.append(f"model.row({name}, terms, {sign}, {sums.told(right)}{more})")
        yield from _indented(sums.ahead, 1)
        sums.ahead = []
        yield from _indented(_nested(family.scope, body), 1)
    yield ""
    yield "    return model"


def _comment(text: str, plain: bool = False) -> list[str]:
    """A meaning as a sentence, or `plain` text, in lines."""
    said = text if plain or not text else sentence(text)
    return textwrap.wrap(said, _WIDTH, initial_indent="# ", subsequent_indent="# ",
                         break_long_words=False, break_on_hyphens=False)  # fmt: skip


def _indented(lines: Iterable[str], by: int) -> Iterator[str]:
    for line in lines:
        yield "    " * by + line if line else line


def _data(spec: Spec, kinds: Kinds) -> Iterator[str]:
    if SETS in kinds:
        yield (
            'sets = {row["set"]: range(int(row["first"]), int(row["last"]) + 1) '
            'for row in read("sets.csv")}'
        )
    scalars = kinds.get(PARAMETERS, {})
    if scalars:
        kind = next(iter(scalars.values()))
        yield f'scalars = {{row["name"]: {kind}(row["value"]) for row in read("parameters.csv")}}'
    for name in kinds.get(SETS, {}):
        yield f'{name} = sets["{name}"]'
    for name in scalars:
        yield f'{name} = scalars["{name}"]'
    for one in spec.sets:
        if one.size:
            yield f"{one.name} = range(1, {one.size} + 1)"
    for table, columns in kinds.items():
        listed = [one for one in spec.sets if one.table == table]
        if table in (SETS, PARAMETERS) or not (len(columns) > 1 or listed):
            continue
        yield f'rows = read("{table}.csv")'
        for item in listed:
            yield f"{item.name} = tuples(rows, {_keys(columns, item.key)})"
        for given in spec.parameters:
            if given.table == table:
                keys = _keys(columns, spec.key(given))
                yield f'{given.name} = column(rows, "{given.name}", {columns[given.name]}, {keys})'


def _keys(columns: Mapping[str, str], key: Sequence[str]) -> str:
    """Key columns as keywords of a call; as a dictionary where one is a word of Python."""
    if any(map(keyword.iskeyword, key)):
        pairs = [f'"{name}": {columns[name]}' for name in key]
        return f"**{{{', '.join(pairs)}}}"
    return ", ".join(f"{name}={columns[name]}" for name in key)


def _numbers(spec: Spec) -> Kinds:
    found: dict[str, dict[str, str]] = {}
    named = [(one.table, one.key) for one in spec.sets if one.table]
    named += [(one.table, (*spec.key(one), one.name)) for one in spec.parameters]
    for table, columns in named:
        found.setdefault(table, {}).update(dict.fromkeys(columns, _ANY))
    return found


def _nested(scope: str, body: list[str]) -> Iterator[str]:
    """The loops and tests of a scope as statements, each within the one before; then the body."""
    depth = 0
    for loop in loops(scope):
        lines = [f"for {', '.join(loop.indices)} in {loop.over}:"]
        lines += [f"if {' and '.join(loop.conditions)}:"] * bool(loop.conditions)
        for line in lines:
            yield "    " * depth + line
            depth += 1
    yield from _indented(body, depth)


class _Sums(ast.NodeTransformer):
    """Sums as loops; `ahead` are the lines of look-ups, which stand before their first use."""

    def __init__(self, spec: Spec) -> None:
        self.letters = {one.name: indices(one.scope) for one in spec.groups}
        self.letters |= {one.name: spec.columns(one.name) for one in spec.sets}
        self.defaults = {one.name: one.default for one in spec.parameters}
        self.known = self.letters.keys() | self.defaults.keys()
        self.found: dict[str, str] = {}
        self.ahead: list[str] = []

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """A parameter's number, or its default where its table has none."""
        self.generic_visit(node)
        name = ast.unparse(node.value)
        if self.defaults.get(name) is None:
            return node
        return parse(f"{name}.get({ast.unparse(node.slice)}, {self.defaults[name]!r})")

    def text(self, expression: str) -> str:
        """An expression in the program."""
        return ast.unparse(self.visit(ast.parse(expression, mode="eval").body))

    def told(self, tree: ast.expr) -> str:
        """A part of a rule in the program; rules are read once and must stay as they are."""
        return self.text(ast.unparse(tree))

    def lines(self, said: Summand, use: str) -> list[str]:
        """A sum's loops and tests; within them `use` with its places {key} and {coefficient}."""
        made, tests = said.loops, said.tests
        number = ast.Constant(1.0) if said.factor is None else said.factor
        coefficient = self.told(number)
        if said.minus:
            whole = isinstance(number, ast.BinOp)
            coefficient = f"-({coefficient})" if whole else f"-{coefficient}"
        key = called(said.group, tuple(map(ast.unparse, said.at)))
        done = use.replace("{key}", key).replace("{coefficient}", coefficient)
        out = [done]
        # From within: what a loop's elements are called for is known then.
        for k in reversed(range(len(made))):
            own = targets(made[k].target)
            mine = [test for test in tests if names_in(test) & set(own)] if k else tests
            tests = [test for test in tests if test not in mine]
            over, mine = self._looked_up(made[k].iter, own, mine)
            inner = [f"if {' and '.join(map(self.told, mine))}:"] * bool(mine)
            used = set(re.findall(r"\w+", " ".join([*inner, *out])))
            pattern = ", ".join(name if name in used else "_" for name in own)
            out = [f"for {pattern} in {over}:", *inner, *out]
        if not made and tests:
            out = [f"if {' and '.join(map(self.told, tests))}:", done]
        return ["    " * depth + line for depth, line in enumerate(out)]

    def _looked_up(
        self, source: ast.expr, own: tuple[str, ...], tests: list[ast.expr]
    ) -> tuple[str, list[ast.expr]]:
        """What a loop runs over, and the tests that are left."""
        over = ast.unparse(source)
        if over not in self.letters:
            return self.told(source), tests
        mine, asked, rest = equated(own, self.known, tests)
        letters = self.letters[over]
        if any(keyword.iskeyword(one) or one in self.known for one in letters):
            letters = own
        swap = dict(zip(own, letters, strict=True))

        def turned(tree: ast.expr) -> str:
            return re.sub(r"\w+", lambda word: swap.get(word[0], word[0]), self.told(tree))

        key, want = [turned(one) for one in mine], [self.told(one) for one in asked]
        head = f"{over}, lambda {', '.join(letters)}:"
        for test in rest:
            match test:
                case ast.Compare(low, [ast.LtE(), ast.LtE()], [middle, high]) if not names_in(
                    middle
                ) & set(own) and names_in(low) | names_in(high) <= {*own, *self.known}:
                    inner = f"({', '.join(key)}{',' * (len(key) == 1)})"
                    call = f"reaching({head} ({turned(low)}, {turned(high)}, {inner}))"
                    name = self._index(f"{over}_reaching_{self.told(middle)}", call)
                    asks = "".join(f", {one}" for one in want) or ","
                    left = [one for one in rest if one is not test]
                    return f"{name}[{self.told(middle)}{asks}]", left
        if not mine:
            return over, rest
        name = self._index("_".join([over, "by", *key]), f"group_by({head} {tuple_of(key)})")
        return f"{name}[{', '.join(want)}]", rest

    def _index(self, wanted: str, call: str) -> str:
        if call not in self.found:
            wanted = re.sub(r"\W+", "_", wanted).strip("_")
            taken = {*self.found.values(), *self.known}
            name = unused(f"{wanted}_", taken) if wanted in taken else wanted
            self.found[call] = name
            self.ahead.append(f"{name} = {call}")
        return self.found[call]


def label(name: str, scope: str) -> str:
    """The name of a variable or row as Python: a text with its indices filled in."""
    found = indices(scope)
    return f'f"{name}[{",".join("{" + index + "}" for index in found)}]"' if found else f'"{name}"'
