"""Matching two refined models: individualise a pair of nodes, refine, and go back where it fails.

After McKay's individualisation and refinement, with both graphs in one partition whose cells hold
as many nodes of either: a cell out of balance ends a branch at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from ordojo.oracle.equivalence.form import Numbers
from ordojo.oracle.equivalence.refine import Graph, mixed

_LOOK = 64
"""So many open cells are looked at for the smallest one."""


@dataclass
class _Frame:
    mark: int
    first: int
    seconds: Iterator[int]


class Partition:
    """Cells of nodes, split by refinement and joined again when a choice is taken back."""

    def __init__(self, graph: Graph, colours: Numbers) -> None:
        self.half = graph.half
        self.starts: list[int] = graph.starts.tolist()
        self.other: list[int] = graph.other.tolist()
        # 40 bits: sums of many stay in one machine word, and equal ones by accident are rare and
        # harmless, for the mapping found is checked.
        self.weight: list[int] = (mixed(graph.weight.astype("uint64")) >> 24).tolist()
        self.cell_of: list[int] = colours.tolist()
        self.cells: dict[int, set[int]] = {}
        for node, cell in enumerate(self.cell_of):
            self.cells.setdefault(cell, set()).add(node)
        self.next = len(self.cells)
        self.open = {cell: None for cell, nodes in self.cells.items() if len(nodes) > 2}
        self.trail: list[tuple[int, int]] = []

    def split(self, cell: int, moved: set[int]) -> int:
        """Give these nodes of a cell a cell of their own; returns its number."""
        new, self.next = self.next, self.next + 1
        rest = self.cells[cell]
        rest -= moved
        self.cells[new] = moved
        for node in moved:
            self.cell_of[node] = new
        if len(moved) > 2:
            self.open[new] = None
        if len(rest) <= 2:
            self.open.pop(cell, None)
        self.trail.append((new, cell))
        return new

    def undo(self, mark: int) -> None:
        """Join the cells split since the trail was `mark` long."""
        while len(self.trail) > mark:
            new, cell = self.trail.pop()
            moved = self.cells.pop(new)
            self.open.pop(new, None)
            self.cells[cell] |= moved
            for node in moved:
                self.cell_of[node] = cell
            if len(self.cells[cell]) > 2:
                self.open[cell] = None

    def refine(self, queue: list[int]) -> bool:
        """Split until no cell of the queue tells nodes of another apart; False where halves differ.

        The queue's cells stand for all that may have changed since the last time.
        """
        waiting = set(queue)
        while queue:
            cell = queue.pop()
            waiting.discard(cell)
            sums: dict[int, int] = {}
            for node in self.cells[cell]:
                for k in range(self.starts[node], self.starts[node + 1]):
                    near = self.other[k]
                    sums[near] = sums.get(near, 0) + self.weight[k]
            groups: dict[int, dict[int, set[int]]] = {}
            for node, total in sums.items():
                groups.setdefault(self.cell_of[node], {}).setdefault(total, set()).add(node)
            for touched, by_sum in groups.items():
                parts = list(by_sum.values())
                rest = len(self.cells[touched]) - sum(len(part) for part in parts)
                if rest == 0 and len(parts) == 1:
                    continue
                if any(2 * sum(v < self.half for v in part) != len(part) for part in parts):
                    return False
                if rest == 0:
                    parts.sort(key=len)
                    parts.pop()
                new = [self.split(touched, part) for part in parts]
                if touched not in waiting:
                    new.append(touched)
                    new.remove(max(new, key=lambda c: len(self.cells[c])))
                for c in new:
                    waiting.add(c)
                    queue.append(c)
        return True

    def individualise(self, first: int, second: int) -> bool:
        """Match two nodes of one cell, and refine; False where that cannot be."""
        return self.refine([self.split(self.cell_of[first], {first, second})])


def match(
    partition: Partition, settled: bool, late: Callable[[], bool]
) -> tuple[bool | None, dict[int, int]]:
    """A match of the first half's nodes with the second's; (None, ...) where `late` ended it.

    False: every choice was tried, and there is none. `settled`: the partition is refined already.
    """
    half = partition.half
    if not settled and not partition.refine(list(partition.cells)):
        return False, {}
    stack: list[_Frame] = []
    while partition.open:
        cell = min(islice(partition.open, _LOOK), key=lambda c: len(partition.cells[c]))
        nodes = sorted(partition.cells[cell])
        first = nodes[0]
        # The same place in its cell comes first: copies of a model often keep their order.
        frame = _Frame(len(partition.trail), first, iter([v for v in nodes if v >= half]))
        stack.append(frame)
        while stack:
            frame = stack[-1]
            partition.undo(frame.mark)
            if late():
                return None, {}
            second = next(frame.seconds, None)
            if second is None:
                stack.pop()
            elif partition.individualise(frame.first, second):
                break
        else:
            return False, {}
    pairs = {}
    for nodes_of in partition.cells.values():
        a, b = sorted(nodes_of)
        pairs[a] = b
    return True, pairs
