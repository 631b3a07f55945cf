"""What the MIPLIB-NL paper says of models: tables 1, 7 and 8, figure 6, and section 4.4."""

from collections.abc import Mapping, Sequence
from functools import cache

from ordojo.core.files import shipped_table
from ordojo.core.panels import Published
from ordojo.datasets.nl2opt.statistics import EVALUATED

PAPER = "MIPLIB-NL paper"

COLUMNS: Mapping[str, str] = {
    "nl4opt": "NL4Opt",
    "mamo-easy": "MAMO-E",
    "mamo-complex": "MAMO-C",
    "complexor": "ComplexOR",
    "industryor": "IndustryOR",
    "nlp4lp": "NLP4LP",
    "resocratic": "ReSocratic",
    "optmath-bench": "OptMath",
    "bench4opt": "Bench4Opt",
    "logior": "LogiOR",
    "miplib-nl": "MIPLIB-NL",
}
"""The tables' columns by dataset."""

TABLES: Mapping[str, tuple[str, str]] = {
    "pass@1": ("nl2opt_pass1.csv", "table 1"),
    "pass@8": ("nl2opt_pass8.csv", "table 7"),
    "execution error": ("nl2opt_execution_error.csv", "table 8"),
}

AVERAGE = "Avg"

FIGURE_6: Mapping[str, float] = {
    "<500": 0.323,
    "<1,000": 0.222,
    "<10,000": 0.249,
    ">=10,000": 0.204,
}
"""Mean pass@1 by scale on MIPLIB-NL."""

SECTION_4_4: Mapping[str, float] = {"execution": 0.450, "modelling": 0.483, "timeout": 0.067}
"""Shares of the error classes among failures on MIPLIB-NL."""


@cache
def table(name: str) -> Mapping[str, Mapping[str, float]]:
    """A table's rows: model to dataset to share. The averages are the row "Avg"."""
    return {
        row["method"]: {
            dataset: round(float(row[column]) / 100, 6) for dataset, column in COLUMNS.items()
        }
        for row in shipped_table(__package__, f"tables/{TABLES[name][0]}")
    }


def published_scores() -> Sequence[Published]:
    """For the leaderboard: pass@1 on MIPLIB-NL, with pass@8 and the share of execution errors."""
    one, eight, errors = (table(name) for name in TABLES)
    family, source = "miplib-nl", f"{PAPER}, table 1"
    return [
        Published(
            model,
            "MIPLIB-NL, as published",
            scores[family],
            source,
            {"pass@8": eight[model][family], "execution_error": errors[model][family]},
            EVALUATED[family],
        )
        for model, scores in one.items()
        if model != AVERAGE
    ]
