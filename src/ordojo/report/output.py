"""Writing a whole folder or nothing: a temporary sibling that is swapped in at the end."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ordojo.core.ending import beside, take_place
from ordojo.core.errors import RunError, UsageError
from ordojo.core.files import parse_json, read_text

MARKER = ".ordojo-report"
"""File that names the files of a report; only a folder that has it is ever replaced."""


def check_replaceable(out: Path) -> None:
    """Raise UsageError unless `out` is absent, empty, or a report and nothing else."""
    if not out.exists():
        return
    if not out.is_dir():
        raise UsageError(f"{out} is a file; name a folder for the report")
    present = {path.relative_to(out).as_posix() for path in out.rglob("*") if not path.is_dir()}
    if not present:
        return
    try:
        listed = set(parse_json(read_text(out / MARKER))["files"])
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(
            f"{out} is not empty and not a report of ordojo; name another folder with -o"
        ) from None
    strangers = sorted(present - listed - {MARKER})
    if strangers:
        raise UsageError(
            f"{out} is a report but also holds {strangers[0]}, which would be lost; "
            "move it away or name another folder with -o"
        )


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """Give a temporary folder beside `out`, which takes its place if the block succeeds."""
    out = out.resolve()
    check_replaceable(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with beside(out) as folder:
            fresh = folder / "report"
            fresh.mkdir()
            yield fresh
            files = sorted(p.relative_to(fresh).as_posix() for p in fresh.rglob("*") if p.is_file())
            (fresh / MARKER).write_text(json.dumps({"schema": 1, "files": files}, indent=1) + "\n")
            take_place(fresh, out)
    except OSError as error:
        raise RunError(f"cannot write the report to {out}: {error.strerror or error}") from error
