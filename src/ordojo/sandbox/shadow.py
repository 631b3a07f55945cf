"""Modules that stand in for others: `import gurobipy` may resolve to a layer of our own."""

import importlib
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Alias(Loader):
    """Loads a name as the module that stands in for it."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._target)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # the import system has put the alias's in its place


class ShadowFinder(MetaPathFinder):
    """Finds each shadowed package, and its submodules, under the package that stands in for it."""

    def __init__(self, shadow: Mapping[str, str]) -> None:
        self._shadow = dict(shadow)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A spec whose loader gives the other module; None for names that are not shadowed."""
        top, _, rest = name.partition(".")
        if top not in self._shadow:
            return None
        other = self._shadow[top] + ("." + rest if rest else "")
        try:
            found = importlib.util.find_spec(other)
        except ModuleNotFoundError:
            found = None
        if found is None:
            if rest:
                return None
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return ModuleSpec(
            name, _Alias(other), is_package=found.submodule_search_locations is not None
        )


def install(shadow: Mapping[str, str]) -> None:
    """Put the finder before all others."""
    if shadow:
        sys.meta_path.insert(0, ShadowFinder(shadow))
