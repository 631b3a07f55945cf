"""Vectors as said: a number, a line through an index, or a parameter of as few indices as do."""

from dataclasses import dataclass

import numpy as np

from ordojo.structure.abstraction.tables import Array
from ordojo.structure.flat import Ints
from ordojo.structure.formulation.concepts import Concept
from ordojo.structure.formulation.functions import Function, stated
from ordojo.structure.formulation.ledger import Ledger
from ordojo.structure.formulation.spec import Value
from ordojo.structure.formulation.text import shortest
from ordojo.structure.formulation.units import codes, function_of, is_function, line_of

_LITERAL = (0.0, 1.0, -1.0, np.inf, -np.inf)
_TELLING = 3
"""Equal scalars of one role are one parameter, if they have so many digits; 2 and 5 are many."""
_RARE = 0.4
"""Exceptions to a default may be at most this share."""


@dataclass(frozen=True, eq=False)
class Letter:
    """An index expression with its concept and its value in each place."""

    text: str
    concept: Concept
    values: Ints

    def take(self, kept: Array) -> "Letter":
        """In some of the places."""
        return Letter(self.text, self.concept, self.values[kept])


def say(
    vector: Array, letters: list[Letter], ledger: Ledger, role: str, name: str,
    keys: tuple[int, ...] = (), index: bool = False,
) -> Value:  # fmt: skip
    """How a vector is said over its letters.

    `keys` are letters of a table that stands there anyway. `index`: the values are indices, where
    numbers are no data; else numbers other than 0, 1 and -1 are parameters.
    """
    if not len(vector):
        return Value("number")
    if bool((_bits(vector) == _bits(vector)[0]).all()):
        return _constant(float(vector[0]), ledger, role, name, index)
    for letter in letters:
        line = None if letter.concept.words else line_of(vector, letter.values)
        if line and (index or line[1] == 0 or abs(line[0]) == 1):
            return Value("affine", float(line[1]), of=(letter.text,), step=line[0])
    fields = [letter.values for letter in letters]
    found = function_of(_bits(vector), fields)
    if keys and (found is None or len(found[0]) > 1):
        some = codes([fields[k] for k in keys], len(vector))
        if is_function(_bits(vector), some) and (
            found is None or found[1] > len(np.unique(some)) / 2
        ):
            found = keys, 0
    sign = 1
    if vector.dtype.kind in "fi" and not index and bool((vector < 0).all()):
        sign, vector = -1, -vector
    default: float | None = None
    if found is None:
        found = tuple(range(len(letters))), 0
        if vector.dtype == np.float64:
            default = _default(vector)
    which = [letters[k] for k in found[0]]
    if default is not None:
        rare = vector.view(np.int64) != np.float64(default).view(np.int64)
        vector, which = vector[rare], [letter.take(rare) for letter in which]
    kept = vector if index or vector.dtype.kind in "Uf" else vector.astype(np.float64)
    made = ledger.parameter(
        role, name, [one.concept for one in which], [one.values for one in which], kept, default
    )
    return Value("parameter", parameter=made.name, of=tuple(one.text for one in which), sign=sign)


def index_of(
    vector: Ints, letters: list[Letter], to: Concept, ledger: Ledger, role: str, name: str
) -> Value:
    """A vector of indices over letters: a parameter, or one's value at another's, if stated."""
    found = function_of(vector, [one.values for one in letters])
    which = [letters[k] for k in found[0]] if found else letters
    if len(which) == 1:
        one = which[0]
        names = stated(vector, one.values, one.concept, to, ledger.functions)
        if names:
            of = one.text if len(names) == 1 else f"{names[0]}[{one.text}]"
            return Value("parameter", parameter=names[-1], of=(of,))
    made = ledger.parameter(
        role, name, [one.concept for one in which], [one.values for one in which],
        vector.astype(np.uint32 if to.words else np.int64),
    )  # fmt: skip
    if len(which) == 1:
        keys, at = np.unique(which[0].values, return_index=True)
        ledger.functions.append(Function(made.name, which[0].concept, to, keys, vector[at]))
    return Value("parameter", parameter=made.name, of=tuple(one.text for one in which))


def _constant(value: float, ledger: Ledger, role: str, name: str, index: bool) -> Value:
    if index or value in _LITERAL:
        return Value("number", value)
    sign = -1 if value < 0 else 1
    digits = shortest(abs(value)).partition("e")[0].replace(".", "").strip("0")
    kind = role.split(" of ")[0] if len(digits) >= _TELLING else role
    made = ledger.scalar(role, name, abs(value), kind)
    return Value("parameter", parameter=made, sign=sign)


def _default(vector: Array) -> float | None:
    """The commonest of the plain numbers, where nearly all are it."""
    bits = vector.view(np.int64)
    values, counts = np.unique(bits, return_counts=True)
    most = int(np.argmax(counts))
    value = float(values[most : most + 1].view(np.float64)[0])
    rare = len(vector) - int(counts[most])
    return value if rare < _RARE * len(vector) and value in _LITERAL else None


def _bits(vector: Array) -> Array:
    return vector.view(np.int64) if vector.dtype == np.float64 else vector
