"""What a run learns from, made one by one and kept in the run's folder from the first on.

A run that is stopped while its data are made has those that are made; started again, it makes what
is lacking.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from ordojo import __version__
from ordojo.benchmarks.or_debug.injection.generate import generate
from ordojo.benchmarks.or_debug.schema import make_instance
from ordojo.benchmarks.or_debug.store import read_instance
from ordojo.core.canonical import digest
from ordojo.core.errors import DataError
from ordojo.core.instance import Instance
from ordojo.core.instance_rows import to_row
from ordojo.core.journal import Journal
from ordojo.core.progress import counted, counting
from ordojo.core.trajectory import Trajectory
from ordojo.training.rollouts.files import read_trajectories
from ordojo.training.rollouts.rollout import record, rollout
from ordojo.training.rollouts.work import Work

DATA = "data"
"""The folder of a run's folder where its data are kept."""


@lru_cache(maxsize=8)  # one run asks for the same problems up to four times
def problems(
    split: str, seed: int, kinds: str, count: int, robust: bool = True, keep: Path | None = None
) -> tuple[Instance[Any], ...]:
    """Problems of or-debug, their types those of `kinds` in turn, kept in the folder `keep`.

    Raises DataError where they cannot be kept.
    """
    what = f"making problems of or-debug ({split})"

    def make(place: int) -> Instance[Any]:
        return make_instance(generate(split, seed, place, kinds[place % len(kinds)], robust), {})

    if keep is None:
        return tuple(make(place) for place in counted(range(count), what))
    path = keep / f"or-debug-{split}-{_name(split, seed, kinds, robust)}.jsonl"
    _make_folder(keep)
    with Journal(path, sync=False) as journal:
        found: list[Instance[Any]] = [_read(path, row) for row in journal.rows[:count]]
        with counting(what, count, len(found)) as told:
            for place in range(len(found), count):
                found.append(make(place))
                journal.append(to_row(found[-1]))
                told.step()
    return tuple(found)


def episodes(work: Work, keep: Path | None = None, *about: Any) -> Iterator[Trajectory]:
    """The trajectories of a rollout in its order, kept in the folder `keep`.

    `about` is what decides them and is not in the rollout's provenance. Raises what playing raises,
    and DataError where they cannot be kept.
    """
    if keep is None:
        yield from rollout(work)
        return
    origin = work.provenance
    name = f"{origin.benchmark}-{origin.policy}".replace("/", "-")[:60]
    path = keep / f"{name}-{_name(origin.to_json(), *about)}.jsonl"
    _make_folder(keep)
    record(work, path)
    found = {one.key: one for one in read_trajectories(path)}
    keys = (work.key(place) for place in range(work.size))
    yield from (found[key] for key in keys if key in found)


def _name(*about: Any) -> str:
    """Other settings and other versions have other files."""
    return digest([__version__, *about])[:10]


def _read(path: Path, row: dict[str, Any]) -> Instance[Any]:
    try:
        return read_instance(row)
    except DataError as error:
        raise DataError(f"{path}: {error}; delete it, and it is made again") from None


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            f"{folder} cannot hold a run's data ({error.strerror}); name another folder"
        ) from None
