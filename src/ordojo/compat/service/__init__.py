"""The solver service: the trusted half of `optimize()`, outside the sandbox."""

from ordojo.compat.service.service import Cache, Limits, Service, SolveRecord

__all__ = ["Cache", "Limits", "Service", "SolveRecord"]
