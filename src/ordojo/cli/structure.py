"""`ordojo structure`: a flat MPS file as groups and families, and back, bit for bit."""

import json
import sys
from pathlib import Path

import click


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The folder to write.")
@click.option("--check", "folder", type=click.Path(path_type=Path), help="A folder to check.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def structure(file: Path | None, out: Path | None, folder: Path | None, as_json: bool) -> None:
    """Find the variable groups and constraint families of FILE (.mps or .lp, may be packed).

    With -o, writes structure.json and its tables, regenerates the model from them and compares
    every bit; with --check, does so for a folder written before, against FILE or, without it,
    against the digest kept in the folder. Exit code 1: a bit differs.
    """
    from ordojo.core.errors import UsageError
    from ordojo.structure import abstract, check, read_flat, write

    if (out is None) == (folder is None) or (folder is None and file is None):
        raise UsageError("structure: give MODEL.mps and -o DIR to write, or --check DIR to check")
    flat = None
    if file is not None:
        click.echo(f"reading {file}", err=True)
        flat = read_flat(file)
    if out is not None and flat is not None:
        write(abstract(flat), out)
    report = check(out or folder or "", flat)
    click.echo(json.dumps(report.to_json(), indent=2) if as_json else report.text())
    sys.exit(0 if report.exact else 1)
