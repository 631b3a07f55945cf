"""The libraries that programs in the sandbox may count on, and which of them can be had there."""

import json
from collections.abc import Mapping
from functools import cache

from ordojo.core.errors import SandboxError
from ordojo.core.records import MISSING
from ordojo.sandbox import Limits, Sandbox

DECLARED: Mapping[str, tuple[str, ...]] = {
    "numpy": ("numpy",),
    "scipy": ("scipy", "scipy.optimize"),
    "pandas": ("pandas",),
    "highspy": ("highspy",),
    "PySCIPOpt": ("pyscipopt",),
    "PuLP": ("pulp",),
    "Pyomo": ("pyomo", "pyomo.environ"),
    "ortools": (
        "ortools",
        "ortools.linear_solver.pywraplp",
        "ortools.sat.python.cp_model",
        "ortools.math_opt.python.mathopt",
    ),
    "cvxpy": ("cvxpy",),
}
"""Each library by its name in the package index, with the modules that programs import of it.

docplex is none: CPLEX, which it solves with, is free to 1,000 variables and rows alone, so that
what is asked would be decided by a licence.
"""

_CHECK = """
import contextlib, importlib, importlib.metadata, json, os, signal, sys
declared = json.loads(%r)
for module in ("scipy.optimize", "pandas"):
    with contextlib.suppress(ImportError):
        importlib.import_module(module)
for name, modules in declared.items():
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for module in modules:
                importlib.import_module(module)
            code = 0
        finally:
            os._exit(code)
    declared[name] = child
for name, child in declared.items():
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        sys.exit(name + " was killed while it was imported")  # which does not say that it lacks
    declared[name] = importlib.metadata.version(name) if status == 0 else %r
print(json.dumps(declared))
"""
"""Each in a process of its own, as not all of them can be loaded into one; first what many of them
import, which saves half of the time."""


@cache
def declared_versions(isolation: str) -> Mapping[str, str]:
    """The version of each declared library, MISSING where it cannot be imported in the sandbox.

    SandboxError where programs cannot be contained by `isolation`, or the check itself fails.
    """
    with Sandbox(isolation, Limits(wall=120.0), preload=()) as sandbox:
        done = sandbox.run(_CHECK % (json.dumps(DECLARED), MISSING))
    try:
        found = json.loads(done.stdout)
        return {name: str(found[name]) for name in DECLARED}
    except (ValueError, KeyError, TypeError):
        raise SandboxError(
            f"the libraries that programs may use could not be looked at: {done.outcome} "
            f"{done.detail} {done.stderr[-300:]}"
        ) from None
