"""The solver service: the trusted half of `optimize()`, outside the sandbox."""

from ordojo.compat.service.cache import Cache
from ordojo.compat.service.limits import Limits
from ordojo.compat.service.records import SolveRecord
from ordojo.compat.service.service import Service

__all__ = ["Cache", "Limits", "Service", "SolveRecord"]
