"""Choosing options so that neither letter, nor length, nor shared words tell which is right."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ordojo.benchmarks.orqa.build.claims import JOIN, Claim, item
from ordojo.benchmarks.orqa.build.recipe import Case
from ordojo.benchmarks.orqa.schema import LETTERS, Question
from ordojo.core.seeds import generator
from ordojo.core.statistics import Estimate, mean_interval
from ordojo.problems.base import Rng

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
