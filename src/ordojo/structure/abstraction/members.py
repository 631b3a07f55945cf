"""Which items belong to which group, and where in it they stand."""

from dataclasses import dataclass

import numpy as np

from ordojo.structure.abstraction.tables import Spec, Tables
from ordojo.structure.flat import Ints


@dataclass(frozen=True)
class Members:
    """Items in groups: `label` and `local` place of each item, and each group's items in order."""

    label: Ints
    local: Ints
    items: list[Ints]

    @classmethod
    def of(cls, label: Ints) -> "Members":
        """From the labels 0, 1, ... of all items."""
        count = int(label.max(initial=-1)) + 1
        sizes = np.bincount(label, minlength=count)
        order = np.argsort(label, kind="stable")
        ends = np.cumsum(sizes)
        local = np.empty(len(label), np.int64)
        local[order] = np.arange(len(label)) - np.repeat(ends - sizes, sizes)
        items = [order[a:b] for a, b in zip((ends - sizes).tolist(), ends.tolist(), strict=True)]
        return cls(label, local, items)


def encode_order(label: Ints, tables: Tables) -> Spec:
    """The labels as runs of equal ones, or one by one where that is shorter."""
    change = np.flatnonzero(np.diff(label)) + 1
    begins = np.concatenate([[0], change]).astype(np.int64)
    if 2 * len(begins) < len(label) or len(label) < 4:
        sizes = np.diff(np.append(begins, len(label))).astype(np.int64)
        first = label[begins] if len(label) else np.zeros(0, np.int64)
        if not len(label):
            sizes = np.zeros(0, np.int64)
        return {"kind": "runs", "of": tables.put(first), "sizes": tables.put(sizes)}
    return {"kind": "each", "of": tables.put(label)}


def decode_order(spec: Spec, tables: Tables) -> Ints:
    """The labels that a spec says."""
    of = tables.get(spec["of"])
    return np.repeat(of, tables.get(spec["sizes"])) if spec["kind"] == "runs" else of
