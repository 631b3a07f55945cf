"""The sets that are asked: eval comes with ordojo, the others are generated."""

import json
from dataclasses import replace
from functools import lru_cache

from ordojo.benchmarks.or_debug.authors import instances as authors
from ordojo.benchmarks.or_debug.build import produce_all
from ordojo.benchmarks.or_debug.schema import (
    HARD,
    LARGE,
    QUIET,
    SPLITS,
    TOLD,
    Debugging,
    make_instance,
)
from ordojo.benchmarks.or_debug.store import LIBRARY, read_file, read_text, shipped
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance, object_of
from ordojo.datasets.store import locate
from ordojo.solvers.highs import HighsOracle

SEED = 0
"""The sets are those of this seed; other seeds come as files."""

AUTHORS = "authors/"
"""What the names of the authors' own sets begin with."""

SHIPPED = ("eval", "eval-v1", "eval-v3", HARD, QUIET, LARGE)
"""Sets as `ordojo build or-debug --seed 0` made them, so that another version of the solver asks
the same; `eval-v1` is the eval set of versions 1 and 2, and the hard set takes long to make."""

WILD = "wild"
"""The set of public models, which are not ours to ship: it is built, and then found as data."""


@lru_cache(maxsize=4)
def load_set(name: str) -> tuple[Instance[Debugging], ...]:
    """The instances of a set, in order. Raises UsageError or DataError."""
    if name in (*SHIPPED, LIBRARY):
        return tuple(read_text(shipped(name)))
    if name == TOLD:
        return tuple(map(_told, load_set("eval"), shipped(TOLD)))
    if name == WILD:
        return tuple(read_file(locate("or-debug@wild").files["test"]))
    if name.startswith(AUTHORS):
        return authors.load(name.removeprefix(AUTHORS))
    if name not in SPLITS:
        raise UsageError(f"there is no set '{name}'; choose from {', '.join(SPLITS)}, {SHIPPED[1]}")
    solvers = {"highs": HighsOracle().version}
    made = produce_all(name, SEED, SPLITS[name])
    return tuple(make_instance(one.problem, solvers) for one in made)


def _told(instance: Instance[Debugging], line: str) -> Instance[Debugging]:
    """The same problem in other words, of which there are a line for each of the first ones."""
    problem = replace(instance.problem, split=TOLD, text=json.loads(line))
    return make_instance(problem, _solvers(instance))


def _solvers(instance: Instance[Debugging]) -> dict[str, str]:
    """The solvers that a certificate is of, with their versions."""
    found = object_of(instance.certificate.data, "solvers")
    return {name: str(version) for name, version in found.items()}
