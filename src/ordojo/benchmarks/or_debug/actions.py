"""Reading an action out of whatever a language model wrote: a line, JSON, or a tool call."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from ordojo.benchmarks.or_debug.elements import (
    exact_element,
    last_match,
    read_diagnosis,
    split_names,
)
from ordojo.core.readers.turn import after_thinking
from ordojo.milp.algebra import number
from ordojo.milp.model import Model

__all__ = ["DIAGNOSTIC", "REPAIR", "Action", "ActionKind", "Invalid", "number", "parse_action"]

_KIND = ("action", "name", "tool", "tool_name", "function", "type")
_TARGET = ("constraint", "target", "row", "element", "bound", "variable", "constraint_name", "c")
_DELTA = ("delta", "amount", "change", "by", "value")
_EXPR = ("expr", "expression", "new_expr", "new_expression", "new_constraint", "to")
_DIAGNOSIS = ("diagnosis", "diagnosed", "diagnosed_constraints", "root_cause")
_INNER = ("arguments", "parameters", "input", "args", "kwargs")
_KEYS = frozenset((*_TARGET, *_DELTA, *_EXPR))
_MARKS = re.compile(r'["{}]')
_TRIES, _DEEPEST = 8, 50
"""Last objects of a reply that are read as an action, and how deep one may be nested: chosen
without a fit, far above what replies have, so that one made to be slow takes no longer."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a JSON object asks for, still as text; `end` is where it ends in the answer."""

    action: str = ""
    target: str = ""
    delta: str | float | None = None
    expr: str = ""
    diagnosis: tuple[str, ...] = ()
    end: int = 0


def read_arguments(fields: Mapping[str, Any]) -> Request:
    """Target, amount and expression from fields under any of their usual names."""
    lower = {str(key).lower(): value for key, value in fields.items()}
    delta = _first(lower, _DELTA)
    if not isinstance(delta, str | int | float) or isinstance(delta, bool):
        delta = None
    elif isinstance(delta, int):
        delta = float(delta) if abs(delta) < 10**300 else float("inf")
    return Request(
        target=_text(_first(lower, _TARGET)),
        delta=delta,
        expr=_text(_first(lower, _EXPR)),
        diagnosis=_names(_first(lower, _DIAGNOSIS)),
    )


def last_request(text: str) -> Request | None:
    """The last object of `text` that asks for an action, None if there is none."""
    for start, end in reversed(_spans(text)[-_TRIES:]):
        try:
            found = json.loads(text[start:end])
        except (ValueError, RecursionError):
            continue
        request = _request(found, end)
        if request is not None:
            return request
    return None


def _spans(text: str) -> list[tuple[int, int]]:
    """Where the outermost pairs of braces stand; quotation marks count within braces."""
    spans: list[tuple[int, int]] = []
    depth, start, quoted = 0, 0, False
    for found in _MARKS.finditer(text):
        mark, place = found[0], found.start()
        if mark == '"':
            before = text[max(0, place - 64) : place]
            escaped = (len(before) - len(before.rstrip("\\"))) % 2 == 1
            if depth and not (quoted and escaped):
                quoted = not quoted
        elif quoted:
            continue
        elif mark == "{":
            depth += 1
            start = place if depth == 1 else start
        elif depth:
            depth -= 1
            if depth == 0:
                spans.append((start, place + 1))
    return spans


def _request(found: Any, end: int, depth: int = 0) -> Request | None:
    """The request of a decoded object: flat, nested as a tool call, or in a list of calls."""
    if not isinstance(found, dict) or depth > _DEEPEST:
        return None
    calls = found.get("tool_calls")
    if isinstance(calls, list) and calls:
        return _request(calls[-1], end, depth + 1)
    fields: dict[str, Any] = {str(key).lower(): value for key, value in found.items()}
    for key in _KIND:
        if isinstance(fields.get(key), dict):
            inner = fields.pop(key)
            return _request({**fields, **_lower(inner)}, end, depth + 1)
    for key in _INNER:
        inner = fields.get(key)
        if isinstance(inner, str):
            try:
                inner = json.loads(inner)
            except (ValueError, RecursionError):
                inner = None
        if isinstance(inner, dict):
            outer = fields.pop("name", "")
            fields = {**fields, **({"action": outer} if outer else {}), **_lower(inner)}
    names = [fields[key] for key in _KIND if isinstance(fields.get(key), str)]
    if not names:
        return None
    # In {"type": "function", "name": "relax"} and {"action": "DROP", "name": "c1"} order decides.
    action = str(names[0])
    request = read_arguments(fields)
    target = request.target
    if not target and "action" in fields:
        target = _text(fields.get("name"))
    return Request(action, target, request.delta, request.expr, request.diagnosis, end)


def _lower(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {str(key).lower(): value for key, value in fields.items()}


def _first(fields: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    for key in keys:
        if fields.get(key) is not None:
            return fields[key]
    return None


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None or isinstance(value, dict | list) else str(value)


def _names(value: Any) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(item for item in value if isinstance(item, str) and item)[:100]
    return split_names(value) if isinstance(value, str) else ()


class ActionKind(StrEnum):
    """The actions (paper 004, D.2)."""

    GET_IIS = "GET_IIS"
    CHECK_SLACK = "CHECK_SLACK"
    CHECK_BOUND = "CHECK_BOUND"
    RELAX = "RELAX"
    DROP = "DROP"
    REWRITE = "REWRITE"
    SUBMIT = "SUBMIT"
    RESTART = "RESTART"


DIAGNOSTIC = frozenset({ActionKind.GET_IIS, ActionKind.CHECK_SLACK, ActionKind.CHECK_BOUND})
REPAIR = frozenset({ActionKind.RELAX, ActionKind.DROP, ActionKind.REWRITE})


@dataclass(frozen=True, slots=True)
class Action:
    """One action; `diagnosis` holds the names that came with it, as they were written.

    `target` is empty for GET_IIS, SUBMIT, RESTART, and for a check of everything. `delta` belongs
    to RELAX, `expr` to REWRITE.
    """

    kind: ActionKind
    target: str = ""
    delta: float | None = None
    expr: str = ""
    diagnosis: tuple[str, ...] = ()

    def __str__(self) -> str:
        match self.kind:
            case ActionKind.RELAX:
                return f"RELAX({self.target}, {number(self.delta or 0.0)})"
            case ActionKind.REWRITE:
                return f"REWRITE({self.target}, {self.expr})"
            case ActionKind.DROP:
                return f"DROP({self.target})"
        return f"{self.kind.value}({self.target})" if self.target else self.kind.value


@dataclass(frozen=True, slots=True)
class Invalid:
    """Why a text is no action, or why an action cannot be taken: one sentence without its stop."""

    reason: str
    diagnosis: tuple[str, ...] = ()


class _Call(NamedTuple):
    """`target` is what the arguments begin with where that is a name of the model's."""

    kind: ActionKind
    args: str | None
    target: str = ""


_NAMES = "get[_ ]?iis|check[_ ]?slacks?|check[_ ]?bounds?|relax|drop|rewrite|submit|restart"
_STEMS = ("iis", "slack", "bound", "relax", "drop", "rewrite", "submit", "restart")
"""One of these stands in every name: a long text without them is not looked through."""
_KINDS = {kind.replace("_", ""): kind for kind in ActionKind}
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
_TARGET_ENDS = re.compile(r"[),]")
_LONGEST = 400
"""Characters of a call in which its target ends."""
_BRACKETS = re.compile(r"[()\[\]\"',]")
_KEYWORD = re.compile(r"\s*(\w+)\s*=(?![=<>])\s*")
_FORM = "write one as 'Action: RELAX(name, amount)' or another of the actions listed"


READ = 50_000
"""Characters that are read of a longer reply, its last: an answer ends it, and time has a bound."""


def parse_action(text: str, model: Model | None = None) -> Action | Invalid:
    """Read one action; any text will do, in time linear in its length.

    RELAX with a constraint in the place of its amount (`RELAX(c3, x >= 40)`) is a REWRITE. With
    the model that is spoken of, a target may be any name of its, with brackets, commas or marks in
    it; without, names are taken to be made as programs make them.
    """
    if len(text) < 300 and (found := _PLAIN.fullmatch(text)):
        start = found.start(2)
        call = _call(found[1], text, start, model) if start > 0 else _Call(_kind(found[1]), None)
        return _action(call, model)
    text = after_thinking(text)[-READ:]
    diagnosis = read_diagnosis(text, model)
    label = last_match(_LABEL, text)
    region = text[label.end() :] if label is not None else text
    found_action = None
    if label is not None:
        found_action = _at_label(region, model)
    if found_action is None:
        found_action = _from_json(region, model) or _from_calls(region, label is not None, model)
    if found_action is None:
        return Invalid(f"no action was found in the answer; {_FORM}", diagnosis)
    if diagnosis and not found_action.diagnosis:
        return replace(found_action, diagnosis=diagnosis)
    return found_action


def _at_label(text: str, model: Model | None) -> Action | Invalid | None:
    """The action with which `text` begins, None if it begins with something else."""
    found = _LABELLED.match(text)
    if found is None:
        return None
    if found[2]:
        return _action(_call(found[1], text, found.end(), model), model)
    return _action(_Call(_kind(found[1]), ""), model)


def _from_json(text: str, model: Model | None) -> Action | Invalid | None:
    """The action of the last JSON object, unless a call follows it."""
    request = last_request(text) if "{" in text else None
    if request is None or _OPEN.search(text, request.end):
        return None
    diagnosis = tuple(request.diagnosis)
    plain = _PLAIN.fullmatch(request.action.strip())
    if plain is not None and plain[2] is None:
        target = _target(request.target, model)
        return _build(_kind(plain[1]), target, request.delta, request.expr, diagnosis)
    found = _from_calls(request.action, True, model)
    if found is not None:
        return replace(found, diagnosis=diagnosis)
    return Invalid(f"there is no action '{request.action[:40]}'; {_FORM}", diagnosis)


def _from_calls(text: str, first: bool, model: Model | None) -> Action | Invalid | None:
    """The first or last action of a text: a call, or a name alone on its line."""
    best: tuple[int, _Call] | None = None
    folded = text.casefold()
    if not any(stem in folded for stem in _STEMS):
        return None
    for pattern in (_OPEN, _ALONE):
        found = pattern.search(text) if first else last_match(pattern, text)
        if found is not None and (best is None or (found.start() < best[0]) == first):
            called = pattern is _OPEN
            call = _call(found[1], text, found.end(), model) if called else None
            best = found.start(1), call or _Call(_kind(found[1]), "")
    return None if best is None else _action(best[1], model)


def _call(name: str, text: str, start: int, model: Model | None) -> _Call:
    """The call whose arguments begin at `start`: first what the model has as a name, if it has."""
    kind = _kind(name)
    line = text[start : start + _LONGEST].partition("\n")[0]
    ends = [found.start() for found in _TARGET_ENDS.finditer(line)] if model is not None else []
    for end in reversed(ends):
        closed = line[end] == ")"
        if closed and kind in (ActionKind.RELAX, ActionKind.REWRITE):
            continue  # The amount is to follow.
        keyword = _KEYWORD.match(line, 0, end)
        begins = keyword.end() if keyword and keyword[1].lower() in _TARGET else 0
        if known := _known(line[:end], model) or _known(line[begins:end], model):
            args = "" if closed else _balanced(text, start + end + 1)
            return _Call(kind, args, known)
    return _Call(kind, _balanced(text, start))


def _known(text: str, model: Model | None) -> str:
    """The name of the model's that a text is, with or without quotation marks; else nothing."""
    text = text.strip()
    quoted = len(text) > 2 and text[0] in "\"'`" and text[0] == text[-1]
    inner = text[1:-1] if quoted else ""
    for name in (text, inner, inner.replace("``", "`")):
        if name and model is not None and exact_element(model, name):
            return name
    return ""


def _target(text: str, model: Model | None) -> str:
    return _known(text, model) or text.strip().strip("\"'`").strip()


def _kind(name: str) -> ActionKind:
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


def _action(call: _Call, model: Model | None) -> Action | Invalid:
    """The action of a call such as RELAX(c1, 30), its arguments by place or by keyword."""
    kind, args, target = call
    if args is None and kind in REPAIR:
        return Invalid(f"the arguments of {kind.value} are not closed by a parenthesis")
    args = args or ""
    if target:
        named: dict[str, str] = {}
        amount = _keyword(args, named)
        request = read_arguments(named)
        return _build(kind, target, request.expr or request.delta or amount, "", ())
    if kind in (ActionKind.RELAX, ActionKind.REWRITE):
        first, second = _split(args)
        if "=" in args:
            named = {}
            places = [_keyword(first, named), _keyword(second, named)]
            if named:
                request = read_arguments(named)
                rest = [place for place in places if place]
                target = request.target or (rest.pop(0) if rest else "")
                given = request.expr or request.delta or (rest.pop(0) if rest else "")
                return _build(kind, _target(target, model), given, "", ())
        return _build(kind, _target(first, model), second, "", ())
    if "=" in args:
        args = _KEYWORD.sub("", args, count=1)
    return _build(kind, _target(args, model), None, "", ())


def _keyword(text: str, named: dict[str, str]) -> str:
    """Move `key=value` into `named`; what is no keyword argument is given back."""
    found = _KEYWORD.match(text)
    if found is None or found[1].lower() not in _KEYS:
        return text
    named[found[1].lower()] = text[found.end() :]
    return ""


def _build(
    kind: ActionKind, target: str, delta: str | float | None, expr: str, diagnosis: tuple[str, ...]
) -> Action | Invalid:
    if kind not in REPAIR:
        if kind not in DIAGNOSTIC or kind is ActionKind.GET_IIS or target.lower() in ("all", "*"):
            target = ""
        return Action(kind, target, diagnosis=diagnosis)
    if not target:
        return Invalid(f"{kind.value} needs the name of a constraint or bound", diagnosis)
    if kind is ActionKind.DROP:
        return Action(kind, target, diagnosis=diagnosis)
    if isinstance(delta, str):
        given = delta.strip()
        if len(given) > 1 and given[0] == given[-1] and given[0] in "\"'`":
            given = given[1:-1].strip()
    else:
        given = "" if delta is None else number(delta)
    expr = expr.strip() or given
    if kind is ActionKind.RELAX:
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
    return Action(ActionKind.REWRITE, target, expr=expr, diagnosis=diagnosis)
