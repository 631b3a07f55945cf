"""Policies that read no problem: how often the letter, the length or shared words give it away."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ordojo.benchmarks.orqa.build.balance import shared, words
from ordojo.benchmarks.orqa.schema import LETTERS, Question
from ordojo.core.statistics import Estimate, mean_interval

Guess = Callable[[Question], int]
_PLACES = range(len(LETTERS))


def guesses(questions: Sequence[Question]) -> Mapping[str, Estimate]:
    """Accuracy of each such policy, with its 95% interval; ties go to the first option."""
    often = Counter(question.answer for question in questions).most_common(1)[0][0]
    seen = Counter(option for question in questions for option in question.options)
    there = {context: words(context) for context in {q.context for q in questions}}

    def most(value: Callable[[Question, str], float]) -> Guess:
        return lambda q: max(_PLACES, key=lambda i: value(q, q.options[i]))

    policies: Mapping[str, Guess] = {
        "majority letter": lambda question: often,
        "longest option": most(lambda q, option: len(option)),
        "shortest option": most(lambda q, option: -len(option)),
        "most common option": most(lambda q, option: seen[option]),
        "most words shared with the context": most(lambda q, o: shared(o, there[q.context])),
    }
    return {
        name: mean_interval([float(guess(q) == q.answer) for q in questions])
        for name, guess in policies.items()
    }
