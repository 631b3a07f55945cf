"""`ordojo build`: new instances of the benchmarks."""

from pathlib import Path

import click


@click.group()
def build() -> None:
    """Build new instances: econlogicqa (questions from news articles)."""


@build.command()
@click.option(
    "--articles",
    type=click.Path(path_type=Path),
    help="JSON Lines with id, title and text; without it, twelve that ship with ordojo.",
)
@click.option("--model", required=True, metavar="MODEL", help="The model that writes and checks.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="A folder.")
@click.option("--n", "limit", type=click.IntRange(1), help="Only the first N articles.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--orderings",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="Independent orderings asked for each question.",
)
@click.option(
    "--agreement",
    type=float,
    default=0.6,
    show_default=True,
    help="Least share of them that must give the stated order.",
)
@click.option("--judge-sensitive", is_flag=True, help="Also ask the model what is sensitive.")
@click.option(
    "--accept-all", is_flag=True, help="Take questions that no person has reviewed, and say so."
)
def econlogicqa(
    articles: Path | None,
    model: str,
    out: Path,
    limit: int | None,
    seed: int,
    orderings: int,
    agreement: float,
    judge_sensitive: bool,
    accept_all: bool,
) -> None:
    """Build EconLogicQA questions: article, model, checks, a person's review, split.

    The same command goes on where it stands; stopped at the review, it names the queue.
    """
    from importlib.resources import as_file, files

    from ordojo.benchmarks.econlogicqa.build import Settings
    from ordojo.benchmarks.econlogicqa.build import build as build_questions
    from ordojo.evaluate.generation import generator

    settings = Settings(
        seed=seed,
        model=model,
        limit=limit,
        orderings=orderings,
        agreement=agreement,
        judge_sensitive=judge_sensitive,
    )
    shipped = files("ordojo.datasets").joinpath("shipped/econlogicqa/articles.jsonl")
    with as_file(shipped) as ours:
        status = build_questions(
            articles or ours, generator(model), out, settings=settings, accept_all=accept_all
        )
    click.echo(status)
