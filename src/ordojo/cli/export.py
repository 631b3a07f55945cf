"""`ordojo export`: a dataset in others' formats, and `ordojo list`: what there is."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ordojo.datasets.export import Format


@click.command(epilog="Example: ordojo export hf orqa@ordojo -o dataset")
@click.argument("layout", metavar="FORMAT", type=click.Choice(["hf", "csv"]))
@click.argument("dataset")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="A folder.")
@click.option("--force", is_flag=True, help="Write over files of the same names in OUT.")
def export(layout: "Format", dataset: str, out: Path, force: bool) -> None:
    """Write DATASET, an id or a .jsonl file of built instances, to OUT.

    FORMAT is hf (Hugging Face: parquet by split, a card, Croissant metadata) or csv.
    """
    from ordojo.datasets.export import export as write

    click.echo(write(dataset, out, layout, force))


@click.command("list", epilog="Example: ordojo list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_command(as_json: bool) -> None:
    """List benchmarks with their options and rules, datasets, and embedded models."""
    from ordojo.core.registry import benchmark_names, get_benchmark
    from ordojo.datasets.registry import dataset_ids
    from ordojo.evaluate.providers.loading import CATALOGUE

    benchmarks: dict[str, dict[str, Any]] = {}
    for benchmark in map(get_benchmark, benchmark_names()):
        fields = benchmark.options.model_fields
        benchmarks[benchmark.name] = {
            "version": benchmark.version,
            "summary": benchmark.summary,
            "options": {name: str(field.default) for name, field in fields.items()},
            "rules": list(benchmark.rules),
        }
    models = [f"ordojo/{name}" for name in CATALOGUE]
    if as_json:
        found = {"benchmarks": benchmarks, "datasets": list(dataset_ids()), "models": models}
        click.echo(json.dumps(found, indent=2))
        return
    for name, facts in benchmarks.items():
        click.echo(f"{name} v{facts['version']}: {facts['summary']}")
        click.echo(f"  options: {', '.join(f'{k}={v}' for k, v in facts['options'].items())}")
        click.echo(f"  rules: {', '.join(facts['rules'])}")
    click.echo(f"datasets: {', '.join(dataset_ids())}")
    click.echo(f"embedded models: {', '.join(models)}")
