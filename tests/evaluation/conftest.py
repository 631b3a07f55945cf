"""Evaluations on the questions that ship with ordojo."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordojo.core.records import RunView
from ordojo.evaluation.evaluation import Evaluation, EvaluationRequest

Evaluate = Callable[..., RunView]


def request_for(runs: Path, benchmark: str = "orqa", **fields: Any) -> EvaluationRequest:
    settings = {"dataset": f"{benchmark}@ordojo", **fields.pop("settings", {})}
    fields.setdefault("model", "ordojo/gold")
    return EvaluationRequest(benchmark=benchmark, runs=runs, settings=settings, **fields)


@pytest.fixture
def evaluate(tmp_path: Path) -> Evaluate:
    """Run an evaluation in this test's directory and return the run."""

    def run(benchmark: str = "orqa", **fields: Any) -> RunView:
        evaluation = Evaluation(request_for(tmp_path / "runs", benchmark, **fields))
        return evaluation.run()

    return run
