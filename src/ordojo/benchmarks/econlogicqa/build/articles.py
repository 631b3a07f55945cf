"""The articles that questions are made from."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ordojo.core.canonical import digest
from ordojo.core.errors import DataError
from ordojo.datasets.rows import parse_file


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
