"""Inspect drives the same environments to the same verdicts as the fast loop."""

from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import score as inspect_score
from inspect_ai.log import EvalLog, read_eval_log

from ordojo.core.errors import UsageError
from ordojo.evaluation.engine.ask import spec_of, verdict
from ordojo.evaluation.evaluation import Evaluation
from ordojo.evaluation.session import EvaluationSession
from tests.evaluation.conftest import request_for


def run_task(name: str, folder: Path, model: str, **settings: object) -> EvalLog:
    (log,) = inspect_eval(
        f"ordojo/{name}",
        model=model,
        task_args={"dataset": f"{name}@ordojo", **settings},
        log_dir=str(folder),
        display="none",
        log_level="error",
    )
    return log


def mean(log: EvalLog) -> float:
    assert log.status == "success", log.error
    assert log.results is not None
    return float(log.results.scores[0].metrics["mean"].value)


@pytest.mark.parametrize("name", ["orqa", "econlogicqa"])
@pytest.mark.parametrize("policy", ["gold", "noop", "random", "majority"])
def test_both_loops_agree(tmp_path: Path, name: str, policy: str) -> None:
    log = run_task(name, tmp_path / "logs", f"ordojo/{policy}", sample=16)
    request = request_for(tmp_path / "runs", name, model=f"ordojo/{policy}", sample=16)
    view = Evaluation(request).run()
    ours = {record.id: record.verdicts[view.header.rule].score for record in view.records}
    assert log.samples is not None
    theirs = {s.metadata["instance"]: s.score.value for s in log.samples if s.score}
    assert theirs == ours and len(ours) == 16
    assert mean(log) == pytest.approx(sum(x or 0 for x in ours.values()) / len(ours))


def test_chain_of_thought_takes_two_turns(tmp_path: Path) -> None:
    log = run_task("orqa", tmp_path, "ordojo/gold", prompt="cot", shots=1)
    assert mean(log) == 1
    assert log.samples is not None
    assert all(len(sample.store["replies"]) == 2 for sample in log.samples)


def test_a_stored_log_can_be_scored_again(tmp_path: Path) -> None:
    log = run_task("orqa", tmp_path, "ordojo/majority", prompt="cot")
    request = request_for(tmp_path, settings={"prompt": "cot"})
    session: EvaluationSession = Evaluation(request).session
    again = inspect_score(read_eval_log(log.location), verdict(*spec_of(session)), display="none")
    assert mean(again) == mean(log)


def test_unknown_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot use shots"):
        run_task("orqa", tmp_path, "ordojo/gold", shots="many")
