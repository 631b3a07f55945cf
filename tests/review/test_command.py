import http.client
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from ordojo.benchmarks.orqa import BENCHMARK
from ordojo.benchmarks.orqa.schema import OrqaOptions
from ordojo.cli.review import review
from ordojo.core.errors import DataError, OrdojoError, UsageError
from ordojo.core.records import RunHeader
from ordojo.evaluation import generation
from ordojo.evaluation.runs import RunStore
from ordojo.evaluation.session import EvaluationSession
from ordojo.review import ReviewQueue


def call(*arguments: str | Path, text: str = "") -> str:
    result = CliRunner().invoke(review, [str(a) for a in arguments], input=text)
    if result.exception is not None:
        raise result.exception
    return result.output


@pytest.fixture
def run(tmp_path: Path) -> Path:
    options = OrqaOptions(dataset="orqa@ordojo", prompt="cot")
    session = EvaluationSession(BENCHMARK, options, seed=1, limit=2)
    header = RunHeader(
        benchmark="orqa",
        benchmark_version="1",
        model="ordojo/scripted",
        options=options.model_dump(mode="json"),
        dataset=BENCHMARK.dataset(options),
        rule="published",
        seed=1,
        epochs=1,
        limit=2,
        items=2,
    )
    with RunStore(tmp_path / "run", header) as store:
        for instance in session.instances:
            attempt = session.begin(instance)
            attempt.steps.reply("It is a set. So it is A.")
            attempt.steps.reply("A")
            store.add(attempt.record(1))
    return tmp_path / "run"


def test_open_status_and_resume(folder: Path) -> None:
    shown = call("open", folder, "--reviewer", "ann", text="a\nr\n1\nbecause\nq\n")
    assert "2 decided, 1 left" in shown
    assert "1 accepted, 0 edited, 1 rejected" in call("status", folder)
    call("open", folder, "--reviewer", "bob", "--independent", text="a\na\na\n")
    found = json.loads(call("status", folder, "--json"))
    assert (found["decided"], found["reviewers"]["bob"]) == (3, {"accept": 3})
    assert found["agreement"][0]["n"] == 2
    assert "ann and bob agree on 50% of 2 items" in call("status", folder)


def test_a_run_becomes_a_queue_and_a_table(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = tmp_path / "queue"
    assert "2 chains of thought" in call("reasoning", run, "-o", queue)
    replies = iter(["no idea", '{"parts": ["correct", "correct"], "whole": "correct"}'])
    monkeypatch.setattr(
        generation, "generator", lambda name: lambda prompt, **options: next(replies)
    )
    shown = call("reasoning", run, "-o", queue, "--model", "some/model")
    assert "some/model labelled 1; 1 reply could not be read, 0 were decided before" in shown
    assert json.loads(call("status", queue, "--json"))["reviewers"] == {
        "model:some/model": {"label": 1}
    }
    call("open", queue, "--reviewer", "ann", text="1\n1\n1\n")
    assert "Instances with correct answer (%)" in call("table", queue)
    four, types = json.loads(call("table", queue, "--json"))
    assert four["rows"][1][1] == 100
    assert four["columns"][1] == "0-shot"
    assert types["columns"][0] == "Type"
    call("open", queue, "--reviewer", "ann", text="r\n3\nempty\n")
    other = tmp_path / "other"
    with ReviewQueue.open(queue) as opened:
        ReviewQueue.create(other, opened.items[:1], title="t", reasons=["other"])
    with pytest.raises(DataError, match="other chains of thought"):
        call("reasoning", run, "-o", other)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["open", "nowhere"], DataError),
        (["status", "nowhere"], DataError),
        (["table", "nowhere"], DataError),
        (["reasoning", "nowhere", "-o", "q"], OrdojoError),
        (["open", "nowhere", "--port", "8000"], UsageError),
    ],
)
def test_bad_input_is_told_in_one_sentence(
    arguments: list[str], error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as caught:
        call(*arguments)
    assert "\n" not in str(caught.value)


def test_a_killed_web_server_loses_nothing(folder: Path) -> None:
    program = "from ordojo.cli.review import review; review()"
    command = [sys.executable, "-c", program, "open", str(folder), "--web", "--reviewer", "ann"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    for kill, item in ((signal.SIGKILL, "q1"), (signal.SIGINT, "q2")):
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            # A background job inherits an ignored SIGINT.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        ) as process:
            assert process.stdout is not None
            url = urlsplit(process.stdout.readline().split()[-1])
            process.stdout.readline()
            connection = http.client.HTTPConnection(url.netloc, timeout=10)
            connection.request(
                "POST",
                url.path + "api/decide",
                json.dumps({"item": item, "kind": "accept"}),
                {"Content-Type": "application/json"},
            )
            assert connection.getresponse().status == 200
            connection.close()
            process.send_signal(kill)
            process.stdout.read()
        assert process.returncode == (-9 if kill is signal.SIGKILL else 0)
    with ReviewQueue.open(folder, write=True) as queue:
        assert [queue.settled(name) for name in ("q1", "q2", "q3")] == [True, True, False]
