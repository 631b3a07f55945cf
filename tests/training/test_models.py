import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from string import ascii_letters
from typing import Any

import numpy as np
import pytest

from ordojo.core.environment import Message
from ordojo.core.errors import DataError, ProviderError, UsageError
from ordojo.core.records import RunView
from ordojo.core.registry import get_benchmark
from ordojo.evaluation.compact import full, rendering
from ordojo.evaluation.evaluation import Evaluation, EvaluationRequest
from ordojo.evaluation.providers.embedded import open_local
from ordojo.evaluation.providers.loading import add_adapter, load_weights
from ordojo.training.models import loading, session
from ordojo.training.models.gguf import write_adapter, write_gguf
from ordojo.training.models.loading import (
    Loaded,
    TinyConfig,
    load_model,
    make_tiny,
    make_tokenizer,
    merge_adapter,
    save_model,
    weights_digest,
)
from ordojo.training.models.policy import ModelPolicy
from tests import needs
from tests.training.rollout_toys import debugging

# transformers renames what the present peft still calls by its old name.
pytestmark = [
    needs("torch", "train"),
    pytest.mark.filterwarnings("ignore:.*gradient_checkpointing.*:FutureWarning"),
]

SMALL = TinyConfig(hidden=32, intermediate=48, heads=2, context=400)
TEXT = "drop need_malmo <= 12.5,\n then RELAX(x[3].ub, -7) and SUBMIT()"


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def small(seed: int = 0) -> Loaded:
    return Loaded(*make_tiny([TEXT], SMALL, seed), "tiny")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = small()
    return save_model(made.model, made.tokenizer, tmp_path / "model", "compact")


def test_the_tokenizer_gives_known_texts_back(tmp_path: Path) -> None:
    tokenizer = make_tokenizer([TEXT], SMALL)
    assert tokenizer.decode(tokenizer(TEXT)["input_ids"]) == TEXT
    assert tokenizer.unk_token_id in tokenizer("unheard")["input_ids"]
    with pytest.raises(UsageError, match="no texts"):
        make_tokenizer([], SMALL)


def test_the_tiny_model_depends_on_its_seed_alone() -> None:
    import torch

    torch.manual_seed(1)
    one = weights_digest(small().model)
    torch.manual_seed(2)
    assert weights_digest(small().model) == one != weights_digest(small(1).model)
    full_size, _ = make_tiny([TEXT])
    assert 300_000 < sum(p.numel() for p in full_size.parameters()) < 500_000
    with pytest.raises(UsageError, match="heads"):
        TinyConfig(hidden=30, heads=4)


def test_markers_cover_the_reply_and_its_stop() -> None:
    tokenizer = small().tokenizer
    turns = [{"role": "user", "content": "drop"}, {"role": "assistant", "content": "RELAX(x)"}]
    made = tokenizer.apply_chat_template(
        turns, tokenize=True, return_dict=True, return_assistant_tokens_mask=True
    )
    own = [i for i, m in zip(made["input_ids"], made["assistant_masks"], strict=True) if m]
    assert tokenizer.decode(own) == "RELAX(x)<|end|>"
    loading.check_stop_covered(tokenizer, "tiny")
    open_end = loading.TINY.replace(
        "+ '<|end|>' }}{% endgeneration %}", "}}{% endgeneration %}<|end|>"
    )
    tokenizer.chat_template = open_end
    with pytest.raises(UsageError, match="do not cover the stop token"):
        loading.check_stop_covered(tokenizer, "tiny")
    tokenizer.chat_template = "{{ messages[0]['content'] }}"
    with pytest.raises(UsageError, match="without markers"):
        loading.ensure_markers(tokenizer, "tiny")
    tokenizer.chat_template = "<|im_start|>{{ messages[0]['content'] }}<|im_end|>"
    loading.ensure_markers(tokenizer, "tiny")
    assert tokenizer.chat_template == loading.CHATML


def test_compact_keeps_what_the_environment_says_of_the_iis() -> None:
    (instance,) = debugging(1)
    benchmark = get_benchmark("or-debug")
    environment = benchmark.environment(benchmark.options(), 0)
    asked = environment.reset(instance, 0)
    (turn,) = rendering("compact")(asked.messages)
    head, *rows = turn.content.split("\n")
    assert head == "INFEASIBLE"
    assert [row.split()[-1] for row in rows] == list(instance.problem.iis_rows)
    model = instance.problem.model
    for row in rows:
        sense, said, side, name = row.split()
        place = model.rows[name]
        upper = model.row_upper[place]
        assert float(side) == (model.row_lower[place] if sense == ">=" else upper)
        assert (said == "said") == (side in re.findall(r"\d+", instance.problem.text))
    follow = environment.step("Action: CHECK_SLACK()").observation
    assert follow is not None
    assert "violated" in rendering("compact")(follow.messages)[0].content
    refused = environment.step("Action: DROP(nothing)").observation
    assert refused is not None
    assert rendering("compact")(refused.messages)[0].content.startswith("refused INFEASIBLE")
    assert full(asked.messages) == asked.messages
    story = Message("user", "A shop opens. It costs $3.50 a piece. How many?")
    assert rendering("compact")([story])[0].content == "It costs $3.50 a piece."
    with pytest.raises(UsageError, match="no rendering 'tiny'"):
        rendering("tiny")


def test_a_conversation_is_encoded_as_the_template_writes_it() -> None:
    policy = ModelPolicy(small())
    tokenizer = policy.loaded.tokenizer
    first = policy.encode([Message("user", "drop")], "chat", None)
    (reply,) = policy.complete([first], [np.random.default_rng(0)], max_tokens=4, temperature=1.0)
    more = policy.encode([Message("user", "RELAX")], "chat", reply)
    stop = "" if reply.ended else "<|end|>"
    assert tokenizer.decode(more) == f"{stop}<|user|>RELAX<|end|><|assistant|>"
    raw = policy.encode([Message("user", "drop")], "completion", None)
    assert tokenizer.decode(raw) == "drop"


def test_sampling_follows_the_generators_and_top_p() -> None:
    policy = ModelPolicy(small())
    prompts = [policy.encode([Message("user", text)], "chat", None) for text in ("drop", TEXT)]

    def ask(seed: int, **settings: Any) -> Any:
        rngs = [np.random.default_rng([seed, i]) for i in range(2)]
        return policy.complete(prompts, rngs, **{"max_tokens": 6, "temperature": 1.0, **settings})

    assert ask(0) == ask(0) != ask(1)
    greedy = ask(0, temperature=0.0)
    assert [one.text for one in greedy] == [one.text for one in ask(1, temperature=0.0)]
    narrow = ask(1, top_p=1e-9)
    assert [one.ids for one in narrow] == [one.ids for one in greedy]
    assert all(abs(p) < 1e-5 for one in narrow for p in one.logprobs)
    (stopped, _) = ask(0, stop=[ask(0)[0].text[1:2]])
    assert len(stopped.ids) <= 6 and stopped.text == ask(0)[0].text[: len(stopped.text)]


def test_saved_models_load_as_they_were_and_adapters_merge(folder: Path, tmp_path: Path) -> None:
    import torch
    from peft import LoraConfig, get_peft_model

    before = weights_digest(small().model)
    assert weights_digest(load_model(str(folder), device="cpu").model) == before
    base = load_model(str(folder), device="cpu")
    adapted = get_peft_model(base.model, LoraConfig(r=2, target_modules="all-linear"))
    with torch.no_grad():
        for name, weight in adapted.named_parameters():
            if "lora_B" in name:
                weight.fill_(0.1)
    save_model(adapted, base.tokenizer, tmp_path / "adapter", "compact")
    whole = merge_adapter(str(tmp_path / "adapter"), tmp_path / "whole")
    merged = load_model(str(whole), device="cpu").model
    ids = torch.tensor([[5, 6, 7, 8]])
    with torch.no_grad():
        expected = adapted(input_ids=ids).logits
        found = merged(input_ids=ids).logits
    assert torch.allclose(expected, found, atol=1e-4)
    assert weights_digest(merged) != before
    assert json.loads((whole / "ordojo.json").read_text()) == {"rendering": "compact"}
    learns = load_model(str(tmp_path / "adapter"), device="cpu").model
    assert all(weight.requires_grad for weight in learns.parameters())


def test_what_is_no_model_is_refused_in_a_sentence(tmp_path: Path) -> None:
    import torch

    with pytest.raises(DataError, match="holds no model"):
        load_weights(str(tmp_path))
    for kind in ("config.json", "adapter_config.json"):
        run = tmp_path / f"run of {kind}"
        (run / "model").mkdir(parents=True)
        (run / "config.json").write_text("{}")
        (run / "model" / kind).write_text("{}")
        with pytest.raises(DataError, match=r"training run; its model is .*/model$"):
            load_weights(str(run))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(DataError, match="cannot be loaded"):
        load_weights(str(tmp_path))
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(DataError, match="does not say its base"):
        load_weights(str(tmp_path))
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"GGUF nonsense")
    with pytest.raises(DataError, match="cannot be read as GGUF"):
        load_weights(str(bad))
    with pytest.raises(DataError, match="no model folder"):
        load_weights("./nowhere")
    if not torch.cuda.is_available():
        with pytest.raises(UsageError, match="finds no GPU"):
            load_model(str(tmp_path), device="cuda")


def test_gguf_holds_the_weights(tmp_path: Path) -> None:
    import torch

    gguf = pytest.importorskip("gguf")
    texts = [TEXT, " ".join("_" + ascii_letters)]
    made, other_weights = (Loaded(*make_tiny(texts, SMALL, seed), "tiny") for seed in (0, 1))
    base = write_gguf(other_weights.model, made.tokenizer, None, tmp_path / "base.gguf")
    out = write_gguf(made.model, made.tokenizer, base, tmp_path / "out.gguf", "f32")
    fields = gguf.GGUFReader(str(out)).fields
    assert "{% generation" not in fields["tokenizer.chat_template"].contents()
    from transformers import AutoModelForCausalLM

    again = AutoModelForCausalLM.from_pretrained(str(tmp_path), gguf_file="out.gguf")
    state, other = made.model.state_dict(), again.state_dict()
    for name in state:
        assert torch.equal(state[name], other[name]), name
    other_size, tokenizer = make_tiny([TEXT], SMALL)
    # Beginnings of words are added, as unknown as any other.
    write_gguf(other_size, tokenizer, None, tmp_path / "more.gguf", "f32")
    rows = gguf.GGUFReader(str(tmp_path / "more.gguf")).tensors[0].data
    assert len(rows) > len(tokenizer) and (rows[-1] == rows[tokenizer.unk_token_id]).all()
    with pytest.raises(UsageError, match="words and the model"):
        write_gguf(other_size, made.tokenizer, base, tmp_path / "x.gguf")
    with pytest.raises(DataError, match="is no GGUF file"):
        write_gguf(made.model, made.tokenizer, folder_file(tmp_path), tmp_path / "x.gguf")


@pytest.mark.parametrize("kind", ["float32", "bfloat16"])
def test_adapters_as_gguf_add_what_merging_adds(folder: Path, tmp_path: Path, kind: str) -> None:
    gguf = pytest.importorskip("gguf")
    # As after SFT and GRPO: an adapter over a model that is an adapter's itself.
    first = adapted(folder, tmp_path / "first", 4, kind)
    second = adapted(first, tmp_path / "second", 2, kind)
    plain, whole = load_model(str(folder)), load_model(str(second))
    files = [
        write_gguf(plain.model, plain.tokenizer, None, tmp_path / "plain.gguf", "f32"),
        write_gguf(whole.model, whole.tokenizer, None, tmp_path / "whole.gguf", "f32"),
        write_adapter(second, tmp_path / "adapter.gguf", "f32"),
    ]
    before, after, added = (
        {tensor.name: tensor.data for tensor in gguf.GGUFReader(str(file)).tensors}
        for file in files
    )
    names = {name.rpartition(".")[0] for name in added}
    assert len(names) == 7 * SMALL.layers
    for name in names:
        down, up = added[f"{name}.lora_a"], added[f"{name}.lora_b"]
        assert len(down) == 4 + 2, "its scale is alpha by rank, which is 1"
        np.testing.assert_allclose(before[name] + up @ down, after[name], atol=1e-5)
    add_adapter(plain.model, files[2])
    for name, weight in whole.model.state_dict().items():
        np.testing.assert_allclose(plain.model.state_dict()[name], weight, atol=1e-5)
    with pytest.raises(DataError, match="is no GGUF adapter"):
        add_adapter(plain.model, files[0])
    with pytest.raises(DataError, match="holds no LoRA adapter"):
        write_adapter(folder, tmp_path / "none.gguf")


def adapted(base: Path, out: Path, rank: int, kind: str) -> Path:
    """A random adapter of a model, saved beside its base's name."""
    import torch
    from peft import LoraConfig, get_peft_model

    loaded = load_model(str(base))
    how = LoraConfig(r=rank, lora_alpha=8, target_modules="all-linear", task_type="CAUSAL_LM")
    tuned = get_peft_model(loaded.model, how)
    torch.manual_seed(rank)
    for name, weight in tuned.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weight, std=0.1)
        if "lora_" in name:
            weight.data = weight.data.to(getattr(torch, kind))
    return save_model(tuned, loaded.tokenizer, out)


def folder_file(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text("not weights")
    return path


def test_checkpoints_are_trusted_only_when_whole(tmp_path: Path) -> None:
    heard: list[str] = []
    for step in (5, 10, 15):
        place = tmp_path / f"checkpoint-{step}"
        place.mkdir()
        (place / "weights").write_bytes(bytes([step]))
        if step != 15:
            session.seal(place)
    assert session.latest(tmp_path, heard.append) == tmp_path / "checkpoint-10"
    assert not (tmp_path / "checkpoint-15").exists() and not heard
    (tmp_path / "checkpoint-10" / "weights").write_bytes(b"?")
    assert session.latest(tmp_path, heard.append) == tmp_path / "checkpoint-5"
    assert "weights is not as it was written" in heard[0]
    (tmp_path / "checkpoint-5" / "weights").unlink()
    assert session.latest(tmp_path, heard.append) is None


def test_a_trained_model_evaluates(folder: Path, tmp_path: Path) -> None:
    def evaluate(path: Path) -> RunView:
        request = EvaluationRequest(
            benchmark="or-debug",
            model=f"ordojo/local?path={path}",
            runs=tmp_path / "runs",
            settings={"max_steps": 2, "max_tokens": 8},
            limit=1,
        )
        return Evaluation(request).run()

    view = evaluate(folder)
    (record,) = view.records
    assert not view.errors and record.usage.output_tokens > 0
    # The compact prompt: the whole one would be ten times as long.
    assert record.usage.input_tokens < 800
    with pytest.raises(DataError, match="there is no model"):
        evaluate(tmp_path / "none")
    if find_spec("xllamacpp"):  # tests/training/learning.py compares the replies
        made = small()
        path = write_gguf(made.model, made.tokenizer, None, folder / "small.gguf")
        (record,) = evaluate(path).records
        assert record.usage.output_tokens > 0 and record.usage.input_tokens < 800
    (folder / "ordojo.json").write_text("[")
    with pytest.raises(DataError, match="is damaged"):
        open_local(f"local?path={folder}", 1)
    with pytest.raises(UsageError, match="name the model's folder"):
        open_local("local", 1)


def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"nothing")
    with pytest.raises(ProviderError, match="cannot be run"):
        open_local(f"local?path={path}", 1)
