"""A report's tables for a paper, compiled: real runs, hostile names, every choice of rows."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import get_args

import pytest

import ordojo
from ordojo.core.panels import Table
from ordojo.core.registry import get_benchmark
from ordojo.core.statistics import Estimate
from ordojo.reports.latex import table_latex
from ordojo.reports.overview import Rows

LIMITS = {"orqa": 12, "econlogicqa": 12, "nl2opt": 3, "or-bias": 24, "or-debug": 9}
PAGES = {
    "narrow": r"\documentclass{article}\usepackage[textwidth=5.5in,textheight=9in]{geometry}",
    "columns": r"\documentclass[twocolumn]{article}\usepackage[margin=1in]{geometry}",
}


def compiled(folder: Path, tables: Path, page: str) -> str:
    """What pdfLaTeX says of a document of all tables."""
    if not shutil.which("pdflatex"):
        pytest.skip("needs pdflatex (texlive-latex-base and texlive-latex-recommended)")
    parts = [rf"\input{{{path}}}\clearpage" for path in sorted(tables.glob("*.tex"))]
    text = [page, r"\usepackage{booktabs}", r"\begin{document}", *parts, r"\end{document}"]
    (folder / "paper.tex").write_text("\n".join(text), "utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=folder,
        capture_output=True,
    )
    said = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, said[-2000:]
    return said


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("real") / "runs"
    for name, limit in LIMITS.items():
        for model in ("ordojo/gold", "ordojo/random"):
            demo = get_benchmark(name).demo
            ordojo.evaluate(name, model, runs=folder, limit=limit, epochs=2, **demo)
    return folder


@pytest.fixture(scope="module", params=get_args(Rows))
def tables(runs, tmp_path_factory, request):
    """The tables of one choice of rows, which every page takes."""
    folder = tmp_path_factory.mktemp("report")
    ordojo.report(runs, folder / "site", latex=folder / "tables", rows=request.param)
    return folder / "tables"


@pytest.mark.parametrize("page", PAGES)
def test_real_tables_fit_the_page(tables, tmp_path, page):
    said = compiled(tmp_path, tables, PAGES[page])
    assert not re.findall(r"Overfull \\hbox.*|Float too large.*", said)


def test_any_names_compile(tmp_path):
    hostile = "a_b%c&d$e#f{g}h~i^j\\k<l>m|n[o]*p`q'r\"s"
    hostile += " αβγδεζηθικλμ νξοπρσςτυφχψω ΑΒΓΔΕΖΗΘΙΚΛΜ ΝΞΟΠΡΣΤΥΦΧΨΩ ≤≥≠≈∞→←′×±·–−€µ"
    score = Estimate(0.5, 0.25, 0.75, 4, 4)
    rows = [[f"{hostile} {hostile}", "[1]", score], ["* again", "", None], ["x" * 90, "y" * 90, 1]]
    many = [[f"run {n}", *[score] * 12] for n in range(120)]
    tables = {
        "hostile": Table(hostile, ["[a]", hostile, "n"], rows, hostile, frozenset({0})),
        "large": Table("Large", ["run", *(f"the rule called {n}" for n in range(12))], many),
    }
    (tmp_path / "tables").mkdir()
    for name, table in tables.items():
        text = table_latex(table, name, f"ordojo report {hostile}")
        (tmp_path / "tables" / f"{name}.tex").write_text(text, "utf-8")
    said = compiled(tmp_path, tmp_path / "tables", PAGES["narrow"])
    assert not re.findall(r"Overfull \\hbox.*|Float too large.*", said)
