"""Supervised fine-tuning on conversations, with TRL (paper 004, 4.2, table 28).

Conversations come from a file of records or from a teacher (`demonstrate`); those that are too long
are left out (`fitting`). The model is one that is there or a tiny one made of their words
(`start_model`), trained whole or by a LoRA adapter, which the other stages take from here (`lora`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json, digest
from ordojo.core.environment import Message
from ordojo.core.errors import DataError
from ordojo.core.files import read_text
from ordojo.core.instance import Instance
from ordojo.core.progress import doing
from ordojo.core.registry import get_benchmark
from ordojo.core.rows import json_lines
from ordojo.core.words import amount
from ordojo.evaluation.compact import Rendering, conversation, rendering
from ordojo.training.made import episodes
from ordojo.training.models import session
from ordojo.training.models.loading import (
    Loaded,
    TinyConfig,
    load_model,
    make_tiny,
    save_model,
    weights_digest,
)
from ordojo.training.models.session import MetricsLog, TrainingSettings, begin
from ordojo.training.rollouts.work import plan
from ordojo.training.teacher.formats import sft_records

Record = Mapping[str, Any]
"""Either "messages", a list of {"role", "content"} that ends with the assistant's, or
"instruction", "input" and "output"."""


def read_records(path: Path) -> list[Record]:
    """The records of a file of JSON lines; raises DataError, naming the line."""
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read ({error}); name a file of JSON lines") from None
    found = dict(json_lines(text, path, "write one record a line"))
    for place, row in found.items():
        messages_of(row, f"{path}:{place}")
    if not found:
        raise DataError(f"{path} holds no records; make some with `ordojo train` or by hand")
    return list(found.values())


def messages_of(record: Any, where: str) -> list[Message]:
    """The conversation of a record; raises DataError, naming `where`."""
    if not isinstance(record, Mapping):
        raise DataError(f"{where}: a record must be a JSON object")
    if "output" in record and "messages" not in record:
        parts = [record.get("instruction") or "", record.get("input") or ""]
        if not all(isinstance(part, str) for part in (*parts, record["output"])):
            raise DataError(f"{where}: instruction, input and output must be texts")
        asked = "\n".join(part for part in parts if part)
        return [Message("user", asked), Message("assistant", record["output"])]
    if "prompt" in record and "messages" not in record:
        raise DataError(
            f"{where}: a raw prompt has no turns; collect the trajectories under mode=chat"
        )
    turns = record.get("messages")
    good = isinstance(turns, list) and all(
        isinstance(turn, Mapping)
        and turn.get("role") in ("system", "user", "assistant")
        and isinstance(turn.get("content"), str)
        for turn in turns
    )
    if not good or not turns or turns[-1]["role"] != "assistant":
        raise DataError(
            f"{where}: needs 'messages', a list of role and content that ends with the assistant's"
        )
    return [Message(turn["role"], turn["content"]) for turn in turns]


def rendered(records: Iterable[Record], show: Rendering) -> list[list[dict[str, str]]]:
    """The conversations as the model shall read them: the assistant's turns as they are."""
    return [
        conversation(messages_of(record, f"record {place}"), show)
        for place, record in enumerate(records, 1)
    ]


def tokens_in(turns: list[dict[str, str]], tokenizer: Any) -> int:
    """How many tokens a conversation has."""
    made = tokenizer.apply_chat_template(turns, tokenize=True, return_dict=True)
    return len(made["input_ids"])


def fitting(
    conversations: Sequence[list[dict[str, str]]], tokenizer: Any, most: int
) -> tuple[list[list[dict[str, str]]], int]:
    """Those that fit into `most` tokens, and how many do not: cut off, they would end wrongly.

    Raises DataError where none fits.
    """
    kept = []
    for turns in conversations:
        if tokens_in(turns, tokenizer) <= most:
            kept.append(turns)
    if not kept:
        raise DataError(
            f"none of the {len(conversations)} records fits into max_length={most} tokens; raise "
            "it, or take rendering=compact"
        )
    return kept, len(conversations) - len(kept)


def demonstrate(
    benchmark: str,
    options: Mapping[str, Any],
    instances: Sequence[Instance[Any]],
    teacher: str = "brief",
    doubt: float = 0.0,
    seed: int = 0,
    keep: Path | None = None,
) -> list[Record]:
    """The records of brief demonstrations, in order; the episodes are kept in the folder `keep`.

    Without doubt those that did not end well under the headline rule are left out; with it all are
    kept, cut after the first answer.
    """
    policy = get_benchmark(benchmark).teaching().teacher(teacher, doubt)
    work = plan(benchmark, policy or teacher, options=options, instances=instances, seed=seed)
    played = list(episodes(work, keep, doubt))
    if doubt:
        return list(
            sft_records(
                replace(one, episode=replace(one.episode, turns=one.turns[:1])) for one in played
            )
        )
    return list(sft_records(one for one in played if one.headline.score == 1.0))


class SftConfig(TrainingSettings):
    """Table 28. `data` is a file of records, or "" where they are handed to `run`.

    `model="tiny"` makes a model of sizes `tiny` over the words of the records and of `words`, a
    file of texts, "" for none.
    """

    data: str = ""
    words: str = ""
    tiny: TinyConfig = TinyConfig()

    def model_post_init(self, context: object) -> None:
        """The tiny model is trained whole, and no longer than its context."""
        tiny = self.model == "tiny"
        whole = not tiny or self.method == "full"
        self.refuse_unless(whole, "method", "must be full for the tiny model")
        fits = not tiny or self.max_length <= self.tiny.context
        self.refuse_unless(fits, "max_length", "must not exceed tiny.context")


COLUMNS = {
    "epoch": "epoch",
    "loss": "loss",
    "accuracy": "mean_token_accuracy",
    "entropy": "entropy",
    "learning_rate": "learning_rate",
    "grad_norm": "grad_norm",
    "tokens": "num_tokens",
}
"""The columns of the log, and what TRL calls them."""


def run(
    config: SftConfig,
    out: Path,
    records: Sequence[Record] | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Mapping[str, Json]:
    """Train, or go on; the model is then in `out/model`, the log in `out/metrics.csv`.

    Started again after a kill, with as many threads, it ends with the same weights on a CPU. The
    summary has "model", "steps", "records", "left_out" (too long), "loss", "digest". Raises
    UsageError, DataError or ProviderError.
    """
    if records is None:
        records = read_records(Path(config.data).expanduser())
    if not records:
        raise DataError("sft: there are no records to learn from")
    begin(out, {**config.to_json(), "records": digest(list(records))})
    session.quiet()
    conversations = rendered(records, rendering(config.rendering))
    loaded = start_model(config, conversations)
    doing(f"measuring {amount(len(conversations), 'record')} in tokens")
    kept, left_out = fitting(conversations, loaded.tokenizer, config.max_length)
    if left_out:
        say(f"{left_out} of {len(conversations)} records exceed max_length and are left out")
    log = MetricsLog(out, list(COLUMNS), config.tensorboard)
    trainer = _trainer(config, out, loaded, kept)
    session.train(trainer, out, log, COLUMNS, say, totals=["tokens"])
    model = trainer.accelerator.unwrap_model(trainer.model)
    folder = save_model(model, loaded.tokenizer, out / "model", config.rendering)
    losses = [row["loss"] for row in trainer.state.log_history if "loss" in row]
    return session.write_summary(
        out,
        {
            "stage": "sft",
            "model": str(folder),
            "steps": trainer.state.global_step,
            "records": len(kept),
            "left_out": left_out,
            "loss": losses[-1] if losses else None,
            "digest": weights_digest(model),
        },
    )


def start_model(config: SftConfig, conversations: Sequence[list[dict[str, str]]]) -> Loaded:
    """The model before the first step; the tiny one is made of the conversations' words."""
    if config.model != "tiny":
        return load_model(
            config.model, dtype=config.dtype, device=config.device, template=config.template
        )
    texts = [turn["content"] for turns in conversations for turn in turns]
    if config.words:
        texts.append(read_text(Path(config.words).expanduser()))
    doing("making the tiny model")
    model, tokenizer = make_tiny(texts, config.tiny, config.seed)
    return Loaded(model, tokenizer, "tiny")


def _trainer(
    config: SftConfig,
    out: Path,
    loaded: Loaded,
    conversations: Sequence[list[dict[str, str]]],
) -> Any:
    from trl import SFTConfig, SFTTrainer
    from trl.trainer import utils

    from datasets import Dataset

    # TRL scores the reply's positions alone on a GPU, and all positions elsewhere, for compilers
    # that are not used here: on a CPU half of a step's time.
    utils._use_triton = lambda device: device.type in ("cpu", "cuda", "xpu")
    return SFTTrainer(
        model=with_lora(loaded.model, config),
        args=SFTConfig(
            **session.shared_arguments(config, out),
            max_length=config.max_length,
            assistant_only_loss=True,
            packing=False,
        ),
        train_dataset=Dataset.from_dict({"messages": list(conversations)}),
        processing_class=loaded.tokenizer,
    )


def with_lora(model: Any, config: TrainingSettings) -> Any:
    """The model with an adapter of its own precision, or as it is where all weights are trained.

    An adapter of higher precision than its model's would copy every activation: on a CPU, half the
    speed.
    """
    settings = lora(config)
    if settings is None:
        return model
    from peft import get_peft_model

    return get_peft_model(model, settings, autocast_adapter_dtype=False)


def lora(config: Any, task: str = "CAUSAL_LM") -> Any:
    """The adapter's settings, None where all weights are trained."""
    if config.method == "full":
        return None
    from peft import LoraConfig, TaskType

    return LoraConfig(
        r=config.lora_rank,
        lora_alpha=config.lora_alpha,
        lora_dropout=config.lora_dropout,
        target_modules="all-linear",
        task_type=TaskType[task],
    )
