"""Reading what users give: a file without end, or JSON without bottom, is an error like others."""

import errno
import json
from pathlib import Path
from typing import Any

LARGEST = 1 << 28
"""Bytes of a file that is read as a whole: ten times the largest published dataset."""


def read_bytes(path: Path) -> bytes:
    """The file's bytes; raises OSError, also where there are more than LARGEST."""
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise OSError(errno.EFBIG, f"it has more than {LARGEST:,} bytes", str(path))
    return data


def read_text(path: Path) -> str:
    """The file as UTF-8, a mark at its beginning left out; raises OSError and UnicodeDecodeError.

    Every line ends in a line feed, as Python's text files have it.
    """
    text = read_bytes(path).decode("utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_json(text: str | bytes) -> Any:
    """What JSON says; raises ValueError, also where it is nested too deep."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
