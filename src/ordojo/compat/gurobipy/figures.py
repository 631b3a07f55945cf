"""Gurobi's figures of a solve: objective, bound, gap, and those of the solution pool."""

from typing import Any

from ordojo.compat.gurobipy import results, solving
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import UnavailableError
from ordojo.compat.gurobipy.objective import objective_values


def objective(state: Any) -> float:
    """The objective of the solution, or what stands for it."""
    if state.result is None:
        raise UnavailableError
    if state.x is None:
        return _without_solution(state)
    if state.goals or state.several:
        return objective_values(state)[0]
    if state.result.objective is None:
        raise UnavailableError
    return float(state.result.objective)


def _without_solution(state: Any) -> float:
    """What a solve that a limit has stopped shows where it has no solution.

    For an unbounded MIP it is Gurobi's large number, as Gurobi has it where its presolve finds
    the ray; elsewhere Gurobi shows some point's objective there.
    """
    limited = (GRB.TIME_LIMIT, GRB.NODE_LIMIT, GRB.INTERRUPTED, GRB.CUTOFF)
    if state.ended == GRB.TIME_LIMIT or (state.is_mip and state.ended in limited):
        return -float("inf") if state.maximize else float("inf")
    if state.is_mip and state.ended == GRB.UNBOUNDED:
        return 1e30 if state.maximize else -1e30
    raise UnavailableError


def bound(state: Any) -> float:
    """The bound on the objective."""
    if state.result is None:
        raise UnavailableError
    if state.is_mip and state.ended == GRB.INFEASIBLE:
        return -float("inf") if state.maximize else float("inf")
    if state.ended in (GRB.INFEASIBLE, GRB.INF_OR_UNBD, GRB.UNBOUNDED):
        raise UnavailableError
    bound = state.result.bound
    if bound is None:
        if not state.is_mip and state.x is not None:
            return objective(state)
        return float("inf") if state.maximize else -float("inf")
    return float(bound)


def gap(state: Any) -> float:
    """The gap of a MIP."""
    if state.result is None or not state.is_mip:
        raise UnavailableError
    if state.ended == GRB.UNBOUNDED:
        raise UnavailableError
    return solving.gap(state)


def pool_bound(state: Any) -> float:
    """A bound on the solutions that are not in the pool."""
    whole = state.ended == GRB.OPTIMAL and state.is_mip and state.params["PoolSearchMode"] == 2
    if not whole or not state.result.pool:
        return bound(state)
    if len(state.result.pool) < state.params["PoolSolutions"]:
        return -float("inf") if state.maximize else float("inf")
    return float(state.result.pool[-1][0])


def pool_objective(state: Any) -> float:
    """The objective of the solution that SolutionNumber asks for."""
    if state.x is None or not state.is_mip:
        raise AttributeError("No solution available")
    found = results.solution(state, state.params["SolutionNumber"])
    if found is None:
        raise UnavailableError
    return found[0]


def goal_value(state: Any) -> float:
    """The value of the objective that ObjNumber asks for."""
    if state.x is None:
        raise AttributeError("No solution available")
    values = objective_values(state)
    number = int(state.params["ObjNumber"])
    if number >= len(values):
        raise AttributeError("Value of parameter ObjNumber is larger than the number of objectives")
    return values[number]
