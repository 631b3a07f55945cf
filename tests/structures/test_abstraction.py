"""Abstractions give every bit back from disk, and recover what was put in."""

import dataclasses
import json
import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from perf.score import nameless, shuffled

from ordojo.cli.structure import structure
from ordojo.core.errors import DataError
from ordojo.milp.files import read_model
from ordojo.structures import (
    Flat,
    Partition,
    abstract,
    check,
    flat_model,
    read_mps,
    regenerate,
    write,
)
from ordojo.structures.abstraction import Abstraction
from ordojo.structures.abstraction.tables import Entry
from ordojo.structures.flat import NameBuffer, differences
from tests.structures.pairs import (
    MODELS,
    Rows,
    any_rows,
    conflicts,
    keyed,
    orders,
    tabled,
    timed,
    variants,
    written,
)
from tests.structures.toys import EVERYTHING, LOTS, flat_of, structured


def exact(flat: Flat, folder: Path) -> None:
    write(abstract(flat), folder)
    assert differences(flat, regenerate(folder)) == []
    assert check(folder, flat).exact and check(folder).exact


@pytest.mark.parametrize("text", [LOTS, EVERYTHING])
def test_toys_come_back(tmp_path: Path, text: str) -> None:
    flat = flat_of(tmp_path, text)
    exact(flat, tmp_path / "out")
    exact(nameless(flat), tmp_path / "out")


def test_lots_has_its_groups_and_closed_terms(tmp_path: Path) -> None:
    found = abstract(flat_of(tmp_path, LOTS))
    assert [group["size"] for group in found.groups] == [3, 3, 3]
    assert [family["size"] for family in found.families] == [3, 3]
    assert found.shares["join"] == 1.0


def test_a_shift_in_time_is_an_offset(tmp_path: Path) -> None:
    rows = "".join(f" E bal[{t}]\n" for t in range(20))
    cols = "".join(f" s[{t}] bal[{t}] -1\n s[{t}] bal[{t + 1}] 1\n" for t in range(19))
    found = abstract(flat_of(tmp_path, f"NAME t\nROWS\n N o\n{rows}COLUMNS\n{cols}RHS\nENDATA\n"))
    relations = [term["relation"] for term in found.terms]
    assert sorted(relation["equal"][0][2] for relation in relations) == [-1, 0]
    assert [term["coefficient"]["vector"]["kind"] for term in found.terms] == ["constant"] * 2


def test_neighbours_on_a_grid_are_joins(tmp_path: Path) -> None:
    """Five shifts of one running number."""
    cells = [(i, j) for i in range(9) for j in range(9)]
    rows = "".join(f" E parity_{9 * i + j}\n" for i, j in cells)
    near = [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)]
    cols = "".join(
        f" x_{9 * i + j} parity_{9 * (i + a) + j + b} 1\n"
        for i, j in cells
        for a, b in near
        if (i + a, j + b) in cells
    )
    found = abstract(flat_of(tmp_path, f"NAME t\nROWS\n N o\n{rows}COLUMNS\n{cols}RHS\nENDATA\n"))
    assert len(found.terms) == 5 and found.shares["join"] == 1.0


def test_work_of_different_lengths_is_an_interval(tmp_path: Path) -> None:
    """Jobs that begin at t take their time; those that take none say nothing of where."""
    rows = "".join(f" L cap[{t}]\n" for t in range(40)) + " L all\n"
    cols = "".join(
        f" x[{job},{t}] all 1\n" + "".join(f" x[{job},{t}] cap[{t + k}] 1\n" for k in range(time))
        for job, time in enumerate([3, 0, 5, 4, 0, 2])
        for t in range(36)
    )
    flat = flat_of(tmp_path, f"NAME t\nROWS\n N o\n{rows}COLUMNS\n{cols}RHS\nENDATA\n")
    relation = next(term for term in abstract(flat).terms if term["nonzeros"] > 216)["relation"]
    assert (relation["kind"], relation["by"]) == ("interval", "cols")
    assert (relation["start"]["kind"], relation["count"]["kind"]) == ("affine", "function")
    exact(flat, tmp_path / "out")


@pytest.mark.parametrize("name", MODELS)
def test_pairs_of_one_group_and_tables_come_back(tmp_path: Path, name: str) -> None:
    for flat in variants(tmp_path, name):
        exact(flat, tmp_path / "out")


@pytest.mark.parametrize(
    ("rows", "joins"),
    [
        (conflicts(), [[[0, 0, 0]], [[1, 0, 0]]]),
        (orders(), [[[0, 0, 0], [1, 1, 0]], [[0, 1, 0], [1, 0, 0]]]),
        (timed(), [[[0, 0, 0], [2, 1, -1]], [[0, 0, 0], [2, 1, 0]], [[1, 0, 0], [2, 1, 0]]]),
    ],
)
def test_two_columns_of_one_group_are_two_joins(
    tmp_path: Path, rows: Rows, joins: list[list[list[int]]]
) -> None:
    found = abstract(flat_of(tmp_path, written(rows)))
    assert sorted(sorted(term["relation"]["equal"]) for term in found.terms) == joins
    assert found.shares["join"] == 1.0


def _told(found: Abstraction, key: str) -> list[Entry]:
    """The tables of places, or of pairs, of all terms that have any."""
    relations = [term["relation"] for term in found.terms]
    if key == "to":
        return [one["to"] for one in relations if "to" in one]
    return [one["through"]["table"] for one in relations if "through" in one]


def test_the_key_of_a_key_refers_to_both(tmp_path: Path) -> None:
    found = abstract(flat_of(tmp_path, written(keyed())))
    depot, region, through = _told(found, "to")
    assert through == {"first": depot, "then": region}


def test_tables_are_kept_once_and_joined(tmp_path: Path) -> None:
    found = abstract(flat_of(tmp_path, written(tabled())))
    one, two, again, turned, through = _told(found, "pairs")
    assert again == two and turned == {"turned": two}
    assert through == {"first": one, "then": two}
    arrays = [array.tobytes() for array in found.tables.arrays.values()]
    assert len(set(arrays)) == len(arrays)


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(rows=any_rows(), named=st.booleans())
def test_any_rows_of_pairs_come_back(
    tmp_path_factory: pytest.TempPathFactory, rows: Rows, named: bool
) -> None:
    folder = tmp_path_factory.mktemp("any")
    exact(flat_of(folder, written(rows, named)), folder / "out")


@pytest.mark.parametrize("seed", range(12))
def test_random_structured_models_come_back(tmp_path: Path, seed: int) -> None:
    flat = flat_of(tmp_path, structured(seed))
    exact(flat, tmp_path / "out")
    exact(nameless(flat), tmp_path / "out")
    exact(shuffled(flat, seed)[0], tmp_path / "out")
    found = abstract(flat)
    assert len(found.families) == 2 + (b"link" in flat.rows.buffer.tobytes())
    assert found.shares["list"] == 0.0


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_arrays_come_back(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    n, m = data.draw(st.integers(0, 8)), data.draw(st.integers(0, 8))
    number = st.one_of(st.sampled_from([0.0, 1.0, -1.0, -0.0, 1e300, 0.1]), st.floats(-9, 9))
    side = st.one_of(number, st.sampled_from([np.inf, -np.inf]))
    name = st.binary(min_size=1, max_size=5)
    drawn = data.draw(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7))))
    cells = sorted((c, r) for c, r in drawn if c < n and r < m)

    def floats(of: st.SearchStrategy[float], count: int) -> np.ndarray:
        return np.array(data.draw(st.lists(of, min_size=count, max_size=count)), np.float64)

    def names(count: int) -> NameBuffer:
        mine = st.one_of(name, st.integers(0, 99).map(lambda k: b"x[%d]" % k))
        return NameBuffer.of(data.draw(st.lists(mine, min_size=count, max_size=count)))

    senses = data.draw(st.lists(st.sampled_from(list(b"ELGN")), min_size=m, max_size=m))
    types = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    counts = np.bincount([c for c, _ in cells], minlength=n)
    flat = Flat(
        name=b"\xff",
        maximize=data.draw(st.booleans()),
        objective_name=b"o",
        objective=floats(number, n),
        offset=data.draw(number),
        cols=names(n),
        lower=floats(side, n),
        upper=floats(side, n),
        types=np.array(types, np.uint8),
        rows=names(m),
        senses=np.array(senses, np.uint8),
        rhs=floats(side, m),
        ranges=floats(st.one_of(number, st.just(np.nan)), m),
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        index=np.array([r for _, r in cells], np.int32),
        value=floats(number, len(cells)),
    )
    exact(flat, tmp_path_factory.mktemp("any"))


def test_a_person_may_choose_the_partition(tmp_path: Path) -> None:
    flat = flat_of(tmp_path, LOTS)
    chosen = Partition(np.arange(flat.n), np.zeros(flat.m, np.int64), True, True)
    write(abstract(flat, chosen), tmp_path / "out")
    assert check(tmp_path / "out", flat).exact


def test_the_projects_own_models_come_back(tmp_path: Path) -> None:
    flat = flat_of(tmp_path, LOTS)
    mine = flat_model(read_model(tmp_path / "toy.mps"))
    assert set(differences(flat, mine)) <= {"objective_name", "name"}
    exact(mine, tmp_path / "out")


def test_a_changed_number_is_seen(tmp_path: Path) -> None:
    flat = flat_of(tmp_path, LOTS)
    write(abstract(flat), tmp_path / "out")
    other = dataclasses.replace(flat, objective=flat.objective + np.eye(1, flat.n)[0])
    report = check(tmp_path / "out", other)
    assert report.differing == ("objective",) and "NOT exact" in report.text()


@pytest.mark.parametrize("before", [2, 3])
def test_folders_of_versions_before_are_read(tmp_path: Path, before: int) -> None:
    flat, out = flat_of(tmp_path, LOTS), tmp_path / "out"
    write(abstract(flat), out)
    text = (out / "structure.json").read_text()
    (out / "structure.json").write_text(text.replace('"version": 4', f'"version": {before}'))
    assert '"version": 4' in text and check(out, flat).exact


def test_damaged_folders_are_refused(tmp_path: Path) -> None:
    flat, out = flat_of(tmp_path, LOTS), tmp_path / "out"
    with pytest.raises(DataError, match="not a whole abstraction"):
        regenerate(tmp_path / "nowhere")
    write(abstract(flat), out)
    text = (out / "structure.json").read_text()
    for bad in ("{", "[]", '{"version": 1}', text.replace('"terms"', '"sums"')):
        (out / "structure.json").write_text(bad)
        with pytest.raises(DataError):
            check(out, flat)
    (out / "structure.json").write_text(text)
    for table in (out / "tables").glob("*.npy"):
        table.write_bytes(table.read_bytes()[:-3])
        with pytest.raises(DataError):
            regenerate(out)
        break


def test_command_writes_and_checks(tmp_path: Path) -> None:
    flat_of(tmp_path, LOTS)
    file, out = str(tmp_path / "toy.mps"), str(tmp_path / "out")
    run = CliRunner().invoke(structure, [file, "-o", out, "--json"])
    assert run.exit_code == 0 and json.loads(run.stdout)["exact"]
    assert CliRunner().invoke(structure, [file, "--check", out]).stdout.startswith("exact")
    assert CliRunner().invoke(structure, ["--check", out]).exit_code == 0
    (tmp_path / "toy.mps").write_text(LOTS.replace("30", "31"))
    assert CliRunner().invoke(structure, [file, "--check", out]).exit_code == 1
    assert CliRunner().invoke(structure, [file]).exit_code == 1


@pytest.mark.data
@pytest.mark.parametrize(
    "name", ["50v-10", "bienst1", "csched007", "p0201", "pigeon-08", "ran12x21"]
)
def test_published_models_come_back(tmp_path: Path, name: str) -> None:
    flat = read_mps(Path(os.environ["ORDOJO_DATA"]) / "mnl-mps" / f"{name}.mps.xz")
    for variant in (flat, nameless(flat), shuffled(nameless(flat), 1)[0]):
        exact(variant, tmp_path / "out")
