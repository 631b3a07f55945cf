"""Process reward models: how promising a step is, learnt from algorithm 10's labels (004, D.4).

`scorer.py` has the settings, the texts that are scored, the score of a step and best of n;
`stage.py` is one run: trajectories in, a saved scorer and its AUC out.
"""

from ordojo.training.prm.scorer import PrmConfig, Scorer, best_of, load_scorer, text_of
from ordojo.training.prm.stage import run

__all__ = ["PrmConfig", "Scorer", "best_of", "load_scorer", "run", "text_of"]
