"""Reviewing in a browser: one local page for one reviewer of one queue."""

from typing import Any

from ordojo.core.errors import DataError, UsageError
from ordojo.review.items import KINDS
from ordojo.review.local import LocalServer, NotHereError
from ordojo.review.queue import Queue

_TEXTS = ("reason", "comment", "label")


class ReviewServer(LocalServer):
    """Serves one queue to one reviewer on 127.0.0.1, at an address that nobody can guess."""

    package, title = "ordojo.review", "Review"

    def __init__(
        self, queue: Queue, reviewer: str, *, port: int = 0, independent: bool = False
    ) -> None:
        """Bind; `port` 0 takes the queue's own port, or any other if that is in use."""
        self.queue, self.reviewer = queue, reviewer
        self.view = reviewer if independent else ""
        super().__init__(queue.sha256, port)

    def get(self, path: str) -> Any:
        """The queue."""
        if path != "api/queue":
            raise NotHereError(path)
        return self.everything()

    def post(self, path: str, asked: Any) -> Any:
        """Take a decision."""
        if path != "api/decide":
            raise NotHereError(path)
        return self.decide(asked)

    def state(self, item_id: str) -> dict[str, Any] | None:
        """What the page knows of an item's decision."""
        decision = self.queue.current(item_id, self.view)
        if decision is None:
            return None
        return {**decision.model_dump(mode="json"), "final": decision.final}

    def everything(self) -> dict[str, Any]:
        """The queue, as the page loads it."""
        return {
            "title": self.queue.title,
            "hash": self.queue.sha256,
            "reviewer": self.reviewer,
            "reasons": self.queue.reasons,
            "items": [
                {
                    **item.model_dump(mode="json", exclude={"data"}),
                    "notes": self.queue.notes(item.id),
                }
                for item in self.queue.items
            ],
            "states": {item.id: self.state(item.id) for item in self.queue.items},
            "latest": self.queue.latest(self.reviewer),
        }

    def decide(self, asked: Any) -> dict[str, Any]:
        """Store the decision that the page sent; UsageError if it is not one."""
        if not isinstance(asked, dict) or asked.get("kind") not in KINDS:
            raise UsageError("a decision is a JSON object with an item and a kind")
        item, fields, parts = (
            str(asked.get("item")),
            asked.get("fields", {}),
            asked.get("parts", []),
        )
        if not isinstance(fields, dict) or not isinstance(parts, list):
            raise UsageError("the fields of a decision are an object, and its parts a list")
        with self.lock:
            if self.closed:
                raise DataError("the server is stopping")
            self.queue.decide(
                item,
                asked["kind"],
                self.reviewer,
                fields=fields,
                parts=parts,
                **{name: str(asked.get(name, "")) for name in _TEXTS},
            )
            return {"state": self.state(item), "latest": self.queue.latest(self.reviewer)}
