"""Choosing options so that neither letter, nor length, nor shared words tell which is right."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ordojo.benchmarks.orqa.build.claims import JOIN, Claim
from ordojo.benchmarks.orqa.build.lists import Candidate
from ordojo.core.seeds import generator
from ordojo.templates.base import Rng

PLACES = 4
LENGTHS = (0, 1, 2, 3) * 4 + (3,)
"""Places in length. The last, the longest, is not always to be had, so it is asked for more often:
what comes out is a quarter each."""
OVERLAPS = (0, 1, 2, 3)
TRIALS = 48
"""Choices of options that are compared for a question."""


@dataclass(frozen=True)
class Target:
    """Where the right option shall stand, in letters, in length (0: shortest), in shared words."""

    letter: int
    length: int
    overlap: int


@dataclass(frozen=True)
class Chosen:
    """A question's options, the right one first."""

    about: str
    claims: tuple[Claim, ...]


def target(seed: int, split: str, index: int) -> Target:
    """Places of question `index`, from blocks of questions in each of which a place has its share.

    Letters: four questions, each letter once. Length and shared words: questions of one type.
    """
    types = 11
    turn, kind = divmod(index, types)
    block = index // PLACES
    letter = generator(seed, f"orqa/{split}/letters", block).permutation(PLACES)[index % PLACES]
    ranks = []
    for what, shares in (("length", LENGTHS), ("overlap", OVERLAPS)):
        rng = generator(seed, f"orqa/{split}/{what}/{kind}", turn // len(shares))
        ranks.append(int(rng.permutation(shares)[turn % len(shares)]))
    return Target(int(letter), *ranks)


def choose(
    found: Sequence[Candidate],
    say: Callable[[Claim], str],
    usable: Callable[[str, Claim], bool],
    context: str,
    wanted: Target,
    rng: Rng,
) -> Chosen | None:
    """The options nearest to the target, of TRIALS drawn; None where none has three wrong ones.

    `usable(about, claim)` says whether a wrong claim can be proved wrong; it is asked late, for
    it may cost a solve.
    """
    there = words(context)
    texts = {claim: say(claim) for one in found for claim in (one.right, *one.wrong)}
    common = {claim: shared(text, there) for claim, text in texts.items()}
    drawn: list[tuple[float, int, Chosen]] = []
    for place in range(TRIALS):
        one = found[int(rng.integers(len(found)))]
        three = _three(one, texts, wanted.length, rng)
        shown = [texts[claim] for claim in (one.right, *three)]
        if len({text.lower() for text in shown}) == PLACES:
            miss = _miss(shown, [common[claim] for claim in (one.right, *three)], wanted)
            drawn.append((miss, place, Chosen(one.about, (one.right, *three))))
    for _, _, chosen in sorted(drawn, key=lambda item: item[:2]):
        if all(usable(chosen.about, claim) for claim in chosen.claims[1:]):
            return chosen
    return None


def _three(one: Candidate, texts: Mapping[Claim, str], below: int, rng: Rng) -> list[Claim]:
    """Three wrong claims, `below` of them shorter than the right one where there are so many."""
    mine = len(texts[one.right])
    drawn = [one.wrong[i] for i in rng.permutation(len(one.wrong))]
    shorter = [claim for claim in drawn if len(texts[claim]) < mine]
    longer = [claim for claim in drawn if len(texts[claim]) > mine]
    equal = [claim for claim in drawn if len(texts[claim]) == mine]
    above = PLACES - 1 - below
    rest = [*equal, *shorter[below:], *longer[above:]]
    return [*shorter[:below], *longer[:above], *rest][: PLACES - 1]


def words(text: str) -> set[str]:
    """The words of a text, in small letters."""
    return set(re.findall(r"[a-z0-9]+", text.lower()))


def shared(option: str, there: set[str]) -> int:
    """How many different words of an option stand in the context."""
    return len(words(option) & there)


def _miss(texts: Sequence[str], common: Sequence[int], wanted: Target) -> float:
    """How far the right option, the first, is from its places; length counts most."""
    lengths = [len(text) for text in texts]
    items = [text.count(JOIN) for text in texts]
    return (
        10 * abs(_rank(lengths) - wanted.length)
        + 2 * abs(_rank(items) - (PLACES - 1) / 2)
        + abs(_rank(common) - wanted.overlap)
        + _unlike(lengths)
    )


def _rank(values: Sequence[int]) -> float:
    """How many are below the first; equal ones count half."""
    mine, *rest = values
    return sum(1.0 if value < mine else 0.5 * (value == mine) for value in rest)


def _unlike(lengths: Sequence[int]) -> float:
    """Below 1; more for options of very different lengths."""
    return 1 - min(lengths) / max(lengths)


def placed(claims: Sequence[Claim], letter: int, rng: Rng) -> list[Claim]:
    """The right claim at its letter, the others around it in a drawn order."""
    others: Iterator[Claim] = (claims[1:][i] for i in rng.permutation(len(claims) - 1))
    return [claims[0] if place == letter else next(others) for place in range(len(claims))]
