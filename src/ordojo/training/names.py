"""Names of files that recipes write and the report reads."""

HELD_OUT = "held_out.json"
"""Held-out figures of a run, "before" and "after": by benchmark, each [value, low, high]."""
