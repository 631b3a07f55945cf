"""Showing data files within a budget of tokens: whole where they fit, else their beginning."""

import json
from collections.abc import Mapping
from pathlib import Path

from ordojo.core.canonical import Json
from ordojo.core.files import read_bytes

CHARACTERS_A_TOKEN = 4
"""A rule of thumb, as no tokenizer is at hand for every model."""

_LEAST = 20


def preview(inputs: Mapping[str, Path | bytes], notes: Mapping[str, str], tokens: int) -> str:
    """Each file's name, what its source says of it, and as much of it as the budget allows.

    Names and notes are always told; with no tokens nothing else is. Small files are shown whole,
    and leave what they do not need to the others. JSON is shortened by its longest lists, other
    text by its lines; what is left out is said. Raises OSError for a file that cannot be read.
    """
    texts = {name: _text(source) for name, source in inputs.items()}
    shares = _shares({name: len(text) for name, text in texts.items()}, tokens)
    parts = []
    for name, text in texts.items():
        head = f"{name}: {notes[name]}" if notes.get(name) else name
        shown = shorten(text, shares[name]) if shares[name] >= min(_LEAST, len(text)) else ""
        parts.append(f"{head}\n{shown}" if shown else head)
    return "\n\n".join(parts)


def _text(source: Path | bytes) -> str:
    raw = source if isinstance(source, bytes) else read_bytes(source)
    return raw.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").strip()


def _shares(lengths: Mapping[str, int], tokens: int) -> dict[str, int]:
    """Characters for each file: equal parts, where small files leave theirs to the rest."""
    left, shares = tokens * CHARACTERS_A_TOKEN, dict.fromkeys(lengths, 0)
    waiting = sorted(lengths, key=lambda name: lengths[name])
    for place, name in enumerate(waiting):
        shares[name] = min(lengths[name], left // (len(waiting) - place))
        left -= shares[name]
    return shares


def shorten(text: str, most: int) -> str:
    """The text, or so much of its beginning as has about `most` characters, and what is missing."""
    if len(text) <= most:
        return text
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict | list):
        for items in (50, 20, 10, 5, 3, 2, 1):
            short = json.dumps(_fewer(value, items), ensure_ascii=False)
            if len(short) <= most:
                return short
    return _first_lines(text, most)


def _fewer(value: Json, items: int) -> Json:
    """A JSON value with at most so many items of every list."""
    if isinstance(value, dict):
        return {key: _fewer(inner, items) for key, inner in value.items()}
    if not isinstance(value, list):
        return value
    kept = [_fewer(inner, items) for inner in value[:items]]
    return [*kept, f"... {len(value)} in all"] if len(value) > items else kept


def _first_lines(text: str, most: int) -> str:
    lines = text.split("\n")
    kept, used = 0, 0
    while kept < len(lines) and used + len(lines[kept]) + 1 <= most:
        used += len(lines[kept]) + 1
        kept += 1
    if kept:
        return "\n".join([*lines[:kept], f"... ({len(lines):,} lines in all)"])
    return f"{text[:most]} ... ({len(text):,} characters in all)"
