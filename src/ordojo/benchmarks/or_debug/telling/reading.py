"""What one who has the generator's source reads out of a text: numbers, limits, lots, tables.

Each function has one kind of sentence; `RuleReader` puts the sentences on rules together, as far as
it is told to follow tables and rules that lean on others.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ordojo.benchmarks.or_debug.telling.figures import in_words
from ordojo.benchmarks.or_debug.telling.rules import FORMS

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SHARES = {"half": 1 / 2, "a third": 1 / 3, "a quarter": 1 / 4, "a fifth": 1 / 5}
_RULED = (
    (r"where the (.+) is (.+) or more, a lot stays whole; elsewhere it need not", True),
    (r"lots may be broken up where the (.+) is (.+) or more, and nowhere else", False),
)
_PAIRS: tuple[tuple[str, Callable[[float, float], float]], ...] = (
    (r"(\S+) and (\S+) more", lambda a, b: a + b),
    (r"(\S+) less (\S+)", lambda a, b: a - b),
    (r"(\S+) times (\S+)", lambda a, b: a * b),
    (r"(\S+) per cent of (\S+)", lambda a, b: a * b / 100),
    (r"(.+) dozen and (.+)", lambda a, b: 12 * a + b),
)
_FLOOR = re.compile(r"at least (.+)|no fewer than (.+)|(.+) or more|never under (.+)")
_ROOF = re.compile(r"at most (.+)|no more than (.+)|(.+) or fewer|never above (.+)")
_LIMITS = tuple(
    re.compile(form)
    for form in (
        r"the (?P<m>.+) comes to (?P<n>.+) over (?P<a>.+)",
        r"over (?P<a>.+), count the (?P<m>.+): it is (?P<n>.+)",
        r"(?P<a>.+) have (?P<n>.+) between them, by the (?P<m>.+)",
        r"it was agreed that the (?P<m>.+), of (?P<a>.+) together, is (?P<n>.+)",
        r"the (?P<m>.+) over (?P<a>.+), less that over (?P<b>.+), is (?P<n>.+)",
        r"once (?P<b>.+) is taken off, (?P<a>.+) have (?P<n>.+) by the (?P<m>.+)",
        r"the lead of (?P<a>.+) over (?P<b>.+) is (?P<n>.+), by the (?P<m>.+)",
        r"by the (?P<m>.+), (?P<b>.+) and then (?P<n>.+) make up (?P<a>.+)",
    )
)
_LOTS = tuple(
    re.compile(form)
    for form in (
        r"the variables for (?P<a>.+) count lots of (?P<n>.+)",
        r"one lot is (?P<n>.+) for (?P<a>.+), and the variables count lots",
        r"counted is by the lot, not by the single one, and a lot is (?P<n>.+), for (?P<a>.+)",
    )
)
_WHOLE = (
    (r"a lot of (.+) is never broken up", True),
    (r"(.+): all of a lot or nothing of it", True),
    (r"nobody takes less than the rest of a lot once it is begun, for (.+)", True),
    (r"a lot of (.+) may be broken up", False),
    (r"(.+): any part of a lot will do", False),
    (r"a lot may be left when it is half gone, for (.+)", False),
)
_LIKE = (
    (r"as to parts of a lot, (.+) is no different from (.+)", True),
    (r"what (.+) may do with parts of a lot, (.+) may, and nothing else", True),
    (r"as to parts of a lot, (.+) is the opposite of (.+)", False),
    (r"of (.+) and (.+), only one can have parts of a lot", False),
)
_STALE = re.compile(r" \((?:an old list|a rival|the first draft|last year)[^)]*\)")


@lru_cache(maxsize=1)
def _spelled() -> Mapping[str, int]:
    return {in_words(k): k for k in range(10_000)}


def figure_of(text: str) -> float | None:
    """The value of a number in any of its forms, None for what is none."""
    text = text.strip().lower()
    if _NUMBER.fullmatch(text):
        return float(text)
    if text in _spelled():
        return float(_spelled()[text])
    for form, value in _PAIRS:
        if found := re.fullmatch(form, text):
            a, b = (figure_of(part) for part in found.groups())
            if a is not None and b is not None:
                return float(round(value(a, b), 6))
    if found := re.fullmatch(r"(.+) dozen", text):
        part = figure_of(found[1])
        return None if part is None else 12 * part
    if found := re.fullmatch(r"(half|an? \w+) of (\S+)", text):
        part, share = figure_of(found[2]), _SHARES.get(found[1])
        return None if part is None or share is None else round(part * share, 6)
    return None


class ReadLimit(NamedTuple):
    """A limit on what some things have in all, less others."""

    plus: tuple[str, ...]
    minus: tuple[str, ...]
    lower: bool
    side: float


def sentences(text: str) -> list[str]:
    """The sentences of a text, in lower case, without full stops."""
    return [part.strip(" .").lower() for part in re.split(r"\.(?=\s|$)", text)]


def limits_of(text: str) -> Iterator[ReadLimit]:
    """The stated limits."""
    for said in sentences(text):
        for form in _LIMITS:
            found = form.fullmatch(said)
            if found is None:
                continue
            for pattern, lower in ((_FLOOR, True), (_ROOF, False)):
                much = pattern.fullmatch(found["n"])
                side = figure_of(next(filter(None, much.groups()))) if much else None
                if side is not None:
                    others = found.groupdict().get("b") or ""
                    yield ReadLimit(_things(found["a"]), _things(others), lower, side)


READ = 1024
"""Texts whose reading is kept: several adversaries read each of the same hundreds, in turn."""


@lru_cache(maxsize=READ)
def lots_of(text: str) -> Mapping[str, tuple[float, bool]]:
    """By thing, its variable's lot and whether only whole lots count."""
    sizes: dict[str, float] = {}
    whole: dict[str, bool] = {}
    parts = sentences(text)
    for said in parts:
        for form in _LOTS:
            if (match := form.fullmatch(said)) and (size := figure_of(match["n"])):
                sizes |= dict.fromkeys(_things(match["a"]), size)
        for pattern, is_so in _WHOLE:
            if match := re.fullmatch(pattern, said):
                whole[match[1]] = is_so
    for said in parts * 3:
        for pattern, alike in _LIKE:
            if match := re.fullmatch(pattern, said):
                for one, other in (match.groups(), match.groups()[::-1]):
                    if other in whole:
                        whole.setdefault(one, whole[other] == alike)
    tables = tables_of(text)
    for said in parts:
        for pattern, is_so in _RULED:
            if match := re.fullmatch(pattern, said):
                limit = figure_of(match[2])
                for name in sizes:
                    for meaning, values in tables:
                        if limit is not None and meaning == match[1] and name in values:
                            whole.setdefault(name, (values[name] >= limit) == is_so)
    return {name: (sizes.get(name, 1.0), whole.get(name, False)) for name in sizes | whole}


Tables = Sequence[tuple[str, Mapping[str, float]]]
"""What each table is of, and its values by what they are for."""


@lru_cache(maxsize=READ)
def tables_of(text: str) -> Tables:
    """The tables, as far as they can be worked out."""
    tables: Tables = ()
    for _ in range(2):  # a table may be told by a later one's
        found: list[tuple[str, Mapping[str, float]]] = []
        for said in sentences(_STALE.sub("", text)):
            head, _, body = said.rpartition(": ") if ";" in said else ("", "", "")
            if head:
                meaning = head.removeprefix("given: ").removeprefix("the ").partition(", in ")[0]
                parts = [part.strip() for part in body.split(";")]
                found.append((meaning, _solved(parts, [*tables, *found])))
        tables = found
    return tables


@lru_cache(maxsize=READ)
def named(text: str) -> str:
    """The text with the names of things that are told by what is known of them."""
    tables = tables_of(text)

    def name(found: re.Match[str]) -> str:
        for meaning, values in tables:
            if values and found[0].endswith(meaning):
                return (max if found[1] == "largest" else min)(values, key=values.__getitem__)
        return found[0]

    meanings = [meaning for meaning, _ in tables]
    known = "|".join(re.escape(one) for one in sorted(meanings, key=len, reverse=True) if one)
    form = rf"the (?!variables)\w+(?: \w+)? with the (largest|smallest) (?:{known})"
    return re.sub(form, name, text.lower()) if known else text.lower()


def _solved(entries: list[str], tables: Tables) -> dict[str, float]:
    known: dict[str, float] = {}
    for _ in entries:
        before = len(known)
        for said in entries:
            if not _elsewhere(said, known, tables):
                _entry(said, known)
        if len(known) == before:
            break
    return known


def _elsewhere(said: str, known: dict[str, float], tables: Tables) -> bool:
    """Whether an entry is told by another table's; what it says becomes known."""
    for form in (
        r"(?P<n>.+) has (?P<g>.+? (?:more|less)) here than by the (?P<m>.+)",
        r"take the (?P<m>.+) for (?P<n>.+), and here it is (?P<g>.+)",
    ):
        if found := re.fullmatch(form, said):
            much, _, more = found["g"].rpartition(" ")
            gap = 0.0 if much == "neither more nor" else figure_of(much)
            for meaning, values in tables:
                if gap is not None and meaning == found["m"] and found["n"] in values:
                    way = -1 if more == "less" else 1
                    known.setdefault(found["n"], values[found["n"]] + way * gap)
            return True
    return False


def _entry(said: str, known: dict[str, float]) -> None:
    """What one entry says, given what is known."""
    way = {"up": 1, "down": -1, "more": 1, "less": -1}
    if m := re.fullmatch(r"(.+) had (.+) last year and is (up|down) by (.+) since", said):
        _moved(known, m[1], m[2], way[m[3]], m[4])
    elif m := re.fullmatch(r"from (.+) it went (up|down) by (.+) for (.+)", said):
        _moved(known, m[4], m[1], way[m[2]], m[3])
    elif m := re.fullmatch(r"(.+) has (\S+(?: hundred.*)?) (more|less) than (.+)", said):
        _apart(known, m[1], m[4], m[2], way[m[3]])
    elif m := re.fullmatch(r"(.+) (more|less) for (.+) than for (.+)", said):
        _apart(known, m[3], m[4], m[1], way[m[2]])
    elif m := re.fullmatch(r"as much for (.+) as for (.+)", said):
        _apart(known, m[1], m[2], "none", 1)
    elif m := re.fullmatch(r"(.+) has (twice|\w+ times) what (.+) has", said):
        times = {"twice": 2, "three times": 3, "four times": 4, "five times": 5}[m[2]]
        if m[3] in known:
            known.setdefault(m[1], known[m[3]] * times)
    elif m := re.fullmatch(r"of (.+) and (.+), which come to (.+), (.+) has (.+) more", said):
        total, gap = figure_of(m[3]), figure_of(m[5])
        if total is not None and gap is not None:
            known.setdefault(m[4], (total + gap) / 2)
            known.setdefault(m[2] if m[4] == m[1] else m[1], (total - gap) / 2)
    elif m := re.fullmatch(r"(.+), (.+) and (.+) come to (.+) together", said):
        total, missing = figure_of(m[4]), [one for one in m.groups()[:3] if one not in known]
        if total is not None and len(missing) == 1:
            known[missing[0]] = total - sum(known.get(one, 0.0) for one in m.groups()[:3])
    elif m := re.fullmatch(r"(.+) and (.+) come to (.+) together", said):
        total = figure_of(m[3])
        for one, other in ((m[1], m[2]), (m[2], m[1])):
            if total is not None and other in known:
                known.setdefault(one, total - known[other])
    elif (m := re.fullmatch(r"(.+) has (.+)", said)) and (value := figure_of(m[2])) is not None:
        known.setdefault(m[1], value)
    elif (m := re.fullmatch(r"(.+) for (.+)", said)) and (value := figure_of(m[1])) is not None:
        known.setdefault(m[2], value)


def _moved(known: dict[str, float], name: str, start: str, way: int, by: str) -> None:
    before, share = figure_of(start), by.removesuffix(" per cent")
    step = figure_of(share)
    if before is not None and step is not None:
        change = before * step / 100 if share != by else step
        known.setdefault(name, round(before + way * change, 6))


def _apart(known: dict[str, float], name: str, other: str, gap: str, way: int) -> None:
    step = figure_of(gap)
    if step is not None and other in known:
        known.setdefault(name, known[other] + way * step)


def _things(listed: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in re.split(r", | and ", listed))))


_SLOTS = {"r": r"(?P<r>.+?)", "o": r"(?P<o>.+?)", "s": r"(?P<s>.+)", "n": "(?P<n>.+)",
          "k": "(?P<k>.+)"}  # fmt: skip
_CLAUSE = r"(?P<a>.+) has (?P<g>more|less) than (?P<b>.+) by the (?P<m>.+)"
_SAID = {
    what: [re.compile(form.replace(" with ", " ").format(**_SLOTS, c=_CLAUSE)) for form in forms]
    for what, forms in FORMS.items()
}


class RuleReader:
    """Reads the rules of an infeasible model's text, whose columns have `names`.

    Each sentence by itself; with `tables`, also what is told by a table's figures; if `linked`,
    also what is told by another rule.
    """

    def __init__(self, text: str, names: Sequence[str], tables: bool, linked: bool) -> None:
        self._names, self._linked = names, linked
        self._told = sentences(named(text).replace(" with ", " "))
        self._tables = {
            meaning: {name.replace(" with ", " "): value for name, value in values.items()}
            for meaning, values in (tables_of(text) if tables else ())
        }
        self.rules: dict[str, dict[str, Any]] = defaultdict(dict)
        self.often: list[str] = []
        found = [
            (what.split(), m.groupdict())
            for said in self._told
            for what, forms in _SAID.items()
            for form in forms
            if (m := form.fullmatch(said))
        ]
        for _ in range(12 if linked else 1):
            for what, slots in found:
                if linked or "o" not in slots:
                    self._learn(what, slots)

    def _learn(self, what: list[str], slots: dict[str, str]) -> None:
        """Put what a sentence says under its rule's columns, figure, floor or kept."""
        rule, (kind, *how) = self.rules[slots.get("r", "")], what[::-1] if "not" in what else what
        value: Any = None
        if "o" in slots:
            other = self.rules[slots["o"]]
            for one, of in ((rule, other), (other, rule)):
                if kind in of:
                    one.setdefault(kind, not of[kind] if how == ["unlike"] else of[kind])
                    if kind == "counts":
                        one["points"] = one.get("points") or of.get("points")
        elif kind == "often":
            days = self._tables.get("days that it takes", {})
            low, high = (self._figure(slots.get(name, "")) for name in "nk")
            if low is not None and high is not None:
                self.often = [name for name in days if low <= days[name] < high]
        elif kind == "counts":
            value = self._columns(slots["s"])
            rule.setdefault("points", self._tables.get(f"points of {slots['r']}"))
        elif kind == "names":
            value = self._figure(slots["n"])
        elif how == ["where"]:
            values = self._tables.get(slots["m"], {})
            if {slots["a"], slots["b"]} <= set(values):
                value = (values[slots["a"]] > values[slots["b"]]) == (slots["g"] == "more")
        elif kind in ("floor", "kept"):
            value = not how
        if value is not None:
            rule.setdefault(kind, value)

    def _figure(self, text: str) -> float | None:
        """A figure by itself, by another rule's, or by one of a table's."""
        form = r"(?:(?P<n>.+) (?P<g>more|less) than|what) (?P<a>.+?) (?:names|has by the (?P<m>.+))"
        if not (m := re.fullmatch(form, text)):
            return figure_of(text)
        base = self._tables.get(m["m"], {}).get(m["a"])
        if m["m"] is None and self._linked:
            base = self.rules[m["a"]].get("names")
        gap = figure_of(m["n"] or "none")
        if base is None or gap is None:
            return None
        return round(base + (-gap if m["g"] == "less" else gap), 6)

    def _columns(self, scope: str) -> frozenset[str] | None:
        """The columns that a scope names: of each meaning, by the stem that stands at its place."""
        decided = next((t for t in self._told if re.match("(to be |what is to be )?decide", t)), "")
        form = r"(?:, |^|: |; )the ([^(;]+?)(?:, in [^(;,]+)? \((?:yes|a wh|it m)"
        meanings = re.findall(form, decided)
        stems = list(dict.fromkeys(name.split("_")[0] for name in self._names))
        known = dict(zip(meanings, stems, strict=False))
        added = {name.replace("_", " "): name for name in self._names}
        heads = "|".join(map(re.escape, sorted([*known, *added], key=len, reverse=True)))
        parts = re.split(rf"(?:^|, | and )the ({heads})(?= over |, | and |$)", scope)
        found = set[str]()
        for head, things in zip(parts[1::2], parts[2::2], strict=True):
            listed = _things(things.removeprefix(" over "))
            every = [added[head]] if head in added else [
                name for name in self._names if name.split("_")[0] == known[head]
            ]  # fmt: skip
            found.update([f"{known.get(head)}_{t.replace(' ', '_')}" for t in listed] or every)
        return frozenset(found) or None
