"""Packages that moved are found under their former names, which exported generators import.

`ordojo.evaluate`, `ordojo.report` and `ordojo.structure` are functions now, and the packages
`evaluation`, `reports` and `structures`. Nothing of ours uses the former names.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, cast

MOVED = {
    "ordojo.evaluate": "ordojo.evaluation",
    "ordojo.report": "ordojo.reports",
    "ordojo.structure": "ordojo.structures",
}


class FormerNames:
    """Finds a module that moved: the module itself, by one more name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where it is now; None for any other name."""
        for former, now in MOVED.items():
            if fullname == former or fullname.startswith(f"{former}."):
                from importlib.util import find_spec as find  # a slip, or an old generator

                name = now + fullname[len(former) :]
                return ModuleSpec(fullname, cast(Any, self), origin=name) if find(name) else None
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module under its name of today."""
        module = import_module(spec.origin or "")
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run already; it stays what its own name says."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def install() -> None:
    """Have the import system ask here first: a folder that it knows would give a second copy."""
    sys.meta_path.insert(0, FormerNames())
