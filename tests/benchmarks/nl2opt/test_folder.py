"""One's own instance folders: read, asked eight times, and validated by one right answer."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordojo.benchmarks.nl2opt import BENCHMARK
from ordojo.benchmarks.nl2opt.metrics import validate
from ordojo.benchmarks.nl2opt.policies import reply
from ordojo.benchmarks.nl2opt.prompts import prompt
from ordojo.cli import cli
from ordojo.core.errors import DataError, UsageError
from ordojo.datasets.nl2opt import load_items
from ordojo.structures.artifact import InstanceRecord, ProblemType, TableFile, write_artifact
from ordojo.structures.artifact import SolverVerification as Solved
from tests.benchmarks.nl2opt.made import options, records, right, view

RIGHT = """
import csv
import gurobipy as gp

model = gp.Model()
with open("data/items.csv") as file:
    rows = list(csv.DictReader(file))
take = [model.addVar(vtype="B", obj=float(row["value"])) for row in rows]
model.addConstr(gp.quicksum(float(r["weight"]) * x for r, x in zip(rows, take)) <= 10)
model.ModelSense = -1
model.optimize()
"""
WRONG = RIGHT.replace("<= 10", "<= 9")


def export(folder: Path, name: str, optimum: float | str | None = 9.0) -> None:
    record = InstanceRecord(
        id=name,
        problem_type=ProblemType("Combinatorial Optimization", "Knapsack Problem"),
        abstract_problem="Choose items of the greatest value that weigh at most {capacity}.",
        parameters={"capacity": 10},
        files={"items": TableFile("data/items.csv", "The items.", {"value": "its worth"})},
        optimal_value=optimum,
        verification=Solved("optimal", logs=("logs/highs.log",)),
    )
    write_artifact(
        folder / name,
        record,
        model_md="# Knapsack\n",
        data={"data/items.csv": "value,weight\n4,5\n5,5\n6,7\n"},
        solve_py=RIGHT,
        generator_py="print()\n",
        logs={"logs/highs.log": "Optimal\n"},
    )


def test_an_exported_folder_is_a_dataset(tmp_path: Path) -> None:
    for name in ("sack_10", "sack_2"):
        export(tmp_path / "own", name)
    export(tmp_path / "own", "none", "Infeasible")
    (tmp_path / "own" / ".sack_3.draft").mkdir()
    name = f"folder:{tmp_path / 'own'}"
    items = load_items(name)
    assert [(i.id, i.status) for i in items] == [
        ("none", "infeasible"),
        ("sack_2", "ok"),
        ("sack_10", "ok"),
    ]
    assert load_items(f"{name}/sack_2")[0].question == items[1].question
    found = BENCHMARK.load(options(dataset=name), 0)[1]
    assert found.problem.dataset == "folder:own"
    assert found.problem.program == RIGHT
    assert "items.csv" in prompt(found.problem, options(dataset=name))
    assert "optimal_value" not in str(found.problem.documents)
    # Its place is no part of it.
    export(tmp_path / "moved" / "own", "sack_2")
    (moved,) = BENCHMARK.load(options(dataset=f"folder:{tmp_path / 'moved' / 'own'}"), 0)
    assert moved.content_hash == found.content_hash


@pytest.mark.parametrize(
    "size", [{}, {"variables": 0, "constraints": 3}, {"variables": float("inf"), "constraints": 1}]
)
def test_a_size_that_cannot_be_is_none(tmp_path: Path, size: dict[str, float]) -> None:
    export(tmp_path / "own", "sack")
    file = tmp_path / "own/sack/instance.json"
    record = json.loads(file.read_text())
    file.write_text(json.dumps({**record, "metadata": {"size": size}}))
    assert load_items(f"folder:{tmp_path}/own")[0].size is None


def test_bad_folders_are_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="names no folder"):
        load_items("folder:")
    with pytest.raises(DataError, match="is no folder"):
        load_items(f"folder:{tmp_path / 'absent'}")
    with pytest.raises(DataError, match=r"has an instance\.json"):
        load_items(f"folder:{tmp_path}")
    export(tmp_path, "sack")
    (tmp_path / "sack" / "instance.json").write_text("{")
    with pytest.raises(DataError, match=r"not whole JSON .*; write the instance again"):
        load_items(f"folder:{tmp_path}")


def test_one_right_answer_of_eight_validates(tmp_path: Path) -> None:
    for name in ("easy", "hard"):
        export(tmp_path / "own", name)
    answers = [
        {"id": name, "epoch": k, "completion": reply(RIGHT if (name, k) == ("easy", 6) else WRONG)}
        for name in ("easy", "hard")
        for k in range(1, 9)
    ]
    recorded = tmp_path / "answers.jsonl"
    recorded.write_text("".join(json.dumps(answer) + "\n" for answer in answers))
    runs = tmp_path / "runs"
    words = ["eval", "nl2opt", "--model", f"ordojo/replay?path={recorded}", "--epochs", "8"]
    words += ["-T", f"dataset=folder:{tmp_path / 'own'}", "--runs", str(runs), "--json"]
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    (figures,) = json.loads(done.stdout)
    assert figures["metrics"]["pass@8"]["value"] == 0.5
    assert figures["metrics"]["pass@1"]["value"] == pytest.approx(1 / 16)
    told = CliRunner().invoke(cli, ["diff", "--runs", str(runs)], catch_exceptions=False)
    lines = told.stdout.splitlines()
    assert lines[0].startswith("easy: validated by ordojo/replay")
    assert lines[0].endswith("(1 of 8)")
    assert lines[1].startswith("hard: goes to inspection: not rebuilt by ordojo/replay")
    assert lines[2] == "1 of 2 validated, 1 to inspection"
    named = json.loads(CliRunner().invoke(cli, ["diff", "--runs", str(runs), "--json"]).stdout)
    assert [len(one["models"]) for one in named] == [1, 0]


def test_what_validates_nothing() -> None:
    found = records([("bakery-mix", 1, right())])
    run = view(found)
    assert [one.id for one in validate([run]) if one.models] == ["bakery-mix"]
    assert validate([run], tries=0)[0].text.startswith("goes to inspection")
    own = replace(run, header=replace(run.header, model="ordojo/gold"))
    assert validate([own]) == []
    other = replace(run, header=replace(run.header, benchmark="orqa"))
    with pytest.raises(UsageError, match="is a run of orqa"):
        validate([other])
