"""Reading a letter out of a reply, by four named rules, and the figures that come of it.

Accuracy, three conventions of macro-F1, and breakdowns, all with intervals.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.orqa.schema import LETTERS, QUESTION_TYPES, SKILLS, Question
from ordojo.core.episode import Episode
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Verdict
from ordojo.core.readers.letters import read_letter
from ordojo.core.readers.turn import without_thinking
from ordojo.core.records import SampleRecord, scored, share
from ordojo.core.statistics import (
    Estimate,
    Numbers,
    ResampledFigure,
    bootstrap_figures,
    group_index,
    mean_interval,
)

Reader = Callable[[str, Sequence[str]], str | None]
"""From a reply and the texts of the four options to a letter; only "letter" looks at them."""


def read_stripped(text: str, _: Sequence[str] = ()) -> str | None:
    """The reply, stripped, if it is one of the four letters."""
    letter = text.strip()
    return letter if letter in LETTERS else None


def read_exact(text: str, _: Sequence[str] = ()) -> str | None:
    """The reply if it is one of the four letters with nothing around it."""
    return text if text in LETTERS else None


def read_first_character(text: str, _: Sequence[str] = ()) -> str | None:
    """The reply's first character if it is one of the four letters."""
    return text[:1] if text[:1] in LETTERS else None


READERS: Mapping[str, Reader] = {
    "published": read_stripped,
    "published-exact": read_exact,
    "first-character": read_first_character,
    "letter": read_letter,
}
"""Rules by name. "published" is the protocol as documented. The released program compares the
unstripped text ("published-exact"), and its second script takes the first character."""


def judge_with(rule: str) -> Judge:
    """The judge that reads the last reply by `rule` and compares it with the answer key."""
    read = READERS[rule]

    def judge(instance: Instance[Question], episode: Episode) -> Verdict:
        letter = read(without_thinking(episode.last_reply), instance.problem.options)
        if letter is None:
            return Verdict(rule, "unparsed", 0.0, reason="no letter could be read")
        right = letter == instance.problem.letter
        return Verdict(rule, "correct" if right else "wrong", float(right), letter)

    return judge


Codes = NDArray[np.intp]
Convention = Callable[[Codes, Codes], tuple[Codes, Codes]]
UNPARSED = len(LETTERS)


def accuracy(records: Sequence[SampleRecord], rule: str) -> Estimate:
    """Mean score, with an interval clustered on the context."""
    return share(scored(records, rule), lambda verdict: verdict.score)


def letter_codes(records: Sequence[SampleRecord], rule: str) -> tuple[Codes, Codes]:
    """Gold and predicted letters as 0..3, 4 for an unparsed prediction."""
    code = {letter: place for place, letter in enumerate(LETTERS)}
    rows = scored(records, rule)
    gold = np.array([code[str(record.gold)] for record, _ in rows], dtype=np.intp)
    predicted = np.array([code.get(str(v.answer), UNPARSED) for _, v in rows], dtype=np.intp)
    return gold, predicted


def macro_f1(gold: Codes, predicted: Codes) -> float:
    """Mean F1 of the four letters; an unparsed prediction is a miss of its gold letter only.

    A letter that occurs neither in gold nor among predictions counts 0, as in scikit-learn where
    it is given all four labels.
    """
    return float(_f1_of(_pairs(gold, predicted).sum(axis=0)[None])[0])


def _pairs(gold: Codes, predicted: Codes) -> Numbers:
    """Of each row, which of the 20 pairs of gold and predicted letter it is; shape (n, 20)."""
    rows: Numbers = np.eye(20)[gold * 5 + predicted]
    return rows


def _f1_of(counts: Numbers) -> Numbers:
    """The macro-F1 of each row of counts of pairs; shape (m, 20) to (m,)."""
    tables = counts.reshape(-1, 4, 5)
    hits = np.diagonal(tables[:, :, :4], axis1=1, axis2=2)
    shown = tables.sum(axis=2) + tables[:, :, :4].sum(axis=1)
    return np.asarray((2 * hits / np.maximum(shown, 1)).mean(axis=1))


def _published(gold: Codes, predicted: Codes) -> tuple[Codes, Codes]:
    """The released task's convention: an unparsed prediction counts as letter gold + 1 (mod 4)."""
    return gold, np.where(predicted == UNPARSED, (gold + 1) % 4, predicted)


def _published_script(gold: Codes, predicted: Codes) -> tuple[Codes, Codes]:
    """The released evaluation script's: an unparsed item counts as predicted A with gold D."""
    missing = predicted == UNPARSED
    return np.where(missing, 3, gold), np.where(missing, 0, predicted)


F1_CONVENTIONS: Mapping[str, Convention] = {
    "macro_f1": lambda gold, predicted: (gold, predicted),
    "macro_f1_published": _published,
    "macro_f1_published_script": _published_script,
}
"""What a convention takes gold and predicted letters to be."""


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """Accuracy first, then F1, unparsed rate, accuracy by type and by skill."""
    figures: dict[str, Estimate] = {"accuracy": accuracy(records, rule)}
    gold, predicted = letter_codes(records, rule)
    clusters = [record.cluster for record, _ in scored(records, rule)]
    every = np.ones(len(gold), dtype=bool)
    f1s = {
        name: ResampledFigure(every, tuple(_pairs(*convention(gold, predicted)).T), _f1_of)
        for name, convention in F1_CONVENTIONS.items()
    }
    figures |= bootstrap_figures(f1s, group_index(clusters, len(gold)))
    figures["unparsed_rate"] = mean_interval((predicted == UNPARSED).astype(float), clusters)
    for kind in QUESTION_TYPES:
        figures[f"accuracy/{kind}"] = accuracy(with_type(records, (kind,)), rule)
    for skill, kinds in SKILLS.items():
        figures[f"accuracy/{skill}"] = accuracy(with_type(records, kinds), rule)
    return figures


def with_type(records: Sequence[SampleRecord], kinds: Sequence[str]) -> list[SampleRecord]:
    """The records of questions of these types."""
    return [record for record in records if record.labels["type"] in kinds]
