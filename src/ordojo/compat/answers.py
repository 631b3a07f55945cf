"""Results, events, replies and infeasible subsystems as messages, read back with care."""

from typing import Any

import numpy as np

from ordojo.compat.fields import Fields
from ordojo.compat.messages import MANY, read_sides
from ordojo.compat.wire import BadMessage, pack
from ordojo.solvers.answers import Iis, Side
from ordojo.solvers.problem import WHERES, Ending, Event, Reply, Result, Row


def write_result(result: Result, kind: str = "result") -> bytes:
    """A result as a message."""
    return pack({"kind": kind, "result": result})


def read_result(data: Any) -> Result:
    """The result in an unpacked message; raises BadMessage."""
    fields = Fields(data, "the result")

    def floats(name: str) -> Any:
        return fields.floats(name, None, False, True) if fields.has(name) else None

    pool = []
    for part in fields.items("pool", MANY):
        if not (isinstance(part, list) and len(part) == 2 and isinstance(part[1], np.ndarray)):
            raise BadMessage("the result's pool is damaged")
        pool.append((float(part[0]), np.asarray(part[1], np.float64)))
    return Result(
        ending=Ending(fields.text("ending")),
        objective=fields.maybe("objective", fields.number, False, True),
        bound=fields.maybe("bound", fields.number, False, True),
        x=floats("x"),
        row_dual=floats("row_dual"),
        col_dual=floats("col_dual"),
        nodes=fields.whole("nodes"),
        iterations=fields.whole("iterations"),
        seconds=fields.number("seconds"),
        pool=tuple(pool),
        solver=fields.text("solver"),
        detail=fields.text("detail"),
        cached=fields.flag("cached"),
    )


def read_event(data: Any) -> Event:
    """The event in an unpacked message; raises BadMessage."""
    fields = Fields(data, "the event")
    where = fields.text("where")
    if where not in WHERES:
        raise BadMessage("the event has no known place")
    return Event(
        where,
        fields.floats("x", None, False, True) if fields.has("x") else None,
        fields.maybe("objective", fields.number),
        fields.maybe("best", fields.number),
        fields.maybe("bound", fields.number),
        fields.whole("nodes"),
        fields.number("seconds"),
        fields.text("message"),
    )


def read_reply(data: Any, n: int) -> Reply:
    """The callback's reply in an unpacked message, for n columns; raises BadMessage."""
    fields = Fields(data, "the callback's reply")
    rows = []
    for part in fields.items("lazy", MANY):
        row = Fields(part, "a lazy constraint")
        value = row.floats("value")
        rows.append(Row(row.numbers("index", len(value), n, unique=True), value, *read_sides(row)))
    solution = fields.floats("solution", n, False, True) if fields.has("solution") else None
    return Reply(tuple(rows), fields.flag("terminate"), solution)


def write_iis(iis: Iis) -> dict[str, Any]:
    """An IIS as plain values."""
    return {
        "rows": [[i, str(side)] for i, side in iis.rows],
        "bounds": [[j, str(side)] for j, side in iis.bounds],
        "integral": iis.integral,
        "proven": iis.proven,
        "method": iis.method,
    }


def read_iis(data: Any) -> Iis:
    """The IIS in an unpacked message; raises BadMessage."""
    fields = Fields(data, "the infeasible subsystem")
    try:
        rows, bounds = (
            tuple((int(place), Side(side)) for place, side in fields.items(name, MANY))
            for name in ("rows", "bounds")
        )
    except (TypeError, ValueError):
        raise BadMessage("the infeasible subsystem is damaged") from None
    return Iis(rows, bounds, fields.flag("integral"), fields.flag("proven"), fields.text("method"))
