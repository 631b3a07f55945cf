"""The kinds of arguments that the functions of the front door share, each stated once."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from ordojo.core.ranges import COUNT, MENU, PORT, SECONDS, SEED, SIZE

AnyModel: TypeAlias = Any
"""A path (.mps, .lp, these packed, .py), a `Model`, a `Problem`, or an object of gurobipy, highspy,
Pyomo, PuLP, linopy, python-mip, OR-Tools' linear solver or cvxpy."""
AnyPath: TypeAlias = str | Path
Seconds = Annotated[float, SECONDS]
Amount = Annotated[float, SIZE]
Count = Annotated[int, COUNT]
Menu = Annotated[int, MENU]
Seed = Annotated[int, SEED]
Port = Annotated[int, PORT]
Solver = Literal["highs", "gurobi", "scip"]
Isolation = Literal["auto", "userns", "bwrap", "landlock", "docker", "unsafe"]
Said: TypeAlias = Callable[[str], None]
"""What hears of a line that is said on the way."""


LANGUAGE_MODEL = "a language model"
ModelName = Annotated[str, LANGUAGE_MODEL]
"""A language model's name, as `ordojo eval --model` takes it."""


def unheard(line: str) -> None:
    """Hear of a line, and say nothing."""
