"""Numbers in stated ranges: the one check of options, settings, recipes and arguments."""

from dataclasses import dataclass
from numbers import Real
from typing import Any

from ordojo.core.errors import UsageError


@dataclass(frozen=True)
class NumberRange:
    """The numbers from `low` to `high`, both among them; with `whole` none but whole ones.

    One range stands for a command's option, a benchmark's, a recipe's and a function's argument.
    """

    low: float
    high: float
    whole: bool = False

    def __str__(self) -> str:
        return f"{_short(self.low)}..{_short(self.high)}"

    def check(self, name: str, value: Any) -> Any:
        """The value, a whole one as an int; UsageError where it is no number of the range."""
        if not self._has(value):
            raise self._refusal(name, repr(value) if isinstance(value, str) else str(value))
        return int(value) if self.whole else value

    def parse(self, name: str, text: str) -> Any:
        """The number that a text says; UsageError as `check`."""
        try:
            value = int(text) if self.whole else float(text)
        except ValueError:
            value = None
        if not self._has(value):
            raise self._refusal(name, text)
        return value

    def _has(self, value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, Real):
            return False
        number: Any = value
        return bool(self.low <= number <= self.high and not (self.whole and number % 1))

    @property
    def meant(self) -> str:
        """The range in words."""
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {_short(self.low)} to {_short(self.high)}"

    def _refusal(self, name: str, shown: str) -> UsageError:
        return UsageError(f"{name} {shown[:40]}: give {self.meant}")

    def field(self, default: Any = ..., says: str | None = None) -> Any:
        """A field of `Options` in this range, and what its help says."""
        from pydantic import Field

        return Field(default=default, ge=self.low, le=self.high, description=says)


def _short(value: float) -> str:
    return str(value) if not value or 1e-3 <= abs(value) < 1e10 else f"{value:g}"


SECONDS = NumberRange(0.001, 1_000_000)
"""Of time: eleven days. A kernel's timer counts milliseconds in 31 bits, which are twice that."""
MEGABYTES = NumberRange(64, 1 << 20, whole=True)
"""Of a program's memory: Python itself needs the least, and no machine has the most."""
COUNT = NumberRange(1, 10_000_000, whole=True)
"""Of instances, epochs, tokens: more is a slip of the finger, and days of work."""
COUNT_OR_NONE = NumberRange(0, COUNT.high, whole=True)
SIZE = NumberRange(0, 10**9)
"""Of an amount that may be nothing: dollars, gigabytes, hours, weights, rates."""
SEED = NumberRange(-(10**18), 10**18, whole=True)
"""Any number of eighteen digits, which every shell, JSON and database holds."""
TEMPERATURE = NumberRange(0, 2)
"""Of sampling, as providers take it."""
SHARE = NumberRange(0, 1)
PORT = NumberRange(1, 65535, whole=True)
MENU = NumberRange(1, 50, whole=True)
"""Of repairs and conflicts: more nobody reads."""
WEIGHT = NumberRange(1e-9, 10**9)
"""Of what moving a row by 1 costs: wider, and a solver's tolerance is more than a move."""
