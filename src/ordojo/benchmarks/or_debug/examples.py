"""Worked examples, and solved cases that are retrieved (paper 004, E.4), with their library.

Cases are found by overall likeness, or by inferred error type.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice

import numpy as np

from ordojo.benchmarks.or_debug.actions import Action, parse_action
from ordojo.benchmarks.or_debug.build import load_set
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment
from ordojo.benchmarks.or_debug.policies import SUBMIT, reply
from ordojo.benchmarks.or_debug.prompts import BODY, named
from ordojo.benchmarks.or_debug.schema import (
    LIBRARY,
    TYPES,
    Debugging,
    OrDebugOptions,
    make_instance,
)
from ordojo.core.errors import GeneratorError
from ordojo.core.instance import Instance
from ordojo.core.seeds import generator
from ordojo.milp.algebra import bound_text, row_text
from ordojo.milp.model import INF, Floats, Model, VarType


@lru_cache(maxsize=1)
def library() -> tuple[Debugging, ...]:
    """The cases of all types."""
    return tuple(instance.problem for instance in load_set(LIBRARY))


SHOTS = ("A", "H", "G")
"""The error types of the worked examples, in order: a row, a bound, and two repairs in turn."""


def conflict(problem: Debugging) -> str:
    """The rows of the recorded IIS in algebra, one a line."""
    model = problem.model
    return "\n".join(f"  {name}: {row_text(model, model.rows[name])}" for name in problem.iis_rows)


def lesson(problem: Debugging, action: str) -> str:
    """What an action of the fix puts right: one sentence that sets the description by the model."""
    parsed = parse_action(action, problem.model)
    if not isinstance(parsed, Action):
        raise GeneratorError(
            f"{problem.split} {problem.index}: '{action}' is no action; rebuild it"
        )
    target, right, wrong = parsed.target, problem.original_model, problem.model
    if target in wrong.rows:
        has = row_text(wrong, wrong.rows[target])
        if not right.is_live(right.rows[target]):
            return f"Nothing in the description asks for {target}, which says {has}."
        says = row_text(right, right.rows[target])
        return f"By the description {target} is {says}, but the model has {has}."
    column, _, part = target.rpartition(".")
    j = wrong.cols[column]
    if part == "type":
        says, has = (VarType(int(model.types[j])).name.lower() for model in (right, wrong))
        return f"By the description {column} is {says}, but in the model it is {has}."
    return f"By the description {bound_text(right, j)}, but the model has {bound_text(wrong, j)}."


def chain(problem: Debugging) -> str:
    """The whole reasoning, from the conflict to the last action."""
    steps = [f"{lesson(problem, action)}\nAction: {action}" for action in problem.fix]
    names = ", ".join((*problem.iis_rows, *problem.iis_bounds))
    head = f"These rows cannot hold together within the bounds:\n{conflict(problem)}"
    return "\n".join([head, f"Diagnosis: {names}", *steps])


def quick_fix(problem: Debugging) -> str:
    """The error's pattern and the actions that mended it, nothing else."""
    sides = [problem.model.sides(problem.model.rows[name]) for name in problem.iis_rows]
    found = ("==" if low == up else "<=" if low == -INF else ">=" for low, up in sides)
    senses = ", ".join(found) or "bounds only"
    return f"Pattern: {TYPES[problem.type]}; IIS of {senses}\nFix: {'; '.join(problem.fix)}"


def like_case(problem: Debugging) -> str:
    """The kind of error, the conflict, what was wrong, and the actions."""
    kind = f"Kind of error: {TYPES[problem.type]}\nThe conflict:\n{conflict(problem)}"
    wrong = "\n".join(lesson(problem, action) for action in problem.fix)
    return f"{kind}\n{wrong}\nFix: {'; '.join(problem.fix)}"


def transcript(problem: Debugging, options: OrDebugOptions) -> str:
    """An episode that ends well, as the environment of `options` answers it in a chat."""
    plain = options.model_copy(
        update={"history": "chat", "simulate": False, "oracle": OrDebugOptions().oracle}
    )
    names = (*problem.iis_rows, *problem.iis_bounds)
    parts = [
        BODY.format(
            problem_nl=problem.text,
            code=f"\n{problem.code.strip()}",
            iis_constraints=named(names if options.iis == "rows+bounds" else problem.iis_rows),
        )
    ]
    answers = [
        f"{lesson(problem, action)}\n{reply(action, () if place else names)}"
        for place, action in enumerate(problem.fix)
    ]
    if options.end == "submit":
        answers.append(SUBMIT)
    environment = OrDebugEnvironment(plain)
    environment.reset(make_instance(problem, {}), 0)
    for answer in answers:
        after = environment.step(answer).observation
        result = "The model is OPTIMAL, and the work is done." if after is None else after.text
        parts.append(f"Answer:\n{answer}\n\nResult:\n{result}")
    environment.close()
    return "\n\n".join(parts)


@lru_cache(maxsize=8)
def worked(options: OrDebugOptions) -> str:
    """The worked examples: for each of the first `options.shots` types, the shortest case."""
    kinds = SHOTS[: options.shots]
    alike = ([case for case in library() if case.type == kind] for kind in kinds)
    return worked_out((min(cases, key=lambda case: len(case.text)) for cases in alike), options)


def worked_out(chosen: Iterable[Debugging], options: OrDebugOptions) -> str:
    """Cases as worked examples, in order."""
    return numbered("Example", (transcript(case, options) for case in chosen))


def numbered(title: str, texts: Iterable[str]) -> str:
    """Texts under headings "title 1", "title 2", and so on."""
    return "\n\n".join(f"### {title} {place}\n{text}" for place, text in enumerate(texts, 1))


_WORD = re.compile(r"[a-z]{3,}")
_HEX = re.compile(r"c_[0-9a-f]{6}_(ub|lb|eq)")


def look(problem: Debugging) -> Floats:
    """The make-up of the IIS's rows within the code, 13 numbers.

    Rows in the IIS, by sense (<=, >=, ==) and as a share of all; rows of one column; rows that
    alone contradict the bounds; pairs over the same columns; negative coefficients; columns that
    are whole or binary; how far the rows' largest coefficients stand out; names without meaning.
    """
    model = problem.model
    rows = [model.rows[name] for name in problem.iis_rows]
    at_most = sum(model.row_lower[i] == -INF for i in rows)
    at_least = sum(model.row_upper[i] == INF for i in rows)
    supports = Counter(tuple(sorted(int(j) for j in model.row(i)[0])) for i in rows)
    columns = sorted({int(j) for i in rows for j in model.row(i)[0]})
    values = np.concatenate([model.row(i)[1] for i in rows]) if rows else np.zeros(0)
    typical = float(np.median(np.abs(model.value))) if model.nonzeros else 1.0
    return np.array(
        [
            len(rows),
            at_most,
            at_least,
            len(rows) - at_most - at_least,
            len(rows) / max(1, model.m),
            sum(len(model.row(i)[0]) == 1 for i in rows),
            sum(_beyond_bounds(model, i) for i in rows),
            sum(count - 1 for count in supports.values()),
            float((values < 0).mean()) if len(values) else 0.0,
            float((model.types[columns] != VarType.CONTINUOUS).any()),
            float((model.types[columns] == VarType.BINARY).any()),
            math.log10(max(1.0, float(np.abs(values).max()) / typical)) if len(values) else 0.0,
            float(all(_HEX.fullmatch(name) for name in model.row_names)),
        ]
    )


def _beyond_bounds(model: Model, i: int) -> bool:
    """Whether row i contradicts the bounds of its columns by itself."""
    index, value = model.row(i)
    index, value = index[value != 0], value[value != 0]
    lower, upper = (side[index] for side in model.effective_bounds)
    least = float(np.where(value > 0, value * lower, value * upper).sum())
    most = float(np.where(value > 0, value * upper, value * lower).sum())
    return bool(least > model.row_upper[i] or most < model.row_lower[i])


def words(problem: Debugging) -> Counter[str]:
    """The words of the description and of the names in the code, counted."""
    names = " ".join((*problem.model.row_names, *problem.model.col_names))
    return Counter(_WORD.findall(f"{problem.text} {names}".replace("_", " ").lower()))


class TfIdf:
    """Vectors of unit length for texts, weighted by how rare each word is among `texts`."""

    def __init__(self, texts: Sequence[Mapping[str, int]]) -> None:
        seen = Counter(word for text in texts for word in text)
        self._place = {word: place for place, word in enumerate(sorted(seen))}
        self._rarity = np.array([math.log(len(texts) / seen[word]) + 1 for word in self._place])
        self.vectors = np.array([self.vector(text) for text in texts])

    def vector(self, text: Mapping[str, int]) -> Floats:
        """The vector of a text; words that no text of the collection has do not count."""
        found = np.zeros(len(self._place))
        for word, count in text.items():
            if word in self._place:
                found[self._place[word]] = 1 + math.log(count)
        found *= self._rarity
        length = float(np.linalg.norm(found))
        return found / length if length else found


RENDER: Mapping[str, Callable[[Debugging], str]] = {
    "quick_fix": quick_fix,
    "reasoning": lambda problem: f"Problem: {problem.text}\n{chain(problem)}",
    "by_type": like_case,
}
"""What each strategy shows of a case."""


NEIGHBOURS = 5
"""Cases that vote on the type of a problem's error."""

_DIGITS = 9
"""Decimals of a likeness that count: far above what processors add differently, so that ties are
ties on all of them."""


class Retriever:
    """Finds the cases most like a problem, by what an agent sees of it: IIS, code, description.

    Likeness is the mean of two cosines: of the IIS's make-up, standardized over the cases, and of
    the words by TF-IDF. Ties go to the earlier case.
    """

    def __init__(self, cases: Sequence[Debugging]) -> None:
        self._cases = tuple(cases)
        self._words = TfIdf([words(case) for case in cases])
        looks = np.array([look(case) for case in cases])
        self._mean, self._spread = looks.mean(0), np.maximum(looks.std(0), 1e-9)
        self._looks = _unit((looks - self._mean) / self._spread)
        self._kinds = np.array([case.type for case in cases])

    def find(self, problem: Debugging, k: int, by_type: bool = False) -> tuple[Debugging, ...]:
        """The k cases most like `problem`, best first; under `by_type` of its likely type only.

        A case with the problem's own description is never given.
        """
        seen = self._seen(problem)
        likeness = self._looks @ seen + self._words.vectors @ self._words.vector(words(problem))
        likeness = np.round(likeness, _DIGITS)
        if by_type:
            likeness = np.where(self._kinds == self.likely_type(problem), likeness, -np.inf)
        order = np.argsort(-likeness, kind="stable")
        found = (self._cases[i] for i in order if likeness[i] > -np.inf)
        return tuple(case for case in found if case.text != problem.text)[:k]

    def likely_type(self, problem: Debugging) -> str:
        """The error type that the `NEIGHBOURS` cases with the most similar IIS vote for."""
        likeness = np.round(self._looks @ self._seen(problem), _DIGITS)
        likeness[[case.text == problem.text for case in self._cases]] = -np.inf
        nearest = np.argsort(-likeness, kind="stable")[:NEIGHBOURS]
        kinds, votes = np.unique(self._kinds[nearest], return_counts=True)
        return str(kinds[int(np.argmax(votes))])

    def _seen(self, problem: Debugging) -> Floats:
        return _unit((look(problem) - self._mean) / self._spread)


def shown(instance: Instance[Debugging], options: OrDebugOptions, seed: int = 0) -> str:
    """The text that goes before the prompt: worked examples and retrieved cases, "" for none.

    Random examples (I.2.2) are drawn by (seed, instance) from the whole library.
    """
    parts = []
    if options.shots and options.examples == "random":
        drawn = generator(seed, f"or-debug/examples/{instance.id}", 0).permutation(len(library()))
        others = (case for i in drawn if (case := library()[i]).text != instance.problem.text)
        parts.append(worked_out(islice(others, options.shots), options))
    elif options.shots:
        parts.append(worked(options))
    if options.rag != "none":
        found = _retriever().find(instance.problem, options.k, options.rag == "by_type")
        parts.append(numbered("Solved case", map(RENDER[options.rag], found)))
    return "\n\n".join(parts)


@lru_cache(maxsize=1)
def _retriever() -> Retriever:
    return Retriever(library())


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12))
