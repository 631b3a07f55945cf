"""Imports of declared libraries, in a program's process: failed ones are told, others are hooked.

Importing this module in the sandbox's warm worker puts the finder in place; nothing of the
libraries themselves is imported by it.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from ordojo.compat import transport
from ordojo.compat.declared import DECLARED
from ordojo.compat.hooks import HOOKS

_NAMES = {modules[0]: name for name, modules in DECLARED.items()}
"""The libraries by their top module."""


class _Declared(MetaPathFinder):
    """Finds declared libraries and their modules as Python itself does, and looks on."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        library = _NAMES.get(name.partition(".")[0])
        if library is None:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            if "." not in name and _asked_by_program():
                transport.tell_failed_import(library)
            return spec
        execute, hook = spec.loader.exec_module, HOOKS.get(name)

        def watched(module: ModuleType) -> None:
            try:
                execute(module)
            except ImportError:
                if _asked_by_program():
                    transport.tell_failed_import(library)
                raise
            if hook is not None:
                hook(module)

        spec.loader.exec_module = watched  # type: ignore[method-assign]
        return spec


def _asked_by_program() -> bool:
    """Whether the import stands in the program itself: what a library tries is its own affair."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename.startswith("<frozen importlib") and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_globals.get("__name__") == "__main__"


sys.meta_path.insert(0, _Declared())
