"""Independent reconstruction (paper 003, section 3.4): one right sample of any model validates."""

from collections.abc import Sequence

from ordojo.benchmarks.nl2opt.schema import NAME
from ordojo.core.errors import UsageError
from ordojo.core.records import RunView
from ordojo.datasets.nl2opt.items import ReferenceValidation

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
