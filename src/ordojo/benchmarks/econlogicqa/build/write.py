"""What became of every candidate, after checks and review, and the finished dataset.

One CSV a split as published, where each question is from, and counts.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ordojo.benchmarks.econlogicqa.build.candidates import (
    CHECKS,
    PROMPT_SHA256,
    Article,
    ArticleSettings,
    CandidateCheck,
    QuestionCandidate,
    QuestionDraft,
    draft_grams,
)
from ordojo.benchmarks.econlogicqa.schema import LETTERS
from ordojo.core.canonical import canonical
from ordojo.core.errors import GeneratorError
from ordojo.core.outputs import whole_folder
from ordojo.core.seeds import generator
from ordojo.datasets.duplicates import Grams, alike_pairs, grams, normalised
from ordojo.review import ReviewDecision, ReviewQueue, statistics

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


SPLITS = ("train", "val", "test")
SIZES = (60, 20, 20)
"""Their shares, as the paper has them."""


def related_groups(
    questions: Sequence[tuple[Grams, Grams]], likeness: float
) -> Sequence[Sequence[int]]:
    """Indices of questions in groups that are linked by a like article or a like question."""
    group = {index: [index] for index in range(len(questions))}
    for kind in (0, 1):
        for i, j in alike_pairs([question[kind] for question in questions], likeness):
            if group[i] is not group[j]:
                group[i] += group[j]
                for index in group[j]:
                    group[index] = group[i]
    return [sorted(members) for index, members in group.items() if index == min(members)]


def split(
    groups: Sequence[Sequence[int]], sizes: Sequence[float], seed: int
) -> dict[str, list[int]]:
    """Give whole groups to train, val and test in proportion to `sizes`; file order in each."""
    total = sum(len(group) for group in groups)
    room = dict(zip(SPLITS, (total * size / sum(sizes) for size in sizes), strict=True))
    found: dict[str, list[int]] = {name: [] for name in SPLITS}
    shuffled = generator(seed, "econlogicqa-split", 0).permutation(len(groups))
    # Large groups first: they fit into the fewest places.
    for index in sorted(shuffled, key=lambda i: -len(groups[i])):
        name = max(SPLITS, key=lambda split: room[split])
        found[name] += groups[index]
        room[name] -= len(groups[index])
    return {name: sorted(members) for name, members in found.items()}


COLUMNS = ("Question", *LETTERS, "Answer")
PAPER: Mapping[str, Any] = {
    "generated": 854,
    "removed": 204,
    "kept": 650,
    "splits": {"train": 390, "val": 130, "test": 130},
    "source": "EconLogicQA (arXiv 2405.07938), section 3.2; splits as published with the data",
}


def write(
    out: Path,
    results: Sequence[CandidateResult],
    queue: ReviewQueue,
    settings: ArticleSettings,
    source: Sequence[Article],
) -> None:
    """Write the folder `out`: train.csv, val.csv, test.csv, provenance.jsonl, statistics.json.

    It is replaced whole, other files kept; GeneratorError if no question was kept.
    """
    kept = [result for result in results if result.kept]
    if not kept:
        raise GeneratorError(f"no question was accepted in {queue.path}: there is nothing to write")
    articles = {article.id: grams(normalised(article.text)) for article in source}
    groups = related_groups(
        [(articles[r.candidate.article], draft_grams(r.draft)) for r in kept], settings.related
    )
    splits = split(groups, SIZES, settings.seed)
    place: dict[str, tuple[str, int]] = {}
    texts: dict[str, str] = {}
    for name in SPLITS:
        table = io.StringIO()
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row, index in enumerate(splits[name]):
            place[kept[index].candidate.article] = (name, row)
            writer.writerow([kept[index].draft.fields()[column] for column in COLUMNS])
        texts[f"{name}.csv"] = table.getvalue()
    rows = [_provenance(result, place, settings) for result in results]
    texts["provenance.jsonl"] = "".join(canonical(row) + "\n" for row in rows)
    counts = {
        **_counts(results),
        "splits": {name: len(splits[name]) for name in SPLITS},
        "review": statistics(queue).to_json(),
        "paper": PAPER,
    }
    texts["statistics.json"] = json.dumps(counts, indent=2, ensure_ascii=False) + "\n"
    with whole_folder(out, keep=True, sync=True, error=GeneratorError) as folder:
        for name, text in texts.items():
            (folder / name).write_bytes(text.encode())


def make_folder(path: Path) -> None:
    """Make a folder if it is not there; GeneratorError if that fails."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GeneratorError(
            f"cannot make the folder {path} ({error.strerror}): choose another output"
        ) from error


def _provenance(
    result: CandidateResult, place: Mapping[str, tuple[str, int]], settings: ArticleSettings
) -> dict[str, Any]:
    candidate = result.candidate
    name, row = place.get(candidate.article, ("", None))
    return {
        "article": {"id": candidate.article, "title": candidate.title, "sha256": candidate.sha256},
        "state": result.state,
        "reason": result.reason,
        "split": name,
        "row": row,
        "model": settings.model,
        "prompts_sha256": PROMPT_SHA256,
        "seed": settings.seed,
        "reply": candidate.reply,
        "question": result.draft.fields(),
        "checks": candidate.checks,
        "checks_of_edit": result.rechecked,
        "decisions": [decision.model_dump(mode="json") for decision in result.decisions],
    }


def _counts(results: Sequence[CandidateResult]) -> dict[str, Any]:
    states = Counter(result.state for result in results)
    checks = Counter(r.reason for r in results if r.state == "rejected by a check")
    reasons = Counter(r.reason for r in results if r.state == "rejected by a person")
    unseen = states["accepted unseen"] + states["flagged, unseen"]
    return {
        "articles": len(results),
        "generated": sum(bool(result.candidate.reply) for result in results),
        "rejected_by_check": {name: checks[name] for name in CHECKS if checks[name]},
        "rejected_by_person": dict(reasons.most_common()),
        "flagged_unseen": states["flagged, unseen"],
        "accepted": states["accepted"],
        "edited": states["edited"],
        "edited_against_the_model": sum(
            not check.passed for r in results if r.kept for check in r.rechecked
        ),
        "accepted_unseen": states["accepted unseen"],
        "kept": sum(states[state] for state in KEPT),
        "note": f"{unseen} questions were not reviewed by a person" if unseen else "",
    }
