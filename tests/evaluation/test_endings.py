"""Why replies ended: kept, counted, said; and what fails inside ordojo is called so."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ordojo.benchmarks.orqa import BENCHMARK
from ordojo.benchmarks.orqa.environment import OrqaEnvironment
from ordojo.cli import cli
from ordojo.core.environment import Message, Step
from ordojo.core.episode import Episode, Turn
from ordojo.core.errors import DataError
from ordojo.core.records import OFTEN, SampleRecord, endings
from ordojo.evaluation.runs import read_run
from tests.evaluation import flaky
from tests.evaluation.conftest import Evaluate

CHAT = {"mode": "chat"}


@pytest.mark.parametrize(
    ("model", "stop", "reason"),
    [
        ("flaky/refuses", "content_filter", "the reply was refused (content filter)"),
        ("flaky/thinks", "max_tokens", "cut at the token limit of 1,024 before anything"),
        ("flaky/mute", "stop", "the reply is empty"),
    ],
)
def test_what_is_no_answer_is_unparsed_with_its_reason(
    evaluate: Evaluate, model: str, stop: str, reason: str
) -> None:
    view = evaluate(model=model, settings=CHAT, limit=20)
    assert len(view.records) == 20 and not view.errors
    lacking = [r for r in view.records if not r.episode.last_reply]
    assert 0 < len(lacking) < 20
    for record in lacking:
        assert record.episode.turns[0].stop == stop
        verdict = record.verdicts["letter"]
        assert (verdict.outcome, verdict.score) == ("unparsed", 0.0)
        assert reason in verdict.reason and "no letter" in verdict.reason
    found = endings(view.records)
    assert found.empty == len(lacking)
    assert found.cut == (len(lacking) if stop == "max_tokens" else 0)
    assert found.refused == (len(lacking) if stop == "content_filter" else 0)
    assert found.often_cut == (stop == "max_tokens")
    others = {r.episode.turns[0].stop for r in view.records if r.episode.last_reply}
    assert others == {"stop"}


def test_what_a_refusal_said_is_kept(evaluate: Evaluate) -> None:
    view = evaluate(model="flaky/refuses", settings=CHAT, limit=20)
    refused = [r.episode.turns[0] for r in view.records if not r.episode.last_reply]
    assert {turn.info["withheld"] for turn in refused} == {"C"}


def test_unknown_stays_unknown_and_is_said(evaluate: Evaluate) -> None:
    view = evaluate(model="flaky/unsaid", settings=CHAT, limit=3)
    assert {r.episode.turns[0].stop for r in view.records} == {"unknown"}
    assert str(endings(view.records)) == "3 without a stop reason"


def test_scripted_policies_have_no_stop_reason(evaluate: Evaluate) -> None:
    view = evaluate(model="ordojo/noop", limit=3)
    assert {r.episode.turns[0].stop for r in view.records} == {""}
    assert str(endings(view.records)) == ""


def test_thinking_has_a_limit_of_its_own(evaluate: Evaluate) -> None:
    flaky.configs.clear()
    wanted = {"reasoning_tokens": 4000}
    view = evaluate(model="flaky/steady", settings=CHAT, limit=1, generation=wanted)
    assert view.header.generation == wanted
    (config,) = flaky.configs
    assert (config.reasoning_tokens, config.max_tokens) == (4000, 1024 + 4000)
    assert view.records[0].episode.turns[0].max_tokens == 1024


def record(*turns: Turn, error: str = "") -> SampleRecord:
    return SampleRecord("a", 1, "h", "c", {}, "A", Episode(turns), {}, error=error)


def turn(stop: str, max_tokens: int | None = None, reply: str = "C") -> Turn:
    return Turn((Message("user", "?"),), "chat", reply, stop=stop, max_tokens=max_tokens)


def test_a_protocol_of_one_token_is_never_cut() -> None:
    assert not turn("max_tokens", 1).cut
    assert turn("max_tokens", 2).cut and turn("model_length", 1024).cut and turn("max_tokens").cut


def test_cut_replies_are_warned_about_from_a_share_on() -> None:
    def run(cut: int) -> list[SampleRecord]:
        return [record(turn("max_tokens" if i < cut else "stop", 9)) for i in range(100)]

    assert [endings(run(cut)).often_cut for cut in (0, 4, 5, 100)] == [False, False, True, True]
    assert OFTEN == 0.05
    assert not endings([]).often_cut
    twice = record(turn("max_tokens"), turn("max_tokens"), turn("stop"))
    assert endings([twice, record(turn("max_tokens"), error="down")]).cut == 1


def test_runs_from_before_stop_reasons_load() -> None:
    row = json.loads(json.dumps(record(turn("stop", 5)).to_json()))
    for old in row["turns"]:
        del old["stop"], old["max_tokens"]
    (one,) = SampleRecord.from_json(row).episode.turns
    assert (one.stop, one.max_tokens, one.cut) == ("", None, False)


def answers(path: Path, stops: Sequence[Any]) -> Path:
    rows = [
        {"id": f"test-{i:04d}", "completion": "C"} | ({} if stop is None else {"stop": stop})
        for i, stop in enumerate(stops)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_replayed_replies_keep_their_stop_reasons(evaluate: Evaluate, tmp_path: Path) -> None:
    path = answers(tmp_path / "a.jsonl", ["stop", "length", "content_filter", None, ["unknown"]])
    view = evaluate(model=f"ordojo/replay?path={path}", limit=5)
    stops = {r.id: r.episode.turns[0].stop for r in view.records}
    assert list(stops.values()) == ["stop", "max_tokens", "content_filter", "unknown", "unknown"]
    refused = view.records[2]
    assert refused.episode.last_reply == "" and refused.verdicts["published"].outcome == "unparsed"


def eval_orqa(runs: Path, *more: str) -> Any:
    words = ["eval", "orqa", "-T", "dataset=orqa@ordojo", "--runs", str(runs), *more]
    return CliRunner().invoke(cli, words)


def test_the_terminal_counts_and_warns(tmp_path: Path) -> None:
    path = answers(tmp_path / "a.jsonl", ["length", *["stop"] * 9])
    done = eval_orqa(tmp_path, "--model", f"ordojo/replay?path={path}", "--limit", "10")
    assert done.exit_code == 0
    assert "1 cut at the token limit" in done.stdout
    assert "warning" in done.stderr and "1 of 10 samples (10%" in done.stderr
    path = answers(tmp_path / "b.jsonl", ["length"] * 3)
    shown = eval_orqa(tmp_path, "--model", f"ordojo/replay?path={path}", "--limit", "3", "--json")
    (figures,) = json.loads(shown.stdout)
    assert figures["endings"]["cut"] == 3


def test_a_stop_that_there_is_not_is_one_sentence(tmp_path: Path) -> None:
    path = answers(tmp_path / "a.jsonl", ["tired"])
    done = eval_orqa(tmp_path, "--model", f"ordojo/replay?path={path}", "--limit", "1")
    assert isinstance(done.exception, DataError) and "is not a recorded" in str(done.exception)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """ORQA's environment fails at the questions of one type."""
    step = OrqaEnvironment.step

    def fails(self: OrqaEnvironment, text: str) -> Step:
        if self._instance is not None and self._instance.problem.type == "Q6":
            raise ZeroDivisionError("a bug of ours")
        return step(self, text)

    monkeypatch.setattr(OrqaEnvironment, "step", fails)
    yield


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("model", ["ordojo/random", "flaky/steady"])
def test_an_exception_inside_an_environment_is_ours(
    evaluate: Evaluate, tmp_path: Path, model: str
) -> None:
    flaky.asked.clear()
    view = evaluate(model=model, settings=CHAT)
    assert len(view.errors) == 4 and len(view.records) == 40
    assert {e.labels["type"] for e in view.errors} == {"Q6"}
    for error in view.errors:
        assert error.error == "inside ordojo: ZeroDivisionError('a bug of ours')"
        assert error.traceback.startswith("Traceback") and "in fails" in error.traceback
        assert not error.verdicts
    assert flaky.asked["steady"] in (0, 44), "what fails inside ordojo is not asked twice"
    (run,) = (tmp_path / "runs").iterdir()
    assert read_run(run).errors == view.errors


@pytest.mark.usefixtures("broken")
def test_the_terminal_calls_it_ours_and_ends_with_1(tmp_path: Path) -> None:
    done = eval_orqa(tmp_path, "--model", "ordojo/gold")
    assert done.exit_code == 1
    assert "4 samples failed inside ordojo" in done.stderr and "errors.jsonl" in done.stderr
    assert "could not be asked" not in done.stderr and "Traceback" not in done.output
    assert "provider's fault" in done.stderr


def test_a_judge_that_fails_is_ours_too(
    evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge(instance: object, episode: object) -> Any:
        raise KeyError("letter")

    monkeypatch.setattr(type(BENCHMARK), "rules", {"letter": judge, "published": judge})
    view = evaluate(limit=2)
    assert [e.error for e in view.errors] == ["inside ordojo: KeyError('letter')"] * 2
    assert not view.records
