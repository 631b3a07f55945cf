"""Repairers that never read the description, and how far they get.

A benchmark that asks for reading must not yield to them. Each chooses, again and again, one element
of the IIS by its name, place, size or numbers, and drops it or moves it by the least that makes the
model feasible. `shortcuts` are fixed; `guessers` are fitted to instances whose answers are known:
the best single feature, and a decision tree over all of them.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ordojo.benchmarks.or_debug.actions import Action, ActionKind, Invalid
from ordojo.benchmarks.or_debug.elements import ElementKind, as_row, find_element
from ordojo.benchmarks.or_debug.injection.candidate import OwnSolver
from ordojo.benchmarks.or_debug.large import focused
from ordojo.benchmarks.or_debug.outcome import FULL, preservation
from ordojo.benchmarks.or_debug.policies import Repairer, reply
from ordojo.benchmarks.or_debug.repairs import apply_action, apply_fix
from ordojo.benchmarks.or_debug.schema import SEVERAL, Debugging
from ordojo.core.errors import DataError, SolverError
from ordojo.core.instance import Instance
from ordojo.core.policy import Act, Policy
from ordojo.core.statistics import mean_interval
from ordojo.milp.model import INF, Floats, Model, VarType
from ordojo.milp.tolerances import FEASIBILITY, SAME
from ordojo.solvers.answers import Status
from ordojo.solvers.repair import minimal_repairs

STEPS = 5
"""Counted steps of the headline, RR@5."""

FEATURES = (
    "bound", "type", "order", "order-left", "place", "entries", "sense", "same-sense", "side",
    "side-rank", "round", "scale", "negative", "cost", "meets", "twins", "alone", "shift",
    "stem", "ending", "letters", "alphabet", "digits", "added",
)  # fmt: skip
"""What is known of an element without reading: the columns of `Choice.features`.

Whether it is a bound, or a type; its number from the first and from the last of the IIS; where in
the model it stands; how many entries and which sense it has, and how many of the IIS have that
sense; the size of its side, the rank of that in the IIS, how round it is; how far its coefficients
are off their columns' median, the share of negative ones, the mean cost of its columns; how many of
the IIS share columns with it, how many rows have just its columns; whether it contradicts bounds by
itself, and the least relative move of it that makes the model feasible; how many rows begin and end
with the same word, the length, alphabetical rank and digits of its name, and whether it is one that
versions 1 and 2 gave to added rows.
"""

_ADDED = re.compile(
    "(agency|annual|branch|charter|council|district|export|group|insurer|partner|permit|pilot|policy"
    "|quarter|regional|season|service|site|statute|supplier|tender|union|winter|yearly)"
    "_(minimum|floor|quota|share|limit|maximum|ceiling|room)"
)
"""The names that versions 1 and 2 gave to added rows."""

Score = Callable[[Floats], Floats]
"""From features (elements, features) to scores; the first element of the highest is taken."""

Path = tuple[str, ...]
"""Repairs in their order, as texts."""


class Choice(NamedTuple):
    """The elements that may be repaired next, by names, with their features."""

    names: tuple[str, ...]
    features: Floats


class ShortcutState(NamedTuple):
    """A model under repair, the names of its IIS (none where it is feasible), and its success.

    `full` where it has an optimum and that is the original's.
    """

    model: Model
    iis: tuple[str, ...]
    optimal: bool = False
    full: bool = False


class Walk:
    """What repairs of one problem lead to, each path solved once: policies share their ways."""

    def __init__(self, problem: Debugging) -> None:
        self.problem = problem = focused(problem)
        shown = (*problem.iis_rows, *problem.iis_bounds)
        self._states: dict[Path, ShortcutState] = {(): ShortcutState(problem.model, shown)}
        self._choices: dict[Path, Choice] = {}
        self._moves: dict[tuple[Path, str, bool], Action | None] = {}

    def state(self, path: Path) -> ShortcutState:
        """The model after the repairs of `path`."""
        if path not in self._states:
            self._states[path] = self._solved(apply_fix(self.state(path[:-1]).model, path[-1:]))
        return self._states[path]

    def choice(self, path: Path) -> Choice:
        """What can be repaired after `path`."""
        if path not in self._choices:
            state = self.state(path)
            names = (*state.iis, *_types(state.model, state.iis))
            self._choices[path] = Choice(names, _features(state.model, names))
        return self._choices[path]

    def move(self, path: Path, name: str, relax: bool) -> Action | None:
        """The repair of an element after `path`, None where there is none."""
        key = path, name, relax
        if key not in self._moves:
            self._moves[key] = _move(self.state(path).model, name, relax)
        return self._moves[key]

    def _solved(self, model: Model) -> ShortcutState:
        solved = _own.solver.solve(model)
        if solved.status == Status.INFEASIBLE:
            iis = _own.solver.iis(model)
            names = () if iis is None else (*iis.row_names(model), *iis.bound_names(model))
            return ShortcutState(model, names)
        if solved.status != Status.OPTIMAL or solved.objective is None:
            return ShortcutState(model, ())
        kept = preservation(solved.objective, self.problem.objective) > FULL
        return ShortcutState(model, (), True, kept)


@dataclass(frozen=True)
class ShortcutRepair:
    """Makes `repairs` of a walk through the instance alone."""

    repairs: Callable[[Walk], Iterator[str]]

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Walk when first asked."""

        def replies(problem: Debugging) -> Iterator[str]:
            for text in self.repairs(Walk(problem)):
                yield reply(text)

        return Repairer(replies, "ShortcutRepair").begin(instance, seed, epoch)


def _highest(score: Score, relax: bool) -> ShortcutRepair:
    """Repairs the element of the highest score, then that of the next IIS, and so on.

    Up to where the model is feasible or nothing more can be done.
    """

    def repairs(walk: Walk) -> Iterator[str]:
        path: Path = ()
        while walk.state(path).iis and len(path) < STEPS:
            names, features = walk.choice(path)
            for place in np.argsort(-score(features), kind="stable").tolist():
                action = walk.move(path, names[place], relax)
                if action is not None:
                    break
            else:
                return
            path = (*path, str(action))
            yield path[-1]

    return ShortcutRepair(repairs)


def _cheapest(walk: Walk) -> Iterator[str]:
    """The moves of `minimal_repairs`, all sides of one weight; none where none was settled."""
    model = walk.problem.model
    with suppress(SolverError):
        for repair in minimal_repairs(model, limit=1):
            for shift in repair.shifts:
                action = Action(ActionKind.RELAX, shift.target, shift.new - shift.old)
                if not isinstance(apply_action(model, action), Invalid):
                    yield str(action)


_own = OwnSolver()


def shortcuts() -> Mapping[str, Policy]:
    """The fixed policies by name: drop or relax by place or name, or by the elastic optimum."""
    found: dict[str, Policy] = {"relax-elastic": ShortcutRepair(_cheapest)}
    for word, relax in (("drop", False), ("relax", True)):
        found[f"{word}-first"] = _highest(rows_by("order", -1), relax)
        found[f"{word}-last"] = _highest(rows_by("order", 1), relax)
        found[f"{word}-named"] = _highest(by("added", 1), relax)
    return found


def by(feature: str, sign: int) -> Score:
    """The highest value of a feature first, or the lowest."""
    column = FEATURES.index(feature)
    return lambda features: sign * features[:, column]


def rows_by(feature: str, sign: int) -> Score:
    """As `by`, rows before bounds and types: the IIS that is shown has rows alone, where it can."""
    value, bound, kind = by(feature, sign), FEATURES.index("bound"), FEATURES.index("type")
    return lambda features: value(features) - 1e6 * (features[:, bound] + features[:, kind])


def recovery(policy: Policy, walks: Sequence[Walk]) -> list[float]:
    """RR@5 of a policy of this module, instance by instance: 1 where it succeeds."""
    return [float(end.full) for end in ends(policy, walks)]


def ends(policy: Policy, walks: Sequence[Walk]) -> list[ShortcutState]:
    """Where a policy of this module leaves each instance after five repairs."""
    if not isinstance(policy, ShortcutRepair):
        raise TypeError(f"{type(policy).__name__} is no policy of this module")
    return [walk.state(tuple(policy.repairs(walk))[:STEPS]) for walk in walks]


def guessers(walks: Sequence[Walk]) -> Mapping[str, Policy]:
    """The policies that are fitted to the answers of `walks`, by name.

    "best-feature": of all features, directions and kinds of repair, the one with the highest RR@5.
    "tree": the better of two trees, one that drops and one that relaxes, which know each sabotaged
    element.
    """
    features, found = [], []
    for walk in walks:
        names, table = walk.choice(())
        features.append(table)
        found += [name in walk.problem.targets for name in names]
    directions = [by(feature, sign) for feature in FEATURES for sign in (1, -1)]
    best = sorted(directions, key=lambda score: -_hits(score, walks))[:_PLAYED]
    singles = [_highest(score, relax) for score in best for relax in (False, True)]
    tree = fit_tree(np.vstack(features), np.array(found, float))
    trees = [_highest(tree, relax) for relax in (False, True)]
    return {
        name: max(policies, key=lambda policy: sum(recovery(policy, walks)))
        for name, policies in (("best-feature", singles), ("tree", trees))
    }


CEILINGS: Mapping[str, float] = {
    **dict.fromkeys("ABCDEFGHI", 0.2),
    **dict.fromkeys("ABCD", 0.4),
    SEVERAL: 0.2,
}
"""Above which RR@5 of a shortcut a type asks for no reading.

Of types A to D three alike elements are one wrong, and to drop that one is right, or may be: who
guesses has a third. The others take a number that only the text has. Of two of them or more at once
(`SEVERAL`) a ninth is less than what an interval of a hundred instances tells from 0.2.
"""

ENOUGH = 30
"""Instances of a type without which nothing is said: at 30 an interval is a third wide."""

MOST = 60
"""Instances of a type that are looked at; more would take long and hardly tell more."""


def certify(problems: Sequence[Debugging]) -> Iterator[str]:
    """Lines on how far shortcuts get, type by type; guessers are fitted on four fifths of each.

    Raises DataError where one is above its ceiling with all of its 95% interval.
    """
    if not problems:
        return
    yield "RR@5 of policies that never read the description (highest first, guessers held out):"
    faults = []
    for kind, ceiling in CEILINGS.items():
        walks = [Walk(problem) for problem in problems if problem.type == kind][:MOST]
        if not walks:
            continue
        if len(walks) < ENOUGH:
            yield f"  {kind}: {len(walks)} are too few for a verdict, which takes {ENOUGH}"
            continue
        reached = {name: ends(policy, walks) for name, policy in shortcuts().items()}
        reached |= held_out(walks, range(len(walks)))
        found = {name: mean_interval([float(e.full) for e in r]) for name, r in reached.items()}
        order = sorted(found, key=lambda name: -found[name].value)
        shown = ", ".join(f"{name} {found[name].value:.2f}" for name in order)
        yield f"  {kind} (ceiling {ceiling:.2f}): {shown}"
        if found[order[0]].low > ceiling:
            faults.append(f"type {kind} yields to {order[0]} ({found[order[0]].value:.2f})")
    if faults:
        raise DataError(f"the set can be solved without reading: {'; '.join(faults)}")


def held_out(
    walks: Sequence[Walk], clusters: Sequence[Hashable], seen: Sequence[Walk] = ()
) -> Mapping[str, list[ShortcutState]]:
    """Where each guesser leaves each instance, fitted to `seen`, or to the other four fifths."""
    # Its optimizers are heavy, and who plays an episode needs none.
    from ordojo.core.hardness import held_out as cross_validated

    def learn(learnt: list[Walk]) -> Callable[[Walk], dict[str, ShortcutState]]:
        policies = guessers(learnt) if learnt else {}
        return lambda walk: {name: ends(policy, [walk])[0] for name, policy in policies.items()}

    found = cross_validated(walks, clusters, learn, seen)
    return {name: [one[name] for one in found] for name in (found[0] if found else ())}


_PLAYED = 6
"""Of the features, those that most often point to a sabotaged element are played."""


def _hits(score: Score, walks: Sequence[Walk]) -> int:
    choices = ((walk.choice(()), walk.problem.targets) for walk in walks)
    return sum(
        choice.names[int(np.argmax(score(choice.features)))] in targets
        for choice, targets in choices
    )


def fit_tree(features: Floats, found: Floats, depth: int = 4, least: int = 8) -> Score:
    """A regression tree on (rows, features) for values (rows), of least squared error.

    Four questions tell sixteen kinds of elements; a leaf of fewer than eight says too little.
    """
    mean = float(found.mean())
    cut = _best_cut(features, found, least) if depth and 0 < mean < 1 else None
    if cut is None:
        return lambda asked: np.full(len(asked), mean)
    column, value = cut
    low = features[:, column] <= value
    below, above = (fit_tree(features[side], found[side], depth - 1, least) for side in (low, ~low))
    return lambda asked: np.where(asked[:, column] <= value, below(asked), above(asked))


def _best_cut(features: Floats, found: Floats, least: int) -> tuple[int, float] | None:
    n, total = len(found), float(found.sum())
    best, chosen = total**2 / n + 1e-9, None
    for column in range(features.shape[1]):
        order = np.argsort(features[:, column], kind="stable")
        ranked, sums = features[order, column], np.cumsum(found[order])[:-1]
        counts = np.arange(1, n)
        gain = sums**2 / counts + (total - sums) ** 2 / (n - counts)
        fits = (ranked[1:] > ranked[:-1]) & (counts >= least) & (n - counts >= least)
        if fits.any():
            place = int(np.argmax(np.where(fits, gain, -INF)))
            if gain[place] > best:
                best, chosen = float(gain[place]), (column, float(ranked[place]))
    return chosen


def _types(model: Model, iis: Sequence[str]) -> tuple[str, ...]:
    """The types of the binary columns that the IIS has."""
    columns: set[int] = set()
    for name in iis:
        if name in model.rows:
            columns.update(model.row(model.rows[name])[0].tolist())
        elif (element := find_element(model, name)) is not None:
            columns.add(element.number)
    return tuple(
        f"{model.col_names[j]}.type" for j in sorted(columns) if model.types[j] == VarType.BINARY
    )


def _move(model: Model, name: str, relax: bool) -> Action | None:
    """The least move of an element that makes the model feasible; else, its loss."""
    if name.endswith(".type") and name not in model.rows:
        return Action(ActionKind.REWRITE, name, expr="INTEGER")
    actions = [Action(ActionKind.DROP, name)]
    if relax and (delta := _shift(model, name)):
        actions.insert(0, Action(ActionKind.RELAX, name, delta))
    fits = (action for action in actions if not isinstance(apply_action(model, action), Invalid))
    return next(fits, None)


def _shift(model: Model, name: str) -> float | None:
    """By how much the one side of an element must move for a feasible model, None if no way."""
    element = find_element(model, name)
    without = apply_action(model, Action(ActionKind.DROP, name))
    if element is None or isinstance(without, Invalid):
        return None
    index, value, low, up = as_row(model, element)
    moves = []
    for side, greatest in ((low, True), (up, False)):
        if np.isfinite(side):
            limit = _own.solver.extreme(without, index, value, greatest, False)
            if np.isfinite(limit) and (limit < side) == greatest:
                slip = FEASIBILITY * max(1.0, abs(limit))
                moves.append(limit - side + (-slip if greatest else slip))
    return min(moves, key=abs, default=None)


def _features(model: Model, names: Sequence[str]) -> Floats:
    """The table of `FEATURES` for elements of a model."""
    rows = model.row_names
    begin, end = (Counter(name.split("_")[k] for name in rows) for k in (0, -1))
    supports = Counter(tuple(sorted(model.row(i)[0].tolist())) for i in range(model.m))
    size = np.abs(model.value)
    typical = np.array(
        [np.median(size[model.index == j]) if (model.index == j).any() else 1.0
         for j in range(model.n)]
    )  # fmt: skip
    low, up = model.effective_bounds
    parts: list[set[int]] = []
    table: list[list[float]] = []
    for place, name in enumerate(names):
        element = find_element(model, name)
        if element is None:
            raise KeyError(name)
        k, is_row = element.number, element.part is ElementKind.ROW
        if is_row:
            index, value = model.row(k)
            sides = model.sides(k)
        else:
            index, value = np.array([k]), np.ones(1)
            sides = float(low[k]), float(up[k])
            if element.part is not ElementKind.TYPE:
                sides = (sides[0], INF) if element.part is ElementKind.LB else (-INF, sides[1])
        sense = float(sides[0] > -INF) - float(sides[1] < INF)
        side = abs(sides[0] if sides[0] > -INF else sides[1])
        reach = (np.minimum(value * low[index], value * up[index]).sum(),
                 np.maximum(value * low[index], value * up[index]).sum())  # fmt: skip
        alone = reach[0] > sides[1] + SAME or reach[1] < sides[0] - SAME
        divided = sum(side % step == 0 for step in (1, 5, 10, 50, 100, 500, 1000))
        shift = _shift(model, name) if element.part is not ElementKind.TYPE else None
        words = name.split(".")[0].split("_")
        parts.append(set(index.tolist()))
        table.append([
            element.part in (ElementKind.LB, ElementKind.UB), element.part is ElementKind.TYPE,
            place, len(names) - place, k / (model.m if is_row else model.n),
            len(index), sense, 0, np.log10(1 + min(side, 1e9)), 0, divided if side < 1e9 else 0,
            np.log10(np.abs(value / typical[index]).max(initial=1e-9) + 1e-9),
            (value < 0).mean() if len(value) else 0, np.abs(model.objective[index]).mean(),
            0, supports[tuple(sorted(index.tolist()))], is_row and alone,
            1e3 if shift is None else abs(shift) / max(1.0, side),
            begin[words[0]], end[words[-1]], len(name), 0,
            sum(letter.isdigit() for letter in name),
            _ADDED.fullmatch(name) is not None,
        ])  # fmt: skip
    found = np.array(table, float)
    column = FEATURES.index
    senses, sizes = found[:, column("sense")], found[:, column("side")]
    found[:, column("same-sense")] = (senses[:, None] == senses).sum(axis=1)
    found[:, column("side-rank")] = (sizes[:, None] > sizes).sum(axis=1)
    found[:, column("alphabet")] = [sorted(names).index(name) for name in names]
    found[:, column("meets")] = [sum(not a.isdisjoint(b) for b in parts) for a in parts]
    return found
