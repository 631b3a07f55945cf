"""The versioned registry of datasets: where they come from, their licence, hash and counts.

Ids are versioned (`orqa@793beee`). Files are looked for in `$ORDOJO_DATA/<dataset>/`, then in the
user's cache, which `pull` fills; the sets written for ordojo lie in the package itself.
"""

from ordojo.datasets.registry import dataset_ids, get_dataset
from ordojo.datasets.rows import dataset_digest, read_file, read_rows
from ordojo.datasets.store import locate

__all__ = ["dataset_digest", "dataset_ids", "get_dataset", "locate", "read_file", "read_rows"]
