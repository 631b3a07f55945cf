"""Which members of a family meet which of a group: a ladder from joins of indices to lists.

A relation's pairs are (row, column), both local, by row and then column. Rungs: `join` (indices
equal up to offsets, one perhaps within a window or equal modulo a number), `pairs` (a join through
a table of index pairs), `interval` (from a first to a last column, by row or the reverse), `key`
(equally many columns a row, or the reverse), `list`. Tables that other relations state are referred
to, as they are, turned around, or one after the other.

`find_join` collects all equations that hold of every pair (an index of the row plus a shift is one
of the column), counts by keys what their join says, and takes it if that is as many as there are
pairs; a window or a modulus is added where it is more. Equations that others imply are dropped.
`formulation/relate.py` searches with the same steps over the fewer indices that a reader is shown.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from ordojo.structures.abstraction.tables import Entry, Tables, decode_vector, encode_vector
from ordojo.structures.arrays import Meeting, distinct, ordered, span, stretches, taking_part
from ordojo.structures.flat import Ints, Mask

T = TypeVar("T")


@dataclass
class Join:
    """Atoms that hold of every pair; index k of a side is its field k, or its place for k = -1.

    equal: (row index, column index, shift): column = row + shift. window: the same with a lowest
    and highest shift. modular: (row, column, shift, modulus). pairs: (row, column, table of pairs).
    rows, cols: the members that take part at all (None: every one). most: give up where the table
    makes more rows than that.
    """

    equal: list[tuple[int, int, int]]
    window: tuple[int, ...] | None
    modular: tuple[int, ...] | None
    pairs: tuple[int, int, Ints] | None
    rows: Mask | None
    cols: Mask | None
    most: int = 1 << 40


class Sides(NamedTuple):
    """The index fields of a family and of a group, and how many members each has."""

    left: list[Ints]
    right: list[Ints]
    sizes: tuple[int, int]

    def placed(self) -> tuple[dict[int, Ints], dict[int, Ints]]:
        """Both sides' fields by their numbers, and the place in the set as number -1."""
        return placed(self.left, self.sizes[0]), placed(self.right, self.sizes[1])


def placed(fields: list[Ints], size: int) -> dict[int, Ints]:
    """The fields by their numbers, and the place in the set as number -1."""
    return {**dict(enumerate(fields)), -1: np.arange(size)}


def count(join: Join, sides: Sides) -> int:
    """How many pairs a join says, without making them; -1 for far too many."""
    found = _meeting(join, sides)
    return -1 if found is None else found.count()


def _meeting(join: Join, sides: Sides) -> Meeting | None:
    a_fields, b_fields = sides.placed()
    rows = np.arange(sides.sizes[0]) if join.rows is None else np.flatnonzero(join.rows)
    cols = np.arange(sides.sizes[1]) if join.cols is None else np.flatnonzero(join.cols)
    through: list[tuple[Ints, Ints]] = []
    if join.pairs is not None:
        a, b, table = join.pairs
        found = Meeting(rows, np.arange(len(table)), [(a_fields[a][rows], table[:, 0])])
        if found.count() > join.most:
            return None
        rows, place = found.pairs()
        through.append((table[place, 1], b_fields[b][cols]))
    atoms = join.equal, join.modular, join.window
    return Meeting(rows, cols, *conditions(a_fields, b_fields, rows, cols, *atoms, through))


Fields = Sequence[Ints] | Mapping[int, Ints]
Window = tuple[int, ...]


def conditions(
    left: Fields, right: Fields, rows: Ints, cols: Ints, equal: Iterable[tuple[int, int, int]],
    modular: Window | None, window: Window | None, more: Sequence[tuple[Ints, Ints]] = (),
) -> tuple[list[tuple[Ints, Ints]], tuple[Ints, Ints, Ints] | None]:  # fmt: skip
    """What must be equal for these rows and columns to meet, `more` too, and the window."""
    values = [(left[a][rows] + shift, right[b][cols]) for a, b, shift in equal]
    if modular:
        a, b, shift, step = modular
        values.append(((left[a][rows] + shift) % step, right[b][cols] % step))
    between = None
    if window:
        a, b, low, high = window
        between = left[a][rows] + low, left[a][rows] + high, right[b][cols]
    return [*values, *more], between


SLACK = 1.5
"""Numbers in a table of index pairs may be at most the pairs said, divided by this: a table barely
shorter than the list says nothing of the structure. On 117 models, 1 as well as 3 give the same."""


def find_join(row: Ints, col: Ints, sides: Sides) -> Join | None:
    """A join, perhaps with a window or a modulus, that says exactly these pairs; or None."""
    a_fields, b_fields = sides.placed()
    equal, wide = steps(row, col, a_fields, b_fields)
    masks = taking_part(row, sides.sizes[0]), taking_part(col, sides.sizes[1])
    base = Join(equal, None, None, None, *masks)
    if count(base, sides) == len(row):
        return _simplest(base, sides, len(row))
    for a, b in wide:
        for window, modular in limits(a, b, b_fields[b][col] - a_fields[a][row]):
            found = Join(equal, window, modular, None, *masks)
            if count(found, sides) == len(row):
                return _simplest(found, sides, len(row))
    return None


Atom = tuple[int, int, int, int]


def limits(a: int, b: int, shift: Ints) -> Iterator[tuple[Atom | None, Atom | None]]:
    """What all pairs fulfil by how two of their indices differ: a window; and perhaps a modulus."""
    yield (a, b, int(shift.min()), int(shift.max())), None
    step = int(np.gcd.reduce(shift - shift[0]))
    if step > 1:
        yield None, (a, b, int(shift[0]) % step, step)


def find_pairs(
    row: Ints, col: Ints, sides: Sides, stated: Callable[[Ints], bool] | None = None
) -> Join | None:
    """A join through a table of index pairs, clearly shorter than the list of pairs; or None.

    `stated`: whether other terms say such a table already, if they say any; then it may be long.
    """
    a_fields, b_fields = sides.placed()
    equal, wide = steps(row, col, a_fields, b_fields)
    masks = taking_part(row, sides.sizes[0]), taking_part(col, sides.sizes[1])
    telling = [[len(distinct(one)) == len(one) for one in fields] for fields in sides[:2]]
    for a, b in wide:
        # Where both indices tell all members apart, there are as many pairs of them as of members.
        long = a < 0 or b < 0 or (telling[0][a] and telling[1][b])
        if long and (stated is None or a < 0 or b < 0):
            continue
        av, bv = sides.left[a][row], sides.right[b][col]
        low, wide_b = span(bv)
        if (float(av.max()) - float(av.min()) + 1) * wide_b > 2**60:
            continue
        keys = distinct((av - av.min()) * wide_b + (bv - low))
        long = long or 2 * len(keys) * SLACK > len(row)
        if long and stated is None:
            continue
        table = np.stack([keys // wide_b + av.min(), keys % wide_b + low], 1)
        if long and not (stated and stated(table)):
            continue
        found = Join(equal, None, None, (a, b, table), *masks, 8 * len(row) + 100)
        if count(found, sides) == len(row):
            return _plainest(found, sides, len(row))
    return None


def steps(
    row: Ints, col: Ints, a_fields: dict[int, Ints], b_fields: dict[int, Ints]
) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]]]:
    """The indices that differ by the same number in all pairs, with it; and the others."""
    equal, wide = [], []
    sample = slice(None, None, max(1, len(row) // 200))
    for a, af in a_fields.items():
        for b, bf in b_fields.items():
            few = bf[col[sample]] - af[row[sample]]
            if (few == few[0]).all():
                every = bf[col] - af[row]
                if (every == every[0]).all():
                    equal.append((a, b, int(every[0])))
                    continue
            wide.append((a, b))
    return equal, wide


def _simplest(join: Join, sides: Sides, total: int) -> Join:
    """The join without the atoms and masks that the others imply."""
    for atom in sorted(join.equal, key=lambda atom: (atom[0] >= 0 and atom[1] >= 0, abs(atom[2]))):
        rest = [other for other in join.equal if other != atom]
        less = replace(join, equal=rest)
        if count(less, sides) == total:
            join = less
    return _plainest(join, sides, total)


def _plainest(join: Join, sides: Sides, total: int) -> Join:
    """The join without the masks that its atoms imply."""
    masked = join.rows is not None or join.cols is not None
    for rows, cols in ((None, None), (None, join.cols), (join.rows, None)) if masked else ():
        less = replace(join, rows=rows, cols=cols)
        if count(less, sides) == total:
            return less
    return join


_MOST, _LEAST, _FEW = 8, 4, 16
"""Tables tried at most (pairs of them are composed, so time is its square), places or pairs that
are worth a reference (fewer are as short as one), and places that are looked at first (time)."""


def put_places(places: Ints, store: Tables) -> Entry:
    """Keep the place that each one has; perhaps as the place of a place."""
    some = np.linspace(0, len(places) - 1, _FEW).astype(np.int64)
    firsts = store.stated("places", len(places)) if len(places) >= _LEAST else []
    for first in firsts[:_MOST]:
        step = store.get(first)
        if np.array_equal(step, places):
            return first
        for then in store.stated("places")[:_MOST]:
            to = store.get(then)
            inside = int(step.max()) < len(to) and (to[step[some]] == places[some]).all()
            if inside and np.array_equal(to[step], places):
                return {"first": first, "then": then}
    return store.put(places, "places")


def get_places(spec: Entry, store: Tables) -> Ints:
    """The places of a reference."""
    if "then" in spec:
        return get_places(spec["then"], store)[get_places(spec["first"], store)]
    return store.get(spec).astype(np.int64)


def put_pairs(table: Ints, store: Tables) -> Entry:
    """Keep a table of pairs, in order; perhaps as others turned around or joined."""
    ways = list[tuple[Entry, Ints]]()
    for spec in store.stated("pairs")[:_MOST]:
        one = store.get(spec)
        ways += [(spec, one), ({"turned": spec}, turned(one))]
    for spec, one in ways:
        if one.shape == table.shape and np.array_equal(one, table):
            return spec
    found = composed(table, ways)
    return {"first": found[0], "then": found[1]} if found else store.put(table, "pairs")


def composed(
    table: Ints, ways: Iterable[tuple[T, Ints]],
    fit: Callable[[T, T | None], bool] = lambda first, then: True,
) -> tuple[T, T] | None:  # fmt: skip
    """Two of the ways that, one after the other, make a table of pairs, which is long enough.

    `fit`: whether a way may begin (its second argument None), or be followed by another.
    """
    if len(table) < _LEAST:
        return None
    ways, some = list(ways), table[table[:, 0] == table[0, 0]]
    for first, one in ways:
        if not fit(first, None):
            continue
        begin = one[one[:, 0] == table[0, 0]]
        for then, other in ways:
            likely = fit(first, then) and np.array_equal(joined(begin, other, len(some)), some)
            if likely and np.array_equal(joined(one, other, len(table)), table):
                return first, then
    return None


def is_stated(table: Ints, store: Tables) -> bool:
    """Whether a table of pairs is there, perhaps turned around or as others joined."""
    trial = store.trial()
    put_pairs(table, trial)
    return not trial.arrays


def get_pairs(spec: Entry, store: Tables) -> Ints:
    """The pairs of a reference."""
    if "turned" in spec:
        return turned(get_pairs(spec["turned"], store))
    if "then" in spec:
        sides = get_pairs(spec["first"], store), get_pairs(spec["then"], store)
        return joined(*sides, 1 << 40)
    return store.get(spec)


def turned(table: Ints) -> Ints:
    """A table of pairs with the second index first, in order."""
    return np.ascontiguousarray(table[np.lexsort((table[:, 0], table[:, 1]))][:, ::-1])


def joined(one: Ints, other: Ints, most: int) -> Ints:
    """The pairs (i, k) with some (i, j) and (j, k), in order; none where they are far too many."""
    begin = np.searchsorted(other[:, 0], one[:, 1])
    many = np.searchsorted(other[:, 0], one[:, 1], "right") - begin
    if int(many.sum()) > 8 * most + 64:
        return np.zeros((0, 2), np.int64)
    which, place = stretches(begin, many)
    pairs = np.stack([one[which, 0], other[place, 1]], 1)
    return np.unique(pairs, axis=0)


def encode(row: Ints, col: Ints, sides: Sides, store: Tables) -> Entry:
    """The first rung that says exactly these pairs, which must be in order and all different."""
    join = find_join(row, col, sides)
    if join is None:
        stated = partial(is_stated, store=store) if store.stated("pairs") else None
        join = find_pairs(row, col, sides, stated)
    if join is not None:
        spec = {"kind": "pairs" if join.pairs is not None else "join"}
        return spec | _join_spec(join, sides, store)
    flipped = ordered(col)
    ways = (
        _Way("rows", col, *_runs(row, col, sides.sizes[0]), sides.left),
        _Way("cols", row[flipped], *_runs(col[flipped], row[flipped], sides.sizes[1]), sides.right),
    )
    tried = [_tried(way.interval, store) for way in ways if way.whole]
    if tried:
        price, spec, tables = min(tried, key=lambda one: one[0])
        # A third of the numbers must be saved, or the plain list is the better thing to read.
        if price < len(row) * 0.67:
            store.keep(tables)
            return spec
    keys = [way for way in ways if way.key] or ways
    if len(keys) > 1 and store.stated("places", len(row)):
        prices = [_tried(way.listed, store)[0] for way in keys]
        return keys[2 * prices[1] < prices[0]].listed(store)
    return keys[0].listed(store)


def _tried(said: Callable[[Tables], Entry], store: Tables) -> tuple[int, Entry, Tables]:
    """How many numbers a way to say it adds, the way, and the tables, not kept yet."""
    tables = store.trial()
    spec = said(tables)
    return tables.numbers(), spec, tables


class _Way(NamedTuple):
    """Pairs by their rows or columns: how many partners each of these has, and all partners."""

    by: str
    partners: Ints
    first: Ints
    many: Ints
    whole: bool
    fields: list[Ints]

    def interval(self, store: Tables) -> Entry:
        """The first partner of each that has any, and how many."""
        used = self.many > 0
        fields = [np.flatnonzero(used), *(field[used] for field in self.fields)]
        start = encode_vector(self.first[used], fields, store)
        return {"kind": "interval", "by": self.by, "count": self._count(store), "start": start}

    @property
    def key(self) -> bool:
        """Whether all that have partners have equally many, and few."""
        used = self.many[self.many > 0]
        return len(used) > 0 and bool((used == used[0]).all()) and int(used[0]) <= 4

    def listed(self, store: Tables) -> Entry:
        """All partners."""
        to = put_places(self.partners.astype(np.int64), store)
        kind = "key" if self.key else "list"
        return {"kind": kind, "by": self.by, "count": self._count(store), "to": to}

    def _count(self, store: Tables) -> Entry:
        fields = [np.arange(len(self.many)), *self.fields]
        return encode_vector(self.many.astype(np.int64), fields, store)


def decode(spec: Entry, sides: Sides, store: Tables) -> tuple[Ints, Ints]:
    """The pairs that a spec says."""
    if spec["kind"] in ("join", "pairs"):
        found = _meeting(_join_of(spec, sides, store), sides)
        if found is None:
            raise ValueError("a join of far too many pairs")
        return found.pairs()
    by_rows = spec["by"] == "rows"
    size = sides.sizes[0] if by_rows else sides.sizes[1]
    place = [np.arange(size), *(sides.left if by_rows else sides.right)]
    count = decode_vector(spec["count"], place, size, store).astype(np.int64)
    one = np.repeat(np.arange(size), count)
    if spec["kind"] == "interval":
        used = count > 0
        first = np.zeros(size, np.int64)
        fields = [field[used] for field in place]
        first[used] = decode_vector(spec["start"], fields, int(used.sum()), store)
        other = stretches(first, count)[1]
    else:
        other = get_places(spec["to"], store)
    if by_rows:
        return one, other
    order = ordered(other)
    return other[order], one[order]


def _runs(one: Ints, other: Ints, size: int) -> tuple[Ints, Ints, bool]:
    """For pairs sorted by `one`: the first partner, how many, and whether these are adjacent."""
    count = np.bincount(one, minlength=size)
    begin = np.cumsum(count) - count
    first = np.zeros(size, np.int64)
    used = count > 0
    first[used] = other[begin[used]]
    last = other[(begin + count - 1)[used]]
    return first, count, bool((last - first[used] + 1 == count[used]).all())


def _join_spec(join: Join, sides: Sides, store: Tables) -> Entry:
    spec: Entry = {"equal": [list(atom) for atom in join.equal]}
    if join.window:
        spec["window"] = list(join.window)
    if join.modular:
        spec["modular"] = list(join.modular)
    if join.pairs is not None:
        a, b, table = join.pairs
        spec["through"] = {"of": [a, b], "table": put_pairs(table, store)}
    masks = ("rows", "cols"), (join.rows, join.cols), sides[:2], sides.sizes
    for key, mask, fields, size in zip(*masks, strict=True):
        if mask is not None:
            spec[key] = encode_vector(mask.astype(np.uint8), [np.arange(size), *fields], store)
    return spec


def _join_of(spec: Entry, sides: Sides, store: Tables) -> Join:
    rows, cols = (
        decode_vector(spec[key], [np.arange(size), *fields], size, store) > 0
        if key in spec
        else None
        for key, fields, size in zip(("rows", "cols"), sides[:2], sides.sizes, strict=True)
    )
    through = spec.get("through")
    pairs = (*through["of"], get_pairs(through["table"], store)) if through else None
    equal = [(int(a), int(b), int(shift)) for a, b, shift in spec["equal"]]
    window, modular = (tuple(spec[key]) if spec.get(key) else None for key in ("window", "modular"))
    return Join(equal, window, modular, pairs, rows, cols)
