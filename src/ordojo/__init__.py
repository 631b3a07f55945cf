"""Language models tested and trained on operations research, with a solver in the loop.

Every command of the command line is a function here, and every type that a function takes or gives
stands beside them, with the contracts and the errors. Everything is loaded when it is first used.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from ordojo.core.former import install

__version__ = "0.1.0"

# Each place with its names; `__init__.pyi` has the same for type checkers, as a test sees to.
_PLACES = {
    "ordojo.api.models": """
        check equivalent explain iis repair solve suspects whatif whynot worth
    """,
    "ordojo.api.reading": "read_model read_problem",
    "ordojo.api.programs": "ProgramRun run_program",
    "ordojo.api.structures": """
        ObservedModel Survey WrittenStructure check_structure diff export_instance observe retell
        structure survey workbench write_structure
    """,
    "ordojo.api.benchmarks": """
        Catalogue Verification build catalogue hardness load make season verify
    """,
    "ordojo.api.runs": """
        EndOfAnswersError ask evaluate grade metrics plan play prepare suggest validate
    """,
    "ordojo.api.reports": "compare paper report reproduce",
    "ordojo.api.data": """
        DatasetPlace WeightsPlace audit_dataset describe_datasets export find_dataset list_datasets
        list_models pull_dataset pull_model verify_dataset
    """,
    "ordojo.api.reviews": """
        review_instances review_kept review_queue review_reasoning review_status review_tables
    """,
    "ordojo.api.trainers": "mcp serve train",
    "ordojo.core.benchmark": "Benchmark Suggestion",
    "ordojo.core.capacity": "Forecast",
    "ordojo.core.environment": "Environment Message Observation Step",
    "ordojo.core.errors": """
        BenchmarkError DataError GeneratorError OrdojoError ProviderError RunError SandboxError
        SolverError UsageError
    """,
    "ordojo.core.hardness": "Hardness",
    "ordojo.core.instance": "Certificate Instance",
    "ordojo.core.judge": "Judge Verdict",
    "ordojo.core.panels": "Table",
    "ordojo.core.policy": "Policy",
    "ordojo.core.records": "RunView",
    "ordojo.core.single_turn": "SingleTurn",
    "ordojo.core.spread": "Place",
    "ordojo.core.statistics": "Estimate",
    "ordojo.datasets.audit": "Audited AuditReport",
    "ordojo.datasets.nl2opt.audit": "ItemAudit",
    "ordojo.datasets.nl2opt.statistics": "DatasetStatistics",
    "ordojo.datasets.nl2opt.items": "ReferenceValidation",
    "ordojo.datasets.pull": "VerifyReport",
    "ordojo.datasets.store": "Located",
    "ordojo.evaluation.evaluation": "Evaluation",
    "ordojo.milp.model": "Model",
    "ordojo.reports.compare": "RunComparison",
    "ordojo.reports.papers": "ItemResult PaperItem",
    "ordojo.reports.site": "ReportPaths",
    "ordojo.review.statistics": "Statistics",
    "ordojo.solvers.answers": "Iis Repair SolveResult",
    "ordojo.solvers.asked.check": "Check",
    "ordojo.solvers.asked.plan": "WhatIf",
    "ordojo.solvers.asked.suspects": "Suspects",
    "ordojo.solvers.asked.worth": "RowWorth",
    "ordojo.solvers.equivalence": "Comparison",
    "ordojo.solvers.explain": "Explanation",
    "ordojo.solvers.problem": "Problem",
    "ordojo.structures.abstraction.abstract": "Abstraction",
    "ordojo.structures.abstraction.folder": "Report",
    "ordojo.structures.blueprint.accept": "Retelling",
    "ordojo.structures.blueprint.export": "Exported",
    "ordojo.structures.inspection.finding": "InspectionFinding",
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
        if "ortools" in sys.modules and "highspy" in (error.path or error.name or ""):
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
    """A package that is imported by its former name does not hide the function of that name."""

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _WHERE or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _FrontDoor
install()
