"""Fresh problems from the templates: a folder each, and an index of them."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar, Literal

from ordojo.core.building import BuildSettings, PlaceField, place, setting
from ordojo.core.errors import UsageError
from ordojo.core.outputs import whole_folder
from ordojo.core.ranges import COUNT, SECONDS, SEED, NumberRange
from ordojo.core.spread import spread, stateless
from ordojo.core.words import amount
from ordojo.problems.base import Knobs
from ordojo.problems.instances import (
    GeneratedInstance,
    add_to_index,
    agree,
    listing,
    make,
    run,
    write,
)
from ordojo.problems.registry import NAMES, get_template


class ProblemSettings(BuildSettings):
    """Build fresh problems: text, data, model.md, solve.py, generator.py and the proved optimum.

    Every instance is a folder of OUT, and index.jsonl lists them. `ordojo verify OUT` proves them
    again; `-T dataset=folder:OUT` evaluates on them.
    """

    example: ClassVar[str] = "ordojo build nl2opt --n 100 --seed 1 -o problems"
    doing: ClassVar[str] = "building problems of nl2opt"
    out_is: ClassVar[str] = "A folder."
    folder: ClassVar[bool] = True

    template: str = setting("all", "A template's name, or all.")
    n: int | None = COUNT.field(None, "Instances; one a template by default.")
    size: Literal["small", "medium", "large"] = setting(
        "small", "The knobs' values where none are given."
    )
    knobs: Mapping[str, str] = setting({}, "A template's knob.", "-T", metavar="KNOB=VALUE")
    seed: int = NumberRange(0, SEED.high, whole=True).field(0)
    seconds: float = SECONDS.field(60.0, "Time to solve a draw; after it another one is drawn.")
    program: bool = setting(True, "Do not run each solve.py as a second proof.", "--no-program")
    on: PlaceField = place("local")


def build(out: Path, settings: ProblemSettings) -> Iterator[str]:
    """Write instances, all or none, and yield a line on each.

    Draws that are not solved in `seconds` are drawn again; `program` runs each solve.py as a second
    proof. The bytes depend on the seed and the settings alone. Raises UsageError or DataError.
    """
    template, seed = settings.template, settings.seed
    chosen = NAMES if template == "all" else (get_template(template).name,)
    if settings.knobs and template == "all":
        raise UsageError("`knobs` sets values of one template; name it with `template`")
    knobs = [get_template(one).settings(settings.size, dict(settings.knobs)) for one in chosen]
    draws = [
        (chosen[number % len(chosen)], knobs[number % len(chosen)], number // len(chosen))
        for number in range(settings.n or len(chosen))
    ]
    lines = []
    with whole_folder(out, keep=True) as folder:
        prove = stateless(partial(_proved, seed, settings.seconds, settings.program))
        for made in spread(prove, draws, settings.on, what="building instances"):
            write(made, folder / made.id)
            lines.append(listing(made))
            redrawn = f", {made.attempt} redrawn" if made.attempt else ""
            yield (
                f"{made.id}: {amount(made.built.model.n, 'variable')}, "
                f"{amount(made.built.model.m, 'constraint')}, "
                f"optimum {made.optimal_value:g}{redrawn}"
            )
        add_to_index(folder, lines, out)
    redraws = amount(sum(int(line["attempt"]) for line in lines), "draw")
    yield f"{amount(len(lines), 'instance')} in {out}, {redraws} not solved in time"


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
