"""What solvers call their limits, as parameters of the gurobipy layer; and who has answered."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

_NAMES: Mapping[str, str] = {
    "TimeLimit": """
        timelimit timelim tilim tmlim sec seconds secs maxseconds limitstime maxtime maxcputime
        maxwalltime reslim mioptimizermaxtime mskdparmiomaxtime mskdparoptimizermaxtime""",
    "MIPGap": """
        mipgap miprelgap mipgaprel relgap ratio ratiogap gaprel fracgap limitsgap epgap optcr epsr
        miptolerancesmipgap miprelstop mskdparmiotolrelgap reloptimalitygap""",
    "MIPGapAbs": """
        mipgapabs mipabsgap absgap allow allowablegap gapabs limitsabsgap epagap optca epsa
        miptolerancesabsmipgap mipabsstop mskdparmiotolabsgap""",
    "NodeLimit": """
        nodelimit nodelim maxnodes limitsnodes limitstotalnodes miplimitsnodes mipmaxnodes""",
}
_BY_NAME = {name: ours for ours, names in _NAMES.items() for name in names.split()}
_SIGNS = re.compile(r"[^a-z0-9]")
_LONGEST = 4
"""Words of the longest option: "set mip tolerances mipgap"."""


def parameters(options: Mapping[Any, Any]) -> dict[str, float]:
    """The limits that a solver's options set, as TimeLimit in seconds, MIPGap, and so on.

    Case and signs in names do not matter. Options that steer the search are left out, as they
    change no optimum; so are values that are no numbers.
    """
    found = {}
    for name, value in options.items():
        ours = _BY_NAME.get(_SIGNS.sub("", str(name).lower()).removeprefix("set"))
        with suppress(TypeError, ValueError):
            if ours is not None and (number := float(value)) >= 0:
                found[ours] = number
    return found


def from_words(words: Iterable[Any]) -> dict[str, float]:
    """The same of words as on a command line: `--tmlim 5`, `ratio=0.1`, a name with its value."""
    flat: list[str] = []
    for word in words:
        parts = word if isinstance(word, tuple | list) else [word]
        flat += [piece for part in parts for piece in re.split(r"[\s=]+", str(part)) if piece]
    found: dict[str, float] = {}
    for at, value in enumerate(flat):
        for count in range(1, min(at, _LONGEST) + 1):
            found |= parameters({"".join(flat[at - count : at]): value})
    return found


def who(solved: Any = None) -> str:
    """Who has answered, where what was called (a problem or a solver) named another; else ""."""
    return str(getattr(getattr(solved, "solver", solved), "answered", ""))


_SPELLED = {"highs": "HiGHS", "scip": "SCIP", "gurobi": "Gurobi"}


def answered(name: str, model: Any) -> str:
    """What is said of a solve that the layer has made of `model` under another solver's name."""
    solver = model._state.result.solver
    return f"{name}, answered by {_SPELLED.get(solver, solver)}"
