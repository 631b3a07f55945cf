"""The embedded language model, for real."""

import importlib.util
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ordojo
from ordojo.core.environment import Message
from ordojo.core.errors import ProviderError, UsageError
from ordojo.evaluation.generation import generator
from ordojo.evaluation.providers.embedded import EmbeddedModel
from ordojo.evaluation.providers.loading import (
    ADAPTERS,
    CATALOGUE,
    find_weights,
    get_weights,
    load_weights,
    read_adapter,
    require_weights,
)
from tests import needs
from tests.evaluation.conftest import Evaluate

# A thread that waits for another beside other workers takes a core.
ONE = {"model_args": {"threads": "1"}}
absent = importlib.util.find_spec("xllamacpp") is None or not find_weights(CATALOGUE["smollm2"])
embedded = [
    pytest.mark.embedded,
    pytest.mark.skipif(absent, reason="xllamacpp or the weights of smollm2 are not installed"),
]


@pytest.fixture(scope="module")
def model() -> EmbeddedModel:
    return EmbeddedModel("smollm2", threads=1)


class TestEmbedded:
    pytestmark = embedded

    def test_a_raw_prompt_is_continued(self, model: EmbeddedModel) -> None:
        settings = {"max_tokens": 1, "logprobs": 20}
        prompt = "Paris is the capital of France. Rome is the capital of"
        first, again = model.complete(prompt, settings), model.complete(prompt, settings)
        assert first.text.strip() == "Italy"
        assert (first.new_tokens, first.stop_reason) == (1, "length")
        assert again.text == first.text
        assert again.cached_tokens > 0
        assert len(first.first) == 20
        assert sum(map(math.exp, first.first.values())) <= 1.0001

    def test_a_chat_is_answered_and_stops(self, model: EmbeddedModel) -> None:
        turns = [Message("user", "Say hello.")]
        reply = model.chat(turns, {"max_tokens": 40})
        assert "hello" in reply.text.lower()
        assert reply.stop_reason == "stop"

    def test_weights_are_loaded_once(
        self, evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        load, loaded = EmbeddedModel.__init__, []

        def counted(model: EmbeddedModel, *given: Any) -> None:
            loaded.append(given)
            load(model, *given)

        monkeypatch.setattr(EmbeddedModel, "__init__", counted)
        evaluate(model="ordojo/smollm2", limit=1, connection=ONE)
        assert loaded == [("smollm2", 1)]

    def test_a_prompt_beyond_the_context_is_refused(self, model: EmbeddedModel) -> None:
        with pytest.raises(ProviderError, match="refused the prompt"):
            model.complete("word " * 20_000, {"max_tokens": 1})

    @pytest.mark.parametrize(
        "settings", [{}, {"mode": "chat"}, {"mode": "logprob"}, {"prompt": "cot"}]
    )
    def test_orqa_in_every_mode(self, evaluate: Evaluate, settings: dict[str, str]) -> None:
        settings = {**settings, "reasoning_tokens": "16"}
        view = evaluate(model="ordojo/smollm2", settings=settings, limit=1, connection=ONE)
        assert len(view.records) == 1
        assert not view.errors
        assert all(record.usage.output_tokens >= 1 for record in view.records)
        if settings.get("mode") == "logprob":
            odds = view.records[0].episode.turns[0].info["probabilities"]
            assert view.records[0].episode.last_reply == max(odds, key=odds.get)  # type: ignore[union-attr, arg-type]

    def test_econlogicqa_stops_at_a_new_question(self, evaluate: Evaluate) -> None:
        view = evaluate("econlogicqa", model="ordojo/smollm2", limit=1, connection=ONE)
        (record,) = view.records
        assert record.episode.last_reply and "Question:" not in record.episode.last_reply

    def test_sampling_differs_by_epoch_and_repeats_by_seed(self, evaluate: Evaluate) -> None:
        hot = {"temperature": 1.5}
        fields = {"model": "ordojo/smollm2", "limit": 1, "epochs": 2, "generation": hot}
        fields["connection"] = ONE
        settings = {"prompt": "cot", "reasoning_tokens": "12"}
        view = evaluate(settings=settings, **fields)
        said = [record.episode.turns[0].reply for record in view.records]
        assert said[0] != said[1]

    def test_the_trained_newsvendor_works_the_order_out(self) -> None:
        tuned = EmbeddedModel("smollm2-newsvendor", threads=1)
        asked = list(ordojo.load("or-bias"))[5:600:100]
        environment = ordojo.make("or-bias", mode="chat")
        scores = []
        for instance in asked:
            told = environment.reset(instance, 0).messages
            reply = tuned.chat(told, {"max_tokens": 120})
            assert reply.stop_reason == "stop"
            assert " z=" in reply.text
            scores.append(environment.step(reply.text).reward)
        assert sum(scores) >= 3, "one in ten is what the base model has"
        with pytest.raises(ProviderError, match="use `mode=chat`"):
            tuned.complete("Order quantity:", {"max_tokens": 8})

    def test_the_trained_repairer_repairs(self) -> None:
        tuned = EmbeddedModel("smollm2-repair", threads=1)
        environment = ordojo.make("or-debug", set="eval-v1", history="state", max_steps="5")
        solved = 0
        for instance in list(ordojo.load("or-debug", set="eval-v1"))[3:180:172]:
            asked = environment.reset(instance, 0)
            for _ in range(5):
                reply = tuned.chat(asked.messages, {"max_tokens": 160})
                assert "Action: " in reply.text
                step = environment.step(reply.text)
                if step.terminated or step.truncated:
                    break
                asked = step.observation
            solved += step.info["status"] == "OPTIMAL"
        assert solved, "the base model has none"

    @needs("gguf", "train")
    def test_a_tuned_model_is_its_base_with_its_adapter_to_transformers(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import gguf

        read = []

        class Counting(gguf.GGUFReader):
            def __init__(self, path: Any, *args: Any) -> None:
                read.append(Path(path).name)
                super().__init__(path, *args)

        monkeypatch.setattr(gguf, "GGUFReader", Counting)
        tuned, tokenizer = load_weights("ordojo/smollm2-repair")
        told = tokenizer.apply_chat_template([{"role": "user", "content": "hi"}], tokenize=False)
        assert told == "<|im_start|>user\nhi<|im_end|>\n", "as trained, without a system turn"
        assert gguf.GGUFReader is Counting and len(set(read)) == len(read), "each file is read once"
        adapter = read_adapter(ADAPTERS / CATALOGUE["smollm2-repair"].adapter, tuned.config)
        weights = find_weights(CATALOGUE["smollm2-repair"])
        base = {tensor.name: tensor for tensor in gguf.GGUFReader(str(weights)).tensors}
        for layer in range(tuned.config.num_hidden_layers):
            name, tensor = (
                f"model.layers.{layer}.mlp.down_proj",
                base[f"blk.{layer}.ffn_down.weight"],
            )
            change = adapter[f"{name}/B"] @ adapter[f"{name}/A"]
            whole = gguf.quants.dequantize(tensor.data, tensor.tensor_type) + change
            assert change.any()
            np.testing.assert_allclose(tuned.get_submodule(name).weight.detach(), whole, atol=1e-5)

    def test_builders_get_a_plain_callable(self) -> None:
        generate = generator("ordojo/smollm2")
        assert generate("Say hello.", max_tokens=5) == generate("Say hello.", max_tokens=5)


@pytest.mark.parametrize("name", ["smollm2-newsvendor", "smollm2-repair"])
def test_a_tuned_model_has_its_base_s_weights(name: str) -> None:
    tuned, base = CATALOGUE[name], CATALOGUE["smollm2"]
    assert find_weights(tuned) == find_weights(base)
    assert (ADAPTERS / tuned.adapter).stat().st_size < 10e6


def test_an_unknown_embedded_model_is_one_sentence() -> None:
    with pytest.raises(UsageError, match="smollm2"):
        get_weights("smollm3")


def test_absent_weights_say_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORDOJO_CACHE", str(tmp_path))
    monkeypatch.setattr("sys.path", [])
    with pytest.raises(ProviderError, match="ordojo models pull smollm2"):
        require_weights(CATALOGUE["smollm2"])
