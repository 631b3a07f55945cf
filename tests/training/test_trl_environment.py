"""The real GRPOTrainer with `environment_factory`: a tiny model calls the tool, and is paid."""

import json
from pathlib import Path
from typing import Any

import pytest

from ordojo.training.adapters import EpisodePlayer, trl_environment
from ordojo.training.models.loading import TinyConfig, make_tiny
from tests import needs

pytestmark = needs("trl", "train")

ASK = {"role": "user", "content": "Decide."}
STEPS = 200
"""At most, of learning one reply by heart: at a loss of 0.02 cold sampling says it."""


def taught(asked: str, tool: Any, text: str) -> tuple[Any, Any]:
    """A tiny model that answers one prompt with a call of the tool, and its tokenizer."""
    import torch
    from transformers.utils.chat_template_utils import get_json_schema
    from trl.chat_template_utils import qwen3_chat_template

    schema, call = get_json_schema(tool), {"name": "act", "arguments": {"text": text}}
    reply = f"<tool_call>\n{json.dumps(call)}\n</tool_call><|im_end|>"
    sizes = TinyConfig(context=2048, hidden=64, intermediate=128)
    words = [asked, reply, json.dumps(schema), qwen3_chat_template]
    model, tokenizer = make_tiny(words, sizes)
    tokenizer.add_special_tokens({"additional_special_tokens": ["<|im_start|>", "<|im_end|>"]})
    tokenizer.add_tokens(["<tool_call>", "</tool_call>", "<think>", "</think>"])
    tokenizer.eos_token, tokenizer.chat_template = "<|im_end|>", qwen3_chat_template
    model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    model.config.eos_token_id = model.generation_config.eos_token_id = tokenizer.eos_token_id
    prompt = tokenizer.apply_chat_template(
        [{**ASK, "content": ASK["content"] + asked}],
        tools=[schema],
        add_generation_prompt=True,
        return_dict=False,
        enable_thinking=False,
    )
    said = tokenizer(reply)["input_ids"]
    tokens = torch.tensor([prompt + said])
    labels = torch.tensor([[-100] * len(prompt) + said])
    optimizer = torch.optim.AdamW(model.parameters(), 5e-3)
    for _ in range(STEPS):
        loss = model(input_ids=tokens, labels=labels).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if loss.item() < 0.02:
            break
    assert loss.item() < 0.02
    return model, tokenizer


@pytest.mark.filterwarnings("ignore")  # The trainer's own, of features that change.
def test_the_real_trainer_plays_an_episode(tmp_path: Path) -> None:
    import torch
    from trl import GRPOConfig, GRPOTrainer

    from datasets import Dataset

    torch.manual_seed(0)
    settings = {"mode": "chat"}
    played = EpisodePlayer.of("or-bias", settings, limit=1)
    gold = played.session.policy("gold").begin(played.session.instances[0], 0, 1)
    text = gold(played.begin(0))
    played.reply(text)
    factory = trl_environment("or-bias", settings, limit=1)
    environment = factory()
    model, tokenizer = taught(environment.reset(index=0), environment.act, text)
    config = GRPOConfig(
        output_dir=str(tmp_path),
        max_steps=1,
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=80,
        temperature=0.1,
        report_to=[],
        use_cpu=True,
        save_strategy="no",
        logging_steps=1,
        disable_tqdm=True,
        chat_template_kwargs={"enable_thinking": False},
        max_tool_calling_iterations=1,
    )
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=[],
        args=config,
        train_dataset=Dataset.from_list([{"prompt": [ASK], "index": 0}] * 2),
        processing_class=tokenizer,
        environment_factory=factory,
    )
    trainer.train()
    told = trainer.state.log_history[0]
    assert told["tools/call_frequency"] == 1 and told["tools/failure_frequency"] == 0
    assert told["rewards/Environment/mean"] == pytest.approx(played.total) and played.total > 0
