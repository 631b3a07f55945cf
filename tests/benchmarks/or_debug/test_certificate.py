"""The certificate: what holds is passed, whatever is changed is found."""

import copy
import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest

from ordojo.benchmarks.or_debug import schema
from ordojo.benchmarks.or_debug.build import load_set
from ordojo.benchmarks.or_debug.certificate import verify
from ordojo.benchmarks.or_debug.injection.generate import generate
from ordojo.benchmarks.or_debug.schema import TYPES, Debugging, make_instance
from ordojo.core.errors import DataError
from ordojo.core.instance import Certificate, Instance, to_row


def instance_of(problem: Debugging) -> Instance[Debugging]:
    return make_instance(problem, {"highs": "1.15.1"})


@pytest.fixture(scope="module")
def problems() -> dict[str, Debugging]:
    return {instance.problem.type: instance.problem for instance in load_set("eval")[:9]}


@pytest.mark.parametrize("kind", TYPES)
def test_shipped_problems_pass_also_after_a_round_trip(kind: str) -> None:
    made = [one.problem for one in load_set("eval") if one.labels["type"] == kind]
    fresh = [generate("test", 9, 0, kind)] if kind in "EFGHI" else []  # the others take long
    for problem in [*made[-8:], *fresh]:
        instance = instance_of(problem)
        verify(instance)
        verify(schema.read_instance(json.loads(json.dumps(to_row(instance)))))


def changed(problem: Debugging, name: str, change: Callable[[Any], Any]) -> Debugging:
    value = copy.deepcopy(getattr(problem, name))
    return dataclasses.replace(problem, **{name: change(value)})


def scaled(model: dict[str, Any]) -> dict[str, Any]:
    for column in model["columns"]:
        column[4] *= 2
    return model


def freed(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def change(model: dict[str, Any]) -> dict[str, Any]:
        for row in model["rows"]:
            if row[0] == name:
                row[1] = row[2] = None
        return model

    return change


def test_a_changed_objective_is_found(problems: dict[str, Debugging]) -> None:
    for problem in problems.values():
        with pytest.raises(DataError, match=r"eval-.*: objective is .* the optimum is"):
            verify(instance_of(changed(problem, "objective", lambda x: x * 1.001)))
        with pytest.raises(DataError, match=r"objective is .* the optimum is"):
            verify(instance_of(changed(problem, "original", scaled)))


def test_a_model_that_is_feasible_or_not_optimal_is_found(problems: dict[str, Debugging]) -> None:
    for problem in problems.values():
        with pytest.raises(DataError, match="sabotaged model is not INFEASIBLE"):
            verify(instance_of(dataclasses.replace(problem, sabotaged=problem.original)))
        with pytest.raises(DataError, match="the original is INFEASIBLE"):
            verify(instance_of(dataclasses.replace(problem, original=problem.sabotaged)))


def test_an_iis_that_is_too_small_or_too_large_is_found(problems: dict[str, Debugging]) -> None:
    for problem in problems.values():
        if problem.iis_rows:
            with pytest.raises(DataError, match="recorded IIS has a solution"):
                verify(instance_of(changed(problem, "iis_rows", lambda rows: rows[1:])))
        spare = next(n for n in problem.model.row_names if n not in problem.iis_rows)
        with pytest.raises(DataError, match=r"IIS is infeasible without|recorded IIS"):
            verify(instance_of(changed(problem, "iis_rows", lambda rows, s=spare: (*rows, s))))
        with pytest.raises(DataError, match="iis_rows has 'ghost', which is no row"):
            verify(instance_of(changed(problem, "iis_rows", lambda rows: ("ghost",))))
        with pytest.raises(DataError, match=r"iis_bounds has 'ghost\.ub', which is no bound"):
            verify(instance_of(changed(problem, "iis_bounds", lambda bounds: ("ghost.ub",))))


def test_a_wrong_target_is_found(problems: dict[str, Debugging]) -> None:
    for problem in problems.values():
        other = next(n for n in problem.model.row_names if n not in problem.targets)
        with pytest.raises(DataError, match=f"target '{other}' is not what differs"):
            verify(instance_of(dataclasses.replace(problem, targets=(*problem.targets, other))))
        with pytest.raises(DataError, match="differs between the models and is no target"):
            verify(instance_of(dataclasses.replace(problem, targets=())))


def test_a_fix_that_does_less_more_or_something_else_is_found(
    problems: dict[str, Debugging],
) -> None:
    for kind, problem in problems.items():
        with pytest.raises(DataError, match="after the fix"):
            verify(instance_of(dataclasses.replace(problem, fix=problem.fix[1:])))
        with pytest.raises(DataError, match="cannot be applied"):
            verify(instance_of(dataclasses.replace(problem, fix=("DROP(ghost)",))))
        other = next(
            name
            for i, name in enumerate(problem.model.row_names)
            if name not in problem.targets and problem.model.is_live(i)
        )
        with pytest.raises(DataError, match=f"after the fix '{other}'"):
            verify(instance_of(changed(problem, "fix", lambda fix, o=other: (*fix, f"DROP({o})"))))
        if kind in "ACEGI":
            dropped = tuple(f"DROP({name})" for name in problem.targets)
            with pytest.raises(DataError, match="after the fix"):
                verify(instance_of(dataclasses.replace(problem, fix=dropped)))


def test_the_masking_of_type_g_is_checked(problems: dict[str, Debugging]) -> None:
    problem = problems["G"]
    turned = dataclasses.replace(problem, targets=problem.targets[::-1], fix=problem.fix[::-1])
    with pytest.raises(DataError, match="the IIS shows"):
        verify(instance_of(turned))


def test_a_type_that_promises_more_than_the_problem_has_is_found() -> None:
    found = []
    for one in load_set("eval")[:108:9]:
        assert one.problem.type == "A"
        try:
            verify(instance_of(dataclasses.replace(one.problem, type="I", method="composite")))
        except DataError as error:
            found.append(str(error))
    assert any("without reading" in text for text in found)


def test_a_certificate_of_another_problem_is_found(problems: dict[str, Debugging]) -> None:
    instance, other = instance_of(problems["A"]), instance_of(problems["E"])
    with pytest.raises(DataError, match="in the certificate is not the problem's"):
        verify(dataclasses.replace(instance, certificate=other.certificate))
    with pytest.raises(DataError, match="kind is 'answer-key'"):
        data = instance.certificate.data
        verify(dataclasses.replace(instance, certificate=Certificate("answer-key", data)))
    with pytest.raises(DataError, match="which solvers"):
        verify(dataclasses.replace(instance, certificate=Certificate("iis", {})))
