"""Reading an order of the four letters out of a reply."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from typing import NamedTuple

from ordojo.core.readers.commitment import (
    is_conditional,
    is_left_open,
    is_reported,
    is_supposed,
    is_withdrawn,
)
from ordojo.core.readers.turn import after_thinking, own_part, plain

Order = tuple[str, ...]

_LETTERS: Order = ("A", "B", "C", "D")
_READ = 100_000
"""Characters that are read of a longer reply."""

_STRICT = re.compile(r"(?<![A-Za-z])([A-D]), ?([A-D]), ?([A-D]), ?([A-D])(?![A-Za-z])")

# A row of letters. E to H are in it only to show that a longer row is no order of four.
_START, _EDGE = r"(?<![A-Za-z0-9_'])", r"(?![A-Za-z0-9_'])"
_SEPARATOR = r"(?:[,;|/&·、<…\[\]]{1,3}|\.{2,3}|[-–—=]{0,2}>|[→⇒➜➔⟶⟹≺]|[-–—])"
_WORD = (
    r"(?:then|next|finally|lastly|last|followed by|before|after that"
    r"|daarna|vervolgens|en tot slot|sau đó|затем|потом|poi|infine|depois"
    r"|ثم|然后|接着|最后|然後|接著|最後"
    r"|to|luego|después|por último|puis|ensuite|enfin|dann|danach)"
)
_NOUN = r"(?:event |option |step )?"
_LINK = (
    rf"(?: ?\([^()\n]{{1,40}}\))?[.):]?+ ?{_SEPARATOR}? ?(?:(?:and|y|et"
    rf"|und) )?(?:{_WORD},? )?(?:(?:然后|接着|最后|之后|再)是? ?)?(?:and )?"
    rf"(?i:{_NOUN})[(\[]?"
)
_RUN = re.compile(
    rf"{_START}[A-H]{_EDGE}(?:{_LINK}{_START}[A-H]{_EDGE}){{3,}}|{_START}[A-D]{{4}}{_EDGE}"
    rf"|(?<![A-Za-z0-9])[A-D](?:_[A-D]){{3}}(?![A-Za-z0-9_])"
    rf"|{_START}\(?[a-d]\)?(?: ?(?:,|→|[-=]{{0,2}}>|(?<=\))) ?\(?[a-d]{_EDGE}\)?){{3,}}"
    rf"|(?:(?<=^)|(?<=: )|(?<=is )){_START}[a-d]{{4}}(?=\W*$)",
    re.MULTILINE,
)
_NEW_ROW = re.compile(r"[.;:()\[\]|/]|^ $")
_LETTER = re.compile(r"(?<![A-Za-z0-9'])[A-Ha-h](?![A-Za-z0-9'])")

# Letters with their places: "1. D", "2nd: C", or "A is third".
_RANK = r"([1-4](?:st|nd|rd|th)?|first|second|third|fourth|last|i{1,3}|iv)(?![\w%])"
_PLACED = re.compile(
    rf"(?<![\w.,-])(?i:{_RANK})[-.):|,;–— \[(=\ufe0f\u20e3]{{1,6}}(?i:{_NOUN}(?:event"
    rf"|letter)?[ :]{{0,3}})"
    rf"[(\[]?([A-Da-d])(?= ?(?:[.):\](,;|→>–—-]|$| (?:[1-4]|is\b)))",
    re.MULTILINE,
)
_PLACING = re.compile(
    rf"{_START}([A-D]) ?[).\]:=→(–— -]{{0,3}} ?"
    rf"(?:(?:is|was|happens|happened|comes|came|occurs|occurred|goes|went)? ?(?:the )?)(?i:{_RANK})"
)
_RANKS = re.compile(rf"\W{{1,40}}{_RANK}" + rf"\W{{1,6}}{_RANK}" * 3, re.IGNORECASE)
_PLACES = {"fir": 0, "sec": 1, "thi": 2, "fou": 3, "las": 3, "i": 0, "ii": 1, "iii": 2, "iv": 3}

_ITEM = re.compile(
    rf"(?:[-•+] ?)?(?:[^\W\d]{{2,12}}(?: step)? ?[:—–-] ?)?(?i:{_NOUN})[(\[]?([A-D]){_EDGE}"
)
_CUE = re.compile(
    r"\b(?:answer|order|ordering|sequence|arrangement|correctly)\b"
    r"(?:[^.;!?\n]{0,50}?(?:\bis|\bare|\bbe|[:=]))?\W{0,6}$"
    r"|\b(?:wait|no|actually|but|rather|sorry)\W{1,3}$",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"\W{0,6}(?:is|are|would be|seems)\b(?! (?:not|in|wrong)\b)[^.\n]{0,40}"
    r"\b(?:order|sequence|answer|correct|right)\b",
    re.IGNORECASE,
)
# What a reply names in order to put it aside.
_SPURNED_BEFORE = re.compile(
    r"(?:\b(?:not|than|instead of|less likely|alternatively,?|unlike|(?:order|sequence) like"
    r"|(?:wrong|incorrect|invalid) (?:order|sequence)(?: is)?|if (?:\w+ ){0,4}"
    r"|(?:option|candidate|possibility|alternative) \d ?:))\W{0,3}$",
    re.IGNORECASE,
)
_SPURNED_AFTER = re.compile(
    r"\W{0,3}(?:(?:is|are|seems?|was|looks) (?:\w+ly )?"
    r"(?:not|wrong|incorrect|im\w+|also|less|tempting)\b"
    r"|isn't|(?:do|does)(?:n't| not)|makes no|contradicts|violates|breaks|ignores|fails|instead"
    r"|cannot|can't|would (?!be the)|could\b|might\b|also\b)",
    re.IGNORECASE,
)
_OR = re.compile(r"(?:\bor|/)(?: is it| maybe| perhaps)?\W{0,3}$", re.IGNORECASE)
_OR_ELSE = re.compile(r"\W*it (?:could|might|may) be\W*", re.IGNORECASE)
_BACKWARDS = re.compile(
    r"(?:last to first|latest to earliest|reverse chronological order|latest first)"
    r"(?: \w{1,10}){0,2} ?[:,]? ?$",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(r" (?:must|should|is|are|and)$")

# Telling words that only ever point forward; any other relation is not read.
_TOLD = re.compile(
    r"\b(?:first|initially|starts?|begins?|then|next|subsequently|follow(?:s|ed)?|finally"
    r"|ultimately"
    r"|sets? (?:things )?off|closes|at last|in the end|hence)\b",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"\b(?:before|between|preced\w*|until|because|since|needs?|not|or|if|reverse\w*"
    r"|after(?! which| that| it\b))\b",
    re.IGNORECASE,
)
_EARLY_END = re.compile(r"\b(?:last|final|end)", re.IGNORECASE)
_EVENT = re.compile(
    rf"{_START}(?:[B-D]|(?<=[Ee]vent )A"
    rf"|A(?= ?(?:[^\w ]|$)| (?:comes|came|is|was|happens|occurs|takes|follows|precedes|before"
    rf"|after|and|then)\b)){_EDGE}"
)


_BREAK = re.compile(r"[.!?;](?=\s|$)|\n")
_UNKNOWN = re.compile(r"\b(?:unknown|unclear|not known|undated)\b|\?", re.IGNORECASE)
# "I can't confirm whether" an order, and "A and B, C, D at the same time"
_DOUBTED = re.compile(r"\b(?:whether|unsure if|not sure (?:that|if))\b", re.IGNORECASE)
_TIED = re.compile(
    r"\W{0,2}(?: ?happen\w*| ?come\w*)? ?(?:at the same time|at once|simultaneously|together)\b",
    re.I,
)


class _Found(NamedTuple):
    start: int
    end: int
    order: Order


def read_first(text: str) -> Order | None:
    """The first comma-separated permutation of the letters (the paper: a regular expression)."""
    found = (match.groups() for match in _STRICT.finditer(text[:_READ]))
    return next((order for order in found if _is_order(order)), None)


def read_last(text: str) -> Order | None:
    """The last order in any usual spelling, for replies that reason first and answer at the end.

    In a row: "D, C, A, B", "D -> C -> A -> B", "DCAB"; by place: "1. D 2. C 3. A 4. B", "A is
    third"; or down four lines. A longer or shorter row is no order, save the same four again and
    again, or an order after "A:" (for "answer"). "A, B, C, D" in passing names the events: it
    counts where it is called the order or answer, or has a line for itself; four lettered lines in
    that sequence, where nothing else is said. An order that the reply puts aside ("not", "less
    likely", "is wrong") does not count; two that are joined by "or" are none. Only where there is
    no such order, four letters told one after the other ("It starts with C, then D").
    """
    text = own_part(plain(after_thinking(text)[-_READ:]))
    # Of two that end at one place the one with numbers says more.
    found = sorted([*_down(text), *_in_rows(text), *_by_place(text)], key=lambda one: one.end)
    if not found:
        return None if is_withdrawn(text) else _told(text) or _related(text)
    last = found[-1]
    if not _is_kept(text, last, found):
        return None
    others = [one for one in found if one.order != last.order and one.end <= last.start]
    if _OR.search(text[max(0, last.start - 40) : last.start]) or (
        others and _OR_ELSE.fullmatch(text[others[-1].end : last.start])
    ):
        return None
    return last.order


def _is_kept(text: str, last: _Found, found: Sequence[_Found]) -> bool:
    """Whether the reply stands by its last order, which is not one of several or somebody's."""
    before = _BREAK.split(text[max(0, last.start - 160) : last.start])[-1]
    after = text[last.end :]
    sentence = before + text[last.start : last.end]
    if is_withdrawn(after) or is_left_open(sentence, after) or _DOUBTED.search(before):
        return False
    if is_reported(before) or is_supposed(sentence) or _TIED.match(after):
        return False
    return not any(
        other.order != last.order
        and other.end <= last.start
        and is_conditional(_BREAK.split(text[max(0, other.start - 160) : other.start])[-1])
        and is_conditional(_BREAK.split(text[other.end : last.start])[-1][-160:])
        for other in found
    )


def _is_order(letters: Sequence[str]) -> bool:
    return sorted(letters) == list(_LETTERS)


def _in_rows(text: str) -> Iterator[_Found]:
    for run in _RUN.finditer(text):
        for start, end in _rows(text, run):
            row = text[start:end].replace("_", " ")
            letters = tuple(one.upper() for one in _LETTER.findall(row) or row)
            order, times = letters[:4], len(letters) // 4 + 1
            # A row may be said again and again, and broken off.
            whole = len(letters) == 4 or len(letters) >= 8
            if not (whole and _is_order(order) and (order * times)[: len(letters)] == letters):
                continue
            # "A before B, C before D" tells two things, "A, B/C, D" leaves one open.
            if any(row.count(word) in {1, 2} for word in ("before", " to ", "/")):
                continue
            if _put_aside(order, text, start, end):
                continue
            if below := _RANKS.match(text, end):
                places = [_place(rank) for rank in below.groups()]
                if sorted(places) != [0, 1, 2, 3]:
                    continue
                order = tuple(order[places.index(place)] for place in range(4))
            backwards = _BACKWARDS.search(text[max(0, start - 60) : start])
            yield _Found(start, end, order[::-1] if backwards else order)


def _rows(text: str, run: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The rows of one run: after four letters, another mark than before begins something new."""
    spans = [
        (run.start() + one.start(), run.start() + one.end()) for one in _LETTER.finditer(run[0])
    ]
    if len(spans) == 5 and re.match("[Aa][:.]", run[0]):
        spans = spans[1:]
    if not spans:
        yield run.span()
        return
    first = 0
    for index in range(1, len(spans)):
        link = text[spans[index - 1][1] : spans[index][0]]
        before = text[spans[index - 2][1] : spans[index - 1][0]] if index > 1 else link
        if (index - first) % 4 == 0 and link != before and _NEW_ROW.search(link):
            yield spans[first][0], spans[index - 1][1]
            first = index
    yield spans[first][0], spans[-1][1]


def _put_aside(order: Order, text: str, start: int, end: int) -> bool:
    """Whether an order is denied, is one thing to think of, or only names the events."""
    before = text[max(0, start - 80) : start].rpartition("\n")[2]
    after = text[end : end + 80].partition("\n")[0]
    if _SPURNED_BEFORE.search(before):
        return True
    if _PRAISE.match(after):
        return False
    if _SPURNED_AFTER.match(after) or (end + 6 > len(text) and _UNFINISHED.fullmatch(after)):
        return True
    alone = re.search(r"\w", before + after) is None
    pointed = re.search("[→⇒➜➔⟶⟹≺>]", text[start:end])
    return order == _LETTERS and not (alone or pointed or _CUE.search(before))


def _by_place(text: str) -> Iterator[_Found]:
    """Letters numbered one to four, whatever stands between; or four letters with their places."""
    row: list[re.Match[str]] = []
    for item in _PLACED.finditer(text):
        place = _place(item[1])
        row = [*(row if place else ()), item]
        if len(row) != place + 1:
            row = []
        elif place == 3 and _is_order(letters := tuple(one[2].upper() for one in row)):
            yield _Found(row[0].start(), item.end(), letters)
    placed = list(_PLACING.finditer(text))
    for index in range(len(placed) - 3):
        four = placed[index : index + 4]
        near = all(0 <= b.start() - a.end() <= 60 for a, b in pairwise(four))
        order = tuple(one[1] for one in sorted(four, key=lambda one: _place(one[2])))
        if near and _is_order(order) and len({_place(one[2]) for one in four}) == 4:
            yield _Found(four[0].start(), four[-1].end(), order)


def _place(rank: str) -> int:
    return int(rank[0]) - 1 if rank[0].isdigit() else _PLACES[rank[:3].lower()]


def _down(text: str) -> Iterator[_Found]:
    """Four lettered lines, next to each other and no more of them."""
    row: list[tuple[int, str]] = []
    # An arrow between two lines is no line.
    lines = [line for line in re.finditer(r"[^\n]+", text) if re.search(r"\w", line[0])]
    for line in [*lines, None]:
        item = _ITEM.match(line[0]) if line else None
        if line and item:
            row.append((line.start(), item[1]))
            end = line.end()
            continue
        order = tuple(letter for _, letter in row)
        given = order == _LETTERS and (len(lines) != 4 or _UNKNOWN.search(text))
        if _is_order(order) and not given:
            yield _Found(row[0][0], end, order)
        row = []


def _told(text: str) -> Order | None:
    """Four letters, each named once, told one after the other."""
    events = list(_EVENT.finditer(text))[:5]
    order = tuple(event[0] for event in events)
    if not _is_order(order) or order == _LETTERS or _TURNED.search(text):
        return None
    lead = text[: events[2].start()]
    in_brackets = all(text[event.end() : event.end() + 1] == ")" for event in events)
    told = in_brackets or _TOLD.search(text)
    return order if told and not _EARLY_END.search(lead) else None


_BEFORE = re.compile(r"\b(?:before|preced\w*|prior to|leads? to|led to|earlier than)\b", re.I)
_AFTER = re.compile(r"\b(?:after|follow(?:s|ed)(?! by)|later than)\b", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:not|or|if|could|might|may|maybe|perhaps|whether|unless|either|between|same)\b|n't\b|\?",
    re.IGNORECASE,
)


def _related(text: str) -> Order | None:
    """The one order in which all holds that is said of two letters: "A before D, D before B"."""
    events = list(_EVENT.finditer(text))[:13]
    if len(events) > 12 or _UNSURE.search(text):
        return None
    earlier: set[tuple[str, str]] = set()
    for first, second in pairwise(events):
        link = text[first.end() : second.start()]
        if len(link) > 60:
            continue
        if _BEFORE.search(link):
            earlier.add((first[0], second[0]))
        elif _AFTER.search(link):
            earlier.add((second[0], first[0]))
    fitting = [
        order
        for order in permutations(_LETTERS)
        if all(order.index(a) < order.index(b) for a, b in earlier)
    ]
    return fitting[0] if len(fitting) == 1 else None
