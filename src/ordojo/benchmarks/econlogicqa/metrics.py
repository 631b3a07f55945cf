"""EconLogicQA's figures: exact match, pairwise accuracy, Kendall's tau, errors by position."""

from collections.abc import Mapping, Sequence

from ordojo.core.records import SampleRecord
from ordojo.core.statistics import Estimate, mean_interval

POSITIONS = ("first", "second", "third", "fourth")


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """Exact match first. A reply without an order scores 0 on pairs and is left out of tau."""
    rows = [
        (record, verdict)
        for record in records
        if (verdict := record.verdict(rule)) is not None and verdict.score is not None
    ]
    clusters = [record.cluster for record, _ in rows]
    parsed = [(record, v) for record, v in rows if v.answer is not None]
    # Kendall's tau lies in [-1, 1]: estimated as (tau + 1) / 2, which is the pairwise accuracy.
    own_clusters = [record.cluster for record, _ in parsed]
    agreement = mean_interval([v.metrics["pairwise"] for _, v in parsed], own_clusters)
    figures = {
        "exact_match": mean_interval([v.score or 0.0 for _, v in rows], clusters),
        "pairwise_accuracy": mean_interval(
            [v.metrics.get("pairwise", 0.0) for _, v in rows], clusters
        ),
        "kendall_tau": Estimate(
            2 * agreement.value - 1,
            2 * agreement.low - 1,
            2 * agreement.high - 1,
            agreement.n,
            agreement.clusters,
        ),
        "unparsed_rate": mean_interval([float(v.answer is None) for _, v in rows], clusters),
    }
    for place, name in enumerate(POSITIONS):
        hits = [
            float(str(v.answer).split(", ")[place] == str(record.gold).split(", ")[place])
            for record, v in parsed
        ]
        figures[f"position/{name}"] = mean_interval(hits, own_clusters)
    return figures
