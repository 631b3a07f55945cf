"""From a dataset's items to instances, each with the evidence for its gold.

First the reference models: read, solved, and compared with an answer's model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from ordojo.benchmarks.nl2opt.schema import NAME, VERSION, DataFile, WordProblem
from ordojo.compat.service import problem_hash
from ordojo.core.canonical import Json, digest
from ordojo.core.errors import DataError, SolverError, UsageError
from ordojo.core.files import read_text, shipped_table
from ordojo.core.instance import Certificate, Instance
from ordojo.datasets.golds import GoldAnswer
from ordojo.datasets.nl2opt import PREFIX, is_own, load_items, own_folder
from ordojo.datasets.nl2opt.items import ProblemItem, Status
from ordojo.datasets.nl2opt.statistics import bucket
from ordojo.datasets.store import locate, sha256_of
from ordojo.milp.files import linear, read_problem
from ordojo.milp.model import Model
from ordojo.solvers.answers import SolveResult
from ordojo.solvers.answers import Status as SolveStatus
from ordojo.solvers.equivalence import EquivalenceVerdict, compare
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.problem import Problem
from ordojo.solvers.residuals import check_optimal
from ordojo.structures.inspection import structural

SOLVE_SECONDS = 300.0
"""For the optimum of a reference model, which is found once a process."""

COMPARE_SECONDS = 10.0
"""For a comparison, of which there is one after each answer."""


EXPORTED = ("id", "question", "golds", "status", "labels", "parameters", "documents", "notes")
"""What is exported of an item, beside the files that a program may read."""


def rows(dataset: str) -> Mapping[str, list[dict[str, Json]]]:
    """See `Benchmark.rows`: an item a row, with the text of its files."""
    found = []
    for item in load_items(dataset):
        row = {name: value for name, value in item.to_json().items() if name in EXPORTED}
        found.append({**row, "files": {name: read_text(path) for name, path in item.files.items()}})
    return {"test": found}


@lru_cache(maxsize=1024)
def reference_model(path: Path) -> Model | None:
    """The model in a dataset's LP file, None for a quadratic one; raises DataError."""
    problem = read_problem(path)
    return linear(problem) if problem.is_linear else None


@lru_cache(maxsize=4096)
def reference_gold(path: Path) -> GoldAnswer:
    """What a reference model's optimum is, by HiGHS; "unknown" for an unsolved one.

    Of quadratic ones, which HiGHS may not take, the optimum was found once, by Gurobi.
    """
    model = reference_model(path)
    if model is None:
        unknown = GoldAnswer("unknown", note="the reference model is quadratic")
        return _quadratic().get(sha256_of(path), unknown)
    found = HighsOracle().solve(model, SOLVE_SECONDS)
    if found.status == SolveStatus.OPTIMAL and found.objective is not None:
        return GoldAnswer(
            "number", found.objective, repr(found.objective), "of the reference model"
        )
    if found.status == SolveStatus.INFEASIBLE:
        return GoldAnswer("infeasible", note="the reference model")
    if found.status == SolveStatus.UNBOUNDED:
        return GoldAnswer("unbounded", note="the reference model")
    return GoldAnswer("unknown", note=f"the reference model ended as {found.status}")


@cache
def _quadratic() -> Mapping[str, GoldAnswer]:
    """Optima of quadratic references by the hash of the file, proven to a gap of 0."""
    return {
        row["sha256"]: GoldAnswer(
            "number", float(row["value"]), row["value"], "of the reference model"
        )
        if row["kind"] == "number"
        else GoldAnswer("infeasible" if row["kind"] == "infeasible" else "unbounded")
        for row in shipped_table(__package__, "tables/quadratic_references.csv")
    }


def confirm(path: Path, golds: tuple[GoldAnswer, ...]) -> None:
    """Check that the reference model's optimum is one of the golds; raises DataError."""
    found = reference_gold(path)
    if found.kind == "unknown":
        return
    for gold in golds:
        if gold.kind == found.kind and (
            gold.value is None
            or found.value is None
            or abs(gold.value - found.value) <= 1e-6 * max(1.0, abs(found.value))
        ):
            return
    stated = " or ".join(gold.text or gold.kind for gold in golds) or "nothing"
    raise DataError(
        f"{path} has the optimum {found.text or found.kind}, its problem states {stated}; "
        "correct one of them"
    )


def equivalence(
    reference: Path, solved: list[tuple[Problem, SolveResult]], wanted: str
) -> Mapping[str, Json]:
    """How the model that an answer solved compares with the reference, for the turn's info.

    `wanted` is the content hash of the model to compare. "feasible": whether the answer's point
    satisfies the reference, None where their columns have other names. "answer" is "incomparable"
    where the reference is quadratic, as nothing is compared with it. "faults": what differs, a kind
    and a family or group each; none where the models are built in another way.
    """
    model = reference_model(reference)
    if model is None:
        detail = "the reference model is quadratic"
        return {"answer": "incomparable", "detail": detail, "feasible": None}
    chosen = next((pair for pair in reversed(solved) if problem_hash(pair[0]) == wanted), None)
    if chosen is None:
        return {"answer": "unknown", "detail": "its model was not kept", "feasible": None}
    problem, result = chosen
    if not problem.is_linear:
        return {
            "answer": "unknown",
            "detail": "the answer's model is not linear, the reference is",
            "feasible": None,
        }
    faults: list[Json] = []
    try:
        found = compare(problem.model, model, COMPARE_SECONDS)
        fits = _fits(problem.model, result, model)
        if found.verdict is not EquivalenceVerdict.EQUAL:
            listed = structural(model, problem.model, COMPARE_SECONDS)
            faults = [{"kind": one.kind.value, "family": one.name} for one in listed]
    except (SolverError, DataError, ArithmeticError, ValueError) as error:
        # The answer's own numbers, beyond what a solver or a float can hold.
        return {"answer": "unknown", "detail": f"not comparable: {error}", "feasible": None}
    told: dict[str, Json] = {"answer": found.verdict.value, "detail": found.reason}
    return {**told, "feasible": fits, "faults": faults}


def _fits(model: Model, result: SolveResult, reference: Model) -> bool | None:
    if result.x is None or not set(reference.col_names) <= set(model.col_names):
        return None
    point = np.array([result.x[model.cols[name]] for name in reference.col_names])
    value = reference.value_at(point)
    try:
        check_optimal(reference, SolveResult(SolveStatus.OPTIMAL, value, x=point))
    except SolverError:
        return False
    return True


LABELS = ("type", "difficulty", "class", "domain", "degree", "scale", "formulation")
"""Labels that reports break results down by; the others tell single items apart."""

_ENDINGS: Mapping[str, Status] = {"infeasible": "infeasible", "unbounded": "infeasible"}


def load(dataset: str, wanted: str) -> Sequence[Instance[WordProblem]]:
    """The instances of a dataset in its order, or those called `wanted` (ids parted by commas).

    Items whose files are not all there are left out: see `refused`. Raises DataError where one of
    them is asked for by name, or nothing is left; UsageError for an id that the dataset lacks.
    """
    found = instances_of(dataset)
    out = refused(dataset)
    if wanted:
        names = [name.strip() for name in wanted.split(",") if name.strip()]
        by_id = {instance.id: instance for instance in found}
        for name in names:
            if name in out:
                raise DataError(f"{dataset}, {name}: {out[name]}; it cannot be asked")
            if name not in by_id:
                raise UsageError(f"{dataset} has no item '{name}'; leave it out of items=...")
        found = tuple(by_id[name] for name in dict.fromkeys(names))
    if not found:
        raise DataError(f"{dataset} has no item that can be asked; get its files again")
    return found


def refused(dataset: str) -> Mapping[str, str]:
    """The items that cannot be asked, because files of them are missing, with the reason."""
    return {i.id: i.reason for i in _items(dataset) if i.status == "incomplete"}


def verify(instance: Instance[WordProblem]) -> None:
    """Check that the gold is what the certificate says, and a reference model's optimum.

    Raises DataError.
    """
    problem, data = instance.problem, instance.certificate.data
    if [asdict(gold) for gold in problem.golds] != data["golds"]:
        raise DataError(f"{instance.id}: its gold is not that of its certificate; load it again")
    if problem.reference is not None:
        if data.get("model") != problem.reference.sha256:
            raise DataError(f"{instance.id}: its reference model is another one; load it again")
        confirm(problem.reference.place, problem.golds)


@lru_cache(maxsize=8)
def _items(dataset: str) -> tuple[ProblemItem, ...]:
    return tuple(load_items(dataset))


@lru_cache(maxsize=8)
def instances_of(dataset: str) -> tuple[Instance[WordProblem], ...]:
    """A dataset's problems, as they were when they were first read; incomplete ones left out."""
    programs = _programs(dataset)
    return tuple(
        _instance(item, programs.get(item.id, ""))
        for item in _items(dataset)
        if item.status != "incomplete"
    )


def _programs(dataset: str) -> Mapping[str, str]:
    """Right programs by item: texts in the folder `programs` beside one's own file, or ours.

    Of one's own folder, each instance's solve.py.
    """
    if (own := own_folder(dataset)) is not None:
        single = own if (own / "solve.py").is_file() else None
        found = [single] if single else [path.parent for path in own.glob("*/solve.py")]
        return {folder.name: read_text(folder / "solve.py") for folder in found}
    if Path(dataset).suffix.lower() == ".jsonl":
        folder = Path(dataset).expanduser().parent
    elif dataset == "nl2opt@ordojo":
        folder = locate(dataset).files["test"]
    else:
        return {}
    return {path.stem: read_text(path) for path in (folder / "programs").glob("*.txt")}


def _instance(item: ProblemItem, program: str) -> Instance[WordProblem]:
    golds, status, reason = item.golds, item.status, item.reason
    reference = _file(item.reference_model) if item.reference_model else None
    if reference is not None and not golds:
        gold = reference_gold(reference.place)
        golds, status = (gold,), _ENDINGS.get(gold.kind, item.status)
        reason = gold.note if gold.value is None else item.reason
        if gold.kind == "unknown":
            status = "unknown-gold"
    problem = WordProblem(
        dataset=_named(item.dataset),
        question=item.question,
        golds=golds,
        status=status,
        reason=reason,
        files={name: _file(path) for name, path in item.files.items()},
        documents=item.documents,
        notes=item.notes,
        parameters=item.parameters,
        reference=reference,
        program=program,
    )
    data = {"golds": [asdict(gold) for gold in golds]}
    evidence = {**data, "model": reference.sha256} if reference else data
    return Instance(
        id=item.id,
        benchmark=NAME,
        version=VERSION,
        problem=problem,
        certificate=Certificate("reference-model" if reference else "answer-key", evidence),
        cluster=item.id,
        labels=_labels(item, status, reference),
    )


def _named(dataset: str) -> str:
    """An id as it is; of one's own data the last part, for their place is no part of a problem."""
    if (own := own_folder(dataset)) is not None:
        return PREFIX + own.name
    return Path(dataset).name if is_own(dataset) else dataset


def _labels(item: ProblemItem, status: Status, reference: DataFile | None) -> dict[str, str]:
    labels = {name: item.labels[name] for name in LABELS if item.labels.get(name)}
    size = item.size
    if size is None and reference is not None:
        model = reference_model(reference.place)
        size = (model.n, model.m) if model is not None else None
    if size is not None:
        labels["size"] = bucket(sum(size))
    return {**labels, "status": status}


@lru_cache(maxsize=4096)
def _file(path: Path) -> DataFile:
    return DataFile(sha256_of(path), path.stat().st_size, path)


def dataset_digest(dataset: str) -> str:
    """The hash of the dataset's files; of one's own, of what was read from them."""
    if is_own(dataset):
        return digest([instance.content_hash for instance in instances_of(dataset)])
    return locate(dataset).sha256


def spell(golds: Sequence[GoldAnswer]) -> str:
    """Golds as a reader would want to see them."""
    return " or ".join(gold.text or gold.kind for gold in golds) or "none"
