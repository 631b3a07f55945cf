"""Reading an order out of a reply, and the exact-match rules."""

import re
from collections.abc import Callable, Mapping
from itertools import combinations

from ordojo.benchmarks.econlogicqa.schema import LETTERS, Ordering
from ordojo.core.episode import Episode
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Verdict

Order = tuple[str, ...]
Reader = Callable[[str], Order | None]

_LINK = r"(?:\s*(?:,|->|=>|→|>|;|-|then|and|\s)\s*)*"
_MARK = r"[*_`(\[]*"
_END = r"[*_`)\].]*"
_SEQUENCE = re.compile(
    r"(?<![A-Za-z'])" + _LINK.join([rf"{_MARK}([A-D]){_END}"] * 4) + r"(?![A-Za-z'])"
)
_STRICT = re.compile(r"(?<![A-Za-z])([A-D]), ?([A-D]), ?([A-D]), ?([A-D])(?![A-Za-z])")


def _permutations(pattern: re.Pattern[str], text: str) -> list[Order]:
    return [m.groups() for m in pattern.finditer(text) if set(m.groups()) == set(LETTERS)]


def read_first(text: str) -> Order | None:
    """The first comma-separated permutation of the letters (the paper: a regular expression)."""
    found = _permutations(_STRICT, text[:100_000])
    return found[0] if found else None


def read_last(text: str) -> Order | None:
    """The last permutation in any usual spelling ("D -> C -> A -> B", "DCAB", "**D**, C, A, B").

    For replies that reason first and answer at the end.
    """
    found = _permutations(_SEQUENCE, text[-100_000:].rpartition("</think>")[2])
    return found[-1] if found else None


READERS: Mapping[str, Reader] = {"exact-match": read_first, "last-order": read_last}


def pairwise_accuracy(said: Order, right: Order) -> float:
    """Share of the six pairs of events that stand in the right relative order."""
    place = {letter: said.index(letter) for letter in LETTERS}
    return sum(place[a] < place[b] for a, b in combinations(right, 2)) / 6


def judge_with(rule: str) -> Judge:
    """The judge that reads the order by `rule` and asks for an exact match.

    Its metrics: "pairwise" accuracy and Kendall's "tau" (2 * pairwise - 1 for strict orders), both
    absent where no order was read.
    """
    read = READERS[rule]

    def judge(instance: Instance[Ordering], episode: Episode) -> Verdict:
        said = read(episode.last_reply)
        if said is None:
            return Verdict(rule, "unparsed", 0.0, reason="no order of the four letters was read")
        right = instance.problem.order
        pairwise = pairwise_accuracy(said, right)
        exact = said == right
        return Verdict(
            rule,
            "correct" if exact else "wrong",
            float(exact),
            ", ".join(said),
            metrics={"pairwise": pairwise, "tau": 2 * pairwise - 1},
        )

    return judge
