"""What of a model tells applications apart, as shares of its rows and columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ordojo.structure.labels.view import Block, View, columns_binary, columns_whole
from ordojo.structure.labels.vocabulary import FamilyLabel, Scaffold, Semantic

Reason = tuple[float, str]
"""What a class gains by a trait, and why."""
CONTROL = (Semantic.EXACTLY_ONE, Semantic.AT_MOST_ONE)
SUMS = (Semantic.UPPER_SUM, Semantic.LOWER_SUM, Semantic.EQUALITY)
SETS = ("set partitioning", "set packing", "set covering", "cardinality", "invariant knapsack")


@dataclass(frozen=True)
class Traits:
    """Shares are of rows (or of columns for `binary`, `continuous`), between 0 and 1.

    `located` are rows that link a decision to the smaller group that it needs, where another family
    serves something by those decisions. `conserving` families have columns that leave one row and
    enter another, `stock` those of them from period to period; `routed` is whether one is copied
    along an index. `opened` are capacities that a binary opens; `shipped` is whether amounts are
    summed along two indices of one group, `two_way` whether binaries are so by exactly-one (or
    at-most-one) families. `slim` is columns per row.
    """

    families: Sequence[FamilyLabel]
    rows: int
    columns: int
    density: float
    binary: float
    continuous: float
    integer: float
    located: float
    conserving: float
    opened: float
    shipped: bool
    routed: bool
    flows_binary: bool
    stock: float
    setup: float
    two_way: bool
    slim: float
    generic_names: bool
    zero_objective: bool

    def share(self, test: Callable[[FamilyLabel], bool]) -> float:
        """The share of rows in families of which `test` is true."""
        found = sum(label.size for label in self.families if test(label))
        return found / max(1, self.rows)

    def semantic(self, *kinds: Semantic) -> float:
        """The share of rows in families of these types."""
        return self.share(lambda label: label.semantic in kinds)

    def scaffold(self, *kinds: Scaffold) -> float:
        """The share of rows in families of these scaffolds."""
        return self.share(lambda label: label.scaffold in kinds)

    def any(self, test: Callable[[FamilyLabel], bool]) -> bool:
        """Whether there is such a family."""
        return any(test(label) for label in self.families)


def read(view: View, families: Sequence[FamilyLabel]) -> Traits:
    """The traits of a model."""
    flat = view.flat
    binary, whole = columns_binary(flat), columns_whole(flat)
    columns = max(1, flat.n)
    conserving = stock = setup = opened = 0
    routed = flows_binary = False
    chosen: dict[int, int] = {}
    summed: dict[int, int] = {}
    for label in families:
        blocks = list(view.blocks(label.family))
        flows = [block for block in blocks if _conserves(block)]
        if label.semantic == Semantic.EQUALITY and flows:
            members = view.groups.items[flows[0].group]
            if label.scaffold == Scaffold.COUPLED:
                stock += 0 if binary[members].all() else label.size
            else:
                conserving += label.size
                routed = routed or label.scaffold == Scaffold.REPLICATED
                flows_binary = flows_binary or bool(binary[members].all())
        if label.semantic in (Semantic.IMPLICATION, Semantic.INDICATOR):
            kinds = {bool(binary[view.groups.items[block.group]].all()) for block in blocks}
            setup += label.size if len(kinds) == 2 else 0
            home = not view.rows.b[view.families.items[label.family]].any()
            opened += label.size if label.semantic == Semantic.INDICATOR and home else 0
        if label.semantic in SUMS and len(blocks) == 1 and not flows:
            group = blocks[0].group
            whole_group = bool((blocks[0].per_col == 1).all())
            if whole_group and not binary[view.groups.items[group]].any():
                summed[group] = summed.get(group, 0) + 1
        if label.semantic in CONTROL and label.scaffold != Scaffold.GLOBAL:
            for block in blocks:
                chosen[block.group] = chosen.get(block.group, 0) + 1
    text = flat.cols.text(0) if flat.n else ""
    return Traits(
        families=families,
        rows=max(1, flat.m),
        columns=columns,
        density=flat.nonzeros / columns / max(1, flat.m),
        binary=float(binary.sum()) / columns,
        continuous=float((~whole).sum()) / columns,
        integer=float((whole & ~binary).sum()) / columns,
        located=_located(view, families) / max(1, flat.m),
        conserving=conserving / max(1, flat.m),
        opened=opened / max(1, flat.m),
        shipped=any(count > 1 for count in summed.values()),
        routed=routed,
        flows_binary=flows_binary,
        stock=stock / max(1, flat.m),
        setup=setup / max(1, flat.m),
        two_way=any(count > 1 for count in chosen.values()),
        slim=columns / max(1, flat.m),
        generic_names=text.lstrip("CcXx_").isdigit(),
        zero_objective=not flat.objective.any(),
    )


def _conserves(block: Block) -> bool:
    """Whether nearly all columns have two entries, of opposite signs."""
    used = block.per_col > 0
    size = block.sizes[1]
    plus = np.bincount(block.col[block.value > 0], minlength=size)
    minus = np.bincount(block.col[block.value < 0], minlength=size)
    return bool(((plus == 1) & (minus == 1)).sum() >= 0.7 * used.sum() > 0)


def _located(view: View, families: Sequence[FamilyLabel]) -> int:
    """Rows `x_ij <= y_j` whose x also stand in a family that something must be served by."""
    links: dict[int, int] = {}
    served: set[int] = set()
    for label in families:
        blocks = list(view.blocks(label.family))
        if label.semantic == Semantic.IMPLICATION and len(blocks) == 2:
            large, small = sorted(blocks, key=lambda block: -block.sizes[1])
            single = bool((large.per_row == 1).all() and (small.per_row == 1).all())
            priced = view.flat.objective[view.groups.items[small.group]].any()
            if single and priced and large.sizes[1] > 1.5 * small.sizes[1]:
                links[large.group] = links.get(large.group, 0) + label.size
        kinds = (Semantic.EXACTLY_ONE, Semantic.LOWER_SUM, Semantic.EQUALITY)
        if label.semantic in kinds and label.miplib != "singleton":
            served.update(block.group for block in blocks if not _conserves(block))
    return sum(size for group, size in links.items() if group in served)
