"""`ordojo bench`: the project's own performance, as ratios measured in one run."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

import click

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(invoke_without_command=True)
@click.pass_context
def bench(context: click.Context) -> None:
    """Measure the project's own speed; without a name, `engine`."""
    if context.invoked_subcommand is None:
        context.invoke(engine)


def shown(figures: Iterable[Any], as_json: bool) -> None:
    """Print figures: name, value, unit and target of each."""
    from ordojo.evaluate.bench import Figure

    rows = [one if isinstance(one, Figure) else Figure(*one) for one in figures]
    if as_json:
        click.echo(json.dumps([asdict(row) for row in rows], indent=2))
        return
    for row in rows:
        target = f" (target {row.target})" if row.target else ""
        click.echo(f"{row.name}: {row.value:,.2f} {row.unit}{target}")


@bench.command()
@click.option("--dataset", default="orqa@793beee", show_default=True)
@click.option("--samples", type=click.IntRange(1), default=300, show_default=True)
@AS_JSON
def engine(dataset: str, samples: int, as_json: bool) -> None:
    """The fast loop, and our Inspect path against a bare Inspect task."""
    from ordojo.evaluate.bench import bench_engine

    shown(bench_engine(dataset, samples), as_json)


def _plain(name: str, about: str, measure: Callable[[], Iterable[Any]]) -> None:
    """A command without options but --json."""

    def run(as_json: bool) -> None:
        shown(measure(), as_json)

    bench.command(name, help=about)(AS_JSON(run))


def _env() -> Iterable[Any]:
    from ordojo.evaluate.bench_env import bench_env

    return bench_env()


def _sandbox() -> Iterable[Any]:
    from ordojo.sandbox.bench import bench_sandbox

    return bench_sandbox()


def _stopping() -> Iterable[Any]:
    from ordojo.compat.service.bench import bench_stopping

    return bench_stopping()


_plain("env", "Steps, episodes and instances of or-debug.", _env)
_plain("sandbox", "Programs a second against new interpreters.", _sandbox)
_plain("stopping", "How much sooner a wrong model is refuted than solved (an hour).", _stopping)
