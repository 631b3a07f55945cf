"""What became of every candidate, after checks and review."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ordojo.benchmarks.econlogicqa.build.candidates import (
    CandidateCheck,
    QuestionCandidate,
    QuestionDraft,
)
from ordojo.review import ReviewDecision, ReviewQueue

State = Literal[
    "accepted",
    "edited",
    "accepted unseen",
    "flagged, unseen",
    "rejected by a check",
    "rejected by a person",
    "waiting",
]
KEPT: tuple[State, ...] = ("accepted", "edited", "accepted unseen")


@dataclass(frozen=True)
class CandidateResult:
    """A candidate in its last form; `rechecked` are the checks of its edited form."""

    candidate: QuestionCandidate
    state: State
    draft: QuestionDraft
    reason: str = ""
    decisions: tuple[ReviewDecision, ...] = ()
    rechecked: tuple[CandidateCheck, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether it gets into the dataset."""
        return self.state in KEPT


def outcomes(
    candidates: Sequence[QuestionCandidate],
    queue: ReviewQueue,
    rechecked: Mapping[str, Sequence[CandidateCheck]],
    accept_all: bool,
) -> list[CandidateResult]:
    """One outcome a candidate, in order; `accept_all` decides what no person has."""
    found = []
    for candidate in candidates:
        if candidate.rejected:
            state: State = "rejected by a check"
            found.append(CandidateResult(candidate, state, candidate.draft, candidate.rejected))
            continue
        name = candidate.article
        decision = queue.current(name)
        state, reason = _state(candidate, decision, accept_all)
        edited = state == "edited"
        found.append(
            CandidateResult(
                candidate,
                state,
                QuestionDraft.from_fields(queue.fields(name)) if edited else candidate.draft,
                reason,
                tuple(d for d in queue.decisions if d.item == name),
                tuple(rechecked.get(name, ())) if edited else (),
            )
        )
    return found


def _state(
    candidate: QuestionCandidate, decision: ReviewDecision | None, accept_all: bool
) -> tuple[State, str]:
    if decision is None:
        if not accept_all:
            return "waiting", ""
        flags = "; ".join(flag.reason for flag in candidate.flags)
        return ("flagged, unseen", flags) if flags else ("accepted unseen", "")
    if decision.kind == "reject":
        return "rejected by a person", decision.reason
    return ("edited" if decision.kind == "edit" else "accepted"), ""
