"""The same reply is worth the same at every door, and a provider's failure is an error at each."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval as inspect_eval
from inspect_ai import score as inspect_score
from inspect_ai._eval.score import resolve_scorers
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import get_model

from ordojo.cli import cli
from ordojo.core.doors import FULL, KINDS, Worth, faults
from ordojo.core.environment import chat
from ordojo.core.errors import ProviderError, UsageError
from ordojo.core.registry import benchmark_names
from ordojo.evaluation import session as sessions
from ordojo.training.adapters import EpisodePlayer, SkyrlEnv
from tests import needs
from tests.conformance.doors import DOORS, LISTED, endpoint, main, traces_of

OURS = {"dataset": "orqa@ordojo", "mode": "chat"}
ASKED = 12


@needs("verifiers", "verifiers")
@needs("openenv", "serve")
@needs("skyrl_gym", "dev")
def test_the_contract_holds_at_every_door(capsys: pytest.CaptureFixture[str]) -> None:
    assert {one.benchmark.name for one in LISTED} == set(benchmark_names())
    broken, printed = main(), capsys.readouterr().out
    assert not broken and "BROKEN" not in printed, printed
    for name in (*(one.benchmark.name for one in LISTED), *DOORS):
        assert f"\n{name} " in f"\n{printed}"


def test_what_breaks_the_contract_is_said() -> None:
    bad, right = Worth(0.0, -1.0), Worth(1.0, 5.0)
    row = {kind: right if kind in FULL else bad for kind in KINDS}
    assert faults({"one": row, "two": row}) == []
    assert faults({"one": {**row, "right": bad}}) == ["one: a plain right reply scores 0.0"]
    assert faults({"one": {**row, "left": Worth(None, 0.0)}}) == [
        "one: 'left' is paid 0.0, a wrong try -1.0"
    ]
    assert faults({"one": {**row, "cut": right}})[0] == "one: 'cut' scores 1.0, a wrong try 0.0"
    other = {**row, "right": Worth(1.0, 4.0)}
    assert "'right' has another reward" in faults({"one": row, "two": other})[0]


@contextmanager
def failing(third: int = 3) -> Iterator[str]:
    """A server that answers "C", and refuses each third of the questions with a 400."""
    player = EpisodePlayer.of("orqa", OURS, limit=ASKED)
    places = {player.begin(place).text: place for place in range(ASKED)}
    player.close()
    with endpoint(lambda turns: ("C", "stop") if places[turns[0]] % third else None) as url:
        yield url


def inspected(folder: Path, url: str, **settings: str) -> EvalLog:
    (log,) = inspect_eval(
        "ordojo/orqa",
        model=get_model("openai-api/door/m", base_url=url, api_key="x"),
        task_args={**OURS, **settings},
        limit=ASKED,
        log_dir=str(folder),
        display="none",
        log_level="error",
    )
    return log


def evaluated(folder: Path, url: str, limit: int = ASKED) -> Any:
    words = ["eval", "orqa", "--model", "openai-api/door/m", "--model-base-url", url]
    words += ["-M", "api_key=x", "--limit", str(limit), "--runs", str(folder), "--json"]
    return CliRunner().invoke(
        cli, [*words, *(w for k, v in OURS.items() for w in ("-T", f"{k}={v}"))]
    )


def test_a_third_of_requests_fail_at_ordojo_eval(tmp_path: Path) -> None:
    with failing() as url:
        done = evaluated(tmp_path, url)
        (figures,) = json.loads(done.stdout)
        assert (figures["items"], figures["finished"], figures["errors"]) == (ASKED, 8, 4)
        assert done.exit_code == 1 and "4 samples could not be asked" in done.stderr
    with failing(third=1) as url:
        done = evaluated(tmp_path / "all", url)
    assert isinstance(done.exception, ProviderError) and "none of the 12" in str(done.exception)


def test_a_third_of_requests_fail_at_inspect_eval(tmp_path: Path) -> None:
    with failing() as url:
        log = inspected(tmp_path, url)
        again = evaluated(tmp_path / "runs", url)
    samples = log.samples or []
    failed = [s.id for s in samples if s.error]
    assert log.status == "error" and len(samples) == ASKED and len(failed) == 4
    assert all("400" in s.error.message for s in samples if s.error)
    assert log.results and (log.results.total_samples, log.results.completed_samples) == (12, 8)
    (run,) = (tmp_path / "runs").glob("*")
    rows = map(json.loads, (run / "samples.jsonl").read_text().splitlines())
    ours = {row["id"]: row["verdicts"]["letter"]["score"] for row in rows}
    theirs = {s.id: s.scores["ordojo/verdict"].value for s in samples if s.scores}
    assert again.exit_code == 1 and theirs == ours, "the same limit takes the same items"
    with failing(third=1) as url:
        log = inspected(tmp_path, url)
    assert log.status == "error" and sum(bool(s.error) for s in log.samples or []) == ASKED


@needs("verifiers", "verifiers")
def test_a_third_of_requests_fail_at_verifiers() -> None:
    settings = {"dataset": "orqa@ordojo"}
    with failing() as url:
        _, traces = traces_of("orqa", settings, url, ASKED)
    failed = [one for one in traces if one["errors"]]
    assert len(traces) == ASKED and len(failed) == 4
    assert all(not one["ok"] and not one["rewards"].get("reward") for one in failed)
    paid = [one["rewards"]["reward"]["score"] for one in traces if one["ok"]]
    assert len(paid) == 8 and set(paid) <= {0.0, 1.0}


def test_inspects_log_has_what_was_asked_and_is_scored_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Inspect makes the model again, and asks it nothing.
    monkeypatch.setenv("DOOR_API_KEY", "x")
    monkeypatch.setenv("DOOR_BASE_URL", "http://127.0.0.1:1")
    with failing() as url:
        log = inspected(tmp_path, url)
    first = (log.samples or [])[1]
    assert not isinstance(first.input, str) and "Context: " in first.input[0].text
    assert first.choices == ["A", "B", "C", "D"] and first.target in first.choices
    stored = read_eval_log(log.location)
    assert stored.results
    for _ in range(2):
        scorers = resolve_scorers(stored)
        again = inspect_score(stored, scorers, action="overwrite", display="none")
        assert again.results and again.results.scores[0].name == "ordojo/verdict"
        assert again.results.scores[0].metrics == stored.results.scores[0].metrics
        stored = again


def test_a_raw_prompt_is_refused_or_switched_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with failing() as url, pytest.raises(ProviderError, match="use `mode=chat`"):
        inspected(tmp_path, url, mode="completion")
    sessions._warn.cache_clear()
    with caplog.at_level(logging.WARNING, "ordojo"):
        player = EpisodePlayer.of("orqa", {"dataset": "orqa@ordojo"}, limit=1)
    assert "orqa continues a raw prompt by default" in caplog.text
    assert player.begin().style == "chat"
    for mode in ("completion", "logprob"):
        player = EpisodePlayer.of("orqa", {"dataset": "orqa@ordojo", "mode": mode}, limit=1)
        with pytest.raises(UsageError, match="which chat turns cannot carry"):
            player.begin()
        player.close()


def test_an_episode_goes_on_after_it_was_asked_what_it_is_worth() -> None:
    player = EpisodePlayer.of("or-debug", limit=1)
    assert player.outcome() is None
    player.begin(0)
    player.reply("Action: GET_IIS()")
    left, again = player.outcome(), player.outcome()
    assert left and again and left.reward == again.reward < -25 and left.scores["rr@5"] == 0
    assert player.turns == 1 and not player.done
    player.reply("Action: SUBMIT()")
    over = player.outcome()
    assert over and over.reward == player.total >= left.reward
    player.close()


def test_skyrl_ends_at_the_trainers_limit_of_turns() -> None:
    env = SkyrlEnv({"benchmark": "or-debug", "limit": 1}, {"index": 0, "max_turns": 2})
    first, _ = env.init([])
    assert first == chat(EpisodePlayer.of("or-debug", limit=1).begin(0).messages)
    steps = [env.step("Action: GET_IIS()") for _ in range(2)]
    assert [step["done"] for step in steps] == [False, True] and steps[1]["observations"] == []
    assert sum(step["reward"] for step in steps) == env.get_metrics()["reward"] < -25
    assert env.get_metrics()["rr@5"] == 0
    env.close()
