"""Independent reconstruction (paper 003, section 3.4): one right sample of any model validates."""

from collections.abc import Sequence
from dataclasses import dataclass

from ordojo.benchmarks.nl2opt.schema import NAME
from ordojo.core.errors import UsageError
from ordojo.core.records import RunView
from ordojo.datasets.nl2opt.items import SCORED

SCRIPTED = ("ordojo/gold", "ordojo/noop", "ordojo/random", "ordojo/majority")
"""Policies that rebuild nothing: their answers are the key's, or chance."""
TRIES = 8
"""The paper's Pass@8: later samples of a model do not count."""


@dataclass(frozen=True)
class ReferenceValidation:
    """An instance with the models that rebuilt it, as (model, right samples, samples).

    `models` are those with a right sample within `TRIES`, `tried` all. `status` is the instance's:
    an infeasible or open one has no optimum to match and needs a person (E.3), as does one that no
    model rebuilt, which is not wrong for that.
    """

    id: str
    content_hash: str
    status: str
    models: tuple[tuple[str, int, int], ...]
    tried: tuple[tuple[str, int, int], ...]

    @property
    def text(self) -> str:
        """What becomes of the instance."""

        def told(figures: tuple[tuple[str, int, int], ...]) -> str:
            return ", ".join(f"{model} ({right} of {count})" for model, right, count in figures)

        if self.models:
            return f"validated by {told(self.models)}"
        why = "" if self.status in SCORED else f" (the gold is {self.status})"
        return f"goes to inspection{why}: not rebuilt by {told(self.tried)}"


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
