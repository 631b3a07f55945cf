"""Instances of templates: drawn, built, solved, checked, and written as unified folders.

Such a folder is proved again from its files: its draw, its model, its own program.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json, digest, significant
from ordojo.core.errors import DataError, GeneratorError, OrdojoError
from ordojo.core.files import parse_json, read_text
from ordojo.core.outputs import write_file
from ordojo.formulation.build import Built, build
from ordojo.formulation.program import solve_py
from ordojo.formulation.spec import PARAMETERS, Number, Tables
from ordojo.formulation.tables import csv_texts, read_tables
from ordojo.formulation.text import model_md
from ordojo.formulation.words import abstract_problem, column_words, table_words, tables_of
from ordojo.milp.tolerances import OBJECTIVE
from ordojo.problems.base import Knobs, Template
from ordojo.problems.optimum import check_point, solve, violation
from ordojo.problems.registry import get_template
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.choose import get_oracle
from ordojo.structures.artifact import (
    InstanceRecord,
    ProblemType,
    SolverVerification,
    TableFile,
    read_artifact,
)
from ordojo.structures.artifact import write_artifact as write_folder

_TEXT = '''"""{title}: makes this instance again, or others with other knobs.

    python generator.py -o FOLDER
    python generator.py -o FOLDER --seed 7 {example}

Needs the package ordojo. The same knobs, seed and index give the same bytes.
"""

import argparse

from ordojo.problems.instances import make, write
from ordojo.problems.registry import get_template

TEMPLATE = "{name}"
SEED, INDEX, ATTEMPT = {seed}, {index}, {attempt}
KNOBS = {{
{knobs}
}}


def main():
    """Read the knobs, make the instance, write the folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--out", required=True, help="the folder to write")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--index", type=int, default=INDEX)
    for name, value in KNOBS.items():
        parser.add_argument("--" + name.replace("_", "-"), dest=name, default=value)
    parser.add_argument("--seconds", type=float, default=600, help="time to solve it")
    given = vars(parser.parse_args())
    out, seed, index, seconds = (given.pop(key) for key in ("out", "seed", "index", "seconds"))
    knobs = get_template(TEMPLATE).settings(given=given)
    same = (knobs, seed, index) == (KNOBS, SEED, INDEX)
    write(make(TEMPLATE, knobs, seed, index, ATTEMPT if same else 0, seconds), out)


if __name__ == "__main__":
    main()
'''


def generator_py(template: Template, knobs: Knobs, seed: int, index: int, attempt: int) -> str:
    """The text of generator.py."""
    notes = {knob.name: knob.meaning for knob in template.knobs}
    first = template.knobs[0].name
    return _TEXT.format(
        title=template.title,
        name=template.name,
        example=f"--{first.replace('_', '-')} {knobs[first]}",
        seed=seed,
        index=index,
        attempt=attempt,
        knobs="\n".join(
            f'    "{name}": {value!r},  # {notes[name]}' for name, value in knobs.items()
        ),
    )


SECONDS = 60.0
"""How long one draw may be solved before another one is tried."""
ATTEMPTS = 10
LOG = "logs/verification.log"
INDEX = "index.jsonl"
"""The file that lists the instances of a folder, one a line."""


@dataclass(frozen=True)
class GeneratedInstance:
    """An instance: its draw (template, knobs, seed, index, attempt), its data, model, optimum."""

    template: Template
    knobs: Knobs
    seed: int
    index: int
    attempt: int
    tables: Tables
    built: Built
    solution: SolveResult

    def __reduce__(self) -> tuple[Any, ...]:
        # By the template's name: its functions cannot be pickled.
        return _of_name, (self.template.name, *list(vars(self).values())[1:])

    @property
    def id(self) -> str:
        """A name that tells template, knobs, seed and index apart."""
        return instance_id(self.template, self.knobs, self.seed, self.index)

    @property
    def optimal_value(self) -> float:
        """The proved optimum, to 12 digits."""
        return significant(self.solution.objective or 0.0)


def _of_name(name: str, *rest: Any) -> GeneratedInstance:
    return GeneratedInstance(get_template(name), *rest)


def instance_id(template: Template, knobs: Knobs, seed: int, index: int) -> str:
    """`template-KNOBS-sSEED-INDEX`, with a digest for the knobs."""
    return f"{template.name}-{digest(dict(knobs))[:6]}-s{seed}-{index:03d}"


def make(
    name: str, knobs: Knobs, seed: int, index: int, attempt: int = 0, seconds: float = SECONDS
) -> GeneratedInstance:
    """The first draw, from `attempt` on, whose optimum is proved in time.

    Raises GeneratorError where none of ATTEMPTS draws is, or one has no optimum.
    """
    template = get_template(name)
    for number in range(attempt, attempt + ATTEMPTS):
        tables = template.tables(knobs, seed, index, number)
        built = build(template.spec, tables, instance_id(template, knobs, seed, index))
        solution = solve(built.model, seconds)
        if solution.x is not None and solution.objective is not None:
            check_point(built, tables, solution.x, solution.objective)
            return GeneratedInstance(template, knobs, seed, index, number, tables, built, solution)
        if solution.status != Status.TIME_LIMIT:
            raise GeneratorError(
                f"{built.model.name} (attempt {number}) is {solution.status}; "
                f"correct the template's draw"
            )
    raise GeneratorError(
        f"{template.name}: none of {ATTEMPTS} draws was solved within {seconds:g} s each; "
        f"choose a smaller size or more time"
    )


def write(made: GeneratedInstance, folder: Path | str) -> Path:
    """Write the unified folder; the same draw gives the same bytes. Raises DataError."""
    return write_folder(
        folder,
        record(made),
        model_md=model_md(made.template.spec, made.template.title),
        data=csv_texts(made.template.spec, made.tables),
        solve_py=solve_py(made.template.spec, made.template.title),
        generator_py=generator_py(made.template, made.knobs, made.seed, made.index, made.attempt),
        logs={LOG: _log(made)},
    )


def record(made: GeneratedInstance) -> InstanceRecord:
    """The record of instance.json."""
    spec, model = made.template.spec, made.built.model
    files = {
        table: TableFile(f"data/{table}.csv", table_words(spec, table), column_words(spec, table))
        for table in tables_of(spec)
    }
    return InstanceRecord(
        id=made.id,
        problem_type=ProblemType(*made.template.application),
        abstract_problem=abstract_problem(made.template.spec),
        parameters=scalars(made.tables),
        files=files,
        optimal_value=made.optimal_value,
        verification=SolverVerification(
            status="optimal", gap=0.0, bound=made.optimal_value, logs=(LOG,)
        ),
        metadata={
            "language": "English",
            **_drawn(made),
            "nonzeros": model.nonzeros,
            "groups": _sizes([group.name for group in spec.groups], made.built.groups.tolist()),
            "families": _sizes([part.name for part in spec.families], made.built.families.tolist()),
            "labels": {
                part.name: [part.semantic.name.lower(), part.scaffold.name.lower()]
                for part in spec.families
            },
        },
    )


def scalars(tables: Tables) -> dict[str, Number]:
    """The scalar parameters, by name."""
    return {name: column[0] for name, column in tables[PARAMETERS].items()}


def listing(made: GeneratedInstance) -> dict[str, Any]:
    """The line of an index: what was drawn, its size, its optimum."""
    return {"id": made.id, **_drawn(made), "optimal_value": made.optimal_value}


def _drawn(made: GeneratedInstance) -> dict[str, Any]:
    return {
        "template": made.template.name,
        "knobs": dict(made.knobs),
        "seed": made.seed,
        "index": made.index,
        "attempt": made.attempt,
        "variables": made.built.model.n,
        "constraints": made.built.model.m,
    }


def add_to_index(
    folder: Path, lines: Sequence[Mapping[str, Any]], former: Path | None = None
) -> None:
    """Write the listings into the folder's index, after those that stand in the one of `former`.

    `former` is the same folder by default. Raises DataError.
    """
    path = (former or folder) / INDEX
    kept: dict[str, Mapping[str, Any]] = {}
    try:
        if path.is_file():
            for text in read_text(path).splitlines():
                line = parse_json(text)
                kept[line["id"]] = line
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}; choose another folder") from None
    except (ValueError, KeyError, TypeError):
        raise DataError(f"{path} is no index of instances; move it away") from None
    kept |= {line["id"]: line for line in lines}
    write_file(folder / INDEX, "".join(json.dumps(line) + "\n" for line in kept.values()))


def _sizes(names: list[str], labels: list[int]) -> Mapping[str, Json]:
    return {name: labels.count(number) for number, name in enumerate(names)}


def _log(made: GeneratedInstance) -> str:
    model, solution = made.built.model, made.solution
    assert solution.x is not None
    rows, bounds, whole = violation(model, solution.x)
    lines = [
        f"instance     {made.id}",
        f"solver       HiGHS {get_oracle('highs').version}",
        f"variables    {model.n}",
        f"constraints  {model.m}",
        f"nonzeros     {model.nonzeros}",
        "status       optimal",
        f"objective    {made.optimal_value!r}",
        f"residuals    rows {rows:.1e}, bounds {bounds:.1e}, integrality {whole:.1e}",
        f"redraws      {made.attempt}",
    ]
    return "\n".join(lines) + "\n"


PROOF = 600.0
"""Seconds that a proof may take: more than a draw has, as it was solved once."""
_SAID = re.compile(r"^(?:status: Optimal\nobjective:|optimal_value =) (\S+)$", re.MULTILINE)


_FORMER = (
    "6cc722e186218d1bff89d9ba d3bd08825fed93d2a2f31974 92622a40c2b1e4a7fcea7b26 "
    "dd55108d9deab10ca1942785 77e854730864f1ca02962d84 90d766397350e2bf2853b2dc "
    "24962465c30bf017a6de33a2 a36c71583b0230014fa7fbdc 01794227d92183599ef139fb "
    "fed321d53e7ee6aab1ee2662 b06f15f860ad454a55c8f0f2 26b67653cfcbff869e80851d "
    "764dd32a51228d83c54ce00e c8cc05e3c14ca68c07fc2387 5061846517b34eefccd2fc8e "
    "93977da4889833999c5a8667 15d824d65b55f66511b54c43 f5b169c9c9c359c4bf0b7611 "
    "576cd1cfff64c06295c50325 abe837310e30a5f6d6b87cdf 52a081e0e6bd7cd1f0c60539 "
    "095fa9ed8a7a35b695933bc8 8ad76e744dc135addba57aba a9fb9b3729350e41c2dd0102 "
    "0962449c326b7f74e06cdb46 eaf661996659d4a39d8a7744 e32fb99cc6d4fa2a9916bb45 "
    "baf46b89618d747e9ea41604 433caa13c71902c51680f2fc 310351f340478ab9d772c812 "
    "34abeccf3dac626a110875d4 37e8bd22e0c4f5e47ff3871e e92be684c114a62a57d340c1 "
    "62c6ee07e56083f1671e59da 825902740829caf6b75bdbdf 08af531cb3e43cbfeb7fea4e "
)
"""Digests of the programs of folders built until November 2026, which are still proved."""


def instance_folders(folder: Path) -> list[Path]:
    """The folder itself where it holds an instance, else those in it that do; raises DataError."""
    if (folder / "instance.json").is_file():
        return [folder]
    found = sorted(path.parent for path in folder.glob("*/instance.json"))
    if not found:
        raise DataError(f"{folder} holds no instance.json, nor do its folders; give another one")
    return found


def verify(folder: Path) -> None:
    """Prove a template's folder again; raises DataError, in a sentence, where something fails.

    The data are drawn anew and compared, the model is built from the folder's own tables and
    solved, and solve.py, which must be the template's, is run in the folder; all must give the
    stated optimum.
    """
    artifact = read_artifact(folder)
    record, told = artifact.record, artifact.record.metadata
    if not isinstance(record.optimal_value, int | float):
        raise DataError(f"{folder}: its optimal_value is no number; build it again")
    try:
        template = get_template(str(told["template"]))
        given: Any = told["knobs"]
        knobs = template.settings(given=given)
        draw = int(str(told["seed"])), int(str(told["index"])), int(str(told["attempt"]))
        tables = template.tables(knobs, *draw)
    except (KeyError, ValueError, AttributeError, OrdojoError) as error:
        raise DataError(f"{folder}: its metadata name no draw ({error}); build it again") from None
    stored = read_tables(artifact.data)
    for table in sorted(set(tables) | set(stored)):
        if tables.get(table) != stored.get(table):
            raise DataError(
                f"{folder}: data/{table}.csv is not what its seed gives; build it again"
            )
    if record.parameters != scalars(tables):
        raise DataError(f"{folder}: its parameters are not what its seed gives; build it again")
    built = build(template.spec, stored, record.id)
    found = solve(built.model, PROOF)
    if found.x is None or found.objective is None:
        raise DataError(f"{folder}: its model is {found.status} after {PROOF:g} s; give more")
    check_point(built, stored, found.x, found.objective)
    agree(folder, "its model", significant(found.objective), float(record.optimal_value))
    program = artifact.solve_py
    if program != solve_py(template.spec, template.title) and digest(program)[:24] not in _FORMER:
        raise DataError(f"{folder}: {record.solver_code} is not its template's; build it again")
    agree(folder, record.solver_code, run(folder, PROOF), float(record.optimal_value))


def run(folder: Path, seconds: float) -> float:
    """What solve.py prints as the optimum, run in its folder; raises DataError."""
    try:
        done = subprocess.run(
            [sys.executable, "solve.py"],
            cwd=folder,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=2 * seconds + 60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DataError(f"{folder}: solve.py does not end in {2 * seconds + 60:g} s") from None
    said = _SAID.search(done.stdout)
    if said is None:
        last = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
        raise DataError(f"{folder}: solve.py prints no optimum but '{last}'; build it again")
    return float(said[1])


def agree(folder: Path, what: str, value: float, stated: float) -> None:
    """Raise DataError unless two optima are the same to OBJECTIVE."""
    if not abs(value - stated) <= OBJECTIVE * max(1.0, abs(stated)):
        raise DataError(
            f"{folder}: {what} has the optimum {value!r}, stated is {stated!r}; build it again"
        )
