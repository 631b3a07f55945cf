"""A queue on disk: items written once, decisions appended; the last decision on an item wins."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import parse_json, read_bytes
from ordojo.core.journal import Journal, line, read_rows
from ordojo.core.outputs import whole_folder

Kind = Literal["accept", "edit", "reject", "label", "reopen"]
KINDS: tuple[Kind, ...] = get_args(Kind)
OTHER = "other"
"""The reason that says nothing by itself: it asks for a comment."""


class ReviewItem(BaseModel):
    """One thing to decide on.

    `fields` are shown by name, those in `editable` can be changed. An item with `labels` is
    labelled: as a whole, and each of its `parts`, beside edits; one without is accepted, edited or
    rejected.
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


class ReviewDecision(BaseModel):
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


def problem(item: ReviewItem, decision: ReviewDecision, reasons: tuple[str, ...]) -> str:
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
    fixed = [name for name in decision.fields if name not in item.editable]
    if fixed or (kind == "edit" and not decision.fields):
        return f"an edit changes fields among {', '.join(item.editable)}, not {fixed or 'none'}"
    if kind == "label":
        unknown = {decision.label, *decision.parts} - {"", *item.labels}
        if unknown:
            return f"its labels are {', '.join(item.labels)}, not {', '.join(sorted(unknown))}"
        if len(decision.parts) != len(item.parts):
            return f"it has {len(item.parts)} parts and got {len(decision.parts)} part labels"
    return ""


SCHEMA = 1
HEADER, ITEMS, DECISIONS = "queue.json", "items.jsonl", "decisions.jsonl"
MOST = 9
"""Reasons and labels are picked by one digit key."""


class ReviewQueue:
    """A folder with `queue.json`, `items.jsonl` and `decisions.jsonl`; see `create` and `open`."""

    def __init__(self, path: Path, journal: Journal | None) -> None:
        """Read the folder; `journal` is the writer of its decisions, None to read only."""
        header = _header(path)
        self.path = path
        self.title = str(header["title"])
        self.reasons = tuple(header["reasons"])
        self.sha256 = str(header["items_sha256"])
        self.items = _items(path, self.sha256)
        self._by_id = {item.id: item for item in self.items}
        self._journal = journal
        rows = read_rows(path / DECISIONS) if journal is None else journal.rows
        try:
            self.decisions = [ReviewDecision.model_validate(row) for row in rows]
        except ValidationError as error:
            raise DataError(
                f"{path / DECISIONS} holds a row that is no decision ({_first(error)}): "
                "restore it from a copy"
            ) from None
        self._last: dict[tuple[str, str], int] = {}
        for index, decision in enumerate(self.decisions):
            self._note(index, decision)

    @staticmethod
    def create(
        path: Path, items: Sequence[ReviewItem], *, title: str, reasons: Sequence[str]
    ) -> None:
        """Write a new queue, whole or not at all; DataError if `path` exists or an item is bad."""
        _check(items, reasons)
        if path.exists():
            raise DataError(f"{path} exists already: open it, or choose another folder")
        data = b"".join(line(item.model_dump(mode="json")) for item in items)
        header = {
            "schema": SCHEMA,
            "title": title,
            "reasons": list(reasons),
            "items": len(items),
            "items_sha256": hashlib.sha256(data).hexdigest(),
        }
        heading = (json.dumps(header, indent=2) + "\n").encode()
        with whole_folder(path, own=(), sync=True) as made:
            for name, content in ((ITEMS, data), (HEADER, heading), (DECISIONS, b"")):
                (made / name).write_bytes(content)

    @classmethod
    def open(cls, path: Path, *, write: bool = False) -> "ReviewQueue":
        """Read a queue; with `write` also lock it for this process (DataError if it is taken)."""
        _header(path)
        journal = Journal(path / DECISIONS) if write else None
        try:
            return cls(path, journal)
        except BaseException:
            if journal is not None:
                journal.close()
            raise

    def item(self, item_id: str) -> ReviewItem:
        """The item of that id; UsageError if there is none."""
        if item_id not in self._by_id:
            raise UsageError(f"{self.path} has no item '{item_id}'")
        return self._by_id[item_id]

    def current(self, item_id: str, reviewer: str = "") -> ReviewDecision | None:
        """What holds of an item now: the last decision by `reviewer`, or by anyone if not given.

        None if it was never decided or was reopened. Labels may still be unfinished.
        """
        index = self._last.get((item_id, reviewer))
        decision = None if index is None else self.decisions[index]
        return None if decision is None or decision.kind == "reopen" else decision

    def settled(self, item_id: str, reviewer: str = "") -> bool:
        """Whether an item needs nothing more (from `reviewer`, or from anyone)."""
        decision = self.current(item_id, reviewer)
        return decision is not None and decision.final

    def fields(self, item_id: str, reviewer: str = "") -> Mapping[str, str]:
        """The fields of an item, as edited."""
        decision = self.current(item_id, reviewer)
        return {**self.item(item_id).fields, **(decision.fields if decision else {})}

    def notes(self, item_id: str) -> Sequence[str]:
        """The findings on an item, and why it was reopened where that was said."""
        index = self._last.get((item_id, ""))
        last = None if index is None else self.decisions[index]
        if last is None or last.kind != "reopen" or not last.comment:
            return self.item(item_id).notes
        return (*self.item(item_id).notes, f"{last.reviewer}: {last.comment}")

    def latest(self, reviewer: str) -> str | None:
        """The item that `reviewer` decided last and did not reopen: what an undo takes back."""
        mine = [
            (index, item_id)
            for (item_id, name), index in self._last.items()
            if name == reviewer and self.decisions[index].kind != "reopen"
        ]
        return max(mine)[1] if mine else None

    def decide(
        self,
        item_id: str,
        kind: Kind,
        reviewer: str,
        *,
        reason: str = "",
        comment: str = "",
        fields: Mapping[str, str] | None = None,
        label: str = "",
        parts: Sequence[str] = (),
    ) -> ReviewDecision:
        """Store a decision; it is on the disk when this returns.

        An edit that changes nothing is an acceptance. UsageError if the decision does not fit the
        item, DataError if it cannot be stored.
        """
        if self._journal is None:
            raise UsageError(f"{self.path} was opened for reading: open it with write=True")
        if not reviewer.strip():
            raise UsageError("a decision needs its reviewer's name: give a `reviewer`")
        item = self.item(item_id)
        changed = {k: v for k, v in (fields or {}).items() if item.fields.get(k) != v}
        if kind == "edit" and not changed:
            kind = "accept"
        try:
            decision = ReviewDecision(
                item=item_id,
                kind=kind,
                reviewer=reviewer,
                time=datetime.now(UTC).isoformat(timespec="seconds"),
                reason=reason if kind == "reject" else "",
                comment=comment,
                fields=changed if kind in {"edit", "label"} else {},
                label=label if kind == "label" else "",
                parts=tuple(parts) if kind == "label" else (),
            )
        except ValidationError as error:
            raise UsageError(
                f"the decision on '{item_id}' is not proper: {_first(error)}"
            ) from None
        if wrong := problem(item, decision, self.reasons):
            raise UsageError(f"the decision on '{item_id}' is not proper: {wrong}")
        self._journal.append(decision.model_dump(mode="json"))
        self.decisions.append(decision)
        self._note(len(self.decisions) - 1, decision)
        return decision

    def close(self) -> None:
        """Release the queue to other writers."""
        if self._journal is not None:
            self._journal.close()

    def __enter__(self) -> "ReviewQueue":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _note(self, index: int, decision: ReviewDecision) -> None:
        if decision.item not in self._by_id:
            raise DataError(f"{self.path} has a decision on '{decision.item}', which is no item")
        self._last[decision.item, ""] = index
        self._last[decision.item, decision.reviewer] = index


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _header(path: Path) -> dict[str, list[str] | str]:
    file = path / HEADER
    try:
        header = parse_json(read_bytes(file))
    except OSError:
        raise DataError(f"{path} is not a review queue: it has no readable {HEADER}") from None
    except ValueError:
        raise DataError(f"{file} is not JSON: restore it from a copy") from None
    if not isinstance(header, dict) or header.get("schema") != SCHEMA:
        raise DataError(f"{file} is not of schema {SCHEMA}: this version of ordojo cannot read it")
    missing = {"title", "reasons", "items_sha256"} - header.keys()
    if missing:
        raise DataError(f"{file} lacks {', '.join(sorted(missing))}: restore it from a copy")
    reasons = header["reasons"]
    if not isinstance(reasons, list) or not all(isinstance(reason, str) for reason in reasons):
        raise DataError(f"{file} has reasons that are no list of texts: restore it from a copy")
    return header


def _items(path: Path, sha256: str) -> tuple[ReviewItem, ...]:
    file = path / ITEMS
    found = hashlib.sha256(read_bytes(file)).hexdigest() if file.is_file() else "no file"
    if found != sha256:
        raise DataError(
            f"{file} was changed after the queue was made ({found[:12]} instead of "
            f"{sha256[:12]}), so its decisions may be about other items: restore it from a copy"
        )
    return tuple(ReviewItem.model_validate(row) for row in read_rows(file))


def _check(items: Sequence[ReviewItem], reasons: Sequence[str]) -> None:
    if not items:
        raise DataError("a review queue needs at least one item")
    if not 0 < len(reasons) <= MOST:
        raise DataError(f"a review queue needs 1 to {MOST} reasons to reject, not {len(reasons)}")
    seen: set[str] = set()
    for item in items:
        wrong = (
            "it has no id" * (not item.id)
            or "its id is there twice" * (item.id in seen)
            or f"it has more than {MOST} labels" * (len(item.labels) > MOST)
            or "it has parts but no labels" * bool(item.parts and not item.labels)
            or "a field to edit does not exist" * bool(set(item.editable) - set(item.fields))
        )
        if wrong:
            raise DataError(f"item '{item.id}' ('{item.title}') cannot be reviewed: {wrong}")
        seen.add(item.id)
