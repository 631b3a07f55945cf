"""The automatic checks: each has a name, and says in words what it found."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ordojo.benchmarks.econlogicqa.build.parse import Draft
from ordojo.benchmarks.econlogicqa.judges import Order
from ordojo.benchmarks.econlogicqa.schema import LETTERS
from ordojo.core.canonical import Json
from ordojo.datasets.duplicates import Grams, grams, jaccard, normalised

CHECKS: Mapping[str, str] = {
    "article-duplicate": "the article is not nearly the same as an earlier one",
    "format": "question, four choices and a correct order are all there",
    "distinct-events": "the four choices say four different things",
    "permutation": "the correct order has each letter once",
    "question-duplicate": "the question is not nearly the same as an earlier one",
    "agreement": "independent orderings by a model agree with the stated order",
    "sensitive": "a screen for the person who reviews: it flags an article and rejects nothing",
}

SENSITIVE_WORDS = (
    "abus(?:e|ed|ive)", "assassinat\\w+", "assault\\w*", "atrocit\\w+", "bomb(?:s|ed|ing|ings)?",
    "casualt\\w+", "corpse\\w*", "dead", "deaths?", "deadly", "died", "dies", "execut(?:ed|ions?)",
    "explosions?", "fatal\\w*", "funeral\\w*", "genocid\\w+", "gunm[ae]n", "hostages?", "injured",
    "kidnap\\w*", "kill(?:s|ed|ing|ings)?", "massacre\\w*", "molest\\w*", "murder\\w*",
    "overdos\\w+",
    "pornograph\\w+", "racis[mt]\\w*", "rap(?:e|ed|ist)", "refugees?", "sexual\\w*", "shooting",
    "slaughter\\w*", "slavery", "stabb\\w+", "suicid\\w+", "terroris[mt]\\w*", "tortur\\w+",
    "traffick\\w+", "victims?", "war(?:s|time)?", "wounded",
)  # fmt: skip
"""Regular expressions of whole words; they mean to flag too much rather than too little."""

_SENSITIVE = re.compile(rf"\b(?:{'|'.join(SENSITIVE_WORDS)})\b", re.IGNORECASE)


@dataclass(frozen=True)
class Check:
    """One finding; `reason` is for people, `data` for programs."""

    name: str
    passed: bool
    reason: str
    data: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The finding as plain JSON."""
        return asdict(self)


def check_draft(draft: Draft) -> list[Check]:
    """Format, events and order: what any question must pass; ends at the first that fails."""
    fields = draft.fields()
    missing = [name for name in ("Question", *LETTERS, "Answer") if not fields[name]]
    checks = [
        Check("format", not missing, f"missing: {', '.join(missing)}" if missing else "complete")
    ]
    if missing:
        return checks
    seen: dict[str, str] = {}
    same = [
        f"{seen[text]} and {letter}"
        for letter, event in zip(LETTERS, draft.events, strict=True)
        if seen.setdefault(text := normalised(event), letter) != letter
    ]
    checks.append(
        Check(
            "distinct-events",
            not same,
            f"the same choice twice: {', '.join(same)}" if same else "four different choices",
        )
    )
    if same:
        return checks
    proper = sorted(draft.order) == list(LETTERS)
    reason = "each letter once" if proper else f"'{draft.answer}' does not have each letter once"
    return [*checks, Check("permutation", proper, reason)]


def check_duplicate(name: str, own: Grams, earlier: Mapping[str, Grams], threshold: float) -> Check:
    """Whether something is too like an earlier one; `earlier` maps ids to word 5-grams."""
    likeness, twin = max(
        ((jaccard(own, other), i) for i, other in earlier.items()), default=(0.0, "")
    )
    found = likeness >= threshold
    reason = f"{likeness:.2f} like '{twin}'" if twin else "nothing to compare with"
    return Check(name, not found, reason, {"likeness": likeness, "nearest": twin})


def check_agreement(draft: Draft, orders: Sequence[Order | None], threshold: float) -> Check:
    """How many of a model's orders are the stated one; None stands for an unreadable reply."""
    read = [", ".join(order) for order in orders if order]
    share = read.count(draft.answer) / len(orders)
    data: Mapping[str, Json] = {
        "agreeing": read.count(draft.answer),
        "asked": len(orders),
        "unreadable": len(orders) - len(read),
        "orders": {order: read.count(order) for order in sorted(set(read))},
    }
    reason = (
        f"{data['agreeing']} of {len(orders)} orderings agree; "
        f"orders given: {len(set(read))}; unreadable: {data['unreadable']}"
    )
    return Check("agreement", share >= threshold, reason, data)


def check_sensitive(text: str, judged: str | None) -> Check:
    """Flag an article by its words, and by a model's answer where one was asked for."""
    words = sorted({match.lower() for match in _SENSITIVE.findall(text)})
    reasons = [f"the article has the words {', '.join(words)}"] if words else []
    if judged is not None and not re.match(r"\W*no\b", judged, re.IGNORECASE):
        # A reply that is neither yes nor no is for the person to read, too.
        reasons.append(f"a model says: {' '.join(judged.split()) or 'nothing'}")
    return Check(
        "sensitive",
        not reasons,
        "; ".join(reasons) or "nothing found",
        {"words": words, "judged": judged},
    )


def draft_grams(draft: Draft) -> Grams:
    """What two questions are compared by: question and choices, the choices in any order."""
    parts = [normalised(draft.question), *sorted(map(normalised, draft.events))]
    return frozenset().union(*(grams(part) for part in parts))
