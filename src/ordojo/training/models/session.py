"""What every trainer has, its settings, and does around TRL's: resume, checkpoints, figures.

Settings are checked when they are made. Checkpoints are sealed by a hash; figures go by step to a
CSV file and TensorBoard.
"""

import csv
import io
import json
import math
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StrictInt, ValidationError

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import parse_json, read_text
from ordojo.core.options import Options, parse_options, refusal
from ordojo.core.outputs import why, write_file
from ordojo.core.progress import Count as Steps
from ordojo.core.progress import counting
from ordojo.core.ranges import COUNT, COUNT_OR_NONE, SIZE
from ordojo.datasets.store import sha256_of
from ordojo.evaluation.compact import RENDERINGS
from ordojo.evaluation.providers.loading import choose_device, hush

Count = Annotated[StrictInt, COUNT.field()]
"""A number of things; in YAML `true` is no number."""
Positive = Annotated[float, Field(gt=0, le=SIZE.high)]
NotNegative = Annotated[float, SIZE.field()]
Momentum = Annotated[float, Field(ge=0, lt=1)]


class TrainingSettings(Options):
    """What SFT and GRPO share; the defaults are those of tables 28 and 29 where both agree.

    `model` is what `load_model` takes. `method` is "lora" (rank, alpha, dropout, on all linear
    layers) or "full". `steps` takes the place of `epochs`. `warmup` below 1 is a share of all
    steps. `save_every` and `log_every` count optimizer steps; 0 saves no checkpoints. `rendering`
    says how observations are shown to the model (`evaluation.compact`).
    """

    model: str = Field(default="Qwen/Qwen3-8B", min_length=1)
    method: Literal["lora", "full"] = "lora"
    lora_rank: Count = 16
    lora_alpha: Count = 32
    lora_dropout: float = Field(default=0.0, ge=0, lt=1)
    epochs: Positive = 3
    steps: Count | None = None
    batch_size: Count = 4
    accumulation: Count = 4
    learning_rate: Positive = 2e-5
    scheduler: Literal["cosine", "linear", "constant", "constant_with_warmup"] = "cosine"
    warmup: NotNegative = 0.03
    weight_decay: NotNegative = 0.01
    adam_betas: tuple[Momentum, Momentum] = (0.9, 0.999)
    max_grad_norm: NotNegative = 1.0
    max_length: Count = 4096
    # What numpy and the trainers' libraries take.
    seed: StrictInt = Field(default=0, ge=0, lt=2**32)
    dtype: Literal["float32", "bfloat16", "float16"] = "float32"
    device: Literal["auto", "cpu", "cuda"] = "auto"
    gradient_checkpointing: bool = False
    save_every: StrictInt = COUNT_OR_NONE.field(50)
    keep: Count | None = 3
    log_every: Count = 1
    rendering: Literal[RENDERINGS] = "full"  # type: ignore[valid-type]
    template: str = ""
    tensorboard: bool = False

    def __init__(self, **settings: Any) -> None:
        try:
            super().__init__(**settings)
        except ValidationError as error:
            raise refusal(error, type(self), self.stage()) from None

    def refuse_unless(self, holds: bool, name: str, must: str) -> None:
        """Raise UsageError, naming a setting and what it must be, unless that `holds`."""
        if not holds:
            raise UsageError(f"{self.stage()}: {name}={getattr(self, name)!r}: it {must}")

    @classmethod
    def stage(cls) -> str:
        """The stage's name in messages: "sft" of `SftConfig`."""
        return cls.__name__.removesuffix("Config").lower()

    def to_json(self) -> dict[str, Json]:
        """Plain JSON, from which `from_json` makes an equal one."""
        return self.model_dump(mode="json")

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Read settings; raises UsageError for an unknown name or a value of another type."""
        return parse_options(cls, row, cls.stage())


METRICS = "metrics.csv"
CHECKPOINTS = "checkpoints"
SUMMARY = "summary.json"


class MetricsLog:
    """Appends a row a step; after a resume the rows past the checkpoint are taken out.

    Columns are fixed; figures that a step has not are left empty. `kept` is the row of the
    checkpoint, from which totals go on.
    """

    def __init__(
        self, out: Path, columns: Sequence[str], tensorboard: bool = False, name: str = METRICS
    ) -> None:
        self.path = out / name
        self.kept: dict[str, float] = {}
        self._columns = ["step", *columns]
        self._writer: Any = None
        if tensorboard:
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(str(out / "tensorboard"))

    def rewind(self, step: int) -> None:
        """Keep the rows up to `step`."""
        rows = [row for row in read_metrics(self.path) if row["step"] <= step]
        self.kept = rows[-1] if rows else {}
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(self._columns)
        for row in rows:
            writer.writerow([_spell(row.get(name)) for name in self._columns])
        write_file(self.path, file.getvalue())

    def add(self, step: int, figures: Mapping[str, Any]) -> None:
        """Write the figures of `step`."""
        row = {"step": step, **figures}
        with self.path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([_spell(row.get(name)) for name in self._columns])
        if self._writer is not None:
            for name in self._columns[1:]:
                if isinstance(row.get(name), int | float):
                    self._writer.add_scalar(name, row[name], step)
            self._writer.flush()

    def close(self) -> None:
        """Close the files."""
        if self._writer is not None:
            self._writer.close()


def read_metrics(path: Path) -> list[dict[str, float]]:
    """The rows of a metrics file, empty cells left out; none where there is no file.

    Raises OSError and ValueError.
    """
    if not path.is_file():
        return []
    try:
        return [
            {name: float(cell) for name, cell in row.items() if name and cell}
            for row in csv.DictReader(read_text(path).splitlines())
            if row.get("step")
        ]
    except csv.Error as error:
        raise ValueError(f"{path.name}: {error}") from None


def _spell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


SEAL = "sealed.json"
"""Written last: the size and SHA-256 of every file of the checkpoint."""

CONFIG = "config.json"


def seal(checkpoint: Path) -> None:
    """Mark a checkpoint as whole; one without the mark was cut off while it was written."""
    files = {
        str(path.relative_to(checkpoint)): [path.stat().st_size, sha256_of(path)]
        for path in sorted(checkpoint.rglob("*"))
        if path.is_file() and path.name != SEAL
    }
    write_file(checkpoint / SEAL, json.dumps(files, indent=1) + "\n")


def latest(folder: Path, say: Callable[[str], None]) -> Path | None:
    """The newest sound checkpoint of a run, None if there is none.

    Those that a kill has cut off are removed; a damaged one is left out, and `say` is told.
    """
    for path in sorted(folder.glob("checkpoint-*"), key=_step, reverse=True):
        if not (path / SEAL).is_file():
            shutil.rmtree(path, ignore_errors=True)
            continue
        wrong = _damage(path)
        if not wrong:
            return path
        say(
            f"the checkpoint {path} is damaged ({wrong} is not as it was written); the one before "
            "it is taken"
        )
    return None


def sealed(folder: Path) -> Path | None:
    """The newest whole checkpoint of a run, None if there is none; nothing is read or removed."""
    whole = (path for path in folder.glob("checkpoint-*") if (path / SEAL).is_file())
    return max(whole, key=_step, default=None)


def begin(out: Path, config: Mapping[str, Json], draft: bool = False, name: str = CONFIG) -> None:
    """Make the run's folder, or make sure that it is this run's by the settings in its file `name`.

    A `draft` of the settings, without what the data come to, is compared and not kept. Raises
    UsageError where it holds a run with other settings, DataError where it cannot be made.
    """
    path = out / name
    try:
        (out / CHECKPOINTS).mkdir(parents=True, exist_ok=True)
        if not path.exists():
            if not draft:
                write_file(path, json.dumps(config, indent=2) + "\n")
            return
        found: dict[str, Any] = parse_json(read_text(path))
    except OSError as error:
        raise DataError(
            f"{out} cannot hold a run ({error.strerror}); name another folder"
        ) from None
    except ValueError:
        raise DataError(f"{path} is damaged; name another folder for the run") from None
    wanted = json.loads(json.dumps(config))
    other = [key for key in wanted if found.get(key) != wanted[key]]
    if other:
        key = other[0]
        raise UsageError(
            f"{out} holds a run with {key}={found.get(key)!r}, and {key}={wanted[key]!r} is "
            "asked for; name another folder, or the same settings to go on"
        )


def _step(path: Path) -> int:
    tail = path.name.rpartition("-")[2]
    return int(tail) if tail.isdigit() else -1


def _damage(checkpoint: Path) -> str:
    """The name of a file that is missing or changed, "" if all is well."""
    try:
        files = parse_json(read_text(checkpoint / SEAL))
        for name, (size, digest) in files.items():
            path = checkpoint / name
            if not path.is_file() or path.stat().st_size != size or sha256_of(path) != digest:
                return str(name)
    except (OSError, DataError, ValueError, TypeError, AttributeError):
        return SEAL
    return ""


def quiet() -> None:
    """Keep the libraries' notices and trackers out of a run's output."""
    hush()
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    import transformers

    import datasets

    datasets.disable_progress_bars()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()


def make_callback(**methods: Callable[[Any, Mapping[str, Any]], None]) -> Any:
    """A TrainerCallback with these methods, each of which gets its state and what is logged."""
    from transformers import TrainerCallback

    def called(method: Callable[[Any, Mapping[str, Any]], None]) -> Callable[..., None]:
        def call(
            _: Any, args: Any, state: Any, control: Any, logs: Any = None, **rest: Any
        ) -> None:
            method(state, logs or {})

        return call

    named = {name: called(method) for name, method in methods.items()}
    return type("Callback", (TrainerCallback,), named)()


def train(
    trainer: Any,
    out: Path,
    log: MetricsLog,
    renamed: Mapping[str, str],
    say: Callable[[str], None],
    also: Callable[[], Mapping[str, Any]] = dict,
    totals: Sequence[str] = (),
) -> None:
    """Train from the newest sound checkpoint on, with its own sealed and its figures in `log`.

    `renamed` maps columns to the trainer's names; `also` gives what the trainer does not know;
    `totals` are columns that it counts from 0 again when a run goes on. Raises DataError where the
    disk is full; checkpoints that are sealed stay.
    """
    checkpoint = latest(out / CHECKPOINTS, say)
    start = _step(checkpoint) if checkpoint else 0
    if checkpoint:
        say(f"going on from step {start}")
    log.rewind(start)
    from transformers.trainer_callback import PrinterCallback

    trainer.remove_callback(PrinterCallback)
    with ExitStack() as whole:
        steps: list[Steps] = []

        def begun(state: Any, logs: Mapping[str, Any]) -> None:
            before = int(state.global_step)
            steps.append(whole.enter_context(counting("training steps", state.max_steps, before)))

        def logged(state: Any, logs: Mapping[str, Any]) -> None:
            if "loss" not in logs:
                return
            figures = {name: logs.get(theirs) for name, theirs in renamed.items()}
            for name in totals:
                figures[name] = (figures[name] or 0) + log.kept.get(name, 0)
            log.add(state.global_step, {**figures, **also()})
            steps[0].step(0, f"loss {float(logs['loss']):.4g}")

        def saved(state: Any, logs: Mapping[str, Any]) -> None:
            seal(out / CHECKPOINTS / f"checkpoint-{state.global_step}")
            steps[0].step(0, f"checkpoint at step {state.global_step}")

        trainer.add_callback(
            make_callback(
                on_train_begin=begun,
                on_step_end=lambda state, logs: steps[0].step(),
                on_log=logged,
                on_save=saved,
            )
        )
        try:
            trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        except Exception as error:  # torch says a full disk in RuntimeErrors of its own
            if not (reason := why(error)):
                raise
            raise DataError(
                f"training stopped: {out} cannot be written ({reason}); make room and start the "
                "same run again"
            ) from None
        finally:
            log.close()


def write_summary(out: Path, summary: Mapping[str, Json]) -> Mapping[str, Json]:
    """Keep the summary beside the run, and give it back."""
    write_file(out / SUMMARY, json.dumps(summary, indent=2) + "\n")
    return summary


def finished(out: Path) -> Mapping[str, Json] | None:
    """The summary of a run that has ended, None of one that has not."""
    found = read_object(out / SUMMARY)
    return found if found and Path(str(found.get("model", ""))).is_dir() else None


def read_object(path: Path) -> dict[str, Any]:
    """What a run keeps in a file of JSON, empty where there is none that is whole."""
    try:
        found: dict[str, Any] = parse_json(read_text(path))
    except (OSError, ValueError):
        return {}
    return found


def learning_curve(out: Path) -> dict[str, Json]:
    """Of the log: "reward" over the last tenth of the steps, "zero_groups" as a share of all."""
    rows = read_metrics(out / METRICS)
    last = rows[-max(1, len(rows) // 10) :]
    groups = sum(row.get("groups", 0.0) for row in rows)
    return {
        "reward": sum(row["reward"] for row in last) / len(last) if last else None,
        "zero_groups": sum(row.get("zero_groups", 0.0) for row in rows) / groups if groups else 0,
    }


def _checkpointing() -> str:
    """What this transformers calls gradient checkpointing; left unsaid, TRL turns it on."""
    from transformers import TrainingArguments

    new = "activation_checkpointing"
    return new if new in TrainingArguments.__dataclass_fields__ else "gradient_checkpointing"


def _warmup(config: Any) -> float:
    """Steps of warm-up, or their share of all: of a share below one step nothing.

    It would be rounded up, and a run of one step would learn at rate 0.
    """
    short = config.steps is not None and config.warmup * config.steps < 1
    return 0.0 if short else float(config.warmup)


def shared_arguments(config: Any, out: Path) -> dict[str, Any]:
    """The arguments that SFT and GRPO give to TRL alike, from the fields that both configs have."""
    place = choose_device(config.device)
    bf16 = config.dtype == "bfloat16" and place != "cpu"
    return {
        "output_dir": str(out / CHECKPOINTS),
        "per_device_train_batch_size": config.batch_size,
        "gradient_accumulation_steps": config.accumulation,
        "learning_rate": config.learning_rate,
        "lr_scheduler_type": config.scheduler,
        "warmup_steps": _warmup(config),
        "weight_decay": config.weight_decay,
        "adam_beta1": config.adam_betas[0],
        "adam_beta2": config.adam_betas[1],
        "max_grad_norm": config.max_grad_norm,
        "num_train_epochs": config.epochs,
        "max_steps": config.steps or -1,
        "save_strategy": "steps" if config.save_every else "no",
        "save_steps": config.save_every or 500,
        "save_total_limit": config.keep,
        "logging_steps": config.log_every,
        "report_to": [],
        "seed": config.seed,
        "data_seed": config.seed,
        "use_cpu": place == "cpu",
        "bf16": bf16,
        "fp16": False,
        _checkpointing(): config.gradient_checkpointing,
        "disable_tqdm": True,
        "dataloader_num_workers": 0,
        "dataloader_pin_memory": False,
    }
