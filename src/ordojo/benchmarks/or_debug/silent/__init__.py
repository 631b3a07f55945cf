"""Models that solve and are wrong by one error: the true problem, the error, the proof.

`stated` draws the true problem with its text; `produce` puts one error in, shows that nothing else
undoes it, and tries until all holds.
"""
