"""One run of a process reward model: from trajectories to a saved scorer and its figures."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import pearsonr, rankdata, spearmanr

from ordojo.core.canonical import Json, digest
from ordojo.core.errors import UsageError
from ordojo.core.teaching import Trajectory
from ordojo.evaluation.compact import rendering
from ordojo.training.models import session
from ordojo.training.models.checkpoints import MetricsLog, begin
from ordojo.training.models.loading import weights_digest
from ordojo.training.prm.scorer import (
    LabelledStep,
    PrmConfig,
    Scorer,
    divided,
    encode,
    labelled,
    load_scorer,
    note_of,
    padded,
    part_of,
    save_scorer,
    with_head,
)
from ordojo.training.rollouts.files import read_trajectories
from ordojo.training.sft import lora

NAN = float("nan")


def auc(scores: Sequence[float], positive: Sequence[bool]) -> float:
    """The area under the ROC curve: how often a positive stands above a negative, ties half.

    NaN where all are of one kind.
    """
    chosen = np.asarray(positive, bool)
    count, others = int(chosen.sum()), int((~chosen).sum())
    if not count or not others:
        return NAN
    ranks = rankdata(np.asarray(scores, float))
    return float((ranks[chosen].sum() - count * (count + 1) / 2) / (count * others))


def agreement(
    scores: Sequence[float], labels: Sequence[float], productive: float
) -> dict[str, float]:
    """AUC-ROC, Pearson, Spearman, and the mean scores of productive and of other steps."""
    found, true = np.asarray(scores, float), np.asarray(labels, float)
    good = true >= productive
    varied = len(found) > 1 and bool(np.ptp(found)) and bool(np.ptp(true))
    return {
        "auc": auc(scores, good.tolist()),
        "pearson": float(pearsonr(found, true).statistic) if varied else NAN,
        "spearman": float(spearmanr(found, true).statistic) if varied else NAN,
        "mean_productive": float(found[good].mean()) if good.any() else NAN,
        "mean_other": float(found[~good].mean()) if (~good).any() else NAN,
        "steps": float(len(found)),
    }


SELECTION = 0.1
"""The share of the instances learnt from that the choice of the epoch looks at: enough to order
epochs, little to lose."""

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

    The model of the epoch with the highest AUC on the validation steps is taken (table 25; the
    later one at a tie, or where there is no AUC). The summary has its step and AUC as "selection",
    and the figures of D.4 on the held-out steps: "auc", "pearson", "spearman", the mean scores of
    productive and other steps, their number. Raises UsageError and DataError.
    """
    if trajectories is None:
        if not config.data:
            raise UsageError("prm: data names no files of trajectories")
        paths = [Path(name).expanduser() for name in config.data]
        trajectories = [one for path in paths for one in read_trajectories(path)]
    steps = labelled(trajectories, rendering(config.rendering))
    kept, held = divided(steps, config.holdout, config.seed)
    learnt, seen = part_of(kept, SELECTION, f"selection/{config.seed}")
    if not learnt:
        learnt, seen = kept, []
    begin(out, {**config.to_json(), "steps": digest([[s.text, s.label] for s in steps])})
    session.quiet()
    import torch

    torch.manual_seed(config.seed)
    model, tokenizer = with_head(config.model, config.dtype, config.device)
    log = MetricsLog(out, list(COLUMNS), config.tensorboard)
    trainer = _trainer(config, out, model, tokenizer, learnt, log)
    selection = Selection(config, trainer, tokenizer, seen, out)
    trainer.add_callback(
        session.make_callback(on_train_begin=selection.begin, on_epoch_end=selection.look)
    )
    try:
        session.train(trainer, out, log, say)
    finally:
        selection.log.close()
    scorer = load_scorer(out / "model", config.device)
    scores = scorer([step.text for step in held])
    figures = agreement(scores, [step.label for step in held], config.productive)
    return session.write_summary(
        out,
        {
            "stage": "prm",
            "model": str(out / "model"),
            "steps": trainer.state.global_step,
            "learnt_from": len(learnt),
            "selection": selection.best,
            "held_out": dict(figures.items()),
            "digest": weights_digest(scorer.model),
        },
    )


class Selection:
    """Keeps the model of the epoch with the highest AUC; `best` has its step and AUC.

    `validation.csv` has every epoch's.

    What was kept before a kill stays the mark to beat: gone on from a checkpoint, the same steps
    come to the same figures.
    """

    def __init__(
        self,
        config: PrmConfig,
        trainer: Any,
        tokenizer: Any,
        steps: Sequence[LabelledStep],
        out: Path,
    ) -> None:
        self._config, self._trainer, self._tokenizer = config, trainer, tokenizer
        self._steps, self._folder = steps, out / "model"
        self.log = MetricsLog(out, ["auc"], name="validation.csv")
        self.best: dict[str, Any] = note_of(self._folder).get("selection", {})

    def begin(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
        """Drop what was measured after the step that is gone on from."""
        self.log.rewind(state.global_step)

    def look(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
        """Measure the model as it now is, and write it where none was better."""
        config = self._config
        model = self._trainer.accelerator.unwrap_model(self._trainer.model)
        scorer = Scorer(model, self._tokenizer, config.max_length, config.rendering)
        scores = scorer([step.text for step in self._steps])
        found = auc(scores, [step.label >= config.productive for step in self._steps])
        model.train()
        self.log.add(state.global_step, {"auc": found})
        known = self.best.get("auc")
        if known is None or not found < known:
            told = None if isnan(found) else found
            self.best = {"step": state.global_step, "auc": told}
            save_scorer(scorer, config.model, self._folder, self.best)


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

    if adapter := lora(config, "SEQ_CLS"):
        from peft import get_peft_model

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
