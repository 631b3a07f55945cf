"""The certificate checked from scratch: optimum, infeasibility, IIS, fix, the type's promises."""

import dataclasses
import math
from collections.abc import Mapping

import numpy as np

from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.injection import validation
from ordojo.benchmarks.or_debug.injection.candidate import ColdSolver, WarmSolver
from ordojo.benchmarks.or_debug.outcome import differences
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.schema import FIRST, OWN, PRINTED, SEVERAL, Debugging, make_instance
from ordojo.benchmarks.or_debug.silent import silent_fault
from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, SolverError
from ordojo.core.instance import Instance, object_of
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.tolerances import OBJECTIVE
from ordojo.solvers.answers import Iis, Status
from ordojo.solvers.iis import is_irreducible
from ordojo.solvers.residuals import check_optimal

MOST_ACTIONS = 4
"""A ground truth may take no more actions than fit into RR@5."""


def verify(instance: Instance[Debugging]) -> None:
    """Check everything again with fresh solver objects; raises DataError naming what fails.

    The original has the recorded optimum, by residuals too; the sabotaged model is infeasible, and
    the recorded IIS irreducible, member by member; the targets are what differs between the two;
    the fix restores the optimum and no part of it does; what the type promises holds (C.6, C.10).
    From version 3 on, no repair without reading keeps the objective (see `validation.unread`);
    types A and C as printed may have one, and all types of the basic injectors, among whose type I
    not each leaves a choice.
    """
    try:
        check_record(instance)
        # A fresh copy: nothing that was computed before counts.
        problem = dataclasses.replace(instance.problem)
        solver = WarmSolver() if problem.is_recipe else ColdSolver()
        try:
            if problem.is_silent:
                _check_silent(problem, object_of(instance.certificate.data, "found"), solver)
                return
            generated = problem.split != OWN and problem.method not in PRINTED
            reading = instance.version not in FIRST and generated
            _check_problem(problem, solver, reading)
        finally:
            solver.close()
    except (DataError, SolverError) as error:
        raise DataError(f"{instance.id}: {error}") from None


def _check_silent(problem: Debugging, found: Mapping[str, Json], solver: ColdSolver) -> None:
    """Both optima, far enough apart; the target is what differs, and its one fix alone mends it."""
    if len(problem.targets) != 1 or len(problem.fix) != 1 or problem.iis_rows or problem.iis_bounds:
        raise DataError("a silent error has one target, one fix and no IIS")
    original, sabotaged = problem.original_model, problem.model
    if differences(sabotaged, original) != list(problem.targets):
        raise DataError(f"target '{problem.targets[0]}' is not what differs between the models")
    fault, *optima = silent_fault(original, sabotaged, problem.targets[0], problem.fix[0], solver)
    if fault is not None:
        raise DataError(fault)
    stored = problem.objective, found.get("optimum")
    for name, kept, optimum in zip(("original", "sabotaged"), stored, optima, strict=True):
        if not isinstance(kept, int | float) or not math.isclose(kept, optimum, rel_tol=OBJECTIVE):
            raise DataError(f"the {name} optimum is recorded as {kept!r}, it is {optimum!r}")


def check_record(instance: Instance[Debugging]) -> None:
    """Whether the certificate is that of the problem, field by field; raises DataError."""
    stored = instance.certificate
    solvers = stored.data.get("solvers")
    if not isinstance(solvers, dict):
        raise DataError("the certificate does not say which solvers it is of")
    problem = instance.problem
    plain = problem.original and not problem.is_silent
    found = None if plain else object_of(stored.data, "found")
    right = make_instance(problem, solvers, found).certificate
    if stored.kind != right.kind:
        raise DataError(f"the certificate's kind is {stored.kind!r}, it must be {right.kind!r}")
    for name in sorted({*stored.data, *right.data}):
        if stored.data.get(name) != right.data.get(name):
            raise DataError(f"{name} in the certificate is not the problem's")


def _check_problem(problem: Debugging, solver: ColdSolver, reading: bool) -> None:
    original, sabotaged = problem.original_model, problem.model
    solved = solver.solve(original)
    if solved.status != Status.OPTIMAL or solved.objective is None:
        raise DataError(f"the original is {solved.status.value}, not OPTIMAL")
    check_optimal(original, solved)
    if not math.isclose(solved.objective, problem.objective, rel_tol=OBJECTIVE):
        raise DataError(f"objective is {problem.objective!r}, the optimum is {solved.objective!r}")
    if not solver.is_infeasible(sabotaged):
        raise DataError("the sabotaged model is not INFEASIBLE")
    iis = _recorded_iis(problem, sabotaged, solver)
    _check_targets(problem, original, sabotaged)
    if not 1 <= len(problem.fix) <= MOST_ACTIONS:
        raise DataError(f"the fix has {len(problem.fix)} actions, 1 to {MOST_ACTIONS} are allowed")
    targets, optimum = problem.targets, problem.objective
    if problem.type == SEVERAL:
        kinds = problem.method.split("+")
        if not len(kinds) == len(targets) == len(problem.fix):
            raise DataError("method, targets and fix have not one entry for each error")
        if fault := validation.several(
            kinds, original, sabotaged, targets, problem.fix, iis, optimum, solver
        ):
            raise DataError(fault)
        return
    fault = validation.missing(
        problem.type, targets, problem.iis_rows, problem.iis_bounds, iis.integral
    ) or validation.unrepaired(problem.type, sabotaged, targets, problem.fix, optimum, solver)
    if fault is None and reading:
        knot = problem.method == validation.KNOT
        fault = (
            validation.lonely(targets, problem.iis_rows)
            or validation.unread(problem.type, sabotaged, iis, targets, optimum, solver, knot)[0]
        )
    elif fault is None and problem.type == "I" and problem.method != "basic":
        fault = validation.no_choice(sabotaged, iis, optimum, solver)
    if fault is not None:
        raise DataError(fault)


def _recorded_iis(problem: Debugging, sabotaged: Model, solver: ColdSolver) -> Iis:
    """The IIS of the recorded members alone, which must be all of them, each needed."""
    part = recorded_part(problem, sabotaged)
    iis = solver.iis(part)
    if iis is None:
        raise DataError("the recorded IIS has a solution")
    named = {*iis.row_names(part), *iis.bound_names(part)}
    recorded = {*problem.iis_rows, *problem.iis_bounds}
    if spare := sorted(recorded - named):
        raise DataError(f"the recorded IIS is infeasible without {spare[0]}")
    if fault := is_irreducible(part, iis, solver.oracle):
        raise DataError(f"the recorded IIS is not irreducible: {fault}")
    return iis


def recorded_part(problem: Debugging, model: Model) -> Model:
    """The model with the sides of the recorded IIS alone."""
    rows, bounds = np.zeros(model.m, bool), (np.zeros(model.n, bool), np.zeros(model.n, bool))
    for name in problem.iis_rows:
        if name not in model.rows:
            raise DataError(f"iis_rows has '{name}', which is no row")
        rows[model.rows[name]] = True
    for name in problem.iis_bounds:
        element = find_element(model, name)
        if element is None or element.part not in (ElementKind.LB, ElementKind.UB):
            raise DataError(f"iis_bounds has '{name}', which is no bound")
        bounds[element.part is ElementKind.UB][element.number] = True

    low, up = model.effective_bounds
    return dataclasses.replace(
        model,
        row_lower=np.where(rows, model.row_lower, -INF),
        row_upper=np.where(rows, model.row_upper, INF),
        col_lower=np.where(bounds[0], low, -INF),
        col_upper=np.where(bounds[1], up, INF),
        # BINARY would bring both its bounds back.
        types=np.where(model.types == VarType.BINARY, VarType.INTEGER, model.types).astype(
            np.uint8
        ),
    )


def _check_targets(problem: Debugging, original: Model, sabotaged: Model) -> None:
    """Each target exists and differs, and nothing else does."""
    if original.col_names != sabotaged.col_names or original.row_names != sabotaged.row_names:
        raise DataError("original and sabotaged model have not the same rows and columns")
    differing = _differences(original, sabotaged)
    for name in problem.targets:
        if name not in differing:
            raise DataError(f"target '{name}' is not what differs between the models")
    for name in differing:
        if name not in problem.targets:
            raise DataError(f"'{name}' differs between the models and is no target")
    restored = _differences(original, apply_fix(sabotaged, problem.fix))
    if restored:
        raise DataError(f"after the fix '{restored[0]}' is not what it was")


def _differences(one: Model, two: Model) -> list[str]:
    """The elements in which two models of the same rows and columns differ, by names."""
    found = [
        name
        for i, name in enumerate(one.row_names)
        if (one.is_live(i) or two.is_live(i))
        and (one.sides(i), one.terms(i)) != (two.sides(i), two.terms(i))
    ]
    for part, before, after in (
        ("lb", one.col_lower, two.col_lower),
        ("ub", one.col_upper, two.col_upper),
        ("type", one.types, two.types),
    ):
        found += [f"{one.col_names[j]}.{part}" for j in np.flatnonzero(before != after)]
    if not np.array_equal(one.objective, two.objective) or one.maximize != two.maximize:
        found.append("the objective")
    return found
