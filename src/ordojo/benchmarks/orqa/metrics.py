"""ORQA's figures: accuracy, three conventions of macro-F1, and breakdowns, all with intervals."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.orqa.schema import LETTERS, QUESTION_TYPES, SKILLS
from ordojo.core.records import SampleRecord
from ordojo.core.statistics import Estimate, bootstrap, mean_interval

Codes = NDArray[np.intp]
F1 = Callable[[Codes, Codes], float]
UNPARSED = len(LETTERS)


def scored(records: Sequence[SampleRecord], rule: str) -> list[tuple[SampleRecord, float]]:
    """The records that `rule` scored, with their scores."""
    return [
        (record, verdict.score)
        for record in records
        if (verdict := record.verdict(rule)) is not None and verdict.score is not None
    ]


def accuracy(records: Sequence[SampleRecord], rule: str) -> Estimate:
    """Mean score, with an interval clustered on the context."""
    pairs = scored(records, rule)
    return mean_interval([score for _, score in pairs], [record.cluster for record, _ in pairs])


def letter_codes(records: Sequence[SampleRecord], rule: str) -> tuple[Codes, Codes]:
    """Gold and predicted letters as 0..3, 4 for an unparsed prediction."""
    code = {letter: place for place, letter in enumerate(LETTERS)}
    rows = [record for record, _ in scored(records, rule)]
    gold = np.array([code[str(record.gold)] for record in rows], dtype=np.intp)
    said = [record.verdicts[rule].answer for record in rows]
    predicted = np.array([code.get(str(letter), UNPARSED) for letter in said], dtype=np.intp)
    return gold, predicted


def macro_f1(gold: Codes, predicted: Codes) -> float:
    """Mean F1 of the four letters; an unparsed prediction is a miss of its gold letter only.

    A letter that occurs neither in gold nor among predictions counts 0, as in scikit-learn where
    it is given all four labels.
    """
    table = np.bincount(gold * 5 + predicted, minlength=20)[:20].reshape(4, 5)
    hits = np.diag(table[:, :4])
    shown = table.sum(axis=1) + table[:, :4].sum(axis=0)
    return float(np.mean(2 * hits / np.maximum(shown, 1)))


def macro_f1_published(gold: Codes, predicted: Codes) -> float:
    """The released task's convention: an unparsed prediction counts as letter gold + 1 (mod 4)."""
    return macro_f1(gold, np.where(predicted == UNPARSED, (gold + 1) % 4, predicted))


def macro_f1_published_script(gold: Codes, predicted: Codes) -> float:
    """The released evaluation script's: an unparsed item counts as predicted A with gold D."""
    missing = predicted == UNPARSED
    return macro_f1(np.where(missing, 3, gold), np.where(missing, 0, predicted))


F1_CONVENTIONS: Mapping[str, F1] = {
    "macro_f1": macro_f1,
    "macro_f1_published": macro_f1_published,
    "macro_f1_published_script": macro_f1_published_script,
}


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """Accuracy first, then F1, unparsed rate, accuracy by type and by skill."""
    figures: dict[str, Estimate] = {"accuracy": accuracy(records, rule)}
    gold, predicted = letter_codes(records, rule)
    clusters = [record.cluster for record, _ in scored(records, rule)]
    for name, f1 in F1_CONVENTIONS.items():
        figures[name] = bootstrap(_on_rows(f1, gold, predicted), len(gold), clusters)
    figures["unparsed_rate"] = mean_interval((predicted == UNPARSED).astype(float), clusters)
    for kind in QUESTION_TYPES:
        figures[f"accuracy/{kind}"] = accuracy(_with_type(records, (kind,)), rule)
    for skill, kinds in SKILLS.items():
        figures[f"accuracy/{skill}"] = accuracy(_with_type(records, kinds), rule)
    return figures


def _on_rows(f1: F1, gold: Codes, predicted: Codes) -> Callable[[Codes], float]:
    return lambda rows: f1(gold[rows], predicted[rows])


def _with_type(records: Sequence[SampleRecord], kinds: Sequence[str]) -> list[SampleRecord]:
    return [record for record in records if record.labels["type"] in kinds]
