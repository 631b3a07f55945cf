"""The abstraction of the generators' own MPS files gives back groups, families and labels."""

import subprocess
import sys

import numpy as np
import pytest
from perf.problems import agreement, recover, recovery_table, sample

from ordojo.formulation.build import build
from ordojo.problems.optimum import solve
from ordojo.problems.registry import NAMES, get_template
from ordojo.structures import abstract, flat_model
from ordojo.structures.formulation import data_files, formulate, solve_py


@pytest.fixture(scope="module")
def found():
    return [recover(built) for built in sample(len(NAMES) + 5)]


def test_groups_and_families_are_the_templates_own(found):
    assert len(found) >= 20
    wrong = [one.instance for one in found if (one.groups, one.families) != ("same", "same")]
    assert not wrong


def test_labels_are_those_of_the_templates(found):
    parts = [part for one in found for part in one.labels]
    # 0.98 with the first 15 specifications; of the 36 of today two rules read as another type.
    assert agreement([part.semantic for part in parts]) >= 0.94
    assert agreement([part.scaffold for part in parts]) >= 0.92
    assert {part.scaffold[0] for part in parts} == {part.scaffold[1] for part in parts}


def test_the_tables_count_every_family(found):
    text = recovery_table(found)
    assert f"groups the same in {len(found)} of {len(found)} instances" in text
    block = text.partition("scaffold: ")[2].splitlines()[2:]
    counts = [int(cell) for line in block for cell in line[22:].split() if cell != "."]
    assert sum(counts) == sum(len(one.labels) for one in found)


@pytest.mark.parametrize("name", ["cyclic_roster", "scenario_transport"])
def test_the_way_back_reaches_the_same_optimum(name, tmp_path):
    """Template, flat model, formulation from it, its own program and tables, optimum."""
    template = get_template(name)
    model = build(template.spec, template.tables(template.settings(), 4, 0)).model
    flat = flat_model(model)
    formulation = formulate(flat, abstract(flat))
    for path, text in {**data_files(formulation), "solve.py": solve_py(formulation)}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    command = [sys.executable, "solve.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    found = float(said.rpartition("objective:")[2])
    assert found == pytest.approx(solve(model, 60).objective, rel=1e-6)


def test_a_wrong_partition_shows():
    built = sample(1)[0]
    moved = np.roll(built.families, 1)
    one = recover(type(built)(**{**vars(built), "families": moved}))
    assert one.families == "crossing" and one.families_index < 1
