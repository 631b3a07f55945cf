"""Reading an action out of whatever a language model wrote.

Understood are `Action: RELAX(c1, 30)`, bare or in Markdown; JSON such as
`{"action": "RELAX", "constraint": "c1", "delta": 30}`; and tool calls in the common dialects. Only
what follows the thinking is read, and of that the last 50,000 characters. Where a line begins with
"Action:", the first action after the last such label counts; else the last action of the answer.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from ordojo.benchmarks.or_debug import toolcalls
from ordojo.benchmarks.or_debug.diagnosis import last_match, read_diagnosis
from ordojo.milp.algebra import number

__all__ = ["DIAGNOSTIC", "REPAIR", "Action", "Invalid", "Kind", "number", "parse_action"]


class Kind(StrEnum):
    """The actions (paper 004, D.2)."""

    GET_IIS = "GET_IIS"
    CHECK_SLACK = "CHECK_SLACK"
    CHECK_BOUND = "CHECK_BOUND"
    RELAX = "RELAX"
    DROP = "DROP"
    REWRITE = "REWRITE"
    SUBMIT = "SUBMIT"
    RESTART = "RESTART"


DIAGNOSTIC = frozenset({Kind.GET_IIS, Kind.CHECK_SLACK, Kind.CHECK_BOUND})
REPAIR = frozenset({Kind.RELAX, Kind.DROP, Kind.REWRITE})


@dataclass(frozen=True, slots=True)
class Action:
    """One action; `diagnosis` holds the names that came with it, as they were written.

    `target` is empty for GET_IIS, SUBMIT, RESTART, and for a check of everything. `delta` belongs
    to RELAX, `expr` to REWRITE.
    """

    kind: Kind
    target: str = ""
    delta: float | None = None
    expr: str = ""
    diagnosis: tuple[str, ...] = ()

    def __str__(self) -> str:
        match self.kind:
            case Kind.RELAX:
                return f"RELAX({self.target}, {number(self.delta or 0.0)})"
            case Kind.REWRITE:
                return f"REWRITE({self.target}, {self.expr})"
            case Kind.DROP:
                return f"DROP({self.target})"
        return f"{self.kind.value}({self.target})" if self.target else self.kind.value


@dataclass(frozen=True, slots=True)
class Invalid:
    """Why a text is no action, or why an action cannot be taken: one sentence without its stop."""

    reason: str
    diagnosis: tuple[str, ...] = ()


class _Call(NamedTuple):
    kind: Kind
    args: str | None


_NAMES = "get[_ ]?iis|check[_ ]?slacks?|check[_ ]?bounds?|relax|drop|rewrite|submit|restart"
_STEMS = ("iis", "slack", "bound", "relax", "drop", "rewrite", "submit", "restart")
"""One of these stands in every name: a long text without them is not looked through."""
_KINDS = {kind.replace("_", ""): kind for kind in Kind}
_PLAIN = re.compile(rf"(?:action: ?)?({_NAMES})(?:\(([^()\n]*)\))?", re.IGNORECASE)
_LABEL = re.compile(
    r"^[ \t*_#>`•-]{0,20}(?:(?:final|next|suggested|my) )?action(?: ?\d{1,3})?[*_]{0,3} ?:",
    re.IGNORECASE | re.MULTILINE,
)
_OPEN = re.compile(rf"(?<![\w.])({_NAMES})\(", re.IGNORECASE)
_ALONE = re.compile(
    rf"^[ \t*_`>•-]{{0,20}}({_NAMES})[ \t\r*_`.;]{{0,20}}$", re.IGNORECASE | re.MULTILINE
)
_LABELLED = re.compile(rf"[\s*_`]*({_NAMES})(?!\w)[*_`]*( ?\()?", re.IGNORECASE)
_SENSE = re.compile("[<>=≤≥]")
_BRACKETS = re.compile(r"[()\[\]\"',]")
_KEYWORD = re.compile(r"\s*(\w+)\s*=(?![=<>])\s*")
_READ = 50_000
_FORM = "write one as 'Action: RELAX(name, amount)' or another of the actions listed"


def parse_action(text: str) -> Action | Invalid:
    """Read one action; any text will do, in time linear in its length.

    RELAX with a constraint in the place of its amount (`RELAX(c3, x >= 40)`) is a REWRITE. The
    names of elements are not looked up here.
    """
    if len(text) < 300 and (found := _PLAIN.fullmatch(text)):
        return _action(_Call(_kind(found[1]), found[2]))
    text = text.rpartition("</think>")[2].partition("<think>")[0][-_READ:]
    diagnosis = read_diagnosis(text)
    label = last_match(_LABEL, text)
    region = text[label.end() :] if label is not None else text
    found_action = None
    if label is not None:
        found_action = _at_label(region)
    found_action = found_action or _from_json(region) or _from_calls(region, label is not None)
    if found_action is None:
        return Invalid(f"no action was found in the answer; {_FORM}", diagnosis)
    if diagnosis and not found_action.diagnosis:
        return replace(found_action, diagnosis=diagnosis)
    return found_action


def _at_label(text: str) -> Action | Invalid | None:
    """The action with which `text` begins, None if it begins with something else."""
    found = _LABELLED.match(text)
    if found is None:
        return None
    args = _balanced(text, found.end()) if found[2] else ""
    return _action(_Call(_kind(found[1]), args))


def _from_json(text: str) -> Action | Invalid | None:
    """The action of the last JSON object, unless a call follows it."""
    request = toolcalls.last_request(text) if "{" in text else None
    if request is None or _OPEN.search(text, request.end):
        return None
    diagnosis = tuple(request.diagnosis)
    plain = _PLAIN.fullmatch(request.action.strip())
    if plain is not None and plain[2] is None:
        return _build(_kind(plain[1]), request.target, request.delta, request.expr, diagnosis)
    found = _from_calls(request.action, first=True)
    if found is not None:
        return replace(found, diagnosis=diagnosis)
    return Invalid(f"there is no action '{request.action[:40]}'; {_FORM}", diagnosis)


def _from_calls(text: str, first: bool) -> Action | Invalid | None:
    """The first or last action of a text: a call, or a name alone on its line."""
    best: tuple[int, _Call] | None = None
    folded = text.casefold()
    if not any(stem in folded for stem in _STEMS):
        return None
    for pattern in (_OPEN, _ALONE):
        found = pattern.search(text) if first else last_match(pattern, text)
        if found is not None and (best is None or (found.start() < best[0]) == first):
            args = _balanced(text, found.end()) if pattern is _OPEN else ""
            best = found.start(1), _Call(_kind(found[1]), args)
    return None if best is None else _action(best[1])


def _kind(name: str) -> Kind:
    name = name.upper().replace("_", "").replace(" ", "")
    return _KINDS.get(name) or _KINDS[name.rstrip("S")]


def _balanced(text: str, start: int) -> str | None:
    """What stands from `start` to the parenthesis that closes it; None if none does."""
    depth = 1
    for found in _BRACKETS.finditer(text, start):
        if found[0] == "(":
            depth += 1
        elif found[0] == ")":
            depth -= 1
            if depth == 0:
                return text[start : found.start()]
    return None


def _split(args: str) -> tuple[str, str]:
    """What comes before and after the first comma that no bracket or quotation encloses."""
    if args.count(",") == 1 and "[" not in args and "(" not in args:
        first, _, rest = args.partition(",")
        return first, rest
    depth, quote = 0, ""
    for found in _BRACKETS.finditer(args):
        mark = found[0]
        if quote:
            quote = "" if mark == quote else quote
        elif mark in "\"'":
            quote = mark
        elif mark in "([":
            depth += 1
        elif mark in ")]":
            depth -= 1
        elif depth <= 0:
            return args[: found.start()], args[found.end() :]
    return args, ""


def _action(call: _Call) -> Action | Invalid:
    """The action of a call such as RELAX(c1, 30), its arguments by place or by keyword."""
    kind, args = call
    if args is None and kind in REPAIR:
        return Invalid(f"the arguments of {kind.value} are not closed by a parenthesis")
    args = args or ""
    if kind in (Kind.RELAX, Kind.REWRITE):
        first, second = _split(args)
        if "=" in args:
            named: dict[str, str] = {}
            places = [_keyword(first, named), _keyword(second, named)]
            if named:
                request = toolcalls.read_arguments(named)
                rest = [place for place in places if place]
                target = request.target or (rest.pop(0) if rest else "")
                given = request.expr or request.delta or (rest.pop(0) if rest else "")
                return _build(kind, target, given, "", ())
        return _build(kind, first, second, "", ())
    if "=" in args:
        args = _KEYWORD.sub("", args, count=1)
    return _build(kind, args, None, "", ())


def _keyword(text: str, named: dict[str, str]) -> str:
    """Move `key=value` into `named`; what is no keyword argument is given back."""
    found = _KEYWORD.match(text)
    if found is None or not toolcalls.is_argument(found[1]):
        return text
    named[found[1].lower()] = text[found.end() :]
    return ""


def _build(
    kind: Kind, target: str, delta: str | float | None, expr: str, diagnosis: tuple[str, ...]
) -> Action | Invalid:
    target = target.strip().strip("\"'`").strip()
    if kind not in REPAIR:
        if kind not in DIAGNOSTIC or kind is Kind.GET_IIS or target.lower() in ("all", "*"):
            target = ""
        return Action(kind, target, diagnosis=diagnosis)
    if not target:
        return Invalid(f"{kind.value} needs the name of a constraint or bound", diagnosis)
    if kind is Kind.DROP:
        return Action(kind, target, diagnosis=diagnosis)
    if isinstance(delta, str):
        given = delta.strip()
        if len(given) > 1 and given[0] == given[-1] and given[0] in "\"'`":
            given = given[1:-1].strip()
    else:
        given = "" if delta is None else number(delta)
    expr = expr.strip() or given
    if kind is Kind.RELAX:
        try:
            amount = float(given.replace("−", "-"))
        except ValueError:
            if not _SENSE.search(expr):
                shown = given[:40]
                return Invalid(
                    f"the amount of RELAX must be a number such as 30 or -12.5, not '{shown}'",
                    diagnosis,
                )
        else:
            return Action(kind, target, amount, diagnosis=diagnosis)
    if not expr:
        return Invalid(f"REWRITE needs what '{target[:60]}' shall become", diagnosis)
    return Action(Kind.REWRITE, target, expr=expr, diagnosis=diagnosis)
