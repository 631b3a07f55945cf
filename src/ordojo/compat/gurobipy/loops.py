"""The keys of constraints that a generator makes: the values of its loops' variables."""

import dis
from collections.abc import Iterable
from types import CodeType

_loops: dict[CodeType, tuple[str, ...]] = {}


def loop_names(code: CodeType) -> tuple[str, ...]:
    """The names that a generator's loops assign, in their order."""
    found = _loops.get(code)
    if found is None:
        found = _loops[code] = tuple(dict.fromkeys(_targets(list(dis.get_instructions(code)))))
    return found


def _targets(steps: list[dis.Instruction]) -> Iterable[str]:
    """What the loops around the last yield assign; loops of inner comprehensions are left out."""
    ends = [step.offset for step in steps if step.opname == "YIELD_VALUE"]
    for place, step in enumerate(steps):
        if step.opname != "FOR_ITER" or not ends or not step.offset < ends[-1] < step.argval:
            continue
        for follower in steps[place + 1 :]:
            if follower.opname.startswith("STORE_"):
                name = follower.argval
                yield from name if isinstance(name, tuple) else [name]
            elif not follower.opname.startswith(("UNPACK_", "CACHE", "EXTENDED_ARG")):
                break
