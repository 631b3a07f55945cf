"""One language in which optimization models are said over index sets, and what follows from it.

A `Spec` (`spec.py`) declares sets, parameters with units, variable groups, an objective and
constraint families; its numbers stand apart, in `Tables`. Scopes and rules are Python comprehension
clauses and expressions, read as an algebra (`algebra.py`). From a declaration follow `model.md`
(`text.py`, over the terms of rules, `terms.py`), words (`words.py`), a program over highspy
(`program.py`), and with tables their CSV files (`tables.py`), the model itself and the truth about
its groups and families (`build.py`). `vocabulary.py` has the types of constraint families.
"""
