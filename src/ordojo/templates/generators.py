"""The generator.py of an instance folder: the same instance again, or others with other knobs."""

from ordojo.templates.base import Knobs, Template

_TEXT = '''"""{title}: makes this instance again, or others with other knobs.

    python generator.py -o FOLDER
    python generator.py -o FOLDER --seed 7 {example}

Needs the package ordojo. The same knobs, seed and index give the same bytes.
"""

import argparse

from ordojo.templates.instances import make, write
from ordojo.templates.registry import get_template

TEMPLATE = "{name}"
SEED, INDEX, ATTEMPT = {seed}, {index}, {attempt}
KNOBS = {{
{knobs}
}}


def main():
    """Read the knobs, make the instance, write the folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--out", required=True, help="the folder to write")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--index", type=int, default=INDEX)
    for name, value in KNOBS.items():
        parser.add_argument("--" + name.replace("_", "-"), dest=name, default=value)
    parser.add_argument("--seconds", type=float, default=600, help="time to solve it")
    given = vars(parser.parse_args())
    out, seed, index, seconds = (given.pop(key) for key in ("out", "seed", "index", "seconds"))
    knobs = get_template(TEMPLATE).settings(given=given)
    same = (knobs, seed, index) == (KNOBS, SEED, INDEX)
    write(make(TEMPLATE, knobs, seed, index, ATTEMPT if same else 0, seconds), out)


if __name__ == "__main__":
    main()
'''


def generator_py(template: Template, knobs: Knobs, seed: int, index: int, attempt: int) -> str:
    """The text of generator.py."""
    notes = {knob.name: knob.meaning for knob in template.knobs}
    first = template.knobs[0].name
    return _TEXT.format(
        title=template.title,
        name=template.name,
        example=f"--{first.replace('_', '-')} {knobs[first]}",
        seed=seed,
        index=index,
        attempt=attempt,
        knobs="\n".join(
            f'    "{name}": {value!r},  # {notes[name]}' for name, value in knobs.items()
        ),
    )
