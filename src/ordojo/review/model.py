"""A language model as a reviewer that labels: its decisions stand beside people's."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ordojo.core.policy import Generate
from ordojo.review.queue import ReviewItem, ReviewQueue
from ordojo.review.statistics import MODEL_PREFIX

_LONGEST = 20_000


@dataclass(frozen=True)
class ModelLabels:
    """How many items a model labelled, left undecided by an unreadable reply, or found decided."""

    labelled: int
    unreadable: int
    skipped: int


def label_with_model(
    queue: ReviewQueue, generate: Generate, model: str, prompt: Callable[[ReviewItem], str]
) -> ModelLabels:
    """Have a model label what nobody has touched yet, as the reviewer `model:<name>`.

    `prompt(item)` must ask for the JSON object that `read_labels` reads. The reply is kept as the
    decision's comment. Run again, it asks only for what is still undecided.
    """
    labelled = unreadable = skipped = 0
    for item in queue.items:
        if queue.current(item.id) is not None:
            skipped += 1
            continue
        reply = generate(prompt(item), max_tokens=1024, seed=0)[:_LONGEST]
        labels = read_labels(reply, item)
        if labels is None:
            unreadable += 1
            continue
        *parts, whole = labels
        name = MODEL_PREFIX + model
        queue.decide(item.id, "label", name, label=whole, parts=parts, comment=reply.strip())
        labelled += 1
    return ModelLabels(labelled, unreadable, skipped)


def read_labels(reply: str, item: ReviewItem) -> Sequence[str] | None:
    """Labels of all parts and of the whole, from `{"parts": [label, ...], "whole": label}`.

    The object may stand anywhere in the reply, and a part be `{"label": label}`; None if a label
    is missing, too many or unknown.
    """
    decoder = json.JSONDecoder()
    for start in (match.start() for match in re.finditer(r"\{", reply)):
        try:
            value, _ = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            continue
        if "whole" in value and isinstance(value.get("parts", []), list):
            said = [*value.get("parts", []), value["whole"]]
            labels = [_label(one, item.labels) for one in said]
            complete = len(labels) == len(item.parts) + 1 and all(labels)
            return labels if complete else None
    return None


def _label(said: Any, labels: Sequence[str]) -> str:
    if isinstance(said, Mapping):
        said = said.get("label")
    plain = re.sub(r"[\W_]+", "-", str(said).strip().lower())
    return next((label for label in labels if plain.startswith(label)), "")
