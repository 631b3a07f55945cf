"""How far one gets on ORQA without reading: letters, lengths, words that occur, and no more.

First what somebody may go by who compares options with a text and understands neither.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.orqa.page import published_scores
from ordojo.benchmarks.orqa.schema import LETTERS, Question
from ordojo.core.hardness import (
    Battery,
    Features,
    HardnessFinding,
    Shortcut,
    fit,
    measured,
    shortcuts,
)
from ordojo.core.instance import Instance
from ordojo.datasets.duplicates import normalised, twice

COMMON = 3
"""Letters up to which a word says little ("the", "of")."""


class Text:
    """A context and a question as matchers of strings see them."""

    def __init__(self, context: str, question: str) -> None:
        tokens = normalised(context).split()
        said = words(context)
        self.count = Counter(said)
        self.pairs = set(itertools.pairwise(tokens))
        self.first = {w: 1 - k / len(said) for k, w in reversed(list(enumerate(said)))}
        self.sentences = [grams(part) for part in re.split(r"[.;:]\s", context)]
        self.asked = set(words(question))


def words(text: str) -> list[str]:
    """The words of a text that say something."""
    return [word for word in normalised(text).split() if len(word) > COMMON]


def grams(text: str) -> set[str]:
    """The words of a text and its pairs of words."""
    found = normalised(text).split()
    return {*found, *(f"{a} {b}" for a, b in itertools.pairwise(found))}


def _mean(option: str, value: Callable[[str], float]) -> float:
    said = words(option)
    return sum(map(value, said)) / max(1, len(said))


def _runs(text: Text, option: str) -> float:
    own = list(itertools.pairwise(normalised(option).split()))
    return sum(pair in text.pairs for pair in own) / max(1, len(own))


def _sentence(text: Text, option: str) -> float:
    parts = [grams(part) for part in option.split(";")]
    best = [max(len(part & one) / max(1, len(part)) for one in text.sentences) for part in parts]
    return sum(best) / len(best)


CUES: Mapping[str, Callable[[Text, str], float]] = {
    "length": lambda text, option: float(len(option)),
    "figures": lambda text, option: float(len(re.findall(r"\d+", option))),
    "asked": lambda text, option: _mean(option, lambda w: w in text.asked),
    "early": lambda text, option: _mean(option, lambda w: text.first.get(w, 0.0)),
    "occurring": lambda text, option: _mean(option, lambda w: w in text.count),
    "often": lambda text, option: _mean(option, lambda w: text.count[w]),
    "runs": _runs,
    "sentence": _sentence,
}
"""Of an option: its letters; its numbers; the share of its words in the question; how early in the
context its words come first; the share of its words there; how often they come; the share of its
pairs of neighbouring words there; the share of its words and pairs in the sentence that has most.
"""


def bag(option: str) -> set[str]:
    """All words of an option."""
    return set(normalised(option).split())


def beside(options: Sequence[set[str]]) -> dict[str, list[float]]:
    """Of each option's words beside those of the others: wrong ones vary the right one.

    "typical": how many words it shares with the other three; "shared": in how many options its
    words stand.
    """
    both = [[len(a & b) for b in options] for a in options]
    return {
        "typical": [
            sum(
                n / max(1, len(a) + len(b) - n)
                for b, n in zip(options, row, strict=True)
                if b is not a
            )
            for a, row in zip(options, both, strict=True)
        ],
        "shared": [sum(row) / max(1, len(a)) for a, row in zip(options, both, strict=True)],
    }


def rank(values: Sequence[float], place: int) -> float:
    """How many values are below one of them; equal ones count half."""
    rest = [value for k, value in enumerate(values) if k != place]
    return sum(1.0 if value < values[place] else 0.5 * (value == values[place]) for value in rest)


Instances = Sequence[Instance[Question]]
Rule = Callable[[Question], int]
"""The place of an option."""


def battery(instances: Instances, seen: Instances) -> Battery:
    """The shortcuts and guessers, and what questions give away."""

    def right(name: str, exploits: str, guesses: Sequence[int], fitted: bool) -> Shortcut:
        hits = [float(g == i.problem.answer) for g, i in zip(guesses, instances, strict=True)]
        return measured(name, exploits, instances, hits, fitted=fitted)

    learners = {name: (says, partial(_fitted, made)) for name, (says, made) in GUESSERS.items()}
    found = shortcuts(instances, seen, RULES, learners, right)
    return Battery("accuracy", found, _findings(instances), tuple(published_scores()))


def _fitted(features: Callable[[Question], list[Features]], problems: list[Question]) -> Rule:
    model = fit([features(p) for p in problems], [p.answer for p in problems])
    return lambda problem: int(np.argmax(model(features(problem))))


@lru_cache(maxsize=4096)
def seen(question: Question) -> dict[str, list[float]]:
    """Of each option, what a matcher of strings sees, by the cue's name."""
    text = Text(question.context, question.question)
    found = {name: [cue(text, o) for o in question.options] for name, cue in CUES.items()}
    return found | beside([bag(option) for option in question.options])


def _most(cue: str, sign: int = 1) -> Rule:
    """The first of the options of which a cue has most, or least."""
    return lambda question: int(np.argmax([sign * value for value in seen(question)[cue]]))


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
        {key: 1.0 for word in _once(option) for key in (word, f"{question.type}:{word}")}
        for option in question.options
    ]


def _matched(question: Question) -> list[Features]:
    """Each option's rank (-1 to 1) in what a string matcher sees, by the question's type."""
    return ranked(question, seen(question))


def ranked(question: Question, values: Mapping[str, Sequence[float]]) -> list[Features]:
    """Each option's rank (-1 to 1) in each of the values, for all types and for the question's."""
    found: list[dict[str, float]] = [{} for _ in question.options]
    for name, each in values.items():
        for i, features in enumerate(found):
            place = 2 * rank(each, i) / (len(each) - 1) - 1
            features[name] = features[f"{question.type}:{name}"] = place
    return list(found)


YOURS = re.compile(r"\b(you|your|yours)\b", re.IGNORECASE)
WIDTHS = (1, 2, 4)
"""Sentences in a window."""


@lru_cache(maxsize=4096)
def _windows(question: Question) -> list[Features]:
    """Each option's likeness to windows of the context's sentences, by tf-idf.

    The best, the second best and the mean; how near the best is to where the reader is addressed,
    and where in the text it stands; the same for the option together with the question.
    """
    parts = re.split(r"(?<=[.;])\s", question.context)
    bags = [sorted(set(words(part))) for part in parts]
    there = Counter(word for bag in bags for word in bag)
    names = {word: k for k, word in enumerate(there)}
    weight = np.array([math.log(1 + len(bags) / count) for count in there.values()])
    yours = [k for k, part in enumerate(parts) if YOURS.search(part)] or [0]

    def vector(said: Iterable[str]) -> NDArray[np.float64]:
        found = np.zeros(len(names))
        for word in said:
            if word in names:
                found[names[word]] += weight[names[word]]
        return found / max(1e-9, float(np.linalg.norm(found)))

    values: dict[str, list[float]] = {}
    for width in WIDTHS:
        starts = range(max(1, len(bags) - width + 1))
        windows = np.array([vector(set().union(*bags[k : k + width])) for k in starts])
        for more in ("", question.question):
            for option in question.options:
                # Rounded, so that what ties on one processor ties on another.
                like = np.round(windows @ vector(words(f"{option} {more}")), 9)
                best = int(np.argmax(like))
                found = {
                    "best": float(like.max()),
                    "second": float(np.sort(like)[-2:][0]),
                    "mean": float(like.mean()),
                    "near": -float(min(abs(best - k) for k in yours)),
                    "place": best / len(like),
                }
                for name, value in found.items():
                    values.setdefault(f"{name} {width} {bool(more)}", []).append(value)
    return ranked(question, values)


def _once(text: str) -> list[str]:
    """Its words without repeats, in their order: a set's differs from process to process."""
    return list(dict.fromkeys(words(text)))


def _pairs(question: Question) -> list[Features]:
    """Pairs of a word of the question with one of the option: what is learned by heart."""
    topic = _once(question.question)
    return [
        {f"{question.type}:{a}:{b}": 1.0 for a in topic for b in _once(option)}
        for option in question.options
    ]


def _joined(*parts: Callable[[Question], list[Features]]) -> Callable[[Question], list[Features]]:
    """The features of all of them."""
    return lambda question: [
        {name: value for one in option for name, value in one.items()}
        for option in zip(*(part(question) for part in parts), strict=True)
    ]


GUESSERS: dict[str, tuple[str, Callable[[Question], list[Features]]]] = {
    "letter": ("letters are not equally often right, by type of question", _letters),
    "bag of words": ("the same words are right again and again, by type of question", _bag),
    "string matcher": ("overlap with the context, lengths and likeness, by type", _matched),
    "words and strings": (
        "the bag of words and the string matcher together",
        _joined(_bag, _matched),
    ),
    "tf-idf windows": ("likeness to neighbouring sentences, and where these stand", _windows),
    "by heart": ("the same option is right where the question has the same words", _pairs),
    "all of these": ("all guessers' features together", _joined(_bag, _matched, _windows, _pairs)),
}


def _findings(instances: Instances) -> tuple[HardnessFinding, ...]:
    problems = [instance.problem for instance in instances]
    letters = Counter(problem.letter for problem in problems)
    most, count = max(letters.items(), key=lambda pair: (pair[1], pair[0]), default=("A", 0))
    copied = sum(_copied(problem) for problem in problems)
    texts = [" ".join([p.question, *sorted(p.options)]) for p in problems]
    contexts = list(dict.fromkeys(p.context for p in problems))
    return (
        HardnessFinding(
            "most frequent letter", count, len(problems), f"the right answer is {most}"
        ),
        HardnessFinding(
            "only the right option is copied",
            copied,
            len(problems),
            "every word of the right option, and of no other, stands in the context",
        ),
        twice("questions twice", texts, "with their options nearly the words of an earlier one"),
        twice("contexts twice", contexts, "nearly an earlier context"),
    )


def _copied(question: Question) -> bool:
    whole = [share == 1.0 for share in seen(question)["occurring"]]
    return whole[question.answer] and sum(whole) == 1
