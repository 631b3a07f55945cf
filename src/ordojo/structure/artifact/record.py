"""The record that instance.json holds, with every field of paper 003's appendix B.3."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError

INFEASIBLE, UNBOUNDED = "Infeasible", "Unbounded"
"""What stands for an optimal value where the solver has proved that there is none."""

PLACEHOLDER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class DataFile:
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
class Verification:
    """What the solver said: status, seconds, relative gap, best bound, and the logs' paths.

    `runtime` is None where equal seeds must give equal bytes; the log has it.
    """

    status: str
    runtime: float | None = None
    gap: float | None = None
    bound: float | None = None
    logs: tuple[str, ...] = ()


@dataclass(frozen=True)
class InstanceRecord:
    """One instance; `parameters` are what `{name}` in the text stands for.

    `optimal_value` is a number, INFEASIBLE or UNBOUNDED where proven, None where open.
    """

    id: str
    problem_type: ProblemType
    abstract_problem: str
    parameters: Mapping[str, Json]
    files: Mapping[str, DataFile]
    optimal_value: float | str | None
    verification: Verification
    concrete_problem: str | None = None
    mathematical_formulation: str = "model.md"
    solver_code: str = "solve.py"
    generator_code: str = "generator.py"
    metadata: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The record as plain JSON, every field in it, in appendix B's order."""
        found = asdict(self)
        found["verification"]["logs"] = list(self.verification.logs)
        return {key: found[key] for key in FIELDS}

    @classmethod
    def from_json(cls, value: Any, where: str) -> "InstanceRecord":
        """The record that a JSON value says; raises DataError that names `where` and the field."""
        if not isinstance(value, dict):
            raise DataError(f"{where} is no JSON object; write the instance again")
        for key, kinds in FIELDS.items():
            if key not in value:
                raise DataError(f"{where} has no '{key}'; write the instance again")
            if not isinstance(value[key], kinds) or isinstance(value[key], bool):
                raise DataError(f"{where} has a '{key}' of a wrong kind; write the instance again")
        try:
            logs = tuple(value["verification"]["logs"])
            record = cls(
                **value
                | {
                    "problem_type": ProblemType(**value["problem_type"]),
                    "files": {key: DataFile(**entry) for key, entry in value["files"].items()},
                    "verification": Verification(**value["verification"] | {"logs": logs}),
                }
            )
            paths = (*logs, *(entry.path for entry in record.files.values()))
            if not all(isinstance(path, str) for path in paths):
                raise TypeError("a path is no text")
            return record
        except (TypeError, KeyError) as error:
            raise DataError(f"{where} does not fit ({error}); write the instance again") from None

    def faults(self) -> list[str]:
        """What is wrong within the record itself: unbound placeholders, paths that leave it."""
        wrong = [
            f"{{{name}}} of abstract_problem is in no parameter"
            for name in sorted(set(PLACEHOLDER.findall(self.abstract_problem)))
            if name not in self.parameters
        ]
        if not self.abstract_problem.strip():
            wrong.append("abstract_problem is empty")
        if isinstance(self.optimal_value, str) and self.optimal_value not in (
            INFEASIBLE,
            UNBOUNDED,
        ):
            wrong.append(f"optimal_value '{self.optimal_value}' is no status")
        return wrong


_TEXT, _OBJECT = (str,), (dict,)
FIELDS: Mapping[str, tuple[type, ...]] = {
    "id": _TEXT,
    "problem_type": _OBJECT,
    "abstract_problem": _TEXT,
    "parameters": _OBJECT,
    "files": _OBJECT,
    "concrete_problem": (str, type(None)),
    "mathematical_formulation": _TEXT,
    "solver_code": _TEXT,
    "generator_code": _TEXT,
    "optimal_value": (int, float, str, type(None)),
    "verification": _OBJECT,
    "metadata": _OBJECT,
}
