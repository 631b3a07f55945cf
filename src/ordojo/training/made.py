"""What a run learns from, made one by one and kept in the run's folder from the first on.

A run that is stopped while its data are made has those that are made; started again, it makes what
is lacking.
"""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ordojo import __version__
from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.canonical import digest
from ordojo.core.errors import DataError
from ordojo.core.instance import Instance, to_row
from ordojo.core.journal import Journal
from ordojo.core.progress import counted, counting
from ordojo.core.teaching import Made, Making
from ordojo.core.trajectory import Trajectory
from ordojo.training.rollouts.files import read_trajectories
from ordojo.training.rollouts.rollout import record, rollout
from ordojo.training.rollouts.work import Work

DATA = "data"
"""The folder of a run's folder where its data are kept."""


def instances(
    benchmark: AnyBenchmark, made: Made, keep: Path | None = None
) -> tuple[Instance[Any], ...]:
    """What a benchmark's teaching makes; what takes long is kept in the folder `keep`.

    Raises DataError where it cannot be kept.
    """
    if not isinstance(made, Making):
        return tuple(made)
    known = benchmark.name, digest(list(made.about))
    found = _MADE.setdefault(known, [])
    while len(_MADE) > HELD:
        _MADE.pop(next(iter(_MADE)))
    what = f"making problems of {benchmark.name} ({made.name})"
    if keep is None:
        left = range(len(found), made.count)
        found += [made.make(place) for place in (counted(left, what) if left else ())]
        return tuple(found[: made.count])
    path = keep / f"{benchmark.name}-{made.name}-{_name(*made.about)}.jsonl"
    try:
        keep.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            f"{keep} cannot hold a run's data ({error.strerror}); name another folder"
        ) from None
    with Journal(path, sync=False) as journal:
        kept = len(journal.rows)
        for row in journal.rows[len(found) : made.count]:
            found.append(_read(benchmark, path, row))
        with counting(what, made.count, min(kept, made.count)) as told:
            for place in range(kept, made.count):
                if place == len(found):
                    found.append(made.make(place))
                journal.append(to_row(found[place]))
                told.step()
    return tuple(found[: made.count])


_MADE: dict[tuple[str, str], list[Instance[Any]]] = {}
HELD = 8
"""Sets of problems in memory: one run asks for the same up to four times, its stages' among them;
more would only fill the memory of a process that trains again and again."""


def episodes(work: Work, keep: Path | None = None, *about: Any) -> Iterator[Trajectory]:
    """The trajectories of a rollout in its order, kept in the folder `keep`.

    `about` is what decides them and is not in the rollout's provenance. Raises what playing raises,
    and DataError where they cannot be kept.
    """
    if keep is None:
        yield from rollout(work)
        return
    origin = work.provenance
    name = f"{origin.benchmark}-{origin.model}".replace("/", "-")[:60]
    path = keep / f"{name}-{_name(asdict(origin), *about)}.jsonl"
    record(work, path)
    found = {one.item: one for one in read_trajectories(path)}
    keys = (work.key(place) for place in range(work.size))
    yield from (found[key] for key in keys if key in found)


def _name(*about: Any) -> str:
    """Other settings and other versions have other files."""
    return digest([__version__, *about])[:10]


def _read(benchmark: AnyBenchmark, path: Path, row: dict[str, Any]) -> Instance[Any]:
    try:
        return benchmark.read_instance(row)
    except DataError as error:
        raise DataError(f"{path}: {error}; delete it, and it is made again") from None
