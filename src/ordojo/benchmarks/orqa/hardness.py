"""How far one gets on ORQA without reading: letters, lengths, words that occur, and no more."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from ordojo.benchmarks.orqa.cues import CUES, Text, beside, rank, words
from ordojo.benchmarks.orqa.published import published_scores
from ordojo.benchmarks.orqa.schema import LETTERS, Question
from ordojo.core.guessers import Features, fit, held_out
from ordojo.core.hardness import Battery, Finding, Shortcut, measured
from ordojo.core.instance import Instance
from ordojo.datasets.duplicates import repeats

Instances = Sequence[Instance[Question]]
Rule = Callable[[Question], Sequence[float]]
"""A number for each option: the first of the highest is taken."""


def battery(instances: Instances, seen: Instances) -> Battery:
    """The shortcuts and guessers, and what questions give away."""
    fixed = [_fixed(instances, name, says, rule) for name, (says, rule) in RULES.items()]
    guessed = [_guessed(instances, seen, name, *made) for name, made in GUESSERS.items()]
    return Battery("accuracy", (*fixed, *guessed), _findings(instances), tuple(published_scores()))


def _fixed(instances: Instances, name: str, exploits: str, rule: Rule) -> Shortcut:
    right = [float(np.argmax(rule(i.problem)) == i.problem.answer) for i in instances]
    return measured(name, exploits, instances, right)


def _guessed(
    instances: Instances,
    seen: Instances,
    name: str,
    exploits: str,
    features: Callable[[Question], list[Features]],
) -> Shortcut:
    def learn(problems: list[Question]) -> Callable[[Question], int]:
        model = fit([features(p) for p in problems], [p.answer for p in problems])
        return lambda problem: int(np.argmax(model(features(problem))))

    problems, clusters = [i.problem for i in instances], [i.cluster for i in instances]
    guesses = held_out(problems, clusters, learn, [i.problem for i in seen])
    right = [float(g == p.answer) for g, p in zip(guesses, problems, strict=True)]
    return measured(name, exploits, instances, right, fitted=True)


def seen(question: Question) -> dict[str, list[float]]:
    """Of each option, what a matcher of strings sees, by the cue's name."""
    text = Text(question.context, question.question)
    found = {name: [cue(text, o) for o in question.options] for name, cue in CUES.items()}
    return found | beside(question.options)


def _most(cue: str, sign: int = 1) -> Rule:
    return lambda question: [sign * value for value in seen(question)[cue]]


RULES: dict[str, tuple[str, Rule]] = {
    "longest option": ("the right answer is worded with more care", _most("length")),
    "shortest option": ("wrong answers are made longer", _most("length", -1)),
    "words of the context": ("the option whose words occur in the context", _most("occurring")),
    "strangest words": (
        "the option whose words do not occur in the context",
        _most("occurring", -1),
    ),
    "pairs of the context": ("the option that copies the context's wording", _most("runs")),
    "most like the others": ("wrong options are variations of the right one", _most("typical")),
    "least like the others": ("the right option stands out", _most("typical", -1)),
}
"""What each fixed rule lives on, and the rule."""


def _letters(question: Question) -> list[Features]:
    return [{letter: 1.0, question.type + letter: 1.0} for letter in LETTERS]


def _bag(question: Question) -> list[Features]:
    return [
        {key: 1.0 for word in set(words(option)) for key in (word, f"{question.type}:{word}")}
        for option in question.options
    ]


def _matched(question: Question) -> list[Features]:
    """Each option's rank (-1 to 1) in what a string matcher sees, by the question's type."""
    found: list[dict[str, float]] = [{} for _ in question.options]
    for name, values in seen(question).items():
        for i, features in enumerate(found):
            place = 2 * rank(values, i) / (len(values) - 1) - 1
            features[name] = features[f"{question.type}:{name}"] = place
    return list(found)


GUESSERS: dict[str, tuple[str, Callable[[Question], list[Features]]]] = {
    "letter": ("letters are not equally often right, by type of question", _letters),
    "bag of words": ("the same words are right again and again, by type of question", _bag),
    "string matcher": ("overlap with the context, lengths and likeness, by type", _matched),
    "words and strings": (
        "the bag of words and the string matcher together",
        lambda q: [{**a, **b} for a, b in zip(_bag(q), _matched(q), strict=True)],
    ),
}


def _findings(instances: Instances) -> tuple[Finding, ...]:
    problems = [instance.problem for instance in instances]
    letters = Counter(problem.letter for problem in problems)
    most, count = max(letters.items(), key=lambda pair: (pair[1], pair[0]), default=("A", 0))
    copied = sum(_copied(problem) for problem in problems)
    texts = [" ".join([p.question, *sorted(p.options)]) for p in problems]
    contexts = list(dict.fromkeys(p.context for p in problems))
    return (
        Finding("most frequent letter", count, len(problems), f"the right answer is {most}"),
        Finding(
            "only the right option is copied",
            copied,
            len(problems),
            "every word of the right option, and of no other, stands in the context",
        ),
        Finding(
            "questions twice",
            repeats(texts),
            len(texts),
            "with their options nearly the words of an earlier one",
        ),
        Finding("contexts twice", repeats(contexts), len(contexts), "nearly an earlier context"),
    )


def _copied(question: Question) -> bool:
    whole = [share == 1.0 for share in seen(question)["occurring"]]
    return whole[question.answer] and sum(whole) == 1
