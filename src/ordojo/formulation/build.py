"""From a declaration and its data to the model, with the truth about its groups and families."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.core.errors import GeneratorError
from ordojo.formulation.algebra import (
    Elements,
    Linear,
    Number,
    Row,
    compiled,
    indices,
    loops,
    total,
    where,
)
from ordojo.formulation.spec import PARAMETERS, Group, Spec, Tables
from ordojo.milp.model import INF, Model, VarType, check

Key = tuple[Number, ...]
Values = Mapping[str, Any]
Names = Mapping[str, Mapping[Number, str]]
"""By set, what its elements are called."""
_KINDS = {
    "binary": VarType.BINARY,
    "integer": VarType.INTEGER,
    "continuous": VarType.CONTINUOUS,
}


@dataclass(frozen=True)
class Built:
    """A model and its truth.

    Column j is of `spec.groups[groups[j]]` at index `column_keys[j]`; row i of
    `spec.families[families[i]]` at `row_keys[i]`. `values` are those of `bind`.
    """

    spec: Spec
    values: Values
    model: Model
    groups: NDArray[np.int64]
    families: NDArray[np.int64]
    column_keys: tuple[Key, ...]
    row_keys: tuple[Key, ...]


def bind(spec: Spec, tables: Tables) -> dict[str, Any]:
    """Sets (lists of elements) and parameters (a number, or numbers by element) by name.

    An element is a number, or a tuple of them. Raises GeneratorError where a column is missing.
    """
    values: dict[str, Any] = {"sum": total, "range": range, "where": where}
    for parameter in spec.parameters:
        key = spec.key(parameter)
        columns = tables.get(parameter.table, {})
        for column in (*key, parameter.name):
            if column not in columns:
                raise GeneratorError(f"table '{parameter.table}' lacks the column '{column}'")
        if parameter.over:
            index = _elements([columns[name] for name in key])
            values[parameter.name] = dict(zip(index, columns[parameter.name], strict=True))
        else:
            values[parameter.name] = tables[PARAMETERS][parameter.name][0]
    return values | elements(spec, tables)


def elements(spec: Spec, tables: Tables) -> dict[str, list[Any]]:
    """The elements of each set."""
    return {
        item.name: list(range(1, int(tables[PARAMETERS][item.size][0]) + 1))
        if item.size
        else _elements([tables[item.table][name] for name in item.key])
        for item in spec.sets
    }


def build(
    spec: Spec,
    tables: Tables,
    name: str = "model",
    names: Names | None = None,
) -> Built:
    """The model over the data: columns `group[i,j]`, rows `family[i,j]`, in declared order.

    With `names` of the elements by set they are `group_dover_kiel` and `family_dover_kiel`.
    Raises GeneratorError where a row would hold no variable.
    """
    data = bind(spec, tables)
    values = dict(data)
    column_names: list[str] = []
    column_keys: list[Key] = []
    labels: list[int] = []
    lower: list[float] = []
    upper: list[float] = []
    for number, group in enumerate(spec.groups):
        called = _called(spec, group.scope, names)
        found: dict[Any, Linear] = {}
        for key, low, up in _members(spec, group, values):
            found[key if len(key) != 1 else key[0]] = Linear({len(column_names): 1.0})
            column_names.append(_spelled(group.name, key, called))
            column_keys.append(key)
            labels.append(number)
            lower.append(low)
            upper.append(up)
        values[group.name] = found if group.scope else found[()]
    cost = Linear()
    cost.add(eval(compiled(spec, spec.objective.rule), values))
    objective = np.zeros(len(column_names))
    objective[list(cost.terms)] = list(cost.terms.values())
    rows: list[Row] = []
    row_names: list[str] = []
    row_keys: list[Key] = []
    owners: list[int] = []
    for number, family in enumerate(spec.families):
        called = _called(spec, family.scope, names)
        for key, row in _rows(spec, family.scope, family.rule, values):
            row_names.append(_spelled(family.name, key, called))
            if not isinstance(row, Row) or not row.terms:
                raise GeneratorError(f"{row_names[-1]} of {name} has no variable; narrow its scope")
            rows.append(row)
            row_keys.append(key)
            owners.append(number)
    kinds = [_KINDS[spec.groups[label].domain] for label in labels]
    model = Model(
        name=name,
        maximize=spec.objective.sense == "maximize",
        objective=objective,
        offset=float(cost.constant),
        col_names=tuple(column_names),
        col_lower=np.array(lower, np.float64),
        col_upper=np.array(upper, np.float64),
        types=np.array(kinds, np.uint8),
        row_names=tuple(row_names),
        row_lower=np.array([-INF if row.sense == "<=" else row.rhs for row in rows]),
        row_upper=np.array([INF if row.sense == ">=" else row.rhs for row in rows]),
        starts=np.concatenate([[0], np.cumsum([len(r.terms) for r in rows])]).astype(np.int32),
        index=np.array([column for row in rows for column in sorted(row.terms)], np.int32),
        value=np.array([row.terms[c] for row in rows for c in sorted(row.terms)], np.float64),
    )
    check(model)
    return Built(
        spec,
        data,
        model,
        np.array(labels, np.int64),
        np.array(owners, np.int64),
        tuple(column_keys),
        tuple(row_keys),
    )


def _elements(columns: list[list[Number]]) -> list[Any]:
    return list(columns[0]) if len(columns) == 1 else Elements(list(zip(*columns, strict=True)))


def _members(spec: Spec, group: Group, values: dict[str, Any]) -> list[tuple[Key, float, float]]:
    key = "".join(f"{name}, " for name in indices(group.scope))
    low = f"float({group.lower})" if group.lower else "-inf"
    up = f"float({group.upper})" if group.upper else "1.0" if group.domain == "binary" else "inf"
    text = f"[(({key}), {low}, {up}) {group.scope or 'for _ in range(1)'}]"
    found: list[tuple[Key, float, float]] = eval(
        compiled(spec, text), {**values, "float": float, "inf": INF}
    )
    return found


def _rows(spec: Spec, scope: str, rule: str, values: dict[str, Any]) -> list[tuple[Key, Row]]:
    key = "".join(f"{name}, " for name in indices(scope))
    text = f"[(({key}), ({rule})) {scope or 'for _ in range(1)'}]"
    found: list[tuple[Key, Row]] = eval(compiled(spec, text), values)
    return found


@lru_cache(maxsize=4096)
def _owners(spec: Spec, scope: str) -> tuple[str, ...]:
    """The set behind each index of a scope, "" for an index that stays a number."""
    known = {item.name for item in spec.sets}
    found: list[str] = []
    for loop in loops(scope):
        found += spec.owners(loop.over) if loop.over in known else [""] * len(loop.indices)
    return tuple(found)


def _called(spec: Spec, scope: str, names: Names | None) -> list[Mapping[Number, str]] | None:
    return None if names is None else [names.get(own, {}) for own in _owners(spec, scope)]


def _spelled(name: str, key: Key, called: list[Mapping[Number, str]] | None) -> str:
    if called is None:
        return f"{name}[{','.join(map(str, key))}]" if key else name
    parts = [own[k] if own else str(k) for k, own in zip(key, called, strict=True)]
    return "_".join([name, *(part.lower().replace(" ", "_") for part in parts)])
