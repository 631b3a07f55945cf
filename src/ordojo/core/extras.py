"""What a plain installation lacks: each extra's libraries, and the sentence on a missing one.

One of a version outside the range that was tried is as good as missing.
"""

import importlib.util
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from ordojo.core.errors import OrdojoError, UsageError

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "embedded": ("xllamacpp",),
    "export": ("pyarrow",),
    "figures": ("fpdf", "ziafont", "ziamath"),
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


def untried(extra: str) -> list[str]:
    """Its installed libraries whose version is outside their range, each in words."""
    found = []
    from importlib import metadata  # a tenth of what a command loads

    with suppress(metadata.PackageNotFoundError):  # of ordojo itself: run from its source alone
        for line in metadata.requires("ordojo") or ():
            named = re.match(rf"([\w.-]+)(.*?); extra == ['\"]{extra}['\"]", line)
            with suppress(metadata.PackageNotFoundError):
                has = metadata.version(named[1]) if named else ""
                if named and not all(
                    (_numbers(has) >= _numbers(end)) == (sign == ">=")
                    for sign, end in re.findall(r"(>=|<)([\d.]+)", named[2])
                ):
                    found.append(f"{named[1]}{named[2]}, not {has}")
    return found


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


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
    if others := untried(extra):
        raise kind(f"{what} needs {', '.join(others)}; type: {to_type(extra)}")
