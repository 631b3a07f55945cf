"""`ordojo play`: a person answers in the terminal, the human baseline."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from ordojo.api import runs as running
from ordojo.cli.made import made
from ordojo.core.environment import Observation


def _asked(asked: Observation) -> str:
    """Show what is asked, and take the reply."""
    click.echo(f"\n{asked.text}\n")
    shown = "your reply, of one or several lines; an empty line ends it, not within ```"
    if asked.choices:
        few = " / ".join(asked.choices) if len(asked.choices) < 10 else asked.choices[-1]
        shown = f"{few} in a line, or a longer reply that an empty line ends"
    click.echo(f"({shown}; q to stop)")
    return _reply(asked.choices)


def _reply(choices: Sequence[str]) -> str:
    """The lines up to an empty one or the end of the input; a choice alone is a whole reply.

    Empty lines before the first are passed over, and those of a fenced program are its own. Raises
    EndOfAnswersError for a first line of q, and where the input has ended before one.
    """
    lines: list[str] = []
    while True:
        try:
            line = input("... " if lines else "> ")
        except EOFError:
            if not lines:
                raise running.EndOfAnswersError from None
            return "\n".join(lines)
        said = line.strip()
        if not lines and said.lower() == "q":
            raise running.EndOfAnswersError
        if not lines and said in choices:
            return line
        fenced = sum(old.lstrip().startswith("```") for old in lines) % 2
        if lines and not (said or fenced):
            return "\n".join(lines)
        if lines or said:
            lines.append(line)


def _play(
    benchmark: str, *, as_json: bool, runs: Any, options: Mapping[str, Any], **more: Any
) -> bool:
    from ordojo.cli.results import complain, show_results

    view = running.play(benchmark, _asked, runs=runs, **more, **options)
    if (done := len(view.records)) < view.header.items:
        click.echo(f"{done} of {view.header.items} answered; the same command goes on")
    if view.records:
        show_results([view])
    return complain([view], runs)


play = made(
    running.play,
    doing="playing {benchmark}",
    example="play orqa -T dataset=orqa@ordojo",
    helps={"benchmark": "A benchmark's name."},
    without=["answer"],
    use=_play,
    code=int,
    prints_json=False,
    also="q stops, and the same command goes on from there.",
)
