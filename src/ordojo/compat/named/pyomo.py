"""Pyomo's solvers by name: answered by the service, through Pyomo's own interface to gurobipy."""

import re
from collections.abc import Callable, Mapping
from functools import cache, wraps
from types import ModuleType
from typing import Any

from ordojo.compat import transport
from ordojo.compat.named.common import answered, parameters

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
"""The names that are answered, with the degree of what they are given at most."""
_NONLINEAR = frozenset(f"{_CONTINUOUS} {_GENERAL}".split())
"""Those that know functions which nothing here does."""
_RELAXING = frozenset(_CONTINUOUS.split())
"""Those that take whole numbers for any."""

_LEFT_OUT = """
executable io_options solver solver_io io_solver add_options mtype tmpdir validate solver_options
writer_config threads working_dir strict
"""
"""Words of `solve` that concern another program's files and commands."""
_GIVEN = ("dual", "slack", "rc")
"""What is handed back as suffixes."""


def answer(module: ModuleType) -> None:
    """Have the names answered that are given to `SolverFactory`."""
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
    transport.tell_unsupported("Pyomo", what)
    return NotImplementedError(
        f"{what} is not supported here; write it with linear or quadratic expressions"
    )


def answer_new(module: ModuleType) -> None:
    """The same for the factory of the new interfaces: by theirs to HiGHS, without options."""
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
