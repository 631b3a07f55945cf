"""An instance folder: instance.json, with every field of paper 003's appendix B.3, and its texts.

`InstanceRecord` is what instance.json holds, `Artifact` that with model, data, programs and logs;
`write_artifact` writes a folder, all or nothing, and `read_artifact` reads it. `compression` is the
paper's measure of one.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.core.files import parse_json, read_bytes
from ordojo.core.outputs import whole_folder

INFEASIBLE, UNBOUNDED = "Infeasible", "Unbounded"
"""What stands for an optimal value where the solver has proved that there is none."""

T = TypeVar("T")
PLACEHOLDER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class TableFile:
    """One table: its path (`data/NAME.csv`), what it holds, and a sentence for each column."""

    path: str
    description: str
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ProblemType:
    """Labels of the taxonomy of table 9: main class and problem class."""

    major: str
    sub: str


@dataclass(frozen=True)
class SolverVerification:
    """What the solver said: status, seconds, relative gap, best bound, and the logs' paths.

    `runtime` is None where equal seeds must give equal bytes; the log has it.
    """

    status: str
    runtime: float | None = None
    gap: float | None = None
    bound: float | None = None
    logs: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class InstanceRecord:
    """One instance, in appendix B's order; `parameters` are what `{name}` in the text stands for.

    `optimal_value` is a number, INFEASIBLE or UNBOUNDED where proven, None where open.
    """

    id: str
    problem_type: ProblemType
    abstract_problem: str
    parameters: Mapping[str, Json]
    files: Mapping[str, TableFile]
    concrete_problem: str | None = None
    mathematical_formulation: str = "model.md"
    solver_code: str = "solve.py"
    generator_code: str = "generator.py"
    optimal_value: float | str | None
    verification: SolverVerification
    metadata: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The record as plain JSON, every field in it."""
        found = asdict(self)
        found["verification"]["logs"] = list(self.verification.logs)
        return found

    @classmethod
    def from_json(cls, value: Any, where: str) -> "InstanceRecord":
        """The record that a JSON value says; raises DataError that names `where` and the field."""
        return checked(cls, value, where, "write the instance again")

    def faults(self) -> list[str]:
        """What is wrong within the record itself: unbound placeholders, paths that leave it."""
        wrong = [
            f"{{{name}}} of abstract_problem is in no parameter"
            for name in sorted(set(PLACEHOLDER.findall(self.abstract_problem)))
            if name not in self.parameters
        ]
        if not self.abstract_problem.strip():
            wrong.append("abstract_problem is empty")
        words = (INFEASIBLE, UNBOUNDED)
        if isinstance(self.optimal_value, str) and self.optimal_value not in words:
            wrong.append(f"optimal_value '{self.optimal_value}' is no status")
        return wrong


def checked(kind: type[T], value: Any, where: str, advice: str) -> T:
    """A dataclass from plain JSON, every field of its type; raises DataError that names the field.

    Text is taken for no number, nor a number for text, and no field is unknown or left out but
    those with defaults.
    """
    if not isinstance(value, dict):
        raise DataError(f"{where} is no JSON object; {advice}")
    unknown = sorted(value.keys() - kind.__annotations__.keys())
    if unknown:
        raise DataError(f"{where} has an unknown '{unknown[0]}'; {advice}")
    try:
        return TypeAdapter(kind).validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        at = ".".join(map(str, first["loc"]))
        raise DataError(f"{where} does not fit ({at}: {first['msg']}); {advice}") from None


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
    listed, logged = [one.path for one in record.files.values()], record.verification.logs
    wrong = [
        *record.faults(),
        *(f"files lists {path}, which is not given" for path in listed if path not in data),
        *(f"{path} is given but not in files" for path in data if path not in listed),
        *(f"verification lists {path}, which is not given" for path in logged if path not in logs),
        *(f"the path '{path}' leaves the folder" for path in files if not _inside(path)),
    ]
    if wrong:
        raise DataError(f"{folder}: the instance is not consistent: {'; '.join(wrong)}; mend that")
    instance = folder.is_dir() and ((folder / INSTANCE).is_file() or not any(folder.iterdir()))
    if folder.exists() and not instance:
        raise DataError(f"{folder} holds something else; choose another folder")
    with whole_folder(folder) as place:
        for path, content in files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(content)
    return folder


def instance_bytes(record: InstanceRecord) -> bytes:
    """The content of instance.json."""
    return (json.dumps(record.to_json(), indent=2, ensure_ascii=False) + "\n").encode()


def _inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "\\" not in path


def read_artifact(folder: Path | str) -> Artifact:
    """Read what `write_artifact` wrote; raises DataError that names the file at fault."""
    folder = Path(folder)
    where = f"{folder / INSTANCE}"
    try:
        value = parse_json(_text(folder, INSTANCE))
    except ValueError as error:
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
        return read_bytes(folder / path).decode()
    except OSError as error:
        why = f"cannot read {folder / path}: {error.strerror}"
        raise DataError(f"{why}; write the instance again") from None
    except UnicodeDecodeError:
        raise DataError(f"{folder / path} is not UTF-8; write the instance again") from None


def compression(mps_bytes: int, record: InstanceRecord, data: Mapping[str, str]) -> float:
    """MPS bytes (unpacked) per byte of text and data files.

    The text is the abstract problem with its parameters and file descriptions, as in instance.json;
    all else there, code, formulation and logs do not count: the paper compares with text and data
    alone (C.3).
    """
    whole = record.to_json()
    told = {key: whole[key] for key in ("abstract_problem", "parameters", "files")}
    words = len(json.dumps(told, indent=2, ensure_ascii=False).encode())
    return mps_bytes / (words + sum(len(text.encode()) for text in data.values()))
