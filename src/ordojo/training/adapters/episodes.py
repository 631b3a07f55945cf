"""One episode after another of a benchmark, as chat turns: what every adapter stands on.

With the environments in the shapes of TRL, SkyRL-gym and verl.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.environment import Observation, chat
from ordojo.core.episode import EpisodeBuilder
from ordojo.core.errors import UsageError
from ordojo.core.registry import benchmark_with, get_benchmark
from ordojo.core.seeds import episode_seed
from ordojo.evaluation.session import EvaluationSession, chat_options

try:  # Its registry wants its own class; without the library the same methods are called directly.
    from skyrl_gym.envs.base_text_env import BaseTextEnv
except ImportError:
    BaseTextEnv = object

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
        return chat(self.asked.messages) if self.asked else []


@dataclass(frozen=True)
class EpisodeOutcome:
    """What an episode is worth: the sum of its rewards, and its scores by rule."""

    reward: float
    scores: Mapping[str, float | None]


def session_of(
    benchmark: str | AnyBenchmark,
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
        benchmark: str | AnyBenchmark,
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
        if not isinstance(place, int) or not 0 <= place < len(instances):
            raise UsageError(f"there is no instance {place!r}; give 0 to {len(instances) - 1}")
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


def trl_environment(
    benchmark: str | AnyBenchmark,
    settings: Mapping[str, str] | None = None,
    seed: int = 0,
    limit: int | None = None,
) -> Callable[[], Any]:
    """The factory for TRL's GRPOTrainer, whose model must be able to call tools.

    Rows of the dataset name their instance in the column `index`. The reward is the sum of the
    episode's rewards; an episode that is left before its end is paid as if nothing more was said
    (`EpisodePlayer.outcome`). The instances are loaded once, for all environments.
    """
    session = session_of(benchmark, settings, seed, limit)

    class Environment:
        """One episode; `act` is its tool."""

        def __init__(self) -> None:
            self._episodes = EpisodePlayer(session)

        def reset(self, index: int | None = None, **row: Any) -> str:
            """Begin the row's episode; what is asked."""
            return self._episodes.begin(index).text

        def act(self, text: str) -> str:
            """Take one action, and see what came of it.

            Args:
                text: The action, such as "RELAX(c1, 5)".

            Returns:
                What the environment answers.
            """
            if self._episodes.done:
                raise UsageError("the episode is over")
            found = self._episodes.reply(text)
            return "The episode is over." if found.done else found.turns[-1]["content"]

        def get_reward(self) -> float | None:
            """What the episode is worth as it stands; None, unscorable, where none was begun."""
            outcome = self._episodes.outcome()
            return outcome.reward if outcome else None

    return Environment


class SkyrlEnv(BaseTextEnv):
    """One episode as SkyRL-gym's `BaseTextEnv` has it.

    `extras["index"]` names the instance; the prompt of the dataset is replaced by its own. After
    `extras["max_turns"]` replies, the trainer's limit, the episode is over: the last step has what
    silence to its end would bring.
    """

    def __init__(
        self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__()
        config = dict(env_config or {})
        self._index = (extras or {}).get("index")
        self._most: int | None = (extras or {}).get("max_turns")
        self._left: EpisodeOutcome | None = None
        benchmark, limit = str(config.pop("benchmark", "")), config.pop("limit", None)
        settings = {key: str(value) for key, value in config.items()}
        self._episodes = EpisodePlayer.of(benchmark, settings, limit=limit)

    def init(self, prompt: list[Turn] | None = None) -> tuple[list[Turn], dict[str, Any]]:
        """The first chat turns, and which instance it is."""
        self._left = None
        return chat(self._episodes.begin(self._index).messages), {"index": self._index}

    def step(self, action: str) -> dict[str, Any]:
        """What the reply led to, in SkyRL-gym's keys."""
        before = self._episodes.total
        found = self._episodes.reply(action)
        if not found.done and self._episodes.turns == self._most:
            self._left = outcome = self._episodes.outcome()
            assert outcome is not None
            found = StepResult(
                None, outcome.reward - before, {**found.info, "scores": outcome.scores}
            )
        return {
            "observations": found.turns,
            "reward": found.reward,
            "done": found.done,
            "metadata": dict(found.info),
            "postprocessed_action": None,
        }

    def get_metrics(self) -> dict[str, Any]:
        """The reward and turns so far and, once the episode is over, its scores by rule.

        An unscored rule is left out.
        """
        played = self._episodes
        outcome = self._left or EpisodeOutcome(played.total, played.scores())
        scores = {name: score for name, score in outcome.scores.items() if score is not None}
        return {"reward": outcome.reward, "turns": played.turns, **scores}

    def close(self) -> None:
        """Free the solvers."""
        self._episodes.close()


class VerlInteraction:
    """Many episodes at once, by id, as verl's `BaseInteraction` has them (duck-typed).

    `config` names the benchmark and its options; `index` at the start names the instance.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.name = str(config.get("name", "ordojo"))
        own = ("name", "benchmark", "limit")
        settings = {key: str(value) for key, value in config.items() if key not in own}
        benchmark = str(config.get("benchmark", ""))
        self._session = session_of(benchmark, settings, limit=config.get("limit"))
        self._running: dict[str, EpisodePlayer] = {}

    async def start_interaction(
        self, instance_id: str | None = None, index: int | None = None, **ignored: Any
    ) -> str:
        """Begin an episode; its id."""
        name = instance_id or str(uuid4())
        self._running[name] = EpisodePlayer(self._session)
        self._running[name].begin(index)
        return name

    async def generate_response(
        self, instance_id: str, messages: list[Turn], **ignored: Any
    ) -> tuple[bool, str, float, dict[str, Any]]:
        """Act with the last message: whether that was the end, what is said next, the reward."""
        found = self._of(instance_id).reply(messages[-1]["content"])
        said = "\n\n".join(turn["content"] for turn in found.turns)
        return found.done, said, found.reward, dict(found.info)

    async def calculate_score(self, instance_id: str, **ignored: Any) -> float:
        """The sum of the episode's rewards, as if nothing more was said where it is not over."""
        outcome = self._of(instance_id).outcome()
        assert outcome is not None  # it was begun when it got its id
        return outcome.reward

    async def finalize_interaction(self, instance_id: str, **ignored: Any) -> None:
        """Free what the episode held."""
        self._of(instance_id).close()
        del self._running[instance_id]

    def _of(self, name: str) -> EpisodePlayer:
        if name not in self._running:
            raise UsageError(f"no episode is called '{name}'; start_interaction begins one")
        return self._running[name]
