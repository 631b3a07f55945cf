"""One run of supervised fine-tuning: from settings to a saved model, resumed where it stopped."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json, digest
from ordojo.core.errors import DataError
from ordojo.evaluate.compact import rendering
from ordojo.training.models import session
from ordojo.training.models.checkpoints import begin
from ordojo.training.models.loading import Loaded, load_model, save_model, weights_digest
from ordojo.training.models.logs import MetricsLog
from ordojo.training.models.settings import Settings
from ordojo.training.models.tiny import TinyConfig, make_tiny
from ordojo.training.sft.data import Record, fitting, read_records, rendered


@dataclass(frozen=True)
class SftConfig(Settings):
    """Table 28. `data` is a file of records, or "" where they are handed to `run`.

    `model="tiny"` makes a model of sizes `tiny` over the words of the records and of `words`, a
    file of texts, "" for none.
    """

    data: str = ""
    words: str = ""
    tiny: TinyConfig = field(default_factory=TinyConfig)

    def __post_init__(self) -> None:
        super().__post_init__()
        tiny = self.model == "tiny"
        self._check(not tiny or self.method == "full", "method", "must be full for the tiny model")
        fits = not tiny or self.max_length <= self.tiny.context
        self._check(fits, "max_length", "must not exceed tiny.context")


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
    kept, left_out = fitting(conversations, loaded.tokenizer, config.max_length)
    if left_out:
        say(f"{left_out} of {len(conversations)} records exceed max_length and are left out")
    log = MetricsLog(out, list(COLUMNS), config.tensorboard)
    trainer = _trainer(config, out, loaded, kept, log)
    session.train(trainer, out, log, say)
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
        texts.append(Path(config.words).expanduser().read_text("utf-8"))
    model, tokenizer = make_tiny(texts, config.tiny, config.seed)
    return Loaded(model, tokenizer, "tiny")


def _trainer(
    config: SftConfig,
    out: Path,
    loaded: Loaded,
    conversations: Sequence[list[dict[str, str]]],
    log: MetricsLog,
) -> Any:
    from trl import SFTConfig, SFTTrainer

    from datasets import Dataset

    return SFTTrainer(
        model=loaded.model,
        args=SFTConfig(
            **session.shared_arguments(config, out),
            max_length=config.max_length,
            assistant_only_loss=True,
            packing=False,
        ),
        train_dataset=Dataset.from_dict({"messages": list(conversations)}),
        processing_class=loaded.tokenizer,
        peft_config=lora(config),
        callbacks=[session.callback(log, COLUMNS, totals=["tokens"])],
    )


def lora(config: Any) -> Any:
    """The adapter's settings, None where all weights are trained."""
    if config.method == "full":
        return None
    from peft import LoraConfig, TaskType

    return LoraConfig(
        r=config.lora_rank,
        lora_alpha=config.lora_alpha,
        lora_dropout=config.lora_dropout,
        target_modules="all-linear",
        task_type=TaskType.CAUSAL_LM,
    )
