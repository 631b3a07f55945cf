"""The solver service: the trusted half of `optimize()`, outside the sandbox."""

from ordojo.compat.service.service import Cache, Service, SolveRecord, SolverLimits

__all__ = ["Cache", "Service", "SolveRecord", "SolverLimits"]
