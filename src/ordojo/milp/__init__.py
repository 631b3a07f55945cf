"""The optimization model as arrays and names, and everything that reads or writes one.

`model.py` has the linear type, `Model`: a sparse matrix, sides, bounds, types, objective, names;
`problem.py` has `Problem`, a model with what is beyond linear. In come MPS and LP files (`files/`)
and objects of other libraries (`objects/`). Out go files (`writers.py`), programs that build the
model (`source.py`), and algebra as a person writes it (`algebra.py`), which `expressions.py` reads
back. Nothing here solves: `ordojo.solvers` does.
"""
