"""The settings of supervised fine-tuning."""

from dataclasses import dataclass, field

from ordojo.training.models.settings import Settings
from ordojo.training.models.tiny import TinyConfig


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
