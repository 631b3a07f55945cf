"""`ordojo models`: the embedded language models and their weights."""

from collections.abc import Sequence

import click

from ordojo.api import data
from ordojo.cli.made import made


@click.group()
def models() -> None:
    """List and pull the embedded models."""


def _listed(found: Sequence[data.WeightsPlace]) -> str:
    def line(one: data.WeightsPlace) -> str:
        where = one.path or f"not here: `ordojo models pull {one.model.removeprefix('ordojo/')}`"
        return f"{one.model}  {one.description} ({one.licence})  {where}"

    return "\n".join(map(line, found))


models.add_command(made(data.list_models, "list", doing="", example="models list", show=_listed))
models.add_command(
    made(
        data.pull_model,
        "pull",
        doing="pulling the weights of {name}",
        example="models pull smollm2",
        prints_json=False,
    )
)
