"""What somebody may go by who compares options with a text and understands neither."""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ordojo.datasets.duplicates import normalised

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
