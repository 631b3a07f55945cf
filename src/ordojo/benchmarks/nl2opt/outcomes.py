"""What became of an answer, by name, and the paper's three classes of errors."""

from enum import StrEnum

from ordojo.core.judge import Outcome as CoreOutcome
from ordojo.core.judge import Verdict


class AnswerOutcome(StrEnum):
    """How an answer ended."""

    CORRECT = "correct"
    """Its objective is the gold, or it found, as the gold has it, that there is no optimum."""
    WRONG = "wrong"
    """It has an optimum, another one than the gold."""
    NOT_EXECUTABLE = "not executable"
    """The program did not come to its end: an exception, or a limit other than time."""
    INFEASIBLE = "infeasible"
    """Its model has no solution, or none was told apart from unboundedness."""
    UNBOUNDED = "unbounded"
    """Its model has no best solution."""
    NO_SOLUTION = "no solution"
    """The program came to its end without an optimum: a limit of its own, a failed solve, nothing
    solved at all."""
    PRINTED = "printed only"
    """It printed an answer that no solve supports."""
    OTHERWISE = "said otherwise"
    """Its last statement is not what its solves gave: another number, or that there is none."""
    TIME_LIMIT = "time limit"
    """The program, or the solver on its model, ran out of time."""
    LICENCE_LIMIT = "licence limit"
    """The real solver's licence was too small for the model, as the service saw it."""
    UNSUPPORTED = "unsupported"
    """The program asked for a feature that our layers, or libraries together, do not have."""
    LACKING = "library missing"
    """The program needs a declared library that our own check could not import."""
    UNDECIDED = "undecided"
    """Its model is of a form, or a size, that cannot be compared with the reference's."""
    NO_PROGRAM = "no program found"
    """There is no Python program in the reply."""


class ErrorClass(StrEnum):
    """The classes of failures of paper 003, section 4.4, figure 7 and appendix G."""

    EXECUTION = "execution"
    """The code fails to run."""
    MODELLING = "modelling"
    """The code runs, on another problem than the one described."""
    TIMEOUT = "timeout"
    """The solver does not finish in the time that it has."""


_O = AnswerOutcome
UNDECIDABLE = frozenset({_O.LICENCE_LIMIT, _O.UNSUPPORTED, _O.LACKING, _O.UNDECIDED})
"""Outcomes that say nothing of the program's model: what the answer chose cannot be decided here.
They count as not solved, and are shown apart."""

_EXECUTION = frozenset({_O.NOT_EXECUTABLE, _O.NO_PROGRAM, _O.PRINTED, _O.OTHERWISE})


def error_class(outcome: AnswerOutcome, solved: bool) -> ErrorClass | None:
    """The paper's class of an outcome, None for a right and for an undecidable one.

    `solved` says whether the program had a model solved; without that, "no solution" means that
    the code did nothing, which is no error of modelling.
    """
    if outcome in {AnswerOutcome.CORRECT, *UNDECIDABLE}:
        return None
    if outcome is AnswerOutcome.TIME_LIMIT:
        return ErrorClass.TIMEOUT
    if outcome in _EXECUTION or (outcome is AnswerOutcome.NO_SOLUTION and not solved):
        return ErrorClass.EXECUTION
    return ErrorClass.MODELLING


def core_outcome(outcome: AnswerOutcome) -> CoreOutcome:
    """The outcome in the words that all benchmarks share."""
    if outcome is AnswerOutcome.CORRECT:
        return "correct"
    if outcome in UNDECIDABLE:
        return "unsupported"
    return "unparsed" if outcome is AnswerOutcome.NO_PROGRAM else "wrong"


def spell(outcome: AnswerOutcome, detail: str) -> str:
    """A verdict's reason: the outcome, then what is known of it, in one line."""
    detail = " ".join(detail.split())
    return f"{outcome.value}: {detail[:300]}" if detail else outcome.value


def outcome_of(verdict: Verdict) -> AnswerOutcome | None:
    """How the answer of a verdict ended, None where the rule could not be applied."""
    if verdict.outcome == "correct":
        return AnswerOutcome.CORRECT
    if verdict.outcome == "unparsed":
        return AnswerOutcome.NO_PROGRAM
    # Runs from before it was kept name it in the reason alone.
    name = verdict.kind or verdict.reason.partition(":")[0]
    return AnswerOutcome(name) if name in set(AnswerOutcome) else None


def detail_of(verdict: Verdict) -> str:
    """What a verdict's reason says after its outcome."""
    return verdict.reason.partition(":")[2].strip()


def exception_of(verdict: Verdict) -> str:
    """The class of the exception, or the limit, that a program ended with; else empty."""
    if outcome_of(verdict) is not AnswerOutcome.NOT_EXECUTABLE:
        return ""
    return detail_of(verdict).partition(":")[0]


def error_class_of(verdict: Verdict) -> ErrorClass | None:
    """The paper's class of a verdict's error, None where there is none."""
    outcome = outcome_of(verdict)
    if outcome is None:
        return None
    return error_class(outcome, verdict.metrics.get("solves", 0.0) > 0)
