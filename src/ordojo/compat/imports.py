"""Declared libraries in a program's process: failed imports, and solves made there, are told.

Importing this module in the sandbox's warm worker puts the finder in place; nothing of the
libraries themselves is imported by it.

What is told is the program's own word: one that goes at these hooks can forge it, as it cannot
forge what the service solves. It gains nothing by that, since a model of one variable, fixed at
the value, is solved by the service as well. What hooks keep out is a value that was only printed.
"""

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from ordojo.compat import logs, named, transport
from ordojo.compat.libraries import DECLARED
from ordojo.solvers.answers import Status

State = Callable[..., tuple[Status, Any, bool]]
"""Status, objective and sense (True: maximized) after a call, given its result and arguments."""

_depth = 0
look: Callable[..., None] | None = None
"""Handed what a library's outermost solve is handed, before it and after it."""


def _told(library: str, call: Callable[..., Any], state: State) -> Callable[..., Any]:
    """The call, its log kept apart, told when it has ended; not those that it makes inside."""

    @functools.wraps(call)
    def solving(*args: Any, **kwargs: Any) -> Any:
        global _depth
        if _depth:
            return call(*args, **kwargs)
        with logs.apart():
            if look is not None:
                look(*args, *kwargs.values())
            _depth += 1
            try:
                result = call(*args, **kwargs)
            finally:
                _depth -= 1
                if look is not None:  # highspy's minimize() sets the objective
                    look(*args, *kwargs.values())
        with suppress(Exception):  # what a library lacks here, it has not solved
            transport.tell(library, *state(result, *args, **kwargs), named.who(*args[:1]))
        return result

    return solving


def hook(library: str, owner: Any, names: str, state: State) -> None:
    """Have calls of these methods, or functions, told."""
    for name in names.split():
        if call := getattr(owner, name, None):
            setattr(owner, name, _told(library, call, state))


def _ending(word: Any, words: Mapping[Any, Status]) -> Status:
    return words.get(word, Status.NUMERIC)


def _pulp(module: ModuleType) -> None:
    words = {
        1: Status.OPTIMAL,
        2: Status.TIME_LIMIT,  # "integer feasible": a point, not proven best
        -1: Status.INFEASIBLE,
        -2: Status.UNBOUNDED,
    }

    def state(result: Any, problem: Any, *_: Any, **__: Any) -> tuple[Status, Any, bool]:
        value = problem.objective.value() if problem.sol_status in (1, 2) else None
        return _ending(problem.sol_status, words), value, problem.sense == -1

    hook("PuLP", module.LpProblem, "solve", state)


_SPELLED: Mapping[Status, str] = {
    Status.OPTIMAL: """
        optimal globallyoptimal locallyoptimal convergencecriteriasatisfied gaplimit""",
    Status.INFEASIBLE: "infeasible proveninfeasible",
    Status.UNBOUNDED: "unbounded",
    Status.INFEASIBLE_OR_UNBOUNDED: "infeasibleorunbounded unboundedorinfeasible inforunbd",
    Status.TIME_LIMIT: "maxtimelimit timelimit userlimit feasible unknown",
    Status.NODE_LIMIT: "nodelimit iterationlimit maxiterations",
    Status.SOLUTION_LIMIT: "sollimit solutionlimit",
    Status.INTERRUPTED: "userinterrupt interrupt",
}
"""Statuses of several libraries, without what their spellings differ by."""
_WORDS = {word: status for status, words in _SPELLED.items() for word in words.split()}
_NUMBERS: Mapping[int, Status] = {
    0: Status.OPTIMAL,
    1: Status.TIME_LIMIT,
    2: Status.INFEASIBLE,
    3: Status.UNBOUNDED,
    6: Status.TIME_LIMIT,  # not solved, of OR-Tools
}
"""Statuses of scipy and of OR-Tools' linear solver."""


def _worded(status: Any) -> Status:
    word = getattr(status, "name", None) or str(status)
    return _ending(word.removeprefix("k").replace("_", "").lower(), _WORDS)


def _pyomo(module: ModuleType) -> None:
    """SolverFactory gives solvers of many classes: each is hooked when it is first given."""
    answer = named.answer_pyomo if hasattr(module, "OptSolver") else named.answer_pyomo_new
    answer(module)
    create = module.SolverFactoryClass.__call__

    def state(result: Any, solver: Any, *args: Any, **kwargs: Any) -> Any:
        model = args[0] if args else kwargs.get("model") or solver._pyomo_model
        status = getattr(result, "solver", result).termination_condition
        return _pyomo_state(model, status)

    @functools.wraps(create)
    def call(self: Any, _name: Any = None, **kwargs: Any) -> Any:
        solver = create(self, _name, **kwargs)
        if solver is not None and solver is not self:
            kind = type(solver)
            if "_ordojo" not in vars(kind) and callable(getattr(kind, "solve", None)):
                hook("Pyomo", kind, "solve", state)
                kind._ordojo = True
        return solver

    module.SolverFactoryClass.__call__ = call


def _appsi(module: ModuleType) -> None:
    def state(result: Any, solver: Any, model: Any, *_: Any, **__: Any) -> Any:
        return _pyomo_state(model, result.termination_condition)

    for kind in ("Highs", "Gurobi"):
        if hasattr(module, kind):
            hook("Pyomo", getattr(module, kind), "solve", state)


def _pyomo_state(model: Any, status: Any) -> tuple[Status, Any, bool]:
    from pyomo.environ import Objective, maximize, value

    goal = next(model.component_data_objects(Objective, active=True))
    ending = _worded(status)
    found = value(goal, exception=False) if ending not in _POINTLESS else None
    return ending, found, goal.sense == maximize


_POINTLESS = {Status.INFEASIBLE, Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED}
"""Endings after which a library's variables may hold what they held before."""


def _linear_solver(module: ModuleType) -> None:
    def state(result: Any, solver: Any, *_: Any) -> tuple[Status, Any, bool]:
        goal = solver.Objective()
        return _ending(result, _NUMBERS), goal.Value() if result < 2 else None, goal.maximization()

    named.answer_linear_solver(module)
    hook("OR-Tools", module.Solver, "Solve", state)


def _model_builder(module: ModuleType) -> None:
    def state(result: Any, solver: Any, model: Any) -> tuple[Status, Any, bool]:
        ending = _worded(result)
        point = ending in (Status.OPTIMAL, Status.TIME_LIMIT)
        return ending, solver.objective_value if point else None, model.helper.maximize()

    named.answer_model_builder(module)
    hook("OR-Tools", module.Solver, "solve", state)


def _cp_sat(module: ModuleType) -> None:
    def state(result: Any, solver: Any, model: Any, *_: Any, **__: Any) -> Any:
        ending = _worded(result)
        point = model.has_objective() and ending in (Status.OPTIMAL, Status.TIME_LIMIT)
        value = solver.objective_value if point else None
        return ending, value, model.proto.objective.scaling_factor < 0

    hook("OR-Tools", module.CpSolver, "solve", state)


def _routing(module: ModuleType) -> None:
    """The values are those of its heuristics, with nothing proven; programs print them as found."""

    def state(result: Any, routing: Any, *_: Any) -> tuple[Status, Any, bool]:
        if result is None:
            return Status.TIME_LIMIT, None, False
        return Status.OPTIMAL, result.ObjectiveValue(), False

    hook("OR-Tools", module.RoutingModel, "Solve SolveWithParameters", state)


def _math_opt(module: ModuleType) -> None:
    def state(result: Any, model: Any, *_: Any, **__: Any) -> tuple[Status, Any, bool]:
        ending = _worded(result.termination.reason)
        value = result.objective_value() if result.has_primal_feasible_solution() else None
        return ending, value, model.objective.is_maximize

    named.answer_math_opt(module)
    hook("OR-Tools", module, "solve", state)


def _cvxpy(module: ModuleType) -> None:
    def state(result: Any, problem: Any, *_: Any, **__: Any) -> tuple[Status, Any, bool]:
        ending = _worded(problem.status)
        value = problem.value if ending not in _POINTLESS else None
        return ending, value, type(problem.objective).__name__ == "Maximize"

    named.answer_cvxpy(module)
    hook("cvxpy", module.Problem, "solve", state)


def _highspy(module: ModuleType) -> None:
    def state(result: Any, highs: Any, *_: Any, **__: Any) -> tuple[Status, Any, bool]:
        ending = _worded(highs.getModelStatus())
        point = highs.getInfo().primal_solution_status == 2  # feasible
        sense = highs.getObjectiveSense()[1].name == "kMaximize"
        return ending, highs.getInfo().objective_function_value if point else None, sense

    # It prints its name when it is first told of anything, and remarks on what it is told.
    logs.keep_apart(
        module.Highs,
        "passModel readModel addVariable addVariables addIntegral addBinary addVar addVars addCol"
        " addCols addConstr addConstrs addRow addRows setOptionValue",
    )
    hook("highspy", module.Highs, "run solve minimize maximize", state)


def _pyscipopt(module: ModuleType) -> None:
    """Its class is compiled and takes no new methods: a subclass stands in its place."""

    def state(result: Any, model: Any, *_: Any) -> tuple[Status, Any, bool]:
        value = model.getObjVal() if model.getNSols() else None
        return _worded(model.getStatus()), value, model.getObjectiveSense() == "maximize"

    kind = module.Model
    calls = ("optimize", "optimizeNogil", "solveConcurrent")
    known: dict[str, Any] = {"__module__": kind.__module__}
    for name in calls:
        if hasattr(kind, name):
            known[name] = _told("PySCIPOpt", getattr(kind, name), state)
    module.Model = type("Model", (kind,), known)  # type: ignore[attr-defined]


def _scipy(module: ModuleType) -> None:
    def linear(result: Any, *_: Any, **__: Any) -> tuple[Status, Any, bool]:
        return _ending(result.status, _NUMBERS), result.fun, False

    def general(result: Any, *_: Any, **__: Any) -> tuple[Status, Any, bool]:
        return Status.OPTIMAL if result.success else Status.NUMERIC, result.fun, False

    def assigned(result: Any, cost_matrix: Any, maximize: bool = False) -> tuple[Status, Any, bool]:
        from numpy import asarray

        return Status.OPTIMAL, asarray(cost_matrix)[result].sum(), maximize

    searches = "minimize minimize_scalar differential_evolution dual_annealing shgo direct"
    hook("scipy", module, "linprog milp", linear)
    hook("scipy", module, searches, general)
    hook("scipy", module, "linear_sum_assignment", assigned)


HOOKS: dict[str, Callable[[ModuleType], None]] = {
    "pulp.apis": named.answer_pulp,
    "pulp.pulp": _pulp,
    "pyomo.opt.base.solvers": _pyomo,
    "pyomo.contrib.solver.common.factory": _pyomo,
    "pyomo.contrib.appsi.solvers.highs": _appsi,
    "pyomo.contrib.appsi.solvers.gurobi": _appsi,
    "pyomo.contrib.appsi.solvers": named.answer_appsi,
    "pyomo.neos.plugins.kestrel_plugin": named.answer_neos,
    "ortools.linear_solver.pywraplp": _linear_solver,
    "ortools.linear_solver.python.model_builder": _model_builder,
    "ortools.sat.python.cp_model": _cp_sat,
    "ortools.constraint_solver.pywrapcp": _routing,
    "ortools.math_opt.python.solve": _math_opt,
    "cvxpy.problems.problem": _cvxpy,
    "highspy.highs": _highspy,
    "pyscipopt.scip": _pyscipopt,
    "scipy.optimize": _scipy,
}
"""What is done to a module once it has been imported."""


_NAMES = {module: name for name, module in DECLARED.items()}
"""The libraries by their top module."""


class _Declared(MetaPathFinder):
    """Finds declared libraries and their modules as Python itself does, and looks on."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        library, then = _NAMES.get(name.partition(".")[0]), HOOKS.get(name)
        if library is None and then is None:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            if library and "." not in name and _asked_by_program():
                transport.tell(library, Status.LACKING)
            return spec
        execute = spec.loader.exec_module

        def watched(module: ModuleType) -> None:
            try:
                execute(module)
            except ImportError:
                if library and _asked_by_program():
                    transport.tell(library, Status.LACKING)
                raise
            if then is not None:
                then(module)

        spec.loader.exec_module = watched  # type: ignore[method-assign]
        return spec


def _asked_by_program() -> bool:
    """Whether the import stands in the program itself: what a library tries is its own affair."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename.startswith("<frozen importlib") and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_globals.get("__name__") == "__main__"


sys.meta_path.insert(0, _Declared())
