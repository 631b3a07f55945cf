"""Other nouns in a declaration and its story: every text changes, no identifier does."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from ordojo.benchmarks.orqa.build.story import Slot, Story
from ordojo.problems.spec import Set, Spec

T = TypeVar("T")

KEPT = {"name", "scope", "rule", "table", "key", "size", "parts", "over", "domain", "lower"}
KEPT |= {"upper", "sense", "semantic", "scaffold", "expression", "family", "template", "slots"}
KEPT |= {"optional", "category"}
"""Fields that hold identifiers, expressions or labels."""

_ARTICLE = re.compile(r"\b([Aa])n? (?=([A-Za-z]+))")
_AN = re.compile(r"(?!uni|use|one\b|eu)[aeiou]|hour", re.IGNORECASE)


def mapping(slots: Sequence[Slot], chosen: Sequence[int]) -> dict[str, str]:
    """What each noun becomes; choice 0 keeps it."""
    return {
        old: new
        for slot, place in zip(slots, chosen, strict=True)
        for old, new in zip(slot.noun, slot.choices[place], strict=True)
    }


def reworded(value: T, words: Mapping[str, str]) -> T:
    """The value with other nouns in all its texts, whatever it is made of."""
    found: Any = _reworded(value, words)
    return found  # type: ignore[no-any-return]  # the same type as `value`


def _reworded(value: Any, words: Mapping[str, str]) -> Any:
    match value:
        case str():
            return articles(_swap(value, words))
        case Mapping():
            return {key: _reworded(one, words) for key, one in value.items()}
        case tuple() if hasattr(value, "_fields"):
            new = (v if k in KEPT else _reworded(v, words) for k, v in _items(value))
            return type(value)(*new)
        case tuple():
            return tuple(_reworded(one, words) for one in value)
        case Set():
            # What an element is called is the key column of a counted set.
            key = value.key or (value.one.replace(" ", "_"),)
            one, many = (_reworded(text, words) for text in (value.one, value.many))
            return replace(value, one=one, many=many, key=key)
        case Spec() | Story():
            return _replaced(value, words)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return _replaced(value, words)
    return value


def articles(text: str) -> str:
    """The text with "a" before consonants and "an" before vowels."""
    return _ARTICLE.sub(lambda m: f"{m[1]}{'n' if _AN.match(m[2]) else ''} ", text)


def _replaced(value: Any, words: Mapping[str, str]) -> Any:
    kept = KEPT if not isinstance(value, Spec | Story) else KEPT - {"rule"}
    new = {
        f.name: _reworded(getattr(value, f.name), words)
        for f in fields(value)
        if f.name not in kept
    }
    return replace(value, **new)


def _items(value: Any) -> list[tuple[str, Any]]:
    return list(zip(value._fields, value, strict=True))


def _swap(text: str, words: Mapping[str, str]) -> str:
    changed = {old: new for old, new in words.items() if old != new}
    if not changed:
        return text
    pattern = "|".join(re.escape(old) for old in sorted(changed, key=len, reverse=True))

    def other(match: re.Match[str]) -> str:
        new = changed[match[0].lower()]
        return new[0].upper() + new[1:] if match[0][0].isupper() else new

    # Not inside a placeholder such as {most_bands}.
    return re.sub(rf"(?<![\w{{])(?:{pattern})(?![\w}}])", other, text, flags=re.IGNORECASE)
