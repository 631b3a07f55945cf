"""Checkpoints that can be trusted: sealed when whole, checked before a run goes on from one."""

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import parse_json, read_text
from ordojo.training.models.logs import write_whole

SEAL = "sealed.json"
"""Written last: the size and SHA-256 of every file of the checkpoint."""

CONFIG = "config.json"


def seal(checkpoint: Path) -> None:
    """Mark a checkpoint as whole; one without the mark was cut off while it was written."""
    files = {
        str(path.relative_to(checkpoint)): [path.stat().st_size, _sha256(path)]
        for path in sorted(checkpoint.rglob("*"))
        if path.is_file() and path.name != SEAL
    }
    write_whole(checkpoint / SEAL, json.dumps(files, indent=1) + "\n")


def latest(folder: Path, say: Callable[[str], None]) -> Path | None:
    """The newest sound checkpoint of a run, None if there is none.

    Those that a kill has cut off are removed; a damaged one is left out, and `say` is told.
    """
    for path in sorted(folder.glob("checkpoint-*"), key=_step, reverse=True):
        if not (path / SEAL).is_file():
            shutil.rmtree(path, ignore_errors=True)
            continue
        wrong = _damage(path)
        if not wrong:
            return path
        say(
            f"the checkpoint {path} is damaged ({wrong} is not as it was written); the one before "
            "it is taken"
        )
    return None


def begin(out: Path, config: Mapping[str, Json]) -> None:
    """Make the run's folder, or make sure that it is this run's.

    Raises UsageError where it holds a run with other settings, DataError where it cannot be made.
    """
    path = out / CONFIG
    try:
        (out / "checkpoints").mkdir(parents=True, exist_ok=True)
        if not path.exists():
            write_whole(path, json.dumps(config, indent=2) + "\n")
            return
        found: dict[str, Any] = parse_json(read_text(path))
    except OSError as error:
        raise DataError(
            f"{out} cannot hold a run ({error.strerror}); name another folder"
        ) from None
    except ValueError:
        raise DataError(f"{path} is damaged; name another folder for the run") from None
    wanted = json.loads(json.dumps(config))
    other = [name for name in wanted if found.get(name) != wanted[name]]
    if other:
        name = other[0]
        raise UsageError(
            f"{out} holds a run with {name}={found.get(name)!r}, and {name}={wanted[name]!r} is "
            "asked for; name another folder, or the same settings to go on"
        )


def _step(path: Path) -> int:
    tail = path.name.rpartition("-")[2]
    return int(tail) if tail.isdigit() else -1


def _damage(checkpoint: Path) -> str:
    """The name of a file that is missing or changed, "" if all is well."""
    try:
        files = parse_json(read_text(checkpoint / SEAL))
        for name, (size, digest) in files.items():
            path = checkpoint / name
            if not path.is_file() or path.stat().st_size != size or _sha256(path) != digest:
                return str(name)
    except (OSError, ValueError, TypeError, AttributeError):
        return SEAL
    return ""


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
