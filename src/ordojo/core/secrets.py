"""Secrets among a model's arguments: neither kept nor shown, and no part of a run's identity.

Nor are they where somebody quotes them, such as a provider in its errors: `hide`, `hidden`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_ALWAYS = re.compile(
    "apikey|auth|authorization|bearer|cookies?|credentials?|headers?|jwt|pass|passphrase|passwd|"
    "password|pat|pwd|secrets?|signature"
)
"""Words that make any name in which they stand a secret's; headers carry keys."""
_LAST = frozenset({"key", "keys", "token"})
"""Words that do so at a name's end: `hf_token`, and not `token_limit`."""
_MARKS = re.compile("begin|bos|cls|eos|end|image|mask|pad|sep|special|start|stop|unk")
"""Before "token" these say which one of a tokenizer."""
_LOGIN = re.compile(r"(?<=://)[^/@\s]+@")


def is_secret(name: str) -> bool:
    """Whether an argument of this name is a secret (api_key, hf_token, password, headers...)."""
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())
    if not words or (words[-1] == "token" and any(map(_MARKS.fullmatch, words))):
        return False
    ends = words[-1] in _LAST or words[-1].endswith(("apikey", "secret", "password"))
    return ends or any(map(_ALWAYS.fullmatch, words)) or "access_key" in "_".join(words)


def without_secrets(value: Any) -> Any:
    """The value without secrets at any depth, also in texts of JSON; URLs without their login."""
    if isinstance(value, Mapping):
        return {k: without_secrets(v) for k, v in value.items() if not is_secret(str(k))}
    if isinstance(value, str):
        return _LOGIN.sub("", _told(value))
    if isinstance(value, Sequence):
        return [without_secrets(part) for part in value]
    return value


_SHORTEST = 8
"""Characters of what is hidden in texts: shorter ones ("EMPTY") are no secrets, and are words."""
_hidden: set[str] = set()


def hide(value: Any, *, secret: bool = False) -> None:
    """Have `hidden` leave out the texts under a secret's name, at any depth; or any (`secret`)."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            hide(part, secret=secret or is_secret(str(name)))
    elif isinstance(value, str):
        if secret and len(value) >= _SHORTEST:
            _hidden.add(value)
    elif isinstance(value, Sequence):
        for part in value:
            hide(part, secret=secret)


def hidden(text: str) -> str:
    """The text, with [secret] for what this process was told to hide."""
    for value in sorted(_hidden, key=len, reverse=True):
        text = text.replace(value, "[secret]")
    return text


def _told(text: str) -> str:
    """A text of JSON without its secrets, of anything alike nothing if it has some."""
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        found = json.loads(text)
        kept = without_secrets(found)
    except (ValueError, RecursionError):
        return "" if any(map(is_secret, re.findall(r"[\w-]+", text))) else text
    return text if kept == found else json.dumps(kept)
