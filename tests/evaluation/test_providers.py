"""Providers that fail: recorded, counted, unscored, asked again by the next start."""

from pathlib import Path

import pytest

import tests.evaluation.flaky  # noqa: F401 - registers the providers
from ordojo.core.errors import ProviderError, UsageError
from ordojo.evaluation.evaluation import Evaluation
from ordojo.evaluation.runs import read_run
from tests.evaluation.conftest import Evaluate, request_for

CHAT = {"mode": "chat"}


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("flaky/empty", "returned nothing"),
        ("flaky/broken", "hung up"),
    ],
)
def test_a_failed_sample_is_recorded_and_the_others_are_scored(
    evaluate: Evaluate, tmp_path: Path, model: str, reason: str
) -> None:
    view = evaluate(model=model, settings=CHAT, limit=20, connection={"max_retries": 0})
    assert view.errors
    assert view.records
    assert len(view.errors) + len(view.records) == 20
    assert all(reason in record.error and not record.verdicts for record in view.errors)
    assert all(record.verdicts["letter"].answer == "C" for record in view.records)
    again = evaluate(model=model, settings=CHAT, limit=20, connection={"max_retries": 0})
    assert {r.id for r in again.records} >= {r.id for r in view.records}


def test_a_timeout_is_a_failed_sample(evaluate: Evaluate) -> None:
    view = evaluate(
        model="flaky/slow",
        settings=CHAT,
        limit=6,
        connection={"max_retries": 0, "timeout": 1},
    )
    assert view.errors
    assert len(view.errors) + len(view.records) == 6


def test_a_provider_that_never_answers_is_one_sentence(evaluate: Evaluate) -> None:
    with pytest.raises(ProviderError, match="none of the 5 samples could be asked"):
        evaluate(model="flaky/never", settings=CHAT, limit=5, connection={"max_retries": 0})


def test_a_chat_model_cannot_continue_a_raw_prompt(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match="`mode=chat`"):
        Evaluation(request_for(tmp_path, model="flaky/steady"))


@pytest.mark.parametrize(
    "model", ["nonsense", "nonsense/model", "openai/gpt-4o", "groq/some-model"]
)
def test_a_model_that_cannot_be_had_is_one_sentence(
    tmp_path: Path, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ProviderError) as caught:
        Evaluation(request_for(tmp_path, model=model, settings=CHAT))
    assert model in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_scripted_model_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="ordojo/majority"):
        Evaluation(request_for(tmp_path, model="ordojo/goldd"))


def test_generation_settings_and_usage_are_recorded(evaluate: Evaluate, tmp_path: Path) -> None:
    view = evaluate(model="flaky/steady", settings=CHAT, limit=3, generation={"temperature": 0.7})
    assert view.header.generation == {"temperature": 0.7}
    assert [record.usage.input_tokens for record in view.records] == [10, 10, 10]
    (run,) = (tmp_path / "runs").iterdir()
    assert read_run(run).records == view.records
    assert list((run / "inspect").glob("*.eval"))


def test_cached_responses_are_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FLAKY_LOG", str(tmp_path / "asked"))
    fields = {"model": "flaky/steady", "settings": CHAT, "limit": 4, "epochs": 2, "cache": True}
    for place in ("one", "two"):
        request = request_for(tmp_path / place, **{**fields, "settings": dict(CHAT)})
        view = Evaluation(request).run()
        assert len(view.records) == 8
    assert len((tmp_path / "asked").read_text().split()) == 8
