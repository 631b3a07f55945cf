"""Process reward models: how promising a step is, learnt from algorithm 10's labels (004, D.4)."""

from ordojo.training.prm.scorer import PrmConfig, Scorer, best_of, load_scorer, text_of
from ordojo.training.prm.stage import run

__all__ = ["PrmConfig", "Scorer", "best_of", "load_scorer", "run", "text_of"]
