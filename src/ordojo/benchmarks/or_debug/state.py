"""The eight-part state of the environment (paper 004, D.1), and its one spelling as text."""

from dataclasses import dataclass

from ordojo.benchmarks.or_debug.prompts import named


@dataclass(frozen=True, slots=True)
class State:
    """Problem description, code, solver status, IIS log, slacks, bounds, history, step counter.

    `slacks` and `bounds` hold what the last CHECK_SLACK and CHECK_BOUND said of the model as it
    stands, empty before. `history` has one line an action; `step` counts steps, `limit` is the
    most there may be.
    """

    problem: str
    code: str
    status: str
    iis: tuple[str, ...]
    slacks: str
    bounds: str
    history: tuple[str, ...]
    step: int
    limit: int


def serialise(state: State) -> str:
    """The state as text, in the order of its parts; the parts not asked for yet are left out."""
    parts = [
        f"Problem: {state.problem}",
        f"Code:\n{state.code.strip()}",
        f"Status: {state.status}",
        f"IIS: {named(state.iis)}",
    ]
    if state.slacks:
        parts.append(f"Slacks:\n{state.slacks}")
    if state.bounds:
        parts.append(f"Bounds:\n{state.bounds}")
    if state.history:
        lines = (f"{place}. {line}" for place, line in enumerate(state.history, 1))
        parts.append("History:\n" + "\n".join(lines))
    parts.append(f"Step: {state.step} of {state.limit}")
    return "\n".join(parts)
