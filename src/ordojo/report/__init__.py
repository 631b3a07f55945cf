"""One static site, tables and summaries, computed from run records alone."""
