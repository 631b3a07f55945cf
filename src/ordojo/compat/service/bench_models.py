"""Models for `bench_stopping`: five kinds, of any size, with rows in named families."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ordojo.milp.model import INF, Model

Rng = np.random.Generator


class _Draft:
    """A model written row by row, with rows in named families."""

    def __init__(self) -> None:
        self.cost: list[float] = []
        self.upper: list[float] = []
        self.types: list[int] = []
        self.rows: list[tuple[str, dict[int, float], float, float]] = []

    def column(self, cost: float | np.integer[Any], upper: float = 1.0, kind: int = 2) -> int:
        """A new column's number."""
        self.cost.append(float(cost))
        self.upper.append(upper)
        self.types.append(kind)
        return len(self.cost) - 1

    def row(self, family: str, terms: dict[int, float], lower: float, upper: float) -> None:
        """A new row."""
        self.rows.append((family, terms, lower, upper))

    def model(self, name: str, maximize: bool) -> Model:
        """The model; its rows are called family.number."""
        lengths = [len(terms) for _, terms, _, _ in self.rows]
        n = len(self.cost)
        return Model(
            name=name,
            maximize=maximize,
            objective=np.array(self.cost),
            offset=0.0,
            col_names=tuple(f"x{j}" for j in range(n)),
            col_lower=np.zeros(n),
            col_upper=np.array(self.upper),
            types=np.array(self.types, np.uint8),
            row_names=tuple(f"{row[0]}.{k}" for k, row in enumerate(self.rows)),
            row_lower=np.array([row[2] for row in self.rows], np.float64),
            row_upper=np.array([row[3] for row in self.rows], np.float64),
            starts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
            index=np.array([j for row in self.rows for j in row[1]], np.int32),
            value=np.array([v for row in self.rows for v in row[1].values()], np.float64),
        )


def _selection(rng: Rng, size: float) -> Model:
    """Projects under several budgets, some of which exclude each other."""
    draft, n = _Draft(), int(73 * size)
    use = rng.integers(20, 100, (6, n))
    gain = use.mean(axis=0) * rng.uniform(0.8, 1.2, n)
    columns = [draft.column(round(value)) for value in gain]
    for row in use:
        draft.row("budget", dict(zip(columns, map(float, row), strict=True)), -INF, row.sum() // 3)
    for _ in range(60):
        pair = rng.choice(n, 2, replace=False)
        draft.row("exclusion", {int(j): 1.0 for j in pair}, -INF, 1.0)
    return draft.model("selection", True)


def _location(rng: Rng, size: float) -> Model:
    """Facilities to open, each with a capacity, and customers to serve whole."""
    draft, sites, customers = _Draft(), int(18 * size), int(42 * size)
    demand = rng.integers(5, 30, customers)
    capacity = rng.integers(70, 140, sites)
    opened = [draft.column(rng.integers(250, 500)) for _ in range(sites)]
    here, there = rng.random((sites, 2)), rng.random((customers, 2))
    serve = [
        [
            draft.column(round(100 * float(np.hypot(*(here[i] - there[k])))))
            for k in range(customers)
        ]
        for i in range(sites)
    ]
    for k in range(customers):
        family = "retail" if k % 6 else "trade"
        draft.row(family, {serve[i][k]: 1.0 for i in range(sites)}, 1.0, 1.0)
    for i in range(sites):
        terms = {serve[i][k]: float(demand[k]) for k in range(customers)}
        draft.row("capacity", terms | {opened[i]: -float(capacity[i])}, -INF, 0.0)
    return draft.model("location", False)


def _lots(rng: Rng, size: float) -> Model:
    """Lots of several items on one machine: setups, stock, a capacity each period."""
    draft, items, periods = _Draft(), int(10 * size), int(26 * size)
    demand = rng.integers(0, 60, (items, periods))
    demand[:, 0] = 0
    capacity = float(demand.sum() / periods * 1.3 + 50)
    making = [[draft.column(0, INF, 0) for _ in range(periods)] for _ in range(items)]
    stock = [
        [draft.column(rng.integers(1, 4), INF, 0) for _ in range(periods)] for _ in range(items)
    ]
    setup = [[draft.column(rng.integers(60, 160)) for _ in range(periods)] for _ in range(items)]
    for i in range(items):
        for t in range(periods):
            terms = {making[i][t]: 1.0, stock[i][t]: -1.0}
            if t:
                terms[stock[i][t - 1]] = 1.0
            draft.row("balance", terms, float(demand[i][t]), float(demand[i][t]))
            most = float(demand[i][t:].sum())
            draft.row("setup", {making[i][t]: 1.0, setup[i][t]: -most}, -INF, 0.0)
    for t in range(periods):
        terms = {making[i][t]: 1.0 for i in range(items)}
        terms |= {setup[i][t]: 6.0 for i in range(items)}
        draft.row("capacity", terms, -INF, capacity)
    for i in range(items):
        draft.row("campaign", {setup[i][t]: 1.0 for t in range(periods)}, periods // 2, INF)
    return draft.model("lots", False)


def _cover(rng: Rng, size: float) -> Model:
    """The cheapest sets that cover everything."""
    draft, sets, elements = _Draft(), int(280 * size), int(116 * size)
    members = rng.random((elements, sets)) < 0.05
    columns = [draft.column(rng.integers(8, 30)) for _ in range(sets)]
    for row in members:
        chosen = np.flatnonzero(row) if row.any() else np.array([0, 1])
        draft.row("cover", {columns[j]: 1.0 for j in chosen.tolist()}, 1.0, INF)
    for group in np.array_split(rng.permutation(sets), 13):
        draft.row("group", {int(j): 1.0 for j in group}, -INF, 3.0)
    return draft.model("cover", False)


def _agents(rng: Rng, size: float) -> Model:
    """Jobs given to agents whose hours are limited; dear jobs are quick ones."""
    draft, agents, jobs = _Draft(), int(7 * size), int(36 * size)
    hours = rng.integers(5, 26, (agents, jobs))
    cost = 111 - 4 * hours + rng.integers(-10, 11, (agents, jobs))
    give = [[draft.column(cost[a][k]) for k in range(jobs)] for a in range(agents)]
    for k in range(jobs):
        draft.row("given", {give[a][k]: 1.0 for a in range(agents)}, 1.0, 1.0)
    for a in range(agents):
        limit = float(0.79 * hours[a].sum() / agents)
        draft.row("hours", {give[a][k]: float(hours[a][k]) for k in range(jobs)}, -INF, limit)
        least = jobs // agents
        draft.row("share", {give[a][k]: 1.0 for k in range(jobs)}, least, INF)
    return draft.model("agents", False)


FAMILIES: dict[str, tuple[Callable[[Rng, float], Model], str, str]] = {
    "selection": (_selection, "exclusion", "budget"),
    "location": (_location, "trade", "capacity"),
    "lots": (_lots, "campaign", "capacity"),
    "cover": (_cover, "group", "group"),
    "agents": (_agents, "share", "hours"),
}
"""What makes a model, the family that a wrong variant drops, and the one that it tightens."""
