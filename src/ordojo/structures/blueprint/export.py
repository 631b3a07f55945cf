"""From a flat model and its abstraction to the unified instance folder (paper 003, appendix B)."""

import ast
import hashlib
import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ordojo import __version__
from ordojo.core.canonical import significant
from ordojo.core.errors import DataError, SolverError
from ordojo.milp.tolerances import APART
from ordojo.solvers import highs_model
from ordojo.solvers.problem import Problem
from ordojo.solvers.residuals import worst
from ordojo.solvers.search import Search
from ordojo.structures.abstraction import Abstraction
from ordojo.structures.abstraction.folder import files as files_of
from ordojo.structures.abstraction.folder import mps_bytes
from ordojo.structures.artifact import (
    INFEASIBLE,
    UNBOUNDED,
    InstanceRecord,
    ProblemType,
    SolverVerification,
    TableFile,
    compression,
    write_artifact,
)
from ordojo.structures.blueprint.blueprint import BRACED, Blueprint, text
from ordojo.structures.blueprint.draft import draft
from ordojo.structures.blueprint.retell import changed
from ordojo.structures.blueprint.words import SCENARIOS
from ordojo.structures.flat import INTEGER, Flat, digest, model_of
from ordojo.structures.formulation import data_files, formulate, model_md, solve_py
from ordojo.structures.labels import Labels, label
from ordojo.structures.recognition import Recognition

TABLES = "structure"
"""The folder of the abstraction within an instance."""

SCRIPT = '''"""Make the data of {name} again from {folder}/, and compare every file.

{folder}/ holds the abstraction of the MPS file. Usage: python generator.py [DIR]
writes data/, model.md and solve.py into DIR, by default this folder. Needs the package
ordojo. Exit code 1: a file is not the one that was made first.
"""

import hashlib
import sys
from pathlib import Path

from ordojo.structures.abstraction.folder import model, read
from ordojo.structures.formulation import data_files, formulate, model_md, solve_py

HERE = Path(__file__).resolve().parent
DIGESTS = {digests}
NAMES = {names}


def make():
    """Every file that follows from the abstraction, by path."""
    found = read(HERE / "{folder}")
    formulation = formulate(model(found), found, NAMES)
    files = data_files(formulation)
    files["model.md"] = model_md(formulation)
    files["solve.py"] = solve_py(formulation)
    return files


def main(target):
    """Write the files, and name those that differ."""
    files = make()
    differing = sorted(set(files) ^ set(DIGESTS))
    for path, text in files.items():
        if hashlib.sha256(text.encode()).hexdigest() != DIGESTS.get(path):
            differing.append(path)
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(text.encode())
    for path in sorted(set(differing)):
        print(f"{{path}} differs")
    print(f"{{len(files)}} files made, {{len(set(differing))}} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE))
'''


def generator_py(
    name: str, files: Mapping[str, str], names: Mapping[str, str] | None = None
) -> str:
    """The script, with the digests of the files that it has to make; `names` as in `formulate`."""
    digests = {path: hashlib.sha256(files[path].encode()).hexdigest() for path in sorted(files)}
    safe = name.replace("\\", "/").replace('"', "'").replace("{", "(").replace("}", ")")
    return SCRIPT.format(
        name=safe,
        folder=TABLES,
        digests=json.dumps(digests, indent=4).replace('"\n}', '",\n}'),
        names=json.dumps(dict(names or {}), indent=4).replace('"\n}', '",\n}'),
    )


def names_of(generator: str) -> dict[str, str]:
    """The renames that a generator.py was written with; raises DataError for another script."""
    found = re.search(r"^NAMES = (\{.*?\})$", generator, re.DOTALL | re.MULTILINE)
    try:
        return dict(ast.literal_eval(found[1] if found else ""))
    except (SyntaxError, ValueError):
        raise DataError("generator.py is not the one that was written; export again") from None


RESIDUAL = APART
"""By how much a side or bound may be broken, relative to 1 + the row's largest term."""
STATUS = {
    highs_model.OPTIMAL: "optimal",
    highs_model.INFEASIBLE: "infeasible",
    highs_model.UNBOUNDED: "unbounded",
    highs_model.TIME_LIMIT: "time limit",
}


@dataclass(frozen=True)
class SolutionSummary:
    """What HiGHS said; `objective` is the best value known, `gap` relative to it.

    A proven optimum counts to 12 digits.
    """

    status: str
    objective: float | None
    bound: float | None
    gap: float | None
    seconds: float
    log: str

    @property
    def optimal_value(self) -> float | str | None:
        """A proven optimum, the word for a proven absence, None where it is open."""
        if self.status == "optimal" and self.objective is not None:
            return significant(self.objective)
        return {"infeasible": INFEASIBLE, "unbounded": UNBOUNDED}.get(self.status)


def solve(flat: Flat, seconds: float) -> SolutionSummary:
    """Solve a model; raises SolverError for an answer that is false.

    With further sections, as of indicators, the status is "unknown": the arrays do not say them.
    """
    if flat.sections:
        kinds = ", ".join(part.split()[0].decode("latin-1") for part in flat.sections)
        log_text = f"not solved: {kinds} are more than rows and bounds; run solve.py\n"
        return SolutionSummary("unknown", None, None, None, 0.0, log_text)

    model = model_of(flat)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "highs.log"
        settings = highs_model.options(highs_model.EXACT, Search(seconds))
        settings |= {"log_file": str(log), "output_flag": True, "time_limit": float(seconds)}
        h = highs_model.highs(settings)
        sides = flat.objective, flat.lower, flat.upper
        highs_model.pass_model(h, model, *sides, flat.types.astype(np.int32))
        begin = perf_counter()
        h.run()
        if int(h.getModelStatus()) == highs_model.UNBOUNDED_OR_INFEASIBLE:
            h.setOptionValue("presolve", "off")
            h.run()
        taken = perf_counter() - begin
        words = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    status = STATUS.get(int(h.getModelStatus().value), "unknown")
    info = h.getInfo()
    found = info.primal_solution_status == 2
    objective = float(info.objective_function_value) + 0.0 if found else None
    if found:
        off, what = worst(Problem(model), np.array(h.getSolution().col_value))
        if off > RESIDUAL:
            raise SolverError(f"HiGHS gave a point that breaks {what} by {off:.1e}; report it")
    whole = bool(flat.types.any())
    bound = float(info.mip_dual_bound) if whole and found else objective
    gap = float(info.mip_gap) if whole and found else (0.0 if status == "optimal" else None)
    return SolutionSummary(
        status,
        objective if status in ("optimal", "time limit") else None,
        bound if bound is not None and np.isfinite(bound) else None,
        gap if gap is not None and np.isfinite(gap) else None,
        taken,
        words,
    )


SECONDS = 60.0
"""For the solve; an optimum that is not proved by then is left open in the instance."""
CONCRETE = 3000
"""Bytes of data up to which the instance also has a text with its numbers."""
SHOWN = 5
"""Faults of an edited blueprint that are named."""
LOG, SUMMARY = "logs/highs.log", "logs/summary.json"
DRAFT, LABELS = "blueprint.json", "labels.json"
BUCKETS = ((500, "small"), (1000, "medium"), (10000, "large"))
"""Columns and rows together, by figure 5 of paper 003; more is "very large"."""


@dataclass(frozen=True)
class Exported:
    """An instance that was written, what the solver said of it, and its compression ratio.

    `polished` is whether its text is a language model's.
    """

    folder: Path
    record: InstanceRecord
    outcome: SolutionSummary
    compression: float
    polished: bool = False

    def text(self) -> str:
        """One line for a person."""
        value = self.record.optimal_value
        said = "open" if value is None else value if isinstance(value, str) else f"{value:.12g}"
        return (
            f"{self.folder}: {self.outcome.status}, optimal value {said}, "
            f"compression {self.compression:.1f}"
        )

    def to_json(self) -> dict[str, Any]:
        """What a script needs of it; the record is in the folder."""
        return {
            "folder": str(self.folder),
            "status": self.outcome.status,
            "optimal_value": self.record.optimal_value,
            "compression": self.compression,
            "polished": self.polished,
        }


def export(
    flat: Flat,
    abstraction: Abstraction,
    folder: Path | str,
    *,
    labels: Labels | None = None,
    blueprint: Blueprint | None = None,
    polished: str | None = None,
    name: str | None = None,
    seconds: float = SECONDS,
    names: Mapping[str, str] | None = None,
    match: Recognition | None = None,
) -> Exported:
    """Solve a model and write its instance folder, all or nothing.

    `blueprint` is an edited one (by default a draft), `polished` a text that `polish` accepted.
    `names` renames as in `formulate`; a draft tells a `match` in its words. Infeasible, unbounded
    and open models keep their status (E.3): the optimal value is then a word, or none. Raises
    DataError where the model has sections that no text says, an edited blueprint says another
    model, or the folder cannot be written.
    """
    formulation = formulate(flat, abstraction, names)
    if formulation.sections:
        heads = ", ".join(head.split()[0] for head in formulation.sections)
        raise DataError(
            f"{formulation.name or 'the model'} has the sections {heads}, which an instance cannot "
            "say; write them as constraints first"
        )
    labels = labels or label(flat, abstraction)
    # What a setting of the library says is no claim that an editor put in.
    setting = next((one for one in SCENARIOS if blueprint and one.name == blueprint.scenario), None)
    drafted = draft(formulation, setting, match)
    wrong = changed(formulation, drafted, blueprint) if blueprint else []
    if wrong:
        more = f" and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
        raise DataError(f"the edited blueprint: {'; '.join(wrong[:SHOWN])}{more}; mend it")
    blueprint = blueprint or drafted
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
            one.key: TableFile(one.path, one.description, dict(one.columns))
            for one in blueprint.files
        },
        optimal_value=outcome.optimal_value,
        verification=SolverVerification(
            outcome.status, round(outcome.seconds, 3), outcome.gap, outcome.bound, (LOG, SUMMARY)
        ),
        concrete_problem=concrete(polished or text(blueprint), blueprint.numbers, data),
        metadata=_metadata(flat, abstraction),
    )
    size = mps_bytes(flat)
    shorter = compression(size, record, data)
    summary = {
        **{key: getattr(outcome, key) for key in ("status", "objective", "bound", "gap")},
        "seconds": round(outcome.seconds, 3),
        "mps_bytes": size,
        "compression": round(shorter, 3),
    }
    place = write_artifact(
        folder,
        record,
        model_md=model,
        data=data,
        solve_py=program,
        generator_py=generator_py(identity, made, names),
        logs={LOG: outcome.log, SUMMARY: json.dumps(summary, indent=1) + "\n"},
        # From the abstraction's own files generator.py makes the data again.
        extra={f"{TABLES}/{path}": data for path, data in files_of(abstraction)}
        | {DRAFT: _json(blueprint.to_json()), LABELS: _json(labels.to_json())},
    )
    return Exported(place, record, outcome, shorter, polished is not None)


def concrete(said: str, numbers: Mapping[str, Any], data: Mapping[str, str]) -> str | None:
    """The text with its numbers and tables, where those are few."""
    if sum(map(len, data.values())) > CONCRETE:
        return None
    said = BRACED.sub(lambda match: str(numbers[match.group()[1:-1]]), said)
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


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()
