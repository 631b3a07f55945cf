"""OR-Debug-Bench by whole files: read, solved, compared with the original, judged alike."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ordojo.benchmarks.or_debug import BENCHMARK
from ordojo.benchmarks.or_debug.build import load_set
from ordojo.benchmarks.or_debug.environment import FileEnvironment
from ordojo.benchmarks.or_debug.judges import RULES, judge_with
from ordojo.benchmarks.or_debug.policies import file, policies
from ordojo.benchmarks.or_debug.prompts import FILE
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions, make_instance
from ordojo.core.episode import Episode, play
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance, write_instances
from tests.benchmarks.or_debug.puzzles import all_puzzles, contradiction, workshop

Asked = Instance[Debugging]

SILENT = load_set("silent")[:7]


@pytest.fixture
def environment() -> Iterator[FileEnvironment]:
    found = FileEnvironment(OrDebugOptions(answer="lp", max_steps=3))
    yield found
    found.close()


def answered(environment: FileEnvironment, asked: Asked, *texts: str) -> Episode:
    replies = iter(texts)
    return play(environment, asked, lambda observation: next(replies, ""))


def last(played: Episode) -> Any:
    return json.loads(json.dumps(played.turns[-1].info))


@pytest.mark.parametrize("asked", [*all_puzzles(), *SILENT], ids=lambda i: i.id)
def test_gold_is_full_success_and_the_same_problem(
    environment: FileEnvironment, asked: Asked
) -> None:
    played = play(environment, asked, policies()["gold"].begin(asked, 0, 1))
    info = last(played)
    assert len(played.turns) == 1 and info["action"] == "PROGRAM" and info["end"] == "optimal"
    assert info["comparison"]["verdict"] == "equal" and info["final"]["outcome"] == "full"
    assert all(judge_with(rule)(asked, played).score == 1 for rule in RULES)
    assert info["da"]["recorded"] == 1


@pytest.mark.parametrize("asked", SILENT, ids=lambda i: i.id)
@pytest.mark.parametrize("name", ["noop", "random"])
def test_a_wrong_model_left_as_it_is_is_worth_nothing(
    environment: FileEnvironment, asked: Asked, name: str
) -> None:
    played = play(environment, asked, policies()[name].begin(asked, 0, 1))
    assert last(played)["final"]["outcome"] == "failure" and played.reward < 0
    assert judge_with("recovered")(asked, played).score == 0
    assert judge_with("recovered")(asked, played).outcome == (
        "unparsed" if name == "noop" else "partial"
    )


def test_a_file_of_another_problem_has_drifted(environment: FileEnvironment) -> None:
    asked = contradiction()
    info = last(answered(environment, asked, file(workshop(orders=35.0))))
    assert info["final"]["drift"]["drifted"] and info["comparison"]["verdict"] == "different"


def test_what_is_wrong_with_a_file_is_said(environment: FileEnvironment) -> None:
    asked = contradiction()
    shown = environment.reset(asked, 0)
    assert FILE in shown.text and "3 files" in shown.text and "Status: INFEASIBLE" in shown.text
    step = environment.step("```lp\nMinimize\n obj: x +\nSubject To\n c: x >= >= 1\nEnd\n```")
    assert not step.info["valid"] and step.info["status"] == "ERROR"
    assert step.observation and "no model to solve: model.lp" in step.observation.text
    step = environment.step(file(asked.problem.model))
    assert step.info["valid"] and step.observation
    assert "Status: INFEASIBLE\nIIS: [" in step.observation.text
    assert "File 2 of 3 done" in step.observation.text and FILE in step.observation.text


def test_two_replies_without_a_file_end_it(environment: FileEnvironment) -> None:
    played = answered(environment, contradiction(), "I give up.")
    assert len(played.turns) == 2 and last(played)["end"] == "no program"
    assert judge_with("rr@5")(contradiction(), played).outcome == "unparsed"


def test_settings_that_do_not_go_with_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="prompt=cot together with answer=lp"):
        BENCHMARK.environment(OrDebugOptions(answer="lp", prompt="cot"), 0)
    with pytest.raises(UsageError, match="answer=program with models that solve"):
        BENCHMARK.load(OrDebugOptions(answer="program", set="silent"), 0)
    blind = replace(contradiction().problem, original={})
    write_instances(tmp_path / "own.jsonl", [make_instance(blind, {"highs": "1"})])
    options = OrDebugOptions(answer="lp", instances=str(tmp_path / "own.jsonl"))
    with pytest.raises(UsageError, match=r"originals of .*own.jsonl, which are not known"):
        BENCHMARK.load(options, 0)
