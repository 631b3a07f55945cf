"""Running a session through Inspect, with every finished sample kept as it comes."""

import errno
import os
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai._util.config import resolve_args
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import Model, ModelCost, ModelInfo, get_model, get_model_info, set_model_info
from rich.text import Text
from yaml import YAMLError

from ordojo.core.errors import OrdojoError, ProviderError, UsageError
from ordojo.evaluate.engine.solver import Drive
from ordojo.evaluate.engine.task import make_task
from ordojo.evaluate.runs import Item


@dataclass(frozen=True)
class Connection:
    """How a language model is reached; None leaves a setting to the provider.

    `timeout` is in seconds for one attempt, `prices` is a YAML or JSON file of
    Inspect's model cost configuration.
    """

    model_args: Mapping[str, Any] = field(default_factory=dict)
    base_url: str | None = None
    max_connections: int | None = None
    timeout: int | None = None
    max_retries: int | None = 5
    prices: str | None = None


def connect(model: str, connection: Connection) -> Model:
    """Make the model; raises ProviderError, in one sentence, where it cannot be made."""
    if connection.prices:
        _set_prices(connection.prices)
    try:
        return get_model(model, base_url=connection.base_url, **connection.model_args)
    except OrdojoError:
        raise
    except (PrerequisiteError, ValueError, ImportError, TypeError) as error:
        # Inspect marks its messages up for the terminal and spreads them over lines.
        marked = str(getattr(error, "message", error)).removeprefix("[bold]ERROR[/bold]: ")
        reason = " ".join(Text.from_markup(marked).plain.split())
        raise ProviderError(f"cannot use the model '{model}': {reason}") from None


def _set_prices(file: str) -> None:
    try:
        for model, cost in resolve_args(file).items():
            known = get_model_info(model) or ModelInfo()
            priced = {"cost": ModelCost.model_validate(cost)}
            set_model_info(model, known.model_copy(update=priced))
    except (PrerequisiteError, ValueError, AttributeError, RecursionError, YAMLError) as error:
        raise UsageError(
            f"{file} is no file of prices; it maps a model's name to input, output, "
            f"input_cache_write and input_cache_read, in dollars per million tokens "
            f"({type(error).__name__})"
        ) from None


def run_items(
    drive: Drive, model: Model, items: Sequence[Item], how: Connection, log: Path
) -> None:
    """Ask `model` every item; records go to the drive's sinks as they finish.

    Raises what a sink raised (a full disk), OSError where Inspect could not write its log, and
    KeyboardInterrupt where the user stopped it.
    """
    stopped: list[OrdojoError] = []
    finished = drive.finished

    def keep(record: Any) -> None:
        try:
            finished(record)
        except OrdojoError as error:
            stopped.append(error)
            raise

    drive.finished = keep
    try:
        results = inspect_eval(
            make_task(drive, items),
            model=model,
            log_dir=str(log),
            display="none",
            # A failing provider is caught by the solver; an exception that arrives here is ours.
            fail_on_error=True,
            log_level="error",
            score_display=False,
            max_connections=how.max_connections or model.api.max_connections(),
            attempt_timeout=how.timeout,
            max_retries=how.max_retries,
        )
    except sqlite3.OperationalError:
        # Inspect's buffer did not fit, before anything was asked.
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
    if stopped:
        raise stopped[0]
    # A task that was cancelled may have no log at all.
    if not results or results[0].status == "cancelled":
        raise KeyboardInterrupt
    result = results[0]
    if result.status == "error":
        reason = result.error.message if result.error else "unknown error"
        # Inspect's own files did not fit: of the exception, or SQLite's, it keeps the text.
        if told := re.match(r"OSError\((\d+),|OperationalError\('.*\bdisk\b", reason):
            number = int(told[1] or errno.ENOSPC)
            raise OSError(number, os.strerror(number))
        raise RuntimeError(f"the evaluation failed inside ordojo: {reason}\n{_trace(result)}")


def _trace(result: Any) -> str:
    return str(result.error.traceback) if result.error else ""
