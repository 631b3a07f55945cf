"""Arrays of handles."""

from typing import Any

from ordojo.compat.core.terms import Objects


class Held:
    """An array of handles."""

    def __init__(self, items: Any) -> None:
        self._held: Objects = items

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""
        return self._held.shape

    @property
    def size(self) -> int:
        """How many there are."""
        return self._held.size

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return self._held.ndim

    def __getitem__(self, key: Any) -> Any:
        return type(self)(self._held[key])

    def item(self) -> Any:
        """The only one."""
        return self._held.item()

    def _as_expression(self) -> Any:
        return self.item() if self.size == 1 else self
