"""A session as an Inspect task."""

from collections.abc import Callable, Iterable
from inspect import Parameter, Signature
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.errors import UsageError
from ordojo.core.options import parse_options
from ordojo.evaluate.engine.solver import Drive, drive_environment, judge_episode
from ordojo.evaluate.runs import Item
from ordojo.evaluate.session import Session


def make_task(drive: Drive, items: Iterable[Item] | None = None) -> Task:
    """A task over the given items, or over all instances with Inspect's own epochs."""
    session = drive.session
    pairs = session.items(epochs=1) if items is None else items
    own_epochs = items is not None
    return Task(
        dataset=MemoryDataset(
            [_sample(session, item, own_epochs) for item in pairs], name=session.benchmark.name
        ),
        solver=drive_environment(drive),
        scorer=judge_episode(drive),
        version=session.benchmark.version,
        metadata={
            "ordojo_options": session.options.model_dump(mode="json"),
            "ordojo_rule": session.rule,
            "ordojo_dataset": dict(session.benchmark.dataset(session.options)),
        },
    )


def _sample(session: Session, item: Item, own_epochs: bool) -> Sample:
    name, epoch = item
    instance = session.by_id[name]
    metadata: dict[str, Any] = {"instance": name, "cluster": instance.cluster, **instance.labels}
    if own_epochs:
        metadata["epoch"] = epoch
    return Sample(
        input=f"{session.benchmark.name} {name}",
        target=str(session.benchmark.gold(instance)),
        id=name if epoch == 1 else f"{name}.{epoch}",
        metadata=metadata,
    )


def task_function(benchmark: AnyBenchmark) -> Callable[..., Task]:
    """A function of the benchmark's options that makes its task, for `inspect eval ordojo/...`."""

    def make(seed: int = 0, sample: int | None = None, **settings: Any) -> Task:
        options = parse_options(benchmark.options, settings, benchmark.name)
        if sample is not None and sample < 1:
            raise UsageError(f"{benchmark.name} cannot draw sample={sample}; it is at least 1")
        return make_task(Drive(Session(benchmark, options, seed, sample=sample)))

    make.__name__ = benchmark.name.replace("-", "_")
    make.__doc__ = benchmark.summary
    # Inspect passes -T settings by the names that the signature shows.
    keyword = Parameter.KEYWORD_ONLY
    own = [
        Parameter(name, keyword, default=field.get_default())
        for name, field in benchmark.options.model_fields.items()
    ]
    drawn = [Parameter("seed", keyword, default=0), Parameter("sample", keyword, default=None)]
    signature = Signature([*own, *drawn])
    make.__signature__ = signature  # type: ignore[attr-defined]
    return make
