"""Instances before an expert: text against scaffold, roles, data (paper 003, sections 3.4, E.3)."""

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.benchmarks.nl2opt.items import instances_of, spell
from ordojo.benchmarks.nl2opt.metrics import validate
from ordojo.benchmarks.nl2opt.prompts import preview
from ordojo.core.canonical import digest
from ordojo.core.errors import DataError
from ordojo.core.outputs import whole_folder
from ordojo.core.panels import Table
from ordojo.core.records import RunView
from ordojo.datasets.nl2opt import PREFIX, ProblemItem, load_items
from ordojo.datasets.nl2opt.formats import read_json, read_text
from ordojo.datasets.nl2opt.load import INSTANCE, ORIGIN, instance_folders
from ordojo.datasets.store import sha256_of
from ordojo.review import ReviewDecision, ReviewItem, ReviewQueue
from ordojo.review.kinds import QueueKind
from ordojo.review.statistics import agreements

PUBLISHED_AS = "miplib-nl@"
"""What the ids of the published instances begin with."""
TITLE = "Instances of MIPLIB-NL's form"
TEXT, KNOWN = "Text", "optimum known"
KEEP, MEND = "keep", "mend"
KEPT, MENDED, WAITING = "kept", "mended", "waiting"
WORDS = (KEPT, MENDED, WAITING, "discarded")
"""What becomes of an instance; one waits whose text is as it was though it is to be mended."""
QUESTIONS = (
    "Text against scaffold: it says all that the scaffold has, and nothing else",
    "Roles: variables, objective and families of constraints are right and complete",
    "Data: text, files and parameters agree, and nothing is missing",
)
"""What the paper's experts look at in what no model solved; the wording is ours."""

REASONS = (
    "takes too long",
    "reformulated or presolved",
    "names that mean nothing",
    "too large or entangled",
    "no meaning in the real world",
    "cannot be verified",
    "other",
)
"""Why the paper left models of MIPLIB out (appendix I), in our words."""

PUBLISHED: Mapping[str, int] = {KNOWN: 200, "infeasible": 8, "open": 15, "all": 223}
"""Instances that the paper retained, by what is known of their optimum (section 3.4)."""

_STATES: Mapping[str, str] = {
    **dict.fromkeys(("ok", "disputed", "ratio"), KNOWN),
    **dict.fromkeys(("infeasible", "sentinel"), "infeasible"),
    **dict.fromkeys(("open", "unknown-gold"), "open"),
}
OTHER = "not whole"
"""Of an instance whose files are not all there."""
_SHOWN = 1000
"""About how many tokens of its data files an item shows."""


def expert_items(datasets: Sequence[str], runs: Sequence[RunView] = ()) -> list[ReviewItem]:
    """One item an instance of datasets in MIPLIB-NL's form, or of folders of instances.

    What a model rebuilt in `runs` needs no expert and is left out, but infeasible and open ones.
    Raises DataError where nothing is left, UsageError for data or runs of another kind.
    """
    rebuilt = {(one.id, one.content_hash) for one in validate(runs) if one.models}
    found = [item for dataset in datasets for item in _items(_named(dataset))]
    left = [
        item
        for item in found
        if (item.id, item.data["content_hash"]) not in rebuilt or item.data["state"] != KNOWN
    ]
    if not left:
        raise DataError("models rebuilt every instance: there is nothing for an expert to decide")
    return left


def _named(dataset: str) -> str:
    folder = Path(dataset.removeprefix(PREFIX)).expanduser()
    return f"{PREFIX}{folder.absolute()}" if folder.is_dir() else dataset


def _items(dataset: str) -> Iterator[ReviewItem]:
    folders = instance_folders(dataset)
    hashes = {one.id: one.content_hash for one in instances_of(dataset)}
    for item in load_items(dataset):
        if item.question:
            yield _item(dataset, item, folders[item.id], hashes.get(item.id, ""))


def _files(folder: Path) -> str:
    """A digest of all files of an instance, of which a person sees the beginnings."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return digest({str(path.relative_to(folder)): sha256_of(path) for path in found})


def _item(dataset: str, item: ProblemItem, folder: Path, content_hash: str) -> ReviewItem:
    scaffold = folder / "model.md"
    state = _STATES.get(item.status, OTHER)
    return ReviewItem(
        id=item.id,
        title=item.id if state == KNOWN else f"{item.id}, {state}",
        fields={
            "Known optimum": spell(item.golds) if item.golds else "none",
            "Scaffold": read_text(scaffold) if scaffold.is_file() else "none: no model.md is there",
            "Parameters": json.dumps(dict(item.parameters), indent=1, ensure_ascii=False),
            "Data": preview(item.files, item.notes, _SHOWN) or "no data files",
            TEXT: item.question,
        },
        editable=(TEXT,),
        parts=QUESTIONS,
        labels=(KEEP, MEND),
        notes=() if item.status == "ok" else (f"{item.status}: {item.reason}",),
        data={
            "dataset": dataset,
            "state": state,
            "content_hash": content_hash,
            "files": _files(folder),
        },
    )


def _is_expert_queue(queue: ReviewQueue) -> bool:
    """Whether a queue is one of `expert_items`."""
    return all(item.parts == QUESTIONS for item in queue.items)


def expert_tables(queue: ReviewQueue) -> list[Table]:
    """Decisions beside what the paper retained; what is to be mended; reasons; agreement."""
    decided = _decided(queue)
    states = [*dict.fromkeys(item.data["state"] for item in queue.items), "all"]
    parts = [decision.parts for _, decision in decided if decision.kind == "label"]
    reasons = Counter(decision.reason for _, decision in decided if decision.kind == "reject")
    pairs = agreements(queue)
    return [
        Table(
            "Decisions",
            ("Instances", "in the queue", *WORDS, "kept, paper"),
            [_counts(queue, decided, state) for state in states],
            f"{len(decided)} of {len(queue.items)} instances are decided; the data or scaffold of "
            "those that wait are to be mended. Published: MIPLIB-NL paper, section 3.4; the 200 "
            "have those that models rebuilt, too.",
        ),
        Table(
            "What is right, and what is to be mended",
            ("Question", KEEP, MEND),
            [
                (question, *(found.count(label) for label in (KEEP, MEND)))
                for question, found in zip(QUESTIONS, [*zip(*parts, strict=True)], strict=False)
            ],
        ),
        Table("Reasons to discard", ("Reason", "instances"), reasons.most_common()),
        Table(
            "Agreement of reviewers",
            ("Reviewers", "on", "n", "agree", "Cohen's kappa"),
            [(" and ".join(a.reviewers), a.unit, a.n, a.observed, f"{a.kappa:.3g}") for a in pairs],
        ),
    ]


def _decided(queue: ReviewQueue) -> list[tuple[ReviewItem, ReviewDecision]]:
    now = ((item, queue.current(item.id)) for item in queue.items)
    return [(item, decision) for item, decision in now if decision is not None and decision.final]


def _became(decision: ReviewDecision) -> str:
    """What becomes of an instance: only a text can be mended here, not roles or data."""
    if decision.kind != "label":
        return "discarded"
    _, *others = decision.parts or (KEEP,)
    if MEND in others:
        return WAITING
    if decision.fields:
        return MENDED
    return WAITING if MEND in (decision.label, *decision.parts) else KEPT


def _counts(
    queue: ReviewQueue, decided: Sequence[tuple[ReviewItem, ReviewDecision]], state: str
) -> tuple[str | int | None, ...]:
    among = {item.id for item in queue.items if state in {"all", item.data["state"]}}
    words = Counter(_became(decision) for item, decision in decided if item.id in among)
    theirs = queue.items[0].data["dataset"].startswith(PUBLISHED_AS)
    published = PUBLISHED.get(state) if theirs else None
    return (state, len(among), *(words[word] for word in WORDS), published)


def write_kept(queue: ReviewQueue, out: Path) -> Counter[str]:
    """Write the folders of what was kept, and of what was mended with its new text; count all.

    Of what waits roles or data are to be mended, or a text that is as it was: it is not written.
    What is known of a published instance stays known. `decisions.jsonl` beside the folders says who
    decided what. Raises DataError where nothing was kept or an instance is not
    as it was reviewed, UsageError where `out` holds anything.
    """
    if not _is_expert_queue(queue):
        raise DataError(f"{queue.path} is not a queue of instances: make one of them first")
    decided = _decided(queue)
    written = [(i, decision) for i, decision in decided if _became(decision) in {KEPT, MENDED}]
    if not written:
        raise DataError(f"nothing in {queue.path} was kept: there is no instance to write")
    places = _places(queue)
    with whole_folder(out, own=()) as made:
        for item, decision in written:
            shutil.copytree(places[item.id], made / item.id)
            file = made / item.id / INSTANCE
            origin = item.id if item.data["dataset"].startswith(PUBLISHED_AS) else ""
            file.write_text(_retold(file, decision.fields.get(TEXT, ""), origin), "utf-8")
        lines = (decision.model_dump_json() + "\n" for _, decision in decided)
        (made / "decisions.jsonl").write_text("".join(lines), "utf-8")
    return Counter(_became(decision) for _, decision in decided)


def _places(queue: ReviewQueue) -> Mapping[str, Path]:
    """Where each instance lies; DataError where one is not as it was when the queue was made."""
    sets = {item.data["dataset"] for item in queue.items}
    now = {(dataset, item.id): item.fields for dataset in sets for item in _items(dataset)}
    folders = {dataset: instance_folders(dataset) for dataset in sets}
    for item in queue.items:
        dataset, name = item.data["dataset"], item.id
        same = now.get((dataset, name)) == item.fields
        if not same or _files(folders[dataset][name]) != item.data["files"]:
            raise DataError(f"{item.id} was changed after the queue was made: make a new queue")
    return {item.id: folders[item.data["dataset"]][item.id] for item in queue.items}


def _retold(file: Path, text: str, origin: str) -> str:
    """The record with another text, if there is one, and with where a published one is from."""
    record: dict[str, Any] = read_json(file)
    if text:
        # The text with its numbers, where there is one, is of the former text.
        record |= {"abstract_problem": text}
        record |= {"concrete_problem": None} if "concrete_problem" in record else {}
    if origin:
        record["metadata"] = {**(record.get("metadata") or {}), ORIGIN: origin}
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


QUEUE = QueueKind(
    TITLE,
    "instances",
    REASONS,
    _is_expert_queue,
    lambda datasets, runs, say: expert_items(datasets, runs),
    expert_tables,
    write=write_kept,
)
