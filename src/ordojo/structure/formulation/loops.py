"""A term as Python: what is prepared before the rows' loop, and the loop over its variables."""

import re

from ordojo.structure.formulation.expressions import (
    condition_of,
    key_of,
    letters_of,
    number,
    parts_of,
    swapped,
    tuple_of,
    whole,
)
from ordojo.structure.formulation.phrases import expression
from ordojo.structure.formulation.spec import Condition, Formulation, Group, Term


class Sum:
    """One term over its group, in Python; `indexed` are the lookups made so far."""

    def __init__(self, f: Formulation, term: Term, group: Group, indexed: set[str]) -> None:
        self.f, self.term, self.group, self.indexed = f, term, group, indexed
        self.at = [expression(one) for one in term.at]
        self.over = set(term.over)
        self.key = [k for k, text in enumerate(self.at) if text not in self.over]
        self.ahead: list[str] = []
        self.reached: Condition | None = None
        self.modular: Condition | None = None
        self.listed: Condition | None = None
        self.ranged: Condition | None = None
        self.owners: list[Condition] = []
        self.tests: list[str] = []
        for one in term.where:
            self._take(one)

    def _take(self, one: Condition) -> None:
        depends = {*letters_of(one.low), *letters_of(one.high)}
        turned = one.kind == "between" and one.of[0] not in self.over and bool(depends & self.over)
        if one.kind == "modular":
            self.modular = one
        elif one.kind == "member" and self.over & set(one.of):
            self.listed = self.listed or one
            if self.listed is not one:
                self.tests.append(condition_of(self.f, one))
        elif turned and one.low is not None and one.low.parameter and one.low == one.high:
            self.owners.append(one)
        elif turned:
            self.reached = one
        elif (
            one.kind == "between"
            and one.of[0] in self.over
            and one.low
            and one.high
            and (self.ranged is None)
        ):
            self.ranged = one
        else:
            self.tests.append(condition_of(self.f, one))

    def before(self) -> list[str]:
        """Lines that stand before the loop over the rows."""
        self.lines("")
        made = self.ahead
        self.ahead = []
        return made

    def lines(self, use: str) -> list[str]:
        """Lines within it; `use` has the places {key} and {coefficient}."""
        name = self.group.name
        key = f"{name}[{key_of(self.at)}]" if self.at else name
        done = use.replace("{key}", key).replace(
            "{coefficient}", number(self.f, self.term.coefficient)
        )
        loops: list[str] = []
        known = list(self.key)
        sure = True
        if self.owners:
            loops.append(self._owned(self.owners))
            owned = self.over & {*letters_of(self.owners[0].low)}
            known += [k for k, text in enumerate(self.at) if text in owned]
            sure = False
            if self.listed is not None:
                self.tests.insert(0, condition_of(self.f, self.listed))
                self.listed = None
        if self.listed is not None:
            mine = [text for text in self.listed.of if text not in self.over]
            free = [text for text in self.listed.of if text in self.over]
            loops.append(self._through(self.listed, mine))
            known += [k for k, text in enumerate(self.at) if text in free]
            sure = False
        if self.ranged is not None and self.ranged.of[0] not in (self.at[k] for k in known):
            ends = [end for end in (self.ranged.low, self.ranged.high) if end is not None]
            low, high = (whole(number(self.f, end)) for end in ends)
            loops.append(f"for {self.ranged.of[0]} in range({low}, {high} + 1):")
            known += [k for k, text in enumerate(self.at) if text == self.ranged.of[0]]
            sure = False
        elif self.ranged is not None:
            self.tests.insert(0, condition_of(self.f, self.ranged))
            self.ranged = None
        rest = [k for k in range(len(self.at)) if k not in known]
        tests = list(self.tests)
        if rest or self.reached or self.modular:
            loops.append(self._among(sorted(known), rest))
        elif (not (self.term.complete and sure) and self.at) or not sure:
            tests.insert(0, f"{tuple_of(self.at)} in {name}")
        if tests:
            loops.append(f"if {' and '.join(tests)}:")
        return ["    " * depth + line for depth, line in enumerate([*loops, done])]

    def _through(self, one: Condition, mine: list[str]) -> str:
        """A loop over the tuples of a table that have the letters known so far."""
        pattern = ", ".join(text if text in self.over else "_" for text in one.of)
        if not mine:
            return f"for {pattern} in {one.table}:"
        names = [f"k{k}" for k in range(len(one.of))]
        places = [k for k, text in enumerate(one.of) if text not in self.over]
        index = f"{one.table}_by_{'_'.join(str(k + 1) for k in places)}"
        taken = tuple_of([names[k] for k in places])
        self._index(index, f"{index} = group_by({one.table}, lambda {', '.join(names)}: {taken})")
        return f"for {pattern} in {index}[{key_of(mine)}]:"

    def _owned(self, owners: list[Condition]) -> str:
        """A loop over the tuples whose values in a table are the row's indices."""
        table, letters = self._source(owners[0]), letters_of(owners[0].low)
        self.owners = [
            one for one in owners
            if self._source(one) == table and letters_of(one.low) == letters
        ]  # fmt: skip
        self.tests += [condition_of(self.f, one) for one in owners if one not in self.owners]
        names = [f"k{k}" for k in range(len(letters))]
        swap = dict(zip(letters, names, strict=True))
        bound = [k for k, text in enumerate(letters) if text not in self.over]
        values = [number(self.f, swapped(one.low, swap)) for one in self.owners if one.low]
        taken = tuple_of([*values, *(names[k] for k in bound)])
        asked = key_of([*(one.of[0] for one in self.owners), *(letters[k] for k in bound)])
        index = re.sub(r"\W+", "_", f"{table}_by_{taken}").strip("_")
        self._index(index, f"{index} = group_by({table}, lambda {', '.join(names)}: {taken})")
        pattern = ", ".join(text if text in self.over else "_" for text in letters)
        return f"for {pattern} in {index}[{asked}]:"

    def _source(self, one: Condition) -> str:
        """The table whose indices the parameter of an equation is asked for first."""
        assert one.low is not None
        inner = next(filter(None, (parts_of(text)[0] for text in one.low.of)), one.low.parameter)
        return next(known.table for known in self.f.parameters if known.name == inner)

    def _among(self, known: list[int], rest: list[int]) -> str:
        """A loop over the variables of the group that have the indices known so far."""
        name, letters = self.group.name, self.group.index
        pattern = ", ".join(self.at[k] if k in rest else "_" for k in range(len(self.at)))
        taken = [letters[k] for k in known]
        asked = [self.at[k] for k in known]
        label = "".join(f"_{letter}" for letter in taken)
        if self.reached is not None:
            return self._reaching(known, pattern)
        if self.modular is not None:
            row, col = self.modular.of
            k = self.at.index(col)
            taken.append(f"{letters[k]} % {self.modular.modulus}")
            asked.append(f"({row} + {self.modular.shift}) % {self.modular.modulus}")
            label += f"_{letters[k]}_mod_{self.modular.modulus}"
        if not taken:
            return f"for {pattern} in {name}:"
        index = f"{name}_by{label}"
        line = f"{index} = group_by({name}, lambda {', '.join(letters)}: {tuple_of(taken)})"
        self._index(index, line)
        return f"for {pattern} in {index}[{key_of(asked)}]:"

    def _reaching(self, known: list[int], pattern: str) -> str:
        """The variables under each row index that lies between their first and last."""
        one = self.reached
        assert one is not None and one.low is not None and one.high is not None
        letter, letters = one.of[0], list(self.group.index)
        swap = {text: letters[k] for k, text in enumerate(self.at)}
        ends = []
        for end in (one.low, one.high):
            turned = swapped(end, swap)
            ends.append(whole(number(self.f, turned)))
        index = self._fresh(f"{self.group.name}_reaching_{letter}")
        own = [letters[k] for k in known]
        step = letter if letter not in letters else f"{letter}_"
        if self.ahead is not None and index not in self.indexed:
            self.indexed.add(index)
            self.ahead += [
                f"{index} = defaultdict(list)",
                f"for {', '.join(letters)} in {self.group.name}:",
                f"    for {step} in range({ends[0]}, {ends[1]} + 1):",
                f"        {index}[{key_of([*own, step])}].append({tuple_of(letters)})",
            ]
        return f"for {pattern} in {index}[{key_of([*(self.at[k] for k in known), letter])}]:"

    def _fresh(self, wanted: str) -> str:
        if not hasattr(self, "_made"):
            number = 2
            name = wanted
            while name in self.indexed:
                name, number = f"{wanted}_{number}", number + 1
            self._made = name
        return self._made

    def _index(self, name: str, line: str) -> None:
        if name not in self.indexed:
            self.indexed.add(name)
            self.ahead.append(line)
