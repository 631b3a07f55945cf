"""Tables and charts for a paper: escaped, balanced, read back, the same bytes again."""

import csv
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.core.errors import UsageError
from ordojo.core.panels import Table
from ordojo.core.statistics import Estimate
from ordojo.report.compare import pairs
from ordojo.report.latex import ESCAPES, escape, table_latex
from ordojo.report.paper import table_csv, write_paper
from ordojo.report.study import study
from ordojo.report.text import clean

from .fakes import lookup, some_runs

hostile = st.text(st.sampled_from("\\&%$#_{}~^<>|[]*-\n\"'`aé中") | st.characters(), max_size=30)
TOKENS = sorted(ESCAPES.items(), key=lambda item: -len(item[1]))


def unescape(text: str) -> str:
    """What LaTeX shows; fails on a special character that stands bare."""
    shown = []
    while text:
        for char, spelt in TOKENS:
            if char != "\n" and text.startswith(spelt):
                shown.append(char)
                text = text[len(spelt) :]
                break
        else:
            assert text[0] not in "\\&%$#_{}~^[*", text
            shown.append(text[0])
            text = text[1:]
    return "".join(shown)


@given(hostile)
def test_escaped_text_is_shown_as_it_was(text):
    flat = clean(text).replace("\n", " ").replace("\t", " ").replace("–", "--")
    assert unescape(escape(text)).replace("–", "--") == flat


def check_latex(text: str, columns: int) -> None:
    bare = re.sub(r"(?<!\\)%.*", "", re.sub(r"\\[\\&%$#_{}]", "", text))
    assert bare.count("{") == bare.count("}")
    body = text.partition("\\toprule\n")[2].partition("\\bottomrule")[0].splitlines()
    rows = [line for line in body if line != r"\midrule"]
    for row in rows:
        assert row.endswith(r" \\")
        assert len(re.findall(r"(?<!\\)&", row.replace(r"\\", ""))) == columns - 1
    for kind in re.findall(r"\\begin\{(.*?)\}", text):
        assert f"\\end{{{kind}}}" in text


@given(st.lists(hostile, min_size=2, max_size=2), hostile)
def test_tables_of_any_names_are_balanced(names, command):
    rows = [[names[0], Estimate(0.5, 0.25, 0.75, 4, 4)], [names[1], None]]
    table = Table("A_title & more", names, rows, note="50% of it")
    check_latex(table_latex(table, "name", command), 2)
    lines = table_csv(table, command).split("\n", 1)
    assert lines[0].startswith("# ")
    read = list(csv.reader(lines[1].splitlines(keepends=True)))
    assert [row[1:] for row in read[1:]] == [["0.5", "0.25", "0.75"], ["", "", ""]]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    pytest.importorskip("matplotlib", reason="needs the extra `figures`")
    folder = tmp_path_factory.mktemp("paper")
    found = study(some_runs()[:3], lookup, "T")
    compared = {column.key: pairs(column) for column in found.columns}
    for name in ("one", "two"):
        at = folder / name
        write_paper(found, compared, at / "latex", at / "figures", "ordojo report 'my runs'")
    return folder


def test_every_table_and_chart_has_its_files(written):
    tables = sorted(path.stem for path in (written / "one/latex").glob("*.tex"))
    charts = sorted(path.stem for path in (written / "one/figures").glob("*.svg"))
    assert any("Every-rule" in name for name in tables)
    assert any("Comparisons" in name for name in tables)
    assert len(charts) == 9
    for stem in charts:
        assert (written / "one/figures" / f"{stem}.pdf").read_bytes().startswith(b"%PDF")
    for stem in tables:
        text = (written / "one/latex" / f"{stem}.tex").read_text("utf-8")
        spec = re.search(r"begin\{tabular\}\{(\w+)\}", text)
        assert spec
        check_latex(text, len(spec[1]))
        assert (written / "one/latex" / f"{stem}.csv").exists()


def test_each_names_its_command_and_has_the_same_bytes_again(written):
    for path in (written / "one").rglob("*.*"):
        data = path.read_bytes()
        assert data == (written / "two" / path.relative_to(written / "one")).read_bytes()
        if path.suffix in {".tex", ".csv", ".svg", ".pdf"}:
            assert b"ordojo report" in data


def test_a_strangers_folder_is_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    found = study(some_runs()[:1], lookup, "T")
    with pytest.raises(UsageError, match="not empty"):
        write_paper(found, {}, tmp_path, None, "ordojo")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
