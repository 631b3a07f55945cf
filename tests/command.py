"""The command `ordojo` called in this process, which saves the second that each start takes."""

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from ordojo.cli import main


class Done(NamedTuple):
    """How a command ended: exit code, what it printed, and both streams in their order."""

    returncode: int
    stdout: str
    stderr: str
    both: str


class _Copied(io.BytesIO):
    """Writes what it gets to another one, too."""

    def __init__(self, copy: io.BytesIO) -> None:
        super().__init__()
        self.copy = copy

    def write(self, data: Any) -> int:
        self.copy.write(data)
        return super().write(data)


def ordojo(words: Sequence[str], cwd: Path | str = ".", **environment: str) -> Done:
    """Call `ordojo WORDS` in a folder, with these variables beside those of the environment."""
    both = io.BytesIO()
    raws = _Copied(both), _Copied(both)
    out, err = (io.TextIOWrapper(raw, "utf-8", write_through=True) for raw in raws)
    code: Any = 0
    with (
        contextlib.chdir(cwd),
        patch.dict(os.environ, environment),
        patch.object(sys, "argv", ["ordojo", *words]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Done(code, *(raw.getvalue().decode() for raw in (*raws, both)))
