"""Model methods that print tables of the model or its solution."""

import fnmatch
from typing import Any

from ordojo.compat.gurobipy import results
from ordojo.compat.gurobipy.attributes import TABLES
from ordojo.compat.gurobipy.errors import UnavailableError
from ordojo.compat.gurobipy.lpfile import lp_lines


def printStats(model: Any) -> None:
    """Print the model's size."""
    state, log = model._state, model._state.params.log
    log.line(f"Statistics for model '{state.name or 'Unnamed'}':")
    log.line(
        f"  Linear constraint matrix    : {state.rows_live} rows, {state.cols_live} columns, "
        f"{state.starts[state.rows_live]} nonzeros"
    )
    whole = model.NumIntVars
    if whole:
        log.line(
            f"  Variable types              : {state.cols_live - whole} continuous, "
            f"{whole} integer ({model.NumBinVars} binary)"
        )


def printAttr(model: Any, attrs: Any, filter: str = "*") -> None:
    """Print attributes of the variables or constraints that have them, zeros left out."""
    names = [attrs] if isinstance(attrs, str) else list(attrs)
    log = model._state.params.log
    for what, members, label in (
        ("Var", model.getVars(), "VarName"),
        ("Constr", model.getConstrs(), "ConstrName"),
    ):
        table = TABLES[what]
        if not all(name.lower() in table for name in names):
            continue
        title = "Variable" if what == "Var" else "Constraint"
        log.line()
        log.line(f"{title:>12} " + " ".join(f"{name:>12}" for name in names))
        log.line("-" * (13 * (len(names) + 1)))
        for member in members:
            name = member.getAttr(label)
            values = [member.getAttr(attr) for attr in names]
            if fnmatch.fnmatchcase(name, filter) and any(values):
                shown = " ".join(
                    f"{value:>12g}" if isinstance(value, int | float) else f"{value:>12}"
                    for value in values
                )
                log.line(f"{name:>12} {shown}")
        return


def printQuality(model: Any) -> None:
    """Print the largest violations at the solution."""
    log = model._state.params.log
    try:
        found = results.violations(model._state)
    except UnavailableError:
        log.line("No solution available")
        return
    log.line(f"Solution quality statistics for model '{model._state.name or 'Unnamed'}' :")
    log.line("  Maximum violation:")
    for label, key in (
        ("Bound", "BoundVio"),
        ("Constraint", "ConstrVio"),
        ("Integrality", "IntVio"),
    ):
        log.line(f"    {label:<16}: {found[key]:.8e}")


def display(model: Any) -> None:
    """Print the model in LP format."""
    for line in lp_lines(model._state):
        model._state.params.log.line(line)
