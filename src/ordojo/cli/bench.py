"""`ordojo bench`: the project's own performance, as ratios measured in one run."""

import json
from dataclasses import asdict

import click


@click.command()
@click.argument("name", type=click.Choice(["engine", "env", "sandbox"]), default="engine")
@click.option("--dataset", default="orqa@793beee", show_default=True)
@click.option("--samples", type=click.IntRange(1), default=300, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench(name: str, dataset: str, samples: int, as_json: bool) -> None:
    """Measure NAME: engine (the fast loop, and our Inspect path against a bare task), env (steps,
    episodes and instances of or-debug), or sandbox (programs a second against new interpreters).
    """
    if name == "sandbox":
        from ordojo.evaluate.bench import Figure
        from ordojo.sandbox.bench import bench_sandbox

        figures = [Figure(*row) for row in bench_sandbox()]
    elif name == "env":
        from ordojo.evaluate.bench_env import bench_env

        figures = bench_env()
    else:
        from ordojo.evaluate.bench import bench_engine

        figures = bench_engine(dataset, samples)
    if as_json:
        click.echo(json.dumps([asdict(figure) for figure in figures], indent=2))
        return
    for figure in figures:
        target = f" (target {figure.target})" if figure.target else ""
        click.echo(f"{figure.name}: {figure.value:,.2f} {figure.unit}{target}")
