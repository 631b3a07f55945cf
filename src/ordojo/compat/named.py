"""Solvers that programs name in other libraries: answered by the service's, under that name.

A program may ask Pyomo for glpk, PuLP for CBC, OR-Tools for CPLEX or cvxpy for GLPK_MI; whether a
machine has them must change nothing. Pyomo's and PuLP's have such models solved by the gurobipy
layer, and so by the service, which records who solved them; OR-Tools and cvxpy get the HiGHS that
they bring. What is told of the solve says under which name it was asked for. What HiGHS and SCIP
cannot answer is told as unsupported. First how options of any solver are read as limits, then each
library's own part: Pyomo, PuLP, OR-Tools, cvxpy.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache, wraps
from types import ModuleType
from typing import Any

import numpy as np

from ordojo.compat import transport
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.expressions import LinExpr
from ordojo.compat.gurobipy.model import Model
from ordojo.compat.gurobipy.state import problem_now
from ordojo.solvers.answers import Status

_NAMES: Mapping[str, str] = {
    "TimeLimit": """
        timelimit timelim tilim tmlim sec seconds secs maxseconds limitstime maxtime maxcputime
        maxwalltime reslim mioptimizermaxtime mskdparmiomaxtime mskdparoptimizermaxtime""",
    "MIPGap": """
        mipgap miprelgap mipgaprel relgap ratio ratiogap gaprel fracgap limitsgap epgap optcr epsr
        miptolerancesmipgap miprelstop mskdparmiotolrelgap reloptimalitygap""",
    "MIPGapAbs": """
        mipgapabs mipabsgap absgap allow allowablegap gapabs limitsabsgap epagap optca epsa
        miptolerancesabsmipgap mipabsstop mskdparmiotolabsgap""",
    "NodeLimit": """
        nodelimit nodelim maxnodes limitsnodes limitstotalnodes miplimitsnodes mipmaxnodes""",
}
_BY_NAME = {name: ours for ours, names in _NAMES.items() for name in names.split()}
_SIGNS = re.compile(r"[^a-z0-9]")
_LONGEST = 4
"""Words of the longest option: "set mip tolerances mipgap"."""


def parameters(options: Mapping[Any, Any]) -> dict[str, float]:
    """The limits that a solver's options set, as TimeLimit in seconds, MIPGap, and so on.

    Case and signs in names do not matter. Options that steer the search are left out, as they
    change no optimum; so are values that are no numbers.
    """
    found = {}
    for name, value in options.items():
        ours = _BY_NAME.get(_SIGNS.sub("", str(name).lower()).removeprefix("set"))
        with suppress(TypeError, ValueError):
            if ours is not None and (number := float(value)) >= 0:
                found[ours] = number
    return found


def from_words(words: Iterable[Any]) -> dict[str, float]:
    """The same of words as on a command line: `--tmlim 5`, `ratio=0.1`, a name with its value."""
    flat: list[str] = []
    for word in words:
        parts = word if isinstance(word, tuple | list) else [word]
        flat += [piece for part in parts for piece in re.split(r"[\s=]+", str(part)) if piece]
    found: dict[str, float] = {}
    for at, value in enumerate(flat):
        for count in range(1, min(at, _LONGEST) + 1):
            found |= parameters({"".join(flat[at - count : at]): value})
    return found


def who(solved: Any = None) -> str:
    """Who has answered, where what was called (a problem or a solver) named another; else ""."""
    return str(getattr(getattr(solved, "solver", solved), "answered", ""))


_SPELLED = {"highs": "HiGHS", "scip": "SCIP", "gurobi": "Gurobi"}


def answered(name: str, model: Any) -> str:
    """What is said of a solve that the layer has made of `model` under another solver's name."""
    solver = model._state.result.solver
    return f"{name}, answered by {_SPELLED.get(solver, solver)}"


_LINEAR = """
cbc _cbc_shell appsi_cbc clp coin-or-cbc glpk _glpk_shell glpsol lpsolve lp_solve symphony pico
mipcl
"""
_QUADRATIC = """
cplex _cplex_shell cplex_direct cplex_persistent appsi_cplex cplexamp cplex_ampl gurobi_ampl
gurobi_cl _gurobi_shell _gurobi_nl mosek mosek_direct mosek_persistent mosekampl copt copt_ampl
cuopt sas sas94 sascas _sas94 _sascas xpress xpress_direct xpress_persistent xpressamp
"""
_CONTINUOUS = """
ipopt ipopt_v2 appsi_ipopt cyipopt conopt conopt4 minos snopt loqo filter lancelot donlp2 asl
"""
_GENERAL = """
scip _scip_shell scipampl baron bonmin couenne knitro knitroampl knitro_direct knitro_persistent
gams _gams_shell _gams_direct gams_v2 appsi_maingo maingo lgo lindoglobal antigone octeract shot
minotaur dicopt alphaecp
"""
_DEGREE: Mapping[str, int] = {
    **dict.fromkeys(_LINEAR.split(), 1),
    **dict.fromkeys(f"{_QUADRATIC} {_CONTINUOUS} {_GENERAL}".split(), 2),
}
"""The names of Pyomo's that are answered, with the degree of what they are given at most."""
_NONLINEAR = frozenset(f"{_CONTINUOUS} {_GENERAL}".split())
"""Those that know functions which nothing here does."""
_RELAXING = frozenset(_CONTINUOUS.split())
"""Those that take whole numbers for any."""

_LEFT_OUT = """
executable io_options solver solver_io io_solver add_options mtype tmpdir validate solver_options
writer_config threads working_dir strict
"""
"""Words of Pyomo's `solve` that concern another program's files and commands."""
_GIVEN = ("dual", "slack", "rc")
"""What is handed back as suffixes."""


def answer_pyomo(module: ModuleType) -> None:
    """Have the names answered that are given to Pyomo's `SolverFactory`."""
    create: Callable[..., Any] = module.SolverFactoryClass.__call__

    @wraps(create)
    def call(self: Any, _name: Any = None, **options: Any) -> Any:
        name = re.sub(r"^asl:", "", str(_name or "")).partition(":")[0]
        if name == "asl" and options.get("solver"):
            name = str(options["solver"])
        if name == "gurobi" and options.get("solver_io") in ("nl", "os"):
            name = "gurobi_ampl"
        if name == "gurobi":  # over our layer, wherever its command is said to be
            options.pop("executable", None)
        # Of Pyomo's own interfaces to HiGHS not every release gives this name.
        if name not in _DEGREE and (name != "highs" or name in self._cls):
            return create(self, _name, **options)
        kept = {key: options[key] for key in ("options", "doc") if options.get(key) is not None}
        lasting = "persistent" in (options.get("solver_io"), name.rpartition("_")[2])
        return _kind(lasting)(type=name, name=name, **kept)

    module.SolverFactoryClass.__call__ = call


@cache
def _kind(persistent: bool) -> Any:
    """The class of solvers that are answered."""
    from pyomo.solvers.plugins.solvers import gurobi_direct, gurobi_persistent

    base: Any = gurobi_persistent.GurobiPersistent if persistent else gurobi_direct.GurobiDirect

    class Answered(base):  # type: ignore[misc]
        """A solver under its own name, without its own program."""

        options: Any
        _suffixes: list[str]

        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self._max_obj_degree = self._max_constraint_degree = _DEGREE.get(self.name, 2)
            self.answered = ""

        def available(self, exception_flag: bool = True) -> bool:
            return True

        def executable(self) -> str:
            return str(self.name)

        def set_executable(self, name: Any = None, validate: bool = True) -> None:
            """Nothing: which program is named makes no difference."""

        def set_problem_format(self, format: Any) -> None:
            """Nothing: there are no files."""

        def solve(self, *models: Any, **words: Any) -> Any:
            kept = {key: value for key, value in words.items() if key not in _LEFT_OUT.split()}
            self._wanted_log = kept.get("logfile")
            try:
                return super().solve(*models, **kept)
            except gurobi_direct.DegreeError:
                if self.name not in _NONLINEAR:
                    raise
                raise _unsupported(self.name) from None

        def _set_instance(self, model: Any, kwds: Any = None) -> None:
            _refuse_unknown_parts(model)
            super()._set_instance(model, {} if kwds is None else kwds)

        def _gurobi_vtype_from_var(self, var: Any) -> Any:
            if self.name in _RELAXING:
                return gurobi_direct.gurobipy.GRB.CONTINUOUS
            return super()._gurobi_vtype_from_var(var)

        def _apply_solver(self) -> Any:
            own = self.options
            self.options = type(own)(**parameters(own))
            if self._timelimit is not None:
                self.options["TimeLimit"] = self._timelimit
            if self._wanted_log:
                self.options["LogFile"] = str(self._wanted_log)
            try:
                return super()._apply_solver()
            finally:
                self.options = own

        def _postsolve(self) -> Any:
            self._suffixes = [s for s in self._suffixes if any(re.match(s, g) for g in _GIVEN)]
            found = super()._postsolve()
            self.answered = answered(self.name, self._solver_model)
            found.solver.name, found.solver.message = self.name, self.answered
            found.solver.time = found.solver.wallclock_time
            return found

    return Answered


def _unsupported(name: str) -> NotImplementedError:
    what = f"{name} for a nonlinear model"
    transport.tell("Pyomo", Status.UNSUPPORTED, detail=what)
    return NotImplementedError(
        f"{what} is not supported here; write it with linear or quadratic expressions"
    )


def answer_pyomo_new(module: ModuleType) -> None:
    """The same for the factory of Pyomo's new interfaces: by theirs to HiGHS, without options."""
    create: Callable[..., Any] = module.SolverFactoryClass.__call__

    @wraps(create)
    def call(self: Any, name: Any, **options: Any) -> Any:
        if name not in _DEGREE:
            return create(self, name, **options)
        return _over_highs(self._cls["highs"], name)()

    module.SolverFactoryClass.__call__ = call


def answer_appsi(module: ModuleType) -> None:
    """The same for the classes of `appsi`."""
    for name in ("Cbc", "Cplex", "Ipopt"):
        setattr(module, name, _over_highs(module.Highs, name.lower()))


@cache
def _over_highs(base: Any, name: str) -> Any:
    """A class of solvers under a name, by an interface of Pyomo's to HiGHS."""

    class Named(base):  # type: ignore[misc]
        """A solver under its own name."""

        answered = f"{name}, answered by HiGHS"

        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **options)
            setattr(self, f"{name}_options", {})  # appsi's; they steer the search

        def solve(self, model: Any, *more: Any, **words: Any) -> Any:
            kept = {key: value for key, value in words.items() if key not in _LEFT_OUT.split()}
            try:
                return super().solve(model, *more, **kept)
            except Exception as error:
                # Of several modules, one of which not every release has.
                known = type(error).__name__ in ("DegreeError", "IncompatibleModelError")
                if not known or name not in _NONLINEAR:
                    raise
                raise _unsupported(name) from None

    return Named


def answer_neos(module: ModuleType) -> None:
    """Solvers of the NEOS server, which no program reaches, are those of the same names here."""
    from pyomo.opt import SolverManagerFactory
    from pyomo.opt.parallel import local

    SolverManagerFactory._cls["neos"] = local.SolverManager_Serial


def _refuse_unknown_parts(model: Any) -> None:
    """ValueError for active parts that are no rows, as Pyomo's writers of files raise it.

    Its interface to gurobipy would solve the model without them.
    """
    from pyomo import core
    from pyomo.core.base import ExternalFunction
    from pyomo.core.base.block import BlockData
    from pyomo.network import Port
    from pyomo.repn.util import categorize_valid_components

    if not isinstance(model, BlockData):  # of pyomo.kernel, which has rows alone
        return
    data = {core.Var, core.Param, core.Expression, core.Set, core.RangeSet, ExternalFunction, Port}
    rows = {core.Constraint, core.SOSConstraint, core.Objective}
    _, unknown = categorize_valid_components(
        model, active=True, valid={core.Block, *data}, targets={core.Suffix, *rows}
    )
    if unknown:
        names = ", ".join(sorted(part.name for parts in unknown.values() for part in parts))
        kinds = ", ".join(sorted(kind.__name__ for kind in unknown))
        raise ValueError(
            f"The model ('{model.name}') contains active components that no solver's file can "
            f"hold ({kinds}): {names}"
        )


_OWN = frozenset({"HiGHS", "SCIP_PY", "GUROBI", "COPT"})
"""Those of PuLP's that work as they are: with highspy, with pyscipopt, and over our layers."""

_NO_SOLUTION, _OPTIMAL, _FEASIBLE, _INFEASIBLE, _UNBOUNDED = 0, 1, 2, -1, -2
"""PuLP's statuses of a solution."""

_ENDED = {
    GRB.OPTIMAL: _OPTIMAL,
    GRB.INFEASIBLE: _INFEASIBLE,
    GRB.INF_OR_UNBD: _INFEASIBLE,
    GRB.UNBOUNDED: _UNBOUNDED,
}


def answer_pulp(module: ModuleType) -> None:
    """Have PuLP's solver classes answered, once `pulp.apis` has been imported."""
    for kind in module._all_solvers:
        if kind.name not in _OWN:
            kind.available = lambda self: True
            kind.actualSolve = _solve_pulp
    # The same on every machine, whatever commands there are; PULP_CBC_CMD warns of its end.
    module.LpSolverDefault = module.COIN_CMD()  # type: ignore[attr-defined]


def _solve_pulp(solver: Any, problem: Any, **_: Any) -> int:
    """`actualSolve`: PuLP's status; values, prices and slacks are in the problem's own objects."""
    columns = problem.variables()
    held = getattr(problem, "_constraints", None)  # PuLP 4 makes `constraints` a method
    rows = list((problem.constraints if held is None else held).values())
    model = _built(solver, problem, columns, rows)
    model.optimize()
    ended, point = _ENDED.get(model.Status, _NO_SOLUTION), model.SolCount > 0
    if ended == _NO_SOLUTION and point:
        ended = _FEASIBLE
    # PuLP's commands leave numbers everywhere, of whatever point they ended at: here 0.
    costs = [problem.objective.get(column, 0.0) for column in columns]
    prices, reduced = _prices(model) if ended == _OPTIMAL else (None, costs)
    _fill(columns, "varValue", model.X if point else None)
    _fill(columns, "dj", reduced)
    _fill(rows, "pi", prices)
    _fill(rows, "slack", model.Slack if point else [-row.constant for row in rows])
    solver.answered = answered(solver.name, model)
    status = _OPTIMAL if ended == _FEASIBLE else ended
    problem.assignStatus(status, ended)
    return status


def _built(solver: Any, problem: Any, columns: list[Any], rows: list[Any]) -> Any:
    model = Model(str(problem.name))
    log = model._state.params.log
    log.quiet = True
    given = {**solver.optionsDict, "timeLimit": solver.timeLimit}
    limits = from_words(solver.options or ()) | parameters(given)
    for name, value in limits.items():
        model.setParam(name, value)
    if path := solver.optionsDict.get("logPath"):
        model.setParam("LogFile", str(path))
    model.setParam("LogToConsole", int(bool(solver.msg) and not path))
    log.quiet = False
    ours = {}
    for column in columns:
        low = -GRB.INFINITY if column.lowBound is None else column.lowBound
        up = GRB.INFINITY if column.upBound is None else column.upBound
        kind = GRB.INTEGER if solver.mip and column.cat == "Integer" else GRB.CONTINUOUS
        ours[column] = model.addVar(low, up, vtype=kind, name=column.name)
        if solver.optionsDict.get("warmStart") and column.varValue is not None:
            ours[column].Start = column.varValue
    for row in rows:
        left = LinExpr(list(row.values()), [ours[column] for column in row])
        sense = {-1: GRB.LESS_EQUAL, 0: GRB.EQUAL, 1: GRB.GREATER_EQUAL}[row.sense]
        model.addLConstr(left, sense, -row.constant, row.name or "")
    for kind, sets in ((GRB.SOS_TYPE1, problem.sos1), (GRB.SOS_TYPE2, problem.sos2)):
        for members in sets.values():
            model.addSOS(kind, [ours[column] for column in members], list(members.values()))
    goal = problem.objective
    model.setObjective(
        LinExpr(list(goal.values()), [ours[column] for column in goal]) + goal.constant,
        GRB.MAXIMIZE if problem.sense == -1 else GRB.MINIMIZE,
    )
    model.update()
    return model


def _prices(model: Any) -> tuple[Any, Any]:
    """Dual values and reduced costs: of the program with its whole numbers fixed, if it has some.

    None with ordered sets, which no fixed program keeps.
    """
    if model.NumSOS:
        return None, None
    if not model.IsMIP:
        return model.Pi, model.RC
    linear = problem_now(model._state).model
    from ordojo.solvers.choose import get_oracle  # loads highspy, with which OR-Tools cannot be

    found = get_oracle("highs").solve(linear.fixed_at(np.array(model.X)))
    return found.row_dual, found.col_dual


def _fill(members: list[Any], name: str, values: Any) -> None:
    for place, member in enumerate(members):
        setattr(member, name, 0.0 if values is None else float(values[place]))


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


_OF_ALL = ("verbose", "warm_start", "gp", "qcp", "enforce_dpp", "ignore_dpp", "canon_backend")
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
        kept = {key: words[key] for key in _OF_ALL if key in words}
        for own in ("HIGHS", "CLARABEL", "SCIP"):
            try:
                found = solve(self, solver=own, **kept)
            except SolverError as error:
                lacking = error
            else:
                self.answered = f"{name}, answered by {own}"
                return found
        transport.tell("cvxpy", Status.UNSUPPORTED, detail=f"{name}: {lacking}")
        raise lacking

    kind.solve = solved
