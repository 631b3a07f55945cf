"""A model as a declaration: sets, parameters, variable groups, objective and families over loops.

Loops and rules are Python comprehension clauses and expressions, read as an algebra and never as
anything else: the scope `for k in K for (i, j) in A if i != j`, the rule
`sum(flow[k, i, j] for (i, j) in A if i == n) <= capacity[n] * built[n]`. Sets begin with a capital
letter; parameters and variable groups are lower-case words. `algebra` reads them, and the model,
`model.md`, `solve.py` and the text all follow from the same declaration.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from ordojo.formulation.vocabulary import Scaffold, Semantic

Number = int | float
Column = list[Any]
"""Numbers; in what is recovered from a file also words, for indices that are words there."""
Tables = dict[str, dict[str, Column]]
"""By table and column; every table is one CSV file, `parameters` has a single row."""
PARAMETERS = "parameters"
"""The table of scalar parameters."""
SETS = "sets"
"""The table of sets of whole numbers: by name, the first and the last."""


@dataclass(frozen=True)
class Set:
    """An index set: the key columns of a table, or 1, ..., `size` for a scalar parameter `size`.

    In the table `SETS` it is the numbers from a first to a last. `one` and `many` are what its
    elements are called ("product", "products"). A set with several key columns has tuples for
    elements; `parts` names the sets that they come from. `names` is a pool of names for the
    elements, for texts that call them by name. `within` is the wider set that it is a part of.
    """

    name: str
    one: str
    many: str
    table: str = ""
    key: tuple[str, ...] = ()
    size: str = ""
    parts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    within: str = ""


@dataclass(frozen=True)
class Parameter:
    """Given numbers: one for each element of `over` (set names), a scalar where that is empty.

    `meaning` reads on after "the"; `unit` is what it is measured in. The numbers stand in the
    column `name` of `table`, beside the key columns of the sets, or `key` where those would clash;
    elements that are not there have the `default`.
    """

    name: str
    meaning: str
    unit: str = ""
    over: tuple[str, ...] = ()
    table: str = PARAMETERS
    key: tuple[str, ...] = ()
    default: float | None = None


@dataclass(frozen=True)
class Group:
    """A variable group: one column of the model for each element of its `scope`.

    `meaning` reads on after "the"; `lower` and `upper` (none: infinite) are expressions over
    parameters and the scope's indices. `scope` "" is a single variable. `domain` is "binary",
    "integer", "continuous", "semicontinuous", "semiinteger" or the parameter that says it for each.
    """

    name: str
    scope: str
    meaning: str
    domain: str
    unit: str = ""
    lower: str = "0"
    upper: str = ""


@dataclass(frozen=True)
class Family:
    """A constraint family: one row for each element of its `scope` ("" is a single row).

    `meaning` is a sentence without its loop and without numbers of the data; scalar parameters may
    stand in it as `{name}`. `each` replaces the scope in words, which otherwise follows from it. A
    rule is a comparison, or `row(left, sense, right, range)` as an MPS file says one. With `given`
    a row holds only where these equations of a variable do. `scaffold` is by default what the
    number of loops says: global, single or nested.
    """

    name: str
    scope: str
    rule: str
    meaning: str
    semantic: Semantic
    scaffold: Scaffold = field(default=None)  # type: ignore[assignment]  # never None once made
    each: str = ""
    given: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.scaffold:
            plain = (Scaffold.GLOBAL, Scaffold.SINGLE_LOOP, Scaffold.NESTED_LOOP)
            object.__setattr__(self, "scaffold", plain[min(self.scope.count("for "), 2)])


@dataclass(frozen=True)
class Objective:
    """What is minimized or maximized; `meaning` reads on after "minimize" or "maximize"."""

    sense: Literal["minimize", "maximize"]
    rule: str
    meaning: str
    unit: str = ""


@dataclass(frozen=True, eq=False)
class Spec:
    """The declaration of a model. `scenario` is one paragraph in words that sets the scene.

    `files` says what each table lists, beyond what its columns say; one that it does not name lists
    the set whose numbers are its key. A declaration is equal to itself alone, so that what follows
    from it is kept by it.
    """

    scenario: str
    sets: tuple[Set, ...]
    parameters: tuple[Parameter, ...]
    groups: tuple[Group, ...]
    families: tuple[Family, ...]
    objective: Objective
    files: Mapping[str, str] = field(default_factory=dict)

    def set(self, name: str) -> Set:
        """The set of that name; raises KeyError."""
        return self._sets[name]

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name; raises KeyError."""
        return {item.name: item for item in self.parameters}[name]

    def group(self, name: str) -> Group:
        """The variable group of that name; raises KeyError."""
        return {item.name: item for item in self.groups}[name]

    def family(self, name: str) -> Family:
        """The constraint family of that name; raises KeyError."""
        return {item.name: item for item in self.families}[name]

    def key(self, parameter: Parameter) -> tuple[str, ...]:
        """The key columns of a parameter in its table: none for a scalar."""
        if parameter.key:
            return parameter.key
        return tuple(column for name in parameter.over for column in self.columns(name))

    def columns(self, name: str) -> tuple[str, ...]:
        """The key columns of a set: those of its table, or what an element is called."""
        return self._columns[name]

    def with_domain(self, old: str, new: str) -> "Spec":
        """The declaration whose groups of one domain have another one."""
        groups = (replace(g, domain=new) if g.domain == old else g for g in self.groups)
        return replace(self, groups=tuple(groups))

    def owners(self, name: str) -> tuple[str, ...]:
        """The sets that number the parts of a set's elements: the first with its key, or ""."""
        return self._owners[name]

    # Looked up for every element of a text.
    @cached_property
    def _sets(self) -> dict[str, Set]:
        return {item.name: item for item in self.sets}

    @cached_property
    def _columns(self) -> dict[str, tuple[str, ...]]:
        return {item.name: item.key or (item.one.replace(" ", "_"),) for item in self.sets}

    @cached_property
    def _owners(self) -> dict[str, tuple[str, ...]]:
        first: dict[tuple[str, ...], str] = {}
        for name, columns in self._columns.items():
            first.setdefault(columns, name)
        return {
            item.name: item.parts or tuple(first.get((c,), "") for c in self._columns[item.name])
            for item in self.sets
        }
