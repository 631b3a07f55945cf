"""`ordojo play`: a person answers in the terminal, the human baseline."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import Number, RunsPath, parse_settings, settings_for
from ordojo.core.ranges import COUNT, SEED


@click.command(
    epilog="Example: ordojo play orqa -T dataset=orqa@ordojo",
    cls=Spoken,
    doing="playing {benchmark}",
)
@click.argument("benchmark")
@click.option("-T", "settings", multiple=True, metavar="KEY=VALUE", help="A benchmark's option.")
@click.option("--limit", type=Number(COUNT), help="Only the first N instances.")
@click.option("--sample", type=Number(COUNT), help="N instances drawn with --seed, by type.")
@click.option("--seed", type=Number(SEED), default=0, show_default=True)
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
        shown = "your reply, of one or several lines; an empty line ends it, not within ```"
        if asked.choices:
            few = " / ".join(asked.choices) if len(asked.choices) < 10 else asked.choices[-1]
            shown = f"{few} in a line, or a longer reply that an empty line ends"
        click.echo(f"({shown}; q to stop)")
        return _reply(asked.choices)

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


def _reply(choices: Sequence[str]) -> str:
    """The lines up to an empty one or the end of the input; a choice alone is a whole reply.

    Empty lines before the first are passed over, and those of a fenced program are its own. Raises
    _StoppedError for a first line of q, and where the input has ended before one.
    """
    lines: list[str] = []
    while True:
        try:
            line = input("... " if lines else "> ")
        except EOFError:
            if not lines:
                raise _StoppedError from None
            return "\n".join(lines)
        said = line.strip()
        if not lines and said.lower() == "q":
            raise _StoppedError
        if not lines and said in choices:
            return line
        fenced = sum(old.lstrip().startswith("```") for old in lines) % 2
        if lines and not (said or fenced):
            return "\n".join(lines)
        if lines or said:
            lines.append(line)


class _StoppedError(Exception):
    """The person typed q."""
