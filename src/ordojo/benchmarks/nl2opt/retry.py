"""What a repair turn shows of an answer that came to nothing; never anything about the gold."""

from collections.abc import Mapping
from typing import Any

from ordojo.benchmarks.nl2opt.judging import Reading
from ordojo.benchmarks.nl2opt.outcomes import Outcome

_TAIL = 2000
"""Characters of the traceback and of the output that are shown."""

_SAID: Mapping[Outcome, str] = {
    Outcome.INFEASIBLE: "The solver says that the model is infeasible.",
    Outcome.UNBOUNDED: "The solver says that the model is unbounded.",
    Outcome.NO_SOLUTION: "The program ended without an optimal solution.",
    Outcome.PRINTED: "The program printed an answer without solving a model.",
    Outcome.TIME_LIMIT: "The time limit was reached.",
}


def fault(reading: Reading, info: Mapping[str, Any]) -> str:
    """What went wrong with an answer, as the next turn tells it; "" for one that has an optimum.

    Whether that optimum is the right one is not told: only what running the program shows.
    """
    if info["program"] is None:
        return f"No program was run: {info['program_problem']}."
    if reading.outcome is None or reading.outcome is Outcome.WRONG:
        return ""
    execution = info["execution"]
    parts = [_SAID.get(reading.outcome, "")]
    if reading.outcome not in _SAID:
        parts = [f"It ended as follows: {reading.detail or reading.outcome.value}."]
    elif reading.detail and reading.source == "model":
        parts.append(f"({reading.detail})")
    for title, key in (("Its error output", "stderr"), ("Its output", "stdout")):
        if shown := str(execution.get(key) or "").strip():
            parts.append(f"{title} ends with:\n{shown[-_TAIL:]}")
    return "\n\n".join(part for part in parts if part)
