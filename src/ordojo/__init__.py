"""Language models tested and trained on operations research, with a solver in the loop."""

__version__ = "0.1.0"
