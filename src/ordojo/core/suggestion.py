"""What came of asking a language model to repair a model."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Suggestion:
    """What a model did to a model: its actions, in order, and the optimum that came of them.

    `objective` is None where no optimum came.
    """

    by: str
    actions: tuple[str, ...]
    objective: float | None

    def text(self) -> str:
        """The repair, or that none came of it."""
        if self.objective is None:
            tried = f"{len(self.actions)} actions" if self.actions else "no action"
            return f"suggested by {self.by}: {tried}, none of which made the model feasible"
        done = "\n".join(f"  {action}" for action in self.actions)
        return f"suggested by {self.by}, solved again: optimum {self.objective:g}\n{done}"
