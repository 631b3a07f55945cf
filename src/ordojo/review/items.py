"""What is reviewed and what a reviewer says of it, as they stand in a queue's files."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

Kind = Literal["accept", "edit", "reject", "label", "reopen"]
KINDS: tuple[Kind, ...] = get_args(Kind)
OTHER = "other"
"""The reason that says nothing by itself: it asks for a comment."""


class Item(BaseModel):
    """One thing to decide on.

    `fields` are shown by name, those in `editable` can be changed. An item with `labels` is
    labelled: as a whole, and each of its `parts`; one without is accepted, edited or rejected.
    `notes` are the findings of automatic checks; `data` is carried along and not shown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    title: str
    fields: Mapping[str, str]
    editable: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    data: Mapping[str, Any] = {}

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The decisions that this item can get, `reopen` apart."""
        if self.labels:
            return ("label", "reject")
        return ("accept", "edit", "reject") if self.editable else ("accept", "reject")


class Decision(BaseModel):
    """What one reviewer said of one item at one time.

    `reason` is one of the queue's and `comment` free text; `fields` are the edited fields;
    `label` is for the whole and `parts` for the parts, empty text where not labelled yet.
    `reopen` takes back what was decided before.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    item: str
    kind: Kind
    reviewer: str
    time: str
    reason: str = ""
    comment: str = ""
    fields: Mapping[str, str] = {}
    label: str = ""
    parts: tuple[str, ...] = ()

    @property
    def final(self) -> bool:
        """Whether it settles the item: a reopening does not, nor do unfinished labels."""
        if self.kind == "label":
            return bool(self.label) and all(self.parts)
        return self.kind != "reopen"

    @property
    def outcome(self) -> str:
        """What two reviewers are compared by: the label, else "accept" or "reject"."""
        return self.label or {"edit": "accept"}.get(self.kind, self.kind)


def problem(item: Item, decision: Decision, reasons: tuple[str, ...]) -> str:
    """What is wrong with a decision on `item`, in words; empty if it is a proper one."""
    kind = decision.kind
    if kind == "reopen":
        return ""
    if kind not in item.kinds:
        return f"it cannot get '{kind}', only {', '.join(item.kinds)}"
    if kind == "reject":
        if decision.reason not in reasons:
            return f"a rejection needs one of the reasons {', '.join(reasons)}"
        if decision.reason == OTHER and not decision.comment.strip():
            return f"the reason '{OTHER}' needs a comment"
    if kind == "edit":
        fixed = [name for name in decision.fields if name not in item.editable]
        if fixed or not decision.fields:
            return f"an edit changes fields among {', '.join(item.editable)}, not {fixed or 'none'}"
    if kind == "label":
        unknown = {decision.label, *decision.parts} - {"", *item.labels}
        if unknown:
            return f"its labels are {', '.join(item.labels)}, not {', '.join(sorted(unknown))}"
        if len(decision.parts) != len(item.parts):
            return f"it has {len(item.parts)} parts and got {len(decision.parts)} part labels"
    return ""
