"""Decisions beyond the single newsvendor: order quantity, base stock, many periods with feedback.

Everything that the benchmark's own class dispatches to, for `decision` other than "newsvendor", and
what it asks of any decision; whether an instance is one of these, `beyond.owns(instance)` says.
`common` has what these decisions share, `stock` order quantity and base stock, `repeated` the many
periods.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ordojo.benchmarks.or_bias import judges, page
from ordojo.benchmarks.or_bias.beyond import common, repeated, stock
from ordojo.benchmarks.or_bias.beyond.common import verify
from ordojo.benchmarks.or_bias.judges import metrics as newsvendor_metrics
from ordojo.benchmarks.or_bias.schema import INSTANCES, OrBiasOptions
from ordojo.benchmarks.or_bias.stories import observe
from ordojo.core.environment import Environment
from ordojo.core.episode import Episode
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Verdict
from ordojo.core.panels import Panel, Table
from ordojo.core.records import RunView, SampleRecord
from ordojo.core.single_turn import SingleTurnEnvironment
from ordojo.core.statistics import Estimate

__all__ = ["environment", "judge_with", "load", "metrics", "owns", "panels", "verify"]


def load(
    options: OrBiasOptions, seed: int, version: str = INSTANCES
) -> list[Instance[common.Decision]]:
    """The instances of `options.decision`, generated; see `common.SETS` for their number."""
    makers: Mapping[str, common.Make] = {
        "eoq": stock.make_eoq,
        "base-stock": stock.make_base_stock,
        "repeated": partial(repeated.make, family=options.family),
    }
    name = options.decision
    stream = f"repeated/{options.family}" if name == "repeated" else name
    return common.generate(makers[name], stream, options.set, seed, version)


def environment(options: OrBiasOptions, rule: str = "rational") -> Environment[Any]:
    """Its environment; the reward of an episode is its score under `rule`."""
    chat = options.mode == "chat"
    if options.decision == "repeated":
        return repeated.Selling(chat, rule)
    return SingleTurnEnvironment(
        "or-bias", lambda problem: observe(problem.text, chat, problem.ask), judge_with(rule)
    )


def judge_with(rule: str) -> Judge:
    """The judge of every decision under `rule`.

    Raises BenchmarkError for an unknown rule. What the verdict's metrics are, `judges.judge_with`,
    `common.judge` and `repeated.judge` say.
    """
    newsvendor = judges.judge_with(rule)

    def judge(instance: Instance[Any], episode: Episode) -> Verdict:
        if not owns(instance):
            return newsvendor(instance, episode)
        turns = isinstance(instance.problem, repeated.Repeated)
        return (repeated.judge if turns else common.judge)(rule, instance, episode)

    return judge


def owns(instance: Instance[Any]) -> bool:
    """Whether an instance belongs here."""
    return isinstance(instance.problem, common.Decision)


def _decision_of(records: Sequence[SampleRecord]) -> str:
    return records[0].labels.get("decision", "newsvendor") if records else "newsvendor"


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """All figures of a run, of whichever decision it is; beyond the first "rationality" first."""
    chosen = {"newsvendor": newsvendor_metrics, "repeated": repeated.metrics}
    return chosen.get(_decision_of(records), common.metrics)(records, rule)


def panels(runs: Sequence[RunView]) -> Sequence[Panel]:
    """The newsvendor's page, then one table of figures for each decision beyond."""
    by_decision: dict[str, list[RunView]] = {"newsvendor": []}
    for run in runs:
        by_decision.setdefault(_decision_of(run.records), []).append(run)
    newsvendor = by_decision.pop("newsvendor")
    shown = list(page.panels(newsvendor)) if newsvendor or not by_decision else []
    return [*shown, *(_table(decision, group) for decision, group in by_decision.items())]


def _table(decision: str, runs: Sequence[RunView]) -> Table:
    found = [metrics(run.records, run.header.rule) for run in runs]
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
