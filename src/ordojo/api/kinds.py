"""The kinds of arguments that the functions of the front door share, each stated once."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from ordojo.core.ranges import COUNT, MENU, PORT, SECONDS, SEED, SIZE

AnyModel: TypeAlias = Any
"""A path (.mps, .lp, these packed, .py), a `Model`, a `Problem`, or an object of gurobipy, highspy,
Pyomo, PuLP, linopy, python-mip, PySCIPOpt, OR-Tools or cvxpy."""
AnyPath: TypeAlias = str | Path
"""A path as a text or a `Path`; relative ones are below the working folder."""
ANYWHERE = "a path or an address"
AnyRuns: TypeAlias = Annotated[str | Path, ANYWHERE]
"""A folder of runs, at a path or at any fsspec address ("s3://bucket/runs")."""
Seconds = Annotated[float, SECONDS]
"""Seconds, from 0.001 to a million."""
Amount = Annotated[float, SIZE]
"""A number from 0 to a thousand million."""
Count = Annotated[int, COUNT]
"""A whole number from 1 to ten million."""
Menu = Annotated[int, MENU]
"""A whole number from 1 to 50."""
Seed = Annotated[int, SEED]
"""A whole number of at most eighteen digits."""
Port = Annotated[int, PORT]
"""A port, from 1 to 65,535."""
Solver = Literal["highs", "gurobi", "scip"]
"""HiGHS is always there; gurobi needs `ordojo[gurobi]` and a licence, scip `ordojo[scip]`."""
Isolation = Literal["auto", "userns", "bwrap", "landlock", "docker", "unsafe"]
"""How a program is contained: auto takes the first that works here; unsafe limits it alone."""
Said: TypeAlias = Callable[[str], None]
"""What hears of a line that is said on the way."""
DATA = "an id, a file, or a benchmark"
LANGUAGE_MODEL = "a language model"
ModelName = Annotated[str, LANGUAGE_MODEL]
"""A language model's name, as `ordojo eval --model` takes it."""


def unheard(line: str) -> None:
    """Hear of a line, and say nothing."""
