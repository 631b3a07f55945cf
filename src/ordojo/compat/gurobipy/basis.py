"""Bases as .bas files have them: which columns are basic, and where the others stand."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ordojo.compat.core.assemble import problem_of
from ordojo.compat.core.handles import UnavailableError
from ordojo.compat.gurobipy.analysis import row_basis, variable_basis
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import failure
from ordojo.compat.gurobipy.state import CBASIS, VBASIS
from ordojo.milp.problem import Settings


def status_of(handle: Any, name: str) -> int:
    """VBasis or CBasis: of the last solve, else as it was set, where all of them were."""
    state = handle._store
    both = ((VBASIS, state.columns), (CBASIS, state.rows))
    if state.result is None and all(_complete(state, *one) for one in both):
        return int(state.extra[name][handle])
    return variable_basis(handle) if name == VBASIS else row_basis(handle)


def _complete(state: Any, name: str, handles: Any) -> bool:
    given = state.extra.get(name, {})
    return all(given.get(handle) in _STATUSES for handle in handles)


_STATUSES = (GRB.BASIC, GRB.NONBASIC_LOWER, GRB.NONBASIC_UPPER, GRB.SUPERBASIC)


def names_of(state: Any) -> tuple[list[str], list[str]]:
    """What files of points and bases call the columns and rows of an updated state.

    By their places where one of them has a blank.
    """
    columns, rows = list(state.col_names.all()), list(state.row_names.all())
    if any(" " in name for name in columns):
        model = problem_of(state, Settings()).model
        entries = np.bincount(model.index, minlength=model.n).tolist()
        columns = [f"{v.VType}{j}({entries[j]})" for j, v in enumerate(state.columns)]
    if any(" " in name for name in rows):
        rows = [f"c{i}" for i in range(len(rows))]
    return columns, rows


def basis_lines(state: Any) -> list[str]:
    """The lines of a .bas file; each basic variable is paired with a row that is not basic."""
    try:
        columns = [status_of(var, VBASIS) for var in state.columns]
        rows = [status_of(constr, CBASIS) for constr in state.rows]
    except UnavailableError:
        raise failure("DATA_NOT_AVAILABLE", "Unable to retrieve basis for current model") from None
    names, row_names = names_of(state)
    basic = [name for name, status in zip(names, columns, strict=False) if status == GRB.BASIC]
    tight = [name for name, status in zip(row_names, rows, strict=False) if status != GRB.BASIC]
    upper = [n for n, s in zip(names, columns, strict=False) if s == GRB.NONBASIC_UPPER]
    return [
        f"NAME {state.name} {len(columns)} Variables {len(rows)} Constraints",
        *(f" XL {name:<8}  {row:<8}" for name, row in zip(basic, tight, strict=False)),
        *(f" UL {name:<8}" for name in upper),
        "ENDATA",
        "",
    ]


def read_basis(model: Any, text: str) -> None:
    """Set VBasis and CBasis as a .bas file says; what it does not name keeps its place."""
    model.update()
    columns = dict.fromkeys(model.getVars(), GRB.NONBASIC_LOWER)
    rows = dict.fromkeys(model.getConstrs(), GRB.BASIC)
    # Of two that are called alike the first is meant.
    called = [
        dict(zip(reversed(names), reversed(handles), strict=True))
        for names, handles in zip(names_of(model._state), (columns, rows), strict=True)
    ]
    for line in text.splitlines():
        kind, *words = line.split() or [""]
        if kind in ("XL", "XU", "UL", "LL") and words:
            var = _named(called[0], "variable", words[0])
            columns[var] = GRB.NONBASIC_UPPER if kind == "UL" else GRB.NONBASIC_LOWER
            if kind in ("XL", "XU"):
                columns[var] = GRB.BASIC
                row = words[1] if len(words) > 1 else ""
                rows[_named(called[1], "row", row)] = GRB.NONBASIC_LOWER
    model._state.extra |= {VBASIS: columns, CBASIS: rows}


def _named(called: Mapping[str, Any], what: str, name: str) -> Any:
    if name not in called:
        raise failure("FILE_READ", f"MPS reader: {what} name {name} doesn't exist")
    return called[name]
