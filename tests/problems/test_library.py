"""Every template: its words, its files, its knobs; all scaffolds are there."""

import re
from pathlib import Path

import pytest

from ordojo.core.errors import UsageError
from ordojo.formulation.algebra import uses
from ordojo.formulation.build import build
from ordojo.formulation.program import solve_py
from ordojo.formulation.spec import PARAMETERS
from ordojo.formulation.tables import csv_texts, read_tables
from ordojo.formulation.text import model_md
from ordojo.formulation.words import abstract_problem, column_words, table_words, tables_of
from ordojo.problems.base import SIZES
from ordojo.problems.registry import NAMES, get_template, templates
from ordojo.structures.labels import Scaffold, Semantic
from ordojo.structures.labels import name as label

RECORDED = {"network_design": {"n_nodes", "n_commodities", "n_arcs", "density"}}
"""Scalars that only record what was drawn (paper 003, B.5)."""


def test_all_scaffolds_and_nearly_all_types_occur():
    families = [family for template in templates() for family in template.spec.families]
    assert len(NAMES) >= 36
    assert {family.scaffold for family in families} == set(Scaffold)
    assert {family.semantic for family in families} == set(Semantic) - {Semantic.DOMAIN}


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_data_and_another_one_does_not(name):
    template = get_template(name)
    knobs = template.settings("medium")

    def drawn(*draw):
        return csv_texts(template.spec, template.tables(knobs, *draw))

    first = drawn(5, 0)
    assert first == drawn(5, 0)
    assert all(drawn(*draw) != first for draw in ((6, 0), (5, 1), (5, 0, 1)))
    assert read_tables(first) == template.tables(knobs, 5, 0)


@pytest.mark.parametrize("name", NAMES)
def test_sizes_grow_and_every_family_is_there(name):
    template = get_template(name)
    sizes = []
    for size in SIZES[:2]:
        built = build(template.spec, template.tables(template.settings(size), 3, 0))
        sizes.append(built.model.nonzeros)
        assert set(built.groups.tolist()) == set(range(len(template.spec.groups)))
        assert set(built.families.tolist()) == set(range(len(template.spec.families)))
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_text_says_every_clause_and_no_data(name):
    template = get_template(name)
    spec, text = template.spec, abstract_problem(template.spec)
    assert not re.search(r"\d", text.replace("Numbered from 1", ""))
    for part in (*spec.families, *spec.groups):
        assert part.meaning.lower() in text.lower()
    assert spec.objective.meaning in text
    scalars = {item.name for item in spec.parameters if not item.over}
    assert set(re.findall(r"\{(\w+)\}", text)) == scalars
    for table in tables_of(spec):
        assert f"data/{table}.csv" in text


@pytest.mark.parametrize("name", NAMES)
def test_files_parameters_and_columns_belong_together(name):
    template = get_template(name)
    spec = template.spec
    tables = template.tables(template.settings(), 1, 0)
    assert set(tables) == set(tables_of(spec))
    for table, columns in tables.items():
        if table != PARAMETERS:
            assert set(column_words(spec, table)) == set(columns)
        assert len({len(column) for column in columns.values()}) == 1
    assert {len(column) for column in tables[PARAMETERS].values()} == {1}
    assert set(re.findall(r"`(\w+)`", table_words(spec, PARAMETERS))) == set(tables[PARAMETERS])
    texts = [part.scope for part in (*spec.families, *spec.groups) if part.scope]
    texts += [family.rule for family in spec.families] + [spec.objective.rule]
    texts += [bound for group in spec.groups for bound in (group.lower, group.upper) if bound]
    used = {*uses(spec, *texts).parameters, *(item.size for item in spec.sets)}
    unused = {item.name for item in spec.parameters} - used
    assert unused == RECORDED.get(name, set())


@pytest.mark.parametrize("name", NAMES)
def test_program_and_formulation_name_every_part(name):
    template = get_template(name)
    program, formulation = (
        solve_py(template.spec, template.title),
        model_md(template.spec, template.title),
    )
    compile(program, "solve.py", "exec")
    assert max(map(len, program.splitlines())) <= 120
    for family in template.spec.families:
        assert f'"{family.name}' in program and f"### {family.name}" in formulation
    for group in template.spec.groups:
        assert f'"{group.name}' in program
        assert f"- **{group.name}" in formulation
    assert "_ ==" not in formulation and " for all " in formulation


def test_knobs_are_checked():
    template = get_template("network-design")
    assert template.settings("small", {"n_nodes": "30"})["n_nodes"] == 30
    for given, message in (
        ({"nodes": 3}, "has no knob 'nodes'"),
        ({"n_nodes": "3.5"}, "a whole number from 3 to 2000"),
        ({"n_nodes": "many"}, "a whole number"),
        ({"density": "nan"}, "a number from 0.0 to 1.0"),
        ({"density": 2}, "a number from 0.0 to 1.0"),
    ):
        with pytest.raises(UsageError, match=message):
            template.settings("small", given)
    with pytest.raises(UsageError, match="there is no size 'huge'"):
        template.settings("huge")
    with pytest.raises(UsageError, match="there is no template 'sudoku'"):
        get_template("sudoku")
    with pytest.raises(UsageError, match="more jobs than machines"):
        get_template("disjunctive_scheduling").settings(given={"n_jobs": 2, "n_machines": 3})


def test_the_page_lists_every_template_with_its_scaffolds_and_knobs():
    page = (Path(__file__).parents[2] / "docs" / "problems.md").read_text("utf-8")
    for template in templates():
        scaffolds = dict.fromkeys(label(family.scaffold) for family in template.spec.families)
        knobs = ", ".join(f"`{knob.name}`" for knob in template.knobs)
        row = f"| `{template.name}` | {template.title} | {', '.join(scaffolds)} | {knobs} |"
        assert row in page.splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_every_program_builds_its_model_from_the_files(name, tmp_path):
    template = get_template(name)
    tables = template.tables(template.settings(), 3, 0)
    for path, text in csv_texts(template.spec, tables).items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    space = {"__name__": name, "__file__": str(tmp_path / "solve.py")}
    exec(solve_py(template.spec, template.title), space)
    made, model = space["build"](), build(template.spec, tables).model
    columns = list(zip(*made.columns, strict=True))
    assert (made.maximize, made.offset) == (model.maximize, model.offset)
    assert [*columns[0]] == [*model.col_names]
    assert [*columns[1]] == model.col_lower.tolist()
    assert [*columns[2]] == model.col_upper.tolist()
    assert [kind != "continuous" for kind in columns[3]] == (model.types != 0).tolist()
    assert columns[4] == pytest.approx(model.objective)
    assert [row[0] for row in made.rows] == [*model.row_names]
    for i, (_, low, high, terms, given) in enumerate(made.rows):
        index, values = model.row(i)
        assert given is None and len({column for column, _ in terms}) == len(terms)
        found = {column: value for column, value in terms if value}
        assert found == pytest.approx(dict(zip(index.tolist(), values.tolist(), strict=True)))
        assert (low, high) == pytest.approx((model.row_lower[i], model.row_upper[i]))
