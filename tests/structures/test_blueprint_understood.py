"""Text and data are enough: read back by a reader that knows nothing of formulations, the same."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ordojo.structures import abstract, read_flat
from ordojo.structures.blueprint import draft, text
from ordojo.structures.flat import Flat
from ordojo.structures.formulation import Formulation, data_files, formulate
from tests.structures.test_blueprint import LOCATION
from tests.structures.test_labels import SCAFFOLDS, network
from tests.structures.toys import LOTS, flat_of, structured
from tests.structures.understanding import Reader, number

Row = tuple[Any, ...]


def canonical(row: dict[Any, float], low: float, high: float) -> Row:
    """A row up to its sign, numbers to 12 digits."""
    ways = []
    for sign, sides in ((1.0, (low, high)), (-1.0, (-high, -low))):
        entries = tuple(sorted((repr(key), float(f"{sign * v:.12g}")) for key, v in row.items()))
        ways.append((entries, *(float(f"{side:.12g}") + 0.0 for side in sides)))
    return min(ways)


def variables(flat: Flat, f: Formulation) -> dict[int, tuple[str, Row]]:
    """Each MPS column's group and index, as the text has them."""
    found = {}
    for group in f.spec.groups:
        keys, columns = f.keys(group.name), f.units[group.name].items.tolist()
        for key, column in zip(keys, columns, strict=True):
            found[column] = group.name, tuple(number(str(one)) for one in key)
    assert len(found) == flat.n
    return found


def understood(flat: Flat) -> None:
    found = abstract(flat)
    f = formulate(flat, found)
    blueprint = draft(f)
    reader = Reader(text(blueprint), data_files(f), blueprint.numbers)
    names = variables(flat, f)
    rows: list[dict[Any, float]] = [{} for _ in range(flat.m)]
    for row, column, value in zip(flat.index, flat.entry_cols, flat.value, strict=True):
        if value:
            rows[row][names[int(column)]] = float(value)
    low, high = flat.row_bounds
    wanted = Counter(
        (family.name, canonical(rows[k], float(low[k]), float(high[k])))
        for family in f.spec.families
        for k in f.units[family.name].items.tolist()
    )
    found_rows = ((name, canonical(row, b, t)) for name, row, b, t in reader.rows())
    assert Counter(found_rows) == wanted
    direction, costs = reader.objective()
    assert direction == ("maximize" if flat.maximize else "minimize")
    assert costs.pop(None, 0.0) == pytest.approx(flat.offset)
    assert {key: value for key, value in costs.items() if value} == {
        names[k]: float(flat.objective[k]) for k in np.flatnonzero(flat.objective).tolist()
    }
    assert {key: rest for key, (_, *rest) in reader.variables.items()} == {
        names[k]: [float(flat.lower[k]), float(flat.upper[k])] for k in range(flat.n)
    }
    whole = {key for key, (kind, _, _) in reader.variables.items() if kind != "continuous"}
    assert whole == {names[k] for k in np.flatnonzero(flat.types).tolist()}


@pytest.mark.parametrize("model", [LOCATION, LOTS])
def test_toys(tmp_path: Path, model: str) -> None:
    understood(flat_of(tmp_path, model))


@pytest.mark.parametrize("seed", range(12))
def test_random_loops(tmp_path: Path, seed: int) -> None:
    understood(flat_of(tmp_path, structured(seed)))


@pytest.mark.parametrize("name", [*SCAFFOLDS, "network"])
def test_every_scaffold(tmp_path: Path, name: str) -> None:
    rows = network(3) if name == "network" else SCAFFOLDS[name][0]
    words = " ".join(rows.values()).replace("-", " ").replace("+", " ").split()
    names = list(dict.fromkeys(word for word in words if word[0].isalpha()))
    lines = "\n".join(f" {key}: {row}" for key, row in rows.items())
    costs = " + ".join(f"{k % 3 + 1} {one}" for k, one in enumerate(names))
    understood(flat_of(tmp_path, f"Maximize\n obj: {costs}\nSubject To\n{lines}\nEnd\n"))


@pytest.mark.parametrize("seed", range(30))
def test_signs_and_sides(tmp_path: Path, seed: int) -> None:
    draw = np.random.default_rng(seed)
    names = ("apples", "bread", "corn", "dates")
    row = " ".join(f"{draw.choice([-7.5, -3, -1, 1, 2, 4.25]):+g} {name}" for name in names)
    side = f"{draw.choice(['<=', '>=', '='])} {draw.choice([-4, -1, 0, 1, 6.5])}"
    bounds = " bread free\n corn <= 4\n -3 <= dates <= 9\nGeneral\n dates\n"
    model = f"Minimize\n obj: 3 apples - 2 bread + corn\nSubject To\n mix: {row} {side}\nBounds\n"
    understood(flat_of(tmp_path, f"{model}{bounds}End\n"))


@pytest.mark.data
@pytest.mark.parametrize("name", ["flugpl", "p0201", "gt2", "traininstance2", "pigeon-08", "mad"])
def test_real_models(name: str) -> None:
    understood(read_flat(Path(os.environ["ORDOJO_DATA"]) / "mnl-mps" / f"{name}.mps.xz"))


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    # Variables that are not there for every index, and conditions on an index that is a number;
    # an end that is a sum; types by a table; ranges; one index twice in a variable.
    ["rout", "sc50b", "scrs8", "dcmulti", "degen2", "misc07", "boeing2", "sub", "fiber"],
)
def test_nothing_is_said_of_what_is_not_there(name: str) -> None:
    (path,) = (Path(os.environ["ORDOJO_DATA"]) / "mps").glob(f"{name}.*")
    understood(read_flat(path))
