"""An evaluation: what it will do and cost, known before anything is asked, and doing it.

Several at once (`run_together`) each follow their own run, and their models are asked together:
Inspect asks many models in one event loop, and there is one such loop in a process. So each
evaluation runs in a thread until it comes to the asking; when all have come there, or have ended,
this thread asks for all of them, and they go on.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ordojo.core.errors import ProviderError, RunError, UsageError
from ordojo.core.options import parse_options
from ordojo.core.policy import Caller, Person, Policy
from ordojo.core.progress import counting, doing
from ordojo.core.records import Item, RunView, SampleRecord
from ordojo.core.registry import get_benchmark
from ordojo.core.spread import HERE, Place, spread
from ordojo.evaluation.runs import RunStore, Standing, finished_items, read_run, run_name
from ordojo.evaluation.scripted import (
    PREFIX,
    Replay,
    is_scripted,
    player,
    scripted_player,
    scripted_policy,
)
from ordojo.evaluation.session import (
    Connection,
    EvaluationSession,
    Generation,
    InsideError,
    chat_options,
)

CHARACTERS_A_TOKEN = 4
"""A rule of thumb for English text, good to about a quarter."""

SAMPLED = 64
"""Items whose prompts are measured in place of all, evenly spread: chosen without a fit."""


@dataclass(frozen=True)
class EvaluationPlan:
    """The plan of one run. Tokens are estimates: prompts by their length, replies at their limit.

    `cost` is an upper estimate in US dollars, None where the model's prices are not known.
    """

    items: int
    left: int
    prompt_tokens: int
    reply_tokens: int
    cost: float | None

    def __str__(self) -> str:
        if self.cost == 0:
            return f"{self.left:,} of {self.items:,} samples to ask, at no cost"
        price = _in_words(self.prompt_tokens, self.reply_tokens, self.cost, " (give prices)")
        return f"{self.left:,} of {self.items:,} samples to ask, {price}"


def prices_of(model: str) -> tuple[float, float] | None:
    """Dollars per million prompt and reply tokens, None where they are not known."""
    if model.startswith(PREFIX):
        return (0.0, 0.0)
    from inspect_ai.model import get_model_info

    info = get_model_info(model)
    return (info.cost.input, info.cost.output) if info and info.cost else None


def _dollars(prices: tuple[float, float] | None, read: int, new: int) -> float | None:
    return (read * prices[0] + new * prices[1]) / 1e6 if prices else None


def cost_in_words(model: str, characters: int, new: int) -> str:
    """What prompts of so many characters and so many new tokens come to, at most."""
    read = characters // CHARACTERS_A_TOKEN
    return _in_words(read, new, _dollars(prices_of(model), read, new))


def _in_words(read: int, new: int, dollars: float | None, advice: str = "") -> str:
    cost = f"unknown{advice}" if dollars is None else f"at most ${dollars:.2f}"
    return f"about {read:,} prompt tokens, at most {new:,} new tokens; cost {cost}"


def make_plan(
    session: EvaluationSession, items: int, left: Sequence[Item], prices: tuple[float, float] | None
) -> EvaluationPlan:
    """Estimate from the first turns of up to 64 evenly spaced items.

    `prices` are dollars per million prompt and reply tokens.
    """
    step = max(1, len(left) // SAMPLED)
    prompts = replies = 0
    sample = left[::step]
    for name, _ in sample:
        # What fails inside ordojo is recorded when it is asked, and only missed in the estimate.
        with suppress(InsideError):
            attempt = session.begin(session.by_id[name])
            while (asked := attempt.steps.observation) is not None:
                prompts += len(asked.text) // CHARACTERS_A_TOKEN
                replies += asked.max_tokens
                attempt.reply("x" * (CHARACTERS_A_TOKEN * asked.max_tokens))
            attempt.abandon()
    scale = len(left) / max(1, len(sample))
    prompt_tokens, reply_tokens = round(prompts * scale), round(replies * scale)
    cost = _dollars(prices, prompt_tokens, reply_tokens)
    return EvaluationPlan(items, len(left), prompt_tokens, reply_tokens, cost)


@dataclass(frozen=True)
class EvaluationRequest:
    """What `ordojo eval` is asked to do for one benchmark and one model.

    `settings` are the benchmark's options by name; `limit` takes the first so many instances,
    `sample` so many drawn with `seed`; `generation` holds fields of `session.Generation`,
    `connection` of `session.Connection`. No sample is begun once the run, all its starts together,
    has cost `max_cost` dollars.
    """

    benchmark: str
    model: str
    runs: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    limit: int | None = None
    sample: int | None = None
    epochs: int = 1
    seed: int = 0
    generation: Mapping[str, Any] = field(default_factory=dict)
    connection: Mapping[str, Any] = field(default_factory=dict)
    cache: bool = False
    place: Place = HERE
    max_cost: float | None = None


class Evaluation:
    """A prepared evaluation: data loaded and verified, settings checked, nothing asked yet.

    Raises UsageError, DataError or ProviderError for whatever would make it fail later.
    """

    def __init__(self, request: EvaluationRequest, person: Caller | None = None) -> None:
        replaced = parse_options(Generation, request.generation, "`generation`")
        self.generation = replaced.model_dump(exclude_none=True)
        self.connection = parse_options(Connection, request.connection, "`connection`")
        if request.limit is not None and request.sample is not None:
            raise UsageError(
                "`limit` takes the first instances and `sample` draws some; give one of them"
            )
        scripted = person is not None or is_scripted(request.model)
        if not scripted and request.place != HERE:
            raise UsageError(
                f"{request.model} is asked over its connections, from one process; leave `on` out"
            )
        benchmark = get_benchmark(request.benchmark)
        # A person reads questions, and does not continue texts.
        options = (
            chat_options(benchmark, request.settings)
            if person
            else parse_options(benchmark.options, request.settings, benchmark.name)
        )
        self.request = request
        benchmark.require(options)
        doing(f"loading {benchmark.name}")
        self.session = EvaluationSession(
            benchmark, options, request.seed, request.limit, request.sample
        )
        self.items = self.session.items(request.epochs)
        generation = dict(self.generation)
        if self.connection.model_args:
            generation["model_args"] = dict(self.connection.model_args)
        self.ask: Callable[[Any], None] | None = None
        """What asks a language model in place of `engine.run.run_items`."""
        self.policy: Policy | None = None
        if person is not None:
            self.policy = Person(person)
        elif is_scripted(request.model):
            self.policy = scripted_policy(self.session, request.model.removeprefix(PREFIX))
        else:
            self.model = self._connect()
        if isinstance(self.policy, Replay):
            self.policy.known(self.session)
            self.policy.require(self.items)
            generation["answers_sha256"] = self.policy.sha256
        engine = {"inspect_ai": version("inspect_ai")}
        self.header = self.session.header(
            request.model, len(self.items), request.epochs, generation, engine
        )
        self.path = request.runs / run_name(self.header)

    def _connect(self) -> Any:
        from ordojo.evaluation.engine.ask import check_style
        from ordojo.evaluation.engine.run import connect

        model = connect(self.request.model, self.connection)
        if self.request.max_cost is not None and prices_of(self.request.model) is None:
            raise UsageError(
                f"the prices of {self.request.model} are not known, so that its cost cannot be "
                "limited; give `prices`"
            )
        if (asked := self.session.first(self.session.instances[0])) is not None:
            check_style(str(model), asked)
        return model

    @property
    def remote(self) -> bool:
        """Whether a model elsewhere is asked, over its connections."""
        return self.policy is None and not self.request.model.startswith(PREFIX)

    def plan(self) -> EvaluationPlan:
        """What asking the items that are not finished would take."""
        left = self.session.items(self.request.epochs, finished_items(self.path))
        prices = (0.0, 0.0) if self.policy is not None else prices_of(self.request.model)
        return make_plan(self.session, len(self.items), left, prices)

    def run(self) -> RunView:
        """`ask_all`, and raise ProviderError where not one sample could be asked."""
        view = self.ask_all()
        refuse_silent([view])
        return view

    def ask_all(self) -> RunView:
        """Ask what is missing and return the run, whatever its provider failed at.

        Raises RunError where the directory cannot be used. What fails inside ordojo is among the
        run's errors, and raises nothing: the other items are asked.
        """
        standing, what = Standing(self.session.rule), f"asking {self.header.model}"
        with (
            RunStore(self.path, self.header) as store,
            counting(what, len(self.items), len(store.done)) as count,
        ):
            request = self.request
            left = self.session.items(request.epochs, store.done)

            def keep(record: SampleRecord) -> None:
                store.keep(record)
                count.step(note=standing.count(record))

            if left and self.policy is not None:
                start = partial(player, self.session, self.policy)
                if request.place != HERE:  # a worker makes its own: some hold what cannot travel
                    name = request.model.removeprefix(PREFIX)
                    start = partial(scripted_player, self.session, name)
                for record in spread(start, left, request.place, ordered=False):
                    keep(record)
            elif left:
                self._ask(left, keep)
            store.sort(self.items)
            view = store.view()
        self.session.close()
        return view

    def _ask(self, left: list[Item], keep: Callable[[SampleRecord], None]) -> None:
        from ordojo.evaluation.engine.ask import Drive
        from ordojo.evaluation.engine.run import Asking, run_items

        drive = Drive(self.session, keep, self.generation, self.request.cache)
        most = self.request.max_cost
        if most is not None:
            before = read_run(self.path)
            spent = sum(record.usage.cost for record in (*before.records, *before.errors))
            drive.budget = most - spent
        asking = Asking(drive, self.model, left, self.connection, self.path / "inspect")
        (self.ask or run_items)(asking)
        if most is not None and drive.unasked:
            raise RunError(
                f"{self.path} has cost ${most - drive.budget:.2f}, and may cost ${most:.2f}: "
                f"{drive.unasked:,} samples are not asked; raise `max_cost` to go on"
            )


def refuse_silent(views: Sequence[RunView]) -> None:
    """Raise ProviderError where no model could be asked anything, naming the first."""
    silent = [
        view
        for view in views
        if view.errors and not view.records and not any(e.traceback for e in view.errors)
    ]
    if silent and len(silent) == len(views):
        first = silent[0]
        raise ProviderError(
            f"{first.header.model}: none of the {len(first.errors)} samples could be asked; the "
            f"first error was: {first.errors[0].error}"
        )


def run_together(evaluations: Sequence[Evaluation]) -> list[RunView]:
    """The run of each evaluation, in their order; raises what the first of them raised."""
    from ordojo.evaluation.engine.run import run_all

    found: list[Future[RunView]] = [Future() for _ in evaluations]
    # What each has to ask, None where it has ended; and the end of the asking.
    come: list[Future[Any]] = [Future() for _ in evaluations]
    asked: list[Future[None]] = [Future() for _ in evaluations]

    def follow(place: int) -> None:
        def ask(asking: Any) -> None:
            come[place].set_result(asking)
            asked[place].result()

        evaluations[place].ask = ask
        try:
            found[place].set_result(evaluations[place].ask_all())
        except BaseException as error:  # which the caller's thread raises
            found[place].set_exception(error)
        if not come[place].done():
            come[place].set_result(None)

    threads = [
        # Who hears of progress is in the context.
        threading.Thread(target=copy_context().run, args=(follow, place), daemon=True)
        for place in range(len(evaluations))
    ]
    for thread in threads:
        thread.start()
    together = {place: one.result() for place, one in enumerate(come) if one.result() is not None}
    try:
        faults = run_all(list(together.values())) if together else []
    except BaseException as error:
        faults = [error] * len(together)
        raise
    finally:
        for place, fault in zip(together, faults, strict=True):
            if fault is None:
                asked[place].set_result(None)
            else:
                asked[place].set_exception(fault)
        for thread in threads:
            thread.join()
    return [answer.result() for answer in found]
