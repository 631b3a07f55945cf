"""Names of a group as a template with whole-number fields, or as a list where they do not fit."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ordojo.core.errors import UsageError
from ordojo.structures.abstraction.tables import Array, Spec, Tables, decode_vector, encode_vector
from ordojo.structures.flat import Ints, NameBuffer

WORD = -1
"""Stands in a template for a field whose values are words."""
_MOST, _FEW = 200_000, 4
"""Names whose words are numbered at most (each is a Python string: time), and names so few that
words may all differ: of more, nine in ten different words are no index but a name each."""
_CUT = re.compile(r"([^A-Za-z0-9]+)")
_PLAIN = re.compile(r"0|[1-9][0-9]{0,17}")


def split_words(
    names: NameBuffer, symbols: dict[str, int]
) -> tuple[list[str | int], list[Ints]] | None:
    """A template's pieces and fields, as for numbers; None where names are not alike.

    A field of plain whole numbers stays one; other words get the number of their symbol.
    """
    if not 1 < len(names) <= _MOST or not (len(names) <= _FEW or _cut_alike(names)):
        return None
    try:
        texts = [name.decode("ascii") for name in names.to_list()]
    except UnicodeDecodeError:
        return None
    parts = [_CUT.split(text) for text in texts]
    width = len(parts[0])
    if any(len(part) != width for part in parts):
        return None
    pieces: list[str | int] = []
    fields: list[Ints] = []
    for k, words in enumerate(zip(*parts, strict=True)):
        distinct = len(set(words))
        if distinct == 1:
            pieces.append(words[0])
        elif k % 2 or distinct > 0.9 * len(names) > _FEW:
            return None
        elif all(map(_PLAIN.fullmatch, words)):
            pieces.append(0)
            fields.append(np.array([int(word) for word in words], np.int64))
        else:
            pieces.append(WORD)
            numbers = [symbols.setdefault(word, len(symbols)) for word in words]
            fields.append(np.array(numbers, np.int64))
    return (pieces, fields) if fields else None


def _cut_alike(names: NameBuffer) -> bool:
    """Whether each name is cut into equally many words, more than one."""
    data, begins = names.buffer, names.starts[:-1]
    if not names.lengths.all():
        return False
    letter = (data | 32) - np.uint8(97) < 26
    cut = ~(letter | (data - np.uint8(48) < 10))
    head = np.zeros(len(data), bool)
    head[begins] = True
    cut[1:] &= ~cut[:-1] | head[1:]
    cuts = np.add.reduceat(cut.astype(np.int64), begins)
    return bool(cuts[0] > 0 and (cuts == cuts[0]).all())


def worded(
    pieces: list[str | int], fields: list[Ints], count: int, symbols: list[str]
) -> NameBuffer:
    """The names that a template with words says."""
    columns: list[list[str]] = []
    place = 0
    for piece in pieces:
        if isinstance(piece, str):
            columns.append([piece] * count)
            continue
        values = fields[place].tolist()
        place += 1
        columns.append([symbols[v] if piece == WORD else str(v) for v in values])
    return NameBuffer.of(["".join(parts).encode() for parts in zip(*columns, strict=True)])


_DIGITS = 18


def split_names(names: NameBuffer) -> tuple[list[str | int], list[Ints]] | None:
    """The template's pieces (text, or the width of a zero-padded field, 0: none) and the fields.

    None where the names are not alike, or a field is mixed between padded and plain.
    """
    count = len(names)
    data, starts, length = names.buffer, names.starts, names.lengths
    if not count or not length.all():
        return None
    digit = (data >= 48) & (data <= 57)
    head = np.zeros(len(data), bool)
    head[starts[:-1]] = True
    before = np.zeros(len(data), bool)
    before[1:] = digit[:-1]
    begin = digit & (~before | head)
    runs = np.add.reduceat(begin.astype(np.int64), starts[:-1])
    k = int(runs[0])
    if not bool((runs == k).all()):
        return None
    begins = np.flatnonzero(begin)
    ends = np.flatnonzero(digit & ~np.append((digit & ~head)[1:], False)) + 1
    low, high = begins.reshape(count, k), ends.reshape(count, k)
    pieces: list[str | int] = []
    fields: list[Ints] = []
    at = starts[:-1]
    for f in range(k + 1):
        to = low[:, f] if f < k else starts[1:]
        text = _literal(data, at, to)
        if text is None:
            return None
        pieces.append(text)
        if f < k:
            found = _field(data, low[:, f], high[:, f])
            if found is None:
                return None
            pieces.append(found[0])
            fields.append(found[1])
            at = high[:, f]
    return pieces, fields


def _literal(data: Array, at: Ints, to: Ints) -> str | None:
    length = int(to[0] - at[0])
    if not bool((to - at == length).all()):
        return None
    for k in range(length):
        if not bool((data[at + k] == data[at[0] + k]).all()):
            return None
    try:
        return data[at[0] : to[0]].tobytes().decode("ascii")
    except UnicodeDecodeError:
        return None


def _field(data: Array, low: Ints, high: Ints) -> tuple[int, Ints] | None:
    width = high - low
    widest = int(width.max())
    if widest > _DIGITS:
        return None
    value = np.zeros(len(low), np.int64)
    for k in range(widest):
        inside = low + k < high
        digit = data[np.minimum(low + k, len(data) - 1)].astype(np.int64) - 48
        value = np.where(inside, value * 10 + digit, value)
    padded = (data[low] == 48) & (width > 1)
    if not padded.any():
        return 0, value
    return (widest, value) if bool((width == widest).all()) else None


def joined(pieces: list[str | int], fields: list[Ints], count: int) -> NameBuffer:
    """The names that a template and its fields say."""
    parts: list[tuple[Ints, NDArray[np.uint8] | None, Ints | None]] = []
    place = 0
    for piece in pieces:
        if isinstance(piece, str):
            text = np.frombuffer(piece.encode(), np.uint8)
            parts.append((np.full(count, len(text)), text, None))
        else:
            field = fields[place]
            place += 1
            width = np.searchsorted(10 ** np.arange(1, _DIGITS + 1), field, "right") + 1
            parts.append((np.maximum(width, piece), None, field))
    length = sum((part[0] for part in parts), np.zeros(count, np.int64))
    starts = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
    buffer = np.zeros(int(starts[-1]), np.uint8)
    at = starts[:-1].copy()
    for width, letters, values in parts:
        if letters is not None:
            for k, letter in enumerate(letters.tolist()):
                buffer[at + k] = letter
        elif values is not None:
            rest = values.copy()
            for k in range(int(width.max(initial=0))):
                inside = k < width
                buffer[(at + width - 1 - k)[inside]] = (rest % 10 + 48)[inside]
                rest //= 10
        at += width
    return NameBuffer(buffer, starts)


Cut = tuple[int, int]
"""A field, counted from 0, and how many of its digits are an index of their own at its end; with 0
digits the field and the next one are joined to one index."""


def recut(
    pieces: list[str | int],
    fields: list[Ints],
    cuts: Sequence[Cut],
    symbols: dict[str, int],
) -> tuple[list[str | int], list[Ints]]:
    """A template with fields split and joined, one cut after the other.

    Whether it still says the names is for the caller to compare: a split field that was not
    written with all its digits does not. Raises UsageError for a field that is not there.
    """
    pieces, fields = list(pieces), list(fields)
    for field, digits in cuts:
        places = [k for k, piece in enumerate(pieces) if not isinstance(piece, str)]
        last = len(places) - (1 if digits else 2)
        if not 0 <= field <= last:
            raise UsageError("there is no such index, or none after it to join it with")
        at = places[field]
        width = pieces[at]
        if digits:
            if width == WORD or not 0 < digits < _DIGITS:
                raise UsageError("only an index of digits is split, before its last 1 to 17")
            left = max(int(width) - digits, 0)
            pieces[at : at + 1] = [left, digits]
            whole = fields[field]
            fields[field : field + 1] = [whole // 10**digits, whole % 10**digits]
            continue
        after = places[field + 1]
        parts = pieces[at : after + 1]
        texts = _said_by(parts, fields[field : field + 2], list(symbols))
        pieces[at : after + 1] = [WORD]
        numbers = [symbols.setdefault(one, len(symbols)) for one in texts]
        fields[field : field + 2] = [np.array(numbers, np.int64)]
    if WORD in pieces:  # such a template writes its numbers without zeros before them
        known = list(symbols)
        place = 0
        for k, piece in enumerate(pieces):
            if isinstance(piece, str):
                continue
            if piece > 0:
                texts = _said_by([piece], [fields[place]], known)
                numbers = [symbols.setdefault(one, len(symbols)) for one in texts]
                fields[place], pieces[k] = np.array(numbers, np.int64), WORD
            place += 1
    return pieces, fields


def _said_by(pieces: list[str | int], fields: list[Ints], symbols: list[str]) -> list[str]:
    """What a part of a template says of each name."""
    count, columns, place = len(fields[0]), list[list[str]](), 0
    for piece in pieces:
        if isinstance(piece, str):
            columns.append([piece] * count)
            continue
        values = fields[place].tolist()
        place += 1
        columns.append([symbols[v] if piece == WORD else f"{v:0{piece}d}" for v in values])
    return ["".join(parts) for parts in zip(*columns, strict=True)]


def encode_names(
    names: NameBuffer, tables: Tables, symbols: dict[str, int], cuts: Sequence[Cut] = ()
) -> tuple[Spec, list[Ints]]:
    """The spec of a group's names and its index fields (none where names are a list).

    `symbols` numbers the words used as indices, over all groups; new ones are added. `cuts` change
    the fields as `recut` says.
    """
    place = np.arange(len(names))
    found = split_names(names)
    if found is None:
        found = split_words(names, symbols)
        if found is None:
            if cuts:
                raise UsageError("these names have no index to split or join")
            sizes = tables.put(names.lengths)
            return {"kind": "list", "text": tables.put(names.buffer), "sizes": sizes}, []
    pieces, fields = recut(*found, cuts, symbols) if cuts else found
    done: list[Ints] = [place]
    specs = []
    for field in fields:
        specs.append(_ladder(field, done, tables))
        done.append(field)
    return {"kind": "template", "pieces": pieces, "fields": specs}, fields


def decode_names(
    spec: Spec, count: int, tables: Tables, symbols: list[str]
) -> tuple[NameBuffer, list[Ints]]:
    """The names and index fields that a spec says."""
    if spec["kind"] == "list":
        starts = np.concatenate([[0], np.cumsum(tables.get(spec["sizes"]))]).astype(np.int64)
        return NameBuffer(tables.get(spec["text"]), starts), []
    done: list[Ints] = [np.arange(count)]
    for part in spec["fields"]:
        done.append(_unladder(part, done, count, tables))
    if WORD in spec["pieces"]:
        return worded(spec["pieces"], done[1:], count, symbols), done[1:]
    return joined(spec["pieces"], done[1:], count), done[1:]


def _ladder(field: Ints, done: list[Ints], tables: Tables) -> Spec:
    """A field as a range, a cycle of repeated values, a function of earlier fields, or data."""
    cycle = _cycle(field)
    return cycle if cycle else encode_vector(field, done, tables)


def _unladder(spec: Spec, done: list[Ints], count: int, tables: Tables) -> Ints:
    if spec["kind"] == "cycle":
        turn = (np.arange(count) // spec["each"]) % spec["values"]
        return np.asarray(turn * spec["step"] + spec["start"], np.int64)
    return decode_vector(spec, done, count, tables).astype(np.int64)


def _cycle(field: Ints) -> Spec | None:
    change = np.flatnonzero(field != field[0])
    if not len(change):
        return None
    each = int(change[0])
    step = int(field[each] - field[0])
    low, high = int(field.min()), int(field.max())
    values = (high - low) // abs(step) + 1
    spec = {"kind": "cycle", "each": each, "values": values, "step": step, "start": int(field[0])}
    turn = (np.arange(len(field)) // each) % values * step + field[0]
    return spec if np.array_equal(turn, field) else None
