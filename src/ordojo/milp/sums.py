"""Sums over names: `sum(x)`, `sum(2*x[i] for i in range(3))`, `sum([x, y])`."""

from collections.abc import Iterator

from ordojo.milp.grammar import Terms, Value
from ordojo.milp.names import Key, key_of
from ordojo.milp.tokens import ExpressionError

MAX_WORK = 100_000
"""Factors that the sums of an expression may come to."""


class Sums(Terms):
    """Terms whose factors may be sums; loop variables stand in `bound`."""

    def sum_call(self) -> Value:
        """Read `sum(x)`, `sum(body for i in range(3))` or `sum([x, y])`."""
        self.deeper()
        opening = self.place + 1
        end = outer = self.close_of(opening)
        if self.tokens[opening + 1][0] == "[" and self.close_of(opening + 1) == end - 1:
            opening, end = opening + 1, end - 1
        loop = self._loop(opening + 1, end)
        self.place = opening + 1
        found = self._over(loop, end) if loop >= 0 else self._members(end)
        self.place = outer + 1
        self.depth -= 1
        return found

    def _loop(self, at: int, end: int) -> int:
        """The first `for` between two places outside inner brackets, or -1."""
        while at < end:
            if self.tokens[at][0] == "for":
                return at
            at = self.closing.get(at, at) + 1
        return -1

    def _members(self, end: int) -> Value:
        total: dict[int, float] = {}
        constant = 0.0
        while self.place < end:
            kind, text, _, _ = self.tokens[self.place]
            text = text.removesuffix(".values").removesuffix("[:]")
            after = self.place + 1
            if self.tokens[after][0] == "(" and after in self.closing and kind == "v":
                after = self.closing[after] + 1 if self.closing[after] == after + 1 else after
            alone = after == end and self.tokens[self.place - 1][0] == "("
            group = self.names.group(text) if kind == "v" and after <= end else []
            if text in self.names.cols and not alone:
                group = []
            if group and (after == end or self.tokens[after][0] == ","):
                self.place = after
                terms, number = dict.fromkeys(group, 1.0), 0.0
            else:
                terms, number = self.sum_of_terms()
            for j, value in terms.items():
                total[j] = total.get(j, 0.0) + value
            constant += number
            if self.place < end:
                self.expect(",")
        if self.place > end:
            raise self.unexpected("close the sum there")
        return total, constant

    def _over(self, loop: int, end: int) -> Value:
        """The body summed over the loops that follow it."""
        body, total, constant = self.place, dict[int, float](), 0.0
        for _ in self._bindings(loop, end):
            self.place = body
            terms, number = self.sum_of_terms()
            if self.place != loop:
                raise self.unexpected("put 'for' there")
            for j, value in terms.items():
                total[j] = total.get(j, 0.0) + value
            constant += number
            if self.work > MAX_WORK:
                raise ExpressionError(
                    "a sum over too many terms", self.tokens[loop][3], f"at most {MAX_WORK}"
                )
        return total, constant

    def _bindings(self, loop: int, end: int) -> Iterator[None]:
        """Set the loop variables, one combination after another."""
        if loop == end:
            yield
            return
        self.place = loop
        if self.tokens[loop][0] != "for":
            raise self.unexpected("put 'for' there, conditions are not read")
        kind, name, _, at = self.tokens[min(loop + 1, len(self.tokens) - 1)]
        self.place = min(loop + 2, len(self.tokens) - 1)
        if kind != "v" or self.tokens[self.place][1] != "in":
            raise ExpressionError("an unreadable loop", at, "write 'for i in range(3)'")
        self.place += 1
        values, after = self._values(end)
        for value in values:
            self.work += 1
            if self.work > MAX_WORK:
                raise ExpressionError("a sum over too many terms", at, f"at most {MAX_WORK}")
            outer = self.bound
            self.bound = {**outer, name: value}
            yield from self._bindings(after, end)
            self.bound = outer

    def _values(self, end: int) -> tuple[list[Key] | range, int]:
        """The values of a loop, and the place after them."""
        kind, text, _, at = self.tokens[self.place]
        if kind == "v" and text == "range" and self.tokens[self.place + 1][0] == "(":
            close = self.close_of(self.place + 1)
            ends = [key for key in self._keys(self.place + 2, close) if isinstance(key, int)]
            if not 1 <= len(ends) <= 3 or (len(ends) == 3 and ends[2] == 0):
                raise ExpressionError("an unreadable range", at, "write 'range(3)'")
            return range(*ends), close + 1
        if kind in ("[", "("):
            close = self.close_of(self.place)
            return self._keys(self.place + 1, close), close + 1
        if kind == "v" and (keys := self.names.keys(text.removesuffix(".keys"))):
            after = self.place + (3 if text.endswith(".keys") else 1)
            return keys, min(after, end)
        raise ExpressionError(f"unknown set '{text}'", at, "write range(3) or a list like [0, 2]")

    def _keys(self, at: int, end: int) -> list[Key]:
        keys: list[Key] = []
        while at < end:
            sign = ""
            if self.tokens[at][0] in ("-", "+"):
                sign, at = self.tokens[at][0], at + 1
            kind, text, _, place = self.tokens[at]
            if kind not in "nvq" or (sign and kind != "n"):
                raise ExpressionError("an unreadable list", place, "write it like [0, 2]")
            value = self.bound.get(text, text)
            keys.append(key_of(sign + value) if isinstance(value, str) else value)
            at += 1
            if at < end and self.tokens[at][0] != ",":
                raise ExpressionError(
                    "an unreadable list", self.tokens[at][3], "write it like [0, 2]"
                )
            at += 1
        return keys
