"""verl's interaction: an agent loop asks it after each reply of the model."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from ordojo.core.errors import UsageError
from ordojo.training.adapters.episodes import EpisodePlayer, Turn, session_of


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
