"""Items that occur twice: how alike texts are, by the Jaccard index of their word 5-grams."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ordojo.core.hardness import HardnessFinding
from ordojo.core.rows import Row
from ordojo.datasets.schemas import Schema

GRAM = 5
"""Words that have to follow each other alike: fewer meet by chance, more miss what was edited."""
NEAR = 0.8
"""Texts are nearly the same from this Jaccard index on; neither is fitted."""

Grams = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class Duplicate:
    """Two items of the same words ("exact") or nearly ("near"), named "split:row"."""

    first: str
    second: str
    kind: str
    likeness: float


def find_duplicates(rows: Mapping[str, Row], schema: Schema) -> tuple[Duplicate, ...]:
    """Pairs of items that are alike both in context and in question with options, in any order."""
    names, items = list(rows), list(rows.values())
    tasks = [
        " ".join([normalised(schema.question(r)), *sorted(map(normalised, schema.options(r)))])
        for r in items
    ]
    contexts = [normalised(schema.context(row)) for row in items]
    task_grams = [grams(task) for task in tasks]
    context_grams = {context: grams(context) for context in contexts}
    found = []
    for i, j in alike_pairs(task_grams, NEAR):
        likeness = min(
            jaccard(task_grams[i], task_grams[j]),
            jaccard(context_grams[contexts[i]], context_grams[contexts[j]]),
        )
        if likeness >= NEAR:
            exact = (tasks[i], contexts[i]) == (tasks[j], contexts[j])
            found.append(Duplicate(names[i], names[j], "exact" if exact else "near", likeness))
    return tuple(found)


def normalised(text: str) -> str:
    """The text's words in lower case, one blank between them; marks and spacing are gone."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))


def grams(text: str) -> Grams:
    """All runs of 5 words of a normalised text; a shorter text is one run."""
    words = text.split()
    last = max(1, len(words) - GRAM + 1)
    return frozenset(tuple(words[i : i + GRAM]) for i in range(last)) if words else frozenset()


def jaccard(first: Grams, second: Grams) -> float:
    """Shared over all, 1 for two empty sets."""
    union = len(first | second)
    return len(first & second) / union if union else 1.0


def alike_pairs(sets: Sequence[Grams], threshold: float) -> Iterator[tuple[int, int]]:
    """Pairs (i, j), i < j, of Jaccard index at least `threshold` > 0, found by shared grams."""
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for j, one in enumerate(sets):
        shared = Counter(i for gram in one for i in holders[gram])
        for i in sorted(shared):
            if shared[i] >= threshold * (len(one) + len(sets[i]) - shared[i]):
                yield i, j
        for gram in one:
            holders[gram].append(j)


def repeats(texts: Sequence[str]) -> int:
    """How many texts are nearly the same as an earlier one."""
    return len({j for _, j in alike_pairs([grams(normalised(text)) for text in texts], NEAR)})


def twice(
    name: str, texts: Sequence[str], says: str = "nearly the words of an earlier one"
) -> HardnessFinding:
    """How many texts are nearly the same as an earlier one, as a finding."""
    return HardnessFinding(name, repeats(texts), len(texts), says)
