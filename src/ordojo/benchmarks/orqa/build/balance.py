"""Choosing options so that neither letter, nor length, nor shared words tell which is right."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from ordojo.benchmarks.orqa.build.case import Case
from ordojo.benchmarks.orqa.build.claims import JOIN, Claim, item
from ordojo.core.seeds import generator
from ordojo.problems.base import Rng

LONGEST = 3
"""Items of a list at most."""
PER_SIDE = 8
"""Wrong lists that are shorter than the right one, and as many that are longer."""
NEVER = 0.25
"""How often a wrong list has an item of a kind that is never right (see `Candidate`)."""


@dataclass(frozen=True)
class Candidate:
    """A question's right claim and wrong ones to choose three from; `about` is a family or "".

    `never` are wrong claims of a kind that is right in no question. Who has learned them would rule
    them out, so they are shown seldom, and one of them, unless there are few others.
    """

    about: str
    right: Claim
    wrong: tuple[Claim, ...]
    never: tuple[Claim, ...] = ()


def lists(
    case: Case, kind: str, true: Sequence[str], false: Sequence[str], never: Sequence[str], rng: Rng
) -> Iterator[Candidate]:
    """Lists of true items, and others about as long with at least one false one, or with `never`.

    The wrong lists of a template are few and the same from context to context, as the right ones
    are: a list is not right because one has read it before.
    """
    known = set(true)
    said = {item(case, name): name for name in (*never, *false, *true)}
    false, never = ([name for name in part if name in said.values()] for part in (false, never))
    lengths = {name: len(text) for text, name in said.items()}
    for names in combined(true):
        right = ("items", names)
        wrong = _balanced(names, [*true, *false], known, lengths, rng)
        other = _balanced(names, [*true, *never], known, lengths, rng) if never else ()
        yield Candidate("", right, wrong, other)


def _balanced(
    names: tuple[str, ...], items: list[str], true: set[str], lengths: Mapping[str, int], rng: Rng
) -> tuple[Claim, ...]:
    """Lists beside the right one, as many shorter ones as longer ones."""
    mine = _length(names, lengths)
    shorter: list[Claim] = []
    longer: list[Claim] = []
    for one in _beside(names, items, true, rng):
        side = shorter if _length(one, lengths) < mine else longer
        if len(side) < PER_SIDE and _length(one, lengths) != mine:
            side.append(("items", one))
    return (*shorter, *longer)


def _length(names: Sequence[str], lengths: Mapping[str, int]) -> int:
    return sum(lengths[name] for name in names) + len(JOIN) * (len(names) - 1)


def _beside(
    names: Sequence[str], items: Sequence[str], true: set[str], rng: Rng
) -> list[tuple[str, ...]]:
    """Lists with a false item: first all that are as long, then those an item longer or shorter."""
    found: list[tuple[str, ...]] = []
    near = [size for size in (len(names) - 1, len(names) + 1) if 0 < size <= LONGEST]
    for sizes in ([len(names)], near):
        pool = [c for size in sizes for c in combinations(items, size) if not set(c) <= true]
        found += [pool[i] for i in rng.permutation(len(pool))]
    return found


def combined(names: Sequence[str], most: int = LONGEST) -> list[tuple[str, ...]]:
    """Every choice of 1 to `most` names, the short ones first."""
    return [c for size in range(1, most + 1) for c in combinations(names, size)]


PLACES = 4
WEIGHTS = (1, 1, 1, 2, 1, 1)
"""What a wrong place costs by length, by each of the MATCHERS and by likeness: what is asked about
is told at more length than what is beside it, so frequency is the hardest to hide."""
TRIALS = 128
"""Choices of options that are compared for a question."""


class Text:
    """A context as matchers see it: its words, how often each comes, and its sentences."""

    def __init__(self, text: str) -> None:
        self.count = Counter(tokens(text))
        self.sentences = [grams(part) for part in re.split(r"[.;:]\s", text)]


def tokens(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return re.findall(r"[a-z0-9]+", text.lower())


def grams(text: str) -> set[str]:
    """The words of a text and its pairs of words."""
    found = tokens(text)
    return {*found, *(f"{a} {b}" for a, b in pairwise(found))}


def _shared(text: Text, option: str) -> float:
    return len(set(tokens(option)) & text.count.keys())


def _share(text: Text, option: str) -> float:
    return _shared(text, option) / max(1, len(set(tokens(option))))


def _often(text: Text, option: str) -> float:
    found = tokens(option)
    return sum(text.count[word] for word in found) / max(1, len(found))


def _sentence(text: Text, option: str) -> float:
    parts = [grams(part) for part in option.split(JOIN)]
    best = [max(len(part & one) / max(1, len(part)) for one in text.sentences) for part in parts]
    return sum(best) / len(best)


MATCHERS: Mapping[str, Callable[[Text, str], float]] = {
    "words shared with the context": _shared,
    "share of words in the context": _share,
    "frequency in the context": _often,
    "best sentence of the context": _sentence,
}
"""What somebody may go by who compares options with the context and understands neither."""


def alike(options: Sequence[str]) -> list[float]:
    """How many of the options have an option's words, on average over its words."""
    count = Counter(word for option in options for word in set(tokens(option)))
    return [sum(count[w] for w in tokens(o)) / max(1, len(tokens(o))) for o in options]


@dataclass(frozen=True)
class Target:
    """Where the right option shall stand: its letter, and its places among the four in length
    (0: shortest), by each of the MATCHERS, and by how alike the others it is.
    """

    letter: int
    places: tuple[int, ...]


@dataclass(frozen=True)
class Chosen:
    """A question's options, the right one first."""

    about: str
    claims: tuple[Claim, ...]


def target(seed: int, split: str, index: int) -> Target:
    """Places of question `index`, from blocks of questions in each of which a place has its share.

    Letters: four questions, each letter once. All others: questions of one type.
    """
    types = 11
    turn, kind = divmod(index, types)
    letters = generator(seed, f"orqa/{split}/letters", index // PLACES).permutation(PLACES)

    def rank(what: str) -> int:
        rng = generator(seed, f"orqa/{split}/{what}/{kind}", turn // PLACES)
        return int(rng.permutation(PLACES)[turn % PLACES])

    places = tuple(rank(what) for what in ("length", *MATCHERS, "alike"))
    return Target(int(letters[index % PLACES]), places)


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
    text = Text(context)
    texts = {c: say(c) for one in found for c in (one.right, *one.wrong, *one.never)}
    cues = {
        claim: (float(len(option)), *(matcher(text, option) for matcher in MATCHERS.values()))
        for claim, option in texts.items()
    }
    drawn: list[tuple[float, int, Chosen]] = []
    for place in range(TRIALS):
        one = found[int(rng.integers(len(found)))]
        # Now and then any place in length: what it would need may not be provable.
        below = wanted.places[0] if place % 4 else int(rng.integers(PLACES))
        claims = (one.right, *_three(one, texts, below, rng))
        if len({texts[claim].lower() for claim in claims}) == PLACES:
            others = alike([texts[claim] for claim in claims])
            shown = [(*cues[c], one) for c, one in zip(claims, others, strict=True)]
            miss = _miss(shown, wanted)
            drawn.append((miss, place, Chosen(one.about, claims)))
    for _, _, chosen in sorted(drawn, key=lambda item: item[:2]):
        if all(usable(chosen.about, claim) for claim in chosen.claims[1:]):
            return chosen
    return None


def _three(one: Candidate, texts: Mapping[Claim, str], below: int, rng: Rng) -> list[Claim]:
    """Three wrong claims, `below` of them shorter than the right one where there are so many."""
    mine = len(texts[one.right])
    few = max(PLACES - 1 - len(one.wrong), int(rng.random() < NEVER))
    chosen = [one.never[i] for i in rng.permutation(len(one.never))][:few]
    # The two firms may have data of one name.
    drawn = list(
        {texts[one.wrong[i]]: one.wrong[i] for i in rng.permutation(len(one.wrong))}.values()
    )
    shorter = [claim for claim in drawn if len(texts[claim]) < mine]
    longer = [claim for claim in drawn if len(texts[claim]) >= mine]
    free = PLACES - 1 - len(chosen)
    few = min(free, max(0, below - sum(len(texts[claim]) < mine for claim in chosen)))
    more = free - few
    rest = [*shorter[few:], *longer[more:]]
    return [*chosen, *shorter[:few], *longer[:more], *rest][: PLACES - 1]


def _miss(cues: Sequence[Sequence[float]], wanted: Target) -> float:
    """How far the right option, the first, is from its places."""
    ranks = [_rank(values) for values in zip(*cues, strict=True)]
    pairs = zip(ranks, wanted.places, WEIGHTS, strict=True)
    return sum(weight * abs(rank - place) for rank, place, weight in pairs)


def _rank(values: Sequence[float]) -> float:
    """How many are below the first; equal ones count half."""
    mine, *rest = values
    return sum(1.0 if value < mine else 0.5 * (value == mine) for value in rest)


def placed(claims: Sequence[Claim], letter: int, rng: Rng) -> list[Claim]:
    """The right claim at its letter, the others around it in a drawn order."""
    others: Iterator[Claim] = (claims[1:][i] for i in rng.permutation(len(claims) - 1))
    return [claims[0] if place == letter else next(others) for place in range(len(claims))]
