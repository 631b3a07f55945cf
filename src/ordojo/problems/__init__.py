"""Fresh instances without end: parametric models of operations research, each with its text."""
