"""What the trajectories of a rollout come from."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from ordojo.core.canonical import Json, digest

SCHEMA = 1
"""Version of the rows of a file of trajectories."""

Key = tuple[str, int]
"""An instance's id and the number of the sample, from 1."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What the trajectories of one rollout come from: enough to make them again, byte for byte.

    `policy` is a scripted policy's or a model's name, `sampling` what it was asked with
    (temperature, top_p, batch, and what else decides its texts); `options` are all of the
    benchmark's, `dataset` maps "id" and "sha256" to the instances, `samples` is the number of
    episodes an instance. There is no time in it: equal rollouts have equal bytes.
    """

    benchmark: str
    benchmark_version: str
    options: Mapping[str, Json]
    dataset: Mapping[str, str]
    rule: str
    policy: str
    seed: int
    samples: int
    sampling: Mapping[str, Json] = field(default_factory=dict)
    ordojo: str = ""
    schema: int = SCHEMA

    @property
    def options_digest(self) -> str:
        """SHA-256 of the benchmark's options."""
        return digest(dict(self.options))

    def to_json(self) -> dict[str, Any]:
        """The provenance as plain JSON, the options' digest with it."""
        return {**asdict(self), "options_digest": self.options_digest}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote; raises TypeError on anything else."""
        return cls(**{key: value for key, value in row.items() if key != "options_digest"})
