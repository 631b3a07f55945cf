"""`ordojo grade`: stored responses, run and judged again."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from ordojo.api import runs as running
from ordojo.cli.made import made, printed
from ordojo.cli.results import complain, figures, shown_figures, warn_of_missing
from ordojo.cli.settings import RunsPath
from ordojo.core.errors import UsageError
from ordojo.core.registry import get_benchmark
from ordojo.core.spread import Place
from ordojo.evaluation.grade import answered


def _grade(
    responses: Path,
    *,
    dataset: str,
    rules: Sequence[str],
    runs: Path,
    on: Place,
    as_json: bool,
    options: Mapping[str, str],
) -> bool:
    """Grade, and show figures under the rules asked for; whether anything failed."""
    known = get_benchmark(answered(dataset)[0]).rules
    for rule in rules:
        if rule not in known:
            raise UsageError(f"there is no rule '{rule}'; choose from {', '.join(known)}")
    grading = running.grading(responses, dataset, runs, options)
    if grading.refused:
        names = ", ".join(sorted({name for name, _ in grading.refused}))
        click.echo(f"ordojo: not graded, as files of them are missing: {names}", err=True)
    if grading.header.options.get("isolation") == "unsafe":
        click.echo("ordojo: UNSAFE: the programs are run without containment", err=True)
    warn_of_missing(grading.header)
    if (answered_items := len(grading.items)) < (every := grading.header.items):
        click.echo(
            f"ordojo: {answered_items:,} of {every:,} answered; what is not answered is not scored",
            err=True,
        )
    click.echo(f"run directory {grading.path}", err=True)
    view = grading.run(on)
    wanted = tuple(rules) or (grading.header.rule,)
    if as_json:
        found = {"run": view.name, **asdict(view.header), "answered": answered_items}
        found["finished"] = len(view.records)
        printed({**found, "rules": {rule: figures(view, rule) for rule in wanted}}, as_json)
    else:
        shown_figures(view, wanted)
    return complain([view], grading.path.parent)


grade = made(
    running.grade,
    doing="grading {responses}",
    example="grade answers.jsonl --dataset nl2opt@ordojo",
    flags={"dataset": ["--dataset"], "on": ["--on", "--processes"]},
    metavars={"dataset": "ID"},
    types={"runs": RunsPath(write=True)},
    use=_grade,
    code=int,
    options=[
        click.Option(
            ["--rule", "rules"],
            multiple=True,
            metavar="NAME",
            help="A rule to show figures under.",
        )
    ],
)
