"""The exact-match rules, and how near an order comes to the right one."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from ordojo.benchmarks.econlogicqa.schema import LETTERS, Ordering
from ordojo.core.episode import Episode
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Verdict
from ordojo.core.readers.orders import Order, read_first, read_last
from ordojo.core.readers.turn import without_thinking
from ordojo.core.records import SampleRecord, scored, share
from ordojo.core.statistics import Estimate, mean_interval

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
        said = read(without_thinking(episode.last_reply))
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


POSITIONS = ("first", "second", "third", "fourth")


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """Exact match first. A reply without an order scores 0 on pairs and is left out of tau."""
    rows = scored(records, rule)
    parsed = [(record, v) for record, v in rows if v.answer is not None]
    # Kendall's tau lies in [-1, 1]: estimated as (tau + 1) / 2, which is the pairwise accuracy.
    agreement = share(parsed, lambda v: v.metrics["pairwise"])
    mean, low, high = (2 * x - 1 for x in (agreement.value, agreement.low, agreement.high))
    figures = {
        "exact_match": share(rows, lambda v: v.score),
        "pairwise_accuracy": share(rows, lambda v: v.metrics.get("pairwise", 0.0)),
        "kendall_tau": Estimate(mean, low, high, agreement.n, agreement.clusters),
        "unparsed_rate": share(rows, lambda v: float(v.answer is None)),
    }
    for place, name in enumerate(POSITIONS):
        hits = [
            float(str(v.answer).split(", ")[place] == str(record.gold).split(", ")[place])
            for record, v in parsed
        ]
        figures[f"position/{name}"] = mean_interval(hits, [record.cluster for record, _ in parsed])
    return figures
