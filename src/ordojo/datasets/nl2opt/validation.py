"""An instance that models tried to rebuild, and what becomes of it (paper 003, section 3.4)."""

from dataclasses import dataclass

from ordojo.datasets.nl2opt.items import SCORED


@dataclass(frozen=True)
class ReferenceValidation:
    """An instance with the models that rebuilt it, as (model, right samples, samples).

    `models` are those with a right sample within the paper's eight, `tried` all. `status` is the
    instance's: an infeasible or open one has no optimum to match and needs a person (E.3), as does
    one that no model rebuilt, which is not wrong for that.
    """

    id: str
    content_hash: str
    status: str
    models: tuple[tuple[str, int, int], ...]
    tried: tuple[tuple[str, int, int], ...]

    @property
    def text(self) -> str:
        """What becomes of the instance."""

        def told(figures: tuple[tuple[str, int, int], ...]) -> str:
            return ", ".join(f"{model} ({right} of {count})" for model, right, count in figures)

        if self.models:
            return f"validated by {told(self.models)}"
        why = "" if self.status in SCORED else f" (the gold is {self.status})"
        return f"goes to inspection{why}: not rebuilt by {told(self.tried)}"
