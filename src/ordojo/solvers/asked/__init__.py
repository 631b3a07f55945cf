"""What is asked of a model next: what if, why not, what a row is worth, what looks wrong, a plan.

`solves.py` is the clock, the solver and the conflict of every question; `edits.py` reads a change,
`plan.py` answers what-if and why-not by the closest optimal plan, `worth.py` a row's worth,
`suspects.py` numbers unlike their family's; `check.py` checks a plan that `solutions.py` reads.
"""
