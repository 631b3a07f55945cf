"""Recorded answers as a policy: a file of {"id", "epoch", "completion"} lines."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ordojo.core.environment import Observation
from ordojo.core.episode import CUT, REFUSED, UNKNOWN
from ordojo.core.errors import DataError
from ordojo.core.files import parse_json, read_bytes
from ordojo.core.instance import Instance
from ordojo.core.policy import Act

STOPS = {reason: reason for reason in ("stop", "tool_calls", REFUSED, UNKNOWN, *CUT)}
STOPS["length"] = CUT[0]
"""Why a recorded reply ended: Inspect's words, and OpenAI's "length"."""


class Replay:
    """Gives the recorded completions of each item, in order.

    A line holds the instance's "id", the "epoch" (1 if absent) and the "completion": a text, or
    for environments of several turns a list of texts; and perhaps "stop", why it ended (`STOPS`),
    or a list of these. Where nothing is said of it, that is not known. An item that the file does
    not answer raises DataError: an answer that was never recorded is not a wrong answer.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._answers: dict[tuple[str, int], list[str]] = {}
        self._stops: dict[tuple[str, int], list[str]] = {}
        try:
            raw = read_bytes(path)
        except OSError as error:
            raise DataError(f"cannot read the recorded answers {path}: {error.strerror}") from None
        self.sha256 = hashlib.sha256(raw).hexdigest()
        for number, line in enumerate(raw.splitlines(), 1):
            if line.strip():
                self._add(line, f"{path}:{number}")

    def _add(self, line: bytes, where: str) -> None:
        try:
            row: Mapping[str, Any] = parse_json(line)
            said = row["completion"]
            item = (str(row["id"]), int(row.get("epoch", 1)))
            texts = [said] if isinstance(said, str) else list(said)
            ended = row.get("stop", UNKNOWN)
            stops = [ended] * len(texts) if isinstance(ended, str) else list(ended)
            fits = all(isinstance(text, str) for text in texts) and len(stops) == len(texts)
            fits = fits and all(stop in STOPS for stop in stops)
        except (ValueError, OverflowError, KeyError, TypeError, AttributeError):
            fits = False
        if not fits:
            raise DataError(
                f'{where} is not a recorded answer; a line is {{"id": ..., "epoch": 1, '
                f'"completion": "..."}}, perhaps with a "stop" of {", ".join(sorted(STOPS))}'
            )
        if item in self._answers:
            raise DataError(f"{where} answers {item[0]} (epoch {item[1]}) a second time")
        self._answers[item] = texts
        self._stops[item] = [STOPS[stop] for stop in stops]

    def __contains__(self, item: tuple[str, int]) -> bool:
        return item in self._answers

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Start giving the item's texts; past the last one, silence."""
        texts = iter(self._answers[instance.id, epoch])

        def act(observation: Observation) -> str:
            return next(texts, "")

        return act

    def stops(self, item: tuple[str, int]) -> list[str]:
        """Why each of the item's texts ended."""
        return self._stops[item]

    def require(self, items: list[tuple[str, int]]) -> None:
        """Raise DataError, naming the first, if an item has no recorded answer."""
        missing = [item for item in items if item not in self]
        if missing:
            name, epoch = missing[0]
            raise DataError(
                f"{self.path} answers {len(items) - len(missing)} of {len(items)} items; the first "
                f"without an answer is {name} (epoch {epoch}); use `limit`, or complete the file"
            )
