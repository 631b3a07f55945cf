"""What is known of a variable or constraint, by COPT's names."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ordojo.compat.coptpy.constants import KINDS
from ordojo.compat.coptpy.errors import CoptError, invalid, unsupported

_SENSITIVE = {"saobjlow", "saobjup", "salblow", "salbup", "saublow", "saubup"}
_RAYS = {"dualfarkas", "primalray"}


class Handle:
    """Information by COPT's names, whatever their case."""

    __slots__ = ()
    _what: ClassVar[str]
    _reads: ClassVar[Mapping[str, Callable[[Any], Any]]]
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]]
    _store: Any

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return self.getInfo(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("_store", "_col", "_row", "_part"):
            object.__setattr__(self, name, value)
        else:
            self.setInfo(name, value)

    def getInfo(self, infoname: str) -> Any:
        """A piece of information by name."""
        lower = infoname.lower()
        read = self._reads.get(lower)
        if read is None and lower in _SENSITIVE | _RAYS:
            raise unsupported(f"information '{infoname}'")
        if read is None or self._place() < 0:
            raise self._failed()
        return read(self)

    def setInfo(self, infoname: str, newval: Any) -> None:
        """Change a piece of information."""
        write = self._writes.get(infoname.lower())
        if write is None or self._place() < 0:
            raise invalid(f"Unknown {self._what} information")
        write(self, newval)

    def getName(self) -> str:
        """The name."""
        name: str = self.getInfo("name")
        return name

    def setName(self, newname: str) -> None:
        """Give it another name."""
        self.setInfo("name", newname)

    def getIdx(self) -> int:
        """The number; negative once removed."""
        return self._place()

    @property
    def index(self) -> int:
        """The number; negative once removed."""
        return self._place()

    def _failed(self) -> CoptError:
        return invalid(f"Fail to get a {self._what} information")

    def _place(self) -> int:
        raise NotImplementedError

    def __repr__(self) -> str:
        name = self._reads["name"](self) if self._place() >= 0 else ""
        return f"<coptpy.{type(self).__name__}: {name}>"


def kind_of(letter: Any) -> int:
    """The code of a variable type's letter."""
    found = KINDS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
    if found < 0:
        raise invalid("Fail to set variable type")
    return found


def basis(handle: Any) -> int:
    """Not supported."""
    if handle._store.x is None:
        raise invalid(f"Fail to get {handle._what} basis")
    raise unsupported("the simplex basis")


def in_iis(which: str) -> Callable[[Any], int]:
    """Whether a side of this kind is in the infeasible subsystem."""

    def read(handle: Any) -> int:
        iis = handle._store.iis
        if iis is None:
            raise invalid(f"Fail to get IIS status of {handle._what}")
        return int(handle._place() in iis[which])

    return read


def relaxed(which: str) -> Callable[[Any], float]:
    """What `feasRelax` has left of this kind."""

    def read(handle: Any) -> float:
        found = handle._store.relaxed
        if found is None:
            raise handle._failed()
        return float(found[which][handle._place()])

    return read
