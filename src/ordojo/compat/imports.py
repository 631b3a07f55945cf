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


def solving(
    library: str,
    owner: str,
    names: str,
    state: State,
    answer: Callable[[ModuleType], None] | None = None,
) -> Callable[[ModuleType], None]:
    """What has calls of the methods of a module's class told, or of its functions where it is "".

    `answer` has solvers answered, before that.
    """

    def then(module: ModuleType) -> None:
        if answer is not None:
            answer(module)
        hook(library, getattr(module, owner, None) if owner else module, names, state)

    return then


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


_OF_PULP: Mapping[int, Status] = {
    1: Status.OPTIMAL,
    2: Status.TIME_LIMIT,  # "integer feasible": a point, not proven best
    -1: Status.INFEASIBLE,
    -2: Status.UNBOUNDED,
}


def _worded(status: Any) -> Status:
    word = getattr(status, "name", None) or str(status)
    return _WORDS.get(word.removeprefix("k").replace("_", "").lower(), Status.NUMERIC)


def _pulp(result: Any, problem: Any, *_: Any, **__: Any) -> tuple[Status, Any, bool]:
    value = problem.objective.value() if problem.sol_status in (1, 2) else None
    ending = _OF_PULP.get(problem.sol_status, Status.NUMERIC)
    return ending, value, problem.sense == -1


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


def _appsi(result: Any, solver: Any, model: Any, *_: Any, **__: Any) -> Any:
    return _pyomo_state(model, result.termination_condition)


def _pyomo_state(model: Any, status: Any) -> tuple[Status, Any, bool]:
    from pyomo.environ import Objective, maximize, value

    goal = next(model.component_data_objects(Objective, active=True))
    ending = _worded(status)
    found = value(goal, exception=False) if ending not in _POINTLESS else None
    return ending, found, goal.sense == maximize


_POINTLESS = {Status.INFEASIBLE, Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED}
"""Endings after which a library's variables may hold what they held before."""


_POINT = (Status.OPTIMAL, Status.TIME_LIMIT)
"""Endings of OR-Tools' after which there is a value."""


def _linear_solver(result: Any, solver: Any, *_: Any) -> tuple[Status, Any, bool]:
    goal, ending = solver.Objective(), _NUMBERS.get(result, Status.NUMERIC)
    return ending, goal.Value() if result < 2 else None, goal.maximization()


def _model_builder(result: Any, solver: Any, model: Any) -> tuple[Status, Any, bool]:
    value = solver.objective_value if _worded(result) in _POINT else None
    return _worded(result), value, model.helper.maximize()


def _cp_sat(result: Any, solver: Any, model: Any, *_: Any, **__: Any) -> Any:
    point = model.has_objective() and _worded(result) in _POINT
    value = solver.objective_value if point else None
    return _worded(result), value, model.proto.objective.scaling_factor < 0


def _routing(result: Any, routing: Any, *_: Any) -> tuple[Status, Any, bool]:
    """The values are those of its heuristics, with nothing proven; programs print them as found."""
    if result is None:
        return Status.TIME_LIMIT, None, False
    return Status.OPTIMAL, result.ObjectiveValue(), False


def _math_opt(result: Any, model: Any, *_: Any, **__: Any) -> tuple[Status, Any, bool]:
    value = result.objective_value() if result.has_primal_feasible_solution() else None
    return _worded(result.termination.reason), value, model.objective.is_maximize


def _cvxpy(result: Any, problem: Any, *_: Any, **__: Any) -> tuple[Status, Any, bool]:
    ending = _worded(problem.status)
    value = problem.value if ending not in _POINTLESS else None
    return ending, value, type(problem.objective).__name__ == "Maximize"


def _highspy(result: Any, highs: Any, *_: Any, **__: Any) -> tuple[Status, Any, bool]:
    point = highs.getInfo().primal_solution_status == 2  # feasible
    value = highs.getInfo().objective_function_value if point else None
    sense = highs.getObjectiveSense()[1].name
    return _worded(highs.getModelStatus()), value, sense == "kMaximize"


def _keep_highs_apart(module: ModuleType) -> None:
    """It prints its name when it is first told of anything, and remarks on what it is told."""
    logs.keep_apart(
        module.Highs,
        "passModel readModel addVariable addVariables addIntegral addBinary addVar addVars addCol"
        " addCols addConstr addConstrs addRow addRows setOptionValue",
    )


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
        return _NUMBERS.get(result.status, Status.NUMERIC), result.fun, False

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
    "pulp.pulp": solving("PuLP", "LpProblem", "solve", _pulp),
    "pyomo.opt.base.solvers": _pyomo,
    "pyomo.contrib.solver.common.factory": _pyomo,
    "pyomo.contrib.appsi.solvers.highs": solving("Pyomo", "Highs", "solve", _appsi),
    "pyomo.contrib.appsi.solvers.gurobi": solving("Pyomo", "Gurobi", "solve", _appsi),
    "pyomo.contrib.appsi.solvers": named.answer_appsi,
    "pyomo.neos.plugins.kestrel_plugin": named.answer_neos,
    "ortools.linear_solver.pywraplp": solving(
        "OR-Tools", "Solver", "Solve", _linear_solver, named.answer_linear_solver
    ),
    "ortools.linear_solver.python.model_builder": solving(
        "OR-Tools", "Solver", "solve", _model_builder, named.answer_model_builder
    ),
    "ortools.sat.python.cp_model": solving("OR-Tools", "CpSolver", "solve", _cp_sat),
    "ortools.constraint_solver.pywrapcp": solving(
        "OR-Tools", "RoutingModel", "Solve SolveWithParameters", _routing
    ),
    "ortools.math_opt.python.solve": solving(
        "OR-Tools", "", "solve", _math_opt, named.answer_math_opt
    ),
    "cvxpy.problems.problem": solving("cvxpy", "Problem", "solve", _cvxpy, named.answer_cvxpy),
    "highspy.highs": solving(
        "highspy", "Highs", "run solve minimize maximize", _highspy, _keep_highs_apart
    ),
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
