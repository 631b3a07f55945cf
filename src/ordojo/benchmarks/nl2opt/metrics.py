"""NL2Opt's figures: pass@k, executability, outcomes, error classes, scales, rules, solver time.

Also independent reconstruction (paper 003, section 3.4): one right sample of any model validates.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

import numpy as np

from ordojo.benchmarks.nl2opt.judge import RULES
from ordojo.benchmarks.nl2opt.reading import (
    UNDECIDABLE,
    AnswerOutcome,
    ErrorClass,
    error_class_of,
    exception_of,
    outcome_of,
)
from ordojo.benchmarks.nl2opt.rules import COMPARISONS
from ordojo.benchmarks.nl2opt.schema import NAME
from ordojo.core.errors import UsageError
from ordojo.core.judge import Verdict
from ordojo.core.records import Judged, RunView, SampleRecord, judged, pass_at, share
from ordojo.core.statistics import NOTHING, Estimate, bootstrap_figures, group_index, mean_of
from ordojo.datasets.nl2opt.items import SCORED, STATUSES, ReferenceValidation
from ordojo.datasets.nl2opt.statistics import BUCKETS, LARGEST

SCALES = (*(name for name, _ in BUCKETS), LARGEST)
APART = tuple(s for s in STATUSES if s not in SCORED and s != "incomplete")
"""Statuses that are kept out of the published metric."""

_NO_GOLD = ("incomplete", "unknown-gold")

OURS = "over our items"
"""Ends the names of figures under a publisher's rule that are averaged over our items."""

_SHARES = (
    *("from_service", "told", "trivial", "contradicted", "flipped", "agrees", "late_match"),
    *("under_constrained", "over_constrained"),
)


def published(found: Sequence[Judged]) -> list[Judged]:
    """Those that count in the published metric."""
    return [pair for pair in found if pair[1].metrics.get("published")]


def counted(found: Sequence[Judged], rule: str) -> list[Judged]:
    """Those that `rule` is averaged over: a publisher's over every item that has a gold."""
    if rule not in COMPARISONS or not COMPARISONS[rule].publisher:
        return published(found)
    return [pair for pair in found if pair[0].labels.get("status") not in _NO_GOLD]


def with_repair(records: Sequence[SampleRecord]) -> bool:
    """Whether turns of repair were allowed: such runs have no pass@k."""
    return any(r.episode.turns and r.episode.turns[-1].info.get("repairs") for r in records)


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """All figures under `rule`; those of the published metric leave out what `APART` names.

    The first is "pass@1", or "repair@1" where turns of repair were allowed; it counts unsupported
    answers as not solved, "where scored" leaves them out. Under a publisher's rule all figures are
    over the items that the publisher counts, and beside the first stands that over ours. Shares of
    outcomes are over all answers that the rule could be applied to, and sum to 1; of error classes
    over the failed ones (figure 7).
    """
    every = judged(records, rule)
    found = counted(every, rule)
    figures = dict(pass_at(found, "repair" if with_repair(records) else "pass"))
    if rule in COMPARISONS and COMPARISONS[rule].publisher:
        first = next(iter(figures))
        figures[f"{first} {OURS}"] = pass_at(published(every), "pass")["pass@1"]
    scored = [pair for pair in found if outcome_of(pair[1]) not in UNDECIDABLE]
    figures[f"{next(iter(figures))} where scored"] = next(iter(pass_at(scored, "pass").values()))
    figures["executable"] = share(found, lambda v: v.metrics.get("executable"))
    figures["unsupported"] = share(found, lambda v: float(v.outcome == "unsupported"))
    figures["unscored"] = share(found, lambda v: float(v.outcome == "unscored"))
    ended = [pair for pair in found if outcome_of(pair[1]) is not None]
    figures |= {f"outcome/{one}": share(ended, _is(outcome_of, one)) for one in AnswerOutcome}
    failed = [pair for pair in found if error_class_of(pair[1]) is not None]
    figures |= {f"error/{one}": share(failed, _is(error_class_of, one)) for one in ErrorClass}
    for scale in SCALES:
        figures[f"size/{scale}"] = accuracy(labelled(found, "size", scale))
    figures |= _rules(records)
    for name in _SHARES:
        figures[name] = share(found, lambda v, name=name: v.metrics.get(name))  # type: ignore[misc]
    figures["solver_seconds"] = _mean(found, "solver_seconds")
    figures["solves"] = _mean(found, "solves")
    figures["cached"] = _cached(found)
    for status in APART:
        figures[f"apart/{status}"] = accuracy(labelled(every, "status", status))
    return figures


def _is(of: Callable[[Verdict], StrEnum | None], wanted: StrEnum) -> Callable[[Verdict], float]:
    return lambda verdict: float(of(verdict) is wanted)


def accuracy(found: Sequence[Judged]) -> Estimate:
    """Mean score of the scored answers."""
    return share(found, lambda verdict: verdict.score)


def labelled(found: Sequence[Judged], label: str, value: str) -> list[Judged]:
    """The answers to items with this label."""
    return [pair for pair in found if pair[0].labels.get(label) == value]


def exceptions(found: Sequence[Judged]) -> Mapping[str, int]:
    """What programs that did not run ended with, the commonest first."""
    counts = Counter(name for _, verdict in found if (name := exception_of(verdict)))
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _rules(records: Sequence[SampleRecord]) -> dict[str, Estimate]:
    """The accuracy under every rule that leaks nothing, and how far they lie apart on our items."""
    found = {name: judged(records, name) for name in RULES}
    figures = {f"rule/{name}": accuracy(counted(pairs, name)) for name, pairs in found.items()}
    for name, rule in COMPARISONS.items():
        if rule.publisher:
            figures[f"rule/{name} {OURS}"] = accuracy(published(found[name]))
    ours = [figures.get(f"rule/{name} {OURS}", figures[f"rule/{name}"]) for name in COMPARISONS]
    values = [e.value for e in ours if e.n]
    apart = max(values) - min(values) if values else math.nan
    n = max((e.n for e in figures.values()), default=0)
    spread = Estimate(apart, math.nan, math.nan, n, n) if values else NOTHING
    return {**figures, "rule_spread": spread}


def _mean(found: Sequence[Judged], name: str) -> Estimate:
    pairs = [(v.metrics[name], r.cluster) for r, v in found if v.metrics.get("program")]
    values = np.array([x for x, _ in pairs])
    groups = group_index([cluster for _, cluster in pairs], len(pairs))
    return bootstrap_figures({name: mean_of(values)}, groups)[name]


def _cached(found: Sequence[Judged]) -> Estimate:
    """The share of solves that an equal model had answered before."""
    pairs = [(v.metrics["cached"], v.metrics["solves"]) for _, v in found]
    held, total = (float(sum(column)) for column in zip(*pairs, strict=True)) if pairs else (0, 0)
    if not total:
        return NOTHING
    return Estimate(held / total, math.nan, math.nan, int(total), len(pairs))


SCRIPTED = ("ordojo/gold", "ordojo/noop", "ordojo/random", "ordojo/majority")
"""Policies that rebuild nothing: their answers are the key's, or chance."""
TRIES = 8
"""The paper's Pass@8: later samples of a model do not count."""


def validate(runs: Sequence[RunView], tries: int = TRIES) -> list[ReferenceValidation]:
    """Every instance of the runs, in their order; raises UsageError for runs of another benchmark.

    Judged by each run's headline rule; runs of the `SCRIPTED` policies do not count. Samples that
    could not be judged count as tried.
    """
    found: dict[tuple[str, str], dict[str, list[bool]]] = {}
    status: dict[tuple[str, str], str] = {}
    for run in runs:
        if run.header.benchmark != NAME:
            raise UsageError(f"{run.name} is a run of {run.header.benchmark}; give runs of {NAME}")
        if run.header.model in SCRIPTED:
            continue
        for record in sorted(run.records, key=lambda r: r.epoch):
            verdict = record.verdict(run.header.rule)
            key = (record.id, record.content_hash)
            right = verdict is not None and verdict.outcome == "correct"
            hits = found.setdefault(key, {}).setdefault(run.header.model, [])
            if len(hits) < tries:
                hits.append(right)
            status[key] = record.labels.get("status", "ok")
    validated = []
    for key, models in found.items():
        tried = tuple((model, sum(right), len(right)) for model, right in models.items())
        hit = tuple(figures for figures in tried if figures[1])
        validated.append(ReferenceValidation(*key, status[key], hit, tried))
    return validated
