"""Whether a file holds the items that it should, whatever its format."""

from pathlib import Path

from ordojo.datasets.rows import read_split
from ordojo.datasets.specs import DatasetSpec, FileSpec


def count_items(spec: DatasetSpec, file: FileSpec, path: Path) -> int:
    """The number of items at `path`, all well formed; raises DataError, also for a wrong number."""
    if spec.reader:
        # Only these datasets need the readers; whoever pulls another does without them.
        from ordojo.datasets.nl2opt.load import read_items

        return len(read_items(spec, path))
    return len(read_split(spec, file, path))
