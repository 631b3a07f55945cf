"""`ordojo structure`: a flat model as an indexed problem; exports of it, and the workbench."""

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import LanguageModel, Number, on_option
from ordojo.core.progress import doing
from ordojo.core.ranges import COUNT, PORT, SECONDS, NumberRange
from ordojo.core.spread import Place

if TYPE_CHECKING:
    from ordojo.structure import Abstraction, Flat


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
    from ordojo.structure.blueprint import draft, export, facts, invent, polish, text
    from ordojo.structure.blueprint.accept import read_blueprint
    from ordojo.structure.formulation import formulate
    from ordojo.structure.labels import label

    doing("writing the formulation and the text")
    labels = label(flat, found)
    formulation = formulate(flat, found)
    used = read_blueprint(blueprint) if blueprint else draft(formulation, labels, scenario)
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

        made = polish(text(used), generator(model), facts(formulation, used))
        polished = made.text if made.accepted else None
        for reason in [] if made.accepted else made.reasons[-1]:
            click.echo(f"polishing refused: {reason}", err=True)
    name = file.name.split(".")[0] if file else None
    doing("solving it, and writing the instance", seconds)
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


@click.command(epilog="Example: ordojo workbench model.mps", cls=Spoken, doing="opening {model}")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--port", type=Number(PORT), help="Port of the page.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the edits are kept.")
def workbench(model: Path, port: int | None, folder: Path | None) -> None:
    """Rename, merge and split the groups and families of MODEL (.mps or .lp, may be packed).

    Every edit is stored at once and its exactness checked; quit and go on at any time. What is
    exported stands in the folder, too.
    """
    from ordojo.structure import read_flat
    from ordojo.structure.workbench import WorkbenchServer, WorkbenchSession

    doing(f"reading {model}")
    flat = read_flat(model)
    doing("finding groups and families")
    name = model.name.split(".")[0]
    with WorkbenchSession(flat, folder or model.with_name(f"{name}-workbench"), name) as session:
        server = WorkbenchServer(session, port=port or 0)
        doing("")
        click.echo(f"Workbench of {model.name} at {server.url}")
        click.echo(f"Edits are stored in {session.folder} as they are made; Ctrl-C ends.")
        server.serve_until_interrupted()
        click.echo("Ended.")


@click.command(epilog="Example: ordojo observe model.mps", cls=Spoken, doing="observing {model}")
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--model",
    "asked",
    type=LanguageModel(),
    help="A language model that observes; by default you do.",
)
@click.option("--turns", type=Number(COUNT), default=50, show_default=True, help="Lines at most.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Keep lines and answers here.")
def observe(model: Path, asked: str | None, turns: int, out: Path | None) -> None:
    """Ask for slices of MODEL, state what its rows are, and have it checked at once.

    The loop of figure 15: look, rows, columns, symmetry, state, done; help says how each is
    written. The end counts the families that a statement said exactly.
    """
    from ordojo.core.outputs import whole_file
    from ordojo.structure import read_flat
    from ordojo.structure.observe import Observer
    from ordojo.structure.observe import observe as loop

    doing(f"reading {model}")
    observer = Observer(read_flat(model))
    doing("")
    told: list[str] = []

    def person(said: str) -> str:
        click.echo(said)
        try:
            line: str = click.prompt(">", prompt_suffix=" ", default="", show_default=False)
        except click.Abort:
            return "done"
        return line or "help"

    def machine(said: str) -> str:
        from ordojo.evaluate.generation import generator

        told.append(said)
        line = generator(asked or "")("\n\n".join(told), max_tokens=1024)
        told.append(f"> {line.strip()}")
        click.echo(told[-1])
        return line

    # What cannot be written is known before anything is asked.
    with whole_file(out) if out else nullcontext() as draft:
        kept = loop(observer, machine if asked else person, turns)
        if kept:
            click.echo(kept[-1][1])
        click.echo(f"{len(observer.stated)} of {len(observer.families)} families stated exactly")
        if draft is not None:
            lines = [json.dumps({"line": line, "answer": said}) for line, said in kept]
            draft.write_text("".join(f"{line}\n" for line in lines), "utf-8")


@click.command(
    epilog="Example: ordojo structure model.mps -o out",
    cls=Spoken,
    doing="finding the structure of {file} {folder}",
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The folder to write.")
@click.option("--check", "folder", type=click.Path(path_type=Path), help="A folder to check.")
@click.option("--export", "to", type=click.Path(path_type=Path), help="An instance to write.")
@click.option("--scenario", help="The setting of the instance's text; by default none is told.")
@click.option("--blueprint", type=click.Path(path_type=Path), help="An edited blueprint.json.")
@click.option(
    "--invent", "inventor", type=LanguageModel(), help="A language model that chooses the setting."
)
@click.option(
    "--polish",
    "model",
    type=LanguageModel(),
    help="A language model that rewrites the text, under checks.",
)
@click.option(
    "--time-limit",
    type=Number(NumberRange(0, SECONDS.high)),
    default=60.0,
    show_default=True,
    help="Seconds for solving what is exported.",
)
@click.option(
    "--evidence",
    type=click.Path(path_type=Path),
    help="A text about the model, such as a published page, from which classes are guessed.",
)
@on_option("local")
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
    evidence: Path | None,
    place: Place,
    as_json: bool,
) -> None:
    """Find the variable groups and constraint families of FILE (.mps or .lp, may be packed).

    With -o, writes structure.json and its tables, regenerates the model from them and compares
    every bit; beside them model.md, the index-explicit formulation, and spy.svg, a picture of the
    matrix, and labels.json: semantic types, scaffolds, MIPLIB classes and a guess at the
    application, beside what the file's name, its comments and --evidence suggest. With --export,
    writes an instance folder: text, data, formulation, program, generator, logs. With --check, does
    so for a folder written before, against FILE or, without it, against the digest kept in the
    folder. FILE may be a folder of models, of which -o takes tables and figures. Exit code 1: a bit
    differs, or a file of the folder is left out.
    """
    from ordojo.core.errors import UsageError
    from ordojo.core.outputs import any_of, refuse_strangers
    from ordojo.structure import abstract, check, read_flat, write
    from ordojo.structure.abstraction.folder import OWN

    if (out is None and to is None) == (folder is None) or (folder is None and file is None):
        raise UsageError(
            "structure: give MODEL.mps and -o DIR or --export DIR to write, or --check DIR to check"
        )
    flat = None
    if file is not None and file.is_dir():
        if out is None or to is not None:
            raise UsageError(f"{file} is a folder of models: give -o DIR alone")
        _survey(file.resolve(), out, place, as_json)
        return
    if out is not None:
        # Known before the model is read, and asked again as the folder is written.
        refuse_strangers(out, any_of(OWN))
    if file is not None:
        doing(f"reading {file}")
        flat = read_flat(file)
    said: dict[str, Any] = {}
    lines: list[str] = []
    if flat is not None and folder is None:
        doing("finding groups and families")
        found = abstract(flat)
        if out is not None:
            doing(f"writing {out}")
            said["labels"], texts, table = _describe(flat, found, file, evidence)
            write(found, out, texts)
            lines.append(table)
        if to is not None:
            said["instance"], line = export_instance(
                flat, found, to, file, scenario, blueprint, inventor, model, time_limit
            )
            lines.append(line)
    exact = True
    if out is not None or folder is not None:
        doing(f"making the model again from {out or folder}, and comparing")
        report = check(out or folder or "", flat)
        exact = report.exact
        said = report.to_json() | said
        lines.insert(0, report.text())
    click.echo(json.dumps(said, indent=2) if as_json else "\n".join(lines))
    sys.exit(0 if exact else 1)


SURVEY = ("models.csv", "taxonomy.csv", "index.html")


def _survey(folder: Path, out: Path, place: Place, as_json: bool) -> None:
    """Tables 6 and 9 and figures 13 and 14 over a folder: a page and two CSV files."""
    import csv
    import io

    from ordojo.core.errors import UsageError
    from ordojo.core.outputs import any_of, refuse_strangers, whole_folder
    from ordojo.report.paper import table_csv
    from ordojo.report.single import single_page
    from ordojo.structure.survey import model_files, panels, rows, survey

    refuse_strangers(out, any_of(SURVEY))
    models, left = [], []
    for one in survey(model_files(folder), place):
        if isinstance(one, tuple):
            left.append(one)
            click.echo(f"left out: {one[0]}: {one[1]}", err=True)
        else:
            models.append(one)
    if not models:
        raise UsageError(f"no model of {folder} could be read; the reasons stand above")
    taxonomy, figures = panels(models)
    listed = rows(models)
    written = io.StringIO()
    writer = csv.DictWriter(written, [*listed[0]], lineterminator="\n")
    writer.writeheader()
    writer.writerows(listed)
    said = f"{len(models)} models, {len(left)} left out"
    texts = (
        written.getvalue(),
        table_csv(taxonomy, f"ordojo structure {folder.name}"),
        single_page(f"Structure of {folder.name}", said, [taxonomy, *figures]),
    )
    with whole_folder(out, own=SURVEY) as made:
        for name, text in zip(SURVEY, texts, strict=True):
            (made / name).write_bytes(text.encode())
    told = {"models": listed, "left_out": dict(left)}
    click.echo(json.dumps(told, indent=2) if as_json else f"{said}: {out / 'index.html'}")
    sys.exit(1 if left else 0)


def _describe(
    flat: "Flat", found: "Abstraction", file: Path | None, evidence: Path | None
) -> tuple[dict[str, Any], dict[str, str], str]:
    """What a person reads beside what the machine reads: the labels, files by name, the table."""
    from ordojo.core.errors import DataError
    from ordojo.core.files import read_text
    from ordojo.structure.formulation import formulate, model_md, spy_svg
    from ordojo.structure.labels import label, show
    from ordojo.structure.labels.evidence import comments, hypotheses

    formulation, labels = formulate(flat, found), label(flat, found)
    sources = {}
    if file is not None:
        sources = {"name": file.name.split(".")[0], "comments": comments(file)}
    if evidence is not None:
        try:
            sources["text"] = read_text(evidence)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise DataError(f"cannot read {evidence}: {why}; name a text file") from None
    beside = hypotheses(labels.applications, sources)
    told = {**labels.to_json(), "hypotheses": [one.to_json() for one in beside]}
    texts = {
        "model.md": model_md(formulation),
        "spy.svg": spy_svg(flat, found),
        "labels.json": json.dumps(told, indent=1) + "\n",
    }
    lines = [show(labels, [family.name for family in formulation.spec.families])]
    if beside:
        lines += ["suggested by what stands beside:", *(f"  {one.text()}" for one in beside)]
    return told, texts, "\n".join(lines)
