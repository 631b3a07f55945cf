"""Training on verifiable rewards (paper 004, sections 4 and 5): a benchmark goes in by name.

`rollouts/` plays episodes and keeps trajectories; `teacher/` makes demonstrations of them; `sft.py`
imitates these; `grpo.py` samples groups and is paid by the judge; `prm.py` learns how promising a
step is; `curriculum.py` goes from easy to hard; `made.py` keeps what a run learns from. Each starts
from a model of `models/` and leaves sealed checkpoints there. `recipes/` says a whole run in one
YAML file. `serve/` and `adapters/` give the same environments to other trainers. Out come a model's
folder and figures on held-out instances.
"""

HELD_OUT = "held_out.json"
"""Held-out figures of a run, "before" and "after": by benchmark, each [value, low, high]."""
