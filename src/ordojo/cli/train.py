"""`ordojo train`: one recipe, one run; the same command goes on where it was stopped.

And `serve`, an environment for trainers elsewhere, and `mcp`, the front door as tools.
"""

from collections.abc import Mapping
from typing import Any

import click

from ordojo.api import trainers
from ordojo.cli import Commands, exit_code
from ordojo.cli.made import made, printed


@click.group(cls=Commands)
def train() -> None:
    """Train a model as a recipe says. Needs `ordojo[train]`."""


def _command(stage: trainers.Stage, about: str) -> click.Command:
    """The command of one stage; all take the same options."""

    def run(*, as_json: bool, **given: Any) -> None:
        try:
            found = trainers.train(stage, **given)
        except KeyboardInterrupt as stop:  # which was told
            raise SystemExit(exit_code(stop)) from None
        printed(found, as_json, lambda found: "\n".join(_lines(found)))

    return made(
        trainers.train,
        stage,
        doing="training as {config} says; loading torch and TRL",
        example=f"train {stage} --config recipe.yaml --out out",
        about=about,
        flags={"config": ["--config"], "changes": ["--set"]},
        metavars={"config": "FILE", "out": "DIR", "changes": "KEY=VALUE"},
        types={"config": click.STRING},
        without=["stage"],
        use=run,
    )


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


STAGES: tuple[tuple[trainers.Stage, str], ...] = (
    ("sft", "Supervised fine-tuning on demonstrations."),
    ("grpo", "Group relative policy optimization on episodes that environments verify."),
    ("prm", "A process reward model, on the labels of algorithm 10."),
    ("curriculum", "Stages of growing difficulty, each from the model of the one before."),
)
for stage, about in STAGES:
    train.add_command(_command(stage, about))

serve = made(
    trainers.serve,
    doing="serving {benchmark}",
    example="serve or-debug --port 8000",
    metavars={"allow": "NAME"},
    helps={"benchmark": "A benchmark's name."},
    show=lambda found: None,
    prints_json=False,
)
mcp = made(
    trainers.mcp,
    doing="",
    example="mcp --allow models",
    flags={"allow": ["--allow"]},
    show=lambda found: None,
    prints_json=False,
)
