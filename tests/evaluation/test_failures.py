"""What a provider does wrong is an error in its own words, at every door, and never a reply."""

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model

from ordojo.cli import cli
from ordojo.core.errors import ProviderError
from ordojo.core.records import endings
from ordojo.evaluation.generation import generator
from ordojo.evaluation.runs import read_runs
from ordojo.training.rollouts.rollout import rollout
from ordojo.training.rollouts.work import plan
from tests.completions import Sent, failed, said, serving
from tests.evaluation.conftest import Evaluate

LONG = "This model's maximum context length is 4096 tokens, and the answer is (B)."


def answering(
    send: Callable[[str], Sent], asked: Counter[str] | None = None
) -> AbstractContextManager[str]:
    """A server that sends what it is told to for a model; `asked` counts the requests."""

    def answer(request: dict[str, Any], headers: Message) -> Sent:
        if asked is not None:
            asked[request["model"]] += 1
        return send(request["model"])

    return serving(answer)


SENT = {
    "long": (
        failed(400, LONG, code="context_length_exceeded"),
        f"the prompt is too long for the model: {LONG}",
    ),
    "ended": (said("", "error"), "the provider ended the reply with an error"),
    "half": (said("The answer is (B).", "error"), "the provider ended the reply with an error"),
    "nothing": (said("", None), "the provider returned no text and no reason why"),
    "limit": (failed(429, "Rate limit reached"), "HTTP 429: Rate limit reached"),
    "refused": (failed(400, "no such temperature"), "HTTP 400: no such temperature"),
    "hidden": (
        (200, {"error": {"message": "upstream overloaded", "code": 502}}),
        "HTTP 502: upstream overloaded",
    ),
}


def connection(url: str, **more: Any) -> dict[str, Any]:
    return {"base_url": url, "model_args": {"api_key": "x"}, "max_retries": 0, **more}


@pytest.mark.parametrize("kind", SENT)
def test_it_is_an_error_of_the_sample_in_one_line(
    evaluate: Evaluate, tmp_path: Path, kind: str
) -> None:
    sent, reason = SENT[kind]
    with answering(lambda model: sent) as url, pytest.raises(ProviderError) as caught:
        settings = {"mode": "chat"}
        model = "openai-api/door/m"
        evaluate(model=model, settings=settings, limit=2, connection=connection(url))
    assert str(caught.value).endswith(f"the first error was: {reason}")
    (run,) = read_runs([tmp_path / "runs"])
    assert [error.error for error in run.errors] == [reason] * 2 and not run.records


def test_it_is_the_same_for_a_raw_prompt(evaluate: Evaluate) -> None:
    for kind in ("long", "ended", "hidden"):
        with answering(lambda model: SENT[model][0]) as url, pytest.raises(ProviderError) as caught:
            model = f"openai-api-completions/door/{kind}"
            evaluate(model=model, limit=1, connection=connection(url))
        told = "HTTP 400: " + LONG if kind == "long" else SENT[kind][1]
        assert str(caught.value).endswith(f"the first error was: {told}")


def test_it_is_an_error_at_inspects_own_command(tmp_path: Path) -> None:
    for kind in ("long", "ended"):
        with answering(lambda model: SENT[model][0]) as url:
            (log,) = inspect_eval(
                "ordojo/orqa",
                model=get_model(f"openai-api/door/{kind}", base_url=url, api_key="x"),
                task_args={"dataset": "orqa@ordojo", "mode": "chat"},
                limit=1,
                log_dir=str(tmp_path / kind),
                display="none",
                log_level="error",
            )
        (sample,) = log.samples or []
        assert sample.error is not None and SENT[kind][1] in sample.error.message
        assert not sample.scores


def test_it_is_an_error_of_a_rollout_and_of_a_builder() -> None:
    for kind in ("long", "ended"):
        with answering(lambda model: SENT[model][0]) as url:
            options = {"dataset": "orqa@ordojo", "mode": "chat"}
            name = f"openai-api/door/{kind}"
            work = plan("orqa", name, options=options, limit=2, connection=connection(url))
            with pytest.raises(ProviderError, match="none of the 2 episodes"):
                list(rollout(work))


def test_a_builder_gets_no_error_for_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(lambda model: SENT[model][0]) as url:
        monkeypatch.setenv("DOOR_API_KEY", "x")
        monkeypatch.setenv("DOOR_BASE_URL", url)
        for kind in ("long", "refused"):
            with pytest.raises(ProviderError, match=SENT[kind][1].split(":")[0]):
                generator(f"openai-api/door/{kind}")("tell it")


def test_the_models_own_refusal_is_counted(evaluate: Evaluate) -> None:
    sent = said(None, refusal="I'm sorry, the answer is (B), but I cannot say it.")
    with answering(lambda model: sent) as url:
        model = "openai-api/door/m"
        view = evaluate(model=model, settings={"mode": "chat"}, limit=2, connection=connection(url))
    assert endings(view.records).refused == 2
    assert {r.verdicts["letter"].outcome for r in view.records} == {"unparsed"}


@pytest.mark.parametrize("retries", [0, 1])
def test_retries_are_all_that_is_asked_after_a_failure(tmp_path: Path, retries: int) -> None:
    asked: Counter[str] = Counter()
    with answering(lambda model: SENT["limit"][0], asked) as url:
        words = ["eval", "orqa", "-T", "dataset=orqa@ordojo", "-T", "mode=chat", "--limit", "2"]
        words += ["--runs", str(tmp_path), "--model-base-url", url, "-M", "api_key=x"]
        words += ["--model", "openai-api/door/m", "--max-retries", str(retries)]
        CliRunner().invoke(cli, words)
    assert asked["m"] == 2 * (1 + retries)
