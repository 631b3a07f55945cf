"""Structure's own figures: against HiGHS, over sizes, of a folder; small here."""

import json
import lzma
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from perf.structure import bench_structure, growth_svg, large, main, models_in, speed, write_plan

from ordojo.core.errors import DataError, UsageError
from ordojo.structures import abstract, read_mps
from tests.structures.toys import LOTS


def test_a_plan_has_the_promised_size_and_structure(tmp_path: Path) -> None:
    path = tmp_path / "plan.mps"
    write_plan(path, 3000)
    flat = read_mps(path)
    assert abs(flat.m - 3000) < 100 and 2.5 < flat.nonzeros / flat.m < 2.8
    found = abstract(flat)
    assert (len(found.groups), len(found.families), found.shares["list"]) == (3, 4, 0.0)
    before = path.read_bytes()
    write_plan(path, 3000)
    assert path.read_bytes() == before


def test_speeds_of_files_and_sizes(tmp_path: Path) -> None:
    path = tmp_path / "lots.mps.xz"
    path.write_bytes(lzma.compress(LOTS.encode()))
    figures, points = bench_structure([path], sizes=(200, 400))
    names = [figure.name for figure in figures]
    assert "HiGHS / reading, lots.mps" in names and "cost a nonzero, 400 rows / 200" in names
    assert all(figure.value > 0 for figure in figures)
    svg = ElementTree.fromstring(growth_svg(points))
    circles = [one for one in svg.iter() if one.tag.endswith("circle")]
    assert len(circles) == 6 and growth_svg(points) == growth_svg(points)
    with pytest.raises(DataError):
        (tmp_path / "bad.mps").write_text("ROWS\n")
        speed(tmp_path / "bad.mps", 1)


def test_memory_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    write_plan(tmp_path / "plan.mps", 500)
    found = large(tmp_path / "plan.mps")
    assert found["rows"] > 400 and 0.01 < found["gigabytes"] < 1.0
    with pytest.raises(DataError, match="could not be measured"):
        large(tmp_path / "none.mps")


def test_the_table_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "lots.mps").write_text(LOTS)
    (tmp_path / "bad.mps").write_text(LOTS.replace("ENDATA", ""))
    done = CliRunner().invoke(main, ["--folder", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "1 exact, 1 refused, 0 not exact" in done.output
    done = CliRunner().invoke(main, ["--folder", str(tmp_path), "--json"])
    rows = json.loads(done.stdout)
    assert [row["file"] for row in rows] == ["bad.mps", "lots.mps"]
    assert "no ENDATA" in rows[0]["refused"] and rows[1]["exact"]
    (tmp_path / "none").mkdir()
    with pytest.raises(UsageError, match="holds no model"):
        models_in(tmp_path / "none")
