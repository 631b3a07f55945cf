"""From a dataset's items to instances, each with the evidence for its gold."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

from ordojo.benchmarks.nl2opt.reference import confirm, reference_gold, reference_model
from ordojo.benchmarks.nl2opt.schema import NAME, VERSION, DataFile, WordProblem
from ordojo.core.canonical import digest
from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import read_text
from ordojo.core.instance import Certificate, Instance
from ordojo.datasets.golds import GoldAnswer
from ordojo.datasets.nl2opt import PREFIX, is_own, load_items, own_folder
from ordojo.datasets.nl2opt.items import ProblemItem, Status
from ordojo.datasets.nl2opt.statistics import bucket
from ordojo.datasets.store import locate, sha256_of

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
