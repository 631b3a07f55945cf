"""Fresh problems from the templates: a folder each, and an index of them."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from ordojo.core.errors import UsageError
from ordojo.problems.checks import agree, run
from ordojo.problems.instances import add_to_index, listing, make, write
from ordojo.problems.registry import NAMES, get_template


def build(
    out: Path,
    n: int | None = None,
    seed: int = 0,
    template: str = "all",
    size: str = "small",
    knobs: Mapping[str, str] | None = None,
    seconds: float = 60.0,
    program: bool = True,
) -> Iterator[str]:
    """Write `n` instances (one a template by default) and yield a line on each.

    Draws that are not solved in `seconds` are drawn again; `program` runs each solve.py as a second
    proof. The bytes depend on the seed and the settings alone. Raises UsageError or DataError.
    """
    chosen = NAMES if template == "all" else (get_template(template).name,)
    if knobs and template == "all":
        raise UsageError("-T sets a knob of one template; name it with --template")
    lines = []
    try:
        for number in range(n or len(chosen)):
            index, place = divmod(number, len(chosen))
            values = get_template(chosen[place]).settings(size, dict(knobs or {}))
            made = make(chosen[place], values, seed, index, seconds=seconds)
            folder = write(made, out / made.id)
            if program:
                agree(folder, "solve.py", run(folder, seconds), made.optimal_value)
            lines.append(listing(made))
            redrawn = f", {made.attempt} redrawn" if made.attempt else ""
            yield (
                f"{made.id}: {made.built.model.n} variables, {made.built.model.m} constraints, "
                f"optimum {made.optimal_value:g}{redrawn}"
            )
    finally:
        # What was written is listed, whatever stops the rest.
        if lines:
            add_to_index(out, lines)
    redraws = sum(int(line["attempt"]) for line in lines)
    yield f"{len(lines)} instances in {out}, {redraws} draws not solved in time"
