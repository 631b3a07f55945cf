"""The fast loop: baselines, replayed answers, a person."""

import json
from pathlib import Path

import pytest

from ordojo.core.errors import DataError, UsageError
from ordojo.core.progress import hearing
from ordojo.core.records import RunView
from ordojo.core.registry import get_benchmark
from ordojo.evaluation.evaluation import Evaluation
from tests.evaluation.conftest import Evaluate, request_for
from tests.heard import Heard


def score(view: RunView) -> float:
    figures = get_benchmark(view.header.benchmark).metrics(view.records, view.header.rule)
    return next(iter(figures.values())).value


@pytest.mark.parametrize("benchmark", ["orqa", "econlogicqa"])
def test_gold_is_one_and_noop_nothing(evaluate: Evaluate, benchmark: str) -> None:
    assert score(evaluate(benchmark, model="ordojo/gold")) == 1
    assert score(evaluate(benchmark, model="ordojo/noop")) == 0


def test_a_second_start_asks_nothing(tmp_path: Path) -> None:
    request = request_for(tmp_path, model="ordojo/random", epochs=2)
    heard = Heard()
    with hearing(heard):
        Evaluation(request).run()
        Evaluation(request).run()
    asked = [(work.before, work.done) for work in heard.ends if work.what.startswith("asking ")]
    assert asked == [(0, 88), (88, 0)]


def test_the_random_policy_differs_between_epochs_but_not_between_runs(tmp_path: Path) -> None:
    runs = [
        Evaluation(request_for(tmp_path / place, model="ordojo/random", epochs=2)).run()
        for place in ("one", "two")
    ]
    replies = [[(r.id, r.epoch, r.episode.last_reply) for r in run.records] for run in runs]
    assert replies[0] == replies[1]
    first = [reply for _, epoch, reply in replies[0] if epoch == 1]
    second = [reply for _, epoch, reply in replies[0] if epoch == 2]
    assert first != second


def write_answers(path: Path, view: RunView, **changes: object) -> Path:
    rows = [
        {"id": r.id, "epoch": r.epoch, "completion": r.episode.last_reply, **changes}
        for r in view.records
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("benchmark", ["orqa", "econlogicqa"])
def test_replayed_answers_score_as_they_did(
    evaluate: Evaluate, tmp_path: Path, benchmark: str
) -> None:
    original = evaluate(benchmark, model="ordojo/random")
    answers = write_answers(tmp_path / "answers.jsonl", original)
    replayed = evaluate(benchmark, model=f"ordojo/replay?path={answers}")
    assert score(replayed) == score(original)
    assert replayed.header.generation["answers_sha256"]


def test_replayed_answers_of_two_turns(evaluate: Evaluate, tmp_path: Path) -> None:
    original = evaluate(model="ordojo/gold")
    path = tmp_path / "answers.jsonl"
    rows = [{"id": r.id, "completion": ["because", r.episode.last_reply]} for r in original.records]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    view = evaluate(model=f"ordojo/replay?path={path}", settings={"prompt": "cot"})
    assert score(view) == 1
    assert "because" in view.records[0].episode.turns[1].messages[0].content


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"id": "test-0000"}', ":1 is not a recorded answer"),
        ('{"id": "test-0000", "completion": 3}', ":1 is not a recorded answer"),
        ("[1]", ":1 is not a recorded answer"),
        ("nonsense", ":1 is not a recorded answer"),
        ('{"id": "a", "completion": "A"}\n{"id": "a", "completion": "A"}', ":2 answers a"),
        ('{"id": "a", "completion": "A"}', "answers 0 of 44 items; the first without"),
    ],
)
def test_bad_files_of_answers_are_one_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(text)
    with pytest.raises(DataError, match=complaint):
        Evaluation(request_for(tmp_path, model=f"ordojo/replay?path={path}"))


def test_an_absent_file_of_answers_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot read the recorded answers"):
        Evaluation(request_for(tmp_path, model="ordojo/replay?path=absent.jsonl"))
    with pytest.raises(UsageError, match="name the file"):
        Evaluation(request_for(tmp_path, model="ordojo/replay"))


def test_a_person_can_play(tmp_path: Path) -> None:
    shown: list[str] = []

    def act(asked: object) -> str:
        shown.append(str(asked))
        return "A"

    request = request_for(tmp_path, model="person/me", limit=2)
    view = Evaluation(request, person=act).run()
    assert [record.episode.last_reply for record in view.records] == ["A", "A"]
    assert "Answer only" in shown[0]
