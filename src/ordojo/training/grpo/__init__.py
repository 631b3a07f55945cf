"""Group relative policy optimization on verified episodes, with TRL (paper 004, 4.3, table 29).

`settings.py` says how; `episodes.py` plays the groups of a step with the model as it is, and pays
them by named rules in parts that add up; `stage.py` is one run: settings in, a saved model out.
"""

from ordojo.training.grpo.episodes import Process
from ordojo.training.grpo.settings import GrpoConfig
from ordojo.training.grpo.stage import run

__all__ = ["GrpoConfig", "Process", "run"]
