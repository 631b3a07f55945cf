"""What a plain installation lacks: each extra's libraries, and the sentence on a missing one."""

import importlib.util
from collections.abc import Mapping, Sequence

from ordojo.core.errors import OrdojoError, UsageError

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "embedded": ("xllamacpp",),
    "export": ("pyarrow",),
    "figures": ("matplotlib",),
    "gurobi": ("gurobipy",),
    "mcp": ("mcp",),
    "ray": ("ray",),
    "scip": ("pyscipopt",),
    "serve": ("openenv", "prometheus_client"),
    "train": (
        *("accelerate", "datasets", "gguf", "peft"),
        *("tensorboard", "torch", "transformers", "trl"),
    ),
    "verifiers": ("verifiers",),
}
"""The modules of every extra that a command or an option needs."""


def lacking(extra: str) -> list[str]:
    """Its modules that are not installed; none of them is imported, which may take seconds."""
    return [name for name in EXTRAS[extra] if importlib.util.find_spec(name) is None]


def to_type(extra: str) -> str:
    """What to type to have an extra."""
    return f"pip install 'ordojo[{extra}]'"


def need(
    extra: str, what: str, kind: type[OrdojoError] = UsageError, beside: Sequence[str] = ()
) -> None:
    """Raise `kind`, with the line to type, where `what` ("training") cannot be done here.

    `beside` names libraries that belong to no extra.
    """
    other = [name for name in beside if importlib.util.find_spec(name) is None]
    if missing := [*lacking(extra), *other]:
        typed = " ".join([to_type(extra), *other])
        raise kind(f"{what} needs {', '.join(missing)}, not installed here; type: {typed}")
