"""Repairers that know how instances were made, and ask how little of a text has to be understood.

Each proposes repairs, every one under a key that says on what evidence; which keys to trust is
fitted on instances of the train split, and the most trusted repair is made. `knows-digits`
compares the digits of text and model, `knows-undo` inverts the injectors' arithmetic,
`knows-patterns` makes rows like the rest of a model, `knows-filters` strikes out what would have
been no instance, `knows-ranges` takes a figure from the range that it was drawn from,
`knows-strings` goes by which names stand in which sentence, `knows-phrases` reads limits and lots
by the telling's own forms, sentence by sentence, and `knows-facts` works out the tables too, and
looks for the row that they nearly explain. `knows-rules` is the telling's inverse: it reads all
that is told of rules.
"""

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from typing import Any

import numpy as np

from ordojo.benchmarks.or_debug.actions import Action, ActionKind
from ordojo.benchmarks.or_debug.elements import ElementKind, as_row, find_element
from ordojo.benchmarks.or_debug.injection.candidate import flipped, is_inequality, with_side
from ordojo.benchmarks.or_debug.injection.generate import GeneratedProblem, shared_solver
from ordojo.benchmarks.or_debug.injection.validation import repairs_of
from ordojo.benchmarks.or_debug.large import focused
from ordojo.benchmarks.or_debug.outcome import FULL, differences, preservation
from ordojo.benchmarks.or_debug.policies import repaired, reply, script
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.schema import (
    LIBRARY,
    SEVERAL,
    SILENT,
    TYPES,
    Debugging,
    read_text,
    shipped,
)
from ordojo.benchmarks.or_debug.shortcuts import STEPS, Walk, recovery, shortcuts
from ordojo.benchmarks.or_debug.silent import GOAL, SPARE, produce_silent
from ordojo.benchmarks.or_debug.telling import reading
from ordojo.benchmarks.or_debug.telling.figures import FACTORS
from ordojo.core.errors import DataError
from ordojo.core.instance import Instance
from ordojo.core.policy import Act
from ordojo.core.statistics import mean_interval
from ordojo.milp.algebra import row_text
from ordojo.milp.model import Model, VarType
from ordojo.milp.tolerances import OBJECTIVE, PRIMAL, WHOLE

SCALES = (2.0, 3.0, 5.0, 10.0)
"""What a coefficient or a row may be off by, for one who guesses: version 4 scaled by these."""

TERMS = 12
"""Columns that a row may lack, those nearest to it: a small model has hardly more."""


def suggested(model: Model, i: int) -> Iterator[tuple[tuple[str, ...], Model]]:
    """Row i as it might have been, each with what suggests it.

    A coefficient is as others of its row or of its column, or 1, or off by a factor; a term is
    missing; the row is scaled.
    """
    index, value = (part.tolist() for part in model.row(i))
    sizes = np.abs(value)

    def column(j: int) -> set[float]:
        found = (model.index == j) & (model.entry_rows != i)
        return set(np.abs(model.value[found]).tolist())

    def row(index: list[int], value: list[float]) -> Model:
        return model.with_row(i, index, value)

    for k, (j, v) in enumerate(zip(index, value, strict=True)):
        others = set(np.delete(sizes, k).tolist())
        lone = "lone" if len(others) == 1 and abs(v) not in others else ""
        ways = dict.fromkeys((abs(v) * f for s in SCALES for f in (s, 1 / s)), "factor")
        ways |= {1.0: "one"} | dict.fromkeys(column(j), "column") | dict.fromkeys(others, "row")
        for size, way in ways.items():
            if size != abs(v):
                new = [*value[:k], float(np.copysign(size, v)), *value[k + 1 :]]
                yield (way, lone), row(index, new)
    flat = "flat" if len(set(sizes.tolist())) == 1 else ""
    for factor in SCALES:
        yield ("scaled", flat, f"1/{factor}"), row(index, (np.array(value) / factor).tolist())
        yield ("scaled", flat, str(factor)), row(index, (np.array(value) * factor).tolist())
    signs = sorted(set(np.sign(value).tolist()))
    # Columns that the row has not, those first that stand with its own in other rows.
    near = np.isin(model.entry_rows, model.entry_rows[np.isin(model.index, index)])
    counts = np.bincount(model.index[near], minlength=model.n)
    counts[index] = -1
    missing = np.argsort(-counts, kind="stable")[:TERMS]
    for j in missing[counts[missing] >= 0].tolist():
        for size in sorted({1.0, *sizes.tolist(), *column(j)}):
            way = "row" if size in sizes else "column"
            for sign in signs:
                yield ("term", flat, way), row([*index, j], [*value, sign * size])


Key = tuple[str, ...]
Known = Callable[[Debugging], Iterator[tuple[Key, str]]]
"""Proposes repairs of a problem, each under the key of its evidence."""

MOST = 400
"""Proposals of one adversary for one problem that are tried when it is fitted."""

CEILING, CEILING_OF_KIND = 0.35, 0.5
"""What one who knows the generator may solve of a set, and of a kind of error in it. Not fitted: a
guess among three valid cases has a third before a word is read; a kind has few instances."""

INVERSE = "knows-rules"
"""Said and not judged: no telling by forms holds against a reader that has each of them."""

ENOUGH, MEASURED = 15, 30
"""Instances of each kind without which nothing is said, and at most so many are looked at."""

LEARNT, FITTED = "known", 8
"""The split of silent problems that adversaries are fitted on (of the others it is the library),
and problems a kind: with more no other keys are trusted."""

FILTERING = ("knows-facts", "knows-undo", "knows-phrases", "knows-strings", "knows-digits")
"""Those whose successes `filtered` draws again, the strongest first."""

KEPT, DRAWS = 1 / 3, 12
"""The share of these that stays nevertheless, so that to be repaired by none of them gives little
away; and problems that are drawn for one place, of which the last one stays in any case."""

_FLOORS = ("at least", "no fewer", "or more", "never under")
_ROOFS = ("at most", "no more", "or fewer", "never above")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")


def _row_edits(model: Model, i: int) -> Iterator[tuple[int, float, Callable[[float], str]]]:
    """Each number of a row: its column (-1 for the side), its value, the repair to another."""
    index, value = (part.tolist() for part in model.row(i))
    name = model.row_names[i]
    sides = model.sides(i)

    def put(k: int) -> Callable[[float], str]:
        def written(new: float) -> str:
            changed = model.with_row(i, index, [*value[:k], new, *value[k + 1 :]])
            return _rewrite(changed, i, name)

        return written

    for k, (j, v) in enumerate(zip(index, value, strict=True)):
        if model.col_names[j] != GOAL:
            yield j, v, put(k)
    side = sides[0] if np.isfinite(sides[0]) else sides[1]
    if np.isfinite(side):
        yield -1, side, lambda new: _rewrite(with_side(model, i, new), i, name)


def _rewrite(model: Model, i: int, name: str) -> str:
    return str(Action(ActionKind.REWRITE, name, expr=row_text(model, i)))


def _rows(problem: Debugging) -> list[int]:
    """The rows in question: of the IIS, or all."""
    model = problem.model
    shown = [model.rows[name] for name in problem.iis_rows if name in model.rows]
    return shown or [i for i in range(model.m) if model.is_live(i)]


def digits(problem: Debugging) -> Iterator[tuple[Key, str]]:
    """A number that only the model has, made one that only the text has."""
    model = problem.model
    said = {float(found) for found in _DIGITS.findall(problem.text)}
    used = {abs(v) for i in range(model.m) for _, v, _ in _row_edits(model, i)}
    left = sorted(said - used)
    for i in _rows(problem):
        for j, v, put in _row_edits(model, i):
            if abs(v) not in said and abs(v) != 1:
                nearest = sorted(left, key=lambda number: abs(number - abs(v)))[:3]
                for rank, new in enumerate(nearest):
                    yield ("side" if j < 0 else "entry", str(rank)), put(new if v > 0 else -new)


def undo(problem: Debugging) -> Iterator[tuple[Key, str]]:
    """What each injector did, undone, wherever the model looks as if it had."""
    model = problem.model
    sizes = np.abs(model.value)
    medians = [np.median(sizes[model.index == j]) if (model.index == j).any() else 1.0
               for j in range(model.n)]  # fmt: skip
    solved = shared_solver().solve(model)
    x = None if solved.x is None else solved.x.copy()
    activity = None if x is None else model.activities(x)
    for j, name in enumerate(model.col_names):
        part = x is not None and abs(x[j] - round(x[j])) > WHOLE
        small = bool(model.col_upper[j] <= 5)
        if model.types[j] != VarType.INTEGER:
            yield ("whole", str(part), str(small)), f"REWRITE({name}.type, INTEGER)"
    for i in _rows(problem):
        name = model.row_names[i]
        yield ("drop",), f"DROP({name})"
        if is_inequality(model, i):
            side = model.row_lower[i] if np.isfinite(model.row_lower[i]) else model.row_upper[i]
            tight = activity is not None and abs(activity[i] - side) < PRIMAL * max(1, abs(side))
            yield ("sense", str(bool(tight))), _rewrite(flipped(model, i), i, name)
        index, value = model.row(i)
        few = min((value > 0).sum(), (value < 0).sum())
        goal = GOAL in model.cols and model.cols[GOAL] in index
        shape = "flat" if len({*np.abs(value).tolist()}) == 1 else "data"
        for j, v, put in _row_edits(model, i):
            if j < 0:
                idle = activity is not None and abs(activity[i] - v) > abs(v) / 2
                for f in (*FACTORS, 1.3):
                    yield ("side", str(idle), str(f)), put(v / f)
                    yield ("side", str(idle), f"1/{f}"), put(v * f)
                continue
            lone = few == 1 and (np.sign(value) == np.sign(v)).sum() == 1
            yield ("sign", str(bool(lone)), shape, str(goal)), put(-v)
            off = abs(v / (medians[j] or 1.0))
            for f in (*FACTORS, 1.3):
                for new, ratio in ((v / f, off / f), (v * f, off * f)):
                    if 0.5 <= ratio <= 2 and not 0.5 <= off <= 2:
                        yield ("factor", str(f), str(goal)), put(new)


def patterns(problem: Debugging) -> Iterator[tuple[Key, str]]:
    """Each row of an IIS as the rest of the model suggests it."""
    model = problem.model
    for i in () if problem.is_silent else _rows(problem):
        for key, changed in suggested(model, i):
            yield key, _rewrite(changed, i, model.row_names[i])


def filters(problem: Debugging) -> Iterator[tuple[Key, str]]:
    """What would be true if one member of the IIS were wrong, and whether validation would hold.

    It would not where a repair of another member keeps that optimum: were only what is true asked
    for this, what is not could be struck out.
    """
    if problem.is_silent:
        return
    model, solver = problem.model, shared_solver()
    kept = [
        (name, solver.solve(after).objective)
        for name in (*problem.iis_rows, *problem.iis_bounds)
        for after in repairs_of(model, name, solver)
    ]
    cases = [("drop", name, f"DROP({name})") for name in problem.iis_rows]
    for i in _rows(problem):
        name = model.row_names[i]
        if is_inequality(model, i):
            cases.append(("turn", name, _rewrite(flipped(model, i), i, name)))
    for j, name in enumerate(model.col_names):
        if model.types[j] == VarType.BINARY:
            cases.append(("often", name, f"REWRITE({name}.type, INTEGER)"))
    for what, name, repair in cases:
        optimum = solver.solve(apply_fix(model, [repair])).objective
        if optimum:
            rivals = [other for one, other in kept if one != name and other is not None]
            held = all(preservation(other, optimum) <= FULL for other in rivals)
            yield (what, str(held)), repair


WAYS = (0.2, 0.4, 0.55, 0.7, 0.9)
"""Parts of the way from where a limit begins to cost to where it can no longer be kept: some within
`validation.SPAN`, from which figures are drawn. Which of them to trust is fitted."""


def ranges(problem: Debugging) -> Iterator[tuple[Key, str]]:
    """A figure from the range that a member's own was drawn from, worked out from the rest."""
    model, solver = problem.model, shared_solver()
    for name in () if problem.is_silent else (*problem.iis_rows, *problem.iis_bounds):
        element = find_element(model, name)
        if element is None or element.part is ElementKind.TYPE:
            continue
        k = element.number
        index, value, low, up = as_row(model, element)
        lower = bool(np.isfinite(low))
        without = next(repairs_of(model, name, solver))
        free = solver.solve(without)
        if free.x is None or (element.part is ElementKind.ROW and low == up):
            continue
        here = float((free.x[index] * value).sum())
        end = solver.extreme(without, index, value, lower)
        shape = "flat" if {*value} == {1.0} else "data"
        for way in WAYS if np.isfinite(end) and end != here else ():
            figure = float(f"{here + way * (end - here):.6g}")
            key = element.part.name, shape, str(lower), str(way)
            if element.part is ElementKind.ROW:
                yield key, _rewrite(with_side(model, k, figure), k, name)
            else:
                yield key, f"REWRITE({name}, {figure})"


def strings(problem: Debugging) -> Iterator[tuple[Key, str]]:
    """The sense that the sentence has whose names are a row's, or the word of its sentence."""
    model = problem.model
    said = [
        (set(re.findall(r"\w+", part)), part)
        for part in reading.sentences(problem.text)
        if any(word in part for word in (*_FLOORS, *_ROOFS))
    ]
    for i in _rows(problem):
        if not (said and is_inequality(model, i)):
            continue
        names = "_".join(model.col_names[j] for j in model.row(i)[0].tolist())
        words = set(re.split(r"[_ ]", names.lower()))
        there, part = max(said, key=lambda pair: len(pair[0] & words) / (3 + len(pair[0] | words)))
        floor = any(word in part for word in _FLOORS)
        roof = any(word in part for word in _ROOFS)
        lower = bool(np.isfinite(model.row_lower[i]))
        share = round(4 * len(there & words) / max(1, len(words)))
        if floor != roof and floor != lower:
            repair = _rewrite(flipped(model, i), i, model.row_names[i])
            yield ("turned", str(share)), repair


def phrases(problem: Debugging) -> Iterator[tuple[Key, str]]:
    """Limits and lots as the telling's forms say them, where the model has them otherwise.

    In an infeasible model, rules, as far as each sentence says by itself.
    """
    if not problem.is_silent:
        yield from _ruled(problem, False, False)
        return
    text = reading.named(problem.text)
    model, lots = problem.model, reading.lots_of(text)
    called = {name: j for j, name in enumerate(model.col_names)}
    for name, j in called.items():
        _, whole = _lot(name, lots)
        if whole and model.types[j] == VarType.CONTINUOUS:
            yield ("whole",), f"REWRITE({name}.type, INTEGER)"
    limits = list(reading.limits_of(text))
    rows = [model.terms(i) for i in range(model.m)]
    for limit in limits:
        for group in _groups(model, (*limit.plus, *limit.minus)):
            signs = [1] * len(limit.plus) + [-1] * len(limit.minus)
            terms: dict[int, float] = {}
            for j, sign in zip(group, signs, strict=True):
                terms[j] = sign * _lot(model.col_names[j], lots)[0]
            sides = (limit.side, np.inf) if limit.lower else (-np.inf, limit.side)
            forms = ((terms, sides), ({j: -v for j, v in terms.items()}, (-sides[1], -sides[0])))
            same = [
                i
                for i, row in enumerate(rows)
                if any(row == t and model.sides(i) == s for t, s in forms)
            ]
            if same:
                continue
            near = [
                i for i, row in enumerate(rows)
                if any(row == t or (model.sides(i) == s and row.keys() == t.keys())
                       for t, s in forms)
            ]  # fmt: skip
            targets = [model.row_names[near[0]]] if near else [SPARE] if SPARE in model.rows else []
            for name in targets:
                i = model.rows[name]
                written = model.with_row(i, list(terms), list(terms.values()), *sides)
                key = "limit", "near" if near else "new", str(len(terms))
                yield key, _rewrite(written, i, name)


def _ruled(problem: Debugging, tables: bool, linked: bool) -> Iterator[tuple[Key, str]]:
    """Rows and bounds that the rules have otherwise, and what can be bought more than once."""
    model = problem.model
    read = reading.RuleReader(problem.text, model.col_names, tables, linked)
    rules = [
        (rule["counts"], *(rule.get(what) for what in ("floor", "names", "kept")))
        for rule in read.rules.values()
        if "counts" in rule
    ]
    pointed = [
        (rule["counts"], rule["points"], str(rule.get("kept")), rule.get("names"))
        for rule in read.rules.values()
        if rule.get("counts") and rule.get("points")
    ]
    for thing in read.often:
        yield ("often", str(len(read.often))), f"REWRITE({thing.replace(' ', '_')}.type, INTEGER)"
    for name in problem.iis_rows:
        i = model.rows[name]
        old, (low, up) = model.terms(i), model.sides(i)
        own = frozenset(model.col_names[j] for j in old)
        lower, side = bool(np.isfinite(low)), low if np.isfinite(low) else up
        mine = [rest for columns, *rest in rules if columns == own]
        for columns, points, kept, figure in pointed:
            terms = {
                model.cols[name]: value
                for name in columns
                for thing, value in points.items()
                if name.endswith(thing.replace(" ", "_"))
            }
            if own <= columns and terms != old:
                told = model.with_row(i, list(terms), list(terms.values()))
                yield ("points", kept, str(figure == side)), _rewrite(told, i, name)
        if low == up or [lower, side, True] in mine:
            continue
        for floor, figure, kept in mine:
            if [floor, figure, kept] == [lower, side, False]:
                yield ("lapsed",), f"DROP({name})"
            elif floor is not None and floor != lower:
                key = "turned", str(kept), str(figure == side)
                yield key, _rewrite(flipped(model, i), i, name)
            elif figure is not None:
                yield ("side", str(kept), str(floor)), f"RELAX({name}, {figure - side})"
        if {*old.values()} == {1.0}:
            yield ("unsaid", str(len(mine)), str(len(own))), f"DROP({name})"
    for bound in problem.iis_bounds:
        column, _, part = bound.rpartition(".")
        for columns, floor, figure, kept in rules:
            if columns == frozenset({column}) and figure is not None and floor != (part == "ub"):
                yield ("bound", part, str(kept)), f"REWRITE({bound}, {figure})"


def _lot(name: str, lots: Mapping[str, tuple[float, bool]]) -> tuple[float, bool]:
    """The lot of the thing that a column's name ends in, and whether it is whole."""
    words = name.lower().replace("_", " ")
    found = [thing for thing in lots if words == thing or words.endswith(f" {thing}")]
    return lots[max(found, key=len)] if found else (1.0, False)


def _groups(model: Model, things: Sequence[str]) -> Iterator[list[int]]:
    """The columns of one stem that are of these things, for each stem."""
    if all(thing in model.cols for thing in things):
        yield [model.cols[thing] for thing in things]
        return
    by_stem: dict[str, dict[str, int]] = defaultdict(dict)
    for j, name in enumerate(model.col_names):
        words = name.lower().replace("_", " ")
        for thing in things:
            if words.endswith(f" {thing}"):
                by_stem[words.removesuffix(f" {thing}")].setdefault(thing, j)
    for found in by_stem.values():
        if len(found) == len(set(things)):
            yield [found[thing] for thing in things]


def facts(problem: Debugging) -> Iterator[tuple[Key, str]]:
    """What `phrases` finds; and the number of a row, or its side, that a table has otherwise.

    In an infeasible model also what rules say by way of tables.
    """
    yield from phrases(problem) if problem.is_silent else _ruled(problem, True, False)
    model, lots = problem.model, reading.lots_of(reading.named(problem.text))
    tables = [values for _, values in reading.tables_of(problem.text)]
    every = {value for table in tables for value in table.values()}
    for i in _rows(problem):
        goal = GOAL in model.cols and model.cols[GOAL] in model.row(i)[0]
        edits = list(_row_edits(model, i))
        for table in tables:
            heads = {key.split(" with ")[0] for key in table if " with " in key} or {""}
            for head in sorted(heads):
                yield from _explained(model, edits, table, head, lots, goal)
        for j, v, put in edits:
            if j < 0 and v and abs(v) not in every:
                for f in FACTORS:
                    for new in (v * f, v / f):
                        if new in every:
                            yield ("table-side",), put(new)


def _explained(
    model: Model,
    edits: Sequence[tuple[int, float, Callable[[float], str]]],
    table: Mapping[str, float],
    head: str,
    lots: Mapping[str, tuple[float, bool]],
    goal: bool,
) -> Iterator[tuple[Key, str]]:
    """The change of one coefficient after which a table explains all of a row's."""
    off: list[tuple[float, Callable[[float], str]]] = []
    hits = 0
    for j, v, put in edits:
        if j < 0:
            continue
        name = model.col_names[j].lower().replace("_", " ")
        keys = [f"{head} with {name.partition(' ')[2]}", f"{name.partition(' ')[2]} with {head}"]
        keys += [] if head else [key for key in table if name.endswith(f" {key}")]
        lot = _lot(name, lots)[0]
        known = next((table[key] * lot for key in keys if key in table), None)
        if known is None:
            return
        if abs(known - abs(v)) < OBJECTIVE:
            hits += 1
        else:
            off.append((known if v > 0 else -known, put))
    if len(off) == 1 and hits >= 2:
        yield ("table", str(goal), str(min(hits, 4))), off[0][1](off[0][0])


def rules(problem: Debugging) -> Iterator[tuple[Key, str]]:
    """What `facts` finds, and what rules say by way of others: all that is told."""
    yield from facts(problem)
    if not problem.is_silent:
        yield from _ruled(problem, True, True)


KNOWN: Mapping[str, Known] = {
    "knows-digits": digits,
    "knows-undo": undo,
    "knows-patterns": patterns,
    "knows-filters": filters,
    "knows-ranges": ranges,
    "knows-strings": strings,
    "knows-phrases": phrases,
    "knows-facts": facts,
    "knows-rules": rules,
}
"""The adversaries by name."""


def mends(problem: Debugging, *repairs: str) -> bool:
    """Whether repairs, made one after the other, are a full success."""
    if problem.is_silent and not any(
        target in said for target in problem.targets for said in repairs
    ):
        return False  # what is broken stays as it is, which takes no reading to know
    try:
        after = apply_fix(problem.model, repairs)
    except DataError:
        return False
    if problem.is_silent:
        return not differences(after, problem.original_model)
    found = shared_solver().solve(after).objective
    return found is not None and preservation(found, problem.objective) > FULL


@lru_cache(maxsize=2)
def _learnt(silent: bool) -> tuple[Debugging, ...]:
    """The problems that adversaries are fitted on: of the library, silent ones of a split apart."""
    if silent:
        drawn = ((k, kind) for kind in SILENT for k in range(FITTED))
        return tuple(produce_silent(LEARNT, 0, k, kind).problem for k, kind in drawn)
    every = [instance.problem for instance in read_text(shipped(LIBRARY))]
    some = ([one for one in every if one.type == kind][:FITTED] for kind in TYPES)
    return tuple(chain.from_iterable(some))


@lru_cache(maxsize=len(KNOWN) * 2)
def trust(name: str, silent: bool) -> Mapping[Key, float]:
    """How often the repairs under each of an adversary's keys mend a problem of `_learnt`."""
    tried: defaultdict[Key, list[bool]] = defaultdict(list)
    for problem in _learnt(silent):
        for key, repair in islice(KNOWN[name](problem), MOST):
            tried[key].append(mends(problem, repair))
    # One failure more than there was: a key that was lucky once is not trusted above all.
    return {key: sum(got) / (1 + len(got)) for key, got in tried.items()}


_lock = threading.Lock()
"""Of the one solver that all threads share here."""


@dataclass(frozen=True)
class KnowingRepair:
    """Makes the proposals of an adversary whose keys are the most trusted, then submits."""

    name: str

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Choose when first asked."""
        problem = focused(instance.problem)

        def replies() -> Iterator[str]:
            with _lock:
                made = self.choices(problem)
            yield from map(reply, made)

        return script(replies(), lambda: repaired(problem.model, replies()))

    def choices(self, problem: Debugging) -> list[str]:
        """The most trusted repair; while the model is infeasible, the next of another element."""
        trusted = trust(self.name, problem.is_silent)
        found = list(islice(KNOWN[self.name](problem), MOST))
        made: dict[str, str] = {}
        for _, repair in sorted(found, key=lambda pair: -trusted.get(pair[0], 0.0)):
            made.setdefault(repair.partition("(")[2].partition(",")[0].strip(")"), repair)
            if len(made) == STEPS:
                break
            with suppress(DataError):  # repairs of which one cannot be made leave it infeasible
                after = apply_fix(problem.model, list(made.values()))
                if not shared_solver().is_infeasible(after):
                    break
        return list(made.values())

    def scores(self, problems: Sequence[Debugging]) -> list[float]:
        """1 for each problem that it mends, else 0."""
        problems = [focused(problem) for problem in problems]
        with _lock:
            chosen = [(problem, self.choices(problem)) for problem in problems]
            return [float(bool(made) and mends(problem, *made)) for problem, made in chosen]


def knowers() -> dict[str, KnowingRepair]:
    """The adversaries by name."""
    return {name: KnowingRepair(name) for name in KNOWN}


def filtered(draw: Callable[[int], GeneratedProblem], rng: np.random.Generator) -> GeneratedProblem:
    """The first problem of `draw` that none of `FILTERING` repairs, or that a coin keeps."""
    for again in range(DRAWS):
        made = draw(again)
        stays = rng.random() < KEPT or again == DRAWS - 1
        if stays or not any(KnowingRepair(name).scores([made.problem])[0] for name in FILTERING):
            break
    return replace(made, drawn=again + 1)


def certify_known(problems: Sequence[Debugging]) -> Iterator[str]:
    """Lines on how far the adversaries get, on what they were fitted to and on `problems`.

    What is above a ceiling is said. Raises DataError where it is with all of its 95% interval: of
    thirty, one in two at .40 would be above .50 in one draw of six. `INVERSE` is not judged.
    """
    silent = bool(problems) and problems[0].is_silent
    hard = bool(problems) and problems[0].type == SEVERAL
    kinds = SILENT if silent else (SEVERAL,) if hard else TYPES
    chosen = {
        kind: [problem for problem in problems if problem.type == kind][:MEASURED] for kind in kinds
    }
    if min(map(len, chosen.values())) < ENOUGH:
        return
    yield "RR@5 of those who know the generator, where they were fitted and here, and by kind:"
    above: list[tuple[str, bool]] = []
    for name in KNOWN:
        if silent and name == INVERSE:  # there are no rules in them
            continue
        policy = KnowingRepair(name)
        before = mean_interval(policy.scores(_learnt(silent)))
        parts = {kind: policy.scores(found) for kind, found in chosen.items()}
        whole = mean_interval([score for scores in parts.values() for score in scores])
        by = {kind: mean_interval(scores) for kind, scores in parts.items()}
        shown = ", ".join(f"{kind} {found.value:.2f}" for kind, found in by.items())
        yield f"  {name}: {before.value:.3f}, {whole.value:.3f} ({shown})"
        judged = [("all", whole, CEILING), *((k, one, CEILING_OF_KIND) for k, one in by.items())]
        high = [one for one in judged if one[1].value > one[2]]
        if name == INVERSE and high:
            yield f"  {INVERSE} is above a ceiling; as the telling's inverse it refuses no set"
            continue
        for what, found, ceiling in high:
            above.append((f"{what} to {name} ({found.value:.2f})", found.low > ceiling))
    if not above:
        return
    if faults := [told for told, surely in above if surely]:
        raise DataError(f"who knows the generator can do without reading: {'; '.join(faults)}")
    yield (
        f"  above a ceiling ({CEILING} in all, {CEILING_OF_KIND} of a kind), though not with all "
        f"of the 95% interval: {'; '.join(told for told, _ in above)}"
    )


HALF = 10
"""Large models of either half without which nothing is said."""


def certify_large(problems: Sequence[Debugging]) -> Iterator[str]:
    """Lines on how far blind policies and adversaries get in what is named of large models.

    Raises DataError where one is above `CEILING` with all of its 95% interval, as for small ones.
    """
    problems = [focused(problem) for problem in problems]
    above: list[str] = []
    for what, silent in (("infeasible", False), ("wrong", True)):
        half = [problem for problem in problems if problem.is_silent == silent]
        if len(half) < HALF:
            yield f"{what}: {len(half)} are too few for a verdict, which takes {HALF}"
            continue
        walks = [Walk(problem) for problem in half if not silent]
        blind = {name: recovery(policy, walks) for name, policy in shortcuts().items() if walks}
        known = {name: KnowingRepair(name).scores(half) for name in KNOWN}
        found = {name: mean_interval(scores) for name, scores in (blind | known).items()}
        shown = ", ".join(f"{name} {one.value:.2f}" for name, one in found.items())
        yield f"RR@5 in what is named of {len(half)} {what} large models: {shown}"
        above += [
            f"{name} ({one.value:.2f}, {what})"
            for name, one in found.items()
            if one.low > CEILING and name != INVERSE
        ]
    if above:
        raise DataError(f"the large set yields to {', '.join(above)}")
