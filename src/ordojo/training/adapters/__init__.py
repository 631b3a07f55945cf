"""Environments in the shapes that other trainers call, each a few lines over `Episodes`.

`trl_environment` for TRL's `environment_factory` (its `rollout_func` is in `training.grpo`),
`SkyrlEnv` for SkyRL-gym, `VerlInteraction` for verl; OpenEnv is `ordojo serve`.
"""

from ordojo.training.adapters.episodes import Episodes, Outcome
from ordojo.training.adapters.skyrl import SkyrlEnv
from ordojo.training.adapters.trl_factory import trl_environment
from ordojo.training.adapters.verl import VerlInteraction

__all__ = ["Episodes", "Outcome", "SkyrlEnv", "VerlInteraction", "trl_environment"]
