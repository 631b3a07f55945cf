"""The trigger-prompt study of table 3: repeated runs, their spread, and the majority vote."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ordojo.benchmarks.orqa.schema import LETTERS, TRIGGERS
from ordojo.core.records import RunView

Repetition = tuple[int, int]
"""A run's seed, and an epoch."""

Votes = Mapping[str, Mapping[Repetition, Mapping[str, tuple[str | None, str]]]]
"""trigger -> repetition -> question -> (predicted letter, gold letter)."""


def collect(runs: Sequence[RunView]) -> Votes:
    """Arrange the records of chain-of-thought runs by trigger, repetition and question."""
    votes: dict[str, dict[Repetition, dict[str, tuple[str | None, str]]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for run in runs:
        for record in run.records:
            verdict = record.verdict(run.header.rule)
            if verdict is not None and "trigger" in record.labels:
                letter = None if verdict.answer is None else str(verdict.answer)
                answers = votes[record.labels["trigger"]][run.header.seed, record.epoch]
                answers[_without_trigger(record.id)] = (letter, str(record.gold))
    return votes


def _without_trigger(name: str) -> str:
    """A record's id without the mark of its trigger; a rotation of the options is kept apart."""
    head, _, mark = name.rpartition("~")
    return head if mark in TRIGGERS else name


def run_accuracies(votes: Votes, trigger: str) -> list[float]:
    """The accuracy of each repeated run of a trigger."""
    return [
        sum(said == gold for said, gold in answers.values()) / len(answers)
        for _, answers in sorted(votes[trigger].items())
    ]


def ensemble_accuracies(votes: Votes) -> list[float]:
    """The accuracy of the majority vote over triggers, one figure for each repetition.

    Unparsed answers abstain; ties go to the alphabetically first letter, so that the vote needs
    no random choice. Questions that some trigger has not answered in that repetition are left out.
    """
    shared_by_all = set.intersection(*(set(runs) for runs in votes.values())) if votes else set()
    accuracies = []
    for repetition in sorted(shared_by_all):
        runs = [repetitions[repetition] for repetitions in votes.values()]
        shared = set.intersection(*(set(run) for run in runs))
        right = sum(vote([run[q][0] for run in runs]) == runs[0][q][1] for q in shared)
        if shared:
            accuracies.append(right / len(shared))
    return accuracies


def vote(letters: Sequence[str | None]) -> str | None:
    """The most frequent letter, None if all abstain."""
    counts = Counter(letter for letter in letters if letter in LETTERS)
    return min(counts, key=lambda letter: (-counts[letter], letter), default=None)
