"""The chain on one folder: structure, export, program, diff, retell, grade; and renamed copies.

The six models of the library are always walked, fourteen public ones where they are at hand.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from perf.inspection import hidden

import ordojo
from ordojo.formulation.build import build
from ordojo.milp.files import write_model
from ordojo.problems.registry import get_template
from ordojo.structures import Flat, flat_model, read_flat
from ordojo.structures.artifact import read_artifact
from ordojo.structures.flat import INTEGER, model_of
from ordojo.structures.inspection import ModelLayout, inspect

LIBRARY = (
    "facility_location",
    "lot_sizing",
    "set_covering",
    "job_mode_time",
    "transshipment",
    "unit_commitment",
)
PUBLIC = (
    "mps/afiro.mps.gz",
    "mps/avgas.mps.gz",
    "mps/sc50b.mps.gz",
    "mps/sc105.mps.gz",
    "mps/lseu.mps.gz",
    "mps/p01.mps.gz",
    "mps/stein27.mps.gz",
    "mps/gt2.mps.gz",
    "mps/gap4_2.txt.lp.gz",
    "mps/sub.lp.gz",
    "mnl-mps/flugpl.mps.xz",
    "mnl-mps/enlight4.mps.xz",
    "mnl-mps/traininstance6.mps.xz",
    "mnl-mps/assign1-5-8.mps.xz",
)
SETS = [LIBRARY, pytest.param(PUBLIC, marks=pytest.mark.data)]
SPOKEN = (
    (", yes or no (one or zero)", ", taken or not"),
    ("must be at most", "may not exceed"),
    ("must be at least", "is no less than"),
    ("must equal", "is the same as"),
)
"""A draft's formal words, and how a person says them."""
RENAMED = "-renamed"
RULES = "rows = [(low, high, terms) for _, low, high, terms, _ in model.rows]"


def flat_of(name: str) -> Flat:
    if name in LIBRARY:
        template = get_template(name)
        tables = template.tables(template.settings("small"), 0, 0)
        return flat_model(build(template.spec, tables, name).model)
    return read_flat(Path(os.environ["ORDOJO_DATA"]) / name)


def spoken(text: str) -> str:
    for formal, said in SPOKEN:
        text = text.replace(formal, said)
    return text


def told(folder: Path, page: Path, text: str, **rebuilt: Path) -> tuple[str, tuple[str, ...]]:
    """How a text of an exported folder was accepted, or why not."""
    page.write_text(text)
    found = ordojo.retell(folder, page, **rebuilt)
    return found.how, found.reasons


def graded(folders: Path, runs: Path) -> dict[str, str]:
    """What becomes of each folder's program; those of renamed copies lose every rule first."""
    lines = []
    for folder in folders.iterdir():
        program = (folder / "solve.py").read_text()
        assert RULES in program
        if folder.name.endswith(RENAMED):
            program = program.replace(RULES, "rows = []")
        said = f"```python\n{program}\n```"
        lines.append(json.dumps({"id": folder.name, "epoch": 1, "completion": said}))
    answers = runs.with_suffix(".jsonl")
    answers.write_text("\n".join(lines) + "\n")
    run = ordojo.grade(answers, f"folder:{folders}", runs=runs, on="local")
    verdicts = {one.id: one.verdict(run.header.rule) for one in run.records}
    return {name: found.outcome for name, found in verdicts.items() if found}


def walked(place: Path, folders: Path, name: str, flat: Flat) -> Path:
    """A model from its file to an exported folder with another text; the file."""
    file, kept, out = place / f"{name}.mps", place / name, folders / name
    write_model(model_of(flat), file)
    assert ordojo.write_structure(file, kept).report.exact
    ordojo.export_instance(file, out)
    assert ordojo.diff(file, kept).equal
    text = read_artifact(out).record.abstract_problem
    assert spoken(text) != text
    assert told(out, place / "told.txt", spoken(text)) == ("checked", ())
    turned = re.sub("minimize|maximize", lambda goal: _turned(goal[0]), text)
    reasons = told(out, place / "told.txt", turned)[1]
    assert any("that the objective is to" in reason for reason in reasons)
    return file


@pytest.mark.parametrize("names", SETS, ids=["library", "public"])
def test_the_chain_from_a_flat_file_to_a_graded_answer(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    folders, wanted = tmp_path / "instances", {}
    for name in names:
        flat, own = flat_of(name), Path(name).name.split(".")[0]
        walked(tmp_path, folders, own, flat)
        file = walked(tmp_path, folders, own + RENAMED, hidden(flat, 7))
        # The renamed program beside the own tables, the renamed file beside the own text.
        assert ordojo.diff(folders / own, folders / (own + RENAMED)).equal
        assert told(folders / own, tmp_path / "told.txt", "Told.", rebuilt=file)[0] == "proved"
        wanted |= {own: "correct", own + RENAMED: "wrong"}
    assert graded(folders, tmp_path / "runs") == wanted


def _turned(goal: str) -> str:
    return "maximize" if goal == "minimize" else "minimize"


def spoiled(flat: Flat) -> Iterator[tuple[str, Flat]]:
    """The model without what its columns say themselves: integrality, sense, a bound."""
    whole = np.flatnonzero(flat.types == INTEGER)
    for lost in (whole, whole[:1]):
        if len(lost):
            types = flat.types.copy()
            types[lost] = 0
            yield "types", replace(flat, types=types)
    yield "min and max", replace(flat, maximize=not flat.maximize)
    groups = ModelLayout.of(flat).columns_of
    bounded = [group for group in groups if np.isfinite(flat.upper[group]).any()]
    other = [*groups[:1], *bounded][-1]
    upper = flat.upper.copy()
    upper[other] = np.where(np.isfinite(upper[other]), upper[other] + 3, 1e3)
    yield "bounds", replace(flat, upper=upper)


@pytest.mark.parametrize("names", SETS, ids=["library", "public"])
def test_what_columns_lose_is_told_as_that_under_other_names(names: tuple[str, ...]) -> None:
    for name in names:
        flat = flat_of(name)
        for kind, other in spoiled(flat):
            found = inspect(flat, hidden(other, 5), time_limit=5, solve_limit=1)
            assert {one.kind.value for one in found.differences} == {kind}, (name, found.text())
