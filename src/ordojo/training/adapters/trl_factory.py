"""TRL's `environment_factory`: an environment whose one tool takes the reply."""

from collections.abc import Callable, Mapping
from typing import Any

from ordojo.core.errors import UsageError
from ordojo.training.adapters.episodes import EpisodePlayer, session_of


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
