"""Labels of variable groups: integrality and bounds (types 1, 5 and 17 of paper 003's table 4)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.structure.labels.view import View, columns_binary, columns_semi, columns_whole
from ordojo.structure.labels.vocabulary import Semantic


@dataclass(frozen=True)
class GroupLabel:
    """A group's labels, each with its evidence; none for plain non-negative columns."""

    group: int
    size: int
    semantics: tuple[tuple[Semantic, str], ...]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; types by their names in lower case."""
        return {
            "group": self.group,
            "size": self.size,
            "semantics": [
                [semantic.name.lower().replace("_", " "), why] for semantic, why in self.semantics
            ],
        }


def domains(view: View) -> tuple[GroupLabel, ...]:
    """The labels of all groups."""
    flat, found = view.flat, []
    binary, whole, semi = columns_binary(flat), columns_whole(flat), columns_semi(flat)
    for group, members in enumerate(view.groups.items):
        labels: list[tuple[Semantic, str]] = []
        for kind, which in (
            ("binary", binary),
            ("integer", whole & ~binary),
            ("semicontinuous or semi-integer", semi),
        ):
            if which[members].any():
                labels.append((Semantic.DOMAIN, f"{_share(which[members])} are {kind}"))
        own = members[~binary[members]]
        upper = np.isfinite(flat.upper[own])
        lower = (flat.lower[own] != 0) & np.isfinite(flat.lower[own])
        if upper.any():
            labels.append((Semantic.UPPER_BOUND, f"{_share(upper)} have a highest value"))
        if lower.any():
            labels.append((Semantic.LOWER_BOUND, f"{_share(lower)} have a lowest value but 0"))
        free = ~np.isfinite(flat.lower[own])
        if free.any():
            labels.append((Semantic.DOMAIN, f"{_share(free)} may be negative without limit"))
        found.append(GroupLabel(group, len(members), tuple(labels)))
    return tuple(found)


def _share(which: Any) -> str:
    count = int(which.sum())
    return "all" if count == len(which) else f"{count} of {len(which)}"
