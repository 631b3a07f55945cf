"""An instance folder on disk: written as a whole or not at all, and read back."""

import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ordojo.core.errors import DataError
from ordojo.structure.artifact.record import InstanceRecord

INSTANCE = "instance.json"


@dataclass(frozen=True)
class Artifact:
    """An instance with its texts by path: `data` and `logs` hold their folder in the path."""

    record: InstanceRecord
    model_md: str
    data: Mapping[str, str]
    solve_py: str
    generator_py: str
    logs: Mapping[str, str] = field(default_factory=dict)


def write_artifact(
    folder: Path | str,
    record: InstanceRecord,
    *,
    model_md: str,
    data: Mapping[str, str],
    solve_py: str,
    generator_py: str,
    logs: Mapping[str, str],
    extra: Mapping[str, bytes] | None = None,
) -> Path:
    """Write one instance folder, all or nothing; an instance that stands there is replaced.

    `data` and `logs` are texts by path (`data/arcs.csv`, `logs/highs.log`), `extra` bytes by path
    (what a generator reads). Raises DataError where record and files do not belong together, or
    the folder cannot be written or holds something else.
    """
    folder = Path(folder)
    files: dict[str, bytes] = {
        INSTANCE: instance_bytes(record),
        record.mathematical_formulation: model_md.encode(),
        record.solver_code: solve_py.encode(),
        record.generator_code: generator_py.encode(),
        **{path: text.encode() for path, text in {**data, **logs}.items()},
        **(extra or {}),
    }
    _consistent(folder, record, data, logs, files)
    if folder.exists() and not _replaceable(folder):
        raise DataError(f"{folder} holds something else; choose another folder")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            for path, content in files.items():
                (partial / path).parent.mkdir(parents=True, exist_ok=True)
                (partial / path).write_bytes(content)
            partial.chmod(0o755)
            _swap(partial, folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    except OSError as error:
        raise DataError(f"cannot write {folder}: {error.strerror}; choose another folder") from None
    return folder


def instance_bytes(record: InstanceRecord) -> bytes:
    """The content of instance.json."""
    return (json.dumps(record.to_json(), indent=2, ensure_ascii=False) + "\n").encode()


def _consistent(
    folder: Path,
    record: InstanceRecord,
    data: Mapping[str, str],
    logs: Mapping[str, str],
    files: Mapping[str, bytes],
) -> None:
    wrong = record.faults()
    listed = [entry.path for entry in record.files.values()]
    wrong += [f"files lists {path}, which is not given" for path in listed if path not in data]
    wrong += [f"{path} is given but not in files" for path in data if path not in listed]
    logged = record.verification.logs
    wrong += [
        f"verification lists {path}, which is not given" for path in logged if path not in logs
    ]
    wrong += [f"the path '{path}' leaves the folder" for path in files if not _inside(path)]
    if wrong:
        raise DataError(f"{folder}: the instance is not consistent: {'; '.join(wrong)}; mend that")


def _inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "\\" not in path


def _replaceable(folder: Path) -> bool:
    """Whether a folder is empty or holds an instance."""
    return folder.is_dir() and ((folder / INSTANCE).is_file() or not any(folder.iterdir()))


def _swap(partial: Path, folder: Path) -> None:
    """Put `partial` in the folder's place; the old one goes only when the new one is there."""
    if not folder.exists():
        partial.replace(folder)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    folder.replace(old)
    try:
        partial.replace(folder)
    except OSError:
        old.replace(folder)
        raise
    shutil.rmtree(old)


def read_artifact(folder: Path | str) -> Artifact:
    """Read what `write_artifact` wrote; raises DataError that names the file at fault."""
    folder = Path(folder)
    where = f"{folder / INSTANCE}"
    try:
        value = json.loads(_text(folder, INSTANCE))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where} is not whole JSON ({error}); write the instance again") from None
    record = InstanceRecord.from_json(value, where)
    wrong = record.faults()
    if wrong:
        raise DataError(f"{where}: {'; '.join(wrong)}; write the instance again")
    return Artifact(
        record,
        _text(folder, record.mathematical_formulation),
        {entry.path: _text(folder, entry.path) for entry in record.files.values()},
        _text(folder, record.solver_code),
        _text(folder, record.generator_code),
        {path: _text(folder, path) for path in record.verification.logs},
    )


def _text(folder: Path, path: str) -> str:
    if not _inside(path):
        raise DataError(f"{folder / INSTANCE} names '{path}' outside its folder; mend that")
    try:
        return (folder / path).read_bytes().decode()
    except OSError as error:
        reason = error.strerror
        raise DataError(
            f"cannot read {folder / path}: {reason}; write the instance again"
        ) from None
    except UnicodeDecodeError:
        raise DataError(f"{folder / path} is not UTF-8; write the instance again") from None
