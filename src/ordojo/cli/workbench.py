"""`ordojo workbench`: an expert edits what was found in a model, on a local page."""

from pathlib import Path

import click


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the page.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the edits are kept.")
def workbench(model: Path, port: int | None, folder: Path | None) -> None:
    """Rename, merge and split the groups and families of MODEL (.mps or .lp, may be packed).

    Every edit is stored at once and its exactness checked; quit and go on at any time. What is
    exported stands in the folder, too.
    """
    from ordojo.structure import read_flat
    from ordojo.structure.workbench import Session, WorkbenchServer

    click.echo(f"reading {model}", err=True)
    flat = read_flat(model)
    click.echo("finding groups and families", err=True)
    name = model.name.split(".")[0]
    with Session(flat, folder or model.with_name(f"{name}-workbench"), name) as session:
        server = WorkbenchServer(session, port=port or 0)
        click.echo(f"Workbench of {model.name} at {server.url}")
        click.echo(f"Edits are stored in {session.folder} as they are made; Ctrl-C ends.")
        server.serve_until_interrupted()
        click.echo("Ended.")
