"""The library of solved cases, from the train split alone."""

from functools import lru_cache

from ordojo.benchmarks.or_debug.injection.generate import generate
from ordojo.benchmarks.or_debug.schema import TYPES, Debugging

PER_TYPE = 20
"""Cases of each error type."""

SEED = 0


@lru_cache(maxsize=len(TYPES))
def cases(kind: str) -> tuple[Debugging, ...]:
    """The cases of one error type, in order; made once a process, the same in each."""
    return tuple(generate("train", SEED, index, kind) for index in range(PER_TYPE))


def library() -> tuple[Debugging, ...]:
    """The cases of all types."""
    return tuple(case for kind in TYPES for case in cases(kind))
