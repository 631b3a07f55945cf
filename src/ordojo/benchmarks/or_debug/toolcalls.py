"""Reading an action written as JSON, or as a tool call in one of the common dialects."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ordojo.benchmarks.or_debug.diagnosis import split_names

_KIND = ("action", "name", "tool", "tool_name", "function", "type")
_TARGET = ("constraint", "target", "row", "element", "bound", "variable", "constraint_name", "c")
_DELTA = ("delta", "amount", "change", "by", "value")
_EXPR = ("expr", "expression", "new_expr", "new_expression", "new_constraint", "to")
_DIAGNOSIS = ("diagnosis", "diagnosed", "diagnosed_constraints", "root_cause")
_INNER = ("arguments", "parameters", "input", "args", "kwargs")
_KEYS = frozenset((*_TARGET, *_DELTA, *_EXPR))
_MARKS = re.compile(r'["{}]')
_TRIES, _DEEPEST = 8, 50


@dataclass(frozen=True, slots=True)
class Request:
    """What a JSON object asks for, still as text; `end` is where it ends in the answer."""

    action: str = ""
    target: str = ""
    delta: str | float | None = None
    expr: str = ""
    diagnosis: tuple[str, ...] = ()
    end: int = 0


def is_argument(name: str) -> bool:
    """Whether `name` is the keyword of an argument."""
    return name.lower() in _KEYS


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
            if depth and not (quoted and _escaped(text, place)):
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


def _escaped(text: str, place: int) -> bool:
    before = text[max(0, place - 64) : place]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


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
