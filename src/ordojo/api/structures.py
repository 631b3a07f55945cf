"""A flat model as an indexed problem: found, kept, told, edited, compared with another."""

import csv
import io
import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import ordojo  # its names are loaded where they are used
from ordojo.api.kinds import (
    AnyModel,
    AnyPath,
    Count,
    Isolation,
    ModelName,
    Port,
    Said,
    Seconds,
    unheard,
)
from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import read_text
from ordojo.core.outputs import any_of, refuse_strangers, whole_file, whole_folder
from ordojo.core.policy import Generate
from ordojo.core.progress import doing
from ordojo.core.ranges import SECONDS, NumberRange
from ordojo.core.signatures import checked
from ordojo.core.spread import Place
from ordojo.core.words import amount
from ordojo.structures import Abstraction, Flat, Report, abstract, read_flat, regenerate
from ordojo.structures import check as check_folder
from ordojo.structures import write as write_folder
from ordojo.structures.abstraction.folder import OWN, STRUCTURE
from ordojo.structures.abstraction.folder import read as read_folder
from ordojo.structures.flat import digest, flat_model
from ordojo.structures.formulation import Formulation, formulate, model_md, spy_svg
from ordojo.structures.labels import label
from ordojo.structures.labels import show as show_labels
from ordojo.structures.labels.applications import comments, hypotheses
from ordojo.structures.recognition import UNDETERMINED, Recognition, recognise

if TYPE_CHECKING:
    from ordojo.structures.survey import SurveyedModel

SURVEY = ("models.csv", "taxonomy.csv", "index.html")
"""What `survey` writes."""


def _flat(model: Any) -> Flat:
    """The flat model; of a file bit for bit, with sections beyond linear rows."""
    if isinstance(model, str | Path) and Path(model).suffix != ".py":
        doing(f"reading {model}")
        return read_flat(Path(model))
    return flat_model(ordojo.read_model(model))


def _recovered(model: Any) -> tuple[Flat, Abstraction]:
    flat = _flat(model)
    doing("finding groups and families")
    return flat, abstract(flat)


@checked
def structure(model: AnyModel) -> Abstraction:
    """Find the groups of variables and families of constraints of a flat model.

    Paper 003, section 3.

    Args:
        model: A path, of which an MPS file is read bit for bit with sections beyond linear rows, or
            what else `read_model` takes.

    Returns:
        The groups and families with their index sets and tables, which make the model again.

    Raises:
        DataError: For a model that cannot be read.

    Examples:
        >>> len(structure("bakery.lp").families)
        2
    """
    return abstract(_flat(model))


@dataclass(frozen=True)
class WrittenStructure:
    """A folder that `write_structure` wrote: whether it makes the model again, and its labels.

    `labels` are labels.json's, `table` tells the families with what they are guessed to be.
    """

    report: Report
    labels: Mapping[str, Any]
    table: str

    def text(self) -> str:
        """What a person reads of it."""
        return f"{self.report.text()}\n{self.table}"

    def to_json(self) -> dict[str, Any]:
        """The report's figures and the labels."""
        return self.report.to_json() | {"labels": self.labels}


@checked
def write_structure(
    model: AnyModel, out: AnyPath, *, evidence: AnyPath | None = None
) -> WrittenStructure:
    """Write a model's structure to a folder, make the model from it again, and compare every bit.

    structure.json and its tables; beside them model.md, the index-explicit formulation, spy.svg, a
    picture of the matrix, and labels.json: semantic types, scaffolds, MIPLIB classes and the
    application where it is known, beside what the file's name, its comments and `evidence` suggest.

    Args:
        model: What `structure` takes.
        out: The folder; a former structure there is replaced.
        evidence: A text about the model, such as a published page, from which classes are guessed.

    Returns:
        The comparison and the labels.

    Raises:
        UsageError: Where the folder holds anything else.
        DataError: For a model that cannot be read, or a folder that cannot be written.

    Examples:
        >>> write_structure("bakery.lp", "bakery").report.exact
        True
    """
    # Known before the model is read, and asked again as the folder is written.
    refuse_strangers(Path(out), any_of(OWN))
    file = Path(model) if isinstance(model, str | Path) else None
    flat, found = _recovered(model)
    doing(f"writing {out}")
    written = _described(flat, found, file, evidence)
    write_folder(found, out, written.pop("texts"))
    return WrittenStructure(check_structure(out, flat), **written)


_COMPARED: dict[str, Recognition | str] = {}
"""The last model's, by digest: the folder and the instance of one model ask for the same."""


def _match(flat: Flat, found: Abstraction) -> Recognition | str:
    """The problem of the library that a model is, or why there is none."""
    key = digest(flat)
    if key not in _COMPARED:
        _COMPARED.clear()
        _COMPARED[key] = _compared(flat, found)
    return _COMPARED[key]


def _compared(flat: Flat, found: Abstraction) -> Recognition | str:
    from ordojo.problems.registry import declarations

    doing("comparing it with the library")
    groups, families = found.members("groups").label, found.members("families").label
    return recognise(flat, declarations(), groups, families)


def _described(
    flat: Flat, found: Abstraction, file: Path | None, evidence: AnyPath | None
) -> dict[str, Any]:
    """What a person reads beside what the machine reads: labels, their table, files by name."""
    formulation, labels = formulate(flat, found), label(flat, found)
    sources = {}
    if file is not None:
        sources = {"name": file.name.split(".")[0], "comments": comments(file)}
    if evidence is not None:
        sources["text"] = _text(evidence, "evidence")
    beside = hypotheses(labels.applications, sources)
    match = _match(flat, found)
    said = match if isinstance(match, str) else match.text(formulation.spec)
    told = {**labels.to_json(), "hypotheses": [one.to_json() for one in beside]}
    told["class"] = UNDETERMINED if isinstance(match, str) else match.application
    told["problem"] = _problem(formulation, match)
    texts = {
        "model.md": model_md(formulation),
        "spy.svg": spy_svg(flat, found),
        "labels.json": json.dumps(told, indent=1) + "\n",
    }
    lines = [show_labels(labels, [family.name for family in formulation.spec.families])]
    major, sub = told["class"]
    lines += [f"class: {sub}" if (major, sub) == UNDETERMINED else f"class: {sub} ({major})"]
    lines += [f"recognised: {said[0].lower()}{said[1:]}"]
    if beside:
        lines += ["suggested by what stands beside:", *(f"  {one.text()}" for one in beside)]
    return {"labels": told, "table": "\n".join(lines), "texts": texts}


def _problem(formulation: Formulation, match: Recognition | str) -> dict[str, Any]:
    if isinstance(match, str):
        return {"template": None, "why": match}
    return {
        "template": match.known.name,
        "whole": match.whole,
        "without": list(match.lacks),
        "besides": [name for _, name in match.besides(formulation.spec)],
    }


def _text(path: AnyPath, parameter: str) -> str:
    try:
        return read_text(Path(path))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise DataError(f"`{parameter}` {path} cannot be read: {why}; name a text file") from None


@checked
def check_structure(folder: AnyPath, model: AnyModel = None) -> Report:
    """Make the model of a folder that `write_structure` wrote again, and compare every bit.

    Args:
        folder: The folder.
        model: What it is compared with, as `structure` takes it; without it, the digest that is
            kept in the folder.

    Returns:
        Whether all is the same, what differs, and how short the structure is.

    Raises:
        DataError: For a folder that is none, or a model that cannot be read.

    Examples:
        >>> written = write_structure("bakery.lp", "bakery-again")
        >>> check_structure("bakery-again", "bakery.lp").exact
        True
    """
    flat = model if model is None or isinstance(model, Flat) else _flat(model)
    doing(f"making the model again from {folder}, and comparing")
    return check_folder(folder, flat)


def _generator(model: str) -> Generate:
    """A language model; its library is loaded when it is asked for."""
    from ordojo.evaluation.generation import generator

    return generator(model)


@checked
def export_instance(
    model: AnyModel,
    out: AnyPath,
    *,
    scenario: str | None = None,
    blueprint: AnyPath | None = None,
    invent_by: ModelName | None = None,
    polish_by: ModelName | None = None,
    time_limit: Annotated[float, NumberRange(0, SECONDS.high)] = 60.0,
    progress: Said = unheard,
) -> "ordojo.Exported":
    """Write a model as an instance: text, data, formulation, program, generator, logs.

    Paper 003, appendix B.

    Args:
        model: What `structure` takes.
        out: The folder to write.
        scenario: The setting of the text; by default none is told.
        blueprint: An edited blueprint.json, of which the text is made.
        invent_by: A language model that chooses the setting.
        polish_by: A language model that rewrites the text, under checks.
        time_limit: Seconds for solving it; 0 leaves its optimum open.
        progress: Hears what was refused of those models.

    Returns:
        The instance's record, what the solver said, and how much shorter it is than the file.

    Raises:
        UsageError: For a scenario that does not exist.
        DataError: For a model that cannot be read or has parts that no text says.
        ProviderError: Where a language model cannot be asked.

    Examples:
        >>> export_instance("bakery.lp", "bakery-instance").outcome.status
        'infeasible'
    """
    from ordojo.structures.blueprint import draft, export, facts, invent, polish, text
    from ordojo.structures.blueprint.accept import read_blueprint

    flat, found = _recovered(model)
    doing("writing the formulation and the text")
    labels, formulation = label(flat, found), formulate(flat, found)
    match = _match(flat, found)
    problem = match if isinstance(match, Recognition) else None
    used = (
        read_blueprint(Path(blueprint)) if blueprint
        else draft(formulation, scenario, problem)
    )  # fmt: skip
    if invent_by is not None:
        chosen = invent(used, _generator(invent_by))
        for reason in chosen.reasons:
            progress(f"setting refused: {reason}")
        if chosen.scenario is not None:
            used = draft(formulation, chosen.scenario, problem)
    polished = None
    if polish_by is not None:
        made = polish(text(used), _generator(polish_by), facts(formulation, used))
        polished = made.text if made.accepted else None
        for reason in made.reasons:
            progress(f"polishing refused: {reason}")
    doing("solving it, and writing the instance", time_limit)
    name = Path(model).name.split(".")[0] if isinstance(model, str | Path) else None
    return export(
        flat, found, out, labels=labels, blueprint=used, polished=polished, name=name,
        seconds=time_limit, match=problem,
    )  # fmt: skip


@dataclass(frozen=True)
class Survey:
    """Models of a folder, with what they are guessed to be, and those that could not be read.

    `left_out` has the reason by file name, `page` is the page that was written.
    """

    models: "tuple[SurveyedModel, ...]"
    left_out: Mapping[str, str]
    page: Path

    def text(self) -> str:
        """How many there are, and where the page is."""
        return f"{amount(len(self.models), 'model')}, {len(self.left_out)} left out: {self.page}"

    def to_json(self) -> dict[str, Any]:
        """A record a model, and the reasons."""
        from ordojo.structures.survey import rows

        return {"models": rows(self.models), "left_out": dict(self.left_out)}


@checked
def survey(
    folder: AnyPath, out: AnyPath, *, on: str | Place = "local", progress: Said = unheard
) -> Survey:
    """Look at all models of a folder: what they are, how large, how short their structure is.

    Paper 003, tables 6 and 9 and figures 13 and 14.

    Args:
        folder: Models in files (.mps or .lp, may be packed).
        out: The folder for a page and two CSV files; those of a former survey are replaced.
        on: local, processes[:N], N, or ray[:ADDRESS]; the results are the same.
        progress: Hears of the models that are left out.

    Returns:
        A record a model, and why others are left out.

    Raises:
        UsageError: Where `folder` holds no model that can be read, or `out` something else.
    """
    from ordojo.reports.panels import single_page
    from ordojo.reports.paper import table_csv
    from ordojo.structures.survey import model_files, panels, rows
    from ordojo.structures.survey import survey as surveyed

    source, target = Path(folder).resolve(), Path(out)
    if not source.is_dir():
        raise UsageError(f"{folder} is no folder; name a folder of models")
    refuse_strangers(target, any_of(SURVEY))
    models: list[SurveyedModel] = []
    left: dict[str, str] = {}
    for one in surveyed(model_files(source), Place.parse(on)):
        if isinstance(one, tuple):
            left[one[0]] = one[1]
            progress(f"left out: {one[0]}: {one[1]}")
        else:
            models.append(one)
    if not models:
        first, why = next(iter(left.items()))
        raise UsageError(f"no model of {source} could be read; of {first}: {why}")
    taxonomy, figures = panels(models)
    listed = io.StringIO()
    writer = csv.DictWriter(listed, [*rows(models)[0]], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(models))
    said = f"{amount(len(models), 'model')}, {len(left)} left out"
    texts = (
        listed.getvalue(),
        table_csv(taxonomy, f"ordojo structure {source.name}"),
        single_page(f"Structure of {source.name}", said, [taxonomy, *figures]),
    )
    with whole_folder(target, own=SURVEY) as made:
        for name, written in zip(SURVEY, texts, strict=True):
            (made / name).write_bytes(written.encode())
    return Survey(tuple(models), left, target / SURVEY[-1])


@checked
def workbench(
    model: AnyPath,
    *,
    folder: AnyPath | None = None,
    port: Port | None = None,
    progress: Said = unheard,
) -> None:
    """Serve a local page on which groups and families of a model are renamed, merged and split.

    Every edit is stored at once and its exactness checked; it may be ended and gone on with at any
    time. What is exported stands in the folder, too.

    Args:
        model: A path (.mps or .lp, may be packed).
        folder: Where the edits are kept; beside the model, if not given.
        port: Port of the page; any that is free, if not given.
        progress: Hears of the page's address.

    Raises:
        UsageError: Where the port is taken.
        DataError: For a model that cannot be read, or a folder with the edits of another one.
    """
    from ordojo.structures.workbench import WorkbenchServer, WorkbenchSession

    path = Path(model)
    flat = _flat(path)
    doing("finding groups and families")
    name = path.name.split(".")[0]
    kept = Path(folder) if folder else path.with_name(f"{name}-workbench")
    with WorkbenchSession(flat, kept, name) as session:
        server = WorkbenchServer(session, port=port or 0)
        doing("")
        progress(f"Workbench of {path.name} at {server.url}")
        progress(f"Edits are stored in {session.folder} as they are made; Ctrl-C ends.")
        server.serve_until_interrupted()
        progress("Ended.")


@dataclass(frozen=True)
class ObservedModel:
    """A finished observation: its lines with the answers, and the families that were stated."""

    lines: tuple[tuple[str, str], ...]
    stated: Mapping[str, str]
    families: int

    def text(self) -> str:
        """The last answer, and how many families a statement said exactly."""
        last = [said for _, said in self.lines[-1:]]
        counted = f"{len(self.stated)} of {self.families} families stated exactly"
        return "\n".join([*last, counted])


@checked
def observe(
    model: AnyModel,
    by: ModelName | Callable[[str], str],
    *,
    turns: Count = 50,
    out: AnyPath | None = None,
    progress: Said = unheard,
) -> ObservedModel:
    """Ask for slices of a model, state what its rows are, and have it checked at once.

    The loop of paper 003, figure 15: look, rows, columns, symmetry, state, done; help says how each
    is written.

    Args:
        model: What `structure` takes.
        by: Who observes: a language model, or a function from the text shown to the next line.
        turns: Lines at most.
        out: A new file for lines and answers, one JSON object a line.
        progress: Hears the lines of a language model.

    Returns:
        Lines and answers, and the families that a statement said exactly.

    Raises:
        UsageError: For an argument out of its range.
        DataError: For a model that cannot be read, or a file that cannot be written.
        ProviderError: Where the language model cannot be asked.
    """
    from ordojo.structures.observe import Observer
    from ordojo.structures.observe import observe as observed

    observer = Observer(_flat(model))
    doing("")
    # What cannot be written is known before anything is asked.
    with whole_file(Path(out)) if out else nullcontext() as draft_file:
        lines = observed(observer, _asking(by, progress) if isinstance(by, str) else by, turns)
        if draft_file is not None:
            told = [json.dumps({"line": line, "answer": said}) for line, said in lines]
            draft_file.write_text("".join(f"{line}\n" for line in told), "utf-8")
    return ObservedModel(tuple(lines), observer.stated, len(observer.families))


def _asking(model: str, progress: Said) -> Callable[[str], str]:
    """A language model as an observer: it sees all that was said before."""
    ask, told = _generator(model), list[str]()

    def next_line(said: str) -> str:
        told.append(said)
        line = ask("\n\n".join(told), max_tokens=1024)
        told.append(f"> {line.strip()}")
        progress(told[-1])
        return line

    return next_line


@checked
def retell(
    instance: AnyPath,
    text: AnyPath,
    *,
    rebuilt: AnyPath | None = None,
    model: ModelName | None = None,
    isolation: Isolation = "auto",
    time_limit: Seconds = 30.0,
) -> "ordojo.Retelling":
    """Put another text in the place of an instance's, if it is shown to say the same problem.

    With `rebuilt` or `model` it is accepted when the model built from text and data alone is proved
    equivalent; else what differs is named. Without them it is accepted when every number, set,
    direction, type and bound is found in it; else what is missing is named. What is refused changes
    nothing.

    Args:
        instance: A folder that `export_instance` wrote.
        text: A file with the other text.
        rebuilt: What somebody built from text and data alone: a model file, a program or a folder.
        model: A language model that builds it, as a program of gurobipy.
        isolation: How a program is contained.
        time_limit: Seconds for each of: the program, the mapping, each solve, the alignment.

    Returns:
        How it was accepted, or the reasons why not.

    Raises:
        UsageError: Where both `rebuilt` and `model` are given.
        DataError: Where the folder is no whole instance, or a file cannot be read.
        ProviderError: Where the language model cannot be asked.
        SandboxError: Where programs cannot be contained.
    """
    if rebuilt and model:
        raise UsageError("retell: give `rebuilt` or `model`, not both")
    from ordojo.compat.capture import candidate_model
    from ordojo.structures.blueprint.accept import accept

    folder, told = Path(instance), _text(text, "text")
    other = None
    if rebuilt or model:
        with tempfile.TemporaryDirectory() as place:
            path = Path(rebuilt) if rebuilt else _built(folder, told, model or "", Path(place))
            doing(f"running {path.name}", time_limit)
            other = candidate_model(path, isolation, time_limit)
    doing("comparing it with the instance", 4 * time_limit)
    return accept(folder, told, other, time_limit)


def _built(instance: Path, told: str, model: str, folder: Path) -> Path:
    """A program that a language model writes, in a folder with the data and nothing else."""
    from ordojo.core.programs import find_program
    from ordojo.structures.blueprint.accept import rebuild_prompt

    doing(f"asking {model}")
    written = find_program(_generator(model)(rebuild_prompt(instance, told), max_tokens=8192))
    if written.program is None:
        raise DataError(f"{model} wrote no program ({written.problem}); ask another, or again")
    shutil.copytree(instance / "data", folder / "data")
    path = folder / "rebuilt.py"
    path.write_text(written.program, encoding="utf-8")
    return path


@checked
def diff(
    model: AnyPath, candidate: AnyPath, *, isolation: Isolation = "auto", time_limit: Seconds = 30.0
) -> "ordojo.InspectionFinding":
    """Compare a rebuilt model with the one that it should state, and name the family at fault.

    First a mapping of rows and columns is sought, which shows that both are the same problem; then
    the optima are compared, and each best point is put into the other model (paper 003, figure 16).

    Args:
        model: The model (.mps or .lp, may be packed), or a folder that `write_structure` or
            `export_instance` wrote, of which the model that is kept in it counts.
        candidate: Another model file, a program (.py) that `explain` takes, or a folder: of an
            instance its solve.py counts.
        isolation: How a program is contained.
        time_limit: Seconds for each of: the mapping, each solve, the alignment.

    Returns:
        Whether the optima agree, whether both are one problem, and the differences.

    Raises:
        UsageError: For an argument out of its range.
        DataError: For a model or candidate that cannot be read.
        SandboxError: Where programs cannot be contained.

    Examples:
        >>> diff("bakery.lp", "bakery.lp").equal
        True
    """
    from ordojo.compat.capture import candidate_model
    from ordojo.structures.inspection import inspect

    reference, found = _kept(Path(model), isolation, time_limit)
    doing(f"reading {candidate}", time_limit)
    other = candidate_model(Path(candidate), isolation, time_limit)
    doing("comparing", 4 * time_limit)
    return inspect(reference, other, found, time_limit)


def _kept(path: Path, isolation: str, time_limit: float) -> tuple[Flat, Abstraction | None]:
    """The model of a file or folder, with the groups and families that a folder keeps."""
    if not path.is_dir():
        return _flat(path), None
    from ordojo.compat.capture import candidate_model
    from ordojo.structures.blueprint.export import TABLES

    doing(f"reading {path}")
    for folder in (path, path / TABLES):
        if (folder / STRUCTURE).is_file():
            return regenerate(folder), read_folder(folder)
    return candidate_model(path, isolation, time_limit), None
