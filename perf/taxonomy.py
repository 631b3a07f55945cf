"""How often the class that a model resembles most is its own: `python -m perf.taxonomy`.

The main class of the first guess, without names, on the instances of taxonomy.json, which table 9
of paper 003 names, and on the library's templates; a problem class that is right is right, too.
Needs the data sets mnl-mps and mps in $ORDOJO_DATA.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

from ordojo.problems.registry import NAMES, get_template
from ordojo.structures import abstract, read_flat
from ordojo.structures.flat import Flat, flat_model
from ordojo.structures.labels import label
from perf.problems import sample
from perf.score import nameless

Guess = tuple[str, bool]
"""A model's name, and whether its first guess is right."""


def right(flat: Flat, majors: list[str], sub: str = "") -> bool:
    """Whether the first guess at a model has one of these main classes, or that problem class."""
    flat = nameless(flat)
    first = label(flat, abstract(flat)).applications[0]
    return first.major in majors or first.sub == sub


def of_instances(root: Path) -> Iterator[Guess]:
    """The instances of table 9."""
    truth = json.loads(Path(__file__).with_name("taxonomy.json").read_text("utf-8"))
    for name, majors in truth["instances"].items():
        places = [root / f"mnl-mps/{name}.mps.xz", root / f"mps/{name}.mps.gz"]
        yield name, right(read_flat(next(path for path in places if path.is_file())), majors)


def of_library() -> Iterator[Guess]:
    """The templates, small."""
    for name, built in zip(NAMES, sample(len(NAMES)), strict=True):
        major, sub = get_template(name).application
        yield name, right(flat_model(built.model), [major], sub)


def main() -> None:
    """Count both, and name what is wrong."""
    for source, found in (
        ("table 9", list(of_instances(Path(os.environ["ORDOJO_DATA"])))),
        ("library", list(of_library())),
    ):
        wrong = [name for name, good in found if not good]
        print(f"{source}: {len(found) - len(wrong)} of {len(found)} right; not {', '.join(wrong)}")


if __name__ == "__main__":
    main()
