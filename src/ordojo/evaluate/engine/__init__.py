"""Inspect as the engine: one solver and one scorer that drive any environment."""
