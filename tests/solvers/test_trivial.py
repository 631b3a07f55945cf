"""Answers that follow from bounds and constants alone, and those in which a row takes part."""

from collections.abc import Callable
from typing import Any

import pytest

from ordojo.compat import gurobipy as gp
from ordojo.compat import transport
from ordojo.compat.gurobipy import GRB
from ordojo.compat.service import Service

TRIVIAL = {
    "fixed by bounds": lambda m: m.setObjective(m.addVar(lb=60, ub=60)),
    "fixed by a row": lambda m: _row(m, m.addVar(), lambda x: x == 60),
    "by two rows": lambda m: _row(m, m.addVar(), lambda x: x >= 60),
    "equal to a fixed one": lambda m: _chain(m),
    "fixed, with a row on others": lambda m: _beside(m),
    "two at their bounds, a loose row": lambda m: _pair(m, 100.0, 8.0),
    "a constant": lambda m: (m.addConstr(m.addVar() + m.addVar() >= 1), m.setObjective(60)),
    "nothing to improve": lambda m: m.addConstr(m.addVar() + m.addVar() >= 1),
    "rounded": lambda m: m.setObjective(m.addVar(ub=4.7, vtype="I"), GRB.MAXIMIZE),
    "quadratic": lambda m: _square(m),
    "infeasible": lambda m: m.setObjective(m.addVar(lb=1, ub=0)),
    "infeasible by rows": lambda m: _row(m, m.addVar(ub=3), lambda x: x >= 4),
    "unbounded": lambda m: m.setObjective(m.addVar(), GRB.MAXIMIZE),
}
REAL = {
    "numbers beyond floats": lambda m: _huge(m),
    "a row binds": lambda m: _pair(m, 10.0, 8.0),
    "flow": lambda m: _flow(m),
    "whole numbers": lambda m: _knapsack(m),
    "infeasible": lambda m: _row(m, m.addVar(ub=3) + m.addVar(ub=3), lambda x: x >= 7),
    "quadratic": lambda m: _circle(m),
    "indicator": lambda m: _switch(m),
}


def _row(m: Any, x: Any, row: Callable[[Any], Any]) -> None:
    m.addConstr(row(x))
    m.setObjective(x)


def _huge(m: Any) -> None:
    x, y = m.addVar(lb=1e19, ub=1e19), m.addVar(ub=5)
    m.addConstr(1e300 * x + 1e-300 * y <= 1e300)
    m.setObjective(y, GRB.MAXIMIZE)


def _chain(m: Any) -> None:
    x, y, z = m.addVar(lb=30, ub=30), m.addVar(), m.addVar()
    m.addConstr(y == 2 * x)
    m.addConstr(z - y == 0)
    m.setObjective(z)


def _beside(m: Any) -> None:
    x, y, z = m.addVar(lb=60, ub=60), m.addVar(), m.addVar()
    m.addConstr(y + z >= 3)
    m.setObjective(x)


def _pair(m: Any, room: float, most: float) -> None:
    x, y = m.addVar(ub=most), m.addVar(ub=most)
    m.addConstr(x + y <= room)
    m.setObjective(3 * x + 2 * y, GRB.MAXIMIZE)


def _square(m: Any) -> None:
    x = m.addVar(lb=2)
    m.setObjective(x * x)


def _circle(m: Any) -> None:
    x, y = m.addVar(), m.addVar()
    m.addConstr(x + y >= 6)
    m.setObjective((x - 3) * (x - 3) + y * y)


def _flow(m: Any) -> None:
    out, on = m.addVar(ub=5), m.addVar(ub=9)
    m.addConstr(out - on == 0)
    m.setObjective(out, GRB.MAXIMIZE)


def _knapsack(m: Any) -> None:
    x, y = m.addVar(vtype="B"), m.addVar(vtype="B")
    m.addConstr(x + y <= 1)
    m.setObjective(5 * x + 4 * y, GRB.MAXIMIZE)


def _switch(m: Any) -> None:
    on, made = m.addVar(vtype="B"), m.addVar(lb=1, ub=20)
    m.addConstr((on == 0) >> (made >= 8))
    m.setObjective(10 * on + made)


@pytest.mark.parametrize("name", [*(f"trivial {n}" for n in TRIVIAL), *(f"real {n}" for n in REAL)])
def test_trivial_is_what_no_row_takes_part_in(name: str) -> None:
    kind, _, case = name.partition(" ")
    service = Service(inline=True)
    transport.use(service)
    try:
        model: Any = gp.Model()
        model.Params.OutputFlag = 0
        (TRIVIAL if kind == "trivial" else REAL)[case](model)
        model.optimize()
    finally:
        transport.use(None)
    (record,) = service.records
    assert record.trivial is (kind == "trivial"), record
    assert not record.told
