import json
import os
from dataclasses import dataclass
from typing import Any

import pytest

from ordojo.benchmarks.nl2opt.judge import (
    DEFAULT,
    JUDGES,
    LEAKING,
    MODELLED,
    RULES,
    STDOUT,
    judge_with,
)
from ordojo.benchmarks.nl2opt.reading import AnswerOutcome, exception_of, outcome_of
from ordojo.benchmarks.nl2opt.rules import COMPARISONS, variants
from ordojo.compat.service.service import SolveRecord
from ordojo.core.episode import Episode, Turn
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Certificate, Instance
from ordojo.core.judge import Verdict
from ordojo.datasets.golds import GoldAnswer, read_key
from ordojo.datasets.nl2opt.items import Status
from ordojo.datasets.nl2opt.load import load_items, nl2opt_ids


@dataclass(frozen=True)
class Problem:
    golds: tuple[GoldAnswer, ...]
    status: Status = "ok"
    reference: str | None = None


def instance(answer: Any, status: Status | None = None) -> Instance[Problem]:
    key = read_key(answer)
    problem = Problem(key.golds, status or key.status)
    return Instance("i", "nl2opt", "1", problem, Certificate("answer-key", {}))


def solve(ending: str = "optimal", objective: float | None = None, **more: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "hash": "0",
        "rows": 3,
        "columns": 4,
        "nonzeros": 6,
        "is_mip": True,
        "maximize": False,
        "ending": ending,
        "objective": objective,
        "bound": objective,
        "seconds": 0.5,
        "solver": "highs",
        "cached": False,
    }
    return SolveRecord(**(given | more)).to_json()


def run(*solves: dict[str, Any], outcome: str = "finished", **more: Any) -> dict[str, Any]:
    execution = {"outcome": outcome, "exception": "", "message": "", "stdout": "", "stderr": ""}
    execution["log"] = ""
    return {
        "program": "pass",
        "program_problem": "",
        "execution": execution | {"seconds": 1.0, "isolation": "landlock"} | more,
        "solves": list(solves),
    }


def told(ending: str, library: str, detail: str = "") -> dict[str, Any]:
    """A program that broke off after its process had told this."""
    more = {"outcome": "raised", "exception": "Error", "message": "it is lacking"}
    return run(solve(ending, library=library, detail=detail), **more)


def judged(info: dict[str, Any], answer: Any = 100, rule: str = DEFAULT, **more: Any) -> Verdict:
    stored = json.loads(json.dumps(info, allow_nan=False))
    return judge_with(rule)(instance(answer, **more), Episode((Turn((), "chat", "", 0.0, stored),)))


def outcome(info: dict[str, Any], answer: Any = 100, rule: str = DEFAULT) -> AnswerOutcome | None:
    return outcome_of(judged(info, answer, rule))


def passing(value: float, gold: Any) -> set[str]:
    """The comparing rules under which a solved value is right."""
    info = run(solve(objective=value))
    return {rule for rule in COMPARISONS if judged(info, gold, rule).outcome == "correct"}


EVERY = set(COMPARISONS)


@pytest.mark.parametrize(
    ("value", "gold", "right"),
    [
        (100.0, "100", EVERY),
        (100.00009, "100", EVERY - {"exact"}),
        (100.00015, "100", {"orlm-5pct", "mamo", "bwor-0.1", "orthought-0.01"}),
        (100.0099, "100", {"orlm-5pct", "mamo", "bwor-0.1", "orthought-0.01"}),
        (100.0101, "100", {"orlm-5pct", "bwor-0.1"}),
        (100.1001, "100", {"orlm-5pct"}),
        (104.0, "100", {"orlm-5pct"}),
        (105.4999, "100", {"orlm-5pct"}),
        (105.5001, "100", set()),
        (-100.0, "100", set()),
        # ORLM rounds halves to even: 2.5 and 1.5 are both 2.
        (2.5, "1.5", {"orlm-5pct"}),
        (0.49, "0", {"orlm-5pct", "mamo"}),
        (0.99, "0", {"mamo"}),
        (1.01, "0", set()),
        (9e-7, "0", EVERY - {"exact"}),
        # Relative to |gold| + 1, SIRL's rule is looser than the paper's below 1.
        (0.0100009, "0.01", EVERY - {"exact", "strict-1e-6"}),
        (17.142857, "17.14", {"orlm-5pct", "mamo", "bwor-0.1", "orthought-0.01", "printed"}),
        (17.142857, "17.1429", EVERY - {"exact", "strict-1e-6", "sirl"}),
        # Mamo counts units of the third decimal where the gold shows three.
        (1.2349, "1.234", {"orlm-5pct", "mamo", "bwor-0.1", "orthought-0.01"}),
        (57.04, "57.0", {"orlm-5pct", "bwor-0.1"}),
        (-5.0, "-5", EVERY),
        (1e16, "1e16", EVERY),
        (1234.5, "1,234.5", EVERY),
    ],
)
def test_each_rule_has_its_own_arithmetic(value: float, gold: str, right: set[str]) -> None:
    assert passing(value, gold) == right


def test_one_of_several_golds_is_enough() -> None:
    info = run(solve(objective=7.0))
    assert outcome(info, ["5", "7.0"]) is AnswerOutcome.CORRECT
    assert judged(info, ["5", "7.0"]).metrics["gold"] == 7.0
    assert outcome(info, ["infeasible", "7"]) is AnswerOutcome.CORRECT
    assert outcome(run(solve("infeasible")), ["infeasible", "7"]) is AnswerOutcome.CORRECT


def test_the_default_is_the_papers_and_leaking_rules_stand_apart() -> None:
    assert RULES[0] == DEFAULT == "strict-1e-6"
    wanted = {"strict-1e-6", "orlm-5pct", "sirl", "mamo", "bwor-0.1", "orthought-0.01", "exact"}
    assert wanted <= set(RULES)
    assert not set(RULES) & set(LEAKING)
    assert all(rule.startswith("leak-") for rule in LEAKING)
    assert set(JUDGES) == {*RULES, *LEAKING}
    with pytest.raises(BenchmarkError, match="there is no rule 'kind'"):
        judge_with("kind")


def test_the_model_comes_before_stdout_and_which_was_read_is_recorded() -> None:
    info = run(solve(objective=100.0), stdout="x = 3")
    silent = judged(info)
    assert silent.answer == {"objective": 100.0, "source": "model", "flipped": False}
    assert (silent.outcome, "agrees" in silent.metrics) == ("correct", False)
    assert judged(info, rule=STDOUT).outcome == "wrong"
    library = judged(run(solve(objective=100.0, library="PuLP", told=True)))
    assert (library.outcome, library.metrics["from_service"]) == ("correct", 0.0)
    info = run(stdout="optimal_value = 1e2")
    printed = judged(info)
    assert printed.reason == "printed only: 100.0, without a solve"
    assert {judged(info, rule=rule).score for rule in COMPARISONS} == {0.0}
    assert judged(info, rule=STDOUT).outcome == "correct"


def test_a_flip_is_the_programs_own_statement() -> None:
    solved = solve(objective=-100.0)
    assert outcome(run(solved)) is AnswerOutcome.WRONG  # nothing says that it is meant as 100
    assert outcome(run(solved, stdout="optimal_value = -100")) is AnswerOutcome.WRONG
    flipped = judged(run(solved, stdout="optimal_value = 100"))
    assert (flipped.outcome, flipped.metrics["flipped"]) == ("correct", 1.0)
    # A minimum of -90 that is stated as 90 is a maximum of 90: the model allows too little.
    less = judged(run(solve(objective=-90.0), stdout="optimal_value = 90"))
    assert (
        less.reason == "wrong: the optimum is 90.0, and 100 is right; the model is over-constrained"
    )
    # As it was solved comes before the other sign, whatever was solved later.
    both = (solve(objective=100.0), solve(objective=-100.0))
    assert judged(run(*both, stdout="optimal_value = 100")).metrics["flipped"] == 0.0


def test_of_several_solves_the_stated_one_counts_else_the_last() -> None:
    solves = (solve(objective=100.0), solve(objective=3.0))
    assert outcome(run(*solves)) is AnswerOutcome.WRONG
    assert outcome(run(*solves, stdout="optimal_value = 100.0")) is AnswerOutcome.CORRECT
    # What was not solved cannot be claimed.
    claimed = run(solve(objective=3.0), stdout="optimal_value = 100")
    assert outcome(claimed) is AnswerOutcome.OTHERWISE


SAYS_OTHERWISE = [
    "optimal_value = 99",
    "Total profit: 99.0",
    "99",
    "Model is infeasible",
    "optimal_value = INFEASIBLE",
    "optimal_value = inf",
    "No optimal solution found.",
    "optimal_value = 100\noptimal_value = 99",
    "Maximum profit: 100\nThe problem is infeasible.",
    "Total profit: 100\nTotal profit: 99",
]
SAYS_NOTHING_ELSE = [
    "",
    "I could not find it",
    "optimal_value = 100.0",
    "optimal_value = 99\noptimal_value = 100",
    "Cost: 410\nProfit: 220",
    "x = 3\ny = 4 units",
    "100.0\n20.0\n0.0",
    "Total cost: 100\nThe problem is not infeasible.",
    "Total cost: 100\nNo solution found with cost below 100.",
    "Stop if the model is infeasible.",
    "Model is infeasible\nTotal cost, relaxed: 100",
]


@pytest.mark.parametrize("text", SAYS_OTHERWISE)
def test_the_last_statement_decides(text: str) -> None:
    info = run(solve(objective=100.0), stdout=text)
    verdict = judged(info)
    assert (outcome_of(verdict), verdict.score) == (AnswerOutcome.OTHERWISE, 0.0)
    assert verdict.metrics["contradicted"] == 1.0 and verdict.metrics["executable"] == 1.0
    assert isinstance(verdict.answer, dict) and verdict.answer["objective"] == 100.0
    assert {judged(info, rule=rule).score for rule in COMPARISONS} == {0.0}


@pytest.mark.parametrize("text", SAYS_NOTHING_ELSE)
def test_what_is_no_last_statement_does_not_decide(text: str) -> None:
    verdict = judged(run(solve(objective=100.0), stdout=text))
    assert (verdict.outcome, verdict.metrics["contradicted"]) == ("correct", 0.0)


@pytest.mark.parametrize(
    ("solved", "text"),
    [
        (18.333333, "Total number: 18"),
        (66.6666667, "Total cost: 66.7"),
        (88.0, "Total amount: 88.00 million"),
        (1234567.0, "Total cost: 1.2 million"),
        (123456.0, "Total cost: 1.23e+05"),
        (1234.56, "Total cost: 1,234"),
        (-100.0, "Maximum profit: 100"),
    ],
)
def test_what_is_rounded_cut_scaled_or_negated_is_the_same(solved: float, text: str) -> None:
    assert judged(run(solve(objective=solved), stdout=text)).metrics["contradicted"] == 0.0


def test_a_number_said_where_there_is_no_optimum_contradicts() -> None:
    for ending in ("infeasible", "unbounded"):
        said = run(solve(ending), stdout="optimal_value = 0")
        assert outcome(said, "No Best Solution") is AnswerOutcome.OTHERWISE
        status = run(solve(ending), stdout=f"Status: {ending}\nTotal cost: 0.0")
        assert outcome(status, "No Best Solution") is AnswerOutcome.CORRECT
        either = run(solve(ending), stdout="The model is infeasible or unbounded")
        assert outcome(either, "No Best Solution") is AnswerOutcome.CORRECT
    other = run(solve("infeasible"), stdout="The problem is unbounded")
    assert outcome(other, "No Best Solution") is AnswerOutcome.OTHERWISE
    late = run(solve("time-limit", 90.0, bound=80.0), stdout="Total cost: 91")
    assert outcome(late) is AnswerOutcome.TIME_LIMIT


def test_what_no_model_supports_is_left_out_under_a_rule_of_its_own() -> None:
    for more in ({"trivial": True}, {"library": "PuLP", "told": True}):
        for solved, gold in (
            (solve(objective=100.0, **more), 100),
            (solve("infeasible", **more), "infeasible"),
        ):
            assert judged(run(solved), gold).score == 1.0
            assert outcome(run(solved), gold, MODELLED) is AnswerOutcome.PRINTED
    assert judged(run(solve(objective=100.0, library="PuLP")), rule=MODELLED).score == 1.0
    old = solve(objective=100.0, library="PuLP")
    del old["told"], old["trivial"]  # of a run before version 3
    assert judged(run(old)).metrics["told"] == 1.0


def test_of_several_solves_a_word_chooses_the_one_that_it_is_true_of() -> None:
    info = run(solve("infeasible"), solve(objective=100.0), stdout="Model is infeasible")
    assert outcome(info) is AnswerOutcome.INFEASIBLE
    assert outcome(info, "infeasible") is AnswerOutcome.CORRECT


def test_logs_in_the_output_of_old_runs_say_nothing() -> None:
    log = "ordojo solves a gurobipy model\nOptimize a model with 2 rows and 4 nonzeros (Max)\n"
    info = run(solve(objective=100.0), stdout=log + "done")
    del info["execution"]["log"]
    assert outcome(info) is AnswerOutcome.CORRECT


def test_the_output_alone_decides_under_its_rule() -> None:
    solved = solve(objective=100.0)
    for text in ("", "optimal_value = INFEASIBLE", "I could not find it", "optimal_value = inf"):
        assert judged(run(solved, stdout=text), rule=STDOUT).score == 0.0, text
    assert judged(run(solved, stdout="optimal_value = 99"), rule=STDOUT).score == 0.0
    assert judged(run(solved, stdout="100.0"), rule=STDOUT).score == 1.0
    said = run(solved, stdout="optimal_value = INFEASIBLE")
    assert judged(said, "infeasible", STDOUT).score == 1.0
    late = run(solve("time-limit", 100.0, bound=100.0), stdout="")
    assert judged(late, rule=STDOUT).score == 0.0


@pytest.mark.parametrize(
    ("info", "expected", "detail"),
    [
        (
            run(solve(objective=99.0)),
            AnswerOutcome.WRONG,
            "the optimum is 99.0, and 100 is right; the model is under-constrained",
        ),
        (
            run(solve(objective=101.0)),
            AnswerOutcome.WRONG,
            "the optimum is 101.0, and 100 is right; the model is over-constrained",
        ),
        (run(solve("infeasible")), AnswerOutcome.INFEASIBLE, ""),
        (run(solve("infeasible-or-unbounded")), AnswerOutcome.INFEASIBLE, "or unbounded"),
        (run(solve("unbounded")), AnswerOutcome.UNBOUNDED, ""),
        (run(solve("time-limit", 100.0, bound=90.0)), AnswerOutcome.TIME_LIMIT, "of the solver"),
        (run(solve("node-limit", 100.0, bound=90.0)), AnswerOutcome.NO_SOLUTION, "node limit"),
        (run(solve("numeric")), AnswerOutcome.NO_SOLUTION, "numerical trouble"),
        (run(solve("unsupported", detail="sin")), AnswerOutcome.UNSUPPORTED, "sin"),
        (
            run(solve("unsupported", detail="licence: big")),
            AnswerOutcome.LICENCE_LIMIT,
            "licence: big",
        ),
        (run(), AnswerOutcome.NO_SOLUTION, "nothing was solved and nothing was printed"),
        (run(stdout="optimal_value = nan"), AnswerOutcome.PRINTED, "nan, without a solve"),
        (run(stdout="Model is infeasible"), AnswerOutcome.PRINTED, "infeasible, without a solve"),
        (told("lacking", "PuLP"), AnswerOutcome.LACKING, "our world lacks PuLP"),
        (told("unsupported", "gurobipy", "tune"), AnswerOutcome.UNSUPPORTED, "tune"),
        (told("unsupported", "gurobipy", "licence: x"), AnswerOutcome.UNSUPPORTED, "licence: x"),
        (run(outcome="time_limit"), AnswerOutcome.TIME_LIMIT, "of the program"),
        (run(outcome="memory_limit"), AnswerOutcome.NOT_EXECUTABLE, "memory limit"),
        (run(outcome="output_limit"), AnswerOutcome.NOT_EXECUTABLE, "output limit"),
        (run(outcome="killed"), AnswerOutcome.NOT_EXECUTABLE, "killed"),
        (run(outcome="exited"), AnswerOutcome.NOT_EXECUTABLE, "exited"),
        (run(outcome="syntax_error"), AnswerOutcome.NOT_EXECUTABLE, "SyntaxError"),
        (
            run(outcome="raised", exception="KeyError", message="'x'"),
            AnswerOutcome.NOT_EXECUTABLE,
            "KeyError: 'x'",
        ),
        (
            run(outcome="raised", exception="NotImplementedError", message="later"),
            AnswerOutcome.NOT_EXECUTABLE,
            "NotImplementedError: later",
        ),
        (
            run(
                outcome="raised",
                exception="NotImplementedError",
                message="attribute X is not supported by ordojo's gurobipy",
            ),
            AnswerOutcome.NOT_EXECUTABLE,
            "NotImplementedError: attribute X is not supported by ordojo's gurobipy",
        ),
        (
            run(
                outcome="raised",
                exception="GurobiError",
                message="Model too large for size-limited license",
            ),
            AnswerOutcome.NOT_EXECUTABLE,
            "GurobiError: Model too large for size-limited license",
        ),
    ],
)
def test_every_outcome_has_its_verdict(
    info: dict[str, Any], expected: AnswerOutcome, detail: str
) -> None:
    verdict = judged(info)
    assert outcome_of(verdict) is expected
    assert verdict.reason == (f"{expected.value}: {detail}" if detail else expected.value)
    assert verdict.score == 0.0


def test_without_a_program_there_is_no_answer() -> None:
    info = {"program": None, "program_problem": "the reply is empty"}
    verdict = judged(info)
    assert (verdict.outcome, verdict.answer) == ("unparsed", None)
    assert verdict.reason == "no program found: the reply is empty"
    assert verdict.metrics["program"] == 0.0


def test_what_was_solved_before_a_crash_is_no_answer_but_is_recorded() -> None:
    info = run(solve(objective=100.0), outcome="raised", exception="KeyError", message="0")
    verdict = judged(info)
    assert (verdict.score, exception_of(verdict)) == (0.0, "KeyError")
    assert verdict.metrics["late_match"] == 1.0
    assert verdict.metrics["executable"] == 0.0


def test_at_a_limit_an_incumbent_that_the_bound_proves_is_right() -> None:
    proven = solve("time-limit", 100.0, bound=99.99995)
    assert outcome(run(proven)) is AnswerOutcome.CORRECT
    open_ = judged(run(solve("time-limit", 100.0, bound=99.0)))
    assert (outcome_of(open_), open_.metrics["late_match"]) == (AnswerOutcome.TIME_LIMIT, 1.0)
    assert (
        outcome(run(solve("time-limit", 100.0, bound=99.0)), rule="orlm-5pct")
        is AnswerOutcome.CORRECT
    )


def test_solves_that_old_runs_ended_early_can_be_judged_again() -> None:
    """Before version 2 a solve ended where its optimum was proven to be no accepted one."""
    verdict = {"verdict": "under-constrained", "detail": "150 > 100"}
    info = run(solve("decided", 150.0, bound=170.0, maximize=True) | verdict)
    again = judged(info)
    assert (
        again.reason
        == "wrong: the optimum is 150.0, and 100 is right; the model is under-constrained"
    )
    assert again.metrics["under_constrained"] == 1.0
    assert {judged(info, rule=rule).score for rule in COMPARISONS} == {0.0}
    over = run(solve("decided", None, bound=80.0, maximize=True) | {"verdict": "over-constrained"})
    assert judged(over).score == 0.0 and judged(over).metrics["over_constrained"] == 1.0
    assert "executable" not in judged(over).metrics


def test_an_incumbent_or_a_bound_is_enough_for_the_diagnosis() -> None:
    late = run(solve("time-limit", 150.0, bound=170.0, maximize=True))
    assert judged(late).metrics["under_constrained"] == 1.0
    open_ = run(solve("time-limit", 90.0, bound=170.0, maximize=True))
    assert judged(open_).metrics["under_constrained"] == 0.0
    right = run(solve(objective=100.0 + 1e-9, maximize=True))
    assert judged(right).metrics["under_constrained"] == 0.0


def test_the_sense_of_the_model_decides_the_diagnosis() -> None:
    for maximize, name in ((True, "over_constrained"), (False, "under_constrained")):
        metrics = judged(run(solve(objective=90.0, maximize=maximize))).metrics
        assert metrics[name] == 1.0
        assert metrics["over_constrained"] + metrics["under_constrained"] == 1.0
    assert judged(run(solve("infeasible"))).metrics["over_constrained"] == 1.0


def test_a_gold_without_an_optimum() -> None:
    said = run(stdout="optimal_value = INFEASIBLE")
    assert outcome(said, "infeasible") is AnswerOutcome.PRINTED
    assert outcome(said, "infeasible", STDOUT) is AnswerOutcome.CORRECT
    for rule in COMPARISONS:
        assert (
            outcome(run(stdout="optimal_value = 7"), "No Best Solution", rule)
            is AnswerOutcome.PRINTED
        )
    for info in (run(solve("infeasible")), run(solve("infeasible-or-unbounded"))):
        assert outcome(info, "infeasible") is AnswerOutcome.CORRECT
        assert outcome(info, "No Best Solution") is AnswerOutcome.CORRECT
    assert outcome(run(solve("unbounded")), "infeasible") is AnswerOutcome.UNBOUNDED
    assert outcome(run(solve("unbounded")), "No Best Solution") is AnswerOutcome.CORRECT
    wrong = judged(run(solve(objective=5.0)), "infeasible")
    assert wrong.reason == "wrong: an optimum of 5.0, where there is none"
    assert wrong.metrics["published"] == 0.0
    crashed = run(outcome="raised", exception="KeyError")
    assert {judged(crashed, "infeasible", rule).score for rule in COMPARISONS} == {0.0}


def test_absence_by_rule() -> None:
    late = run(solve("time-limit", None))
    right = {rule for rule in RULES[:-1] if judged(late, "No Best Solution", rule).score == 1.0}
    assert right == {"orlm-5pct", "bwor-0.1"}
    infeasible = run(solve("infeasible"))
    right = {rule for rule in RULES[:-1] if judged(infeasible, -99999, rule).score == 1.0}
    # The others take -99999 as a number.
    assert right == {"strict-1e-6", "modelled-1e-6", "sirl", "printed"}


def test_what_is_kept_out_of_the_published_metric_is_marked() -> None:
    info = run(solve(objective=100.0))
    published = {
        status: judged(info, status=status).metrics["published"]
        for status in ("ok", "disputed", "open", "ratio", "sentinel", "infeasible")
    }
    assert [status for status, counts in published.items() if counts] == ["ok", "disputed"]


def test_without_a_gold_there_is_no_score() -> None:
    info = run(solve(objective=1.0))
    for verdict in (
        judged(info, None),
        judged(info, "see text"),
        judged(info, status="incomplete"),
    ):
        assert (verdict.outcome, verdict.score) == ("unscored", None)


def test_metrics_of_a_solved_model() -> None:
    metrics = judged(run(solve(objective=99.0), solve(objective=99.0, cached=True))).metrics
    assert metrics["solves"] == 2.0
    assert metrics["cached"] == 1.0
    assert metrics["solver_seconds"] == 1.0
    assert metrics["size"] == 7.0
    assert metrics["executable"] == 1.0
    assert metrics["relative_error"] == pytest.approx(0.01)


def test_equivalence_with_a_reference_model() -> None:
    info = run(solve(objective=1.0))
    assert judged(info, rule="equivalent").outcome == "unscored"  # there is no reference
    for answer, expected, score in (
        ("equal", "correct", 1.0),
        ("different", "wrong", 0.0),
        ("unknown", "unsupported", 0.0),  # the answer's form, or a limit
        ("incomparable", "unscored", None),  # the reference's form
    ):
        found = info | {"equivalence": {"answer": answer, "detail": "row r", "feasible": True}}
        verdict = judged(found, rule="equivalent")
        assert (verdict.outcome, verdict.score) == (expected, score)
    assert judged(run(outcome="killed"), rule="equivalent").outcome == "wrong"
    asked = Instance("i", "nl2opt", "1", Problem((), reference="a.lp"), Certificate("key", {}))
    told = Episode((Turn((), "chat", "", 0.0, run(solve(objective=1.0, library="PuLP"))),))
    verdict = judge_with("equivalent")(asked, told)
    assert (verdict.score, outcome_of(verdict)) == (0.0, AnswerOutcome.UNDECIDED)


PROGRAM = """import gurobipy as gp
from gurobipy import GRB
m = gp.Model()
x = m.addVar(vtype=GRB.INTEGER, name="x")
m.addConstr(x > 3.5)
m.setObjective(x, GRB.MINIMIZE)
m.optimize()
"""


def test_the_edits_of_the_leaking_rules() -> None:
    edits = {edit.name: edit.program for edit in variants(PROGRAM)}
    assert set(edits) == {
        "leak-optmath: continuous",
        "leak-optmath: weak",
        "leak-optmath: maximize",
        "leak-sirl: types",
    }
    assert "vtype=GRB.CONTINUOUS" in edits["leak-optmath: continuous"]
    assert "x >= 3.5" in edits["leak-optmath: weak"]
    assert edits["leak-sirl: types"] == edits["leak-optmath: continuous"]
    untyped = {e.name: e.program for e in variants("x = m.addVar(lb=0)\ny = m.addVars(3,)\n")}
    flipped = untyped["leak-sirl: types"]
    assert flipped == "x = m.addVar(lb=0, vtype=GRB.INTEGER)\ny = m.addVars(3, vtype=GRB.INTEGER)\n"


def test_a_leaking_rule_takes_what_matches_the_gold() -> None:
    missed = run(solve(objective=50.0))
    assert judged(missed, rule="leak-optmath").outcome == "unscored"
    assert judged(missed, rule="leak-sirl").outcome == "unscored"
    # Nor are those scored that are right without: what was not run has no figure.
    right = run(solve(objective=100.0))
    assert {judged(right, rule=rule).outcome for rule in LEAKING} == {"unscored"}
    retries = [
        {"edit": "leak-optmath: continuous", **run(solve(objective=103.0))},
        {"edit": "leak-sirl: types", **run(solve(objective=100.0))},
    ]
    mended = missed | {"retries": retries}
    assert judged(mended, rule="leak-optmath").score == 1.0
    assert judged(mended, rule="leak-sirl").score == 1.0
    assert {judged(mended, rule=rule).score for rule in COMPARISONS} == {0.0}
    assert judged(missed | {"retries": []}, rule="leak-optmath").score == 0.0
    assert judged(missed | {"retries": []}, rule="leak-sirl").score == 0.0


def test_sirl_reads_the_first_digits_and_forgives_running_out_of_time() -> None:
    huge = run(solve(objective=1e16)) | {"retries": []}
    assert judged(huge, "1e16", "leak-sirl").score == 0.0
    assert judged(huge, "1", "leak-sirl").score == 1.0
    assert judged(huge, "1e16", "sirl").score == 1.0
    late = run(outcome="time_limit") | {"retries": []}
    assert judged(late, "No Best Solution", "leak-sirl").score == 1.0
    assert judged(late, "No Best Solution", "sirl").score == 0.0
    assert judged(late, "100", "leak-sirl").score == 0.0


def test_judging_is_a_pure_function_of_what_was_recorded() -> None:
    infos = [run(solve(objective=100.0)), run(solve(objective=5.0)), run()]
    episodes = [Episode((Turn((), "chat", "", 0.0, info),)) for info in infos]
    asked = instance("100")
    for name, judge in JUDGES.items():
        first = [judge(asked, episode) for episode in episodes]
        assert first == [judge(asked, episode) for episode in episodes]
        assert {verdict.rule for verdict in first} == {name}


def test_an_unfinished_episode_is_not_judged() -> None:
    with pytest.raises(BenchmarkError, match="before its end"):
        judge_with(DEFAULT)(instance(1), Episode(()))
    with pytest.raises(BenchmarkError, match="was not run"):
        judged({"program": "pass", "program_problem": ""})


@pytest.mark.data
def test_every_gold_of_every_dataset_is_right_by_every_rule() -> None:
    if not os.environ.get("ORDOJO_DATA"):
        pytest.skip("no ORDOJO_DATA")
    count = 0
    # The clone is one's own, and in no folder of data.
    for dataset in sorted({*nl2opt_ids()} - {"miplib-nl@clone-223"}):
        for item in load_items(dataset):
            for gold in item.golds:
                if gold.value is not None:
                    count += 1
                    missed = [r.name for r in COMPARISONS.values() if not r.right(gold.value, gold)]
                    assert not missed, f"{item.id}: {gold}"
    assert count > 6000
