"""A benchmark's environment as OpenEnv wants one."""

from itertools import count
from typing import Any

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from ordojo.core.environment import Observation
from ordojo.core.errors import UsageError
from ordojo.evaluate.session import Session
from ordojo.training.adapters.episodes import Episodes, chat
from ordojo.training.serve.messages import EpisodeState, TextAction, TextObservation

SPLIT = "served"


class Served(Environment[TextAction, TextObservation, EpisodeState]):
    """One client's episodes; sessions share nothing but the instances, which never change."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, session: Session, turn: "count[int]") -> None:
        super().__init__()
        self._session, self._turn = session, turn
        self._episodes = Episodes(session)
        self._state = EpisodeState(benchmark=session.benchmark.name)

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        index: int | None = None,
        instance_id: str | None = None,
        **ignored: Any,
    ) -> TextObservation:
        """Begin an episode: of the instance named, else of that number, else of the next one.

        `seed` picks an instance, too, where nothing else does. Raises UsageError for an instance
        that is not among those served.
        """
        place = self._place(index, seed, instance_id)
        asked = self._episodes.begin(place)
        name = self._session.instances[place].id
        self._state = EpisodeState(
            episode_id=episode_id or f"{name}-{place}",
            benchmark=self._session.benchmark.name,
            instance_id=name,
            index=place,
        )
        return _told(asked, None, {"instance_id": name, "index": place})

    def _place(self, index: int | None, seed: int | None, name: str | None) -> int:
        instances = self._session.instances
        if name is not None:
            found = next((k for k, one in enumerate(instances) if one.id == name), None)
            if found is None:
                raise UsageError(f"no instance is called '{name}'; the tasks list those there are")
            return found
        if index is not None:
            return index
        return (next(self._turn) if seed is None else seed) % len(instances)

    def step(
        self, action: TextAction, timeout_s: float | None = None, **ignored: Any
    ) -> TextObservation:
        """Act with the text; raises UsageError where no episode is going on."""
        found = self._episodes.reply(action.text)
        self._state.step_count += 1
        self._state.reward += found.reward
        if found.asked is not None:
            return _told(found.asked, found.reward, dict(found.info))
        self._state.scores = dict(found.info["scores"])
        return TextObservation(done=True, reward=found.reward, metadata=dict(found.info))

    @property
    def state(self) -> EpisodeState:
        """The episode so far."""
        return self._state

    def close(self) -> None:
        """Free the solvers; any number of times."""
        self._episodes.close()

    def get_metadata(self) -> EnvironmentMetadata:
        """The benchmark's name and what it is about."""
        found = self._session.benchmark
        return EnvironmentMetadata(
            name=found.name, description=found.summary, version=found.version
        )

    def list_splits(self) -> list[str]:
        """The one split: what is served."""
        return [SPLIT]

    def num_tasks(self, split: str) -> int:
        """How many instances are served."""
        return len(self._session.instances)

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """An instance's number, id and labels; raises IndexError."""
        instance = self._session.instances[index]
        return {"index": index, "id": instance.id, "labels": dict(instance.labels)}

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """All instances' numbers, ids and labels."""
        return [self.get_task(split, index) for index in range(self.num_tasks(split))]

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """Some of them."""
        return self.list_tasks(split)[start:stop]


def _told(asked: Observation, reward: float | None, info: dict[str, Any]) -> TextObservation:
    return TextObservation(
        reward=reward,
        metadata=info,
        messages=chat(asked),
        style=asked.style,
        fresh=asked.fresh,
        max_tokens=asked.max_tokens,
        stop=list(asked.stop),
        choices=list(asked.choices),
    )
