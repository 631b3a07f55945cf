"""`ordojo train`: one recipe, one run; the same command goes on where it was stopped."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordojo.cli import exit_code
from ordojo.cli.progress import Spoken
from ordojo.cli.settings import parse_settings
from ordojo.core.extras import need

if TYPE_CHECKING:
    from ordojo.training.recipes import Recipe


@click.group()
def train() -> None:
    """Train a model as a recipe says. Needs `ordojo[train]`."""


def _stage(name: str, about: str) -> None:
    """The command of one stage; all take the same options."""

    @click.option(
        "--config",
        required=True,
        metavar="FILE",
        help="A recipe, or the name of one that comes with ordojo.",
    )
    @click.option("--dry-run", is_flag=True, help="Print what it would cost and train nothing.")
    @click.option(
        "--out", metavar="DIR", type=click.Path(path_type=Path), help="Folder of the run."
    )
    @click.option("--set", "changes", multiple=True, metavar="KEY=VALUE", help="Another value.")
    @click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
    def command(
        config: str, dry_run: bool, out: Path | None, changes: tuple[str, ...], as_json: bool
    ) -> None:
        need("train", "training")
        try:
            from ordojo.training.recipes import estimate, read_recipe

            recipe = read_recipe(config, name, out, parse_settings(changes, "--set"))
        except KeyboardInterrupt as stop:
            click.echo("stopped before the run began; nothing on disk is changed", err=True)
            raise SystemExit(exit_code(stop)) from None
        result: Mapping[str, Any] = estimate(recipe) if dry_run else _trained(recipe)
        if as_json:
            click.echo(json.dumps(result, indent=2))
        else:
            for line in _lines(result):
                click.echo(line)

    example = f"Example: ordojo train {name} --config recipe.yaml --out out"
    doing = "training as {config} says; loading torch and TRL"
    train.command(name, help=about, epilog=example, cls=Spoken, doing=doing)(command)


def _trained(recipe: "Recipe") -> Mapping[str, Any]:
    """The result of a run; whatever ends it before its end says what is on disk then."""
    from ordojo.core.errors import UsageError
    from ordojo.training.recipes import run, standing

    try:
        return run(recipe, lambda line: click.echo(line, err=True))
    except KeyboardInterrupt as stop:
        click.echo(f"stopped; {standing(recipe)}", err=True)
        raise SystemExit(exit_code(stop)) from None
    except UsageError:
        raise
    except Exception:
        if recipe.out.is_dir():
            click.echo(f"ended by an error; {standing(recipe)}", err=True)
        raise


def _lines(found: Mapping[str, Any], inside: str = "") -> list[str]:
    """A result for reading, one figure a line; what lies within another under its name."""
    lines: list[str] = []
    for key, value in found.items():
        if isinstance(value, Mapping):
            lines += _lines(value, f"{inside}{key}: ")
        elif isinstance(value, list) and len(value) == 3 and value[1] is not None:
            lines.append(f"{inside}{key}: {value[0]:.4g} ({value[1]:.4g} to {value[2]:.4g})")
        else:
            shown = f"{value:,}" if isinstance(value, int) else value
            lines.append(f"{inside}{key}: {shown}")
    return lines


_stage("sft", "Supervised fine-tuning on demonstrations.")
_stage("grpo", "Group relative policy optimization on episodes that environments verify.")
_stage("prm", "A process reward model, on the labels of algorithm 10.")
_stage("curriculum", "Stages of growing difficulty, each from the model of the one before.")
