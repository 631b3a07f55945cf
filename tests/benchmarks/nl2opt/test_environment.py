"""Playing: programs in the sandbox, solves outside, repair, containment."""

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest

from ordojo.benchmarks.nl2opt import BENCHMARK, workshop
from ordojo.benchmarks.nl2opt.policies import reply
from ordojo.benchmarks.nl2opt.reading import AnswerOutcome, exception_of, outcome_of
from ordojo.compat import capture
from ordojo.core.episode import Episode
from ordojo.core.errors import SandboxError
from ordojo.sandbox import worker
from tests.benchmarks.nl2opt.made import answered, instance, options, ran, right, verdict


@pytest.fixture(scope="module", autouse=True)
def warm() -> Iterator[None]:
    """One environment stays open, so that the tests share its sandbox."""
    environment = BENCHMARK.environment(options(), 0)
    yield
    environment.close()


def info(episode: Episode) -> Any:
    return episode.turns[-1].info


def test_a_right_program() -> None:
    episode = ran(right())
    found = info(episode)
    assert set(found) == {
        "repairs",
        "program",
        "program_problem",
        "found",
        "execution",
        "solves",
        "equivalence",
    }
    assert found["execution"]["outcome"] == "finished"
    assert found["solves"][0]["objective"] == pytest.approx(254)
    assert found["equivalence"] == {
        "answer": "equal",
        "detail": "the models match, 2 columns and 2 rows one to one",
        "feasible": True,
        "faults": [],
    }
    assert episode.reward == 1 and verdict(episode).score == 1
    json.dumps(found, allow_nan=False)


def test_another_model_is_wrong_and_said_to_be_another() -> None:
    episode = ran(right().replace("<= 90", "<= 100"))
    assert verdict(episode).reason.startswith("wrong")
    assert verdict(episode, rule="equivalent").reason.startswith("wrong: another model")
    assert info(episode)["equivalence"]["answer"] == "different"


FAULTS = {
    "direction": ("<= 90", ">= 90"),
    "right-hand side": ("<= 90", "<= 100"),
    "coefficients": ("0.6 * rye", "0.7 * rye"),
    "missing": ('model.addConstr(9 * rye + 15 * seed <= 30 * 60, "oven")', ""),
    "extra": ("model.optimize()", "model.addConstr(rye + seed <= 5)\nmodel.optimize()"),
    "types": ("rye = model.addVar(", "rye = model.addVar(vtype=GRB.INTEGER, "),
    "bounds": ("ub=70, ", ""),
    "objective": ("1.40 * rye", "1.50 * rye"),
    "min and max": ("GRB.MAXIMIZE", "GRB.MINIMIZE"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_what_is_wrong_in_a_model_is_kept(kind: str) -> None:
    old, new = FAULTS[kind]
    assert old in right()
    found = info(ran(right().replace(old, new)))["equivalence"]
    assert found["answer"] != "equal" and [one["kind"] for one in found["faults"]] == [kind]


def test_the_right_number_from_a_print_alone() -> None:
    episode = ran("print('optimal_value =', 254.0)")
    assert outcome_of(verdict(episode)) is AnswerOutcome.PRINTED
    assert episode.turns[-1].reward == 0.0  # nor is it paid in training
    by_rule = {rule: verdict(episode, rule=rule).score for rule in BENCHMARK.rules}
    assert {rule for rule, score in by_rule.items() if score} == {"stdout-1e-6"}


@pytest.mark.parametrize(
    ("program", "outcome", "exception"),
    [
        ("import gurobipy as gp\ngp.QuickSum([])", AnswerOutcome.NOT_EXECUTABLE, "AttributeError"),
        ("def f(:\n  pass", AnswerOutcome.NOT_EXECUTABLE, "SyntaxError"),
        ("while True: pass", AnswerOutcome.TIME_LIMIT, ""),
        ("while True: print('x' * 10000)", AnswerOutcome.NOT_EXECUTABLE, "output limit"),
        ("print('optimal_value =', float('nan'))", AnswerOutcome.PRINTED, ""),
        ("print('optimal_value = inf')", AnswerOutcome.PRINTED, ""),
        ("x = 1", AnswerOutcome.NO_SOLUTION, ""),
        ("import os; os.kill(os.getpid(), 9)", AnswerOutcome.NOT_EXECUTABLE, "killed"),
    ],
)
def test_bad_programs_are_outcomes(program: str, outcome: AnswerOutcome, exception: str) -> None:
    limit = 2.0 if "while" in program else 10.0
    found = verdict(ran(program, program_limit=limit))
    assert found.score == 0 and outcome_of(found) is outcome
    assert exception_of(found) == exception
    assert all(math.isfinite(value) for value in found.metrics.values())


@pytest.mark.parametrize("text", ["", "I do not know.", "```julia\nusing JuMP\n```"])
def test_replies_without_a_program(text: str) -> None:
    found = verdict(answered(text))
    assert found.outcome == "unparsed" and outcome_of(found) is AnswerOutcome.NO_PROGRAM


def test_a_library_in_the_program_supports_what_it_prints() -> None:
    program = """
from scipy.optimize import linprog
found = linprog([-1.4, -1.9], [[0.6, 0.5], [9, 15]], [90, 1800], bounds=[(0, None), (0, 70)])
print("optimal_value =", -found.fun)
"""
    found = verdict(ran(program))
    assert found.score == 1 and found.metrics["from_service"] == 0
    assert found.answer == {"objective": 254.0, "source": "scipy", "flipped": True}


def test_data_files_are_there_and_nothing_else() -> None:
    listing = "import os\nprint(sorted(os.listdir()), sorted(os.listdir('data')))"
    said = info(ran(listing, name="crate-return"))["execution"]["stdout"]
    assert said.strip() == "['data', 'program.py'] ['depots.csv', 'shops.csv']"


def test_the_gold_is_out_of_reach() -> None:
    problem = instance().problem
    assert problem.reference is not None
    folder = problem.reference.place.parent.parent
    for path in (folder / "test.jsonl", folder / "programs" / "bakery-mix.txt"):
        found = verdict(ran(f"print(open({str(path)!r}).read())"))
        assert exception_of(found) in {"FileNotFoundError", "PermissionError"}
    search = "import ordojo\nfrom ordojo.datasets.nl2opt import load_items"
    assert exception_of(verdict(ran(search))) == "ModuleNotFoundError"


SLOW = """
import gurobipy as gp
from gurobipy import GRB
import random
rng = random.Random(5)
model = gp.Model()
x = model.addVars(400, vtype=GRB.BINARY)
for _ in range(12):
    model.addConstr(gp.quicksum(rng.randint(1, 99) * x[j] for j in x) <= 4000)
model.setObjective(gp.quicksum(rng.randint(900, 999) * x[j] for j in x), GRB.MAXIMIZE)
model.optimize()
print("optimal_value =", model.ObjVal)
"""


def test_equal_samples_are_solved_once() -> None:
    environment = BENCHMARK.environment(options(time_limit=61.0), 0)
    cached = []
    # The item's own right program shares with itself alone: its time must tell others nothing.
    for program in [right("island-power")] * 2 + [right("island-power") + "\nprint()"] * 8:
        environment.reset(instance("island-power"), 0)
        done: Any = environment.step(reply(program)).info
        cached.append(done["solves"][0]["cached"])
    environment.close()
    assert cached == [False, True] + [False] + [True] * 7


BROKEN = "import gurobipy as gp\nmodel = gp.Model()\nprint(1 / 0)"


def test_repair_turns_show_the_traceback() -> None:
    episode = answered(reply(BROKEN), "no code", reply(right()), repair=3)
    asked = [turn.messages[0].content for turn in episode.turns]
    assert len(asked) == 3 and verdict(episode).score == 1
    assert "ZeroDivisionError" in asked[1] and "print(1 / 0)" in asked[1]
    assert "there is no Python code" in asked[2]
    assert [turn.reward for turn in episode.turns] == [0, 0, 1]
    assert info(episode)["repairs"] == 3


def test_repair_turns_show_the_status() -> None:
    infeasible = right().replace(
        "model.optimize()", "model.addConstr(rye >= 900)\nmodel.optimize()"
    )
    episode = answered(reply(infeasible), reply(right()), repair=1)
    assert "the model is infeasible" in episode.turns[1].messages[0].content


def test_repair_never_tells_that_an_optimum_is_wrong() -> None:
    wrong = right().replace("<= 90", "<= 900").replace("30 * 60", "300 * 60")
    episode = answered(reply(wrong), repair=5)
    assert len(episode.turns) == 1 and verdict(episode).score == 0
    assert info(episode)["solves"][0]["ending"] == "optimal"


def test_repairs_run_out() -> None:
    assert len(answered(*[reply(BROKEN)] * 9, repair=2).turns) == 3


def test_leaking_rules_need_their_option() -> None:
    program = right("fair-notices").replace("GRB.INTEGER", "GRB.CONTINUOUS")
    plain = answered(reply(program), name="fair-notices")
    assert verdict(plain, "fair-notices", "leak-sirl").outcome == "unscored"
    mended = answered(reply(program), name="fair-notices", leaks=True)
    assert verdict(mended, "fair-notices", "leak-sirl").score == 1
    assert verdict(mended, "fair-notices").score == 0
    assert {r["edit"].partition(":")[0] for r in info(mended)["retries"]} == {
        "leak-optmath",
        "leak-sirl",
    }


def test_it_fails_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "plans", lambda isolation: iter(()))
    monkeypatch.setattr(capture, "_waiting", {})
    with pytest.raises(SandboxError, match="cannot be contained"):
        BENCHMARK.environment(options(memory=1024), 0)
    assert not any(key[1] == 1024 for key in workshop._shared)


def test_unsafe_is_said() -> None:
    episode = ran(right(), isolation="unsafe")
    assert info(episode)["execution"]["isolation"] == "unsafe"
    settings = options(isolation="unsafe").model_dump()
    assert "UNSAFE" in BENCHMARK.setting(settings)


def test_closing_frees_the_sandboxes() -> None:
    chosen = options(memory=1500)
    first, second = BENCHMARK.environment(chosen, 0), BENCHMARK.environment(chosen, 0)
    key = workshop._key(chosen)
    assert workshop._shared[key][1] == 2
    first.close()
    first.close()
    assert workshop._shared[key][1] == 1
    second.close()
    assert key not in workshop._shared
    first.reset(instance(), 0)  # opens another
    assert first.step(reply(right())).reward == 1
    first.close()
    assert key not in workshop._shared
