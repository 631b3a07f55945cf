"""`ordojo play`: a person answers in the terminal, the human baseline."""

import sys
from pathlib import Path

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import RunsPath, parse_settings, settings_for


@click.command(
    epilog="Example: ordojo play orqa -T dataset=orqa@ordojo",
    cls=Spoken,
    doing="playing {benchmark}",
)
@click.argument("benchmark")
@click.option("-T", "settings", multiple=True, metavar="KEY=VALUE", help="A benchmark's option.")
@click.option("--limit", type=click.IntRange(1), help="Only the first N instances.")
@click.option("--sample", type=click.IntRange(1), help="N instances drawn with --seed, by type.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--name", default="human", show_default=True, help="Who answers.")
@click.option("--runs", type=RunsPath(write=True), default=Path("runs"), show_default=True)
def play(
    benchmark: str,
    settings: tuple[str, ...],
    limit: int | None,
    sample: int | None,
    seed: int,
    name: str,
    runs: Path,
) -> None:
    """Answer BENCHMARK yourself; q stops, and the same command goes on from there."""
    from ordojo.cli.results import complain, show_results
    from ordojo.core.environment import Observation
    from ordojo.core.progress import hearing
    from ordojo.core.registry import get_benchmark
    from ordojo.evaluate.evaluation import Evaluation, EvaluationRequest
    from ordojo.evaluate.runs import read_run

    def act(asked: Observation) -> str:
        click.echo(f"\n{asked.text}\n")
        if asked.choices:
            shown = " / ".join(asked.choices) if len(asked.choices) < 10 else asked.choices[-1]
            click.echo(f"({shown}; q to stop)")
        answer: str = click.prompt(">", prompt_suffix=" ", default="", show_default=False)
        if answer.strip().lower() == "q":
            raise _StoppedError
        return answer

    found = get_benchmark(benchmark).name
    request = EvaluationRequest(
        found,
        f"person/{name}",
        runs,
        settings=settings_for(found, [found], parse_settings(settings, "-T")),
        limit=limit,
        sample=sample,
        seed=seed,
    )
    evaluation = Evaluation(request, person=act)
    try:
        with hearing(None):  # who answers knows how far they are
            view = evaluation.run()
    except _StoppedError:
        view = read_run(evaluation.path)
        click.echo(f"{len(view.records)} of {view.header.items} answered; the same command goes on")
    if view.records:
        show_results([view])
    if complain([view], runs):
        sys.exit(1)


class _StoppedError(Exception):
    """The person typed q."""
