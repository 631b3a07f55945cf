"""The settings that every training stage has, checked when they are made."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StrictInt, ValidationError

from ordojo.core.canonical import Json
from ordojo.core.errors import UsageError
from ordojo.core.options import Options, parse_options, refusal
from ordojo.core.ranges import COUNT, COUNT_OR_NONE, SIZE
from ordojo.evaluation.compact import RENDERINGS

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
    rendering: Literal[tuple(RENDERINGS)] = "full"  # type: ignore[valid-type]
    template: str = ""
    tensorboard: bool = False

    def __init__(self, **settings: Any) -> None:
        try:
            super().__init__(**settings)
        except ValidationError as error:
            raise refusal(error, self.stage) from None

    def model_post_init(self, context: object) -> None:
        """See `check`."""
        self.check()

    def check(self) -> None:
        """Raise UsageError where settings do not go together."""

    def refuse_unless(self, holds: bool, name: str, must: str) -> None:
        """Raise UsageError, naming a setting and what it must be, unless that `holds`."""
        if not holds:
            raise UsageError(f"{self.stage}: {name}={getattr(self, name)!r}: it {must}")

    @property
    def stage(self) -> str:
        """The stage's name in messages."""
        return stage_of(type(self))

    def to_json(self) -> dict[str, Json]:
        """Plain JSON, from which `from_json` makes an equal one."""
        return self.model_dump(mode="json")

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Read settings; raises UsageError for an unknown name or a value of another type."""
        return parse_options(cls, row, stage_of(cls))


def stage_of(kind: type[TrainingSettings]) -> str:
    """The name of a stage's settings in messages: "sft" of `SftConfig`."""
    return kind.__name__.removesuffix("Config").lower()
