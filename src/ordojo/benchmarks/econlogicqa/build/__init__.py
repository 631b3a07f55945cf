"""Making EconLogicQA questions as the paper did: article, model, checks, person, split.

Generate, check, review, write; the same call again goes on. Where a build stands is told by what
lies in `<out>.work/`: `build.json` (what is built), `replies.jsonl` (every reply of the model, as
it arrived), `candidates.jsonl` (written once all are checked) and `queue/` (what a person decides).
"""

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path
from typing import Literal

from ordojo.benchmarks.econlogicqa.build.candidates import (
    PROMPT_SHA256,
    SCREENS,
    Article,
    ArticleSettings,
    CandidateCheck,
    QuestionCandidate,
    QuestionDraft,
    Replies,
    ask_ahead,
    check_draft,
    check_orders,
    make_candidates,
    read_articles,
    requests,
)
from ordojo.benchmarks.econlogicqa.build.write import (
    CandidateResult,
    make_folder,
    outcomes,
    write,
)
from ordojo.core.building import BuildTools
from ordojo.core.canonical import canonical, digest
from ordojo.core.errors import GeneratorError
from ordojo.core.journal import read_rows
from ordojo.core.outputs import write_file
from ordojo.core.policy import Generate
from ordojo.review import ReviewItem, ReviewQueue

__all__ = ["ArticleSettings", "BuildStatus", "build", "build_with", "read_articles", "requests"]

RECHECK = "ordojo build"
"""The reviewer in whose name an edited question that fails its checks is reopened."""
REASONS = (
    "several valid orders",
    "no clear order",
    "wrong order",
    "sensitive",
    "needs the article",
    "other",
)
EDITABLE = ("Question", "A", "B", "C", "D", "Answer", "Explanation")


@dataclass(frozen=True)
class BuildStatus:
    """How far a build is: at "review" `waiting` questions wait for a person, at "done" it is
    written to `out`.
    """

    stage: Literal["review", "done"]
    articles: int
    generated: int
    rejected_automatically: int
    rejected_by_person: int
    waiting: int
    accepted: int
    queue: Path
    out: Path

    @property
    def command(self) -> str:
        """The command that opens what waits."""
        return f"ordojo review open {shlex.quote(str(self.queue))}"

    def __str__(self) -> str:
        counts = (
            f"{self.articles} articles, {self.generated} questions generated, "
            f"{self.rejected_automatically} rejected by checks, "
            f"{self.rejected_by_person} by a person, {self.accepted} accepted"
        )
        if self.stage == "done":
            return f"{counts}; written to {self.out}"
        return (
            f"{counts}; {self.waiting} wait for review: run '{self.command}', "
            "then the same build again"
        )


def build(
    articles: Path,
    generate: Generate,
    out: Path,
    settings: ArticleSettings,
    progress: Callable[[str], None] = lambda line: None,
) -> BuildStatus:
    """Make a dataset in the folder `out` from a file of articles, as far as it goes now.

    Stops at the review if questions wait for a person, unless `accept_all` takes them unseen
    (those that a screen flagged are then left out). `concurrency` articles are asked at a time,
    which changes no reply; `progress` hears how many are done. Raises DataError for bad articles,
    GeneratorError if nothing can be built or another build was begun at the same place, and what
    `generate` raises.
    """
    source = read_articles(articles, settings.n)
    work = out.with_name(out.name + ".work")
    make_folder(work)
    with Replies(work / "replies.jsonl", generate) as replies:
        _same_build(work, source, settings)
        if settings.concurrency > 1 and not (work / "candidates.jsonl").exists():
            for done, _ in enumerate(ask_ahead(source, replies, settings), 1):
                progress(f"{done} of {len(source)} articles asked")
        candidates = _candidates(work, source, replies, settings)
        queue_path = _queue(work, candidates, source)
        found = _recheck(queue_path, candidates, replies, settings)
        with ReviewQueue.open(queue_path) as queue:
            results = outcomes(candidates, queue, found, settings.accept_all)
            if not any(result.state == "waiting" for result in results):
                write(out, results, queue, settings, source)
    return _status(results, queue_path, out)


_write = partial(write_file, sync=True, error=GeneratorError)


def _same_build(work: Path, source: Sequence[Article], settings: ArticleSettings) -> None:
    wanted = {
        **settings.deciding(),
        "articles": digest([[article.id, article.sha256] for article in source]),
        "prompts": PROMPT_SHA256,
    }
    file = work / "build.json"
    if not file.exists():
        _write(file, canonical(wanted) + "\n")
    begun = read_rows(file)[0]
    other = [name for name in wanted if begun.get(name) != wanted[name]]
    if other:
        raise GeneratorError(
            f"{work} belongs to a build with another {', '.join(other)}: repeat that build as it "
            "was begun, or choose another output"
        )


def _candidates(
    work: Path, source: Sequence[Article], replies: Replies, settings: ArticleSettings
) -> list[QuestionCandidate]:
    file = work / "candidates.jsonl"
    if not file.exists():
        made = list(make_candidates(source, replies, settings))
        if not any(candidate.reply for candidate in made):
            raise GeneratorError(
                f"the model {settings.model or 'given'} returned nothing for any of "
                f"{len(source)} articles: check it, then run the same build again"
            )
        _write(file, "".join(canonical(one) + "\n" for one in made))
    return [QuestionCandidate.from_json(row) for row in read_rows(file)]


def _queue(work: Path, candidates: Sequence[QuestionCandidate], source: Sequence[Article]) -> Path:
    path = work / "queue"
    texts = {article.id: article.text for article in source}
    items = [
        ReviewItem(
            id=candidate.article,
            title=candidate.title,
            fields={**candidate.draft.fields(), "Article": texts[candidate.article]},
            editable=EDITABLE,
            notes=tuple(
                f"{check.name}: {check.reason}"
                for check in candidate.checks
                if check.name in ("agreement", *SCREENS) and check.reason != "nothing found"
            ),
        )
        for candidate in candidates
        if not candidate.rejected
    ]
    if not items:
        raise GeneratorError(
            f"the checks rejected every question: see the reasons in {work / 'candidates.jsonl'}"
        )
    if not path.exists():
        ReviewQueue.create(path, items, title="EconLogicQA questions", reasons=REASONS)
    return path


def _recheck(
    path: Path, candidates: Sequence[QuestionCandidate], replies: Replies, settings: ArticleSettings
) -> dict[str, list[CandidateCheck]]:
    """Check every edited question again; one that is no proper question any more is reopened.

    A model that disagrees with an edited order does not overrule the person: that is recorded.
    """
    found: dict[str, list[CandidateCheck]] = {}
    with ReviewQueue.open(path) as queue:
        for item in queue.items:
            decision = queue.current(item.id)
            if decision is not None and decision.kind == "edit":
                draft = QuestionDraft.from_fields(queue.fields(item.id))
                found[item.id] = check_draft(draft)
                if found[item.id][-1].passed and settings.orderings:
                    found[item.id].append(check_orders(item.id, draft, replies, settings))
    improper = {
        name: check
        for name, checks in found.items()
        for check in checks
        if not check.passed and check.name != "agreement"
    }
    if improper:
        with ReviewQueue.open(path, write=True) as queue:
            for name, check in improper.items():
                comment = f"the edited question failed '{check.name}': {check.reason}"
                queue.decide(name, "reopen", RECHECK, comment=comment)
    return found


def _status(results: Sequence[CandidateResult], queue: Path, out: Path) -> BuildStatus:
    count = [result.state for result in results].count
    return BuildStatus(
        stage="review" if count("waiting") else "done",
        articles=len(results),
        generated=sum(bool(result.candidate.reply) for result in results),
        rejected_automatically=count("rejected by a check"),
        rejected_by_person=count("rejected by a person"),
        waiting=count("waiting"),
        accepted=sum(result.kept for result in results),
        queue=queue,
        out=out,
    )


def build_with(out: Path, settings: ArticleSettings, tools: BuildTools) -> Iterator[str]:
    """Build with the model that the settings name, or say what that costs; see `build`."""
    shipped = files("ordojo.datasets").joinpath("shipped/econlogicqa/articles.jsonl")
    with as_file(shipped) as ours:
        articles = settings.articles or ours
        if settings.dry_run:
            asked, characters, new = requests(read_articles(articles, settings.n), settings)
            cost = tools.cost(settings.model, characters, new)
            yield f"at most {asked:,} requests, {cost}"
            return
        yield str(build(articles, tools.model(settings.model), out, settings, tools.hear))
