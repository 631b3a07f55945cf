"""The trigger-prompt study of table 3: repeated runs, their spread, and the majority vote."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ordojo.benchmarks.orqa.schema import LETTERS
from ordojo.core.records import SampleRecord

Votes = Mapping[str, Mapping[int, Mapping[str, tuple[str | None, str]]]]
"""trigger -> epoch -> question -> (predicted letter, gold letter)."""


def collect(records: Sequence[SampleRecord], rule: str) -> Votes:
    """Arrange chain-of-thought records by trigger, epoch and question."""
    votes: dict[str, dict[int, dict[str, tuple[str | None, str]]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for record in records:
        verdict = record.verdict(rule)
        if verdict is not None and "trigger" in record.labels:
            letter = None if verdict.answer is None else str(verdict.answer)
            question = record.id.partition("~")[0]
            votes[record.labels["trigger"]][record.epoch][question] = (letter, str(record.gold))
    return votes


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
    epochs = sorted(set.intersection(*(set(runs) for runs in votes.values()))) if votes else []
    accuracies = []
    for epoch in epochs:
        runs = [by_epoch[epoch] for by_epoch in votes.values()]
        shared = set.intersection(*(set(run) for run in runs))
        right = sum(vote([run[q][0] for run in runs]) == runs[0][q][1] for q in shared)
        if shared:
            accuracies.append(right / len(shared))
    return accuracies


def vote(letters: Sequence[str | None]) -> str | None:
    """The most frequent letter, None if all abstain."""
    counts = Counter(letter for letter in letters if letter in LETTERS)
    return min(counts, key=lambda letter: (-counts[letter], letter), default=None)
