"""The optimization model as arrays and names, and everything that reads or writes one.

`model.py` has the linear type, `Model`: a sparse matrix, sides, bounds, types, objective, names;
`problem.py` has `Problem`, a model with what is beyond linear. In come MPS and LP files (`files/`),
objects of other libraries (`objects.py`), and what code builds row by row (`builder.py`). Out go
files (`writers.py`), programs that build the model (`source.py`), and algebra as a person writes it
(`algebra.py`). `grammar.py` and `expressions.py` read such algebra back.
Nothing here solves: `ordojo.solvers` does.
"""
