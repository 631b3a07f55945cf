"""Fresh instances without end: parametric models of operations research, each with its text.

A template (`base.py`) is a function in `library/`, found by name through `registry.py`, which has
all of them as what a model may be recognised as, too. `prose.py` tells an instance in words.
`instances.py` draws, builds and writes instances as folders, with an optimum proved by
`optimum.py`, and proves such a folder again.
"""
