"""The page of hardness: quoted scores over the line of shortcuts, every dataset in one table."""

from dataclasses import replace
from pathlib import Path

import pytest

from ordojo.core.errors import RunError
from ordojo.core.hardness import Hardness
from ordojo.reports import write_report
from ordojo.reports.charts.bars import Line
from ordojo.reports.hardness import keep, read_hardness, section
from tests.core.test_hardness import result

from .fakes import lookup, some_runs
from .test_site import Outline


def two() -> list[Hardness]:
    found = result([1.0, 0.0, 1.0, 0.0])
    return [found, replace(found, dataset="toy@<2>")]


def test_published_scores_stand_over_the_line_of_their_own_dataset() -> None:
    own, other = two()
    made = section([own, other], {"toy@1": [Line("mine", own.line[1], "model")], "toy@9": []})
    (figure,) = made.figures
    # The line is the first dataset's: quoted scores are not of the second.
    assert figure.reference == 0.5
    assert [line.label for line in figure.lines] == ["other", "m", "lucky", "lucky", "mine"]
    shortcuts, types, leaks = made.panels
    assert shortcuts.columns[2:] == [
        "toy@1, accuracy",
        "toy@1, other",
        "toy@<2>, accuracy",
        "toy@<2>, other",
    ]
    assert types.rows == ["toy@1", "toy@<2>"] and types.values == [[1.0, 0.0]] * 2
    assert leaks.rows == [["leak", "said", "1 of 2", "1 of 2"]]


def test_a_metric_that_is_quoted_has_its_own_line_and_no_runs() -> None:
    found = result([1.0, 0.0])
    quoted = replace(found, battery=replace(found.battery, quoted="other"))
    (figure,) = section([quoted], {"toy@1": [Line("mine", found.line[1], "model")]}).figures
    assert figure.reference == 1.0 and "mine" not in {line.label for line in figure.lines}


def test_the_page_is_written_and_names_nothing_hostile(tmp_path: Path) -> None:
    for found in two():
        keep(found, tmp_path)
    read = read_hardness([tmp_path])
    assert [one.dataset for one in read] == ["toy@1", "toy@<2>"]
    write_report([], tmp_path / "alone", "T", lookup, hardness=read)
    page = (tmp_path / "alone/index.html").read_text("utf-8")
    assert "toy@&lt;2&gt;" in page and "<2>" not in page and ">shortcut</text>" in page
    Outline().feed(page)
    write_report(some_runs(), tmp_path / "both", "T", lookup, hardness=read)
    assert (tmp_path / "both/hardness.html").exists()
    assert 'href="hardness.html"' in (tmp_path / "both/index.html").read_text("utf-8")


def test_a_damaged_result_is_told_and_left_out(tmp_path: Path) -> None:
    keep(result([1.0]), tmp_path)
    (tmp_path / "hardness/x.json").write_text("[1")
    with pytest.raises(RunError, match=r"x\.json is no result of ordojo hardness"):
        read_hardness([tmp_path])
    told: list[RunError] = []
    assert len(read_hardness([tmp_path], told.append)) == 1 and len(told) == 1
