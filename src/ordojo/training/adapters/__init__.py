"""Environments in the shapes that other trainers call, each a few lines over `EpisodePlayer`.

`trl_environment` for TRL's `environment_factory` (its `rollout_func` is in `training.grpo`),
`SkyrlEnv` for SkyRL-gym, `verifiers_taskset` (which needs that library) for verifiers,
`VerlInteraction` for verl; OpenEnv is `ordojo serve`.
"""

from ordojo.training.adapters.episodes import (
    EpisodeOutcome,
    EpisodePlayer,
    SkyrlEnv,
    StepResult,
    VerlInteraction,
    trl_environment,
)

__all__ = [
    "EpisodeOutcome",
    "EpisodePlayer",
    "SkyrlEnv",
    "StepResult",
    "VerlInteraction",
    "trl_environment",
]
