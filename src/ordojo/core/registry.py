"""Finding benchmarks: folders of `ordojo.benchmarks`, and the entry points of other packages.

A folder `benchmarks/or_bias/` whose `__init__` has a `BENCHMARK` is the benchmark `or-bias`; a
third-party package adds its own under the entry-point group `ordojo.benchmarks`.
"""

import difflib
import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.errors import UsageError

HOME = "ordojo.benchmarks"


@cache
def benchmark_names() -> tuple[str, ...]:
    """Every benchmark's name, in alphabetical order; loads none of them."""
    home = importlib.import_module(HOME)
    folders = [m.name for m in pkgutil.iter_modules(home.__path__) if m.ispkg]
    others = [point.name for point in entry_points(group=HOME)]
    return tuple(sorted({name.replace("_", "-") for name in [*folders, *others]}))


@cache
def get_benchmark(name: str) -> AnyBenchmark:
    """The benchmark called `name` (underscores and hyphens are the same); raises UsageError."""
    wanted = name.replace("_", "-")
    if wanted not in benchmark_names():
        near = difflib.get_close_matches(wanted, benchmark_names(), 1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(benchmark_names())}"
        raise UsageError(f"there is no benchmark '{name}'; {hint}")
    for point in entry_points(group=HOME):
        if point.name.replace("_", "-") == wanted:
            found: AnyBenchmark = point.load()
            return found
    module = importlib.import_module(f"{HOME}.{wanted.replace('-', '_')}")
    benchmark: AnyBenchmark = module.BENCHMARK
    return benchmark
