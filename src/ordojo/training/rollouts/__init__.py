"""Rollouts: many episodes at once from any policy, and the trajectories that are kept of them."""
