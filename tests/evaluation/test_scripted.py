"""The fast loop: baselines, replayed answers, a person."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ordojo.api.runs import play
from ordojo.cli import cli
from ordojo.core.errors import DataError, UsageError
from ordojo.core.progress import hearing
from ordojo.core.records import RunView
from ordojo.core.registry import get_benchmark
from ordojo.core.selection import described, pooled
from ordojo.core.spread import HERE, Place
from ordojo.evaluation.evaluation import Evaluation
from ordojo.evaluation.grade import Grading
from ordojo.evaluation.runs import read_runs
from ordojo.training.adapters import EpisodePlayer
from ordojo.training.rollouts.rollout import rollout
from ordojo.training.rollouts.work import Prompted, plan
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
        ('{"id": "a", "epoch": 0, "completion": "A"}', ":1 is not a recorded answer"),
        ('{"id": "a", "epoch": 1.5, "completion": "A"}', ":1 is not a recorded answer"),
        ("[1]", ":1 is not a recorded answer"),
        ("nonsense", ":1 is not a recorded answer"),
        ('{"id": "a", "completion": "A"}\n{"id": "a", "completion": "A"}', ":2 answers a"),
        ('{"id": "a", "completion": "A"}', "answers 'a', which orqa@ordojo does not"),
    ],
)
def test_bad_files_of_answers_are_one_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(text)
    with pytest.raises(DataError, match=complaint):
        Evaluation(request_for(tmp_path, model=f"ordojo/replay?path={path}"))


def test_a_rollout_of_recorded_answers_knows_why_they_ended(tmp_path: Path) -> None:
    options = {"dataset": "orqa@ordojo"}
    first, second = rollout(plan("orqa", "gold", options=options, limit=2))
    rows = [
        {"id": one.id, "completion": one.gold, "stop": stop}
        for one, stop in ((first, "stop"), (second, "content_filter"))
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = list(rollout(plan("orqa", f"replay?path={path}", options=options, limit=2)))
    assert [one.episode.turns[0].stop for one in found] == ["stop", "content_filter"]
    assert [one.episode.reward for one in found] == [1.0, 0.0]
    with pytest.raises(DataError, match="answers 0 of 1 items"):
        list(rollout(plan("orqa", f"replay?path={path}", options=options, limit=3)))


def test_what_the_dataset_does_not_have_is_refused_as_by_grade(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(
        "".join(f'{{"id": "{name}", "completion": "A"}}\n' for name in ("test-0000", "test-9999"))
    )
    told = []
    for door in (
        lambda: Evaluation(request_for(tmp_path, model=f"ordojo/replay?path={path}", limit=1)),
        lambda: Grading("orqa", path, {"dataset": "orqa@ordojo"}, tmp_path),
    ):
        with pytest.raises(DataError, match="answers 'test-9999', which orqa@ordojo does not") as e:
            door()
        told.append(str(e.value))
    assert told[0] == told[1]


def test_more_texts_than_are_asked_for_are_refused(evaluate: Evaluate, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "test-0000", "completion": ["A", "D"]}\n')
    settings = {"dataset": "orqa@ordojo"}
    work = plan("orqa", f"replay?path={path}", options=settings, limit=1)
    for door in (
        lambda: evaluate(model=f"ordojo/replay?path={path}", limit=1),
        lambda: Grading("orqa", path, settings, tmp_path).run(HERE),
        lambda: Grading("orqa", path, settings, tmp_path / "two").run(Place("processes", 2)),
        lambda: list(rollout(work)),
    ):
        with pytest.raises(DataError, match=r"test-0000 \(epoch 1\) has 2 texts, and 1 is asked"):
            door()


def test_a_grading_says_how_much_was_answered(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(f'{{"id": "test-{k:04d}", "completion": "A"}}\n' for k in range(12)))
    words = ["grade", str(path), "--dataset", "orqa@ordojo", "--runs", str(tmp_path / "runs")]
    done = CliRunner().invoke(cli, [*words, "--processes", "1", "--json"])
    assert done.exit_code == 0 and "12 of 44 answered" in done.stderr
    found = json.loads(done.stdout)
    assert (found["answered"], found["items"], found["finished"]) == (12, 44, 12)
    (run,) = read_runs([tmp_path / "runs"])
    assert "12 of 44 items" in described(run, "")
    assert not pooled([run])[0].whole


def test_none_of_a_callers_model_is_silence_and_no_text_is_one_sentence(tmp_path: Path) -> None:
    def none(asked: object) -> None:
        return None

    settings = {"dataset": "orqa@ordojo", "mode": "chat"}
    view = play("orqa", none, limit=2, runs=tmp_path / "runs", **settings)
    assert [one.verdicts["letter"].outcome for one in view.records] == ["unparsed"] * 2
    (one,) = rollout(plan("orqa", Prompted(none), options=settings, limit=1))
    assert (one.episode.last_reply, one.episode.reward) == ("", 0.0)
    player = EpisodePlayer.of("orqa", settings, limit=1)
    player.begin()
    assert player.reply(None).reward == 0.0
    player.begin()
    number: Any = 3
    for door in (
        lambda: player.reply(number),
        lambda: play("orqa", lambda asked: number, runs=tmp_path / "other", **settings),
        lambda: list(rollout(plan("orqa", Prompted(lambda p: number), options=settings))),
    ):
        with pytest.raises(UsageError, match=r"a reply is a text, or None for silence, .* a int"):
            door()
    player.close()


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
