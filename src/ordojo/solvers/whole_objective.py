"""What an explanation of rows says of an objective that is more than they have."""

from dataclasses import replace

from ordojo.core.errors import SolverError
from ordojo.solvers.answers import Status
from ordojo.solvers.asked.solves import Solves
from ordojo.solvers.explain import Explanation
from ordojo.solvers.kept import Settled
from ordojo.solvers.whole_ray import whole_ray


def with_whole_objective(
    told: Explanation, parts: Settled, solver: str, seconds: float
) -> Explanation:
    """What was told of the rows alone, with the optimum or the ray of the whole problem.

    It is unbounded only by a ray, along which the whole objective improves. Where the rows have the
    whole one all is told already.
    """
    if not parts.left_out:
        return told
    repairs = tuple(replace(repair, objective=None) for repair in told.repairs)
    told = replace(told, model=parts.model, objective=None, repairs=repairs)
    if told.status != Status.OPTIMAL:
        return replace(told, notes=parts.left_out)
    solves = Solves(solver, seconds)
    try:
        found = solves.solve(parts.source, "solving with its whole objective")
        told = replace(told, solver=solves.version)
        if found.status == Status.OPTIMAL:
            told = replace(told, objective=found.objective)
        # Solvers of products stop short of, or fail at, what a ray shows at once.
        elif ray := whole_ray(parts.still, parts.source, solves.clock.left):
            told = replace(told, status=Status.UNBOUNDED, ray=ray)
        elif found.status == Status.UNBOUNDED:
            unsure = "The solver says that its objective improves without end, which no ray shows."
            told = replace(told, unfinished=unsure)
        else:
            told = replace(told, unfinished=f"Its whole objective: {found.text()}.")
    except SolverError as error:
        told = replace(told, unfinished=f"{error}.")
    return replace(told, seconds=told.seconds + solves.clock.seconds)
