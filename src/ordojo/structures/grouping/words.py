"""Templates whose indices are words: one statement where what they meet agrees.

`make_A_#` and `make_B_#` may be one statement over products and periods, or two. They begin as one
class, as all templates of a side do that begin with the same word and have as many numbers. Classes
part where templates meet other classes of the other side, until both sides are settled; a template
may meet less than another, as a border does. Of what is left together, words are indices where they
read so (`_indices`): else `z_row_#` and `z_col_#`, which meet alike, would be one. In a small model
a class that would part is kept whole where that is shorter to describe (`_shorter`).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ordojo.structures.arrays import connected, distinct, firsts, numbered
from ordojo.structures.flat import Flat, Ints, NameBuffer
from ordojo.structures.grouping.description import OTHER, WEIGHTS, State, Which
from ordojo.structures.grouping.description import sides as views
from ordojo.structures.indices import beginning

MOST = 1_000
"""Templates of a side that are compared; where there are more, each name is rather its own."""
STEM, SHARE = 3, 0.2
"""Letters that words without a separator, `SHIPEAST` and `SHIPWEST`, must have in common, at least,
and of the longer one."""
SHARED = 3
"""Words without a separator that must have each of two in them, as `SENDNORTHOSLO`, to say that
`PLANTNORTH` and `PLANTSOUTH` are one over these two."""
MOST_LOOSE = 40
"""Classes of a side up to which the description is priced; its time is their square."""
_LOOPS = b"ijklmn"
"""Letters that indices are called by tell what is linked, as in `input_j_#`, `input_k_#`."""
_PIECE = re.compile(rb"[A-Za-z\x80-\xff]+|[0-9]+|[^A-Za-z0-9\x80-\xff]+")
_KINDS = 1 << 20
Words = tuple[bytes, ...]
Left = list[tuple[Words, int]]


@dataclass(frozen=True)
class Spelled:
    """The templates of a side: each item's, their texts, and what kind each item is of."""

    label: Ints
    texts: NameBuffer
    kind: Ints


def joined(flat: Flat, sides: dict[Which, Spelled], small: bool) -> dict[Which, Ints]:
    """For each template the first one of the same statement, on both sides.

    Of a `small` model what is shorter to describe has its say.
    """
    words: dict[Which, list[Words]] = {
        side: [tuple(_PIECE.findall(text)) for text in one.texts.to_list()]
        if len(one.texts) <= MOST
        else []
        for side, one in sides.items()
    }
    classes = {side: _begun(words[side], sides[side]) for side in sides}
    if all(len(set(one)) == len(one) for one in classes.values()):
        return {side: np.arange(len(one)) for side, one in classes.items()}
    told = [
        {words[side][k][0] for k in together}
        for side, one in classes.items()
        for together in _several(one)
        if all(_stem(words[side][k])[1] for k in together)
    ]
    begun = {side: _firsts(_read(words[side], one, told)) for side, one in classes.items() if small}
    meetings = {side: _meetings(flat, side, sides) for side in sides}
    _settle(classes, meetings)
    for side in sides:
        classes[side] = _read(words[side], classes[side], told)
    _settle(classes, meetings)
    found = {side: _firsts(one) for side, one in classes.items()}
    return _shorter(flat, sides, begun, found) if small else found


def _shorter(
    flat: Flat, sides: dict[Which, Spelled], begun: dict[Which, Ints], strict: dict[Which, Ints]
) -> dict[Which, Ints]:
    """The classes that either has together, parted as the strict ones where that is shorter.

    A border that is a statement of its own, as of the first period, parts all others in turn.
    """
    loose = {}
    for side, one in begun.items():
        own = np.arange(len(one))
        joint = connected(np.append(own, own), np.append(one, strict[side]), len(one))
        loose[side] = _firsts(joint.tolist())
    parted = {side: distinct(one[one != strict[side]]).tolist() for side, one in loose.items()}
    many = max(len(distinct(one)) for one in loose.values())
    if not any(parted.values()) or many > MOST_LOOSE:
        return strict
    weights = np.rint(100 * np.array(list(WEIGHTS.values()))).astype(np.int64)
    items = {side: one[sides[side].label] for side, one in loose.items()}
    state = State(views(flat), {side: numbered(one) for side, one in items.items()})
    found, best = dict(loose), int(weights @ state.parts())
    for side, roots in parted.items():
        for root in roots:
            mine = np.flatnonzero(items[side] == root)
            part = numbered(strict[side][sides[side].label[mine]])
            if part.max() >= MOST_LOOSE:
                return strict
            bits = int(weights @ state.after(side, mine, part))
            if bits < best:
                best, state = bits, state.changed(side, mine, part)
                found[side] = np.where(loose[side] == root, strict[side], found[side])
    return found


def _begun(words: list[Words], side: Spelled) -> list[int]:
    """One class for templates of a kind that begin alike; brackets say where the indices are."""
    if not words:
        return list(range(len(side.texts)))
    kinds = [frozenset[int]()] * len(words)
    pairs = distinct(side.label * _KINDS + side.kind).tolist()
    for template, kind in (divmod(pair, _KINDS) for pair in pairs):
        kinds[template] |= {kind}
    keys = [
        k
        if not one or one[-1][-1:] in b"[({"
        else (_stem(one), b"".join(one).count(b"#"), kinds[k])
        for k, one in enumerate(words)
    ]
    first: dict[object, int] = {}
    return [first.setdefault(key, k) for k, key in enumerate(keys)]


def _stem(words: Words) -> tuple[bytes, bool]:
    """What statements begin with: the first word, or its first letters where no separator is."""
    packed = words[0].isalpha() and not any(one.strip(b"#") for one in words[1::2])
    return words[0][:STEM] if packed else words[0], packed


def _meetings(flat: Flat, which: Which, sides: dict[Which, Spelled]) -> list[set[tuple[int, int]]]:
    """For each template those of the other side that it meets, each with a kind and a sign."""
    mine, its = sides[which], sides[OTHER[which]]
    own, other = (flat.entry_cols, flat.index)[:: 1 if which == "cols" else -1]
    wide = int(its.kind.max(initial=0)) + 1
    key = (its.label * wide + its.kind)[other] * 2 + (flat.value < 0)
    room = len(its.texts) * wide * 2
    found: list[set[tuple[int, int]]] = [set() for _ in range(len(mine.texts))]
    for pair in distinct(mine.label[own] * room + key).tolist():
        template, rest = divmod(pair, room)
        found[template].add(divmod(rest, wide * 2))
    return found


def _settle(
    classes: dict[Which, list[int]], meetings: dict[Which, list[set[tuple[int, int]]]]
) -> None:
    """Part classes whose templates meet other classes, until none is left."""
    before = -1
    while before != (before := sum(len(set(one)) for one in classes.values())):
        for side, mine in classes.items():
            other = classes[OTHER[side]]
            looks = [frozenset((other[t], how) for t, how in met) for met in meetings[side]]
            classes[side] = _parted(mine, looks)


def _parted(mine: list[int], looks: Sequence[frozenset[tuple[int, int]]]) -> list[int]:
    """Of one class stays what meets the same as another template of it, or less."""
    wholes: dict[int, list[int]] = defaultdict(list)
    found = list(range(len(mine)))
    for k in sorted(found, key=lambda k: (-len(looks[k]), k)):
        whole = next((one for one in wholes[mine[k]] if looks[k] <= looks[one]), None)
        if whole is None:
            wholes[mine[k]].append(k)
        found[k] = k if whole is None else whole
    return found


def _several(mine: list[int]) -> list[list[int]]:
    """The templates of each class that has several."""
    members: dict[int, list[int]] = defaultdict(list)
    for k, one in enumerate(mine):
        members[one].append(k)
    return [together for together in members.values() if len(together) > 1]


def _read(words: list[Words], mine: list[int], told: list[set[bytes]]) -> list[int]:
    """The classes with only those templates together whose words are indices.

    Two words are where both stand in `SHARED` of the words of another class that has no separators.
    """
    found = list(mine)
    for together in _several(mine):
        left = _cut([(words[k], k) for k in together])
        first = {rest[0] for rest, _ in left if rest}
        if len(first) == 2 and any(
            all(sum(one in word for word in other) >= SHARED for one in first) for other in told
        ):
            left = [((b"", *rest[1:]), k) for rest, k in left]
        for part in _statements(left, words):
            for k in part:
                found[k] = part[0]
    return found


def _cut(left: Left) -> Left:
    """The templates with first words that differ cut behind what they begin with."""
    first = [words[0] for words, _ in left if words]
    if len(set(first)) < 2 or len(stem := beginning(first)) < max(
        STEM, SHARE * max(map(len, first))
    ):
        return left
    return [((words[0][len(stem) :], *words[1:]), k) for words, k in left]


def _statements(left: Left, words: list[Words], inside: bool = False) -> list[list[int]]:
    """Templates apart by their words, from the first on; `inside`: behind an index."""
    ends = [not rest for rest, _ in left]
    if all(ends) or (inside and any(ends) and not any(b"#" in b"".join(w) for w, _ in left)):
        return [[k for _, k in left]]
    by_head: dict[bytes, Left] = defaultdict(list)
    for rest, k in left:
        by_head[rest[0] if rest else b""].append((rest[1:], k))
    if len(by_head) == 1:
        (only,) = by_head.values()
        return _statements(only, words, inside)
    links = all(len(head) == 1 and head.lower() in _LOOPS for head in by_head)
    if not links and (_indices(by_head) or _crossed(by_head, words)):
        return _statements([one for mine in by_head.values() for one in mine], words, True)
    return [part for mine in by_head.values() for part in _statements(mine, words, inside)]


def _crossed(by_head: dict[bytes, Left], words: list[Words]) -> bool:
    """Whether each word stands among the same three others or more: all pairs of two indices."""
    first, *others = (
        {(words[k][: len(words[k]) - len(rest) - 1], rest) for rest, k in mine}
        for mine in by_head.values()
    )
    return len(first) > 2 and all(map(bytes.isalpha, by_head)) and others == [first] * len(others)


def _indices(heads: Iterable[bytes]) -> bool:
    """Whether words read as indices: three or more, single letters, or proper names."""
    found = list(heads)
    if all(head.isdigit() for head in found):
        return len(found) > 2
    if not all(head.isalpha() for head in found):
        return False
    single = all(len(head) == 1 for head in found)
    return single or len(found) > 2 or all(head.istitle() for head in found)


def _firsts(classes: list[int]) -> Ints:
    """For each template the first of its class."""
    label = numbered(np.array(classes, np.int64))
    return firsts([label], len(label))[label]
