"""Checking a dataset file by file: hash, format, number of items."""

from dataclasses import asdict, dataclass
from pathlib import Path

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.datasets.registry import get_dataset
from ordojo.datasets.rows import read_split
from ordojo.datasets.specs import DatasetSpec, FileSpec
from ordojo.datasets.store import expected_hashes, find, hash_problem


def count_items(spec: DatasetSpec, file: FileSpec, path: Path) -> int:
    """The number of items at `path`, all well formed; raises DataError, also for a wrong number."""
    if spec.reader:
        # Only these datasets need the readers; whoever pulls another does without them.
        from ordojo.datasets.nl2opt.load import read_items

        return len(read_items(spec, path))
    return len(read_split(spec, file, path))


@dataclass(frozen=True)
class Check:
    """One thing that was checked, and what came of it."""

    file: str
    name: str
    ok: bool
    detail: str


@dataclass(frozen=True)
class VerifyReport:
    """All checks of one dataset."""

    id: str
    folder: Path
    sha256: str
    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether every check held."""
        return all(check.ok for check in self.checks)

    def to_json(self) -> dict[str, Json]:
        """The report as plain JSON."""
        return {**asdict(self), "folder": str(self.folder), "ok": self.ok}

    def table(self) -> list[tuple[str, ...]]:
        """The report for readers; the first row is the heading."""
        rows = [(c.file, c.name, "ok" if c.ok else "FAILED", c.detail) for c in self.checks]
        return [("file", "check", "result", "detail"), *rows]


def verify(dataset_id: str) -> VerifyReport:
    """Check every file of a dataset; raises UsageError or DataError if it cannot be read."""
    located = find(get_dataset(dataset_id))
    spec = located.spec
    expected = expected_hashes(spec, located.folder)
    checks = []
    for file in spec.files:
        found, wanted = located.hashes[file.name], expected[file.name]
        problem = hash_problem(found, wanted)
        detail = problem or (found if wanted else f"{found} (not pinned)")
        checks.append(Check(file.name, "sha256", not problem, detail))
        try:
            items = count_items(spec, file, located.files[file.split])
            checks.append(Check(file.name, "items", True, f"{items}, each well formed"))
        except DataError as error:
            checks.append(Check(file.name, "items", False, str(error)))
    return VerifyReport(spec.id, located.folder, located.sha256, tuple(checks))
