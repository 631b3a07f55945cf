from ordojo.benchmarks.nl2opt import outcomes
from ordojo.benchmarks.nl2opt.outcomes import ErrorClass, Outcome
from ordojo.core.judge import Verdict


def verdict(outcome: Outcome, detail: str = "", solves: float = 0.0) -> Verdict:
    core = outcomes.core_outcome(outcome)
    score = None if core == "unscored" else float(core == "correct")
    reason = "" if core == "correct" else outcomes.spell(outcome, detail)
    return Verdict("strict-1e-6", core, score, None, reason, {"solves": solves})


def test_every_outcome_is_read_back_from_its_verdict() -> None:
    for outcome in Outcome:
        assert outcomes.outcome_of(verdict(outcome, "a: b")) is outcome
    assert (
        outcomes.outcome_of(Verdict("x", "unscored", None, reason="no gold value is known")) is None
    )


def test_the_papers_three_classes_follow_from_the_outcomes() -> None:
    classes = {outcome: outcomes.error_class(outcome, solved=True) for outcome in Outcome}
    assert classes == {
        Outcome.CORRECT: None,
        Outcome.WRONG: ErrorClass.MODELLING,
        Outcome.NOT_EXECUTABLE: ErrorClass.EXECUTION,
        Outcome.INFEASIBLE: ErrorClass.MODELLING,
        Outcome.UNBOUNDED: ErrorClass.MODELLING,
        Outcome.NO_SOLUTION: ErrorClass.MODELLING,
        Outcome.PRINTED: ErrorClass.EXECUTION,
        Outcome.TIME_LIMIT: ErrorClass.TIMEOUT,
        Outcome.LICENCE_LIMIT: None,
        Outcome.UNSUPPORTED: None,
        Outcome.LACKING: None,
        Outcome.NO_PROGRAM: ErrorClass.EXECUTION,
    }
    assert outcomes.error_class(Outcome.NO_SOLUTION, solved=False) is ErrorClass.EXECUTION


def test_the_class_of_a_verdict_needs_its_solves() -> None:
    assert outcomes.error_class_of(verdict(Outcome.NO_SOLUTION)) is ErrorClass.EXECUTION
    assert outcomes.error_class_of(verdict(Outcome.NO_SOLUTION, "", 2.0)) is ErrorClass.MODELLING
    assert outcomes.error_class_of(verdict(Outcome.CORRECT)) is None


def test_the_exceptions_class_is_read_back() -> None:
    failed = verdict(Outcome.NOT_EXECUTABLE, "KeyError: 'a: b'\nand more")
    assert outcomes.exception_of(failed) == "KeyError"
    assert outcomes.detail_of(failed) == "KeyError: 'a: b' and more"
    assert outcomes.exception_of(verdict(Outcome.NOT_EXECUTABLE, "memory limit")) == "memory limit"
    assert outcomes.exception_of(verdict(Outcome.WRONG, "3 against 4")) == ""


def test_only_what_our_own_world_lacks_is_unscored() -> None:
    kinds = {outcome: outcomes.core_outcome(outcome) for outcome in Outcome}
    assert {o for o, kind in kinds.items() if kind == "unscored"} == {Outcome.LACKING}
    assert {o for o, kind in kinds.items() if kind == "unsupported"} == outcomes.UNDECIDABLE
    assert outcomes.core_outcome(Outcome.NO_PROGRAM) == "unparsed"
