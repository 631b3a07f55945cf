"""Rollouts: many episodes at once from any policy, and the trajectories that are kept of them.

`rollout.py` runs what is to be played, asking any model that Inspect knows; `work.py` spreads it
over processes or Ray; `play.py` plays one batch with the `policies.py`; `Trajectory`, in
`core/teaching.py`, is the record of an episode, step by step with its rewards, and `files.py` keeps
them.
"""
