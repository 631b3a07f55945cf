"""`ordojo verify`: every certificate of a file of instances again, from scratch."""

import json
from pathlib import Path

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import on_option
from ordojo.core.spread import Place


@click.command(epilog="Example: ordojo verify items.jsonl", cls=Spoken, doing="verifying {file}")
@click.argument("file", type=click.Path(path_type=Path))
@on_option("local")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def verify(context: click.Context, file: Path, place: Place, as_json: bool) -> None:
    """Check every certificate in FILE again, from scratch; exit with 1 if one does not hold.

    FILE may be a folder of instances, as `ordojo build nl2opt` writes it.
    """
    from ordojo.api import benchmarks

    found = benchmarks.verify(file, on=place)
    counts, failures = found.counts, found.failures
    total = sum(counts.values())
    if as_json:
        report = {
            "file": str(file),
            "instances": total,
            "verified": total - len(failures),
            "benchmarks": counts,
            "failures": failures,
            "notes": list(found.notes),
        }
        click.echo(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        for note in found.notes:
            click.echo(note)
        for failure in failures:
            click.echo(f"{failure['where']}: {failure['problem']}")
        named = ", ".join(f"{count} of {name}" for name, count in counts.items())
        click.echo(f"{total - len(failures)} of {total} certificates hold ({named})")
    if failures:
        context.exit(1)
