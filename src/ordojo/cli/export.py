"""`ordojo export`: a dataset in others' formats, and `ordojo list`: what there is."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import parse_settings

if TYPE_CHECKING:
    from ordojo.datasets.export import Format


@click.command(
    epilog="Example: ordojo export hf orqa@ordojo -o dataset",
    cls=Spoken,
    doing="exporting {dataset} as {layout}",
)
@click.argument(
    "layout", metavar="FORMAT", type=click.Choice(["hf", "lm-eval", "csv", "verifiers"])
)
@click.argument("dataset")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="A folder.")
@click.option(
    "-T",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="lm-eval, verifiers: a benchmark's option.",
)
@click.option("--force", is_flag=True, help="Write over files of the same names in OUT.")
@click.option("--push", "repository", metavar="OWNER/NAME", help="hf: also upload OUT to the hub.")
def export(
    layout: str,
    dataset: str,
    out: Path,
    settings: Sequence[str],
    force: bool,
    repository: str | None,
) -> None:
    """Write DATASET, an id or a .jsonl file of built instances, to OUT.

    With verifiers it is a benchmark, and OUT a package to install: an environment for the library
    of that name.

    FORMAT is hf (Hugging Face: parquet by split, a card, Croissant metadata), csv, or lm-eval (a
    task of lm-evaluation-harness, of orqa and econlogicqa).
    """
    from ordojo.core.errors import UsageError
    from ordojo.core.extras import need

    if layout == "hf":
        hub = ("huggingface_hub",) if repository else ()
        need("export", "export hf", beside=hub)
    if repository and layout != "hf":
        raise UsageError(f"--push uploads the hub's layout; {layout} is another one")
    if layout == "lm-eval":
        from ordojo.evaluate.harness import export_task

        click.echo(export_task(dataset, out, parse_settings(settings, "-T"), force=force))
        return
    if layout == "verifiers":
        need("verifiers", "export verifiers")
        from ordojo.training.adapters.verifiers_taskset import write_package

        click.echo(write_package(dataset, parse_settings(settings, "-T"), out, force))
        return
    from ordojo.datasets.export import export as write
    from ordojo.datasets.export import push

    if settings:
        raise UsageError(
            f"-T belongs to lm-eval and verifiers: {layout} has the data, not how they are asked"
        )
    click.echo(write(dataset, out, cast("Format", layout), force))
    if repository:
        click.echo(push(out, repository))


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
