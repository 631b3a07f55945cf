"""`ordojo bench`: the project's own performance, as ratios measured in one run."""

import json
from dataclasses import asdict

import click


@click.command()
@click.argument("name", type=click.Choice(["engine"]), default="engine")
@click.option("--dataset", default="orqa@793beee", show_default=True)
@click.option("--samples", type=click.IntRange(1), default=300, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench(name: str, dataset: str, samples: int, as_json: bool) -> None:
    """Measure NAME: engine (the fast loop, and our Inspect path against a bare task)."""
    from ordojo.evaluate.bench import bench_engine

    figures = bench_engine(dataset, samples)
    if as_json:
        click.echo(json.dumps([asdict(figure) for figure in figures], indent=2))
        return
    for figure in figures:
        click.echo(f"{figure.name}: {figure.value:,.2f} {figure.unit} (target {figure.target})")
