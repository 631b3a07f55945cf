"""ReSocratic's format: every variable's value beside the objective's, told apart by labels."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError
from ordojo.datasets.golds import Gold, read_key
from ordojo.datasets.nl2opt.items import Item
from ordojo.datasets.nl2opt.sources import labels_of, need, need_text, read_records

SUPERLATIVE = re.compile(r"\b(max|min)(imum|imi[sz]ed?|imal)?\b|\boptimal\b|\bobjective\b", re.I)
AMOUNT = re.compile(r"\b(totals?|profit|cost|revenue|expected|net|ratio)\b", re.I)


def read_results(dataset: str, path: Path) -> list[Item]:
    """One item a row; its gold is the entry that is the objective. Raises DataError."""
    items = []
    for number, (where, row) in enumerate(read_records(path), 1):
        results = need(row, "results", where)
        if not isinstance(results, dict):
            raise DataError(f"{where} has 'results' that are no object; get the dataset again")
        label, named = objective_label(results)
        key = read_key(results.get(label))
        golds = tuple(Gold(gold.kind, gold.value, gold.text, label) for gold in key.golds)
        items.append(
            Item(
                id=str(row.get("index", number)),
                dataset=dataset,
                question=need_text(row, "question", where),
                golds=golds,
                status=key.status,
                reason=key.reason,
                labels={
                    **labels_of(row, type="type"),
                    "entries": str(len(results)),
                    "objective": "named" if named else "assumed",
                },
            )
        )
    return items


def objective_label(results: Mapping[str, Any]) -> tuple[str, bool]:
    """The entry that is the objective, and whether its label sounds like one.

    The source does not say which it is. It is the last one, as in the 384 of 605 with three
    entries, unless only the first one sounds like it.
    """
    labels = list(results)
    if not labels:
        return "", False
    sounds = [bool(SUPERLATIVE.search(label) or AMOUNT.search(label)) for label in labels]
    if sounds[0] and sum(sounds) == 1:
        return labels[0], True
    return labels[-1], sounds[-1]
