"""Scores quoted from paper 003: tables 1 (pass@1), 7 (pass@8) and 8 (execution errors)."""

import csv
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from ordojo.core.panels import Published
from ordojo.datasets.nl2opt.statistics import EVALUATED

PAPER = "MIPLIB-NL paper"
TEMPERATURE = 0.6
"""At which the paper's samples were drawn (F.3)."""

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
    path = files(__package__).joinpath(f"tables/{TABLES[name][0]}")
    rows = csv.DictReader(path.read_text("utf-8").splitlines())
    return {
        row["method"]: {
            dataset: round(float(row[column]) / 100, 6) for dataset, column in COLUMNS.items()
        }
        for row in rows
    }


def published_scores() -> Sequence[Published]:
    """For the leaderboard: pass@1 on MIPLIB-NL, with pass@8 and the share of execution errors."""
    return [
        Published(
            model,
            "MIPLIB-NL, as published",
            scores["miplib-nl"],
            f"{PAPER}, table 1",
            {
                "pass@8": table("pass@8")[model]["miplib-nl"],
                "execution_error": table("execution error")[model]["miplib-nl"],
            },
            EVALUATED["miplib-nl"],
        )
        for model, scores in table("pass@1").items()
        if model != AVERAGE
    ]
