"""`ordojo review`: a person's queues, in the terminal or on a local web page."""

from collections.abc import Mapping, Sequence

import click

from ordojo.api import reviews
from ordojo.cli import Commands
from ordojo.cli.made import made
from ordojo.core.panels import Table
from ordojo.core.words import aligned
from ordojo.review import Statistics


@click.group(cls=Commands)
def review() -> None:
    """Review what builders and models made: accept, edit, reject, label."""


def _status(found: Statistics) -> str:
    lines = [
        f"{found.title}: {found.decided} of {found.items} decided; {found.accepted} accepted, "
        f"{found.edited} edited, {found.rejected} rejected, {found.labelled} labelled"
    ]
    for heading, counts in (("rejected", found.reasons), ("labelled", found.labels)):
        lines += [f"  {heading} as '{name}': {count}" for name, count in counts.items()]
    for reviewer, kinds in found.reviewers.items():
        said = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
        lines.append(f"  {reviewer}: {said or 'nothing'}")
    for pair in found.agreement:
        lines.append(
            f"  {' and '.join(pair.reviewers)} agree on {pair.observed:.0%} of {pair.n} "
            f"{pair.unit}, Cohen's kappa {pair.kappa:.2f}"
        )
    return "\n".join(lines)


def _tables(found: Sequence[Table]) -> str | None:
    return "\n".join(f"{_told(one)}\n" for one in found) if found else None


def _told(table: Table) -> str:
    rows = [list(table.columns), *([_cell(cell) for cell in row] for row in table.rows)]
    return f"{table.title}\n{aligned(rows)}\n{table.note}"


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _kept(counts: Mapping[str, int]) -> str:
    out = click.get_current_context().params["out"]
    return f"{out}: {', '.join(f'{count} {word}' for word, count in counts.items())}"


OUT = {"out": ["-o", "--out"]}

for command in (
    made(
        reviews.review_queue,
        "open",
        doing="",
        example="review open queue",
        metavars={"reviewer": "NAME"},
        environment={"reviewer": "USER"},
        given={"progress": click.echo},
        show=lambda found: None,
        prints_json=False,
    ),
    made(reviews.review_status, "status", doing="", example="review status queue", show=_status),
    made(
        reviews.review_tables,
        "table",
        doing="",
        example="review table queue",
        show=_tables,
        plain=lambda found: [
            {"title": t.title, "columns": t.columns, "rows": t.rows, "note": t.note} for t in found
        ],
    ),
    made(
        reviews.review_reasoning,
        "reasoning",
        doing="reading the reasoning of {runs}",
        example="review reasoning runs -o queue",
        flags=OUT,
        metavars={"runs": "RUNS...", "out": "QUEUE", "model": "NAME"},
        given={
            "progress": click.echo,
            "left_out": lambda line: click.echo(f"ordojo: {line}", err=True),
        },
        show=_tables,
        prints_json=False,
    ),
    made(
        reviews.review_instances,
        "instances",
        doing="reading the instances of {datasets}",
        example="review instances instances -o queue",
        flags=OUT,
        metavars={"datasets": "DATASET...", "out": "QUEUE"},
        given={"progress": click.echo},
        show=lambda found: None,
        prints_json=False,
    ),
    made(
        reviews.review_kept,
        "kept",
        doing="writing what was kept in {queue}",
        example="review kept queue -o instances",
        flags=OUT,
        metavars={"out": "FOLDER"},
        show=_kept,
        prints_json=False,
    ),
):
    review.add_command(command)
