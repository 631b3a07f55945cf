"""Teacher data: trajectories worth imitating, and the records that trainers read."""
