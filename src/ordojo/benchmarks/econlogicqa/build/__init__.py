"""Making EconLogicQA questions as the paper did: article, model, checks, person, split."""

from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

from ordojo.benchmarks.econlogicqa.build.articles import read_articles
from ordojo.benchmarks.econlogicqa.build.candidates import requests
from ordojo.benchmarks.econlogicqa.build.pipeline import build
from ordojo.benchmarks.econlogicqa.build.settings import ArticleSettings, BuildStatus
from ordojo.core.building import BuildTools

__all__ = ["ArticleSettings", "BuildStatus", "build", "build_with", "read_articles", "requests"]


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
        status = build(
            articles,
            tools.model(settings.model),
            out,
            settings=settings,
            accept_all=settings.accept_all,
            concurrency=settings.concurrency,
            progress=tools.hear,
        )
    yield str(status)
