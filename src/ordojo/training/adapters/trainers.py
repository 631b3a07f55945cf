"""Environments in the shapes of TRL, SkyRL-gym and verl."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from ordojo.core.errors import UsageError
from ordojo.training.adapters.episodes import (
    EpisodeOutcome,
    EpisodePlayer,
    StepResult,
    Turn,
    chat,
    session_of,
)


def trl_environment(
    benchmark: str,
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


try:  # Its registry wants its own class; without the library the same methods are called directly.
    from skyrl_gym.envs.base_text_env import BaseTextEnv
except ImportError:
    BaseTextEnv = object


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
        return chat(self._episodes.begin(self._index)), {"index": self._index}

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
