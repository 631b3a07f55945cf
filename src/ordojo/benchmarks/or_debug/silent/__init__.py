"""Models that solve and are wrong by one error: the true problem, the error, the proof.

`figures` tells numbers by way of others, `stated` draws the true problem with its text, `errors`
puts one error in, `proof` shows that nothing else undoes it, `produce` tries until all holds.
"""
