"""An explanation as one HTML page that loads nothing: conflicts drawn, repairs listed."""

from typing import Any

import jinja2

from ordojo.milp.model import Model
from ordojo.solvers.answers import Iis
from ordojo.solvers.explain import Explanation

DRAWN = 40
"""Rows, and columns, of a conflict that are drawn: more lines cross than an eye follows."""
_STEP, _BETWEEN, _LETTER = 34, 130, 9.2
"""Pixels: from one name to the next, from rows to columns, and a letter's width."""


def explanation_page(told: Explanation) -> str:
    """The page, self-contained; every name is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("ordojo.reports"), autoescape=True, trim_blocks=True
    )
    found = told.to_json()
    conflicts = [found["iis"], *found["further_conflicts"]] if told.conflicts else []
    pairs = zip(conflicts, told.conflicts, strict=True)
    return environment.get_template("explanation.html").render(
        told=found,
        conflicts=[(one, _drawing(told.model, iis, told.columns)) for one, iis in pairs],
        ways=told.ways_out(),
        repairs=[told.repair_lines(k, one) for k, one in enumerate(told.repairs, 1)],
        direction=told.direction(),
        headline=told.text().split("\n", 1)[0],
        doubts=told.doubts,
        notes=list(told.notes),
        text=told.text(),
    )


def _drawing(model: Model, iis: Iis, size: int) -> dict[str, Any] | None:
    """Places of rows, the first `size` columns and the lines between them; None where there are too
    many.
    """
    rows = [i for i, _ in iis.rows]
    terms = [
        (k, int(j), float(v))
        for k, i in enumerate(rows)
        for j, v in zip(*model.row(i), strict=True)
        if j < size
    ]
    columns = sorted({j for _, j, _ in terms} | {j for j, _ in iis.bounds})
    if not rows or not columns or max(len(rows), len(columns)) > DRAWN:
        return None
    bounded = {j for j, _ in iis.bounds}
    height = _STEP * max(len(rows), len(columns))

    left = 14 + _LETTER * max(len(_short(model.row_names[i])) for i in rows)
    right = left + _BETWEEN
    width = right + 14 + _LETTER * max(len(_short(model.col_names[j])) for j in columns)

    def place(k: int, count: int) -> float:
        return height * (k + 0.5) / count

    return {
        "height": height,
        "width": width,
        "left": left,
        "right": right,
        "rows": [(_short(model.row_names[i]), place(k, len(rows))) for k, i in enumerate(rows)],
        "columns": [
            (_short(model.col_names[j]), place(k, len(columns)), j in bounded)
            for k, j in enumerate(columns)
        ],
        "lines": [
            (left, place(k, len(rows)), right, place(columns.index(j), len(columns)), v < 0)
            for k, j, v in terms
        ],
    }


def _short(name: str) -> str:
    return name if len(name) <= 28 else f"{name[:25]}..."
