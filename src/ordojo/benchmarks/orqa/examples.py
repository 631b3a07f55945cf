"""Choosing the in-context examples of each question (paper: prompting strategies, table 5)."""

import random
from collections.abc import Sequence

from ordojo.benchmarks.orqa.prompts import block
from ordojo.benchmarks.orqa.schema import OrqaOptions, Question
from ordojo.core.errors import DataError
from ordojo.core.seeds import generator

PUBLISHED_SEED = 100

Shots = tuple[Question, ...]


class ExampleTable:
    """The examples of every row: `reasoning(i)` and `answer(i)` for the two calls of row i.

    The selections: "paper-same-type" draws without replacement among the examples of the
    question's type; "random" among all; "similar-length" takes those whose block is nearest in
    words (ties: file order), "similar-length-same-type" the same within the type.
    "published-code" repeats the released program: draws with replacement over the whole pool
    from one stream seeded with 100, one draw a row in file order, and for chain of thought all
    reasoning prompts first, so that the two calls see different examples; a validation question
    may there be its own example, in no other selection. Raises DataError where a question has
    fewer examples to select from than shots.
    """

    def __init__(
        self, options: OrqaOptions, pool: Sequence[Question], rows: Sequence[Question], seed: int
    ) -> None:
        self._options, self._pool, self._seed = options, pool, seed
        self._contents = [_content(example) for example in pool]
        self._lengths = [_words(example) for example in pool]
        self._drawn: tuple[list[Shots], list[Shots]] | None = None
        if options.icl == "published-code" and options.shots:
            self._drawn = self._published_draws(len(rows))
        else:
            self._check_supply(rows)

    def _check_supply(self, rows: Sequence[Question]) -> None:
        for row in rows:
            supply = len(self._eligible(row))
            if supply < self._options.shots:
                raise DataError(
                    f"{self._options.dataset} has {supply} examples for question {row.index} "
                    f"(type {row.type}) under icl={self._options.icl}, too few for "
                    f"{self._options.shots}-shot prompts; choose fewer shots, or icl=random"
                )

    def _published_draws(self, rows: int) -> tuple[list[Shots], list[Shots]]:
        stream = random.Random(PUBLISHED_SEED)

        def draw() -> list[Shots]:
            return [tuple(stream.choices(self._pool, k=self._options.shots)) for _ in range(rows)]

        first = draw()
        return first, draw() if self._options.prompt == "cot" else first

    def reasoning(self, question: Question) -> Shots:
        """The examples shown in the first call."""
        if self._drawn:
            return self._drawn[0][question.index]
        return self._select(question)

    def answer(self, question: Question) -> Shots:
        """The examples shown in the call that asks for the letter."""
        if self._drawn:
            return self._drawn[1][question.index]
        return self._select(question)

    def _eligible(self, question: Question) -> list[int]:
        own_type = self._options.icl.endswith("same-type")
        content = _content(question)
        return [
            place
            for place, example in enumerate(self._pool)
            if (example.type == question.type or not own_type) and self._contents[place] != content
        ]

    def _select(self, question: Question) -> Shots:
        count, how = self._options.shots, self._options.icl
        if count == 0:
            return ()
        places = self._eligible(question)
        if how.startswith("similar-length"):
            wanted = _words(question)
            places.sort(key=lambda place: abs(self._lengths[place] - wanted))
        else:
            rng = generator(self._seed, "orqa/examples", question.index)
            places = [places[i] for i in rng.permutation(len(places))]
        return tuple(self._pool[place] for place in places[:count])


def _content(question: Question) -> tuple[str, ...]:
    return (question.context, question.question, *sorted(question.options))


def _words(question: Question) -> int:
    return len(block(question).split())
