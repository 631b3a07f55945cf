"""Scores quoted from the ORQA paper (AAAI 2025)."""

import csv
from collections.abc import Iterator, Sequence
from importlib.resources import files

from ordojo.core.panels import Published

DATASET = "orqa@793beee"

SETTINGS = {
    "standard_0shot": "standard, 0-shot",
    "standard_1shot": "standard, 1-shot",
    "standard_3shot": "standard, 3-shot",
    "cot_0shot": "cot, 0-shot",
    "cot_1shot": "cot, 1-shot",
}
"""Columns of table 2, and how our own runs with these settings are called."""


def read_table(name: str) -> Iterator[dict[str, str]]:
    """The rows of one transcribed table."""
    text = files(__package__).joinpath("tables").joinpath(name).read_text("utf-8")
    yield from csv.DictReader(text.splitlines())


def published_scores() -> Sequence[Published]:
    """Table 2, one entry for each model and setting, and the human expert's score."""
    source = "ORQA, table 2"
    scores = [
        Published(row["model"], SETTINGS[column], float(row[column]), source, dataset=DATASET)
        for row in read_table("orqa_table2.csv")
        for column in SETTINGS
        if row[column]
    ]
    who = "human expert (100 questions)"
    human = Published(who, "standard, 0-shot", 0.93, "ORQA, section 5", dataset=DATASET)
    return [*scores, human]
