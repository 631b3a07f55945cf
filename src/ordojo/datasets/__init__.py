"""The versioned registry of datasets: where they come from, their licence, hash and counts.

Ids are versioned (`orqa@793beee`). `registry` has what is known of each. Files are looked for in
`$ORDOJO_DATA/<dataset>/`, then in the user's cache (`store`), which `pull` fills; the sets written
for ordojo lie in `shipped/`. `rows` reads them strictly, by `schemas`, what a row must hold;
`golds` reads reference answers with their precision. `nl2opt/` and `or_debug_authors` read formats
of their own. `audit` looks for what data should not have, `duplicates` for what occurs twice;
`export` writes others' formats.
"""

from ordojo.datasets.registry import dataset_ids, get_dataset
from ordojo.datasets.rows import dataset_digest, read_file, read_rows
from ordojo.datasets.store import locate

__all__ = ["dataset_digest", "dataset_ids", "get_dataset", "locate", "read_file", "read_rows"]
