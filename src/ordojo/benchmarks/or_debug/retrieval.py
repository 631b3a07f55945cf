"""Retrieval of solved cases (paper 004, E.4): by overall likeness, or by inferred error type."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import islice

import numpy as np

from ordojo.benchmarks.or_debug import examples
from ordojo.benchmarks.or_debug.features import TfIdf, look, words
from ordojo.benchmarks.or_debug.library import library
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.core.instance import Instance
from ordojo.core.seeds import generator
from ordojo.milp.model import Floats

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
