"""Models of the library are recognised, whatever they are called; nothing else is."""

from dataclasses import replace

import numpy as np
import pytest

from ordojo.formulation.build import build
from ordojo.formulation.spec import Spec
from ordojo.milp.model import Model, VarType
from ordojo.problems.base import Template
from ordojo.problems.registry import NAMES, declarations, get_template
from ordojo.structures import abstract, flat_model, partition
from ordojo.structures.blueprint import changed, draft, text
from ordojo.structures.flat import Flat
from ordojo.structures.formulation import formulate
from ordojo.structures.recognition import Recognition, recognise
from ordojo.structures.recognition.assign import Assignment
from ordojo.structures.recognition.data import fillable
from ordojo.structures.recognition.pattern import patterns
from ordojo.structures.recognition.recognise import LARGEST

LIBRARY = {one.name: one for one in declarations()}
HARD = ("cyclic_roster", "job_mode_time", "scenario_transport")
"""Windows whose width is data, and markets that nothing joins across scenarios."""
FOUND = [name for name in NAMES if name not in HARD]
SCALED = "vehicle_loading"
"""Every coefficient is data, so that a row of another scale is one of other data."""


def model(template: Template, spec: Spec | None = None) -> Model:
    tables = template.tables(template.settings("small"), 1, 0)
    return build(spec or template.spec, tables).model


def disguised(model: Model, seed: int = 3) -> Flat:
    """Another order, names that lie, rows and objective turned, rows scaled."""
    rng = np.random.default_rng(seed)
    cols, rows = rng.permutation(model.n), rng.permutation(model.m)
    place = np.argsort(cols)
    index, value, starts, low, up = [], [], [0], [], []
    for row in rows.tolist():
        by = float(rng.choice([-2.0, -1.0, 0.5, 1.0]))
        mine = slice(int(model.starts[row]), int(model.starts[row + 1]))
        order = np.argsort(place[model.index[mine]])
        index += place[model.index[mine]][order].tolist()
        value += (model.value[mine][order] * by).tolist()
        starts.append(len(index))
        ends = sorted((model.row_lower[row] * by, model.row_upper[row] * by))
        low.append(ends[0])
        up.append(ends[1])
    other = replace(
        model,
        maximize=not model.maximize,
        objective=-model.objective[cols],
        offset=-model.offset,
        col_names=tuple(f"period_{k}" for k in range(model.n)),
        col_lower=model.col_lower[cols],
        col_upper=model.col_upper[cols],
        types=model.types[cols],
        row_names=tuple(f"flow_{k}" for k in range(model.m)),
        row_lower=np.array(low),
        row_upper=np.array(up),
        starts=np.array(starts, np.int32),
        index=np.array(index, np.int32),
        value=np.array(value),
    )
    return flat_model(other)


def match(flat: Flat, *names: str) -> Recognition | str:
    groups = partition(flat)
    library = [LIBRARY[name] for name in names or NAMES]
    return recognise(flat, library, groups.groups, groups.families)


@pytest.mark.parametrize("name", FOUND)
def test_each_template_is_recognised(name: str) -> None:
    found = match(flat_model(model(get_template(name))), name)
    assert isinstance(found, Recognition) and found.whole and not found.lacks


@pytest.mark.parametrize("name", [name for name in FOUND if name != SCALED])
def test_each_template_is_recognised_in_disguise(name: str) -> None:
    found = match(disguised(model(get_template(name))), name)
    assert isinstance(found, Recognition) and found.whole and not found.lacks


@pytest.mark.parametrize("name", ["lot_sizing", "facility_location", "transportation"])
def test_no_template_is_taken_for_another(name: str) -> None:
    found = match(disguised(model(get_template(name))))
    assert isinstance(found, Recognition) and found.whole and found.known.name == name


def test_other_goals_and_what_may_be_missing_are_the_same_problem() -> None:
    template = get_template("facility_location")
    assert template.words is not None
    for goal in template.words.goals:
        found = match(
            disguised(model(template, replace(template.spec, objective=goal))), "facility_location"
        )
        assert isinstance(found, Recognition) and found.whole
    families = tuple(one for one in template.spec.families if one.name != "kitchen_capacity")
    found = match(
        disguised(model(template, replace(template.spec, families=families))), template.name
    )
    assert isinstance(found, Recognition) and found.whole and found.lacks == ("kitchen_capacity",)


def test_what_a_declaration_cannot_be_is_known_before_its_numbers() -> None:
    template = get_template("round_trip")
    said = {one.name: k for k, one in enumerate(patterns(template.spec))}
    cols = [one.name for one in template.spec.groups]
    every = Assignment([(k, 1) for k in said.values()], cols)
    part = Assignment([(said[name], 1) for name in ("left_once", "reached_once", "")], cols[:1])
    assert fillable(template.spec, patterns(template.spec), every)
    assert not fillable(template.spec, patterns(template.spec), part)
    # One commodity comes from one node and goes to one: three with a surplus are too many.
    network = get_template("network_design")
    settings = {**network.settings("small"), "n_commodities": 1}
    built = build(network.spec, network.tables(settings, 1, 0)).model
    assert isinstance(match(flat_model(built), "network_design"), Recognition)
    balance = np.flatnonzero(built.row_lower == built.row_upper)
    sides = built.row_lower.copy(), built.row_upper.copy()
    for side in sides:
        side[balance[side[balance] == 0][:1]] = 3.0
    spoiled = flat_model(replace(built, row_lower=sides[0], row_upper=sides[1]))
    assert isinstance(match(spoiled, "network_design"), str)


def test_a_part_is_told_as_one() -> None:
    template = get_template("multiple_knapsack")
    families = tuple(one for one in template.spec.families if one.name != "promise")
    flat = flat_model(model(template, replace(template.spec, families=families)))
    found = match(flat, template.name)
    assert isinstance(found, Recognition) and not found.whole and found.lacks == ("promise",)
    abstraction = abstract(flat)
    blueprint = draft(formulate(flat, abstraction), match=found)
    assert "without `promise`" in blueprint.story and "is not claimed" in blueprint.story


def test_what_is_besides_is_named() -> None:
    template = get_template("generalized_assignment")
    one = template.spec.families[0]
    # A family that the problem does not know: every two cases with one lawyer.
    other = replace(one, name="apart", scope="for i in I for j in J if j >= 2",
                    rule="given[i, j] + given[i, j - 1] <= 1")  # fmt: skip
    spec = replace(template.spec, families=(*template.spec.families, other))
    flat = flat_model(model(template, spec))
    found = match(flat, template.name)
    assert isinstance(found, Recognition) and not found.whole
    ((kind, number),) = found.extra
    names = [one.name for one in formulate(flat, abstract(flat)).spec.families]
    assert (kind, names[number]) == ("family", "apart")


def test_a_row_over_all_columns_is_no_element_of_a_set() -> None:
    """One weighted row is no list of resources."""
    template = get_template("product_mix")
    tables = template.tables(template.settings("small", {"n_resources": 1}), 1, 0)
    found = match(flat_model(build(template.spec, tables).model), template.name)
    assert isinstance(found, Recognition) and not found.whole
    assert "resource_limit" in found.lacks and found.extra


def test_a_part_of_a_set_lies_in_it() -> None:
    """Plain covering is none with backup: its last rows are no critical districts beside others."""
    template = get_template("set_covering")
    spec = replace(template.spec, families=template.spec.families[:1])
    assert match(flat_model(model(template, spec)), template.name) == "no problem of the library"


def test_two_families_that_say_the_same_are_no_two() -> None:
    """A backup of one station says no more than that a district is covered."""
    template = get_template("set_covering")
    tables = template.tables(template.settings("small"), 1, 0)
    tables["parameters"]["backup"] = [1]
    flat = flat_model(build(template.spec, tables).model)
    found = match(flat, template.name)
    assert isinstance(found, str) or not found.whole


def test_what_costs_nothing_is_no_part_of_the_aim() -> None:
    """Where waiting is free and an hour costs one, the aim is the last hour, and no dollars."""
    template = get_template("disjunctive_scheduling")
    tables = template.tables(template.settings("small"), 1, 0)
    (jobs,) = (one for one in template.spec.parameters if one.name == "waiting_cost")
    tables[jobs.table]["waiting_cost"] = [0] * len(tables[jobs.table]["waiting_cost"])
    tables["parameters"]["closing_cost"] = [1]
    flat = flat_model(build(template.spec, tables).model)
    found = match(flat)
    assert isinstance(found, Recognition) and found.whole and found.known.name == template.name
    assert found.spec.objective.meaning == "the time at which all repairs are done"


def test_a_match_is_told_in_its_own_words() -> None:
    flat = flat_model(model(get_template("lot_sizing")))
    found = match(flat, "lot_sizing")
    assert isinstance(found, Recognition)
    abstraction = abstract(flat)
    formulation = formulate(flat, abstraction)
    blueprint = draft(formulation, match=found)
    assert blueprint.application == LIBRARY["lot_sizing"].application
    assert blueprint.story.startswith('This is the problem "Capacitated lot sizing with setups".')
    said = [item.text for item in blueprint.sets]
    told = [item.text for item in blueprint.parameters]
    assert any("the cost of storing a unit for a period (" in one for one in told)
    assert any("the demand (the right-hand side of `stock_balance`" in one for one in told)
    assert any("the products" in one for one in said) and any("the periods" in one for one in said)
    assert "the lots of a product" in text(blueprint) or "`lot` is the" in text(blueprint)
    assert not changed(formulation, blueprint, blueprint)


@pytest.mark.parametrize(
    ("name", "said", "numbers"),
    [
        (
            "set_covering",
            "at most {rhs_station_limit} stations are",
            {"rhs_critical_covered", "rhs_station_limit"},
        ),
        (
            "bin_packing",
            "no more than {coef_payload_limit_hired} in all",
            {"coef_payload_limit_hired"},
        ),
        # A share of 0.108 stands in the rule as 1.108, so that it has a name of its own.
        ("production_planning", "by at most the share {change}", {"change"}),
    ],
)
def test_a_number_of_a_rule_has_one_name(name: str, said: str, numbers: set[str]) -> None:
    flat = flat_model(model(get_template(name)))
    found = match(flat, name)
    assert isinstance(found, Recognition)
    blueprint = draft(formulate(flat, abstract(flat)), match=found)
    assert said in blueprint.story
    assert {one for one in blueprint.numbers if f"{{{one}}}" in blueprint.story} == numbers


@pytest.mark.parametrize("name", [name for name in NAMES if LIBRARY[name].scenes])
def test_what_of_a_scenario_tells_of_a_rule_goes_with_it(name: str) -> None:
    known = LIBRARY[name]
    for family, (told, instead) in known.scenes.items():
        assert family in known.optional and known.spec.scenario.count(told) == 1
        assert told not in known.scene([family]) and instead in known.scene([family])


def test_bin_packing_without_clashes_tells_of_none() -> None:
    template = get_template("bin_packing")
    spec = replace(template.spec, families=template.spec.families[:2])
    flat = flat_model(model(template, spec))
    found = match(flat, template.name)
    assert isinstance(found, Recognition) and found.whole
    blueprint = draft(formulate(flat, abstract(flat)), match=found)
    assert "without `kept_apart` and `in_order`." in blueprint.story
    assert any(
        "the weight of a drum (the coefficient of" in one.text for one in blueprint.parameters
    )
    assert "react" not in blueprint.story and "one after the other" not in blueprint.story


def test_a_changed_number_is_no_match() -> None:
    """The certificate is the numbers': a weight that differs between two bins is no bin packing."""
    made = model(get_template("bin_packing"))
    value = made.value.copy()
    row = made.row_names.index("payload_limit[1]")
    value[made.starts[row]] += 1
    found = match(flat_model(replace(made, value=value)), "bin_packing")
    assert isinstance(found, str) or not found.whole


def plain(rows: int, cols: int) -> Flat:
    """Dense rows of ones."""
    return flat_model(
        Model(
            name="plain", maximize=False, objective=np.zeros(cols), offset=0.0,
            col_names=tuple(f"x{k}" for k in range(cols)),
            col_lower=np.zeros(cols), col_upper=np.full(cols, np.inf),
            types=np.full(cols, VarType.CONTINUOUS, np.uint8),
            row_names=tuple(f"c{k}" for k in range(rows)),
            row_lower=np.full(rows, -np.inf), row_upper=np.ones(rows),
            starts=np.arange(0, rows * cols + 1, cols, dtype=np.int32),
            index=np.tile(np.arange(cols, dtype=np.int32), rows), value=np.ones(rows * cols),
        )
    )  # fmt: skip


def test_what_is_no_problem_of_the_library_is_said() -> None:
    assert match(plain(1, 3)) == "no problem of the library"
    assert match(plain(0, 1)) == "no problem of the library"
    large = plain(LARGEST // 300 + 1, 300)
    assert "more than 100,000 entries" in str(recognise(large, list(LIBRARY.values())))
