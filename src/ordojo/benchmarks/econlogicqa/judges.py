"""The exact-match rules, and how near an order comes to the right one."""

from collections.abc import Callable, Mapping
from itertools import combinations

from ordojo.benchmarks.econlogicqa.schema import LETTERS, Ordering
from ordojo.core.episode import Episode
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Verdict
from ordojo.core.readers.orders import Order, read_first, read_last

__all__ = ["READERS", "Order", "judge_with", "pairwise_accuracy", "read_last"]

Reader = Callable[[str], Order | None]

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
