"""One run of a process reward model: from trajectories to a saved scorer and its figures."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json, digest
from ordojo.core.errors import UsageError
from ordojo.evaluate.compact import rendering
from ordojo.training.models import session
from ordojo.training.models.checkpoints import begin
from ordojo.training.models.logs import MetricsLog
from ordojo.training.models.saving import weights_digest
from ordojo.training.prm.config import PrmConfig
from ordojo.training.prm.measures import agreement
from ordojo.training.prm.scorer import Scorer, encode, padded, save_scorer, with_head
from ordojo.training.prm.steps import LabelledStep, divided, labelled
from ordojo.training.rollouts.files import read_trajectories
from ordojo.training.rollouts.trajectory import Trajectory

COLUMNS = {
    "epoch": "epoch",
    "loss": "loss",
    "learning_rate": "learning_rate",
    "grad_norm": "grad_norm",
}


def run(
    config: PrmConfig,
    out: Path,
    trajectories: Iterable[Trajectory] | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Mapping[str, Json]:
    """Train, or go on; the model is then in `out/model`, the log in `out/metrics.csv`.

    The summary has the figures of D.4 on the held-out steps: "auc", "pearson", "spearman", the
    mean scores of productive and other steps, their number. Raises UsageError and DataError.
    """
    if trajectories is None:
        if not config.data:
            raise UsageError("prm: data names no files of trajectories")
        paths = [Path(name).expanduser() for name in config.data]
        trajectories = [one for path in paths for one in read_trajectories(path)]
    steps = labelled(trajectories, rendering(config.rendering))
    kept, held = divided(steps, config.holdout, config.seed)
    begin(out, {**config.to_json(), "steps": digest([[s.text, s.label] for s in steps])})
    session.quiet()
    import torch

    torch.manual_seed(config.seed)
    model, tokenizer = with_head(config.model, config.dtype, config.device)
    log = MetricsLog(out, list(COLUMNS), config.tensorboard)
    trainer = _trainer(config, out, model, tokenizer, kept, log)
    session.train(trainer, out, log, say)
    model = trainer.accelerator.unwrap_model(trainer.model)
    scorer = Scorer(model, tokenizer, config.max_length, config.rendering)
    folder = save_scorer(scorer, config.model, out / "model")
    scores = scorer([step.text for step in held])
    figures = agreement(scores, [step.label for step in held], config.productive)
    return session.write_summary(
        out,
        {
            "stage": "prm",
            "model": str(folder),
            "steps": trainer.state.global_step,
            "learnt_from": len(kept),
            "held_out": dict(figures.items()),
            "digest": weights_digest(model),
        },
    )


def _trainer(
    config: PrmConfig,
    out: Path,
    model: Any,
    tokenizer: Any,
    steps: Sequence[LabelledStep],
    log: MetricsLog,
) -> Any:
    import torch
    from transformers import Trainer, TrainingArguments

    if config.method == "lora":
        from peft import LoraConfig, TaskType, get_peft_model

        adapter = LoraConfig(
            r=config.lora_rank,
            lora_alpha=config.lora_alpha,
            lora_dropout=config.lora_dropout,
            target_modules="all-linear",
            task_type=TaskType.SEQ_CLS,
        )
        model = get_peft_model(model, adapter)
    rows = [
        {"input_ids": encode(tokenizer, step.text, config.max_length), "labels": step.label}
        for step in steps
    ]
    # In an order that owes nothing to who was played when.
    random.Random(config.seed).shuffle(rows)

    def collate(batch: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        inputs = padded([row["input_ids"] for row in batch], tokenizer.pad_token_id)
        return {**inputs, "labels": torch.tensor([row["labels"] for row in batch])}

    return Trainer(
        model=model,
        args=TrainingArguments(
            **session.shared_arguments(config, out), remove_unused_columns=False
        ),
        train_dataset=rows,
        data_collator=collate,
        callbacks=[session.callback(log, COLUMNS)],
    )
