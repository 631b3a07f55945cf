"""Tables and charts for a paper: escaped, balanced, read back, the same bytes again."""

import csv
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.core.errors import UsageError
from ordojo.core.panels import Plot, Table
from ordojo.core.records import Usage
from ordojo.core.statistics import Estimate
from ordojo.reports.charts.figure import figure, pdf
from ordojo.reports.compare import pairs
from ordojo.reports.latex import ESCAPES, escape, table_latex
from ordojo.reports.paper import table_csv, write_paper
from ordojo.reports.study import study
from ordojo.reports.text import clean

from .fakes import Fake, lookup, run, sample, some_runs

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
    pytest.importorskip("fpdf", reason="needs the extra `figures`")
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


def test_figures_say_in_full_what_the_page_leaves_to_its_sheet(written):
    for path in (written / "one/figures").glob("*.svg"):
        drawn = path.read_text("utf-8")
        ElementTree.fromstring(drawn)
        assert not re.search(r'class=|%"|var\(|light-dark|nan', drawn), path.name
        assert b"/FontFile2" in path.with_suffix(".pdf").read_bytes()


def test_a_figure_has_every_name_and_its_points_where_they_belong():
    pytest.importorskip("fpdf", reason="needs the extra `figures`")
    bad = "<b>&\u202e中"
    series = [(bad, [(0.0, 0.0), (1.0, 1.0)]), ("other", [(0.5, 0.25)])]
    drawn = figure(Plot(bad, "step", "score", series, kind="lines"), "told <&>")
    root = ElementTree.fromstring(drawn)
    texts = {one.text for one in root.findall(".//{*}text")}
    assert {"<b>&\ufffd中", "other", "step", "score", "0", "0.2", "1"} <= texts
    assert root.find("{*}metadata").text == "told <&>"
    first, second = (
        [tuple(map(float, pair.split(","))) for pair in line.get("points").split()]
        for line in root.findall(".//{*}polyline")
    )
    (left, bottom), (right, top) = first
    assert left == top == 0 < right and bottom > 0
    assert second == [(pytest.approx(right / 2, abs=0.01), pytest.approx(bottom * 0.75, abs=0.01))]
    assert pdf(drawn, "told") == pdf(drawn, "told")


def written_tables(folder, runs, rows):
    found = study(runs, lookup, "T")
    compared = {column.key: pairs(column) for column in found.columns}
    write_paper(found, compared, folder, None, "ordojo report", rows)
    return {path.stem[3:]: read(path) for path in sorted(folder.glob("*.csv"))}


def read(path):
    return list(csv.DictReader(path.read_text("utf-8").splitlines()[1:]))


def test_rows_are_of_runs_quoted_or_both(tmp_path):
    runs = [run("lab/a", 0.8), run("lab/b", 0.4, seed=1)]
    mine, published, every = (
        written_tables(tmp_path / rows, runs, rows) for rows in ("mine", "published", "all")
    )
    name = "fake-qa-Fake-QA-accuracy"
    assert [row["model"] for row in mine[name]] == ["lab/a", "lab/b"]
    assert [row["model"] for row in every[name]] == ["lab/a", "Paper-7B", "lab/b"]
    assert [row["n"] for row in every[name]] == ["30", "", "30"]
    assert [row["published"] for row in every[name]] == ["false", "true", "false"]
    assert [row["model"] for row in published[name]] == ["Paper-7B"]
    assert "n" not in published[name][0] and "published" not in mine[name][0]
    assert "fake-qa-Comparisons" in mine and "fake-qa-Comparisons" not in published
    latex = next((tmp_path / "all").glob("*accuracy.tex")).read_text("utf-8")
    assert "Paper-7B (published)" in latex and "quoted from papers" in latex
    assert "quoted" not in next((tmp_path / "mine").glob("*accuracy.tex")).read_text("utf-8")


def test_quoted_scores_without_a_run_say_so(tmp_path):
    runs = [run("m", dataset={"id": "ours@1", "sha256": "ab"})]
    written_tables(tmp_path, runs, "all")
    latex = next(tmp_path.glob("*as-published*.tex")).read_text("utf-8")
    assert "No run was made on their dataset." in latex


def test_no_row_to_write_is_said_and_nothing_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(Fake, "panels", lambda self, runs: ())
    written_tables(tmp_path, [run("m", benchmark="other")], "mine")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(UsageError, match="no table has a row of `rows` published"):
        written_tables(tmp_path, [run("m", benchmark="other")], "published")
    assert sorted(tmp_path.iterdir()) == before


def test_models_by_benchmarks_has_cost_and_pools_seeds(tmp_path):
    dear = [sample(n, 1.0, usage=Usage(100, 20, 0, 0.25)) for n in range(4)]
    one = run("lab/a", records=dear, name="one")
    seeded = replace(one, name="two", header=replace(one.header, seed=8))
    runs = [
        one,
        seeded,
        run("lab/a", records=dear, name="other", benchmark="other"),
        run("lab/b", records=dear[:3], items=4),
    ]
    rows = written_tables(tmp_path, runs, "mine")["overview-Models-by-benchmarks"]
    assert [row["model"] for row in rows] == ["lab/a", "lab/b"]
    assert [row["tokens"] for row in rows] == ["1440", "360"]
    assert [row["USD"] for row in rows] == ["3.0", "0.75"]
    assert [row["setting"] for row in rows] == ["Fake <QA>: 2 seeds, 8 samples", "3 of 4 items"]
    assert rows[0]["OTHER: accuracy"] == "1.0" and rows[1]["OTHER: accuracy"] == ""
    latex = next(tmp_path.glob("01-*.tex")).read_text("utf-8")
    assert r"Where no setting is named it is Fake \textless{}QA\textgreater{} shots=0" in latex
    assert "Of an unfinished run the setting says how many items are done." in latex


def test_versions_are_not_comparable_and_it_is_said(tmp_path):
    written_tables(
        tmp_path, [run("m", name="a"), run("m", name="b", benchmark_version="2")], "mine"
    )
    assert "Versions 1 and 2 of Fake" in next(tmp_path.glob("01-*.tex")).read_text("utf-8")


def test_repeated_questions_have_pass_at_k(tmp_path):
    # Of three samples right are 1 and 3: pass@2 is 1 - C(2, 2) / C(3, 2) = 2/3, and 1.
    records = [
        sample(n, score, epoch=epoch)
        for n, scores in enumerate([(1.0, 0.0, 0.0), (1.0, 1.0, 1.0)])
        for epoch, score in enumerate(scores, 1)
    ]
    rows = written_tables(tmp_path, [run("m", records=records, epochs=3)], "mine")
    (found,) = rows["fake-qa-Repeated-questions"]
    assert [float(found[f"pass@{k}"]) for k in (1, 2, 3)] == pytest.approx([2 / 3, 5 / 6, 1])
    once = written_tables(tmp_path, [run("m", records=records[::3])], "mine")
    assert "fake-qa-Repeated-questions" not in once


def test_a_strangers_folder_is_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    found = study(some_runs()[:1], lookup, "T")
    with pytest.raises(UsageError, match="not empty"):
        write_paper(found, {}, tmp_path, None, "ordojo")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
