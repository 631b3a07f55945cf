"""What a run takes on a cluster, from what its items took before: `plan`."""

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from ordojo.core.capacity import Cluster, Forecast, Load, simulate
from ordojo.core.errors import UsageError
from ordojo.core.journal import line
from ordojo.evaluate.remote import all_at_hand
from ordojo.evaluate.runs import read_runs


def plan(
    runs: str | Path | Sequence[str | Path] = (),
    items: int | None = None,
    *,
    nodes: int = 1,
    cores: int = 1,
    seconds: float | None = None,
    memory: float = 0.0,
    seed: int = 0,
    **cluster: Any,
) -> Forecast:
    """What so many items take on a cluster: hours, money, disk, and which part is busiest.

    An item's seconds, tokens, dollars and kilobytes are those of the finished samples in `runs`,
    run directories or folders of them; without runs it takes `seconds` of a core. `items` is as
    many as were measured, if not given; `memory` is gigabytes of an item at work. Further options
    are those of `ordojo.core.capacity.Cluster`. Raises UsageError or RunError.

    >>> forecast = plan(items=100_000, seconds=60, nodes=100, cores=16)
    >>> round(forecast.hours, 1), forecast.bottleneck
    (1.1, 'cores')
    """
    known = [field.name for field in fields(Cluster)]
    if unknown := sorted(cluster.keys() - set(known)):
        raise UsageError(f"a cluster has no {', '.join(unknown)}; it has {', '.join(known)}")
    paths = [runs] if isinstance(runs, str | Path) else list(runs)
    if bool(paths) == (seconds is not None):
        raise UsageError("give either runs whose items were measured, or the seconds of an item")
    if not paths and items is None:
        raise UsageError("say how many items there are")
    load = _measured(paths) if paths else Load(1, [seconds or 0.0])
    load = replace(load, items=load.items if items is None else items, memory=memory)
    return simulate(load, Cluster(nodes, cores, **cluster), seed=seed)


def _measured(paths: Sequence[str | Path]) -> Load:
    """What the samples of runs took, those that are unscored too."""
    with all_at_hand(paths) as folders:
        found = [record for run in read_runs(folders) for record in run.records]
    if not found:
        raise UsageError(f"{', '.join(map(str, paths))}: no sample is finished; nothing to plan by")
    used = [record.usage for record in found]
    return Load(
        items=len(found),
        seconds=[record.seconds for record in found],
        size=sum(len(line(record.to_json())) for record in found) / len(found) / 1e3,
        tokens=sum(one.input_tokens + one.output_tokens for one in used) / len(found),
        dollars=sum(one.cost for one in used) / len(found),
    )
