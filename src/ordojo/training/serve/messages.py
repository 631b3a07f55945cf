"""What goes over the wire: a text, an observation, an episode's state."""

from typing import Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import BaseModel, ConfigDict, Field


class Asked(BaseModel):
    """What a reset may ask for, of these types and no others."""

    model_config = ConfigDict(strict=True)

    seed: int | None = None
    episode_id: str | None = None
    index: int | None = None
    instance_id: str | None = None


class TextAction(Action):
    """A policy's whole reply, as it was written."""

    text: str = Field(description="the reply")


class TextObservation(Observation):
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


class EpisodeState(State):
    """Which instance is played, and once it is over its reward and the score by rule.

    Before, `reward` is None: what was paid until then is not what the episode is worth.
    """

    benchmark: str = ""
    instance_id: str = ""
    index: int = -1
    reward: float | None = None
    scores: dict[str, Any] = Field(default_factory=dict)
