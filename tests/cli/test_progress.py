"""Long work speaks: every command of the list says at once on stderr what it does, and goes on."""

import gc
import io
import json
import math
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO

import click
import pytest
from perf.malformed import not_serving

from ordojo.cli import COMMANDS, cli
from ordojo.cli.progress import EVERY, FIRST, LATE, LATER, Spoken, Teller, span
from ordojo.core.errors import UsageError
from ordojo.core.progress import counted, counting, doing, hearing
from tests.command import Done, ordojo
from tests.installations import free_port

OURS = ("-T", "dataset=orqa@ordojo")
INFEASIBLE = "max\n o: 4 b + 5 c\nst\n oven: 2 b + 3 c <= 60\n orders: 2 b + 3 c >= 75\nend\n"
FEASIBLE = INFEASIBLE.replace("75", "15")
PROGRAM = """
import gurobipy as gp
m = gp.Model()
x = m.addVar(ub=4, name="x")
m.setObjective(x, gp.GRB.MAXIMIZE)
m.optimize()
print(m.ObjVal)
"""
RECIPE = """\
stage: {stage}
out: out
model: tiny
method: full
tiny: {{hidden: 16, layers: 1, heads: 2, intermediate: 16}}
steps: 1
max_length: 512
device: cpu
rendering: compact
generate: [{{benchmark: or-bias, count: 2, options: {{mode: chat}}}}]
"""

LONG = {
    "explain": (["infeasible.lp", "--json"], "solving 2 rows and 2 columns"),
    "whatif": (["feasible.lp", "--set", "oven <= 50", "--json"], "solving it again, changed"),
    "whynot": (["feasible.lp", "c >= 2", "--json"], "looking for the closest optimal plan"),
    "worth": (["feasible.lp", "oven", "--json"], "looking how low it can go"),
    "suspects": (["feasible.lp", "--json"], "solving 2 rows and 2 columns"),
    "check": (["feasible.lp", "part.csv", "--complete", "--json"], "solving for 1 column"),
    "run": (["program.py", "--json"], "running program.py"),
    "structure": (["feasible.lp", "-o", "out", "--json"], "finding groups and families"),
    "workbench": (["feasible.lp"], "finding groups and families"),
    "observe": (["feasible.lp"], "reading feasible.lp"),
    "retell": (["told", "told.txt", "--json"], "comparing it with the instance"),
    "diff": (["feasible.lp", "feasible.lp", "--json"], "comparing"),
    "eval": (
        ["orqa", "--model", "ordojo/gold", "--limit", "3", "--runs", "new", *OURS, "--json"],
        "asking ordojo/gold: 2 of 3, about 1 s left, score 1.000",
    ),
    "report": (["runs", "-o", "site", "--json"], "reading runs: 1 of 2, about 1 s left"),
    "compare": (["runs", "--json"], "comparing pairs: 1 of 1"),
    "paper": (["000", "--runs", "runs", "--json"], "reading runs: 2 of 2"),
    "hardness": (
        ["orqa", *OURS, "--json"],
        "measuring rules: 1 of ",
    ),
    "plan": (["--items", "100", "--seconds", "60", "--json"], "simulating items: 100 of 100"),
    "grade": (
        [
            "answers.jsonl",
            "--dataset",
            "orqa@ordojo",
            "--on",
            "local",
            "--runs",
            "graded",
            "--json",
        ],
        "grading answers to orqa@ordojo: 1 of 2, about 1 s left",
    ),
    "play": (["orqa", "--limit", "1", "--runs", "played", *OURS], "checking certificates: 1 of 1"),
    "models pull": (["gpt"], "pulling the weights of gpt"),
    "data pull": (["orqa@ordojo"], "pulling orqa@ordojo"),
    "data verify": (["orqa@ordojo", "--json"], "checking files: 1 of "),
    "data audit": (["orqa@ordojo", "--json"], "auditing orqa@ordojo"),
    "data statistics": (["nl2opt@ordojo", "--json"], "describing datasets: 1 of 1"),
    "build econlogicqa": (
        ["--model", "openai/gpt-4o", "--dry-run", "-o", "questions"],
        "building questions of econlogicqa with openai/gpt-4o",
    ),
    "build nl2opt": (
        ["--n", "2", "--no-program", "-o", "problems"],
        "instances: 1 of 2, about 1 s left",
    ),
    "build or-bias": (["--n", "5", "-o", "bias.jsonl"], "building scenarios of or-bias"),
    "build or-debug": (
        ["--n", "3", "--seed", "6", "--on", "local", "-o", "new.jsonl"],
        "pool problems: 2 of 3",
    ),
    "build orqa": (["--n", "11", "-o", "orqa.jsonl", "--json"], "building questions: 10 of 11"),
    "build season": (["--date", "2026-13", "-o", "season"], "building the season 2026-13"),
    "verify": (["debug.jsonl", "--json"], "proving certificates again: 1 of 2, about 1 s left"),
    "review reasoning": (["runs", "-o", "queue"], "reading runs: 1 of 2, about 1 s left"),
    "review instances": (["absent", "-o", "queue"], "reading the instances of absent"),
    "review kept": (["runs", "-o", "kept"], "writing what was kept in runs"),
    "export": (["csv", "orqa@ordojo", "-o", "csv"], "exporting orqa@ordojo as csv"),
    "serve": (["orqa", *OURS], "serving orqa"),
    "train sft": (["--config", "sft.yaml", "--dry-run", "--json"], "making the tiny model"),
    "train grpo": (["--config", "sft.yaml"], "training as sft.yaml says"),
    "train prm": (["--config", "sft.yaml"], "training as sft.yaml says"),
    "train curriculum": (["--config", "sft.yaml"], "training as sft.yaml says"),
}
"""Every command that may take more than three seconds: a short call, and a line that it says."""

REFUSED = {
    *("build season", "models pull", "review instances", "review kept"),
    *("train grpo", "train prm", "train curriculum"),
}
"""Those that end in a refusal here, as their work is long or needs a model."""

SHORT = {
    "list": "reads tables",
    "data list": "reads tables",
    "data path": "looks at one folder",
    "models list": "reads tables",
    "review open": "waits for a person",
    "review status": "reads one queue",
    "review table": "reads one queue",
    "mcp": "waits for its assistant, and tells it of progress in the protocol's own way",
}
"""Commands that are always short or wait for somebody, and why."""


def leaves(command: click.Command, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that is no group, by its words."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    for name in command.list_commands(click.Context(command)):
        found = command.get_command(click.Context(command), name)
        assert found is not None
        yield from leaves(found, f"{path} {name}".strip())


def test_every_command_is_listed() -> None:
    """Whatever `ordojo --help` has stands on one of the two lists, and is of its class."""
    found = dict(leaves(cli))
    assert {name.partition(" ")[0] for name in found} == set(COMMANDS)
    assert set(found) == set(LONG) | set(SHORT) and not set(LONG) & set(SHORT)
    spoken = {n for n, command in found.items() if isinstance(command, Spoken) and command.first}
    assert spoken == set(LONG)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an input for each command."""
    place = tmp_path_factory.mktemp("spoken")
    (place / "infeasible.lp").write_text(INFEASIBLE)
    (place / "feasible.lp").write_text(FEASIBLE)
    (place / "program.py").write_text(PROGRAM)
    (place / "sft.yaml").write_text(RECIPE.format(stage="sft"))
    (place / "told.txt").write_text("Bake.")
    (place / "part.csv").write_text("c,5\n")
    rows = [{"id": f"test-{n:04}", "epoch": 1, "completion": "A"} for n in (1, 2)]
    (place / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked = ("eval", "orqa", *OURS, "-T", "prompt=cot", "--limit", "2", "--model")
    for words in (
        ("structure", "feasible.lp", "--export", "told"),
        (*asked, "ordojo/gold"),
        (*asked, "ordojo/noop"),
        ("build", "or-debug", "--n", "2", "--seed", "6", "--on", "local", "-o", "debug.jsonl"),
    ):
        done = ordojo(words, place)
        assert done.returncode == 0, done.stderr
    return place


def first_of(name: str) -> str:
    """How the first line of a command begins, before what it says of its arguments."""
    command = dict(leaves(cli))[name]
    assert isinstance(command, Spoken)
    return command.first.partition("{")[0].strip()


@pytest.mark.parametrize("name", LONG)
def test_a_long_command_speaks(here: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name.startswith("train"):
        pytest.importorskip("trl")
    if name == "serve":
        pytest.importorskip("openenv")
    words, says = LONG[name]
    if name == "serve":  # port 8000 may be somebody's
        words = [*words, "--port", str(free_port())]
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    interval = sys.getswitchinterval()
    with not_serving():
        done = ordojo([*name.split(), *words], here, ORDOJO_PROGRESS="0")
    assert name != "serve" or (gc.get_freeze_count() == 0 and sys.getswitchinterval() == interval)
    assert (done.returncode == 2) == (name in REFUSED), done.stderr
    said = done.stderr.splitlines()
    # The first word of all is what it does, also beside its results.
    assert said[0].startswith(first_of(name)) and done.both.startswith(said[0])
    # Whoever is first imports what the others find imported, which takes a slow machine seconds.
    assert says in re.sub(r"about \d+ (s|min) left", "about 1 s left", done.stderr), done.stderr
    assert "\r" not in done.stderr and "\x1b" not in done.stderr
    if "--json" in words:
        json.loads(done.stdout)
    assert not any(line and line in done.stdout.splitlines() for line in said)


def test_it_may_be_told_to_be_quiet(here: Path) -> None:
    words = ("verify", "debug.jsonl", "--json")
    quiet, loud = (ordojo(words, here, ORDOJO_PROGRESS=how) for how in ("off", "0"))
    assert quiet.stderr == "" and quiet.stdout == loud.stdout
    wrong: Done = ordojo(words, here, ORDOJO_PROGRESS="often")
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("ordojo: ORDOJO_PROGRESS=often is neither")


def test_what_is_not_there_is_one_sentence_alone(here: Path) -> None:
    done = ordojo(("verify", "no\nsuch.jsonl"), here)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("ordojo: ")


def test_in_a_pipe_it_speaks_while_it_works(here: Path) -> None:
    """The lines come as the work is done, not at its end: the first is read while it goes on."""
    words = ["build", "or-debug", "--n", "4000", "--on", "local", "-o", "many.jsonl"]
    with subprocess.Popen(
        [sys.executable, "-m", "ordojo", *words],
        cwd=here,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None and process.stdout is not None
        lines = list(until(process.stderr, r".*: \d+ of 4,000, about .* left\n"))
        assert process.poll() is None
        process.terminate()
        rest, out = process.stderr.read(), process.stdout.read()
    assert lines[0] == "building problems of or-debug\n"
    assert "building pool problems: 4,000\n" in lines
    line = r"building pool problems: \d+ of 4,000, about (\d+ s|\d+ min|\d+ h \d+ min) left\n"
    assert re.fullmatch(line, lines[-1])
    assert rest.endswith("stopped\n") and out == "" and not (here / "many.jsonl").exists()


def until(stream: IO[str], pattern: str) -> Iterator[str]:
    """The lines of a stream up to one that matches."""
    for line in stream:
        yield line
        if re.fullmatch(pattern, line):
            return


class Clock:
    """Time that passes as it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)


def test_estimates(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left follows from what this start has done; work of an earlier one took no time."""
    clock = Clock(monkeypatch)
    with hearing(Teller("0")), counting("asking", 100, 40) as count:
        clock.now = 20.0
        count.to(10, "score 0.5")
        clock.now = 30.0
        with counting("thinking") as inner:
            inner.step()
        count.to(60)
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "asking: 100, 40 done before",
        "asking: 50 of 100, about 2 min left, score 0.5",
        "asking: 50 of 100, about 2 min left, score 0.5; thinking: 1",
        "asking: 100 of 100, score 0.5",
    ]


def test_lines_become_rarer(monkeypatch: pytest.MonkeyPatch) -> None:
    teller = Teller("")
    dues = []
    for teller._told in range(100):
        dues.append(teller._due())
    assert tuple(dues[: len(FIRST)]) == FIRST and max(FIRST) <= 60
    gaps = [(before, after - before) for before, after in pairwise(dues[3:])]
    assert {gap for _, gap in gaps} == {EVERY, LATER}
    assert all(gap == (EVERY if before < LATE else LATER) for before, gap in gaps)
    assert [Teller("2")._due(), math.isnan(Teller("off")._interval or 0)] == [2.0, True]
    with pytest.raises(UsageError, match="neither seconds nor off"):
        Teller("-1")


def test_work_without_a_count_is_told_of_with_its_limit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    teller = Teller("0")
    with hearing(teller):
        doing("solving", 60)
        clock.now = 15.0
        assert teller._line() == "solving: 15 s so far, at most 45 s left"
        doing("")
        assert teller._line() == ""
    assert capsys.readouterr().err == "solving\n"


def test_nobody_hears_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    doing("reading")
    assert list(counted([1, 2], "adding")) == [1, 2]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 s"), (59.6, "60 s"), (99, "99 s"), (100, "2 min"), (5999, "1 h 40 min")],
)
def test_spans(seconds: float, said: str) -> None:
    assert span(seconds) == said
