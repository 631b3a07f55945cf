"""`ordojo structure --export`: an instance folder, perhaps from an edited or polished text."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ordojo.structure import Abstraction, Flat
    from ordojo.structure.blueprint import Blueprint


def export_instance(
    flat: "Flat",
    found: "Abstraction",
    folder: Path,
    file: Path | None,
    scenario: str | None,
    blueprint: Path | None,
    inventor: str | None,
    model: str | None,
    seconds: float,
) -> tuple[dict[str, Any], str]:
    """Write the folder; what came of it as JSON and as a line. Raises DataError, UsageError."""
    from ordojo.structure.blueprint import draft, export, invent, polish, text
    from ordojo.structure.formulation import formulate
    from ordojo.structure.labels import label

    labels = label(flat, found)
    formulation = formulate(flat, found)
    used = _read(blueprint) if blueprint else draft(formulation, labels, scenario)
    if inventor is not None:
        from ordojo.evaluate.generation import generator

        chosen = invent(used, generator(inventor))
        for reason in chosen.reasons:
            click.echo(f"setting refused: {reason}", err=True)
        if chosen.scenario is not None:
            used = draft(formulation, labels, chosen.scenario)
    polished = None
    if model is not None:
        from ordojo.evaluate.generation import generator

        made = polish(text(used), generator(model))
        polished = made.text if made.accepted else None
        for reason in [] if made.accepted else made.reasons[-1]:
            click.echo(f"polishing refused: {reason}", err=True)
    name = file.name.split(".")[0] if file else None
    click.echo("solving", err=True)
    done = export(
        flat, found, folder, labels=labels, blueprint=used, polished=polished, name=name,
        seconds=seconds,
    )  # fmt: skip
    said = {
        "folder": str(folder),
        "status": done.outcome.status,
        "optimal_value": done.record.optimal_value,
        "compression": done.compression,
        "polished": polished is not None,
    }
    return said, done.text()


def _read(path: Path) -> "Blueprint":
    from ordojo.core.errors import DataError
    from ordojo.core.files import parse_json, read_text
    from ordojo.structure.blueprint import Blueprint

    try:
        value = parse_json(read_text(path))
        json.dumps(value, ensure_ascii=False).encode()  # half of a surrogate pair is no text
        return Blueprint.from_json(value, str(path))
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}; give a blueprint.json") from None
    except ValueError as error:
        raise DataError(f"{path} is not whole JSON ({error}); mend it") from None
