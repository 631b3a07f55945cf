"""Error injection: what each type promises, determinism, and validation that rejects."""

import dataclasses
import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.benchmarks.or_debug.adversaries import suggested
from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.injection import candidate, knots, printed, sides, validation
from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    between,
    beyond,
    flipped,
    hex_names,
    insert_row,
    like_own,
    tidy,
)
from ordojo.benchmarks.or_debug.injection.generate import (
    INJECTORS,
    attempt,
    draw,
    generate,
    produce,
)
from ordojo.benchmarks.or_debug.injection.validation import clear, single_repairs, validate
from ordojo.benchmarks.or_debug.outcome import FULL, preservation
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.schema import TYPES, Debugging, content_key
from ordojo.benchmarks.or_debug.seeds import make_seed
from ordojo.benchmarks.or_debug.telling.rules import Limit
from ordojo.core.errors import UsageError
from ordojo.core.seeds import generator
from ordojo.milp.algebra import row_text
from ordojo.milp.model import INF, VarType
from ordojo.solvers.answers import Status
from tests.benchmarks.or_debug.hand_made import bakery

COUNT, SEED = 2, 23
"""Problems a type, and a seed of which the first ones of A, C and D are made soon."""


@pytest.fixture(scope="module")
def solver() -> ColdSolver:
    return ColdSolver()


ELSEWHERE = 16
"""Another seed, of which the first problems are made soon, too."""


_elsewhere: dict[str, Debugging] = {}


def elsewhere(kind: str, anew: bool = False) -> Debugging:
    """The first problem of the other seed, made once unless `anew`."""
    if anew or kind not in _elsewhere:
        _elsewhere[kind] = generate("test", ELSEWHERE, 0, kind)
    return _elsewhere[kind]


@pytest.fixture(scope="module")
def made() -> dict[str, list[Debugging]]:
    return {kind: [generate("test", SEED, i, kind) for i in range(COUNT)] for kind in TYPES}


def test_the_fix_gives_the_very_model_back_and_every_part_of_it_is_needed(
    made: dict[str, list[Debugging]], solver: ColdSolver
) -> None:
    for problem in [problem for group in made.values() for problem in group]:
        original = problem.original_model
        solved = solver.solve(original)
        assert solved.status == Status.OPTIMAL
        assert solved.objective == pytest.approx(problem.objective, rel=1e-11)
        assert solver.is_infeasible(problem.model)
        restored = apply_fix(problem.model, problem.fix)
        assert restored.content_hash == original.content_hash
        assert len(problem.fix) == len(problem.targets) <= 4
        for left_out in range(len(problem.fix)):
            part = [a for k, a in enumerate(problem.fix) if k != left_out]
            assert solver.is_infeasible(apply_fix(problem.model, part))


def test_targets_are_of_the_kind_that_the_type_breaks(made: dict[str, list[Debugging]]) -> None:
    for kind, problems in made.items():
        for problem in problems:
            found = [find_element(problem.model, name) for name in problem.targets]
            parts = {element.part for element in found if element is not None}
            if kind == "B":
                assert parts == {ElementKind.TYPE}
            elif kind in "FH":
                assert parts <= {ElementKind.LB, ElementKind.UB} and len(found) == 1
                assert problem.targets[0] in problem.iis_bounds and problem.iis_rows
            else:
                assert parts == {ElementKind.ROW}
                assert set(problem.targets) & set(problem.iis_rows)
            assert len(problem.targets) == (2 if kind == "G" else 1)


def test_type_a_turns_an_inequality_round(made: dict[str, list[Debugging]]) -> None:
    for problem in made["A"]:
        i = problem.original_model.rows[problem.targets[0]]
        broken = flipped(problem.original_model, i)
        assert broken.content_hash == problem.model.content_hash


def test_type_b_makes_an_integer_column_binary(made: dict[str, list[Debugging]]) -> None:
    for problem in made["B"]:
        j = problem.model.cols[problem.targets[0].removesuffix(".type")]
        assert problem.model.types[j] == VarType.BINARY
        assert problem.original_model.types[j] == VarType.INTEGER
        alike = problem.model.types == VarType.BINARY
        assert (problem.model.col_upper[alike & (problem.model.col_upper != 1)] == INF).all()
        assert problem.fix == (f"REWRITE({problem.targets[0]}, INTEGER)",)


def test_type_c_changes_coefficients_and_no_side(made: dict[str, list[Debugging]]) -> None:
    for problem in made["C"]:
        one, two = problem.original_model, problem.model
        assert np.array_equal(one.row_lower, two.row_lower)
        assert np.array_equal(one.row_upper, two.row_upper)
        i = one.rows[problem.targets[0]]
        assert [a.tolist() for a in one.row(i)] != [b.tolist() for b in two.row(i)]
        assert problem.method == "knot"
        assert sum(one.row(i)[1] != two.row(i)[1]) == 1


@pytest.mark.parametrize("kind", TYPES)
def test_acceptance_says_nothing_of_which_case_is_true(kind: str, solver: ColdSolver) -> None:
    """All three cases of an accepted model hold; where one does not, it is what is handed on."""
    handed, made = [], []
    original = validation.drawn

    def noted(*args: Any) -> Any:
        made.append(args[1])
        handed.append(original(*args))
        return handed[-1]

    with pytest.MonkeyPatch.context() as patch:
        for module in (validation, knots, sides):
            patch.setattr(module, "drawn", noted)
        elsewhere(kind, anew=True)
    for trio, one in zip(made, handed, strict=True):
        held = [
            validate(
                kind, *(case.original, case.sabotaged), case.targets,
                [str(action) for action in case.fix], solver, knot=kind in "ABCD",
            )
            for case in trio
        ]  # fmt: skip
        if one is None:
            assert not all(clear(a.objective, b.objective) for a, b in combinations(held, 2))
            continue
        (it,) = (found.holds for case, found in zip(trio, held, strict=True) if case is one)
        assert it == all(found.holds for found in held)
    assert len(made[-1]) == validation.CASES
    assert len({case.targets for case in made[-1]}) == (3 if kind in "ABCD" else 1)
    assert len({case.sabotaged.content_hash for case in made[-1]}) == 1
    optima = [found.objective for found in held]
    assert all(clear(one, two) for one, two in combinations(optima, 2))


@given(one=st.floats(1, 1e6), share=st.floats(0.2, 5), guess=st.floats(0, 1))
def test_no_objective_preserves_two_that_are_clear(one: float, share: float, guess: float) -> None:
    two = one * share
    between = one + (two - one) * guess
    both = preservation(between, one) > FULL + 1e-9 and preservation(between, two) > FULL + 1e-9
    assert not (both and clear(one, two))
    middle = (one + two) / 2
    if not clear(one, two):
        near = min(one, two) * (2 - FULL), max(one, two) * FULL
        assert near[0] >= near[1] and preservation(middle, max(one, two)) > 0.9
    assert clear(-one, two) and clear(-one, -two) == clear(one, two)


def test_what_a_row_suggests() -> None:
    model = bakery()
    found = {row_text(changed, 3): way for way, changed in suggested(model, 3)}
    assert found["white + rye <= 400"] == ("row", "lone")
    assert found["2 white + 2 rye <= 400"] == ("row", "lone")
    assert found["6 white + rye <= 400"] == ("factor", "lone")
    assert found["4 white + 2 rye <= 400"] == ("scaled", "", "2.0")
    orders = {row_text(changed, 1): way for way, changed in suggested(model, 1)}
    assert orders["white + rye >= 60"] == ("term", "flat", "row")


def test_type_d_adds_a_row_that_the_original_has_not(made: dict[str, list[Debugging]]) -> None:
    for problem in made["D"]:
        i = problem.model.rows[problem.targets[0]]
        assert problem.model.is_live(i) and not problem.original_model.is_live(i)
        assert problem.fix == (f"DROP({problem.targets[0]})",)


def test_type_g_masks_its_second_conflict(
    made: dict[str, list[Debugging]], solver: ColdSolver
) -> None:
    for problem in made["G"]:
        first, second = problem.targets
        assert first in problem.iis_rows and second not in problem.iis_rows
        later = solver.iis(apply_fix(problem.model, problem.fix[:1]))
        assert later is not None
        assert second in later.row_names(problem.model)


def test_type_e_raises_a_demand_until_no_capacity_is_enough(
    made: dict[str, list[Debugging]],
) -> None:
    for problem in made["E"]:
        one, two = problem.original_model, problem.model
        i = one.rows[problem.targets[0]]
        assert (one.row(i)[1] == 1).all() and one.row_upper[i] == INF
        assert two.row_lower[i] > one.row_lower[i] > 0
        assert problem.fix[0].startswith(f"RELAX({problem.targets[0]}, -")


def test_a_limit_at_any_of_its_figures_is_told_as_it_is(solver: ColdSolver) -> None:
    source = draw("cutting_stock", generator(3, "stated", 0), solver)
    assert source is not None
    rng = generator(3, "stated", 1)
    found = None
    while found is None:
        some = candidate.a_sum(source, rng)
        found = some and validation.overstated(source, some, True, rng, solver)
    stated, i = found
    assert solver.is_infeasible(stated.source.model)
    at = stated.at(12.0)
    assert at.model.row_lower[i] == 12 and at.facts[-1] == Limit(tuple(some or ()), True, 12.0)
    assert at.facts[:-1] == source.facts


def test_type_e_has_a_form_with_two_rows(solver: ColdSolver) -> None:
    found = [attempt("E", generator(4, "pair", i), solver, two_rows=True) for i in range(25)]
    pairs = [outcome.candidate for outcome in found if outcome.validation.holds]
    assert pairs
    assert all(pair is not None and len(pair.targets) == 2 for pair in pairs)


def test_no_repair_without_reading_keeps_the_objective(
    made: dict[str, list[Debugging]], solver: ColdSolver
) -> None:
    for problem in [problem for group in made.values() for problem in group]:
        iis = solver.iis(problem.model)
        assert iis is not None and len(iis.rows) >= 2
        assert set(problem.iis_rows) - set(problem.targets)
        rivals = 0
        for name, repaired in single_repairs(problem.model, iis, solver):
            solved = solver.solve(repaired)
            rivals += solved.status == Status.OPTIMAL and name not in problem.targets
            if name not in problem.targets or problem.type not in "ABCD":
                assert preservation(solved.objective, problem.objective) <= FULL
        assert rivals or problem.type != "I"
        solved = solver.solve(apply_fix(problem.model, problem.fix))
        assert preservation(solved.objective, problem.objective) > FULL


def test_any_of_three_alike_could_be_the_wrong_one(
    made: dict[str, list[Debugging]], solver: ColdSolver
) -> None:
    for problem in made["D"]:
        model = problem.model
        optima = {}
        for i in range(model.m):
            solved = solver.solve(model.without_row(i))
            if solved.status == Status.OPTIMAL and solved.objective is not None:
                optima[model.row_names[i]] = solved.objective
        assert len(optima) >= 3 and problem.targets[0] in optima
        assert set(optima) <= set(problem.iis_rows)


def test_added_rows_are_named_as_the_model_names_its_own() -> None:
    model = make_seed("transportation", generator(1, "x", 0)).model
    name = like_own(model, [0, 1], True, generator(1, "y", 0))
    stems = {row.split("_")[0] for row in model.row_names}
    assert name.split("_")[0] in stems and name not in model.rows
    assert any(name.split("_")[1] in col for col in model.col_names)


def test_types_g_to_i_name_rows_by_sense_alone(made: dict[str, list[Debugging]]) -> None:
    pattern = re.compile(r"c_[0-9a-f]{6}_(ub|lb|eq)")
    for kind, problems in made.items():
        for problem in problems:
            named = [bool(pattern.fullmatch(name)) for name in problem.model.row_names]
            assert all(named) if kind in "GHI" else not any(named)
            assert problem.model.row_names == problem.original_model.row_names


def test_nothing_is_named_after_what_is_wrong(made: dict[str, list[Debugging]]) -> None:
    telling = re.compile("key|target|fix|bad|wrong|root|conflict|sabot|added", re.IGNORECASE)
    for problem in [problem for kind in "ABCDEF" for problem in made[kind]]:
        for name in (*problem.model.row_names, *problem.model.col_names):
            assert not telling.search(name), name
            # A single word, such as "money", may be in any text.
            assert "_" not in name or name not in problem.text


def test_sizes_are_about_those_of_the_paper(made: dict[str, list[Debugging]]) -> None:
    problems = [problem for group in made.values() for problem in group]
    assert 9 <= np.mean([p.model.m for p in problems]) <= 18
    assert 6 <= np.mean([p.model.n for p in problems]) <= 11
    assert 3 <= np.mean([len(p.iis_rows) + len(p.iis_bounds) for p in problems]) <= 8


def test_families_vary_and_lps_and_mips_are_there(made: dict[str, list[Debugging]]) -> None:
    problems = [problem for group in made.values() for problem in group]
    assert len({p.family for p in problems}) >= 6
    assert 0.1 < np.mean([p.original_model.is_mip for p in problems]) < 0.9


@pytest.mark.parametrize("kind", list(TYPES)[::-1])  # the other way round than `made`
def test_the_same_arguments_give_the_same_problem_whatever_was_made_before_and_others_another(
    kind: str, made: dict[str, list[Debugging]]
) -> None:
    again = generate("test", SEED, 1, kind)
    assert again == made[kind][1]
    others = [made[kind][0], elsewhere(kind)]
    if kind in "BDF":  # The split enters one key with the seed; of these each is made soon.
        others.append(generate("rl", SEED, 1, kind))
    assert len({content_key(one) for one in (again, *others)}) == len(others) + 1


def test_failed_attempts_are_on_record() -> None:
    found = [produce("test", 1, i, "I") for i in range(4)]
    assert all(made.passed[-1] == 5 and max(made.passed[:-1], default=0) < 5 for made in found)
    assert all(made.problem.regenerations == len(made.passed) - 1 for made in found)
    assert any(made.problem.regenerations for made in found)


def test_an_unknown_type_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no error type 'Z'"):
        generate("train", 0, 0, "Z")


@pytest.mark.parametrize("kind", TYPES)
def test_every_basic_injector_breaks_some_of_its_seed_problems(
    kind: str, solver: ColdSolver
) -> None:
    outcomes = [attempt(kind, generator(2, kind, i), solver, robust=False) for i in range(15)]
    assert sum(one.validation.passed >= 2 for one in outcomes) >= (0 if kind in "BF" else 1)
    assert set(INJECTORS) == set(printed.BASIC) == set(TYPES)


def test_validation_names_the_phase_that_fails(solver: ColdSolver) -> None:
    problem = generate("test", SEED, 0, "A")
    original, broken = problem.original_model, problem.model

    def reached(**changes: object) -> int:
        given = {
            "kind": "A",
            "original": original,
            "sabotaged": broken,
            "targets": problem.targets,
            "fix": problem.fix,
            "solver": solver,
            "knot": True,
            **changes,
        }
        return validate(**given).passed  # type: ignore[arg-type]

    assert reached() == 5
    assert reached(original=broken) == 0
    assert reached(sabotaged=original) == 1
    outside = next(name for name in broken.row_names if name not in problem.iis_rows)
    assert reached(targets=(outside,)) == 2
    assert reached(fix=(f"DROP({outside})",)) == 3
    spare = (*problem.fix, f"DROP({outside})")
    assert reached(fix=spare) == 3


def test_a_draw_has_its_columns_in_order_and_its_optimum(solver: ColdSolver) -> None:
    for i in range(40):
        source = draw("diet", generator(1, "draw", i), solver)
        assert source is not None
        assert tidy(source.model).content_hash == source.model.content_hash
        solved = solver.solve(source.model)
        assert solved.objective == pytest.approx(source.objective)


def test_a_row_goes_in_where_it_is_told() -> None:
    model = tidy(make_seed("product_mix", generator(1, "x", 0)).model)
    for at in (0, 2, model.m):
        wider = insert_row(model, at, "new", {2: 3.0, 0: 1.0}, -INF, 7.0)
        assert wider.rows["new"] == at
        assert [part.tolist() for part in wider.row(at)] == [[0, 2], [1.0, 3.0]]
        for name in model.row_names:
            old, new = model.row(model.rows[name]), wider.row(wider.rows[name])
            assert [part.tolist() for part in old] == [part.tolist() for part in new]


def test_hex_names_are_unique_and_tell_the_sense() -> None:
    model = make_seed("product_mix", generator(1, "x", 0)).model
    names = hex_names(model, generator(1, "y", 0))
    assert len(set(names.values())) == model.m
    for old, new in names.items():
        i = model.rows[old]
        low, up = model.row_lower[i] > -INF, model.row_upper[i] < INF
        assert new.endswith("eq" if low and up else "lb" if low else "ub")


@pytest.mark.parametrize("limit", [0.0, 0.3, 3.0, 17.0, 104.5, 5000.0, -40.0])
def test_figures_are_round_and_beyond(limit: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        above = beyond(limit, True, rng, limit, whole=True)
        below = beyond(limit, False, rng, limit)
        assert above > limit > below and above == int(above)
        end = limit + max(10.0, abs(limit))
        middle = between(limit, end, rng, True)
        assert middle is not None and limit < middle <= end and middle == int(middle)
        back = between(end, limit, rng, False)
        assert back is not None and limit < back < end
    assert between(1.2, 1.9, rng, True) is None
    assert between(1.2, 2.9, rng, True) == between(2.8, 2.0, rng, True) == 2.0


def test_preservation_is_cut_at_zero() -> None:
    assert preservation(90.0, 100.0) == pytest.approx(0.9)
    assert preservation(-50.0, -100.0) == pytest.approx(0.5)
    assert preservation(500.0, 100.0) == preservation(None, 100.0) == 0.0


def test_problems_are_plain_and_frozen(made: dict[str, list[Debugging]]) -> None:
    problem = made["A"][0]
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.text = ""  # type: ignore[misc]
