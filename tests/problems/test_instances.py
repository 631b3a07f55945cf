"""Instance folders: proved, the same bytes for the same seed, and proved again from their files."""

import json
import subprocess
import sys

import numpy as np
import pytest

from ordojo.core.errors import DataError, GeneratorError, SolverError
from ordojo.datasets.nl2opt import load_items
from ordojo.formulation.build import build
from ordojo.problems.instances import (
    INDEX,
    add_to_index,
    instance_folders,
    listing,
    make,
    verify,
    write,
)
from ordojo.problems.optimum import check_point, solve
from ordojo.problems.registry import NAMES, get_template
from ordojo.solvers.answers import Status
from ordojo.solvers.highs import HighsOracle


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def made():
    template = get_template("network_design")
    return make("network_design", template.settings("small", {"n_nodes": 5}), 7, 2)


@pytest.fixture(scope="module")
def folder(made, tmp_path_factory):
    return write(made, tmp_path_factory.mktemp("instances") / made.id)


@pytest.mark.parametrize("name", NAMES)
def test_every_template_has_a_proved_optimum(name):
    template = get_template(name)
    made = make(name, template.settings(), 11, 0)
    assert made.solution.status == Status.OPTIMAL and made.attempt == 0


@pytest.mark.parametrize("name", ["lot_sizing", "set_covering", "project_budget", "blending"])
def test_another_branch_and_bound_finds_the_same_optimum(name):
    template = get_template(name)
    model = build(template.spec, template.tables(template.settings(), 11, 0)).model
    ours = HighsOracle().solve(model, 20)
    assert ours.status == Status.OPTIMAL
    assert solve(model, 20).objective == pytest.approx(ours.objective, rel=1e-6)


def test_a_folder_holds_everything_and_its_program_reaches_the_optimum(made, folder):
    assert set(contents(folder)) == {
        "instance.json",
        "model.md",
        "solve.py",
        "generator.py",
        "logs/verification.log",
        *(f"data/{name}.csv" for name in ("nodes", "arcs", "commodities", "arc_costs")),
        "data/parameters.csv",
    }
    verify(folder)


def test_the_generator_makes_the_same_bytes(folder, tmp_path):
    again = tmp_path / folder.name
    command = [sys.executable, str(folder / "generator.py"), "-o", str(again)]
    subprocess.run(command, check=True, timeout=120)
    assert contents(again) == contents(folder)


def test_it_is_read_as_the_published_instances_are(made, folder):
    item = load_items(f"folder:{folder.parent}")[0]
    assert (item.id, item.status) == (made.id, "ok")
    assert item.golds[0].value == made.optimal_value
    assert set(item.files) == {f"data/{name}.csv" for name in made.tables}
    assert "unbound" not in item.labels


def changed(folder, tmp_path, path, old, new):
    copy = tmp_path / folder.name
    for name, content in contents(folder).items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes(content)
    text = (copy / path).read_text("utf-8")
    assert old in text
    (copy / path).write_text(text.replace(old, new, 1), "utf-8")
    return copy


def test_what_was_changed_is_found(made, folder, tmp_path):
    value = f'"optimal_value": {made.optimal_value!r}'
    for path, old, new, message in (
        ("instance.json", value, '"optimal_value": 1.5', "its model has the optimum"),
        ("instance.json", '"seed": 7', '"seed": 8', "not what its seed gives"),
        ("instance.json", '"n_nodes": 5,', '"n_nodes": 6,', "its parameters are not"),
        ("instance.json", '"template": "network_design"', '"template": "x"', "name no draw"),
        ("data/commodities.csv", "\n1,", "\n2,", "data/commodities.csv is not what its seed"),
        ("solve.py", "maximize=False", "maximize=True", "solve.py is not its template's"),
    ):
        copy = changed(folder, tmp_path / message.replace("/", " "), path, old, new)
        with pytest.raises(DataError, match=message):
            verify(copy)


def test_folders_without_instances_are_refused(tmp_path, folder):
    assert instance_folders(folder.parent) == [folder] == instance_folders(folder)
    with pytest.raises(DataError, match=r"holds no instance\.json"):
        instance_folders(tmp_path)


def test_an_unsolved_draw_is_replaced_and_in_the_end_refused():
    template = get_template("disjunctive_scheduling")
    knobs = template.settings("small", {"n_jobs": 40})
    with pytest.raises(GeneratorError, match=r"none of 10 draws was solved within 1e-06 s"):
        make("disjunctive_scheduling", knobs, 1, 0, seconds=1e-6)


def test_an_index_keeps_what_it_had(made, tmp_path):
    line = listing(made)
    add_to_index(tmp_path, [line])
    add_to_index(tmp_path, [{**line, "id": "other"}, line])
    found = [json.loads(text) for text in (tmp_path / INDEX).read_text("utf-8").splitlines()]
    assert [one["id"] for one in found] == [made.id, "other"]
    (tmp_path / INDEX).write_text("no\n", "utf-8")
    with pytest.raises(DataError, match="is no index of instances"):
        add_to_index(tmp_path, [line])


def test_a_point_is_checked_against_the_data(made):
    x, value = made.solution.x, made.solution.objective
    check_point(made.built, made.tables, x, value)
    with pytest.raises(SolverError, match="is worth"):
        check_point(made.built, made.tables, x, value + 1)
    moved = x.copy()
    moved[int(np.argmax(x))] += 1
    with pytest.raises(SolverError, match=r"breaks \w+\[\d+, \d+(, \d+)?\] by"):
        check_point(made.built, made.tables, moved, value)
