"""SkyRL-gym's text environment: `init(prompt)`, `step(action)`, `get_metrics()`, `close()`."""

from collections.abc import Mapping
from typing import Any

from ordojo.training.adapters.episodes import EpisodeOutcome, EpisodePlayer, StepResult, Turn, chat

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
