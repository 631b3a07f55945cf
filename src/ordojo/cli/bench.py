"""`ordojo bench`: the project's own performance, as ratios measured in one run."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
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


def _rollouts() -> Iterable[Any]:
    from ordojo.training.rollouts.bench import bench_rollouts

    return bench_rollouts()


_plain("env", "Steps, episodes and instances of or-debug.", _env)
_plain("rollouts", "Rollouts against the bare environment; two processes against one.", _rollouts)
_plain("sandbox", "Programs a second against new interpreters.", _sandbox)


@bench.command()
@click.option("--n", "count", type=click.IntRange(1), default=20, show_default=True)
@click.option(
    "--size",
    type=click.Choice(["small", "medium", "large"]),
    default="small",
    show_default=True,
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def templates(count: int, size: str, seed: int) -> None:
    """What the abstraction recovers of generated models: groups, families, labels."""
    from ordojo.templates.recovery import CONDITIONS, recover, recovery_table, sample

    built = sample(count, size, seed)
    click.echo(recovery_table([recover(one, how) for how in CONDITIONS for one in built]))


@bench.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--cases", type=click.IntRange(1), default=200, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@AS_JSON
def inspection(folder: Path | None, cases: int, seed: int, as_json: bool) -> None:
    """How often inspection names the family of an injected error; FOLDER has more MPS files."""
    from ordojo.evaluate.bench_inspection import bench_inspection

    shown(bench_inspection(cases, folder, seed), as_json)


@bench.command()
@click.option("--file", "files", multiple=True, type=click.Path(path_type=Path))
@click.option("--folder", type=click.Path(path_type=Path))
@click.option("--large", is_flag=True)
@click.option("--plot", type=click.Path(path_type=Path))
@AS_JSON
def structure(
    files: tuple[Path, ...], folder: Path | None, large: bool, plot: Path | None, as_json: bool
) -> None:
    """Reading and abstraction against HiGHS; with --folder, the table of its models' structure."""
    from ordojo.core.errors import UsageError
    from ordojo.evaluate.bench_structure import bench_structure, growth_svg, models_in, trip_json
    from ordojo.structure.study import round_trip_table, round_trips

    if folder is not None:
        if files or large or plot:
            raise UsageError("bench: --folder goes with no option but --json")
        found = []
        for path in models_in(folder):
            click.echo(f"reading {path}", err=True)
            found += round_trips([path])
        click.echo(trip_json(found) if as_json else round_trip_table(found))
        return
    figures, points = bench_structure(files, large)
    shown(figures, as_json)
    if plot is not None:
        plot.write_text(growth_svg(points))


@bench.command("serve")
@click.option("--sessions", type=click.IntRange(1), default=64, show_default=True)
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True)
@AS_JSON
def serve_(sessions: int, workers: int, as_json: bool) -> None:
    """Steps a second of `ordojo serve or-debug`, client and server on this machine."""
    from ordojo.training.serve.bench import bench_serve

    shown(bench_serve(sessions, workers), as_json)
