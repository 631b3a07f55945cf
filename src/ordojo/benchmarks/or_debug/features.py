"""What an agent can see of a conflict, as numbers and as words; no label takes part."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.milp.model import INF, Floats, Model, VarType

_WORD = re.compile(r"[a-z]{3,}")
_HEX = re.compile(r"c_[0-9a-f]{6}_(ub|lb|eq)")


def look(problem: Debugging) -> Floats:
    """The make-up of the IIS's rows within the code, 13 numbers.

    Rows in the IIS, by sense (<=, >=, ==) and as a share of all; rows of one column; rows that
    alone contradict the bounds; pairs over the same columns; negative coefficients; columns that
    are whole or binary; how far the rows' largest coefficients stand out; names without meaning.
    """
    model = problem.model
    rows = [model.rows[name] for name in problem.iis_rows]
    at_most = sum(model.row_lower[i] == -INF for i in rows)
    at_least = sum(model.row_upper[i] == INF for i in rows)
    supports = Counter(tuple(sorted(int(j) for j in model.row(i)[0])) for i in rows)
    columns = sorted({int(j) for i in rows for j in model.row(i)[0]})
    values = np.concatenate([model.row(i)[1] for i in rows]) if rows else np.zeros(0)
    typical = float(np.median(np.abs(model.value))) if model.nonzeros else 1.0
    return np.array(
        [
            len(rows),
            at_most,
            at_least,
            len(rows) - at_most - at_least,
            len(rows) / max(1, model.m),
            sum(len(model.row(i)[0]) == 1 for i in rows),
            sum(_beyond_bounds(model, i) for i in rows),
            sum(count - 1 for count in supports.values()),
            float((values < 0).mean()) if len(values) else 0.0,
            float((model.types[columns] != VarType.CONTINUOUS).any()),
            float((model.types[columns] == VarType.BINARY).any()),
            math.log10(max(1.0, float(np.abs(values).max()) / typical)) if len(values) else 0.0,
            float(all(_HEX.fullmatch(name) for name in model.row_names)),
        ]
    )


def _beyond_bounds(model: Model, i: int) -> bool:
    """Whether row i contradicts the bounds of its columns by itself."""
    index, value = model.row(i)
    index, value = index[value != 0], value[value != 0]
    lower, upper = (side[index] for side in model.effective_bounds)
    least = float(np.where(value > 0, value * lower, value * upper).sum())
    most = float(np.where(value > 0, value * upper, value * lower).sum())
    return bool(least > model.row_upper[i] or most < model.row_lower[i])


def words(problem: Debugging) -> Counter[str]:
    """The words of the description and of the names in the code, counted."""
    names = " ".join((*problem.model.row_names, *problem.model.col_names))
    return Counter(_WORD.findall(f"{problem.text} {names}".replace("_", " ").lower()))


class TfIdf:
    """Vectors of unit length for texts, weighted by how rare each word is among `texts`."""

    def __init__(self, texts: Sequence[Mapping[str, int]]) -> None:
        seen = Counter(word for text in texts for word in text)
        self._place = {word: place for place, word in enumerate(sorted(seen))}
        self._rarity = np.array([math.log(len(texts) / seen[word]) + 1 for word in self._place])
        self.vectors = np.array([self.vector(text) for text in texts])

    def vector(self, text: Mapping[str, int]) -> Floats:
        """The vector of a text; words that no text of the collection has do not count."""
        found = np.zeros(len(self._place))
        for word, count in text.items():
            if word in self._place:
                found[self._place[word]] = 1 + math.log(count)
        found *= self._rarity
        length = float(np.linalg.norm(found))
        return found / length if length else found
