"""Process reward models: how promising a step is, learnt from algorithm 10's labels (004, D.4).

Settings, the texts that are scored, the score of a step, best of n; and one run: trajectories in, a
saved scorer and its AUC out.
"""

import hashlib
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isnan
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from pydantic import Field, StrictInt
from scipy.stats import pearsonr, rankdata, spearmanr

from ordojo.core.canonical import Json, digest
from ordojo.core.episode import Turn
from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import parse_json, read_text
from ordojo.core.ranges import COUNT_OR_NONE
from ordojo.core.trajectory import Trajectory
from ordojo.evaluation.compact import Rendering, rendering
from ordojo.evaluation.providers.loading import ADAPTER, choose_device, load_weights
from ordojo.training.models import session
from ordojo.training.models.loading import weights_digest, write_model
from ordojo.training.models.session import (
    Count,
    MetricsLog,
    NotNegative,
    TrainingSettings,
    begin,
)
from ordojo.training.rollouts.files import read_trajectories
from ordojo.training.sft import lora


class PrmConfig(TrainingSettings):
    """Table 25. `data` are files of trajectories whose steps have labels.

    The share `holdout` of the instances is kept for the figures, and of the others a tenth for the
    choice of the model: the epoch with the highest AUC-ROC on them. A step counts as productive
    from the label `productive` on. `max_length` cuts a step's text at its beginning.
    """

    data: tuple[str, ...] = ()
    lora_rank: Count = 8
    lora_alpha: Count = 16
    batch_size: Count = 8
    accumulation: Count = 1
    warmup: NotNegative = 0.1
    max_length: Count = 1024
    save_every: StrictInt = COUNT_OR_NONE.field(0)
    holdout: float = Field(default=0.2, gt=0, lt=1)
    productive: float = Field(default=0.5, gt=0, le=1)

    def model_post_init(self, context: object) -> None:
        """A model must be there to begin with."""
        self.refuse_unless(self.model != "tiny", "model", "must be trained first: name its folder")


SPLITS = 1_000_000


@dataclass(frozen=True)
class LabelledStep:
    """A step's text, its label in [0, 1], and the instance that it belongs to."""

    text: str
    label: float
    instance: str


def text_of(turn: Turn, show: Rendering) -> str:
    """A step as the model reads it: the state that was shown, then the reply."""
    shown = "\n".join(message.content for message in show(turn.messages))
    return f"{shown}\n=> {turn.reply}"


def labelled(trajectories: Iterable[Trajectory], show: Rendering) -> list[LabelledStep]:
    """Every step that has a label (algorithm 10); raises DataError where none has one."""
    found = [
        LabelledStep(text_of(turn, show), float(label), one.id)
        for one in trajectories
        for turn in one.turns
        if isinstance(label := turn.info.get("label"), int | float)
    ]
    if not found:
        raise DataError("no step of the trajectories has a label; episodes of debugging have them")
    return found


def part_of(
    steps: Sequence[LabelledStep], share: float, name: str
) -> tuple[list[LabelledStep], list[LabelledStep]]:
    """The steps outside and inside a share of the instances, drawn by their ids and `name`."""
    sides: tuple[list[LabelledStep], list[LabelledStep]] = ([], [])
    for step in steps:
        number = hashlib.sha256(f"{name}/{step.instance}".encode()).digest()[:8]
        sides[int.from_bytes(number, "big") % SPLITS < share * SPLITS].append(step)
    return sides


def divided(
    steps: Sequence[LabelledStep], holdout: float, seed: int
) -> tuple[list[LabelledStep], list[LabelledStep]]:
    """Steps to learn from and steps held out, cut by instance so that none is in both.

    Raises DataError where one of them is empty.
    """
    kept, held = part_of(steps, holdout, str(seed))
    if not kept or not held:
        raise DataError(
            f"{len(steps)} steps are too few to hold some out; collect trajectories of more "
            "instances"
        )
    return kept, held


NOTE = "prm.json"
"""What a saved process reward model says of itself: its base, its rendering, its length."""


class Scorer:
    """Scores the texts of steps; `rendering` says how states were shown in training."""

    def __init__(self, model: Any, tokenizer: Any, max_length: int, rendering: str) -> None:
        self.model, self.tokenizer = model.eval(), tokenizer
        self.max_length, self.rendering = max_length, rendering

    def __call__(self, texts: Sequence[str], batch: int = 64) -> list[float]:
        """One score for each text; those of like length are scored together."""
        import torch

        ids = [encode(self.tokenizer, text, self.max_length) for text in texts]
        scores = [0.0] * len(ids)
        order = sorted(range(len(ids)), key=lambda place: len(ids[place]))
        with torch.inference_mode():
            for first in range(0, len(order), batch):
                places = order[first : first + batch]
                inputs = padded([ids[place] for place in places], self.tokenizer.pad_token_id)
                inputs = {name: part.to(self.model.device) for name, part in inputs.items()}
                found = self.model(**inputs).logits[:, 0].float().clamp(0.0, 1.0).tolist()
                for place, score in zip(places, found, strict=True):
                    scores[place] = score
        return scores


def encode(tokenizer: Any, text: str, most: int) -> list[int]:
    """The text's last `most` tokens: the reply stands at its end."""
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])[-most:]


def padded(rows: Sequence[Sequence[int]], pad: int) -> dict[str, Any]:
    """Rows of tokens as tensors, padded on the right, where the head does not look."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    ids = [torch.tensor(row, dtype=torch.long) for row in rows]
    mask = pad_sequence([torch.ones_like(row) for row in ids], True)
    return {"input_ids": pad_sequence(ids, True, pad), "attention_mask": mask}


def with_head(name: str, dtype: str, device: str) -> tuple[Any, Any]:
    """The language model called `name` with a fresh head of one number, and its tokenizer."""
    from transformers import AutoModelForSequenceClassification

    base, tokenizer = load_weights(name, dtype)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    config = base.config
    config.num_labels, config.problem_type = 1, "regression"
    config.pad_token_id = tokenizer.pad_token_id
    model = AutoModelForSequenceClassification.from_config(config)
    # The body's weights; the head over words is not needed.
    getattr(model, model.base_model_prefix).load_state_dict(
        getattr(base, base.base_model_prefix).state_dict()
    )
    return model.to(base.dtype).to(choose_device(device)), tokenizer


def scorer_folder(folder: Path) -> Path:
    """Where a process reward model lies: the folder itself, or `model` in that of its run.

    Raises DataError for a folder that holds none.
    """
    for place in (folder, folder / "model"):
        if (place / NOTE).is_file():
            return place
    raise DataError(
        f"{folder} holds no process reward model; train one with `ordojo train prm` and name its "
        "folder"
    )


def load_scorer(folder: Path, device: str = "auto") -> Scorer:
    """A process reward model that was saved; raises DataError for a folder that holds none."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = scorer_folder(folder)
    try:
        note = parse_json(read_text(folder / NOTE))
        tokenizer = AutoTokenizer.from_pretrained(str(folder))
        if (folder / ADAPTER).is_file():
            from peft import PeftModel

            model, _ = with_head(note["base"], "float32", device)
            model = PeftModel.from_pretrained(model, str(folder))
        else:
            model = AutoModelForSequenceClassification.from_pretrained(str(folder))
        return Scorer(
            model.to(choose_device(device)), tokenizer, note["max_length"], note["rendering"]
        )
    except (OSError, ValueError, KeyError) as error:
        raise DataError(
            f"the process reward model {folder} is damaged ({error}); train it again with "
            "`ordojo train prm`"
        ) from None


def best_of(scorer: Scorer, trajectories: Iterable[Trajectory]) -> list[Trajectory]:
    """The attempt of each instance with the highest mean score, the earlier one at a tie.

    An attempt without a step scores 0.
    """
    show, attempts = rendering(scorer.rendering), list(trajectories)
    scores = iter(scorer([text_of(turn, show) for one in attempts for turn in one.turns]))
    best: dict[str, tuple[float, Trajectory]] = {}
    for one in attempts:
        worth = fmean(islice(scores, len(one.turns))) if one.turns else 0.0
        if one.id not in best or worth > best[one.id][0]:
            best[one.id] = (worth, one)
    return [one for _, one in best.values()]


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

COLUMNS = {name: name for name in ("epoch", "loss", "learning_rate", "grad_norm")}


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
    trainer = _trainer(config, out, model, tokenizer, learnt)
    best = _selection(config, trainer, tokenizer, seen, out)
    session.train(trainer, out, log, COLUMNS, say)
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
            "selection": best,
            "held_out": {**figures},
            "digest": weights_digest(scorer.model),
        },
    )


def _selection(
    config: PrmConfig, trainer: Any, tokenizer: Any, seen: Sequence[LabelledStep], out: Path
) -> dict[str, Any]:
    """Have the trainer keep the model of the epoch with the highest AUC; its step and AUC.

    `validation.csv` has every epoch's. What was kept before a kill stays the mark to beat: gone on
    from a checkpoint, the same steps come to the same figures.
    """
    folder, log = out / "model", MetricsLog(out, ["auc"], name="validation.csv")
    best: dict[str, Any] = session.read_object(folder / NOTE).get("selection", {})

    def look(state: Any, logs: Mapping[str, Any]) -> None:
        model = trainer.accelerator.unwrap_model(trainer.model)
        scorer = Scorer(model, tokenizer, config.max_length, config.rendering)
        scores = scorer([step.text for step in seen])
        found = auc(scores, [step.label >= config.productive for step in seen])
        model.train()
        log.add(state.global_step, {"auc": found})
        known = best.get("auc")
        if known is None or not found < known:
            best.update(step=state.global_step, auc=None if isnan(found) else found)
            told = {"base": config.model, "max_length": config.max_length}
            told |= {"rendering": config.rendering, "selection": best}
            write_model(model, tokenizer, folder, NOTE, told)

    trainer.add_callback(
        session.make_callback(
            # What was measured after the step that is gone on from is dropped.
            on_train_begin=lambda state, logs: log.rewind(state.global_step),
            on_epoch_end=look,
        )
    )
    return best


def _trainer(
    config: PrmConfig, out: Path, model: Any, tokenizer: Any, steps: Sequence[LabelledStep]
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
    )
