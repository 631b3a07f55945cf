"""The formulation type: an optimization model said over index sets, as plain data.

A `Formulation` (paper 003, appendix B.4) has index sets, tables of tuples, parameters in files,
groups of variables and families of constraints: `for all i in I: sum over j in J of a[i, j] x[i, j]
<= b[i]`. Numbers stand apart, in arrays by table and column, so that its size is that of the
statement and not of the model. It is what `formulate` recovers from a flat model, and the one data
type for whoever says a model in symbols: `text.py` renders it for a reader, `declare.py` says it in
the one language, of which `program.py` makes a program, and `text.data_files` writes its tables as
CSV. All classes are frozen; nothing here computes.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from ordojo.structure.abstraction.tables import Array
from ordojo.structure.flat import Ints


@dataclass(frozen=True)
class IndexSet:
    """A set of indices: the whole numbers `first` to `last`, or the words or numbers of `file`.

    `letter` is the index that runs over it. `within` is the wider set that it is a part of ("" for
    none): both are of one concept and share letters.
    """

    name: str
    letter: str
    size: int
    first: int | None
    last: int | None
    words: bool
    file: str
    within: str = ""


@dataclass(frozen=True)
class Table:
    """Distinct tuples of indices with data columns beside them; the array of each is in `arrays`.

    `keys` are the index columns and `sets` the set of each; `columns` the data. `domain` is whether
    its tuples are some variables' or constraints' index (a sparse set of its own, used by name).
    `rule` says how two other tables tell the same tuples ("": none do). Index arrays hold numbers,
    or the symbol numbers of words.
    """

    name: str
    file: str
    keys: tuple[str, ...]
    sets: tuple[str, ...]
    rows: int
    columns: tuple[str, ...]
    domain: bool
    rule: str = ""


@dataclass(frozen=True)
class Parameter:
    """A scalar (`value`, no `index`) or a function of indices, in a column of a file.

    `index` are the sets of its indices, `default` its value where the table has no row (None: the
    table has them all). `role` says what it stands for, with the group or family: "objective
    coefficient of x".
    """

    name: str
    role: str
    file: str
    column: str
    table: str
    index: tuple[str, ...] = ()
    value: float | None = None
    default: float | None = None


@dataclass(frozen=True)
class Value:
    """A number as said: `sign` times a `number`, or a `parameter`, or a line through one index.

    kind "number": `number`; "parameter": `parameter[of]`, `of` are index expressions, or `f[i]`,
    the value of another parameter; "affine": `step` times the letter `of[0]` plus `number`, plus
    the value `plus`. `sign` is +1 or -1, for parameters.
    """

    kind: str
    number: float = 0.0
    parameter: str = ""
    of: tuple[str, ...] = ()
    step: int = 0
    sign: int = 1
    plus: "Value | None" = None


@dataclass(frozen=True)
class Factor:
    """Letters that run together through one index set, or through the tuples of one table."""

    letters: tuple[str, ...]
    source: str
    table: bool


@dataclass(frozen=True)
class Group:
    """Variables under one name: `name[index]` for all tuples of the product of `domain`.

    `spelled` is the name's pattern in the MPS file, `{}` an index. `type` is "binary", "integer",
    "continuous", "semicontinuous", "semiinteger", or "mixed" with `types` a parameter. `sets` is
    the set of each letter of `index`. `named` is whether the indices are those of the names.
    """

    name: str
    spelled: str
    size: int
    index: tuple[str, ...]
    sets: tuple[str, ...]
    domain: tuple[Factor, ...]
    type: str
    lower: Value
    upper: Value
    cost: Value
    types: Value | None = None
    named: bool = True


@dataclass(frozen=True)
class Subscript:
    """An index expression: `letter` plus `shift`, or the `lookup` parameter of row letters.

    Without either, one index for all: the `word`, or else the number `shift`.
    """

    letter: str
    shift: int = 0
    word: str = ""
    lookup: str = ""
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Condition:
    """What restricts a sum or the rows that it stands in.

    kind "member": the tuple `of` is in `table`. "between": `low` <= the one letter of `of` <=
    `high`, or it is what both say: what a parameter gives for a summed letter. "modular": the two
    letters of `of` differ by `shift` modulo `modulus` (second minus first). `scope` is whether only
    letters of the family take part: for other rows there is no sum.
    """

    kind: str
    of: tuple[str, ...]
    scope: bool = False
    table: str = ""
    low: Value | None = None
    high: Value | None = None
    shift: int = 0
    modulus: int = 0


@dataclass(frozen=True)
class Term:
    """The sum over the letters `over`, under `where`, of `coefficient` times `group[at]`.

    `relation` names the kind: "equal", "offset", "window", "modular", "interval", "pairs",
    "lookup" (the variable's index by row), "key" (the row's by variable), "table" (the residual:
    pairs listed in a table), "all" (no condition at all).
    `complete` is whether every variable that the indices can name exists; where not, those that do
    are meant.
    """

    group: str
    coefficient: Value
    at: tuple[Subscript, ...]
    over: tuple[str, ...]
    where: tuple[Condition, ...]
    relation: str
    nonzeros: int
    complete: bool


@dataclass(frozen=True)
class Family:
    """Constraints under one name: for all `index` in `domain`, the sum of `terms` `sense` `rhs`.

    `sense` is "<=", ">=", "=", "free" or "mixed" (with `senses` a parameter). With `range`, the row
    has a second side, by the rules of MPS ranges. `given`: (a term of one variable, its value) for
    each group that switches rows: an indicator constraint holds only where its variable has that
    value; a row has at most one. `named` as for groups.
    """

    name: str
    spelled: str
    size: int
    index: tuple[str, ...]
    sets: tuple[str, ...]
    domain: tuple[Factor, ...]
    sense: str
    rhs: Value
    terms: tuple[Term, ...]
    senses: Value | None = None
    range: Value | None = None
    given: tuple[tuple[Term, Value], ...] = ()
    named: bool = True


@dataclass(frozen=True, eq=False)
class Formulation:
    """A whole model: sets, tables, parameters, groups and families; numbers in `arrays`.

    `arrays[table][column]` is each table's column (keys too). `members[name]` are the MPS columns
    (rows) of a group (family), and `keys[name]` the index values of each, in that order; `symbols`
    are the words that index values of sets of words count. `sections` are the headers of the
    file's sections that no family says (SOS, quadratic parts): `solve_py` refuses them by name.
    """

    name: str
    maximize: bool
    offset: float
    sets: tuple[IndexSet, ...]
    tables: tuple[Table, ...]
    parameters: tuple[Parameter, ...]
    groups: tuple[Group, ...]
    families: tuple[Family, ...]
    sections: tuple[str, ...]
    symbols: tuple[str, ...] = field(repr=False)
    arrays: dict[str, dict[str, Array]] = field(repr=False)
    members: dict[str, Ints] = field(repr=False)
    keys: dict[str, list[Ints]] = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """All but the numbers as plain JSON, infinities as text; bounded by groups and families."""
        numbers = ("symbols", "arrays", "members", "keys")
        parts = {key: getattr(self, key) for key in self.__dataclass_fields__}
        return {key: _plain(part) for key, part in parts.items() if key not in numbers}


def _plain(part: Any) -> Any:
    if isinstance(part, float) and not math.isfinite(part):
        return repr(part)
    if isinstance(part, tuple):
        return [_plain(one) for one in part]
    if hasattr(part, "__dataclass_fields__"):
        return {key: _plain(getattr(part, key)) for key in part.__dataclass_fields__}
    return part


def shortest(value: float) -> str:
    """The shortest text that Python reads as the same number: `3`, `0.1`, `-0.0`, `1e+30`."""
    value = float(value)
    text = repr(value)
    return text[:-2] if text.endswith(".0") and text != "-0.0" else text


def called(name: str, index: tuple[str, ...]) -> str:
    """A name with its indices."""
    return f"{name}[{', '.join(index)}]" if index else name


def expression(at: Subscript) -> str:
    """An index expression as text that is also Python."""
    if at.lookup:
        return f"{at.lookup}[{', '.join(at.of)}]"
    if not at.letter:
        return repr(at.word) if at.word else str(at.shift)
    if at.shift:
        return f"{at.letter} {'+' if at.shift > 0 else '-'} {abs(at.shift)}"
    return at.letter
