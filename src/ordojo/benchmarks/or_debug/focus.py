"""The part of a large model that its text and its IIS name: where one who reads both would look."""

import re
from dataclasses import replace

import numpy as np

from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.benchmarks.or_debug.silent.stated import reordered
from ordojo.milp.model import Model

_THING = re.compile(r"[a-z]+ \d+")


def focused(problem: Debugging) -> Debugging:
    """The problem in the rows that are named, with their columns alone; a small one as it is.

    Policies that look at every number look at these. What they find is a repair of the whole.
    """
    if not problem.is_recipe:
        return problem
    named = {thing.replace(" ", "_") for thing in _THING.findall(problem.text)}
    rows = [
        i
        for i, name in enumerate(problem.model.row_names)
        if name in problem.iis_rows or "_".join(name.rsplit("_", 2)[1:]) in named
    ]
    models = problem.original_model, problem.model
    original, sabotaged = (_part(model, rows).to_json() for model in models)
    return replace(problem, original=original, sabotaged=sabotaged)


def _part(model: Model, rows: list[int]) -> Model:
    part = reordered(model, rows)
    used, index = np.unique(part.index, return_inverse=True)
    return replace(
        part,
        objective=part.objective[used],
        col_names=tuple(part.col_names[j] for j in used.tolist()),
        col_lower=part.col_lower[used],
        col_upper=part.col_upper[used],
        types=part.types[used],
        index=index.astype(np.int32),
    )
