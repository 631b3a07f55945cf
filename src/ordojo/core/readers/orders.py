"""Reading an order of the four letters out of a reply."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, permutations

from ordojo.core.readers.commitment import (
    BARE,
    Commitment,
    concludes,
    is_disowned,
    is_withdrawn,
    lead,
    own_clause,
    rest,
    settle,
    turns,
)
from ordojo.core.readers.turn import after_thinking, own_part, plain

Order = tuple[str, ...]

_LETTERS: Order = ("A", "B", "C", "D")
_READ = 100_000
"""Characters that are read of a longer reply."""

_STRICT = re.compile(r"(?<![A-Za-z])([A-D]), ?([A-D]), ?([A-D]), ?([A-D])(?![A-Za-z])")

# A row of letters. E to H are in it only to show that a longer row is no order of four.
_START, _EDGE = r"(?<![A-Za-z0-9_'])", r"(?![A-Za-z0-9_'])"
_ARROWS = "→⇒➜➔➡⟶⟹≺≻►▶»⇨≫"
_SEPARATOR = (
    r"(?:[,;|/&·、<…\[\]+]{1,3}|(?<= ):|\.{2,3}|[-–—─=]{0,3}>{1,3}"
    rf"|[{_ARROWS}←]\ufe0f?|[-–—])"
)
_WORD = (
    r"(?:then|next|finally|lastly|last|second|third|fourth|followed by|before|after that|to"
    r"|然后|接着|最后|然後|接著|最後)"
)
_NOUN = r"(?:event |option |step )?"
_LINK = (
    rf"(?: ?\([^()\n]{{1,100}}\))?[.):\]]?+ ?{_SEPARATOR}? ?(?:(?:and|y|et"
    rf"|und) )?(?:{_WORD},? ){{0,2}}(?:(?:然后|接着|最后|之后|再)是? ?)?(?:and )?"
    rf"(?i:{_NOUN})[(\[]?"
)
_RUN = re.compile(
    rf"{_START}[A-H]{_EDGE}(?:{_LINK}{_START}[A-H]{_EDGE}){{3,}}|{_START}[A-D]{{4}}{_EDGE}"
    rf"|(?<![A-Za-z0-9])[A-D](?:_[A-D]){{3}}(?![A-Za-z0-9_])"
    rf"|{_START}\(?[a-d]\)?(?: ?(?:,|→|[-=]{{0,2}}>|-|(?<=\))) ?\(?[a-d]{_EDGE}\)?){{3,}}"
    rf"|(?:(?<=^)|(?<=: )|(?<=is )){_START}[a-d](?: ?[a-d]){{3}}(?=\W*$)",
    re.MULTILINE,
)
_POINTED = re.compile(f"[{_ARROWS}←<>]")
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
    rf"{_START}([A-D]) ?[).\]:=→(|–— -]{{0,3}} ?"
    rf"(?:(?:is|was|happens|happened|comes|came|occurs|occurred|goes|went)? ?(?:the )?)(?i:{_RANK})"
)
_RANKS = re.compile(rf"\W{{1,40}}{_RANK}" + rf"\W{{1,6}}{_RANK}" * 3, re.IGNORECASE)
_PLACES = {"fir": 0, "sec": 1, "thi": 2, "fou": 3, "las": 3, "i": 0, "ii": 1, "iii": 2, "iv": 3}

_ITEM = re.compile(
    rf"(?:[-•+→] ?)?(?P<label>(?:(?:[^\W\d]{{2,12}}|\d{{3,4}})(?: step)? ?[:—–-] ?)?)(?i:{_NOUN})"
    rf"[(\[]?(?P<letter>[A-D]){_EDGE}"
)
_CUE = re.compile(
    r"\b(?:answer|order|ordering|sequence|arrangement|correctly)\b"
    r"(?:[^.;!?\n]{0,50}?(?:\bis|\bare|\bbe|[:=]))?\W{0,6}$"
    r"|\b(?:wait|no|actually|but|rather|sorry)\W{1,3}$",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"\W{0,6}(?:(?:is|are|would be|seems)\b(?! (?:not|in|wrong|just|only)\b)[^.\n]{0,40}"
    r"\b(?:order|sequence|answer|correct|right|better|best)\b|it is\b|(?:fits|works|survives"
    r"|consistent)\b)",
    re.IGNORECASE,
)
# What an order may be of beside time, and what is only a list.
_OTHERWISE = re.compile(
    r"\b(?:alphabetical\w*|importance|narrat\w+|tells it|present(?:ed|ation)|publi\w+"
    r"|discover\w+|mention\w*|as given|options?"
    r" (?:are|were)|set of|order of (?:difficulty|size|priority|preference|the answer)"
    r"|by (?:height|length|size|weight|name)"
    r"|events (?:listed|mentioned)|(?:see|given) (?:the )?(?:four )?events)\b[^.\n]{0,40}$",
    re.IGNORECASE,
)
_BACKWARDS = re.compile(
    r"(?:\b(?:last|latest|newest|most recent)(?: one| event)?,? (?:back )?to (?:the )?"
    r"(?:first|earliest|oldest)|\breverse chronological|\b(?:latest|newest|most recent"
    r"|last)(?: events?| ones?)? first"
    r"|\bbackwards)\b(?![^\n]{0,60}\bso\b)[^.\n]{0,40}$",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(r" (?:must|should|is|are|and)$")
_UNKNOWN = re.compile(r"\b(?:unknown|unclear|not known|undated)\b|\?", re.IGNORECASE)
# "A and B, C, D at the same time", "B, (A, C), D"
_TIED = re.compile(
    r"\W{0,2}(?: ?happen\w*| ?come\w*| ?all)?(?: took place)? ?(?:at the same time|at once"
    r"|simultaneously|together|on the same)\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"\{([A-D](?:, ?[A-D]){1,2})\}")
_BOLD = re.compile(r"\( ([A-D]) \)")
_GROUP = re.compile(r"[(\[{][A-D](?:(?:,| and| &|/) ?[A-D]){1,2}[)\]}]")

_AS_GIVEN = re.compile(
    r"\W*(?:these|they|the events|this) (?:are|is) (?:already |now )?(?:listed )?(?:in|the)"
    r" (?:\w+ ){0,2}order\b",
    re.IGNORECASE,
)

# What is said of two letters that stand next to each other, and of one: its place.
_EVENT = re.compile(
    rf"{_START}(?:[B-D]|(?<=[Ee]vent )A"
    rf"|A(?= ?(?:[^\w ]|$)| (?:comes|came|is|was|happen\w*|occur\w*|takes|took|follows|preced\w*"
    rf"|before|after|and|then|the (?:one|next|first|last|second|third))\b)){_EDGE}"
)
_BEFORE = re.compile(
    r"^[^.;]*\b(?:before|preced\w*|prior to|leads? to|led to|earlier than)\W{1,3}(?:event )?$"
    r"|^[^.;]*→ ?$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^[^.;]*\b(?:after|follow(?:s|ed)|later than)[^\w,;]{1,3}(?:event )?$", re.IGNORECASE
)
_ONWARDS = re.compile(
    r"\b(?:then|next|subsequently|followed by|and so|hence|afterwards|after (?:which|that|it)"
    r"|finally"
    r"|ultimately|at last|lastly|in the end|leads? to|which leads|results? in|continues with)\b",
    re.IGNORECASE,
)
_IN_ORDER = re.compile(r"\bin (?:that|this) order\b", re.IGNORECASE)
_COMMA = re.compile(r", (?:and )?")  # "then B, C, and D"
_FOLLOWS = re.compile(
    r"\W{0,2} ?(?:comes |came |is |was |happens |happened )?"
    r"(?:(?:the )?next|then|afterwards|the one after|after (?:that|it|this)"
    r"|follows(?! [a-z]* ?[A-D]\b))\b",
    re.IGNORECASE,
)
_NTH = (
    r"(?:first|oldest|earliest|initially|at the start)",
    r"second",
    r"third",
    r"(?:fourth|last|latest|most recent|newest|final|at the end)",
)
_VERBS = (
    (r"|(?:starts?|begins?) with", r"|start\w*|sets? (?:things )?off|opens"),
    ("", ""),
    ("", ""),
    (r"|(?:ends?|closes?|finish(?:es)?) with", r"|ends|closes"),
)
# "The first event is A", "A is the first"
_PLACES_SAID = tuple(
    (
        re.compile(
            rf"\b(?:{nth}(?: event| step| place)?(?: is| was| comes| came)?{before})[ :=–—-]{{1,3}}"
            r"(?:event )?$",
            re.IGNORECASE,
        ),
        re.compile(
            r"[ ,:=(–—-]{0,3}(?:must have )?(?:(?:comes|came|happens|happened|occurs|is|was"
            r"|must be|has to be) )?(?:the )?(?:very )?(?:clearly the )?"
            rf"(?:{nth}{after})\b(?! [A-D]\b)",
            re.IGNORECASE,
        ),
    )
    for nth, (before, after) in zip(_NTH, _VERBS, strict=True)
)
_UNSURE = re.compile(
    r"\b(?:not|or|if|could|might|may|maybe|perhaps|whether|unless|either|same|silent|open|said"
    r"|reject"
    r"|consider|read|looked|look at|until|needs?)\b|n't\b|\?",
    re.IGNORECASE,
)


# Words that belong to a row: "First A, then", "Event A, event B", "Order - A".
_HEAD = re.compile(
    r"(?:(?:\b(?:the )?(?:from|first(?:ly)?(?: comes| came| is| was| we have)?|initially"
    r"|(?:begin|start)\w* with"
    r"|oldest|earliest|primero|primeiro|eerst|zuerst|d'abord|prima"
    r"|events?|options?|steps?|ranks?|positions?|order|sequence)\b"
    r"|首先是?)[\W\d]*(?:of )?)+$",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"\b(?:so|hence|thus|therefore|answer|final\w*|result|conclu\w+|correct\w*|right|proper"
    r"|actual|order|sequence"
    r"|altogether|in letters|overall|chronolog\w*|arrangement|i(?:'d| would| will|'ll)? (?:say"
    r"|go|choose|prefer)"
    r"|going with|revised|fixed|better|sorted|arranged|ordered)\b",
    re.IGNORECASE,
)


_Found = Commitment[Order]


def read_first(text: str) -> Order | None:
    """The first comma-separated permutation of the letters (the paper: a regular expression)."""
    found = (match.groups() for match in _STRICT.finditer(text[:_READ]))
    return next((order for order in found if _is_order(order)), None)


def read_last(text: str) -> Order | None:
    """The one order that a reply commits itself to, in any usual spelling.

    Spelt: in a row ("D, C, A, B", "D → C → A → B", "DCAB"), by places ("1. D 2. C ...", "A is
    third"), down four lines, or, only where nothing of that kind is found, in relations that leave
    one order ("D before C, then A; B is last"). Four letters, each once; pairs and ties are none.
    Its own: it opens a line or sentence, or the words before it make it an answer or a conclusion,
    and it is not denied, asked, supposed, quoted, an example, or of something else than time.
    "A, B, C, D" in passing names the events.
    One: of several that stand the last counts that is called the answer or corrects those before
    it; where none is, or two stand side by side, there is none, nor where the reply takes it back.
    """
    text = plain(_TOGETHER.sub(r"(\1)", after_thinking(text)[-_READ:]))
    text = _BOLD.sub(r"(\1)", text)
    own = own_part(text)
    return _read(own) or (_read(text) if own != text and not is_withdrawn(own) else None)


def _read(text: str) -> Order | None:
    # Of two that end at one place the one with numbers says more.
    every = sorted([*_down(text), *_in_rows(text), *_by_place(text)], key=lambda one: one.end)
    starts = [*(one.start for one in every[1:]), len(text)]
    found = [one for one, start in zip(every, starts, strict=False) if one.end <= start]
    return _decided(text, found) if found else None if is_withdrawn(text) else _related(text)


def _decided(text: str, found: Sequence[_Found]) -> Order | None:
    """The order that a reply commits itself to, of those that it spells out."""
    standing: list[_Found] = []
    for one, end in zip(found, [0, *(one.end for one in found)], strict=False):
        if not _stands(text, one, end):
            continue
        turned = standing and turns(text[standing[-1].end : one.start])
        marked = _PRAISE.match(text, one.end) or _MARKED.search(lead(text, one.start)) or turned
        standing.append(one._replace(rank=1 if marked else BARE))
    best = settle(text, standing, found) if standing else None
    if best is None or (best.rank >= BARE and is_withdrawn(text[: best.start])):
        return None
    others = any(one.value != best.value for one in found)
    asked = others and re.match(r"\W?\?", text[best.end : best.end + 2])
    return None if asked or _GROUP.search(text, best.end) else best.value


def _stands(text: str, one: _Found, previous: int) -> bool:
    """Whether an order is the reply's own, of the time of all four events."""
    before, after = lead(text, one.start, previous), rest(text, one.end)
    listed = _LISTED.search(text, max(0, one.start - 60), one.start)
    if listed and _GOES_ON.match(text, one.end):
        before = lead(text, listed.start())
    own = _HEAD.sub("", own_clause(before))
    abroad = _FOREIGN.search(before) and not _REVERSING.search(before)
    led = _PRAISE.match(after) or concludes(before) or concludes(own)
    if re.search(r"\w", own) and not (led or abroad):
        return False
    if (
        _OTHERWISE.search(before)
        or _TIED.match(after)
        or _GROUP.search(text, max(0, one.start - 1), one.end + 1)
    ):
        return False
    if _PRAISE.match(after):
        after = ""
    return not is_disowned(before, after)


# "I considered A, B, C, D; B, A, C, D; and C, D, A, B": what is said of the first is said of each.
_LISTED = re.compile(r"(?:\b[A-D](?:, ?[A-D]){3}[;,] ?(?:and |or )?)+\Z")
_GOES_ON = re.compile(r"[;,] (?:and |or )?[A-D](?:, ?[A-D]){3}\b")


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
            if _is_grouped(_LETTER.split(row)[1:-1]):
                continue
            if _only_names(order, text, start, end):
                continue
            if below := _RANKS.match(text, end):
                places = [_place(rank) for rank in below.groups()]
                if sorted(places) != [0, 1, 2, 3]:
                    continue
                order = tuple(order[places.index(place)] for place in range(4))
            backwards = "←" in row or _BACKWARDS.search(lead(text, start))
            yield _Found(start, end, order[::-1] if backwards else order)


def _is_grouped(links: Sequence[str]) -> bool:
    """Whether four letters are two pairs, or two of them stand together: "A → B and C → D"."""
    if sum(bool(_POINTED.search(link)) for link in links) in {1, 2}:
        return True
    pairs = (
        len(links) == 3 and links[0] == links[2] != links[1] and links[1].strip() in {"|", "/", ";"}
    )
    together = len(set(links)) > 1 and any(link.strip() in {"and", "&"} for link in links[:2])
    return pairs or together


def _rows(text: str, run: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The rows of one run: after four letters, another mark than before begins something new."""
    spans = [
        (run.start() + one.start(), run.start() + one.end()) for one in _LETTER.finditer(run[0])
    ]
    if len(spans) == 5 and re.match("[A-Da-d][:.]", run[0]):
        spans = spans[1:]  # "A:" for "answer", or the end of a sentence.
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


def _only_names(order: Order, text: str, start: int, end: int) -> bool:
    """Whether an order only names the events, or is broken off."""
    before = text[max(0, start - 80) : start].rpartition("\n")[2]
    after = text[end : end + 80].partition("\n")[0]
    if _PRAISE.match(after):
        return False
    if end + 6 > len(text) and _UNFINISHED.fullmatch(after):
        return True
    alone = re.search(r"\w", before + after) is None
    pointed = _POINTED.search(text, start, end)
    return order == _LETTERS and not (alone or pointed or _CUE.search(before))


def _by_place(text: str) -> Iterator[_Found]:
    """Letters numbered one to four, whatever stands between; or four letters with their places."""
    numbered = list(_PLACED.finditer(text))
    for row in zip(numbered, numbered[1:], numbered[2:], numbered[3:], strict=False):
        places = [_place(one[1]) for one in row]
        letters = tuple(one[2].upper() for one in sorted(row, key=lambda one: _place(one[1])))
        if places in ([0, 1, 2, 3], [3, 2, 1, 0]) and _is_order(letters):
            yield _Found(row[0].start(), row[3].end(), letters)
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
    end, labelled = 0, False
    # An arrow between two lines is no line.
    lines = [line for line in re.finditer(r"[^\n]+", text) if re.search(r"\w", line[0])]
    for line in [*lines, None]:
        item = _ITEM.match(line[0]) if line else None
        if line and item and (not row or bool(item["label"]) == labelled):
            row.append((line.start(), item["letter"]))
            end, labelled = line.end(), bool(item["label"])
            continue
        order = tuple(letter for _, letter in row)
        given = order == _LETTERS and (len(lines) != 4 or _UNKNOWN.search(text))
        given = given and not (row and _AS_GIVEN.match(text, end))
        doubted = bool(row) and len(_UNKNOWN.findall(text, row[0][0], end)) > 1
        if _is_order(order) and not given and not doubted:
            yield _Found(row[0][0], end, order)
        row = []


def _related(text: str) -> Order | None:
    """The one order in which all holds that is said of the four: "A before D, then B"."""
    if abroad := _told_abroad(text):
        return abroad
    events = list(_EVENT.finditer(text))[:13]
    if len(events) > 12 or {event[0] for event in events} != set(_LETTERS):
        return None
    row = tuple(event[0] for event in events)
    bracketed = all(
        text[event.start() - 1 : event.end() + 1] == f"({event[0]})" for event in events
    )
    if bracketed and _is_order(row) and _tells(text, events):
        return row
    if _UNSURE.search(text):
        return None
    links = [text[one.end() : other.start()] for one, other in pairwise(events)]
    if any(link in {" and ", " & "} for link in links) and not _IN_ORDER.search(text):
        return None  # "First A and B, then C"
    earlier, places = _relations(text, events)
    fitting = [
        order
        for order in permutations(_LETTERS)
        if all(order.index(a) < order.index(b) for a, b in earlier)
        and all(order[place] == letter for letter, place in places)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _tells(text: str, events: Sequence[re.Match[str]]) -> bool:
    """Whether letters in brackets follow a story: a sentence, numbered lines, or no inversion."""
    start, end = events[0].start(), events[-1].end()
    if "." not in text[start:end]:
        return not _UNSURE.search(lead(text, start) + text[start:end] + rest(text, end))
    numbers = _NUMBERED.findall(text[: end + 1])
    return numbers == ["1", "2", "3", "4"] or not (_UNSURE.search(text) or _TURNED.search(text))


_NUMBERED = re.compile(r"^([1-9])[.)] [^\n]*\([A-D]\)\W*$", re.MULTILINE)
_TURNED = re.compile(
    r"\b(?:before|after(?! (?:that|this))|preced\w+|follows|earlier|later|previous\w*|had"
    r"|events)\b",
    re.IGNORECASE,
)


def _told_abroad(text: str) -> Order | None:
    """Four letters one after the other in a sentence of a language that is not English."""
    events = list(islice(_NAMED.finditer(text), 5))
    if not _is_order([event[0] for event in events]):
        return None
    sentence = lead(text, events[0].start()) + text[events[0].start() : events[3].end()]
    if _ENGLISH.search(sentence) or _REVERSING.search(sentence) or "?" in text:
        return None
    links = [text[one.end() : other.start()] for one, other in pairwise(events)]
    order = tuple(event[0] for event in events)
    near = all(len(link) <= 24 and re.search(r"\w", link) and "." not in link for link in links)
    return order if near and order != _LETTERS else None


_NAMED = re.compile(rf"{_START}[A-D]{_EDGE}")
_FOREIGN = re.compile(r"[^\W\x00-\x7f]")
_ENGLISH = re.compile(
    r"\b(?:the|is|are|was|and|or|not|of|to|before|after|then|first|last|by|it|but|with|comes|no|if"
    r"|needs?|who)\b|'(?:s|t|d|ve|re|m|ll)\b",
    re.IGNORECASE,
)
# "Nicht", "oder", "before" and the like in other languages.
_REVERSING = re.compile(
    r"\b(?:nicht|kein\w*|oder|vor|nach|wenn|o|ou|no|non|ni|antes de|después de|avant|après|si|se"
    r"|czy|nie|lub|или|не|до|после|если|veya|önce|eller|inte|men|aber|pero|mais|unklar"
    r"|incerto)\b|或|不|没|哪|吗|か|または|또는|아니",
    re.IGNORECASE,
)


def _relations(
    text: str, events: Sequence[re.Match[str]]
) -> tuple[set[tuple[str, str]], set[tuple[str, int]]]:
    """Which letter is said to come before which, and which to be first or last."""
    earlier: set[tuple[str, str]] = set()
    places: set[tuple[str, int]] = set()
    running, in_order = False, _IN_ORDER.search(text)
    for index, event in enumerate(events):
        start = events[index - 1].end() if index else 0
        link = text[max(start, event.start() - 60) : event.start()]
        near = event.start() - start <= 90
        for place, (leading, following) in enumerate(_PLACES_SAID):
            if leading.search(link) or following.match(text, event.end()):
                places.add((event[0], place))
        if not index or not near or event[0] == (other := events[index - 1][0]):
            continue
        if _AFTER.search(link):
            earlier.add((event[0], other))
            running = False
            continue
        running = bool(
            _ONWARDS.search(link)
            or _FOLLOWS.match(text, event.end())
            or (running and _COMMA.fullmatch(link))
            or (in_order and link in {", ", " and ", ", and "})
        )
        if running or _BEFORE.search(link):
            earlier.add((other, event[0]))
    return earlier, places
