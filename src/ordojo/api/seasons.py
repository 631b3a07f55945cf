"""Benchmarks fresh by date: who names a month gets its items, which nobody's data had before.

A folder: a file or folder of each benchmark that has a season (`Benchmark.season` items), and
`commitments.jsonl`, a line an item. The item's commitment is its content's SHA-256, that of the
answer is over both, so that an answer with few values cannot be found by trying all.
"""

import datetime
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.api.benchmarks import build, measurable
from ordojo.api.kinds import AnyPath, Said, unheard
from ordojo.core.canonical import digest
from ordojo.core.errors import DataError, GeneratorError, UsageError
from ordojo.core.files import read_text
from ordojo.core.outputs import whole_folder, write_file
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.core.seeds import generator

ATTEMPTS = 20
"""Seeds that are tried where a set that can be solved unread is refused; none left is a fault."""

COMMITMENTS = "commitments.jsonl"


def today() -> datetime.date:
    """The date here and now, in UTC, so that a season begins everywhere at once."""
    return datetime.datetime.now(datetime.UTC).date()


def season(
    date: str,
    out: AnyPath,
    *,
    force: bool = False,
    items: Mapping[str, int] | None = None,
    progress: Said = unheard,
) -> Path:
    """Build a month's items of every benchmark that has a season: the same for all who name it.

    commitments.jsonl has a hash of every item and answer. Before the month begins it is all that is
    written; from then on the same call writes the items and compares.

    Args:
        date: The month that seeds the items, such as 2026-12.
        out: A folder.
        force: Write over what `out` holds.
        items: How many of each benchmark, by name; its own season's, if not given.
        progress: Hears what is built.

    Returns:
        `out`.

    Raises:
        UsageError: For a date that is no month, or an `out` that is not empty.
        DataError: Where `out` cannot be written, or the items are not those committed to.
    """
    out = Path(out)
    if not re.fullmatch(r"[0-9]{4}-(0[1-9]|1[0-2])", date):
        raise UsageError(f"`date` {date} is no month; write it as in 2026-12")
    begins = datetime.date.fromisoformat(f"{date}-01")
    before = _commitments(out / COMMITMENTS)
    if out.is_file():
        raise UsageError(f"{out} is a file; name a folder with `out`")
    if not force and out.exists() and {path.name for path in out.iterdir()} - {COMMITMENTS}:
        raise UsageError(f"{out} is not empty; name another folder with `out`, or give `force`")
    if items is None:
        items = {one.name: one.season for one in map(get_benchmark, benchmark_names())}
    with whole_folder(out, keep=True, advice="name another folder with `out`") as draft:
        made = list(_make(date, draft, items, progress))
        if before and in_order(before) != in_order(made):
            raise DataError(
                f"{out / COMMITMENTS} commits to other items of {date}; build them with the "
                "version of ordojo that wrote it, or name another folder with `out`"
            )
        if today() < begins:
            shutil.rmtree(draft)
            draft.mkdir()
        write_file(draft / COMMITMENTS, "".join(json.dumps(line) + "\n" for line in made))
    if today() < begins:
        progress(
            f"{date} begins on {begins}: {out} has the commitments to its {len(made)} items alone; "
            "the same command writes the items from that day on"
        )
    else:
        progress(f"{out}: {len(made)} items of {date}, each with its commitment")
    return out


def in_order(lines: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Commitments by benchmark and id: their order in a file says nothing."""
    return sorted(lines, key=lambda line: (line["benchmark"], line["id"]))


def _name(benchmark: str) -> str:
    building = get_benchmark(benchmark).building
    return benchmark if building is not None and building.folder else f"{benchmark}.jsonl"


def _make(
    date: str, folder: Path, items: Mapping[str, int], progress: Said
) -> Iterator[dict[str, Any]]:
    """Build every benchmark's items in `folder`, and yield their commitments."""
    for name, count in sorted(items.items()):
        if not count:
            continue
        _build(name, folder / _name(name), date, count)
        progress(f"{name}: {count} items")
        benchmark, _, instances, _ = measurable(folder / _name(name), 0, {})
        for instance in instances:
            answer = digest([instance.content_hash, benchmark.gold(instance)])
            yield {
                "benchmark": name,
                "id": instance.id,
                "item": instance.content_hash,
                "answer": answer,
            }


def _build(name: str, path: Path, date: str, count: int) -> None:
    for attempt in range(ATTEMPTS):
        rng = generator(int(date.replace("-", "")), f"season/{name}", attempt)
        try:
            build(name, path, n=count, seed=int(rng.integers(2**31)))
            return
        except (DataError, GeneratorError) as error:
            refused = error
    raise refused


def _commitments(path: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in read_text(path).splitlines()]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {path}: {error}; delete it and build again") from None
