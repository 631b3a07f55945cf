"""A benchmark's environment as OpenEnv wants one, and what goes over the wire."""

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from time import thread_time
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ordojo.core.environment import Observation, chat
from ordojo.core.errors import UsageError
from ordojo.evaluation.session import EvaluationSession
from ordojo.training.adapters.episodes import EpisodePlayer
from ordojo.training.serve.meters import STEPS

# OpenEnv as it is where its page's libraries are not installed: the page is not served here, and
# to load gradio and pandas for it would take most of the time before the first answer.
_PAGE = "openenv.core.env_server.web_interface"
_loaded = _PAGE in sys.modules
sys.modules.setdefault(_PAGE, None)  # type: ignore[arg-type]
from openenv.core.env_server import create_fastapi_app as create_fastapi_app  # noqa: E402
from openenv.core.env_server import types  # noqa: E402
from openenv.core.env_server.interfaces import Environment  # noqa: E402

if not _loaded:
    del sys.modules[_PAGE]


class Asked(BaseModel):
    """What a reset may ask for, of these types and no others."""

    model_config = ConfigDict(strict=True)

    seed: int | None = None
    episode_id: str | None = None
    index: int | None = None
    instance_id: str | None = None


class TextAction(types.Action):
    """A policy's whole reply, as it was written; null, as clients give for refusals, is silence."""

    text: str | None = Field(description="the reply")


class TextObservation(types.Observation):
    """What is asked next; at the end of an episode `messages` is empty and `done` is true.

    `messages` are the new chat turns, which start a new conversation where `fresh` is true. With
    the style "completion" there is one, the raw prompt. `metadata` holds what the step found out.
    """

    messages: list[dict[str, str]] = Field(default_factory=list)
    style: str = "chat"
    fresh: bool = True
    max_tokens: int = 512
    stop: list[str] = Field(default_factory=list)
    choices: list[str] = Field(default_factory=list)


class EpisodeState(types.State):
    """Which instance is played, and once it is over its reward and the score by rule.

    Before, `reward` is None: what was paid until then is not what the episode is worth.
    """

    benchmark: str = ""
    instance_id: str = ""
    index: int = -1
    reward: float | None = None
    scores: dict[str, Any] = Field(default_factory=dict)


SPLIT = "served"
PATIENCE = 0.1
"""Seconds of computing in one session's step that the others may be kept waiting by."""
COOL = 1000
"""Steps that are taken in threads after one that took longer."""


class Pace:
    """Where the sessions of one server step: on its event loop, or in `threads` threads.

    Handing a step to a thread and back costs more than most steps do. But a hard solve holds all
    sessions up, and so the steps after one are taken in threads; those of an environment that
    waits for other processes always are.
    """

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads)
        self._cool = 0

    async def run(self, task: Callable[[], TextObservation], waits: bool) -> TextObservation:
        """What the task returns or raises."""
        with STEPS.time():
            if waits or self._cool:
                self._cool = max(0, self._cool - 1)
                return await asyncio.get_running_loop().run_in_executor(self._threads, task)
            started = thread_time()
            try:
                return task()
            finally:
                if thread_time() - started > PATIENCE:
                    self._cool = COOL


class Served(Environment[TextAction, TextObservation, EpisodeState]):
    """One client's episodes; sessions share nothing but the instances, which never change."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, session: EvaluationSession, turn: "count[int]", pace: Pace) -> None:
        super().__init__()
        self._session, self._turn, self._pace = session, turn, pace
        self._episodes = EpisodePlayer(session, raw=True)
        self._begun: dict[str, Any] = {}
        self._steps, self._reward = 0, 0.0
        self._scores: dict[str, Any] = {}

    async def reset_async(self, **asked: Any) -> TextObservation:
        """`reset`, on the event loop or in a thread."""
        return await self._pace.run(partial(self.reset, **asked), self._episodes.waits)

    async def step_async(self, action: TextAction, **asked: Any) -> TextObservation:
        """`step`, on the event loop or in a thread."""
        return await self._pace.run(partial(self.step, action, **asked), self._episodes.waits)

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
        try:
            Asked(seed=seed, episode_id=episode_id, index=index, instance_id=instance_id)
        except ValidationError as error:
            first = error.errors()[0]
            raise UsageError(f"reset: {first['loc'][0]}: {first['msg']}") from None
        place = self._place(index, seed, instance_id)
        asked = self._episodes.begin(place)
        name = self._session.instances[place].id
        self._begun = {
            "episode_id": episode_id or f"{name}-{place}",
            "instance_id": name,
            "index": place,
        }
        self._steps, self._reward, self._scores = 0, 0.0, {}
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
        self._steps += 1
        self._reward += found.reward
        if found.asked is not None:
            return _told(found.asked, found.reward, dict(found.info))
        self._scores = dict(found.info["scores"])
        return TextObservation(done=True, reward=found.reward, metadata=dict(found.info))

    @property
    def state(self) -> EpisodeState:
        """The episode so far."""
        return EpisodeState(
            benchmark=self._session.benchmark.name,
            step_count=self._steps,
            reward=self._reward if self._scores else None,
            scores=self._scores,
            **self._begun,
        )

    def close(self) -> None:
        """Free the solvers; any number of times."""
        self._episodes.close()

    def get_metadata(self) -> types.EnvironmentMetadata:
        """The benchmark's name and what it is about."""
        found = self._session.benchmark
        return types.EnvironmentMetadata(
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
        if index < 0:
            raise IndexError(index)
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
        messages=chat(asked.messages),
        style=asked.style,
        fresh=asked.fresh,
        max_tokens=asked.max_tokens,
        stop=list(asked.stop),
        choices=list(asked.choices),
    )
