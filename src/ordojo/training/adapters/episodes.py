"""One episode after another of a benchmark, as chat turns: what every adapter stands on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ordojo.core.environment import Observation
from ordojo.core.episode import EpisodeBuilder
from ordojo.core.errors import UsageError
from ordojo.core.options import parse_options
from ordojo.core.registry import get_benchmark
from ordojo.core.seeds import episode_seed
from ordojo.evaluate.session import EvaluationSession

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


def chat(asked: Observation) -> list[Turn]:
    """The new turns of an observation, as trainers want them."""
    return [{"role": turn.role, "content": turn.content} for turn in asked.messages]


class EpisodePlayer:
    """Plays instances of a benchmark one at a time; many of these may share one `session`."""

    def __init__(self, session: EvaluationSession) -> None:
        self.session = session
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
        """Episodes of a benchmark's first `limit` instances; raises UsageError and DataError."""
        found = get_benchmark(benchmark)
        options = parse_options(found.options, settings or {}, found.name)
        return cls(EvaluationSession(found, options, seed, limit))

    def begin(self, index: int | None = None) -> Observation:
        """Start the instance of that number, else the one after the last; what is asked first.

        Each start of an instance in the session is another sample of it (`seeds.episode_seed`).
        """
        session, instances = self.session, self.session.instances
        place = self._place if index is None else index
        if not 0 <= place < len(instances):
            raise UsageError(f"there is no instance {place}; give 0 to {len(instances) - 1}")
        self._place = (place + 1) % len(instances)
        self._instance, self._steps = instances[place], None
        session.begun[self._instance.id] += 1
        seed = episode_seed(session.seed, session.begun[self._instance.id])
        self._steps = EpisodeBuilder(self._environment, self._instance, seed)
        assert self._steps.observation is not None
        return self._steps.observation

    def reply(self, text: str) -> StepResult:
        """Act; raises UsageError where no episode is going on."""
        steps = self._steps
        if steps is None or steps.observation is None:
            raise UsageError("no episode is going on; begin one first")
        steps.reply(text)
        last = steps.episode().turns[-1]
        over: dict[str, Any] = {"scores": self.scores()} if self.done else {}
        return StepResult(steps.observation, last.reward, {**last.info, **over})

    def scores(self) -> dict[str, float | None]:
        """The finished episode, judged by every rule of the benchmark; empty before its end."""
        if self._steps is None or not self.done:
            return {}
        episode = self._steps.episode()
        rules = self.session.benchmark.rules
        return {name: judge(self._instance, episode).score for name, judge in rules.items()}

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
