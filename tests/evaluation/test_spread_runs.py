"""A run has the same samples wherever it was played."""

import json
from pathlib import Path
from typing import Any

import pytest

from ordojo import evaluate
from ordojo.core.errors import UsageError

CASES: list[tuple[str, dict[str, Any]]] = [
    ("or-debug", {"limit": 12}),
    ("orqa", {"dataset": "orqa@ordojo"}),
    ("econlogicqa", {"dataset": "econlogicqa@ordojo"}),
]


def samples(folder: Path) -> list[dict[str, Any]]:
    (file,) = folder.glob("*/samples.jsonl")
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


@pytest.mark.parametrize(("benchmark", "asked"), CASES)
def test_the_same_samples_in_the_same_order(
    tmp_path: Path, benchmark: str, asked: dict[str, Any]
) -> None:
    for on in ("local", "processes:2"):
        evaluate(benchmark, "ordojo/gold", runs=tmp_path / on[:5], on=on, epochs=2, **asked)
    assert samples(tmp_path / "local") == samples(tmp_path / "proce")


def test_a_model_is_asked_from_one_process(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="leave `on` out"):
        evaluate("or-debug", "ordojo/smollm2", runs=tmp_path, on="processes:2")
