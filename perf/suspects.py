"""How often `ordojo suspects` doubts a public model's numbers, and finds one that was spoilt.

`python -m perf.suspects FOLDER [SEED]`: models of FOLDER (.gz) on which the thresholds were not
chosen, nothing solved. A right side or a cost of a family is multiplied, and then found where it is
among the first ten.
"""

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from ordojo.api.reading import read_model
from ordojo.core.errors import OrdojoError
from ordojo.milp.model import Model
from ordojo.solvers.asked.suspects import LEAST, by_family, doubted, live

SEEN = {"air04", "dcmulti", "dfl001", "egout", "egout-ac", "lseu", "markshare2"}
"""Models that were looked at while the thresholds were chosen."""
LARGEST = 30_000
"""Nonzeros of a model, at most: so that all are read in a minute."""
FACTORS = (10.0, 60.0, 100.0, 1000.0, -1.0)
FIRST = 10
SPOILT = ("row_upper", "row_lower", "cost")


def main(folder: Path, seed: int = 20261126) -> None:
    """Print the rates over all models together."""
    rng = np.random.default_rng(seed)
    count, found, tried = Counter[str](), Counter[float](), Counter[float]()
    for path in sorted(folder.glob("*.gz")):
        try:
            model = read_model(path)
        except OrdojoError:
            continue
        known = {key: at for key, at in by_family(model).items() if len(live(at[1])) >= LEAST}
        if path.name.split(".")[0] in SEEN or not known or model.nonzeros > LARGEST:
            continue
        odd = doubted(known)
        count.update(models=1, numbers=sum(len(at[1]) for at in known.values()), doubted=len(odd))
        count["with none"] += not odd
        kinds = [at for key, at in known.items() if key[1].startswith(SPOILT)]
        for factor in FACTORS if kinds else ():
            names, values, places = kinds[rng.integers(len(kinds))]
            k = int(rng.choice(live(values)))
            spoilt = doubted(by_family(_times(model, *places[k], factor)))[:FIRST]
            tried[factor] += 1
            found[factor] += any(one.target == names[k] for one, _ in spoilt)
    print(dict(count))
    for factor, number in tried.items():
        print(f"times {factor:g}: {found[factor]} of {number} among the first {FIRST}")


def _times(model: Model, array: str, place: int, factor: float) -> Model:
    both = array == "row_upper" and model.row_lower[place] == model.row_upper[place]
    arrays = {}
    for name in (array, *(["row_lower"] if both else [])):
        arrays[name] = getattr(model, name).copy()
        arrays[name][place] *= factor
    return replace(model, **arrays)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
