"""What a build is asked to do, the articles that it is made from, and how far it is."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from ordojo.core.building import BuildSettings, setting
from ordojo.core.canonical import Json, digest
from ordojo.core.errors import DataError
from ordojo.core.files import parse_file
from ordojo.core.ranges import COUNT, COUNT_OR_NONE, NumberRange


class ArticleSettings(BuildSettings):
    """Build EconLogicQA questions: article, model, checks, a person's review, split.

    The same command goes on where it stands; stopped at the review, it names the queue.
    """

    example: ClassVar[str] = "ordojo build econlogicqa --model openai/gpt-4o -o questions"
    doing: ClassVar[str] = "building questions of econlogicqa with {model}"
    out_is: ClassVar[str] = "A folder."
    folder: ClassVar[bool] = True

    articles: Path | None = setting(
        None, "JSON Lines with id, title and text; without it, twelve that ship with ordojo."
    )
    model: str = setting(..., "The model that writes and checks.", metavar="MODEL")
    n: int | None = COUNT.field(None, "Only the first N articles.")
    orderings: int = COUNT_OR_NONE.field(5, "Independent orderings asked for each question.")
    agreement: float = NumberRange(0.01, 1).field(
        0.6, "Least share of them that must give the stated order."
    )
    judge_sensitive: bool = setting(False, "Also ask the model what is sensitive.")
    accept_all: bool = setting(False, "Take questions that no person has reviewed, and say so.")
    concurrency: int = NumberRange(1, 1000, whole=True).field(1, "Articles asked at a time.")
    dry_run: bool = setting(False, "Say what would be asked and what it costs.")
    temperature: float = setting(0.7, option=False, ge=0, le=2)
    article_likeness: float = setting(0.25, option=False, gt=0, le=10)
    question_likeness: float = setting(0.25, option=False, gt=0, le=10)
    related: float = setting(0.1, option=False, gt=0, le=10)
    """Likeness is the Jaccard index of word 5-grams: an article or question from its likeness on is
    rejected as a duplicate of an earlier one (above 1: never), and from `related` on two questions
    get into the same split."""

    def deciding(self) -> dict[str, Json]:
        """What decides which questions come out, by the names that begun builds have."""
        names = (
            *("seed", "model", "orderings", "agreement", "temperature", "judge_sensitive"),
            *("article_likeness", "question_likeness", "related"),
        )
        return {"limit": self.n, **{name: getattr(self, name) for name in names}}


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


@dataclass(frozen=True)
class Article:
    """One article; `text` is what the model reads."""

    id: str
    title: str
    text: str

    @property
    def sha256(self) -> str:
        """Digest of title and text."""
        return digest([self.title, self.text])


def read_articles(path: Path, limit: int | None = None) -> Sequence[Article]:
    """All articles of a JSONL (or CSV) file with id, text and perhaps title, or the first `limit`.

    Raises DataError for a file that is missing, cut off or empty, for an article without id or
    text, and for an id that is there twice.
    """
    articles: dict[str, Article] = {}
    for where, row in parse_file(path):
        for column in ("id", "text"):
            if not isinstance(row.get(column), str) or not row[column].strip():
                raise DataError(f"{where} has no '{column}' with text in it; give each article one")
        title = row.get("title") or row["id"]
        if not isinstance(title, str):
            raise DataError(f"{where} has a 'title' that is not text")
        if row["id"] in articles:
            raise DataError(f"{where} has the id '{row['id']}' of an earlier article; rename one")
        articles[row["id"]] = Article(row["id"], title, row["text"])
    return list(articles.values())[:limit]
