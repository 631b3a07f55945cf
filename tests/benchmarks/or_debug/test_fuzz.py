"""100,000 texts that nobody should write: no exception, and no change by an invalid action."""

import dataclasses
import time

import numpy as np
import pytest

from ordojo.benchmarks.or_debug.actions import Action, ActionKind, Invalid, parse_action
from ordojo.benchmarks.or_debug.elements import name_elements
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment
from ordojo.benchmarks.or_debug.repairs import apply_action
from ordojo.benchmarks.or_debug.schema import OrDebugOptions
from ordojo.core.seeds import generator
from ordojo.milp.model import Model
from ordojo.solvers.answers import Status
from ordojo.solvers.highs import HighsOracle
from tests.benchmarks.or_debug.puzzles import all_puzzles

TEXTS, EXPRESSIONS, PLAYED = 60_000, 40_000, 3_000

VALID = (
    "RELAX(orders, -20)",
    "Action: RELAX(wood, 30)",
    "DROP(hours)",
    "REWRITE(wood, 2*tables + 3*chairs <= 100)",
    "REWRITE(tables.type, INTEGER)",
    "RELAX(tables.lb, -4)",
    "CHECK_SLACK(ratio)",
    "CHECK_BOUND(chairs)",
    "<think>hm</think>\nDiagnosis: wood, orders\nAction: DROP(orders)",
    '{"action": "RELAX", "constraint": "wood", "delta": 5, "diagnosis": ["wood"]}',
    '{"name": "rewrite", "arguments": "{\\"constraint\\": \\"wood\\", \\"expr\\": \\"x <= 3\\"}"}',
)
SIDES = (
    "2*tables + 3*chairs <= 100",
    "10 <= tables + chairs <= 20",
    "3*(tables - 2*chairs) >= sum([tables, chairs])",
    "tables == 4 - chairs",
)
PIECES = (
    *("(", ")", "[", "]", "{", "}", '"', "'", ",", ":", "\\", "`", "*", "\n", " ", "\t", "_", "."),
    *("<=", ">=", "==", "=", "<", "≤", "≥", "!=", "+", "-", "−", "/", "^", "**", "%", "sum"),
    *("nan", "inf", "1e999", "-0", "1e-320", "0x1f", "٣", "9" * 40, "None", "true", "null"),
    *("RELAX(", "DROP(", "REWRITE(", "SUBMIT", "GET_IIS", "Action:", "Diagnosis:", "</think>"),
    *("wood", "orders", "tables", "chairs", "tables.lb", "ub(chairs)", "tables.type", "INTEGER"),
    *("\x00", "\ud800", "\u202e", "ﷺ", "🦄", "\u2028", "\u00a0", "İ", "ß"),
)


def mutated(rng: np.random.Generator, text: str) -> str:
    """A text with a few pieces cut out, doubled or put in."""
    for _ in range(int(rng.integers(1, 5))):
        at = int(rng.integers(len(text) + 1))
        end = min(len(text), at + int(rng.integers(0, 6)))
        match int(rng.integers(3)):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:end] + text[at:]
            case _:
                text = text[:at] + PIECES[int(rng.integers(len(PIECES)))] + text[at:]
    return text


def garbage(rng: np.random.Generator) -> str:
    """Up to twenty pieces in a row."""
    return "".join(PIECES[i] for i in rng.integers(len(PIECES), size=int(rng.integers(1, 20))))


def text_of(rng: np.random.Generator, valid: tuple[str, ...]) -> str:
    if rng.random() < 0.7:
        return mutated(rng, valid[int(rng.integers(len(valid)))])
    return garbage(rng)


def fresh_hash(model: Model) -> str:
    """The hash of the arrays as they are now, not as the model remembers it."""
    return dataclasses.replace(model).content_hash


def test_no_text_and_no_expression_raises_or_changes_the_model_unasked() -> None:
    rng = generator(0, "or-debug/fuzz", 0)
    models = [instance.problem.model for instance in all_puzzles()]
    hashes = [model.content_hash for model in models]
    valid = invalid = changed = 0
    start = time.perf_counter()
    for place in range(TEXTS + EXPRESSIONS):
        model = models[place % len(models)]
        action: Action | Invalid
        if place < TEXTS:
            action = parse_action(text_of(rng, VALID))
            name_elements(model, action.diagnosis)
        else:
            action = Action(ActionKind.REWRITE, "wood", expr=text_of(rng, SIDES))
        if isinstance(action, Invalid):
            invalid += 1
            continue
        after = apply_action(model, action)
        if isinstance(after, Model):
            changed += 1
            continue
        assert after.reason and not after.reason.endswith(".")
        valid += 1
    seconds = time.perf_counter() - start
    assert [fresh_hash(model) for model in models] == hashes
    assert min(valid, invalid, changed) > 5_000
    print(f"{TEXTS + EXPRESSIONS} texts in {seconds:.1f} s")


def test_episodes_of_garbage_never_raise_and_invalid_actions_leave_the_state() -> None:
    rng = generator(0, "or-debug/fuzz-play", 0)
    environment, oracle = OrDebugEnvironment(OrDebugOptions(end="submit")), HighsOracle()
    bench = environment._bench
    puzzles = all_puzzles()
    over, episodes = True, 0
    statuses = set()

    def held() -> tuple[object, ...]:
        return fresh_hash(bench.model), bench.rows, bench.bounds, bench.status, bench.optimum

    for place in range(PLAYED):
        if over:
            environment.reset(puzzles[episodes % len(puzzles)], 0)
            episodes += 1
        before = held()
        step = environment.step(text_of(rng, VALID))
        over = step.observation is None
        statuses.add(bench.status)
        if not step.info["valid"] or step.info["action"] in ("GET_IIS", "CHECK_SLACK"):
            assert held() == before
        if place % 20 == 0:
            again = oracle.solve(bench.model)
            assert again.status == bench.status
            assert bench.optimum is None or again.objective == pytest.approx(bench.optimum)
    assert {Status.OPTIMAL, Status.INFEASIBLE} <= statuses
