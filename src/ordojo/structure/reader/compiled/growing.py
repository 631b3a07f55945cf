"""Arrays whose length is known only at the end."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Growing:
    """An array that grows as needed."""

    def __init__(self, kind: type[np.generic], likely: int = 0) -> None:
        self.array: NDArray[Any] = np.empty(max(likely, 1 << 16), kind)
        self.array[0] = 0

    def room(self, used: int, more: int) -> NDArray[Any]:
        """The array with its first `used` places kept and at least `more` behind."""
        if used + more > len(self.array):
            old = self.array
            self.array = np.empty(max(2 * len(old), used + more), old.dtype)
            self.array[:used] = old[:used]
        return self.array

    def cut(self, used: int) -> NDArray[Any]:
        """The array with its first places alone; nothing else may hold it."""
        self.array.resize(used, refcheck=False)
        return self.array
