"""From a flat model and its abstraction to the unified instance folder (paper 003, appendix B)."""

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ordojo import __version__
from ordojo.core.errors import DataError
from ordojo.structure.abstraction import Abstraction, write
from ordojo.structure.abstraction.check import mps_bytes as about_bytes
from ordojo.structure.artifact import (
    DataFile,
    InstanceRecord,
    ProblemType,
    Verification,
    ratio,
    write_artifact,
)
from ordojo.structure.blueprint.blueprint import BRACED, Blueprint
from ordojo.structure.blueprint.draft import draft
from ordojo.structure.blueprint.generator import TABLES, generator_py
from ordojo.structure.blueprint.solving import Outcome, solve
from ordojo.structure.blueprint.text import text
from ordojo.structure.flat import INTEGER, Flat, digest
from ordojo.structure.formulation import data_files, formulate, model_md, solve_py
from ordojo.structure.labels import Labels, label

SECONDS = 60.0
CONCRETE = 3000
"""Bytes of data up to which the instance also has a text with its numbers."""
LOG, SUMMARY = "logs/highs.log", "logs/summary.json"
DRAFT, LABELS = "blueprint.json", "labels.json"
BUCKETS = ((500, "small"), (1000, "medium"), (10000, "large"))
"""Columns and rows together, by figure 5 of paper 003; more is "very large"."""


@dataclass(frozen=True)
class Exported:
    """An instance that was written, what the solver said of it, and its compression ratio."""

    folder: Path
    record: InstanceRecord
    outcome: Outcome
    compression: float

    def text(self) -> str:
        """One line for a person."""
        value = self.record.optimal_value
        said = "open" if value is None else value if isinstance(value, str) else f"{value:.12g}"
        return (
            f"{self.folder}: {self.outcome.status}, optimal value {said}, "
            f"compression {self.compression:.1f}"
        )


def export(
    flat: Flat,
    abstraction: Abstraction,
    folder: Path | str,
    *,
    labels: Labels | None = None,
    blueprint: Blueprint | None = None,
    scenario: str | None = None,
    polished: str | None = None,
    name: str | None = None,
    seconds: float = SECONDS,
    mps_bytes: int | None = None,
    names: Mapping[str, str] | None = None,
) -> Exported:
    """Solve a model and write its instance folder, all or nothing.

    `blueprint` is an edited one (by default a draft in `scenario`), `polished` a text that `polish`
    accepted. `mps_bytes` is the size of the flat file, about it by default. `names` renames as in
    `formulate`. Infeasible, unbounded and open models keep their status (E.3): the optimal value is
    then a word, or none. Raises DataError where the model has sections that no text says, or the
    folder cannot be written.
    """
    formulation = formulate(flat, abstraction, names)
    if formulation.sections:
        heads = ", ".join(head.split()[0] for head in formulation.sections)
        raise DataError(
            f"{formulation.name or 'the model'} has the sections {heads}, which an instance cannot "
            "say; write them as constraints first"
        )
    labels = labels or label(flat, abstraction)
    blueprint = blueprint or draft(formulation, labels, scenario)
    outcome = solve(flat, seconds)
    data = data_files(formulation)
    model, program = model_md(formulation), solve_py(formulation)
    made = data | {"model.md": model, "solve.py": program}
    identity = name or blueprint.id
    record = InstanceRecord(
        id=identity,
        problem_type=ProblemType(*blueprint.application),
        abstract_problem=polished or text(blueprint),
        parameters=dict(blueprint.numbers),
        files={
            one.key: DataFile(one.path, one.description, dict(one.columns))
            for one in blueprint.files
        },
        optimal_value=outcome.optimal_value,
        verification=Verification(
            outcome.status,
            round(outcome.seconds, 3),
            outcome.gap,
            outcome.bound,
            (LOG, SUMMARY),
        ),
        concrete_problem=_concrete(polished or text(blueprint), blueprint, data),
        metadata=_metadata(flat, abstraction),
    )
    size = about_bytes(flat) if mps_bytes is None else mps_bytes
    compression = ratio(size, record, data)
    summary = {
        "status": outcome.status,
        "objective": outcome.objective,
        "bound": outcome.bound,
        "gap": outcome.gap,
        "seconds": round(outcome.seconds, 3),
        "mps_bytes": size,
        "compression": round(compression, 3),
    }
    place = write_artifact(
        folder,
        record,
        model_md=model,
        data=data,
        solve_py=program,
        generator_py=generator_py(identity, made, "model.md", "solve.py", names),
        logs={LOG: outcome.log, SUMMARY: json.dumps(summary, indent=1) + "\n"},
        extra=_tables(abstraction)
        | {DRAFT: _json(blueprint.to_json()), LABELS: _json(labels.to_json())},
    )
    return Exported(place, record, outcome, compression)


def _concrete(said: str, blueprint: Blueprint, data: dict[str, str]) -> str | None:
    """The text with its numbers and tables, where those are few."""
    if sum(map(len, data.values())) > CONCRETE:
        return None
    said = BRACED.sub(lambda match: str(blueprint.numbers[match.group()[1:-1]]), said)
    tables = [f"{path}:\n{content}" for path, content in sorted(data.items())]
    return "\n".join([said, *tables])


def _metadata(flat: Flat, abstraction: Abstraction) -> dict[str, Any]:
    size = flat.n + flat.m
    return {
        "language": "English",
        "difficulty": next((word for most, word in BUCKETS if size < most), "very large"),
        "size": {
            "variables": flat.n,
            "constraints": flat.m,
            "nonzeros": flat.nonzeros,
            "integer_variables": int((flat.types == INTEGER).sum()),
            "variable_groups": len(abstraction.groups),
            "constraint_families": len(abstraction.families),
        },
        "provenance": {
            "model": flat.name.decode("utf-8", "replace"),
            "digest": digest(flat),
            "made_by": f"ordojo {__version__}",
        },
    }


def _tables(abstraction: Abstraction) -> dict[str, bytes]:
    """The abstraction's own files, from which generator.py makes the data again."""
    with tempfile.TemporaryDirectory() as folder:
        write(abstraction, folder)
        root = Path(folder)
        files = [path for path in sorted(root.rglob("*")) if path.is_file()]
        return {
            f"{TABLES}/{path.relative_to(root).as_posix()}": path.read_bytes() for path in files
        }


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()
