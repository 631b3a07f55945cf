"""Group relative policy optimization on verified episodes, with TRL (paper 004, 4.3, table 29)."""

from ordojo.training.grpo.rewards import RULES, GrpoConfig, Parts, Process
from ordojo.training.grpo.stage import run

__all__ = ["RULES", "GrpoConfig", "Parts", "Process", "run"]
