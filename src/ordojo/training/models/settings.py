"""The settings that every training stage has, checked when they are made."""

import dataclasses
import math
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ordojo.core.canonical import Json
from ordojo.core.errors import UsageError
from ordojo.evaluate.compact import RENDERINGS

C = TypeVar("C", bound="TrainingSettings")


@dataclass(frozen=True)
class TrainingSettings:
    """What SFT and GRPO share; the defaults are those of tables 28 and 29 where both agree.

    `model` is what `load_model` takes. `method` is "lora" (rank, alpha, dropout, on all linear
    layers) or "full". `steps` takes the place of `epochs`. `warmup` below 1 is a share of all
    steps. `save_every` and `log_every` count optimizer steps; 0 saves no checkpoints. `rendering`
    says how observations are shown to the model (`evaluate.compact`).
    """

    model: str = "Qwen/Qwen3-8B"
    method: str = "lora"
    lora_rank: int = 16
    lora_alpha: int = 32
    lora_dropout: float = 0.0
    epochs: float = 3
    steps: int | None = None
    batch_size: int = 4
    accumulation: int = 4
    learning_rate: float = 2e-5
    scheduler: str = "cosine"
    warmup: float = 0.03
    weight_decay: float = 0.01
    adam_betas: tuple[float, float] = (0.9, 0.999)
    max_grad_norm: float = 1.0
    max_length: int = 4096
    seed: int = 0
    dtype: str = "float32"
    device: str = "auto"
    gradient_checkpointing: bool = False
    save_every: int = 50
    keep: int | None = 3
    log_every: int = 1
    rendering: str = "full"
    template: str = ""
    tensorboard: bool = False

    def __post_init__(self) -> None:
        at_least_1 = ("lora_rank", "lora_alpha", "batch_size", "accumulation", "log_every")
        for name in (*at_least_1, "max_length"):
            self._check(getattr(self, name) >= 1, name, "must be 1 or more")
        for name, known in _CHOICES.items():
            self._check(getattr(self, name) in known, name, f"must be one of {', '.join(known)}")
        self._check(self.steps is None or self.steps >= 1, "steps", "must be 1 or more")
        self._check(self.epochs > 0, "epochs", "must be above 0")
        self._check(self.learning_rate > 0, "learning_rate", "must be above 0")
        self._check(self.warmup >= 0, "warmup", "must not be negative")
        # What numpy and the trainers' libraries take.
        self._check(0 <= self.seed < 2**32, "seed", "must lie in [0, 2**32)")
        self._check(self.save_every >= 0, "save_every", "must not be negative")
        self._check(self.keep is None or self.keep >= 1, "keep", "must be 1 or more")
        self._check(0 <= self.lora_dropout < 1, "lora_dropout", "must lie in [0, 1)")
        self._check(bool(self.model), "model", "must name a model")

    def _check(self, holds: bool, name: str, must: str) -> None:
        if not holds:
            raise UsageError(f"{self.stage}: {name}={getattr(self, name)!r}: it {must}")

    @property
    def stage(self) -> str:
        """The stage's name in messages."""
        return type(self).__name__.removesuffix("Config").lower()

    def to_json(self) -> dict[str, Json]:
        """Plain JSON, from which `from_json` makes an equal one."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls: type[C], row: Mapping[str, Any]) -> C:
        """Read settings; raises UsageError for an unknown name or a value of another type."""
        fields = {field.name: field for field in dataclasses.fields(cls)}
        stage = cls.__name__.removesuffix("Config").lower()
        for name in row:
            if name not in fields:
                raise UsageError(f"{stage} has no setting '{name}'; it has {', '.join(fields)}")
        types_of = typing.get_type_hints(cls)
        return cls(**{name: _fit(stage, name, types_of[name], row[name]) for name in row})


_CHOICES: Mapping[str, tuple[str, ...]] = {
    "method": ("lora", "full"),
    "dtype": ("float32", "bfloat16", "float16"),
    "device": ("auto", "cpu", "cuda"),
    "scheduler": ("cosine", "linear", "constant", "constant_with_warmup"),
    "rendering": tuple(RENDERINGS),
}


def _fit(stage: str, name: str, kind: Any, value: Any) -> Any:
    """`value` as `kind`, where it is one in JSON or YAML."""
    wrong = UsageError(f"{stage}: {name}={value!r} is no {getattr(kind, '__name__', kind)}")
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        if value is None:
            return None
        (kind,) = [one for one in typing.get_args(kind) if one is not type(None)]
        return _fit(stage, name, kind, value)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise wrong
        inner = typing.get_args(kind)
        if inner[-1] is not Ellipsis and len(inner) != len(value):
            raise wrong
        return tuple(_fit(stage, name, inner[0], one) for one in value)
    if origin is not None:
        if not isinstance(value, Mapping):
            raise wrong
        return dict(value)
    if kind is float and isinstance(value, int | float | str) and not isinstance(value, bool):
        try:  # YAML reads 2e-5 as text
            number = float(value)
        except (ValueError, OverflowError):
            raise wrong from None
        if not math.isfinite(number):
            raise wrong
        return number
    if dataclasses.is_dataclass(kind) and isinstance(value, Mapping):
        try:
            return typing.cast(Any, kind)(**value)
        except TypeError:
            known = ", ".join(field.name for field in dataclasses.fields(kind))
            raise UsageError(f"{stage}: {name} has the settings {known}") from None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise wrong
    return value
