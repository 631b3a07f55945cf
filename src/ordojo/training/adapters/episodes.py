"""One episode after another of a benchmark, as chat turns: what every adapter stands on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ordojo.core.environment import Observation
from ordojo.core.episode import EpisodeBuilder
from ordojo.core.errors import UsageError
from ordojo.core.registry import benchmark_with, get_benchmark
from ordojo.core.seeds import episode_seed
from ordojo.evaluation.session import EvaluationSession, chat_options

Turn = dict[str, str]


@dataclass(frozen=True)
class StepResult:
    """What a reply led to: what is asked next (None: it was the last), the step's reward."""

    asked: Observation | None
    reward: float
    info: Mapping[str, Any]

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self.asked is None

    @property
    def turns(self) -> list[Turn]:
        """The next chat turns."""
        return chat(self.asked) if self.asked else []


@dataclass(frozen=True)
class EpisodeOutcome:
    """What an episode is worth: the sum of its rewards, and its scores by rule."""

    reward: float
    scores: Mapping[str, float | None]


def chat(asked: Observation) -> list[Turn]:
    """The new turns of an observation, as trainers want them."""
    return [{"role": turn.role, "content": turn.content} for turn in asked.messages]


def session_of(
    benchmark: str,
    settings: Mapping[str, str] | None = None,
    seed: int = 0,
    limit: int | None = None,
) -> EvaluationSession:
    """A benchmark's first `limit` instances; raises UsageError and DataError.

    Without a name it is the benchmark that `trains`. What would continue a raw prompt by default is
    asked in chat turns (`chat_options`).
    """
    found = get_benchmark(benchmark or benchmark_with(lambda one: one.trains))
    return EvaluationSession(found, chat_options(found, settings or {}), seed, limit)


class EpisodePlayer:
    """Plays instances of a benchmark one at a time; many of these may share one `session`.

    With `raw`, whoever answers is told how (an observation's `style`) and can continue a raw
    prompt; without, a benchmark that asks for it is refused.
    """

    def __init__(self, session: EvaluationSession, raw: bool = False) -> None:
        self.session = session
        self._raw = raw
        self._environment = session.benchmark.environment(session.options, session.seed)
        self._steps: EpisodeBuilder | None = None
        self._place = 0

    @classmethod
    def of(
        cls,
        benchmark: str,
        settings: Mapping[str, str] | None = None,
        seed: int = 0,
        limit: int | None = None,
    ) -> "EpisodePlayer":
        """Episodes of a `session_of` one's own."""
        return cls(session_of(benchmark, settings, seed, limit))

    def begin(self, index: int | None = None) -> Observation:
        """Start the instance of that number, else the one after the last; what is asked first.

        Each start of an instance in the session is another sample of it (`seeds.episode_seed`).
        Raises UsageError for a number that there is not, and for a raw prompt or a choice by
        probability, which chat turns cannot carry.
        """
        session, instances = self.session, self.session.instances
        place = self._place if index is None else index
        if not 0 <= place < len(instances):
            raise UsageError(f"there is no instance {place}; give 0 to {len(instances) - 1}")
        self._place = (place + 1) % len(instances)
        self._instance, self._steps = instances[place], None
        session.begun[self._instance.id] += 1
        self._seed = episode_seed(session.seed, session.begun[self._instance.id])
        self._steps = EpisodeBuilder(self._environment, self._instance, self._seed)
        asked = self._steps.observation
        assert asked is not None
        if asked.choose or (asked.style == "completion" and not self._raw):
            self._steps = None
            what = "the likeliest choice" if asked.choose else "a raw prompt to be continued"
            raise UsageError(
                f"{session.benchmark.name} asks for {what}, which chat turns cannot carry; leave "
                "the mode out, or set mode=chat"
            )
        return asked

    def reply(self, text: str | None, stop: str = "", max_tokens: int | None = None) -> StepResult:
        """Act with a text, or None for silence; raises UsageError where no episode is going on.

        `stop` says why the reply ended, in Inspect's words (a refused one, "content_filter", is
        silence), `max_tokens` under which limit; empty and None where that is not known.
        """
        steps = self._steps
        if steps is None or steps.observation is None:
            raise UsageError("no episode is going on; begin one first")
        steps.reply(text, stop=stop, max_tokens=max_tokens)
        last = steps.episode().turns[-1]
        over: dict[str, Any] = {"scores": self.scores()} if self.done else {}
        return StepResult(steps.observation, last.reward, {**last.info, **over})

    def scores(self) -> dict[str, float | None]:
        """The finished episode, judged by every rule of the benchmark; empty before its end."""
        return self._judged(self._steps) if self._steps and self.done else {}

    def _judged(self, steps: EpisodeBuilder) -> dict[str, float | None]:
        episode = steps.episode()
        rules = self.session.benchmark.rules
        return {name: judge(self._instance, episode).score for name, judge in rules.items()}

    def outcome(self) -> EpisodeOutcome | None:
        """What the episode is worth if nothing more is said, None where none was begun.

        One that is not over is worth what silence to its end makes of it, so that not acting pays
        no more than acting: it is played again in an environment of its own, and can go on.
        """
        steps = self._steps
        if steps is None or steps.observation is None:
            return EpisodeOutcome(self.total, self.scores()) if steps else None
        session = self.session
        aside = session.benchmark.environment(session.options, session.seed)
        try:
            again = EpisodeBuilder(aside, self._instance, self._seed)
            for turn in steps.episode().turns:
                again.reply(turn.reply, stop=turn.stop, max_tokens=turn.max_tokens)
            while again.observation is not None:
                again.reply("")
            return EpisodeOutcome(again.episode().reward, self._judged(again))
        finally:
            aside.close()

    @property
    def waits(self) -> bool:
        """Whether a reply is answered by another process, such as a program in a sandbox."""
        return self._environment.waits

    @property
    def turns(self) -> int:
        """The replies of the episode so far."""
        return len(self._steps.episode().turns) if self._steps else 0

    @property
    def total(self) -> float:
        """The sum of the episode's rewards so far."""
        return self._steps.episode().reward if self._steps else 0.0

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self._steps is None or self._steps.observation is None

    def close(self) -> None:
        """Free the solvers."""
        self._steps = None
        self._environment.close()
