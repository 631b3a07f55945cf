"""One natural-language optimization problem, however its dataset writes it down."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from ordojo.core.canonical import Json
from ordojo.datasets.golds import GoldAnswer

Status = Literal[
    "ok", "infeasible", "open", "sentinel", "ratio", "disputed", "unknown-gold", "incomplete"
]

STATUSES: Mapping[Status, str] = {
    "ok": "the gold is a number, or a reference model",
    "disputed": "another version of the dataset has another gold for the same question",
    "infeasible": "the gold is that there is no optimum, in words",
    "sentinel": "the gold is that there is no optimum, as a made-up number such as -99999",
    "open": "the gold is the best value known, not proven optimal",
    "ratio": "the text asks for a ratio of other data, the gold is its numerator",
    "unknown-gold": "the source gives no gold, or none that can be read",
    "incomplete": "files that the problem names are not there: it is refused",
}

SCORED: frozenset[Status] = frozenset({"ok", "disputed"})
"""Statuses that count in the published metric; the others are shown apart."""


@dataclass(frozen=True)
class ProblemItem:
    """A problem: its text, its accepted golds, and what a program may read.

    `files` maps the name that a program sees, relative to its working directory, to the file on
    this machine; `documents` maps such names to texts made here, where the source's own file holds
    the gold. Neither ever holds a gold. `notes` describes files in the source's words.
    `reference_model` is an LP file; `size` is (variables, constraints), `compression` the bytes of
    an MPS file by those of text and data.
    """

    id: str
    dataset: str
    question: str
    golds: tuple[GoldAnswer, ...]
    status: Status
    reason: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Json] = field(default_factory=dict)
    reference_model: Path | None = None
    size: tuple[int, int] | None = None
    compression: float | None = None

    @property
    def scored(self) -> bool:
        """Whether the item counts in the published metric."""
        return self.status in SCORED

    def to_json(self) -> dict[str, Json]:
        """The item as plain JSON, paths as text."""
        return {
            **asdict(self),
            "golds": [asdict(gold) for gold in self.golds],
            "files": {name: str(path) for name, path in self.files.items()},
            "reference_model": str(self.reference_model) if self.reference_model else None,
            "size": list(self.size) if self.size else None,
        }


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
