"""How the columns of two aligned models differ, group by group."""

import numpy as np

from ordojo.structure.flat import Ints
from ordojo.structure.inspection.couple import Couple, far
from ordojo.structure.inspection.difference import Difference, Kind, tightness

_INTEGRAL = (1, 2, 4)
_TYPES = ("continuous", "integer", "binary", "semicontinuous", "semi-integer")


def column_differences(two: Couple) -> list[Difference]:
    """Columns without counterpart, then other bounds, types and costs."""
    one, other = two.mine.model, two.yours.model
    cols = two.aligned.cols
    there = cols >= 0
    kept = np.flatnonzero(there)
    types, costs = np.zeros(one.n, bool), np.zeros(one.n, bool)
    mine, yours = one.types[kept], other.types[cols[kept]]
    types[kept] = (np.isin(mine, _INTEGRAL) != np.isin(yours, _INTEGRAL)) | (
        (mine > 2) != (yours > 2)
    )
    sign = -1.0 if one.maximize != other.maximize else 1.0
    costs[kept] = far(one.objective[kept], sign * other.objective[cols[kept]])
    (low, up), (low2, up2), bounds = two.bounds()
    found = []
    for group, columns in enumerate(two.mine.columns_of):
        faults: list[tuple[Kind, Ints, str, str]] = []
        if len(lost := columns[~there[columns]]):
            faults.append((Kind.COLUMNS, lost, _name(two, int(lost[0])), ""))
        if len(wrong := columns[bounds[columns]]):
            j = int(wrong[0])
            ends = float(low[j]), float(up[j]), float(low2[j]), float(up2[j])
            said = "{} in [{:g}, {:g}] is in the candidate in [{:g}, {:g}]"
            faults.append((Kind.BOUNDS, wrong, said.format(_name(two, j), *ends), tightness(*ends)))
        if len(wrong := columns[types[columns]]):
            j = int(wrong[0])
            kinds = _TYPES[int(one.types[j])], _TYPES[int(other.types[cols[j]])]
            said = f"{_name(two, j)} is {kinds[0]}, in the candidate {kinds[1]}"
            faults.append((Kind.TYPES, wrong, said, ""))
        if len(wrong := columns[costs[columns]]):
            j = int(wrong[0])
            prices = one.objective[j], sign * other.objective[cols[j]]
            said = f"{_name(two, j)} costs {prices[0]:g}, in the candidate {prices[1]:g}"
            faults.append((Kind.COSTS, wrong, said, ""))
        name, size = two.mine.group_names[group], len(columns)
        for kind, wrong, example, detail in faults:
            fault = Difference(kind, name, len(wrong), size, -1, group, detail, example)
            found.append(fault)
    constants = one.offset, sign * other.offset
    if far(*(np.array([constant]) for constant in constants))[0]:
        said = "the constant {:g} is in the candidate {:g}".format(*constants)
        found.append(Difference(Kind.COSTS, "objective", 1, 1, example=said))
    changed = sum(d.changed for d in found if d.kind == Kind.COSTS and d.group >= 0)
    if sign < 0 and changed == np.count_nonzero(one.objective) > 0:
        found = [d for d in found if d.kind != Kind.COSTS]
        found.append(Difference(Kind.DIRECTION, "objective", 1, 1))
    return found


def _name(two: Couple, j: int) -> str:
    return two.mine.flat.cols.text(j)
