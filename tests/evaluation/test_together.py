"""Several models are asked at once, each into its own run, with the records that it has alone."""

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from ordojo.cli import cli
from ordojo.core.errors import ProviderError
from tests.conformance.doors import endpoint

MODELS = ("one", "two", "three")


def evaluate(runs: Path, url: str, *models: str, more: Sequence[str] = ()) -> Any:
    words = ["eval", "orqa", "-T", "dataset=orqa@ordojo", "-T", "mode=chat", "--limit", "5"]
    words += ["--runs", str(runs), "--model-base-url", url, "-M", "api_key=x"]
    words += [word for name in models for word in ("--model", f"openai-api/door/{name}")]
    return CliRunner().invoke(cli, [*words, *more])


def records(runs: Path) -> dict[str, list[dict[str, Any]]]:
    """Each model's records in their order, without how long they took."""
    found = {}
    for path in runs.glob("*/run.json"):
        rows = map(json.loads, path.with_name("samples.jsonl").read_text().splitlines())
        model = json.loads(path.read_text())["model"]
        found[model] = [{k: v for k, v in row.items() if k != "seconds"} for row in rows]
    return found


def test_models_are_asked_at_once_and_their_records_are_those_of_each_alone(tmp_path: Path) -> None:
    meet, met, lock = threading.Barrier(len(MODELS), timeout=60), set[str](), threading.Lock()

    def hear(model: str) -> None:
        with lock:
            first = model not in met
            met.add(model)
        if first:
            meet.wait()  # until the others are asked as well

    def answer(turns: tuple[str, ...]) -> tuple[str, str]:
        return "ABCD"[len(turns[0]) % 4], "stop"

    with endpoint(answer, hear) as url:
        done = evaluate(tmp_path / "at-once", url, *MODELS)
        assert done.exit_code == 0 and not meet.broken, done.output
        for name in MODELS:
            evaluate(tmp_path / "alone", url, name)
    together, alone = records(tmp_path / "at-once"), records(tmp_path / "alone")
    assert len(together) == len(MODELS) and together == alone
    logs = [len(list(one.glob("inspect/*.eval"))) for one in (tmp_path / "at-once").iterdir()]
    assert logs == [1] * len(MODELS)


def test_a_model_that_fails_takes_no_other_with_it(tmp_path: Path) -> None:
    asked = threading.local()

    def hear(model: str) -> None:
        asked.fails = model == "two"

    with endpoint(lambda turns: None if asked.fails else ("B", "stop"), hear) as url:
        done = evaluate(tmp_path, url, *MODELS)
    assert done.exit_code == 1 and "door/one" in done.stdout and "door/three" in done.stdout
    assert "door/two: 5 samples could not be asked" in done.stderr and "HTTP 400" in done.stderr
    assert {name.rpartition("/")[2]: len(rows) for name, rows in records(tmp_path).items()} == {
        "one": 5,
        "two": 0,
        "three": 5,
    }


def test_a_scripted_model_after_one_that_fails_is_played(tmp_path: Path) -> None:
    with endpoint(lambda turns: None) as url:
        done = evaluate(tmp_path, url, "two", more=["--model", "ordojo/gold"])
        assert done.exit_code == 1 and "1.000" in done.stdout
        assert "door/two: 5 samples could not be asked" in done.stderr
        alone = evaluate(tmp_path, url, "two", "three")
    assert isinstance(alone.exception, ProviderError)
    assert "door/two: none of the 5 samples could be asked" in str(alone.exception)
