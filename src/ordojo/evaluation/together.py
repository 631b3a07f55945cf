"""Several evaluations at once: each follows its own run, and their models are asked together.

Inspect asks many models in one event loop, and there is one such loop in a process. So each
evaluation runs in a thread until it comes to the asking; when all have come there, or have ended,
this thread asks for all of them, and they go on.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextvars import copy_context
from typing import Any

from ordojo.core.records import RunView
from ordojo.evaluation.evaluation import Evaluation


def run_together(evaluations: Sequence[Evaluation]) -> list[RunView]:
    """The run of each evaluation, in their order; raises what the first of them raised."""
    found: list[Future[RunView]] = [Future() for _ in evaluations]
    waiting: list[tuple[Any, Future[None]]] = []
    changed = threading.Condition()
    busy = len(evaluations)

    def arrive(asking: Any) -> None:
        nonlocal busy
        asked: Future[None] = Future()
        with changed:
            waiting.append((asking, asked))
            busy -= 1
            changed.notify()
        try:
            asked.result()
        finally:
            with changed:
                busy += 1

    def follow(evaluation: Evaluation, answer: "Future[RunView]") -> None:
        nonlocal busy
        try:
            evaluation.ask = arrive
            answer.set_result(evaluation.ask_all())
        except BaseException as error:  # which the caller's thread raises
            answer.set_exception(error)
        finally:
            with changed:
                busy -= 1
                changed.notify()

    threads = [
        # Who hears of progress is in the context.
        threading.Thread(target=copy_context().run, args=(follow, *pair), daemon=True)
        for pair in zip(evaluations, found, strict=True)
    ]
    for thread in threads:
        thread.start()
    with changed:
        changed.wait_for(lambda: not busy)
        together, waiting = waiting, []
    try:
        _ask(together)
    finally:
        for thread in threads:
            thread.join()
    return [answer.result() for answer in found]


def _ask(together: Sequence[tuple[Any, "Future[None]"]]) -> None:
    from ordojo.evaluation.engine.run import run_all

    try:
        faults = run_all([asking for asking, _ in together]) if together else []
    except BaseException as error:
        for _, asked in together:
            asked.set_exception(error)
        raise
    for (_, asked), fault in zip(together, faults, strict=True):
        if fault is None:
            asked.set_result(None)
        else:
            asked.set_exception(fault)
