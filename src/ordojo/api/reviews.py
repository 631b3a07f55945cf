"""A person's queues: made of what builders and models made, decided, counted, written."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from ordojo.api.kinds import AnyPath, AnyRuns, ModelName, Port, Said, unheard
from ordojo.core.errors import DataError, UsageError
from ordojo.core.panels import Table
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.core.signatures import checked
from ordojo.core.words import amount
from ordojo.evaluation.remote import all_at_hand
from ordojo.evaluation.runs import read_runs
from ordojo.review import ReviewQueue, Statistics, statistics
from ordojo.review.kinds import QueueKind


@checked
def review_queue(
    queue: AnyPath,
    *,
    web: bool = False,
    port: Port | None = None,
    reviewer: str = "reviewer",
    independent: bool = False,
    progress: Said = unheard,
) -> None:
    """Decide what waits in a queue: accept, edit, reject, label.

    Every decision is stored at once; it may be ended and gone on with at any time.

    Args:
        queue: The queue's folder.
        web: Serve a page on 127.0.0.1 instead of the terminal.
        port: Port of the page; any that is free, if not given.
        reviewer: Who decides; names that begin with "model:" count as models.
        independent: Hide what others decided: a second opinion.
        progress: Hears of the page's address.

    Raises:
        UsageError: For a port without `web`, or one that is taken.
        DataError: For a folder that is no queue.
    """
    if port and not web:
        raise UsageError("`port` is the port of the page: give `web`, too")
    with ReviewQueue.open(Path(queue), write=True) as opened:
        if not web:
            from ordojo.review.terminal import review_in_terminal

            review_in_terminal(opened, reviewer, independent=independent)
            return
        from ordojo.review.local import ReviewServer

        server = ReviewServer(opened, reviewer, port=port or 0, independent=independent)
        progress(f"Review '{opened.title}' at {server.url}")
        progress("Press Ctrl-C to end; every decision is stored as it is made.")
        server.serve_until_interrupted()
        progress("Ended.")


@checked
def review_status(queue: AnyPath) -> Statistics:
    """Say how far a queue is: decisions, reasons, reviewers and their agreement.

    Args:
        queue: The queue's folder.

    Returns:
        The counts.

    Raises:
        DataError: For a folder that is no queue.
    """
    with ReviewQueue.open(Path(queue)) as opened:
        return statistics(opened)


def _kind(holds: Callable[[QueueKind], object]) -> QueueKind:
    """The kind of queue of which that holds; raises DataError where no benchmark has one."""
    kinds: list[QueueKind] = [
        kind for one in map(get_benchmark, benchmark_names()) for kind in one.queues.values()
    ]
    found = next(filter(holds, kinds), None)
    if found is None:
        raise DataError(
            "no benchmark has such a queue: it is not a queue of instances or reasoning"
        )
    return found


@checked
def review_tables(queue: AnyPath) -> tuple[Table, ...]:
    """Say what a queue's decisions come to, beside its paper's figures.

    Args:
        queue: A queue of reasoning (ORQA, table 4) or of instances (MIPLIB-NL, section 3.4).

    Returns:
        The tables.

    Raises:
        DataError: For a folder that is no queue, or of another kind, such as a builder's.
    """
    with ReviewQueue.open(Path(queue)) as opened:
        return tuple(_kind(lambda kind: kind.owns(opened)).tables(opened))


@checked
def review_reasoning(
    runs: AnyRuns | Sequence[AnyRuns],
    out: AnyPath,
    *,
    model: ModelName | None = None,
    left_out: Said = unheard,
    progress: Said = unheard,
) -> tuple[Table, ...]:
    """Make a queue of the chains of thought in runs, whose steps a person labels.

    Runs without any are left out and named. Of several models each has columns of its own in
    table 4 of ORQA's paper.

    Args:
        runs: Run folders, or folders of runs, asked with prompt=cot.
        out: Folder of the queue to make, or to go on with.
        model: A language model that labels what nobody has labelled.
        left_out: Hears of runs that are left out.
        progress: Hears how many there are.

    Returns:
        The tables of `review_tables`, where `model` has labelled; else nothing.

    Raises:
        DataError: Where no run has chains of thought, or `out` holds the reasoning of others.
        ProviderError: Where the model cannot be asked.
    """
    kind = _kind(lambda kind: kind.label is not None)
    _make(kind, (), runs, Path(out), left_out, progress)
    if model is None or kind.label is None:
        return ()
    from ordojo.evaluation.generation import generator

    with ReviewQueue.open(Path(out), write=True) as opened:
        done = kind.label(opened, generator(model), model)
        progress(
            f"{model} labelled {done.labelled}; {amount(done.unreadable, 'reply')} could not be "
            f"read, {done.skipped} were decided before\n"
        )
        return tuple(kind.tables(opened))[:1]


@checked
def review_instances(
    *datasets: str, out: AnyPath, runs: Sequence[AnyRuns] = (), progress: Said = unheard
) -> None:
    """Make a queue of instances that an expert keeps, mends or discards.

    MIPLIB-NL, section 3.4.

    Args:
        *datasets: An id, or a folder of instances.
        out: Folder of the queue to make, or to go on with.
        runs: Leave out what models rebuilt in these runs.
        progress: Hears how many there are.

    Raises:
        UsageError: For an unknown id.
        DataError: Where `out` holds other instances.
    """
    _make(_kind(lambda kind: kind.write is not None), datasets, runs, Path(out), unheard, progress)


def _make(
    kind: QueueKind,
    datasets: Sequence[str],
    runs: AnyRuns | Sequence[AnyRuns],
    out: Path,
    left_out: Said,
    progress: Said,
) -> None:
    """The queue of these items, made where there is none; DataError for one of other items."""
    with all_at_hand(runs) as folders:
        items = kind.items(datasets, read_runs(folders) if folders else (), left_out)
    if not out.exists():
        ReviewQueue.create(out, items, title=kind.title, reasons=kind.reasons)
    with ReviewQueue.open(out) as queue:
        if list(queue.items) != items:
            raise DataError(f"{out} holds other {kind.what}: choose another folder")
    progress(f"{len(items)} {kind.what} in {out}")


@checked
def review_kept(queue: AnyPath, out: AnyPath) -> Counter[str]:
    """Write the instances of a queue that were kept, and those whose text was mended.

    Args:
        queue: A queue of instances.
        out: The folder of instances to write.

    Returns:
        How many came to what.

    Raises:
        DataError: For a folder that is no such queue, or an `out` that cannot be written.
    """
    with ReviewQueue.open(Path(queue)) as opened:
        kind = _kind(lambda kind: kind.owns(opened))
        if kind.write is None:
            raise DataError(
                f"{queue} is not a queue of instances: of {kind.what} nothing is written"
            )
        return kind.write(opened, Path(out))
