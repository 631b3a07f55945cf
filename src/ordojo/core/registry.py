"""Finding benchmarks: folders of `ordojo.benchmarks`, and the entry points of other packages.

A folder `benchmarks/or_bias/` whose `__init__` has a `BENCHMARK` is the benchmark `or-bias`; a
third-party package adds its own under the entry-point group `ordojo.benchmarks`. An object that was
handed to `get_benchmark` is known by its name from then on, in this process.
"""

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from ordojo.core.errors import UsageError, meant

if TYPE_CHECKING:  # with what it stands on it takes ten times as long as this module
    from ordojo.core.benchmark import AnyBenchmark

HOME = "ordojo.benchmarks"


_GIVEN: "dict[str, AnyBenchmark]" = {}


def benchmark_names() -> tuple[str, ...]:
    """Every benchmark's name, in alphabetical order; loads none of them."""
    return tuple(sorted({*_installed(), *_GIVEN}))


@cache
def _installed() -> tuple[str, ...]:
    home = importlib.import_module(HOME)
    folders = [m.name for m in pkgutil.iter_modules(home.__path__) if m.ispkg]
    others = [point.name for point in entry_points(group=HOME)]
    return tuple(name.replace("_", "-") for name in [*folders, *others])


def get_benchmark(name: "str | AnyBenchmark") -> "AnyBenchmark":
    """The benchmark called `name` (underscores and hyphens are the same), or one that is given.

    Raises UsageError for an unknown name, and for an object that bears the name of another one.
    """
    if isinstance(name, str):
        wanted = name.replace("_", "-")
        if wanted in _GIVEN:
            return _GIVEN[wanted]
        if wanted not in benchmark_names():
            known = benchmark_names()
            hint = meant(wanted, known) or f"there are {', '.join(known)}"
            raise UsageError(f"there is no benchmark '{name}'; {hint}")
        return _load(wanted)
    if name.name not in _installed():
        _GIVEN[name.name] = name
    elif _load(name.name) is not name:
        raise UsageError(f"there is a benchmark '{name.name}' already; give yours another name")
    return name


def benchmark_of(target: "str | Path | AnyBenchmark") -> "AnyBenchmark | None":
    """The benchmark that is given or named so; None for a path or a dataset."""
    if not isinstance(target, str | Path):
        return get_benchmark(target)
    named = str(target).replace("_", "-")
    return get_benchmark(named) if named in benchmark_names() else None


def portable(name: str) -> "str | AnyBenchmark":
    """What `get_benchmark` of another process knows a benchmark by: the object if it was given."""
    return _GIVEN.get(name, name)


def benchmark_with(holds: "Callable[[AnyBenchmark], object]") -> "AnyBenchmark":
    """The first benchmark of which that holds; raises UsageError where there is none."""
    found = next(filter(holds, map(get_benchmark, benchmark_names())), None)
    if found is None:
        raise UsageError("no benchmark that is installed does that")
    return found


@cache
def _load(wanted: str) -> "AnyBenchmark":
    for point in entry_points(group=HOME):
        if point.name.replace("_", "-") == wanted:
            found: AnyBenchmark = point.load()
            return found
    module = importlib.import_module(f"{HOME}.{wanted.replace('-', '_')}")
    benchmark: AnyBenchmark = module.BENCHMARK
    return benchmark
