"""Which files a program may see: the interpreter, its libraries, ours, and what the caller names.

Everything else does not exist for it. Of this package only the packages that programs need are
shown: data sets, answers and judges are not.
"""

# Paths go straight to the kernel here, as text and at speed.
# ruff: noqa: PTH110, PTH114, PTH120, PTH208

import os
import site
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("__init__.py", "py.typed", "core", "milp", "solvers", "sandbox", "compat")
_SYSTEM = """
/usr /bin /sbin /lib /lib32 /lib64 /etc/alternatives /etc/ld.so.cache /etc/localtime
/nix/store /sys/devices/system/cpu /proc/cpuinfo /proc/meminfo
"""
DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
"""Not /dev/zero: mapped, it gives shared pages that no limit counts."""
_PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class FileLayout:
    """Paths to `read`, paths in them to `hide`, folders only `listed`, the search `path`.

    `library` is a file of the interpreter's own library, which must be readable at the end.
    """

    read: list[str]
    hide: list[str]
    listed: list[str]
    path: list[str]
    library: str

    def expanded(self) -> tuple[list[str], list[str]]:
        """The same as an allow-list without exceptions: whole subtrees, and folders to list."""
        whole: list[str] = []
        listed = [*self.listed]
        for path in self.read:
            self._expand(path, whole, listed)
        return whole, listed

    def _expand(self, path: str, whole: list[str], listed: list[str]) -> None:
        if path in self.hide:
            return
        if not any(_inside(hidden, path) for hidden in self.hide):
            whole.append(path)
            return
        listed.append(path)
        for name in sorted(os.listdir(path)):
            child = f"{path}/{name}"
            if not os.path.islink(child):
                self._expand(child, whole, listed)


def own_layout() -> FileLayout:
    """The running interpreter's layout; search paths outside its own libraries are left out."""
    roots = [sysconfig.get_path(n) for n in ("stdlib", "platstdlib", "purelib", "platlib")]
    for prefix in {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}:
        roots += [f"{prefix}/{name}" for name in ("lib", "lib64", "bin", "pyvenv.cfg")]
    if site.ENABLE_USER_SITE:
        roots.append(site.getusersitepackages())
    roots.append(os.path.dirname(sys.executable))
    read = [p for p in (*_SYSTEM.split(), *roots) if os.path.exists(p)]
    hide = [str(p) for p in sorted(_PACKAGE.iterdir()) if p.name not in PACKAGES]
    kept = [p for p in sys.path if any(_inside(p, root) for root in read)]
    above = str(_PACKAGE.parent)
    path = kept if above in kept else [*kept, above]
    return FileLayout(_outermost([*read, str(_PACKAGE)]), hide, [above], path, os.__file__)


def _outermost(paths: Sequence[str]) -> list[str]:
    """Each path as named and as resolved, without those that lie inside another one."""
    both = sorted({os.path.normpath(q) for p in paths for q in (p, os.path.realpath(p))})
    kept: list[str] = []
    for path in both:
        if path != "/" and not any(_inside(path, parent) for parent in kept):
            kept.append(path)
    return kept


def _inside(path: str, parent: str) -> bool:
    return path == parent or path.startswith(parent + "/")
