"""The settings of a process reward model."""

from dataclasses import dataclass

from ordojo.training.models.settings import Settings


@dataclass(frozen=True)
class PrmConfig(Settings):
    """Table 25. `data` are files of trajectories whose steps have labels.

    The share `holdout` of the instances is kept for the figures, and of the others a tenth for the
    choice of the model: the epoch with the highest AUC-ROC on them. A step counts as productive
    from the label `productive` on. `max_length` cuts a step's text at its beginning.
    """

    data: tuple[str, ...] = ()
    lora_rank: int = 8
    lora_alpha: int = 16
    epochs: float = 3
    batch_size: int = 8
    accumulation: int = 1
    learning_rate: float = 2e-5
    warmup: float = 0.1
    max_length: int = 1024
    save_every: int = 0
    holdout: float = 0.2
    productive: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(0 < self.holdout < 1, "holdout", "must lie between 0 and 1")
        self._check(0 < self.productive <= 1, "productive", "must lie above 0 and at most at 1")
        self._check(self.model != "tiny", "model", "must be trained first: name its folder")
