"""Language models tested and trained on operations research, with a solver in the loop.

On models: `read_model`, `solve`, `iis`, `explain`, `repair`, `suggest`, `equivalent`, `structure`,
`run_program`, `whatif`, `whynot`, `worth`, `suspects`, `check`. On benchmarks: `load`, `make`,
`evaluate`, `grade`, `report`, `compare`, `build`, `verify`, `hardness`, `plan`. The contracts and
the errors stand beside them. Everything is loaded when it is first used.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

__version__ = "0.1.0"

# Each place with its names; `__init__.pyi` has the same for type checkers, as a test sees to.
_PLACES = {
    "ordojo.api.models": """
        equivalent explain iis repair solve structure
    """,
    "ordojo.api.reading": "read_model",
    "ordojo.api.asked": "check suspects whatif whynot worth",
    "ordojo.api.programs": "run_program",
    "ordojo.api.suggestion": "suggest",
    "ordojo.api.planning": "plan",
    "ordojo.api.benchmarks": "build compare evaluate grade hardness load make report verify",
    "ordojo.core.benchmark": "Benchmark",
    "ordojo.core.environment": "Environment Message Observation Step",
    "ordojo.core.errors": """
        BenchmarkError DataError GeneratorError OrdojoError ProviderError RunError SandboxError
        SolverError UsageError
    """,
    "ordojo.core.instance": "Certificate Instance",
    "ordojo.core.judge": "Judge Verdict",
    "ordojo.core.policy": "Policy",
    "ordojo.core.single_turn": "SingleTurn",
    "ordojo.milp.model": "Model",
}
_WHERE = {name: place for place, names in _PLACES.items() for name in names.split()}

__all__ = [
    "__version__",
    *_WHERE,
]


def __getattr__(name: str) -> Any:
    """What the front door names, from where it is written."""
    if name not in _WHERE:
        raise AttributeError(f"module 'ordojo' has no attribute '{name}'")
    try:
        return getattr(import_module(_WHERE[name]), name)
    except ImportError as error:
        if "ortools" in sys.modules and "highspy" in str(error):
            raise import_module("ordojo.core.errors").SolverError(
                "OR-Tools' and highspy's native libraries cannot be loaded in one process; take "
                "the model by ordojo.read_model, write it by ordojo.milp.files.write_model, give "
                "the file to another process"
            ) from None
        raise


def __dir__() -> list[str]:
    """The names of the front door."""
    return sorted(__all__)


class _FrontDoor(ModuleType):
    """Importing the package `ordojo.evaluate` must not hide the function of that name."""

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _WHERE or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _FrontDoor
