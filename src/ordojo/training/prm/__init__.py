"""Process reward models: how promising a step is, learnt from algorithm 10's labels (004, D.4)."""

from ordojo.training.prm.config import PrmConfig
from ordojo.training.prm.scorer import Scorer, best_of, load_scorer
from ordojo.training.prm.stage import run
from ordojo.training.prm.steps import text_of

__all__ = ["PrmConfig", "Scorer", "best_of", "load_scorer", "run", "text_of"]
