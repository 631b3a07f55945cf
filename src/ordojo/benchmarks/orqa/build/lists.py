"""Options that are lists of items: right ones, and wrong ones with at least one false item."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ordojo.benchmarks.orqa.build.claims import JOIN, Claim, item
from ordojo.benchmarks.orqa.build.recipe import Case
from ordojo.core.seeds import generator
from ordojo.templates.base import Rng

LONGEST = 3
"""Items of a list at most."""
PER_SIDE = {"Q5": 8, "Q6": 7, "Q8": 3, "Q9": 8}
"""Wrong lists that are shorter than the right one, and as many that are longer."""


@dataclass(frozen=True)
class Candidate:
    """A question's right claim and wrong ones to choose three from; `about` is a family or ""."""

    about: str
    right: Claim
    wrong: tuple[Claim, ...]


def lists(case: Case, kind: str, true: Sequence[str], false: Sequence[str]) -> Iterator[Candidate]:
    """Lists of true items, and lists about as long that have at least one false one.

    The wrong lists of a template are few and the same from context to context, as the right ones
    are: a list is not right because one has read it before.
    """
    known = set(true)
    stream = generator(0, f"orqa/lists/{case.template.name}/{kind}", len(true) + 100 * len(false))
    lengths = {name: len(item(case, name)) for name in (*true, *false)}
    least = min(2, len(true))
    for names in combined(true):
        if len(names) < least:
            continue
        right = ("items", names)
        mine, few = _length(names, lengths), PER_SIDE[kind]
        shorter: list[Claim] = []
        longer: list[Claim] = []
        for items in _beside(names, [*true, *false], known, stream):
            side = shorter if _length(items, lengths) < mine else longer
            if len(side) < few and _length(items, lengths) != mine:
                side.append(("items", items))
        yield Candidate("", right, (*shorter, *longer))


def _length(names: Sequence[str], lengths: Mapping[str, int]) -> int:
    return sum(lengths[name] for name in names) + len(JOIN) * (len(names) - 1)


def _beside(
    names: Sequence[str], items: Sequence[str], true: set[str], stream: Rng
) -> list[tuple[str, ...]]:
    """Lists with a false item: first all that are as long, then those an item longer or shorter."""
    found: list[tuple[str, ...]] = []
    near = [size for size in (len(names) - 1, len(names) + 1) if 0 < size <= LONGEST]
    for sizes in ([len(names)], near):
        pool = [c for size in sizes for c in combinations(items, size) if not set(c) <= true]
        found += [pool[i] for i in stream.permutation(len(pool))]
    return found


def combined(names: Sequence[str], most: int = LONGEST) -> list[tuple[str, ...]]:
    """Every choice of 1 to `most` names, the short ones first."""
    return [c for size in range(1, most + 1) for c in combinations(names, size)]
