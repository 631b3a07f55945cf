"""Bases as .bas files have them: which columns are basic, and where the others stand."""

from typing import Any

from ordojo.compat.core.handles import UnavailableError
from ordojo.compat.gurobipy.analysis import row_basis, variable_basis
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import failure
from ordojo.compat.gurobipy.state import CBASIS, VBASIS


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


def basis_lines(state: Any) -> list[str]:
    """The lines of a .bas file; each basic variable is paired with a row that is not basic."""
    try:
        columns = [status_of(var, VBASIS) for var in state.columns]
        rows = [status_of(constr, CBASIS) for constr in state.rows]
    except UnavailableError:
        raise failure("DATA_NOT_AVAILABLE", "Unable to retrieve basis for current model") from None
    names, row_names = state.col_names.all(), state.row_names.all()
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
    columns = dict.fromkeys(model.getVars(), GRB.NONBASIC_LOWER)
    rows = dict.fromkeys(model.getConstrs(), GRB.BASIC)
    for line in text.splitlines():
        kind, *words = line.split() or [""]
        if kind in ("XL", "XU", "UL", "LL") and words:
            var = _named(model.getVarByName, "variable", words[0])
            columns[var] = GRB.NONBASIC_UPPER if kind == "UL" else GRB.NONBASIC_LOWER
            if kind in ("XL", "XU"):
                columns[var] = GRB.BASIC
                row = words[1] if len(words) > 1 else ""
                rows[_named(model.getConstrByName, "row", row)] = GRB.NONBASIC_LOWER
    model._state.extra |= {VBASIS: columns, CBASIS: rows}


def _named(find: Any, what: str, name: str) -> Any:
    found = find(name)
    if found is None:
        raise failure("FILE_READ", f"MPS reader: {what} name {name} doesn't exist")
    return found
