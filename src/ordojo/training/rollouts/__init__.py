"""Rollouts: many episodes at once from any policy, and the trajectories that are kept of them.

`work.py` says what is to be played and by which policy; `rollout.py` plays it, batch by batch, here
or spread over processes or Ray, asking any model that Inspect knows; `files.py` keeps the records
of episodes, step by step with their rewards (`core.teaching`).
"""
