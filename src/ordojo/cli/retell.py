"""`ordojo retell`: another text of an instance, kept where it is shown to say the same."""

import json
import shutil
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import LanguageModel, Number
from ordojo.core.progress import doing
from ordojo.core.ranges import SECONDS


@click.command(
    epilog="Example: ordojo retell out told.txt --rebuilt rebuilt.py",
    cls=Spoken,
    doing="checking {text} as a text of {instance}",
)
@click.argument("instance", type=click.Path(path_type=Path))
@click.argument("text", type=click.Path(path_type=Path))
@click.option(
    "--rebuilt",
    type=click.Path(path_type=Path),
    help="What somebody built from text and data alone: a model file, a program or a folder.",
)
@click.option(
    "--model",
    type=LanguageModel(),
    help="A language model that builds it, as a program of gurobipy.",
)
@click.option(
    "--time-limit",
    type=Number(SECONDS),
    default=30.0,
    show_default=True,
    help="Seconds for each of: the program, the mapping, each solve, the alignment.",
)
@click.option(
    "--isolation",
    type=click.Choice(["auto", "userns", "bwrap", "landlock", "docker", "unsafe"]),
    default="auto",
    show_default=True,
    help="How a program is contained.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def retell(
    instance: Path,
    text: Path,
    rebuilt: Path | None,
    model: str | None,
    time_limit: float,
    isolation: str,
    as_json: bool,
) -> None:
    """Put TEXT in the place of the text of INSTANCE, a folder of `ordojo structure --export`.

    With --rebuilt or --model it is accepted when the model built from text and data alone is proved
    equivalent; else what differs is named. Without them it is accepted when every number, set,
    direction, type and bound is found in it; else what is missing is named. Exit code 1: refused,
    and nothing was changed.
    """
    from ordojo.core.errors import DataError, UsageError
    from ordojo.core.files import read_text
    from ordojo.structure.blueprint.accept import accept

    if rebuilt and model:
        raise UsageError("retell: give --rebuilt or --model, not both")
    try:
        told = read_text(text)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise DataError(f"the text {text} cannot be read: {why}; name a text file") from None
    other = None
    if rebuilt or model:
        from ordojo.compat.candidates import candidate_model

        with tempfile.TemporaryDirectory() as folder:
            path = rebuilt or _built(instance, told, model or "", Path(folder))
            doing(f"running {path.name}", time_limit)
            other = candidate_model(path, isolation, time_limit)
    doing("comparing it with the instance", 4 * time_limit)
    found = accept(instance, told, other, time_limit)
    if as_json:
        click.echo(json.dumps({"accepted": found.accepted, **asdict(found)}, indent=2))
    else:
        lines = [f"- {one}" for one in found.reasons]
        click.echo("\n".join([f"accepted: {found.how}" if found.accepted else "refused:", *lines]))
    sys.exit(0 if found.accepted else 1)


def _built(instance: Path, told: str, model: str, folder: Path) -> Path:
    """A program that a language model writes, in a folder with the data and nothing else."""
    from ordojo.core.errors import DataError
    from ordojo.core.programs import find_program
    from ordojo.evaluate.generation import generator
    from ordojo.structure.blueprint.accept import rebuild_prompt

    doing(f"asking {model}")
    written = find_program(generator(model)(rebuild_prompt(instance, told), max_tokens=8192))
    if written.program is None:
        raise DataError(f"{model} wrote no program ({written.problem}); ask another, or again")
    shutil.copytree(instance / "data", folder / "data")
    path = folder / "rebuilt.py"
    path.write_text(written.program, encoding="utf-8")
    return path
