from dataclasses import replace

from ordojo.benchmarks.nl2opt import reading
from ordojo.benchmarks.nl2opt.reading import AnswerOutcome, ErrorClass
from ordojo.core.judge import Verdict


def verdict(outcome: AnswerOutcome, detail: str = "", solves: float = 0.0) -> Verdict:
    core = reading.core_outcome(outcome)
    score = None if core == "unscored" else float(core == "correct")
    reason = "" if core == "correct" else reading.spell(outcome, detail)
    metrics = {"solves": solves}
    return Verdict("strict-1e-6", core, score, None, reason, metrics, outcome.value)


def test_every_outcome_is_read_back_from_its_verdict() -> None:
    for outcome in AnswerOutcome:
        found = verdict(outcome, "a: b")
        assert reading.outcome_of(replace(found, reason="whatever: it says")) is outcome
        older = replace(found, kind="")
        assert reading.outcome_of(older) is outcome
    assert (
        reading.outcome_of(Verdict("x", "unscored", None, reason="no gold value is known")) is None
    )


def test_the_papers_three_classes_follow_from_the_outcomes() -> None:
    classes = {outcome: reading.error_class(outcome, solved=True) for outcome in AnswerOutcome}
    assert classes == {
        AnswerOutcome.CORRECT: None,
        AnswerOutcome.WRONG: ErrorClass.MODELLING,
        AnswerOutcome.NOT_EXECUTABLE: ErrorClass.EXECUTION,
        AnswerOutcome.INFEASIBLE: ErrorClass.MODELLING,
        AnswerOutcome.UNBOUNDED: ErrorClass.MODELLING,
        AnswerOutcome.NO_SOLUTION: ErrorClass.MODELLING,
        AnswerOutcome.PRINTED: ErrorClass.EXECUTION,
        AnswerOutcome.OTHERWISE: ErrorClass.EXECUTION,
        AnswerOutcome.TIME_LIMIT: ErrorClass.TIMEOUT,
        AnswerOutcome.LICENCE_LIMIT: None,
        AnswerOutcome.UNSUPPORTED: None,
        AnswerOutcome.LACKING: None,
        AnswerOutcome.UNDECIDED: None,
        AnswerOutcome.NO_PROGRAM: ErrorClass.EXECUTION,
    }
    assert reading.error_class(AnswerOutcome.NO_SOLUTION, solved=False) is ErrorClass.EXECUTION


def test_the_class_of_a_verdict_needs_its_solves() -> None:
    assert reading.error_class_of(verdict(AnswerOutcome.NO_SOLUTION)) is ErrorClass.EXECUTION
    assert (
        reading.error_class_of(verdict(AnswerOutcome.NO_SOLUTION, "", 2.0)) is ErrorClass.MODELLING
    )
    assert reading.error_class_of(verdict(AnswerOutcome.CORRECT)) is None


def test_the_exceptions_class_is_read_back() -> None:
    failed = verdict(AnswerOutcome.NOT_EXECUTABLE, "KeyError: 'a: b'\nand more")
    assert reading.exception_of(failed) == "KeyError"
    assert reading.detail_of(failed) == "KeyError: 'a: b' and more"
    assert (
        reading.exception_of(verdict(AnswerOutcome.NOT_EXECUTABLE, "memory limit"))
        == "memory limit"
    )
    assert reading.exception_of(verdict(AnswerOutcome.WRONG, "3 against 4")) == ""


def test_nothing_that_an_answer_causes_is_unscored() -> None:
    kinds = {outcome: reading.core_outcome(outcome) for outcome in AnswerOutcome}
    assert "unscored" not in kinds.values()
    assert {o for o, kind in kinds.items() if kind == "unsupported"} == reading.UNDECIDABLE
    assert reading.core_outcome(AnswerOutcome.NO_PROGRAM) == "unparsed"
