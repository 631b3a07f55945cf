"""Reduced models in a form that units, signs and origins do not change, and the matching of two.

The graphs of both are refined; then a pair of nodes is individualised, refined, and taken back
where it fails. After McKay's individualisation and refinement, with both graphs in one partition
whose cells hold as many nodes of either: a cell out of balance ends a branch at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ordojo.milp.model import INF, Floats, VarType
from ordojo.milp.tolerances import CLUSTER, NEAR_ZERO, ROUNDING
from ordojo.solvers.equivalence.reduce import ReducedModel

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_UNIT_ROUNDS = 100
"""Passes in which units spread over rows and columns: a chain of so many is not met; what is then
without a unit keeps its own, and two such models may stay undecided."""


@dataclass(frozen=True, eq=False)
class StandardForm:
    """n columns and m rows; column `cols[j]` of the model is scale[j] times ours, plus shift[j].

    `low`, `up`, `cost` (n) are those of our columns; each bounded one has an end at 0. Entries are
    (entry_row, entry_col, coef), by rows, each row's largest being 1 in size. A row with a single
    finite side has the upper one, an equality a positive one; `two_faced` rows look the same with
    all signs turned. `offset` is the objective's, from the new origins, summed from terms of
    `offset_size`.
    """

    cols: Numbers
    rows: Numbers
    kind: Numbers
    cost: Floats
    low: Floats
    up: Floats
    scale: Floats
    shift: Floats
    entry_row: Numbers
    entry_col: Numbers
    coef: Floats
    row_low: Floats
    row_up: Floats
    two_faced: Flags
    offset: float
    offset_size: float


def form_of(state: ReducedModel, scaled: bool) -> StandardForm:
    """The form of what is left; `scaled`: the units of continuous columns do not count either."""
    cols = np.array(sorted(state.cols), np.int64)
    rows = np.array(sorted(state.rows), np.int64)
    place = {j: k for k, j in enumerate(cols.tolist())}
    kept = [state.rows[i] for i in rows.tolist()]
    row = np.repeat(np.arange(len(rows)), [len(terms) for terms in kept]).astype(np.int64)
    col = np.array([place[j] for terms in kept for j in terms], np.int64)
    coef = np.array([a for terms in kept for a in terms.values()], np.float64)
    kind, low, up, cost, row_low, row_up, size = (
        np.array(values, np.float64)[at]
        for values, at in (
            (state.kind, cols),
            (state.low, cols),
            (state.up, cols),
            (state.cost, cols),
            (state.row_low, rows),
            (state.row_up, rows),
            (state.size, rows),
        )
    )
    # Origins: a finite end at zero, the lower one where there are two.
    whole = kind >= VarType.SEMICONTINUOUS
    flip = ~whole & (low == -INF) & (up < INF)
    shift = np.where(whole, 0.0, np.where(low > -INF, low, np.where(up < INF, up, 0.0)))
    scale = np.where(flip, -1.0, 1.0)
    low, up = np.where(flip, shift - up, low - shift), np.where(flip, -low + shift, up - shift)
    moved = coef * shift[col]
    by = np.bincount(row, moved, len(rows))
    size = np.maximum(size, np.bincount(row, np.abs(moved), len(rows)))
    row_low, row_up = row_low - by, row_up - by
    for side in (row_low, row_up):
        side[np.abs(side) <= ROUNDING * size] = 0.0
    equal = (row_up < INF) & (np.abs(row_up - row_low) <= ROUNDING * size)
    row_low = np.where(equal, row_up, row_low)
    by_origin = cost * shift
    coef, cost = coef * scale[col], cost * scale
    if scaled:
        units = _units(kind, cost, low, up, row, col, coef, row_low, row_up)
        scale, coef, cost, up = scale * units, coef * units[col], cost * units, up / np.abs(units)
    # Rows: the largest coefficient 1, one finite side the upper one, a positive equality.
    top = _largest(row, np.abs(coef), len(rows))
    top[top == 0] = 1.0
    with np.errstate(invalid="ignore"):
        middle = row_low + row_up
    turn = (row_up == INF) | ((row_low > -INF) & (middle < -ROUNDING * size))
    two = (row_low > -INF) & (row_up < INF) & (np.abs(middle) <= ROUNDING * size)
    factor = np.where(turn, -1.0, 1.0) / top
    sides = row_low * factor, row_up * factor
    return StandardForm(
        *(cols, rows, kind.astype(np.int64), cost, low, up, scale, shift),
        *(row, col, coef * factor[row]),
        *(np.where(turn, *sides[::-1]), np.where(turn, *sides), two),
        offset=state.offset + float(by_origin.sum()),
        offset_size=max(state.offset_size, float(np.abs(by_origin).max(initial=0.0))),
    )


def _units(
    kind: Floats,
    cost: Floats,
    low: Floats,
    up: Floats,
    row: Numbers,
    col: Numbers,
    coef: Floats,
    row_low: Floats,
    row_up: Floats,
) -> Floats:
    """A unit (n) for each continuous column, from what it touches and not from its own numbers.

    Its cost or its range is 1; else its largest coefficient, in rows whose own unit is known: from
    a side, or from columns already settled. What hangs on nothing keeps its largest coefficient.
    """
    n, m = len(kind), len(row_low)
    units = np.ones(n)
    fixed = kind != VarType.CONTINUOUS
    by_cost = ~fixed & (cost != 0)
    units[by_cost] = 1 / np.abs(cost[by_cost])
    units[by_cost & (low == -INF) & (cost < 0)] *= -1
    by_range = ~fixed & ~by_cost & (up < INF) & (up > 0)
    units[by_range] = up[by_range]
    known = fixed | by_cost | by_range
    side = np.maximum(
        np.where(np.isfinite(row_low), np.abs(row_low), 0.0),
        np.where(np.isfinite(row_up), np.abs(row_up), 0.0),
    )
    settled = side > 0
    row_unit = np.where(settled, side, 1.0)
    for _ in range(_UNIT_ROUNDS):
        new_rows = _largest(row[known[col]], np.abs(coef * units[col])[known[col]], m)
        fresh = ~settled & (new_rows > 0)
        row_unit[fresh] = new_rows[fresh]
        settled = settled | fresh
        inside = settled[row] & ~known[col]
        new_cols = _largest(col[inside], (np.abs(coef) / row_unit[row])[inside], n)
        found = ~known & (new_cols > 0)
        units[found] = 1 / new_cols[found]
        known = known | found
        if not (fresh.any() or found.any()):
            if known.all():
                break
            loose = _largest(col, np.abs(coef), n)
            units[~known & (loose > 0)] = 1 / loose[~known & (loose > 0)]
            break
    return units


def _largest(at: Numbers, values: Floats, count: int) -> Floats:
    found = np.zeros(count)
    np.maximum.at(found, at, values)
    return found


_ROUNDS = 40
"""Passes of colour refinement; most models need under ten, and fewer colours only search longer."""
_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Graph:
    """The union of two forms' graphs: `half` nodes of the first, then as many of the second.

    In each half: columns, rows, then a second face of each two-faced row, joined to the first by an
    edge. `node` to `other` are edges, each in both directions, sorted by `node`; `weight` is a
    colour of the edge; `starts` (2 * half + 1) says where each node's edges begin.
    """

    half: int
    n: int
    m: int
    starts: Numbers
    other: Numbers
    weight: Numbers
    colours: Numbers
    two_faced: tuple[Numbers, Numbers]


def graph_of(one: StandardForm, other: StandardForm, names: Numbers | None = None) -> Graph | None:
    """Both forms as a graph, coloured by what each node says itself; None where sizes differ.

    `names` are colours besides of the columns of one, then of other.
    """
    forms = (one, other)
    faces = tuple(np.flatnonzero(form.two_faced) for form in forms)
    sizes = [
        (len(f.cols), len(f.rows), len(f.coef), len(two))
        for f, two in zip(forms, faces, strict=True)
    ]
    if sizes[0] != sizes[1]:
        return None
    n, m, _, more = sizes[0]
    half = n + m + more
    ends: list[tuple[Numbers, Numbers]] = []
    values: list[Floats] = []
    for k, (form, two) in enumerate(zip(forms, faces, strict=True)):
        base = k * half
        second = np.full(m, -1)
        second[two] = n + m + np.arange(more)
        twice = form.two_faced[form.entry_row]
        ends.append((base + n + form.entry_row, base + form.entry_col))
        ends.append((base + second[form.entry_row[twice]], base + form.entry_col[twice]))
        ends.append((base + n + two, base + second[two]))
        # Coefficients are at most 1 in size, so that 2 marks the edge between two faces.
        values += [form.coef, -form.coef[twice], np.full(more, 2.0)]
    a = np.concatenate([pair[0] for pair in ends])
    b = np.concatenate([pair[1] for pair in ends])
    weight = cluster(np.concatenate(values), 0.0)
    node, other_end = np.concatenate([a, b]), np.concatenate([b, a])
    weight = np.concatenate([weight, weight])
    order = np.argsort(node, kind="stable")
    counts = np.bincount(node, minlength=2 * half)
    return Graph(
        half=half,
        n=n,
        m=m,
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        other=other_end[order],
        weight=weight[order],
        colours=_own_colours(one, other, faces, half, names),
        two_faced=(faces[0], faces[1]),
    )


def _own_colours(
    one: StandardForm,
    other: StandardForm,
    faces: tuple[NDArray[np.intp], ...],
    half: int,
    names: Numbers | None,
) -> Numbers:
    forms = (one, other)
    top = max((float(np.abs(f.cost).max(initial=0.0)) for f in forms), default=0.0)
    col_parts = [
        np.concatenate([f.kind for f in forms]),
        cluster(np.concatenate([f.cost for f in forms]), 1e-13 * top),
        cluster(np.concatenate([f.low for f in forms]), NEAR_ZERO),
        cluster(np.concatenate([f.up for f in forms]), NEAR_ZERO),
    ]
    if names is not None:
        col_parts.append(names)
    low = cluster(np.concatenate([f.row_low for f in forms]), NEAR_ZERO)
    up = cluster(np.concatenate([f.row_up for f in forms]), NEAR_ZERO)
    two = np.concatenate([f.two_faced for f in forms]).astype(np.int64)
    columns = _distinct(np.stack(col_parts, axis=1))
    rows = _distinct(np.stack([low, up, two], axis=1)) + columns.max(initial=-1) + 1
    n, m = len(one.cols), len(one.rows)
    colours = np.zeros(2 * half, np.int64)
    for k in (0, 1):
        base = k * half
        colours[base : base + n] = columns[k * n : (k + 1) * n]
        colours[base + n : base + n + m] = rows[k * m : (k + 1) * m]
        colours[base + n + m : base + half] = rows[k * m + faces[k]]
    return np.unique(colours, return_inverse=True)[1].astype(np.int64)


def cluster(values: Floats, near_zero: float) -> Numbers:
    """A number for each value, the same for values that differ by rounding only."""
    if not len(values):
        return np.zeros(0, np.int64)
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    before, after = ranked[:-1], ranked[1:]
    finite = np.isfinite(before) & np.isfinite(after)
    size = np.maximum(np.abs(before), np.abs(after))
    with np.errstate(invalid="ignore"):
        new = np.where(finite, after - before > CLUSTER * size + near_zero, before != after)
    found = np.empty(len(values), np.int64)
    found[order] = np.concatenate([[0], np.cumsum(new)])
    return found


def _distinct(parts: Numbers) -> Numbers:
    if not len(parts):
        return np.zeros(0, np.int64)
    return np.unique(parts, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64 bits, so that sums of scrambled numbers stand for multisets."""
    x = numbers + _ODD
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def balanced(colours: Numbers, half: int) -> bool:
    """Whether both halves have as many nodes of every colour."""
    count = int(colours.max(initial=-1)) + 1
    first = np.bincount(colours[:half], minlength=count)
    return bool((first == np.bincount(colours[half:], minlength=count)).all())


def refined(graph: Graph) -> tuple[Numbers, bool] | None:
    """Colours refined by their neighbours', and whether that settled; None where halves differ.

    Weisfeiler-Lehman refinement of the first order. Colours that differ do so by right: an
    accidental equality of 64-bit sums only leaves a colour coarser than it could be.
    """
    colours = graph.colours
    weights = mixed(graph.weight.astype(np.uint64) + np.uint64(1 << 40))
    busy = np.flatnonzero(np.diff(graph.starts) > 0)
    for _ in range(_ROUNDS):
        if not balanced(colours, graph.half):
            return None
        count = int(colours.max(initial=-1)) + 1
        if count == graph.half:
            return colours, True
        sums = np.zeros(2 * graph.half, np.uint64)
        if len(busy):
            terms = mixed(mixed(colours.astype(np.uint64))[graph.other] ^ weights)
            sums[busy] = np.add.reduceat(terms, graph.starts[:-1][busy])
        keys = mixed(mixed(colours.astype(np.uint64)) + sums)
        # A node keeps its old colour's place in the key: so colours only ever split.
        order = np.lexsort((keys, colours))
        ranked, own = keys[order], colours[order]
        new = np.concatenate([[0], np.cumsum((ranked[1:] != ranked[:-1]) | (own[1:] != own[:-1]))])
        fresh = np.empty_like(colours)
        fresh[order] = new[: len(order)]
        if int(fresh.max(initial=-1)) + 1 == count:
            return colours, True
        colours = fresh
    return (colours, False) if balanced(colours, graph.half) else None


_LOOK = 64
"""So many open cells are looked at for the smallest one."""


@dataclass
class _Frame:
    mark: int
    first: int
    seconds: Iterator[int]


class NodePartition:
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
    partition: NodePartition, settled: bool, late: Callable[[], bool]
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
