"""Models that take a solver seconds: projects under budgets, and jobs given to agents."""

from typing import Any

import numpy as np

from ordojo.core.seeds import generator
from ordojo.milp.model import INF, Model
from ordojo.solvers.problem import Problem, Settings

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


_MAKERS = {"selection": _selection, "agents": _agents}


def hard(family: str, seed: int, size: float = 1.0) -> Problem:
    """A model that takes seconds to solve at size 1."""
    model = _MAKERS[family](generator(seed, f"stopping {family}", 0), size)
    return Problem(model, settings=Settings(mip_gap=0.0, time_limit=300.0))
