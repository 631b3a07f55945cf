"""Production planning with smoothed workload: makes this instance again, or others with other knobs.

    python generator.py -o FOLDER
    python generator.py -o FOLDER --seed 7 --n-products 2

Needs the package ordojo. The same knobs, seed and index give the same bytes.
"""

import argparse

from ordojo.problems.instances import make, write
from ordojo.problems.registry import get_template

TEMPLATE = "production_planning"
SEED, INDEX, ATTEMPT = 0, 0, 0
KNOBS = {
    "n_products": 2,  # number of products
    "n_periods": 2,  # number of periods
    "change": 0.1,  # least share by which the hours may change
}


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
