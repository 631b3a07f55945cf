"""One measured figure, and how a bench is run: `python -m perf.NAME [--json] [--option value]`."""

import inspect
import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import click

from ordojo.core.errors import OrdojoError


class Figure(NamedTuple):
    """One measured figure: its name, value and unit, and what it is compared with."""

    name: str
    value: float
    unit: str
    target: str


def show(figures: Iterable[tuple[str, float, str, str]], as_json: bool = False) -> None:
    """Print figures: name, value, unit and target of each."""
    rows = [Figure(*row) for row in figures]
    if as_json:
        click.echo(json.dumps([row._asdict() for row in rows], indent=2))
        return
    for row in rows:
        target = f" (target {row.target})" if row.target else ""
        click.echo(f"{row.name}: {row.value:,.2f} {row.unit}{target}")


def command(measure: Callable[..., Iterable[tuple[str, float, str, str]]]) -> click.Command:
    """A bench as a command: its parameters with defaults are options, and `--json` prints JSON."""

    def run(as_json: bool, **options: Any) -> None:
        try:
            show(measure(**options), as_json)
        except OrdojoError as error:
            raise click.UsageError(str(error)) from None

    options: list[click.Parameter] = [
        click.Option([f"--{name.replace('_', '-')}"], default=one.default, show_default=True)
        for name, one in inspect.signature(measure).parameters.items()
        if isinstance(one.default, int | str)
    ]
    as_json = click.Option(["--json", "as_json"], is_flag=True, help="Print JSON.")
    return click.Command(
        measure.__name__, params=[*options, as_json], callback=run, help=measure.__doc__
    )
