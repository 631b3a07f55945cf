"""Writing a whole folder or nothing: a temporary sibling that is swapped in at the end."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ordojo.core.errors import RunError, UsageError

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
        listed = set(json.loads((out / MARKER).read_text("utf-8"))["files"])
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
    fresh: Path | None = None
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{out.name}.", suffix=".new", dir=out.parent))
        yield fresh
        fresh.chmod(0o777 & ~_umask())
        files = sorted(p.relative_to(fresh).as_posix() for p in fresh.rglob("*") if p.is_file())
        (fresh / MARKER).write_text(json.dumps({"schema": 1, "files": files}, indent=1) + "\n")
        _swap(fresh, out)
    except OSError as error:
        raise RunError(f"cannot write the report to {out}: {error.strerror or error}") from error
    finally:
        if fresh is not None:
            shutil.rmtree(fresh, ignore_errors=True)


def _swap(fresh: Path, out: Path) -> None:
    if not out.exists():
        fresh.rename(out)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{out.name}.", suffix=".old", dir=out.parent))
    out.rename(old / "report")
    try:
        fresh.rename(out)
    except OSError:
        (old / "report").rename(out)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
