"""Fresh problems from the templates: a folder each, and an index of them."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from ordojo.core.errors import UsageError
from ordojo.core.outputs import whole_folder
from ordojo.core.spread import HERE, Place, spread, stateless
from ordojo.problems.base import Knobs
from ordojo.problems.checks import agree, run
from ordojo.problems.instances import GeneratedInstance, add_to_index, listing, make, write
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
    place: Place = HERE,
) -> Iterator[str]:
    """Write `n` instances (one a template by default), all or none, and yield a line on each.

    Draws that are not solved in `seconds` are drawn again; `program` runs each solve.py as a second
    proof. The bytes depend on the seed and the settings alone. Raises UsageError or DataError.
    """
    chosen = NAMES if template == "all" else (get_template(template).name,)
    if knobs and template == "all":
        raise UsageError("-T sets a knob of one template; name it with --template")
    settings = [get_template(one).settings(size, dict(knobs or {})) for one in chosen]
    draws = [
        (chosen[number % len(chosen)], settings[number % len(chosen)], number // len(chosen))
        for number in range(n or len(chosen))
    ]
    lines = []
    with whole_folder(out, keep=True) as folder:
        prove = stateless(partial(_proved, seed, seconds, program))
        for made in spread(prove, draws, place, what="building instances"):
            write(made, folder / made.id)
            lines.append(listing(made))
            redrawn = f", {made.attempt} redrawn" if made.attempt else ""
            yield (
                f"{made.id}: {made.built.model.n} variables, {made.built.model.m} constraints, "
                f"optimum {made.optimal_value:g}{redrawn}"
            )
        add_to_index(folder, lines, out)
    redraws = sum(int(line["attempt"]) for line in lines)
    yield f"{len(lines)} instances in {out}, {redraws} draws not solved in time"


def _proved(
    seed: int, seconds: float, program: bool, draw: tuple[str, Knobs, int]
) -> GeneratedInstance:
    template, knobs, index = draw
    made = make(template, knobs, seed, index, seconds=seconds)
    if program:
        with TemporaryDirectory() as scratch:
            folder = write(made, Path(scratch) / made.id)
            agree(Path(made.id), "solve.py", run(folder, seconds), made.optimal_value)
    return made
