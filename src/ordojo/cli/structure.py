"""`ordojo structure`, and the workbench, observing, retelling and comparing that stand on it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordojo.api import structures
from ordojo.cli.made import as_plain, made, options_of, printed, said_aside
from ordojo.cli.parameters import PATH, RunsPath
from ordojo.core.errors import UsageError

if TYPE_CHECKING:
    from ordojo.structures.blueprint.accept import Retelling


def _structure(
    model: Path | None,
    *,
    out: Path | None,
    folder: Path | None,
    to: Path | None,
    evidence: Path | None,
    on: Any,
    as_json: bool,
    **telling: Any,
) -> bool:
    """Write, check or export, as the options ask; whether something is not exact or left out."""
    if (out is None and to is None) == (folder is None) or (folder is None and model is None):
        raise UsageError(
            "structure: give MODEL.mps and -o DIR or --export DIR to write, or --check DIR to check"
        )
    if model is not None and model.is_dir():
        if out is None or to is not None:
            raise UsageError(f"{model} is a folder of models: give -o DIR alone")
        survey = structures.survey(model, out, on=on, progress=said_aside)
        printed(survey, as_json, structures.Survey.text)
        return bool(survey.left_out)
    said: dict[str, Any] = {}
    lines: list[str] = []
    exact = True
    if folder is not None:
        report = structures.check_structure(folder, model)
        said, lines, exact = report.to_json(), [report.text()], report.exact
    if out is not None:
        written = structures.write_structure(model, out, evidence=evidence)
        said, lines, exact = written.to_json(), [written.text()], written.report.exact
    if to is not None:
        done = structures.export_instance(model, to, progress=said_aside, **telling)
        said["instance"] = done.to_json()
        lines.append(done.text())
    printed(said, as_json, lambda said: "\n".join(lines))
    return not exact


structure = made(
    structures.structure,
    doing="finding the structure of {model} {folder}",
    example="structure model.mps -o out",
    metavars={"model": "[FILE]"},
    helps={
        "model": "A path (.mps, read bit for bit, or .lp, may be packed), or a folder of models."
    },
    use=_structure,
    code=int,
    options=[
        click.Option(["-o", "--out"], type=PATH, help="The folder to write."),
        click.Option(["--check", "folder"], type=PATH, help="A folder to check."),
        click.Option(["--export", "to"], type=PATH, help="An instance to write."),
        *options_of(structures.write_structure, "evidence"),
        *options_of(
            structures.export_instance,
            *("scenario", "blueprint", "invent_by", "polish_by", "time_limit"),
            flags={"invent_by": ["--invent"], "polish_by": ["--polish"]},
        ),
        *options_of(structures.survey, "on"),
    ],
    also="With -o, writes structure.json and its tables, makes the model from them again and "
    "compares every bit; beside them model.md, the index-explicit formulation, spy.svg, a picture "
    "of the matrix, and labels.json: semantic types, scaffolds, MIPLIB classes and the "
    "application where it is known. With --export, writes an instance folder: text, data, "
    "formulation, program, generator, logs. With --check, compares a folder written before with "
    "FILE or, without it, with the digest kept in the folder. FILE may be a folder of models, of "
    "which -o takes tables and figures. Exit code 1: a bit differs, or a file of the folder is "
    "left out.",
)


def _typed(said: str) -> str:
    """A person's next line."""
    click.echo(said)
    try:
        line: str = click.prompt(">", prompt_suffix=" ", default="", show_default=False)
    except click.Abort:
        click.echo(err=True)
        return "done"
    return line or "help"


def _observe(model: Path, by: str | None, *, as_json: bool, progress: Any, **more: Any) -> None:
    found = structures.observe(model, by or _typed, progress=click.echo, **more)
    printed(found, as_json, structures.ObservedModel.text)


def _told(found: "Retelling") -> str:
    head = f"accepted: {found.how}" if found.accepted else "refused:"
    return "\n".join([head, *(f"- {reason}" for reason in found.reasons)])


def _diff(
    model: Path | None, candidate: Path | None, *, runs: Sequence[Path], as_json: bool, **more: Any
) -> int:
    """Compare two models, or say which instances the runs validate; the exit code."""
    if runs and model is None:
        from ordojo.api import runs as running

        printed(running.validate(*runs), as_json, _validated)
        return 0
    if runs or model is None or candidate is None:
        raise UsageError("diff: give MODEL.mps and a CANDIDATE to compare, or --runs RUNS")
    found = structures.diff(model, candidate, **more)
    printed(found, as_json, lambda found: found.text())
    return int(not found.validated)


def _validated(found: Sequence[Any]) -> str:
    good = sum(bool(one.models) for one in found)
    lines = [f"{one.id}: {one.text}" for one in found]
    return "\n".join(
        [*lines, f"{good} of {len(found)} validated, {len(found) - good} to inspection"]
    )


workbench = made(
    structures.workbench,
    doing="opening {model}",
    example="workbench model.mps",
    given={"progress": click.echo},
    show=lambda found: None,
    prints_json=False,
)
observe = made(
    structures.observe,
    doing="observing {model}",
    example="observe model.mps",
    flags={"by": ["--model"], "out": ["-o", "--out"]},
    metavars={"by": "[MODEL]"},
    helps={
        "model": "A path (.mps or .lp, may be packed).",
        "by": "A language model that observes; by default you do.",
    },
    use=_observe,
    prints_json=False,
)
retell = made(
    structures.retell,
    doing="checking {text} as a text of {instance}",
    example="retell out told.txt --rebuilt rebuilt.py",
    helps={"instance": "A folder of `ordojo structure --export`."},
    show=_told,
    plain=lambda found: {"accepted": found.accepted, **as_plain(found)},
    code=lambda found: int(not found.accepted),
    also="Exit code 1: refused, and nothing was changed.",
)
diff = made(
    structures.diff,
    doing="comparing {model} {candidate} {runs}",
    example="diff model.mps rebuilt.mps",
    metavars={"model": "[MODEL]", "candidate": "[CANDIDATE]"},
    use=_diff,
    code=int,
    options=[
        click.Option(
            ["--runs"],
            multiple=True,
            type=RunsPath(),
            help="Runs on instances with references: which of them they validate.",
        )
    ],
    also="Exit code 1: the optima do not agree. With --runs instead, an instance is validated "
    "where one of a model's samples is right.",
)
