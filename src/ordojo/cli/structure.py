"""`ordojo structure`: a flat MPS file as groups and families, and back, bit for bit."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordojo.cli.settings import FiniteRange

if TYPE_CHECKING:
    from ordojo.structure import Abstraction, Flat


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The folder to write.")
@click.option("--check", "folder", type=click.Path(path_type=Path), help="A folder to check.")
@click.option("--export", "to", type=click.Path(path_type=Path), help="An instance to write.")
@click.option("--scenario", help="The setting of the instance's text; by default one that fits.")
@click.option("--blueprint", type=click.Path(path_type=Path), help="An edited blueprint.json.")
@click.option("--invent", "inventor", help="A language model that chooses the setting.")
@click.option("--polish", "model", help="A language model that rewrites the text, under checks.")
@click.option(
    "--time-limit",
    type=FiniteRange(min=0),
    default=60.0,
    show_default=True,
    help="Seconds for solving what is exported.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def structure(
    file: Path | None,
    out: Path | None,
    folder: Path | None,
    to: Path | None,
    scenario: str | None,
    blueprint: Path | None,
    inventor: str | None,
    model: str | None,
    time_limit: float,
    as_json: bool,
) -> None:
    """Find the variable groups and constraint families of FILE (.mps or .lp, may be packed).

    With -o, writes structure.json and its tables, regenerates the model from them and compares
    every bit; beside them model.md, the index-explicit formulation, and spy.svg, a picture of the
    matrix, and labels.json: semantic types, scaffolds, MIPLIB classes and a guess at the
    application. With --export, writes an instance folder: text, data, formulation, program,
    generator, logs. With --check, does so for a folder written before, against FILE or, without it,
    against the digest kept in the folder. Exit code 1: a bit differs.
    """
    from ordojo.core.errors import UsageError
    from ordojo.structure import abstract, check, read_flat, write

    if (out is None and to is None) == (folder is None) or (folder is None and file is None):
        raise UsageError(
            "structure: give MODEL.mps and -o DIR or --export DIR to write, or --check DIR to check"
        )
    flat = None
    if file is not None:
        click.echo(f"reading {file}", err=True)
        flat = read_flat(file)
    said: dict[str, Any] = {}
    lines: list[str] = []
    if flat is not None and folder is None:
        found = abstract(flat)
        if out is not None:
            write(found, out)
            said["labels"], table = _describe(flat, found, out)
            lines.append(table)
        if to is not None:
            from ordojo.cli.export import export_instance

            said["instance"], line = export_instance(
                flat, found, to, file, scenario, blueprint, inventor, model, time_limit
            )
            lines.append(line)
    exact = True
    if out is not None or folder is not None:
        report = check(out or folder or "", flat)
        exact = report.exact
        said = report.to_json() | said
        lines.insert(0, report.text())
    click.echo(json.dumps(said, indent=2) if as_json else "\n".join(lines))
    sys.exit(0 if exact else 1)


def _describe(flat: "Flat", found: "Abstraction", out: Path) -> tuple[dict[str, Any], str]:
    """Write what a person reads beside what the machine reads; the labels as JSON and as text."""
    from ordojo.core.errors import DataError
    from ordojo.structure.formulation import formulate, model_md, spy_svg
    from ordojo.structure.labels import label, show

    formulation, labels = formulate(flat, found), label(flat, found)
    texts = {
        "model.md": model_md(formulation),
        "spy.svg": spy_svg(flat, found),
        "labels.json": json.dumps(labels.to_json(), indent=1) + "\n",
    }
    try:
        for name, text in texts.items():
            (out / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(f"cannot write {out}: {error.strerror}; choose another folder") from None
    return labels.to_json(), show(labels, [family.name for family in formulation.families])
