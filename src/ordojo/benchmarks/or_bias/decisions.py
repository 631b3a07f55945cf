"""Which of the decisions an instance or a run is of: the newsvendor's, or one beyond."""

from collections.abc import Mapping, Sequence

from ordojo.benchmarks.or_bias import beyond, judges, metrics, page
from ordojo.core.episode import Episode
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Verdict
from ordojo.core.panels import Panel, Table
from ordojo.core.records import RunView, SampleRecord
from ordojo.core.statistics import Estimate


def judge_with(rule: str) -> Judge:
    """The judge of every decision under `rule`."""
    newsvendor, others = judges.judge_with(rule), beyond.judge_with(rule)

    def judge(instance: Instance[object], episode: Episode) -> Verdict:
        return (others if beyond.owns(instance) else newsvendor)(instance, episode)

    return judge


def figures(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """All figures of a run, of whichever decision it is."""
    if beyond.decision_of(records) == "newsvendor":
        return metrics.metrics(records, rule)
    return beyond.metrics(records, rule)


def panels(runs: Sequence[RunView]) -> Sequence[Panel]:
    """The newsvendor's page, then one table of figures for each decision beyond."""
    by_decision: dict[str, list[RunView]] = {"newsvendor": []}
    for run in runs:
        by_decision.setdefault(beyond.decision_of(run.records), []).append(run)
    newsvendor = by_decision.pop("newsvendor")
    shown = list(page.panels(newsvendor)) if newsvendor or not by_decision else []
    return [*shown, *(_table(decision, group) for decision, group in by_decision.items())]


def _table(decision: str, runs: Sequence[RunView]) -> Table:
    found = [figures(run.records, run.header.rule) for run in runs]
    names = list(dict.fromkeys(name for row in found for name in row))
    return Table(
        f"Beyond the newsvendor: {decision}",
        ["model", "setting", *(name.replace("_", " ") for name in names)],
        [
            [run.header.model, page.setting(run.header.options), *(row.get(n) for n in names)]
            for run, row in zip(runs, found, strict=True)
        ],
        "Every figure with its 95% interval.",
    )
