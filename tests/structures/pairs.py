"""Models whose rows meet several columns of one group, or columns through tables, as MPS text."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from perf.score import nameless, shuffled

from ordojo.structures import Flat
from tests.structures.toys import flat_of

Rows = dict[str, dict[str, float]]


def written(rows: Rows, named: bool = True) -> str:
    """Rows `<=` 1 of binaries; without names, rows are numbered through."""
    columns: dict[str, list[str]] = defaultdict(list)
    called = {row: row if named else f"R{k}" for k, row in enumerate(rows)}
    for row, entries in rows.items():
        for col, value in entries.items():
            columns[col].append(f" {col} {called[row]} {value!r}")
    lines = ["NAME pairs", "ROWS", " N obj", *[f" L {row}" for row in called.values()], "COLUMNS"]
    lines += [line for col, mine in columns.items() for line in (f" {col} obj 1", *mine)]
    lines += ["RHS", *[f" R {row} 1" for row in called.values()], "BOUNDS"]
    return "\n".join([*lines, *[f" BV B {col}" for col in columns], "ENDATA", ""])


def graph(seed: int, nodes: int = 14) -> list[tuple[int, int]]:
    """Some pairs of nodes, each in either order."""
    draw = np.random.default_rng(seed)
    every = [pair for pair in combinations(range(nodes), 2) if draw.random() < 0.3]
    return [(i, j) if draw.random() < 0.5 else (j, i) for i, j in every]


def conflicts(seed: int = 1) -> Rows:
    """`x[i] + x[j]` for edges, and the same at each time."""
    return {f"e[{i},{j}]": {f"x[{i}]": 1.0, f"x[{j}]": 1.0} for i, j in graph(seed)}


def timed(seed: int = 1, times: int = 5) -> Rows:
    """`x[i, t] + x[j, t] - y[i, t - 1]`, the last not for the first time."""
    rows: Rows = {}
    for i, j in graph(seed):
        for t in range(times):
            row = rows[f"c[{i},{j},{t}]"] = {f"x[{i},{t}]": 1.0, f"x[{j},{t}]": 1.0}
            if t:
                row[f"y[{i},{t - 1}]"] = -1.0
    return rows


def numbered(seed: int = 1, times: int = 4) -> Rows:
    """`x[i, t] + x[j, t] - y[e]`, where e numbers the edges and names say no more."""
    return {
        f"c[{e},{t}]": {f"x[{i},{t}]": 1.0, f"x[{j},{t}]": 1.0, f"y[{e}]": -1.0}
        for e, (i, j) in enumerate(graph(seed))
        for t in range(times)
    }


def orders(nodes: int = 7) -> Rows:
    """`x[i, j] + x[j, i]`."""
    return {
        f"o[{i},{j}]": {f"x[{i},{j}]": 1.0, f"x[{j},{i}]": 1.0}
        for i, j in combinations(range(nodes), 2)
    }


def triangles(nodes: int = 6) -> Rows:
    """`x[i, j] + x[j, k] - x[i, k]`."""
    return {
        f"t[{i},{j},{k}]": {f"x[{i},{j}]": 1.0, f"x[{j},{k}]": 1.0, f"x[{i},{k}]": -1.0}
        for i, j, k in permutations(range(nodes), 3)
    }


def keyed(seed: int = 3, boundary: bool = False) -> Rows:
    """Customers j of depots f(j) in regions g(f(j)); with `boundary` some are in no region."""
    draw = np.random.default_rng(seed)
    depot = [*range(6), *draw.integers(0, 6, 18).tolist()]
    region = [0, 1, 2, 1, 0, 2]
    rows: Rows = defaultdict(dict)
    for j, i in enumerate(depot):
        rows[f"link[{j}]"] = {f"x[{j}]": 1.0, f"y[{i}]": -1.0}
    for i, r in enumerate(region):
        rows[f"open[{i}]"] = {f"y[{i}]": 1.0, f"z[{r}]": -1.0}
    for j, i in enumerate(depot):
        rows[f"cap[{i}]"] |= {f"x[{j}]": 2.0, f"y[{i}]": -9.0}
        if not (boundary and j % 5 == 0):
            rows[f"reg[{region[i]}]"] |= {f"x[{j}]": 3.0, f"z[{region[i]}]": -30.0}
    return rows


def tabled(seed: int = 3, times: int = 8) -> Rows:
    """Members (i, j) and (j, k) at each time, (k, j) turned around, and (i, k) through both."""
    draw = np.random.default_rng(seed)
    one = [(i, j) for i in range(6) for j in range(10, 16) if draw.random() < 0.4]
    two = [(j, k) for j in range(10, 16) for k in range(20, 32) if draw.random() < 0.3]
    rows: Rows = defaultdict(dict)
    for t in range(times):
        for i, j in one:
            rows[f"p[{i},{t}]"][f"y[{j},{t}]"] = 1.0
        for j, k in two:
            rows[f"q[{j},{t}]"][f"x[{k},{t}]"] = 1.0
            if t % 4:
                rows[f"q[{j},{t}]"][f"x[{k},{t - 1}]"] = -2.0
            rows[f"s[{k},{t}]"] |= {f"w[{j},{t}]": 1.0, f"x[{k},{t}]": -7.0}
        for i, j in one:
            for k in (k for other, k in two if other == j):
                rows[f"r[{i},{t}]"] |= {f"x[{k},{t}]": 1.0, f"v[{i},{t}]": -4.0}
    return rows


def owned(seed: int = 4, arcs: int = 60) -> Rows:
    """Arcs k, numbered through, from i(k) to j(k): several in a row (i, j)."""
    draw = np.random.default_rng(seed)
    rows: Rows = defaultdict(dict)
    for k, (i, j) in enumerate(draw.integers(0, 6, (arcs, 2)).tolist()):
        rows[f"w[{i},{j}]"] |= {f"arc[{k}]": 9.0, f"s[{i}]": 1.0, f"u[{j}]": -1.0}
    return rows


def chosen(slots: int = 9) -> Rows:
    """`x[t]` for the one machine a(t) of each time but the last, of rows (a, t)."""
    rows: Rows = {f"d[{a},{t}]": {f"m[{a}]": 1.0} for a in range(4) for t in range(slots)}
    for t in range(slots - 1):
        rows[f"d[{t * t % 7 % 4},{t}]"][f"x[{t}]"] = 1.0
    return rows


@st.composite
def any_rows(draw: st.DrawFn) -> Rows:
    """A few terms over two indices of the row, with any shifts, or a key; some rows left out."""
    node = st.integers(0, 5)
    index = draw(st.lists(st.tuples(node, node), min_size=1, max_size=20, unique=True))
    key = draw(st.lists(node, min_size=6, max_size=6))
    term = st.tuples(
        st.sampled_from([(0,), (1,), (0, 1), (1, 0), (1, 1)]),
        st.integers(-1, 1),
        st.booleans(),
        st.sampled_from([1.0, -1.0, 2.5]),
        st.integers(0, 9),
    )
    rows: Rows = {f"r[{i},{j}]": {"one": 1.0} for i, j in index}
    for of, shift, through, value, left_out in draw(st.lists(term, min_size=1, max_size=4)):
        for k, at in enumerate(index):
            if k != left_out:
                inner = [key[at[a]] if through else at[a] + shift + 1 for a in of]
                rows["r[{},{}]".format(*at)][f"x{len(of)}[{','.join(map(str, inner))}]"] = value
                if through:
                    rows.setdefault(f"c[{inner[0]}]", {"one": 2.0})[f"z[{k}]"] = value
    return rows


MODELS: dict[str, Callable[[], Rows]] = {
    "conflicts": conflicts,
    "timed": timed,
    "numbered": numbered,
    "orders": orders,
    "triangles": triangles,
    "keyed": keyed,
    "boundary": partial(keyed, boundary=True),
    "tabled": tabled,
    "owned": owned,
    "chosen": chosen,
}


def variants(folder: Path, name: str) -> Iterator[Flat]:
    """One of MODELS with names and with numbers; each as it is, without names, and shuffled."""
    for named in (True, False):
        flat = flat_of(folder, written(MODELS[name](), named))
        yield from (flat, nameless(flat), shuffled(flat, 1)[0])
