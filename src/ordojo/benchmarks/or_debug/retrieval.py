"""Retrieval of solved cases (paper 004, E.4): by overall likeness, or by inferred error type."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import islice

import numpy as np

from ordojo.benchmarks.or_debug import examples
from ordojo.benchmarks.or_debug.examples import library
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.core.instance import Instance
from ordojo.core.seeds import generator
from ordojo.milp.model import INF, Floats, Model, VarType

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
    "quick_fix": examples.quick_fix,
    "reasoning": examples.full_case,
    "by_type": examples.like_case,
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
        parts.append(examples.worked_out(islice(others, options.shots), options))
    elif options.shots:
        parts.append(examples.worked(options))
    if options.rag != "none":
        found = _retriever().find(instance.problem, options.k, options.rag == "by_type")
        parts.append(examples.numbered("Solved case", map(RENDER[options.rag], found)))
    return "\n\n".join(parts)


@lru_cache(maxsize=1)
def _retriever() -> Retriever:
    return Retriever(library())


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12))
