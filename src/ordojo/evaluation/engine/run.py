"""A session as an Inspect task, run and kept."""

import errno
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai._util.config import resolve_args
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelCost,
    ModelInfo,
    get_model,
    get_model_info,
    set_model_info,
)
from inspect_ai.model._model import active_model
from rich.text import Text
from yaml import YAMLError

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.environment import Observation
from ordojo.core.errors import OrdojoError, ProviderError, UsageError
from ordojo.core.files import check_file
from ordojo.core.options import parse_options
from ordojo.core.records import Item
from ordojo.core.secrets import hide, without_secrets
from ordojo.evaluation.engine.ask import (
    Drive,
    chat_message,
    check_style,
    drive_environment,
    sentence,
    spec_of,
    verdict,
)
from ordojo.evaluation.session import Connection, EvaluationSession


def make_task(drive: Drive, items: Iterable[Item] | None = None) -> Task:
    """A task over the given items, or over all instances with Inspect's own epochs."""
    session = drive.session
    own_epochs = items is not None
    # Inspect's --limit takes the first, as `ordojo eval` does.
    pairs = [(instance.id, 1) for instance in session.instances] if items is None else items
    return task_of(
        session,
        [_sample(session, item, own_epochs) for item in pairs],
        solver=drive_environment(drive),
        scorer=verdict(*spec_of(session)),
    )


def task_of(session: EvaluationSession, samples: list[Sample], **how: Any) -> Task:
    """A task over the samples, which names what is asked; `how` are its solver, scorer and limits.

    All samples are asked; the task has failed at the end if one of them has.
    """
    benchmark, options = session.benchmark, session.options
    return Task(
        dataset=MemoryDataset(samples, name=benchmark.name),
        version=benchmark.version,
        continue_on_fail=True,
        metadata={
            "ordojo_options": options.model_dump(mode="json"),
            "ordojo_rule": session.rule,
            "ordojo_dataset": dict(benchmark.dataset(options)),
        },
        **how,
    )


def _sample(session: EvaluationSession, item: Item, own_epochs: bool) -> Sample:
    name, epoch = item
    instance = session.by_id[name]
    metadata: dict[str, Any] = {"instance": name, "cluster": instance.cluster, **instance.labels}
    if own_epochs:
        metadata["epoch"] = epoch
    shown: str | list[ChatMessage] = name
    choices: Sequence[str] = ()
    if (asked := session.first(instance, epoch)) is not None:
        _refuse_style(asked)
        shown = [chat_message(message, asked) for message in asked.messages]
        choices = asked.choices
    return Sample(
        input=shown,
        choices=list(choices) or None,
        target=str(session.benchmark.gold(instance)),
        id=name if epoch == 1 else f"{name}.{epoch}",
        metadata=metadata,
    )


class TaskRefusedError(ProviderError, PrerequisiteError):
    """The model that is to be evaluated cannot be asked so; Inspect's command prints the reason."""

    def __init__(self, message: str) -> None:
        PrerequisiteError.__init__(self, message)
        self.args = (message,)


def _refuse_style(asked: Observation) -> None:
    """Raise TaskRefusedError, before anything is asked, for a raw prompt to a chat model."""
    model = active_model()
    try:
        if model is not None:
            check_style(str(model), asked)
    except ProviderError as error:
        raise TaskRefusedError(str(error)) from None


def _asked_in_turns(session: EvaluationSession) -> Task:
    return make_task(Drive(session, raises=True))


def task_function(
    benchmark: AnyBenchmark,
    made: Callable[[EvaluationSession], Task] = _asked_in_turns,
    fixed: Mapping[str, str] | None = None,
    ending: str = "",
) -> Callable[..., Task]:
    """A function of the benchmark's options that makes its task, for `inspect eval ordojo/...`.

    `made` makes it of a session; options in `fixed` are not asked for, and `ending` ends its name.
    """
    fixed = fixed or {}

    def make(seed: int = 0, sample: int | None = None, **settings: Any) -> Task:
        options = parse_options(benchmark.options, {**settings, **fixed}, benchmark.name)
        if sample is not None and sample < 1:
            raise UsageError(f"{benchmark.name} cannot draw sample={sample}; it is at least 1")
        return made(EvaluationSession(benchmark, options, seed, sample=sample))

    make.__name__ = benchmark.name.replace("-", "_") + ending
    make.__doc__ = benchmark.summary
    # Inspect passes -T settings by the names that the signature shows.
    keyword = Parameter.KEYWORD_ONLY
    own = [
        Parameter(name, keyword, default=field.get_default())
        for name, field in benchmark.options.model_fields.items()
        if name not in fixed
    ]
    drawn = [Parameter("seed", keyword, default=0), Parameter("sample", keyword, default=None)]
    signature = Signature([*own, *drawn])
    make.__signature__ = signature  # type: ignore[attr-defined]
    return make


def connect(model: str, connection: Connection) -> Model:
    """Make the model; raises ProviderError, in one sentence, where it cannot be made."""
    if connection.prices:
        _set_prices(connection.prices)
    try:
        made = get_model(model, base_url=connection.base_url, **connection.model_args)
    except OrdojoError:
        raise
    except (PrerequisiteError, ValueError, ImportError, TypeError) as error:
        # Inspect marks its messages up for the terminal and spreads them over lines.
        marked = str(getattr(error, "message", error)).removeprefix("[bold]ERROR[/bold]: ")
        reason = " ".join(Text.from_markup(marked).plain.split())
        raise ProviderError(f"cannot use the model '{model}': {reason}") from None
    hide([connection.model_args, {"key": made.api.api_key}])
    # The provider's own client would try each of Inspect's attempts again.
    client: Any = getattr(made.api, "client", None)
    if hasattr(client, "max_retries"):
        client.max_retries = 0
    http = getattr(made.api, "http_client", None)
    # Inspect hands out a model that was made before again.
    if http and _own_up not in http.event_hooks["response"]:
        http.event_hooks["response"].append(_own_up)
    made.model_args = without_secrets(made.model_args)  # which Inspect's log keeps
    return made


async def _own_up(response: Any) -> None:
    """Give an error that some servers send with the status of a success that of an error."""
    if response.status_code != 200 or "json" not in response.headers.get("content-type", ""):
        return
    with suppress(ValueError):
        body = json.loads(await response.aread())
        if isinstance(body, dict) and sentence(error := body.get("error")):
            code = error.get("code") if isinstance(error, dict) else None
            response.status_code = code if isinstance(code, int) and 400 <= code < 600 else 500


def _set_prices(file: Path) -> None:
    try:
        check_file(file)
        for model, cost in resolve_args(str(file)).items():
            known = get_model_info(model) or ModelInfo()
            priced = {"cost": ModelCost.model_validate(cost)}
            set_model_info(model, known.model_copy(update=priced))
    except OSError as error:
        raise UsageError(f"cannot read the prices {file}: {error.strerror}") from None
    except (PrerequisiteError, ValueError, AttributeError, RecursionError, YAMLError) as error:
        raise UsageError(
            f"{file} is no file of prices; it maps a model's name to input, output, "
            f"input_cache_write and input_cache_read, in dollars per million tokens "
            f"({type(error).__name__})"
        ) from None


@dataclass
class Asking:
    """A model to ask the items of a drive, and the folder of Inspect's log."""

    drive: Drive
    model: Model
    items: Sequence[Item]
    how: Connection
    log: Path


def run_items(asking: Asking) -> None:
    """Ask one model: `run_all`, with what ended it raised."""
    (fault,) = run_all([asking])
    if fault is not None:
        raise fault


def run_all(askings: Sequence[Asking]) -> list[BaseException | None]:
    """Ask all models at once; records go to the drives' sinks as they finish.

    Gives for each what ended it: what a sink raised (a full disk), OSError where Inspect could not
    write its log, KeyboardInterrupt where the user stopped it, RuntimeError for a fault of ours;
    None where all was asked. `timeout` and `max_retries` are the first's.
    """
    stopped = [_kept(asking.drive) for asking in askings]
    how = askings[0].how
    try:
        results = inspect_eval(
            [_asked(asking, str(place)) for place, asking in enumerate(askings)],
            model=None,
            max_tasks=len(askings),
            log_dir=str(askings[0].log),
            display="none",
            # A failing provider is caught by the solver; an exception that arrives here is ours.
            fail_on_error=True,
            continue_on_fail=False,
            log_level="error",
            score_display=False,
            attempt_timeout=how.timeout,
            max_retries=how.max_retries,
        )
    except sqlite3.OperationalError:
        # Inspect's buffer did not fit, before anything was asked.
        return [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) for _ in askings]
    logs = {str((log.eval.metadata or {}).get(PLACE)): log for log in results}
    faults: list[BaseException | None] = []
    for place, (asking, errors) in enumerate(zip(askings, stopped, strict=True)):
        log = logs.get(str(place))
        faults.append(errors[0] if errors else _fault(log))
        if place and log is not None and log.location:
            asking.log.mkdir(parents=True, exist_ok=True)
            shutil.move(log.location, asking.log)
    return faults


PLACE = "ordojo_place"
"""Key of a task's metadata: which of the models that are asked at once it is."""


def _asked(asking: Asking, place: str) -> Task:
    task = make_task(asking.drive, asking.items)
    task.model = asking.model
    most = asking.how.max_connections or asking.model.api.max_connections()
    task.config = GenerateConfig(max_connections=most)
    task.metadata = {**(task.metadata or {}), PLACE: place}
    return task


def _kept(drive: Drive) -> list[OrdojoError]:
    """What the drive's sink for records will have raised."""
    stopped: list[OrdojoError] = []
    sink = drive.keep

    def keep(record: Any) -> None:
        try:
            sink(record)
        except OrdojoError as error:
            stopped.append(error)
            raise

    drive.keep = keep
    return stopped


def _fault(log: Any) -> BaseException | None:
    # A task that was cancelled may have no log at all.
    if log is None or log.status == "cancelled":
        return KeyboardInterrupt()
    if log.status != "error":
        return None
    reason = log.error.message if log.error else "unknown error"
    # Inspect's own files did not fit: of the exception, or SQLite's, it keeps the text.
    if told := re.match(r"OSError\((\d+),|OperationalError\('.*\bdisk\b", reason):
        number = int(told[1] or errno.ENOSPC)
        return OSError(number, os.strerror(number))
    trace = log.error.traceback if log.error else ""
    return RuntimeError(f"the evaluation failed inside ordojo: {reason}\n{trace}")
