"""Copies of a store: its content over another store's variables and rows."""

from dataclasses import fields
from typing import Any

from ordojo.compat.core.expressions import Formula, LinExpr, QuadExpr, Var, linear, make


def copy_into(new: Any, old: Any, new_var: Any, new_row: Any) -> None:
    """Fill an empty store with the live content of an updated one, over handles of its own.

    What an interface's store has beside that is left to it.
    """
    cols, rows = old.cols_live, old.rows_live
    end = old.starts[rows]
    counts = {"lower": cols, "upper": cols, "cost": cols, "kinds": cols}
    counts |= {"starts": rows + 1, "index": end, "value": end, "senses": rows, "rhs": rows}
    for which, count in counts.items():
        setattr(new, which, getattr(old, which)[:count])
    new.columns = [new_var(new, j) for j in range(cols)]
    new.rows = [new_row(new, i) for i in range(rows)]
    new.col_names, new.row_names = old.col_names.copy(cols), old.row_names.copy(rows)
    new.cols_live, new.rows_live, new.maximize = cols, rows, old.maximize
    new.lows = {new.rows[row._row]: low for row, low in old.lows.items()}
    for family in old.parts:
        for part in old.family(family):
            new.add_part(moved_fields(new, part))
    new.goal = moved_fields(new, old.goal)
    new.goals = {number: moved_fields(new, goal) for number, goal in old.goals.items()}


def moved_fields(new: Any, item: Any) -> Any:
    """The same part or objective over the variables of another store."""
    values = {f.name: getattr(item, f.name) for f in fields(item)}
    own = [values.pop(name, None) for name in ("handle", "number")]
    kept = {name: moved(new, value) for name, value in values.items()}
    for one, other in (("coeffs", "variables"), ("weights", "variables")):
        if one in values and other in values:  # without variables that were removed
            pairs = zip(values[one], values[other], strict=True)
            live = [(c, new.columns[var._col]) for c, var in pairs if var._col >= 0]
            kept |= {one: [c for c, _ in live], other: [var for _, var in live]}
    if values.get("products"):
        triples = zip(*values["products"], strict=True)
        live = [t for t in triples if t[1]._col >= 0 and t[2]._col >= 0]
        kept["products"] = tuple(moved(new, [t[k] for t in live]) for k in range(3))
    made = type(item)(**kept)
    if own[0] is not None:
        type(own[0])(new, made)
    return made


def moved(new: Any, value: Any) -> Any:
    """The same variable, expression, formula, or list of them over another store's variables."""
    if isinstance(value, Var):
        return new.columns[value._col]
    if isinstance(value, QuadExpr):
        parts = (moved(new, part) for part in (value._q, value._a, value._b))
        return type(value)._of(moved(new, value._linear), *parts)
    if isinstance(value, LinExpr):
        coeffs, variables, constant = linear(value) or ([], [], 0.0)
        live = [(c, var) for c, var in zip(coeffs, variables, strict=True) if var._col >= 0]
        return make(value._lin, [c for c, _ in live], [moved(new, v) for _, v in live], constant)
    if isinstance(value, Formula):
        return type(value)(value._op, moved(new, value._args))
    if isinstance(value, list | tuple):
        return type(value)(moved(new, item) for item in value)
    return value
