"""Solvers that OR-Tools and cvxpy know and do not bring: answered by one that they do."""

from functools import wraps
from types import ModuleType
from typing import Any

from ordojo.compat import transport

_LACKING = ("GUROBI", "CPLEX", "XPRESS", "GLPK", "COPT")
"""What OR-Tools is not linked with; others it brings. In the ids of its enumeration, too."""


def _theirs(wanted: str) -> str:
    """OR-Tools' own solver for the name of one that it lacks; "" for any other name."""
    name, _, kind = wanted.upper().partition("_")
    if name not in _LACKING or kind not in {
        *("", "LP", "MIP", "LINEAR_PROGRAMMING", "MIXED_INTEGER_PROGRAMMING")
    }:
        return ""
    return "GLOP" if kind.startswith("L") else "SCIP"


def answer_linear_solver(module: ModuleType) -> None:
    """`pywraplp`: SCIP where a mixed-integer solver is named, GLOP for a linear one."""
    kind: Any = module.Solver
    create, begin = kind.CreateSolver, kind.__init__
    numbers = {
        value: name
        for name, value in vars(kind).items()
        if name.endswith("_PROGRAMMING") and _theirs(name)
    }
    own = {"GLOP": kind.GLOP_LINEAR_PROGRAMMING, "SCIP": kind.SCIP_MIXED_INTEGER_PROGRAMMING}

    def created(solver_id: Any) -> Any:
        theirs = _theirs(str(solver_id))
        made = create(theirs or solver_id)
        if made is not None and theirs:
            made.answered = f"{solver_id}, answered by {theirs}"
        return made

    @wraps(begin)
    def begun(self: Any, name: Any, problem_type: Any) -> None:
        wanted = numbers.get(problem_type, "")
        begin(self, name, own[_theirs(wanted)] if wanted else problem_type)
        if wanted:
            self.answered = f"{wanted}, answered by {_theirs(wanted)}"

    kind.CreateSolver, kind.__init__ = staticmethod(created), begun


def answer_model_builder(module: ModuleType) -> None:
    """`model_builder`: the same by the name that its solver is made with."""
    kind: Any = module.Solver
    begin = kind.__init__

    @wraps(begin)
    def begun(self: Any, solver_name: str, *more: Any, **words: Any) -> None:
        theirs = _theirs(solver_name)
        begin(self, theirs.lower() or solver_name, *more, **words)
        if theirs:
            self.answered = f"{solver_name}, answered by {theirs}"

    kind.__init__ = begun


def answer_math_opt(module: ModuleType) -> None:
    """`mathopt.solve`: the same by the member of its enumeration, always with SCIP."""
    solve = module.solve

    @wraps(solve)
    def solved(opt_model: Any, solver_type: Any, **words: Any) -> Any:
        if _theirs(getattr(solver_type, "name", "")):
            solver_type = type(solver_type).GSCIP
        return solve(opt_model, solver_type, **words)

    module.solve = solved  # type: ignore[attr-defined]


_GENERAL = ("verbose", "warm_start", "gp", "qcp", "enforce_dpp", "ignore_dpp", "canon_backend")
"""Words of cvxpy's `solve` that are not one solver's."""
_CVXPY = """
CBC COPT CPLEX CUCLARABEL CUOPT CVXOPT DAQP ECOS ECOS_BB GLOP GLPK GLPK_MI IPOPT KNITRO MOSEK MPAX
NAG PDLP PIQP PROXQP QOCO QPALM SDPA UNO XPRESS
"""
"""Those that cvxpy knows, without those that come with it and those that work over our layers.
OR-Tools' two cannot be loaded beside highspy, which cvxpy loads."""


def answer_cvxpy(module: ModuleType) -> None:
    """`Problem.solve`: HiGHS, or where that cannot, another that comes with it or is declared."""
    kind: Any = module.Problem
    solve = kind.solve

    @wraps(solve)
    def solved(self: Any, *given: Any, **words: Any) -> Any:
        from cvxpy.error import SolverError

        wanted = given[0] if given and isinstance(given[0], str) else words.get("solver")
        self.answered, name = "", str(wanted).upper()
        if name not in _CVXPY.split():
            return solve(self, *given, **words)
        kept = {key: words[key] for key in _GENERAL if key in words}
        for own in ("HIGHS", "CLARABEL", "SCIP"):
            try:
                found = solve(self, solver=own, **kept)
            except SolverError as error:
                lacking = error
            else:
                self.answered = f"{name}, answered by {own}"
                return found
        transport.tell_unsupported("cvxpy", f"{name}: {lacking}")
        raise lacking

    kind.solve = solved
