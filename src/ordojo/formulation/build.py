"""From a declaration and its data to the model, with the truth about its groups and families."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.core.errors import GeneratorError
from ordojo.formulation.algebra import (
    Elements,
    Linear,
    Matching,
    Number,
    compiled,
    index_owners,
    listed,
    relation,
    row,
    total,
)
from ordojo.formulation.spec import PARAMETERS, SETS, Spec, Tables
from ordojo.milp.model import INF, Model, RowParts, VarType, check

Key = tuple[Number, ...]
Values = Mapping[str, Any]
Names = Mapping[str, Mapping[Number, str]]
"""By set, what its elements are called."""
_KINDS = {
    "binary": VarType.BINARY,
    "integer": VarType.INTEGER,
    "continuous": VarType.CONTINUOUS,
    "semicontinuous": VarType.SEMICONTINUOUS,
    "semiinteger": VarType.SEMIINTEGER,
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
    values: dict[str, Any] = {"sum": total, "range": range, "row": row}
    values["matching"] = Matching()
    for parameter in spec.parameters:
        key = spec.key(parameter)
        columns = tables.get(parameter.table, {})
        for column in (*key, parameter.name):
            if column not in columns:
                raise GeneratorError(f"table '{parameter.table}' lacks the column '{column}'")
        if parameter.over:
            index = _elements([columns[name] for name in key])
            values[parameter.name] = _Given(zip(index, columns[parameter.name], strict=True))
            values[parameter.name].default = parameter.default
        else:
            values[parameter.name] = tables[PARAMETERS][parameter.name][0]
    return values | elements(spec, tables)


def elements(spec: Spec, tables: Tables) -> dict[str, list[Any]]:
    """The elements of each set."""
    found: dict[str, list[Any]] = {}
    for item in spec.sets:
        if item.size or item.table == SETS:
            ends = (
                (1, int(tables[PARAMETERS][item.size][0])) if item.size else tables[SETS][item.name]
            )
            found[item.name] = list(range(ends[0], ends[1] + 1))
        else:
            found[item.name] = _elements([tables[item.table][name] for name in item.key])
    return found


def build(
    spec: Spec, tables: Tables, name: str = "model", names: Names | None = None, empty: bool = False
) -> Built:
    """The model over the data: columns `group[i,j]`, rows `family[i,j]`, in declared order.

    With `names` of the elements by set they are `group_dover_kiel` and `family_dover_kiel`.
    Raises GeneratorError where a row would hold no variable, unless rows may be `empty`.
    """
    data = bind(spec, tables)
    values = dict(data)
    columns: list[tuple[str, float, float, VarType]] = []
    column_keys: list[Key] = []
    labels: list[int] = []
    for number, group in enumerate(spec.groups):
        called = _called(spec, group.scope, names)
        found: dict[Any, Linear] = {}
        least = f"float({group.lower})" if group.lower else "-inf"
        most = group.upper or ("1" if group.domain == "binary" else "inf")
        kind = repr(group.domain) if group.domain in _KINDS else group.domain
        code = compiled(spec, listed(group.scope, least, f"float({most})", kind))
        for key, low, up, domain in eval(code, {**values, "float": float, "inf": INF}):
            found[key if len(key) != 1 else key[0]] = Linear({len(columns): 1.0})
            columns.append((_spelled(group.name, key, called), low, up, _KINDS[domain]))
            column_keys.append(key)
            labels.append(number)
        values[group.name] = found if group.scope else found[()]
    cost = Linear()
    cost.add(eval(compiled(spec, spec.objective.rule), values))
    rows: list[RowParts] = []
    row_keys: list[Key] = []
    owners: list[int] = []
    for number, family in enumerate(spec.families):
        if family.given:
            raise GeneratorError(f"{family.name} holds under a condition, which no Model says")
        called = _called(spec, family.scope, names)
        code = compiled(spec, listed(family.scope, relation(family.rule)))
        for key, made in eval(code, values):
            title, index = _spelled(family.name, key, called), sorted(made.terms)
            if not (index or empty):
                raise GeneratorError(f"{title} of {name} has no variable; narrow its scope")
            rows.append((title, made.low, made.high, index, [made.terms[j] for j in index]))
            row_keys.append(key)
            owners.append(number)
    model = Model.of(
        name,
        spec.objective.sense == "maximize",
        float(cost.constant),
        [(*column, cost.terms.get(j, 0.0)) for j, column in enumerate(columns)],
        rows,
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


class _Given(dict[Any, Number]):
    """A parameter's numbers; where there is none, its default."""

    default: float | None = None

    def __missing__(self, key: Any) -> Number:
        if self.default is None:
            raise KeyError(key)
        return self.default


def _elements(columns: list[list[Number]]) -> list[Any]:
    return Elements(columns[0] if len(columns) == 1 else zip(*columns, strict=True))


def _called(spec: Spec, scope: str, names: Names | None) -> list[Mapping[Number, str]] | None:
    return None if names is None else [names.get(own, {}) for own in index_owners(spec, scope)]


def _spelled(name: str, key: Key, called: list[Mapping[Number, str]] | None) -> str:
    if called is None:
        return f"{name}[{','.join(map(str, key))}]" if key else name
    parts = [own[k] if own else str(k) for k, own in zip(key, called, strict=True)]
    return "_".join([name, *(part.lower().replace(" ", "_") for part in parts)])
