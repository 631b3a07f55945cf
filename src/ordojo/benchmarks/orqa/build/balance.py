"""A question's options and their order: so that none is told by how it looks.

Neither letter, nor length, nor shared words shall tell which is right: it is first, second, third
and last by each of them equally often, as nearly as the claims that there are allow.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ordojo.benchmarks.orqa.build.candidates import ClaimCandidates
from ordojo.benchmarks.orqa.build.context import Claim
from ordojo.benchmarks.orqa.hardness import CUES, Text, bag, beside, rank
from ordojo.benchmarks.orqa.schema import QUESTION_TYPES
from ordojo.core.seeds import generator
from ordojo.problems.base import Rng

PLACES = 4
"""Options of a question, and so the places that one may have in any order of them."""

TRIALS = 192
"""Choices of options that are compared for a question."""

TARGETS: Mapping[str, tuple[str, ...]] = {
    "letter": (),
    "length": ("length",),
    "match": ("occurring", "often", "runs", "sentence"),
    "early": ("early",),
    "asked": ("asked",),
    "typical": ("typical", "shared"),
}
"""What a place is drawn for, and the cues that shall have it."""

ALONE = [name for names in TARGETS.values() for name in names if name in CUES]
"""Those of an option by itself."""


@dataclass(frozen=True)
class Chosen:
    """A question's options, the right one first."""

    about: str
    claims: tuple[Claim, ...]


def target(seed: int, split: str, index: int) -> dict[str, int]:
    """The places of the right option of question `index` among the four (0: the least).

    Of each four questions of one type, every place of every target comes once.
    """
    turn, kind = divmod(index, len(QUESTION_TYPES))

    def place(what: str) -> int:
        rng = generator(seed, f"orqa/{split}/{what}/{kind}", turn // PLACES)
        return int(rng.permutation(PLACES)[turn % PLACES])

    return {what: place(what) for what in TARGETS}


def choose(
    found: Sequence[ClaimCandidates],
    say: Callable[[Claim], str],
    usable: Callable[[str, Claim], bool],
    text: Callable[[str], Text],
    wanted: Mapping[str, int],
    rng: Rng,
) -> Chosen | None:
    """The options nearest to the target, of TRIALS drawn; None where none has three wrong ones.

    `usable(about, claim)` says whether a wrong claim can be proved wrong; it is asked late, for
    it may cost a solve.
    """
    chosen = _nearest(found, say, usable, text, wanted, rng)
    if chosen is None:
        # What must be there cannot be proved wrong, or with it nothing else: then anything.
        free = [replace(one, wrong=(*one.wrong, *one.must, *one.spare), must=()) for one in found]
        chosen = _nearest(free, say, usable, text, wanted, rng)
    return chosen


def _nearest(
    found: Sequence[ClaimCandidates],
    say: Callable[[Claim], str],
    usable: Callable[[str, Claim], bool],
    text: Callable[[str], Text],
    wanted: Mapping[str, int],
    rng: Rng,
) -> Chosen | None:
    texts = {c: say(c) for one in found for c in (one.right, *one.wrong, *one.must, *one.spare)}
    lower = {claim: said.lower() for claim, said in texts.items()}
    bags = {claim: bag(said) for claim, said in texts.items()}
    seen = {one.about: text(one.about) for one in found}
    cues: dict[tuple[str, Claim], list[float]] = {}
    drawn: list[tuple[float, int, Chosen]] = []
    for place in range(TRIALS):
        one = found[int(rng.integers(len(found)))]
        claims = (one.right, *_three(one, lower, rng))
        if len({lower[claim] for claim in claims}) < PLACES:
            continue
        for claim in claims:
            if (one.about, claim) not in cues:
                cues[one.about, claim] = [
                    CUES[name](seen[one.about], texts[claim]) for name in ALONE
                ]
        alone = zip(*(cues[one.about, claim] for claim in claims), strict=True)
        shown = {**dict(zip(ALONE, alone, strict=True)), **beside([bags[c] for c in claims])}
        drawn.append((_miss(shown, wanted), place, Chosen(one.about, claims)))
    for _, _, chosen in sorted(drawn, key=lambda item: item[:2]):
        if all(usable(chosen.about, claim) for claim in chosen.claims[1:]):
            return chosen
    return None


def _three(one: ClaimCandidates, lower: Mapping[Claim, str], rng: Rng) -> list[Claim]:
    """Three wrong claims that read differently, the first of those that must be there."""
    parts = (one.must, one.wrong, one.spare)
    drawn = [(part, rng.permutation(len(part)).tolist()) for part in parts]
    taken = {lower[one.right]: one.right}
    for claim in (part[i] for part, order in drawn for i in order):
        if len(taken) == PLACES:
            break
        taken.setdefault(lower[claim], claim)
    return list(taken.values())[1:]


def _miss(shown: Mapping[str, Sequence[float]], wanted: Mapping[str, int]) -> float:
    """How far the right option, the first, is from its places."""
    return sum(
        abs(rank(shown[cue], 0) - wanted[what]) / len(cues)
        for what, cues in TARGETS.items()
        for cue in cues
    )


def placed(claims: Sequence[Claim], letter: int, rng: Rng) -> list[Claim]:
    """The right claim at its letter, the others around it in a drawn order."""
    others: Iterator[Claim] = (claims[1:][i] for i in rng.permutation(len(claims) - 1))
    return [claims[0] if place == letter else next(others) for place in range(len(claims))]
