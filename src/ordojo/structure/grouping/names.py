"""Names to templates: `x[3,17]` and `x[4,2]` are `x[]`, `flow_3_17` is `flow_#_#`."""

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Bytes, Ints, Names
from ordojo.structure.grouping.features import numbered

_OPEN = b"[({"
_FEW = 24
Mask = NDArray[np.bool_]


def templates(names: Names) -> tuple[Ints, list[bytes]]:
    """A template's number for each name, and the templates, in order of appearance.

    A name with a bracket is its text before the bracket; otherwise each run of digits becomes `#`,
    but for those of a first word that takes few numbers and has indices behind it: `cut1_4_7`.
    """
    label, spelled = spellings(names)
    return label, spelled.to_list()


def spellings(names: Names) -> tuple[Ints, Names]:
    """As `templates`, which may be many."""
    if not len(names):
        return np.zeros(0, np.int64), names
    names = _unindexed(names)
    data, starts = names.buffer, names.starts
    digit = (data >= 48) & (data <= 57)
    owner = np.repeat(np.arange(len(names)), names.lengths)
    again = np.zeros(len(data), bool)
    again[1:] = digit[1:] & digit[:-1]
    again[starts[:-1][names.lengths > 0]] = False
    literal = _of_first_word(data, starts, digit, owner)
    numeral = digit & ~literal
    label, texts, first = _spelled(names, numeral, ~(again & numeral), owner)
    if len(first) > _FEW and literal.any():
        label, texts, first = _spelled(names, digit, ~again, owner)
    return label, texts.take(first)


def _unindexed(names: Names) -> Names:
    """The names up to their first bracket."""
    data, starts, ends = names.buffer, names.starts[:-1], names.starts[1:]
    opening = np.flatnonzero((data == _OPEN[0]) | (data == _OPEN[1]) | (data == _OPEN[2]))
    if not len(opening):
        return names
    place = np.minimum(np.searchsorted(opening, starts), len(opening) - 1)
    first = opening[place]
    ends = np.where((first >= starts) & (first < ends), first + 1, ends)
    shorter = np.concatenate([[0], np.cumsum(ends - starts)])
    shift = np.repeat(starts - shorter[:-1], ends - starts)
    return Names(data[np.arange(len(shift)) + shift], shorter)


def _spelled(names: Names, digit: Mask, kept: Mask, owner: Ints) -> tuple[Ints, Names, Ints]:
    """The templates' numbers, each name's template, and where each stands first."""
    text = np.where(digit, np.uint8(35), names.buffer)[kept]
    mine = owner[kept]
    shorter = np.concatenate([[0], np.cumsum(np.bincount(mine, minlength=len(names)))])
    place = np.arange(len(text)) - shorter[mine]
    powers = _powers(int(place.max(initial=0)) + 1)
    with np.errstate(over="ignore"):
        terms = (text.astype(np.uint64) + np.uint64(1)) * powers[place]
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms)])
        found = sums[shorter[1:]] - sums[shorter[:-1]]
    label = numbered(found.view(np.int64))
    first = np.zeros(int(label.max()) + 1, np.int64)
    first[label[::-1]] = np.arange(len(label))[::-1]
    return label, Names(text, shorter.astype(np.int64)), first


def _of_first_word(data: Bytes, starts: Ints, digit: Mask, owner: Ints) -> Mask:
    """Digits right behind the letters that a name begins with, where an index follows."""
    letter = ((data | 32) >= 97) & ((data | 32) <= 122)
    word = letter | digit
    others = np.cumsum(~word)
    first = word & (others == (others[starts[:-1]] - ~word[starts[:-1]])[owner])
    leading = letter[starts[:-1]][owner] & first
    last = np.append(others[starts[1:-1] - 1], others[-1:])
    follows = (last - others[starts[:-1]])[owner] > 0
    return np.asarray(digit & leading & follows)


def _powers(count: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    generator = np.random.Generator(np.random.PCG64(7))
    return generator.integers(1, 1 << 63, count, np.uint64) | np.uint64(1)


def meaningful(label: Ints, spelled: Names | list[bytes], names: Names) -> bool:
    """Whether the templates say something: not one running number, and not a template a name."""
    count = len(label)
    if not count:
        return False
    if len(spelled) > max(12, 2.5 * count**0.5):
        return False
    return count == 1 or len(spelled) > 1 or not _short(spelled[0])


def _short(spelled: bytes) -> bool:
    letters = spelled.replace(b"#", b"").strip(b"_")
    return len(letters) <= 2 and spelled.count(b"#") == 1 and not set(spelled) & set(_OPEN)


def generic(spelled: bytes) -> bool:
    """Whether a template is what solvers and writers call rows and columns without a name."""
    return spelled in (b"R#", b"C#", b"c#", b"r#")
