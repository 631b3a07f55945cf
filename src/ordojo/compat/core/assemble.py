"""A store as the problem that goes to the solver, formulas taken apart on the way."""

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ordojo.compat.core import expressions as core
from ordojo.compat.core import store as parts
from ordojo.compat.core.expressions import Formula, evaluate
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.milp.model import ENDLESS, INF, Floats, Ints, Model, distinct
from ordojo.milp.objects.sketch import sides, summed
from ordojo.solvers import problem as problems

ReadFormula = Callable[["Draft", parts.FormulaPart], None]
"""Takes a formula apart into columns, rows and general constraints of the draft."""


class Draft:
    """Everything of a problem but the linear model's own columns and rows; more may be added.

    `columns` has the costs of further ones, free and continuous; `rows` have name, terms and sides.
    """

    def __init__(self, store: parts.Store) -> None:
        self.store = store
        self.columns: list[float] = []
        self.rows: list[tuple[str, dict[int, float], float, float]] = []
        self.quadratic_rows: list[problems.QuadraticRow] = []
        self.indicators: list[problems.Indicator] = []
        self.general: list[problems.General] = []
        self.sos: list[problems.Sos] = []

    def column(self, cost: float = 0.0) -> int:
        """A further column; its number."""
        self.columns.append(cost)
        return len(self.store.columns) + len(self.columns) - 1


def problem_of(
    store: parts.Store,
    settings: problems.Settings,
    formula: ReadFormula | None = None,
    aim: parts.FormulaPart | None = None,
) -> problems.Problem:
    """The problem that an updated store holds; an `aim` is read as its formulas are."""
    draft = Draft(store)
    for family, letters in (("quadratic", "qc"), ("general", "GC"), ("sos", "")):
        for number, part in enumerate(store.family(family)):
            _put(draft, part, part.name or (letters and f"{letters}{number}"), formula)
    if aim is not None and formula is not None:
        formula(draft, aim)
    model = model_of(store, draft)
    products = store.goal.products
    return problems.Problem(
        model,
        quadratic_of(*products) if products and products[0] else None,
        tuple(draft.quadratic_rows),
        tuple(draft.indicators),
        tuple(draft.sos),
        tuple(draft.general),
        _objectives(store, model),
        _start(store, model.n),
        settings,
    )


def model_of(store: parts.Store, draft: Draft | None = None) -> Model:
    """The linear part of an updated store as a model, with what a draft adds."""
    draft = draft or Draft(store)
    n, m = len(store.columns), len(store.rows)
    lower, upper = infinite(store.view("lower")), infinite(store.view("upper"))
    rhs = infinite(store.view("rhs"))
    senses = np.frombuffer(bytes(store.senses), np.uint8)
    row_lower = np.where(senses == ord("<"), -INF, rhs)
    row_upper = np.where(senses == ord(">"), INF, rhs)
    for row, low in store.lows.items():
        if row._row >= 0 and senses[row._row] == ord("R"):
            row_lower[row._row] = -INF if low <= -ENDLESS else low
    # An infinite side that cannot be met is kept apart from one that always holds.
    row_lower[row_lower == INF] = ENDLESS / 10
    row_upper[row_upper == -INF] = -ENDLESS / 10
    more = [f"aux.{number}" for number in range(n, n + len(draft.columns))]
    col_names = distinct([*store.col_names.all(), *more])
    row_names = distinct([*store.row_names.all(), *(row[0] for row in draft.rows)])
    model = Model(
        name=store.name,
        maximize=store.maximize,
        objective=store.view("cost"),
        offset=store.goal.constant,
        col_names=col_names[:n],
        col_lower=lower,
        col_upper=upper,
        types=np.frombuffer(bytes(store.kinds), np.uint8).copy(),
        row_names=row_names[:m],
        row_lower=row_lower,
        row_upper=row_upper,
        starts=store.view("starts", np.int32),
        index=store.view("index", np.int32),
        value=store.view("value"),
    )
    if not more and not draft.rows:
        return model
    free, kinds = np.full(len(more), INF), np.zeros(len(more), np.uint8)
    grown = model.grown(
        [len(terms) for _, terms, *_ in draft.rows],
        [j for _, terms, *_ in draft.rows for j in terms],
        [c for _, terms, *_ in draft.rows for c in terms.values()],
        [(low, up) for _, _, low, up in draft.rows],
        row_names[m:],
        (np.append(lower, -free), np.append(upper, free), np.append(model.types, kinds)),
        col_names[n:],
    )
    return dataclasses.replace(grown, objective=np.append(model.objective, draft.columns))


def infinite(values: Floats) -> Floats:
    """Bounds with the interfaces' large numbers made infinite."""
    return np.where(values >= ENDLESS, INF, np.where(values <= -ENDLESS, -INF, values))


def merged(coeffs: list[float], variables: list[Any]) -> tuple[Ints, Floats]:
    """Terms as arrays, each column once; variables that were removed are left out."""
    pairs = zip(coeffs, variables, strict=True)
    return summed((var._col, c) for c, var in pairs if var._col >= 0)


def quadratic_of(q: list[float], a: list[Any], b: list[Any]) -> problems.Quadratic:
    """Products as arrays, each pair once with the smaller column first."""
    terms = zip(q, a, b, strict=True)
    return _products((one._col, two._col, c) for c, one, two in terms)


def _products(terms: Iterable[tuple[int, int, float]]) -> problems.Quadratic:
    total: dict[tuple[int, int], float] = {}
    for one, two, c in terms:
        first, second = sorted((one, two))
        if first >= 0:
            total[first, second] = total.get((first, second), 0.0) + c
    return problems.Quadratic.of((*pair, c) for pair, c in total.items() if abs(c) > 0.0)


def _put(
    draft: Draft, part: parts.StoredConstraint, name: str, formula: ReadFormula | None
) -> None:
    """Add a part to the draft under a name."""
    match part:
        case parts.QuadraticPart():
            index, value = merged(part.linear._c, part.linear._v)
            both = sides(part.sense, part.rhs) if part.low is None else (part.low, part.rhs)
            quadratic = quadratic_of(*part.products)
            if len(quadratic.value):
                row = problems.QuadraticRow(name, index, value, quadratic, *both)
                draft.quadratic_rows.append(row)
            else:
                terms = dict(zip(index.tolist(), value.tolist(), strict=True))
                draft.rows.append((name, terms, *both))
        case parts.SosPart():
            index, weights = merged(part.weights, part.variables)
            draft.sos.append(problems.Sos(part.kind, index, weights, name))
        case parts.IndicatorPart():
            index, value = merged(part.coeffs, part.variables)
            _check_live("an indicator constraint lost its variable", part.binary)
            tie = part.binary._col, part.active, index, value, *sides(part.sense, part.rhs)
            draft.indicators.append(problems.Indicator(name, *tie))
        case parts.GeneralPart():
            _check_live("a general constraint lost a variable", part.result, *part.operands)
            operands = np.array([var._col for var in part.operands], np.int32)
            tied = part.function, part.result._col, operands, part.numbers
            draft.general.append(problems.General(name, *tied))
        case parts.FormulaPart() if formula is not None:
            formula(draft, part)


def _check_live(what: str, *variables: Any) -> None:
    if any(var._col < 0 for var in variables):
        raise NotImplementedError(f"{what}; remove the constraint too")


def objective_of(goal: parts.Goal, coefficients: Floats) -> problems.LinearObjective:
    """One of several objectives, as the solver takes it."""
    tolerances = goal.abs_tol, goal.rel_tol
    return problems.LinearObjective(
        goal.name, int(goal.priority), goal.weight, *tolerances, coefficients, goal.constant
    )


def is_mip(problem: problems.Problem) -> bool:
    """Whether the interfaces take a problem for a mixed-integer one."""
    return bool(problem.model.is_mip or problem.indicators or problem.general or problem.sos)


FORMULA_TOLERANCE = 1e-3
"""By how much a formula may miss its value at a solution, relative to it. Solvers keep the rows
that a formula is taken apart into to 1e-6, which a steep function makes more of; a division by
zero, which these rows allow, misses by its whole value. A tighter bound would refuse true
solutions."""


def check_formula(store: parts.Store, formula: Any, lower: float, upper: float) -> None:
    """Refuse a solution at which a formula is not within its sides (a division by zero)."""
    try:
        value = evaluate(formula)
    except (ArithmeticError, ValueError):
        raise store.unsupported(
            "a formula that has no value at the solution", "bound its variables away from there"
        ) from None
    sizes = [abs(side) for side in (value, lower, upper) if abs(side) < INF]
    slack = FORMULA_TOLERANCE * max(1.0, *sizes)
    if not lower - slack <= value <= upper + slack:
        raise store.unsupported(
            "a formula that does not hold at the solver's solution",
            "bound what it divides by away from zero",
        )


def _objectives(store: parts.Store, model: Model) -> tuple[problems.LinearObjective, ...]:
    found = []
    for goal in store.objectives():
        dense = model.objective
        if goal is not store.goal:
            dense = np.zeros(model.n)
            index, value = merged(goal.coeffs, goal.variables)
            dense[index] = value
        found.append(objective_of(goal, dense))
    return tuple(found)


def _start(store: parts.Store, n: int) -> Floats | None:
    given = {var._col: value for var, value in store.start_values() if var._col >= 0}
    given = {j: value for j, value in given.items() if abs(value) < 1e100}
    if not given:
        return None
    start = np.full(n, np.nan)
    start[list(given)] = list(given.values())
    return start


Affine = tuple[dict[int, float], float]
"""Coefficients by column, and a constant."""

_FUNCTIONS = {
    "exp": (problems.GeneralFunction.EXP, ()),
    "log": (problems.GeneralFunction.LOG, ()),
    "log2": (problems.GeneralFunction.LOGA, (2.0,)),
    "log10": (problems.GeneralFunction.LOGA, (10.0,)),
    "sin": (problems.GeneralFunction.SIN, ()),
    "cos": (problems.GeneralFunction.COS, ()),
    "tan": (problems.GeneralFunction.TAN, ()),
    "sqrt": (problems.GeneralFunction.POW, (0.5,)),
    "logistic": (problems.GeneralFunction.LOGISTIC, ()),
}


def take_apart(draft: Draft, part: parts.FormulaPart) -> None:
    """Add to the draft what says that the part's result equals its formula."""
    value = _Reader(draft, part.name).read(part.formula)
    terms, constant = _plus(({part.result._col: 1.0}, 0.0), value, -1.0)
    draft.rows.append((part.name or f"nl.{len(draft.rows)}", terms, -constant, -constant))


class _Reader:
    """Gives each node of a formula as an affine form over columns, adding columns for the rest."""

    def __init__(self, draft: Draft, name: str) -> None:
        self.draft, self.name = draft, name

    def read(self, node: Any) -> Affine:
        """The value of a node."""
        found = core.linear(node)
        if found is not None:
            return _affine(*found)
        if isinstance(node, CoreQuad):
            return self._quadratic(node)
        if not isinstance(node, Formula):
            raise self.draft.store.unsupported(
                f"a formula with {type(node).__name__}", "use numbers, variables and expressions"
            )
        if node._op == "**":
            return self._power(*node._args)
        args = [self.read(arg) for arg in node._args]
        if node._op in ("+", "-"):
            return _plus(args[0], args[1], 1.0 if node._op == "+" else -1.0)
        if node._op == "leaf":
            return args[0]
        if node._op == "*":
            return self._times(args[0], args[1])
        if node._op == "/":
            return self._over(args[0], args[1])
        if node._op == "square":
            return self._times(args[0], args[0])
        if node._op == "tanh":
            doubled = _plus(args[0], args[0], 1.0)
            half = self._function(problems.GeneralFunction.LOGISTIC, doubled, ())
            return _plus(_plus(half, half, 1.0), ({}, 1.0), -1.0)
        function, numbers = _FUNCTIONS[node._op]
        return self._function(function, args[0], numbers)

    def _power(self, base: Any, exponent: Any) -> Affine:
        power, root = core.number(exponent), core.number(base)
        if power is not None:
            value = self.read(base)
            if power == 2:
                return self._times(value, value)
            return self._function(problems.GeneralFunction.POW, value, (float(power),))
        if root is not None:
            return self._function(
                problems.GeneralFunction.EXPA, self.read(exponent), (float(root),)
            )
        raise self.draft.store.unsupported(
            "a variable power of a variable", "write exp(y * log(x))"
        )

    def _quadratic(self, node: Any) -> Affine:
        value = _affine(node._linear._c, node._linear._v, node._linear._k)
        for c, a, b in zip(node._q, node._a, node._b, strict=True):
            value = _plus(value, self._times(({a._col: 1.0}, 0.0), ({b._col: 1.0}, 0.0)), c)
        return value

    def _times(self, left: Affine, right: Affine) -> Affine:
        for one, other in ((left, right), (right, left)):
            if not one[0]:
                return _plus(({}, 0.0), other, one[1])
        new = self.draft.column()
        self._product({new: 1.0}, left, right, -1.0)
        return {new: 1.0}, 0.0

    def _over(self, left: Affine, right: Affine) -> Affine:
        if not right[0]:
            return _plus(({}, 0.0), left, 1.0 / right[1])
        new = self.draft.column()
        terms, constant = _plus(({}, 0.0), left, -1.0)
        self._product(terms, ({new: 1.0}, 0.0), right, 1.0, constant)
        return {new: 1.0}, 0.0

    def _product(
        self, terms: dict[int, float], left: Affine, right: Affine, by: float, constant: float = 0.0
    ) -> None:
        """The row: terms + constant + by * left * right = 0."""
        linear = _plus((terms, constant), _plus(({}, 0.0), left, right[1]), by)
        linear = _plus(linear, (right[0], 0.0), by * left[1])
        pairs = ((i, j, by * c * d) for i, c in left[0].items() for j, d in right[0].items())
        rows, name = self.draft.quadratic_rows, self.name or "nl"
        both, parts = -linear[1], (*summed(linear[0].items()), _products(pairs))
        rows.append(problems.QuadraticRow(f"{name}.product{len(rows)}", *parts, both, both))

    def _function(
        self, function: problems.GeneralFunction, value: Affine, numbers: tuple[float, ...]
    ) -> Affine:
        operand, new = self._column(value), self.draft.column()
        general = self.draft.general
        name = f"{self.name or 'nl'}.{function.value}{len(general)}"
        general.append(
            problems.General(name, function, new, np.array([operand], np.int32), numbers)
        )
        return {new: 1.0}, 0.0

    def _column(self, value: Affine) -> int:
        """A column that equals an affine form."""
        terms, constant = value
        if constant == 0.0 and list(terms.values()) == [1.0]:
            return next(iter(terms))
        new = self.draft.column()
        equal = {new: 1.0, **{j: -c for j, c in terms.items()}}
        self.draft.rows.append((f"{self.name or 'nl'}.argument{new}", equal, constant, constant))
        return new


def _affine(coeffs: list[float], variables: list[Any], constant: float) -> Affine:
    total: dict[int, float] = {}
    for c, var in zip(coeffs, variables, strict=True):
        total[var._col] = total.get(var._col, 0.0) + c
    return total, float(constant)


def _plus(left: Affine, right: Affine, by: float) -> Affine:
    total = dict(left[0])
    for j, c in right[0].items():
        total[j] = total.get(j, 0.0) + by * c
    return {j: c for j, c in total.items() if c != 0.0}, left[1] + by * right[1]
