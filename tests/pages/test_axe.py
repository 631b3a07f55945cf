"""Every kind of page under the real axe-core, light and wide, dark and narrow, in one browser.

No finding that axe calls serious or critical, no complaint of the console, no request elsewhere.
"""

import functools
import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ordojo.cli import cli
from ordojo.review import ReviewQueue

from ..reports.browser import Visit, absence, chromium, gather, show, visit
from ..reports.test_training import trained
from ..review.conftest import REASONS, question, reasoning
from ..review.test_web import serving as reviewing
from ..structures.workbench_toys import serving as editing

ROOT = Path(__file__).parents[2]
ASKED: Mapping[str, list[str]] = {
    "orqa": ["--limit", "6", "-T", "dataset=orqa@ordojo"],
    "econlogicqa": ["--limit", "4", "-T", "dataset=econlogicqa@ordojo"],
    "nl2opt": ["--limit", "2", "-T", "dataset=nl2opt@ordojo"],
    "or-bias": ["--limit", "6"],
    "or-debug": ["--limit", "4"],
}
BOARDS = ("index", "hardness", "training", "nl2opt", "or-bias", "or-debug")
"""Pages that have every kind of table and chart between them."""
PAPER = ("index.html", "getting-started.html", "report.html", "benchmarks/econlogicqa.html")
MODEL = """Minimize
 obj: 2 x + 3 y + z
Subject To
 demand: x + y >= 10
 capacity: x + y + z <= 8
Bounds
 0 <= z <= 5
End
"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(bool(absence()), reason=absence() or "-"),
    pytest.mark.skipif(
        find_spec("axe_core_python") is None, reason="axe-core-python is not installed"
    ),
    pytest.mark.filterwarnings("default::ResourceWarning"),  # selenium's own sockets
]

# Colours are judged when they have come to rest.
STILL = """const sheet = new CSSStyleSheet();
sheet.replaceSync("*, *::before, *::after { transition: none !important }");
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];"""
RUN = """const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(
  (found) => done(found.violations.flatMap((one) => one.nodes.map((node) =>
    [one.impact, one.id, node.html.slice(0, 200), node.failureSummary]))),
  (error) => done([["critical", "axe failed", String(error), ""]]));"""


def ordojo(*words: object) -> None:
    done = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    for name, options in ASKED.items():
        models = ("--model", "ordojo/random", "--model", "ordojo/gold")
        ordojo("eval", name, *options, *models, "--runs", folder / "runs")
    ordojo("hardness", "orqa", "-T", "dataset=orqa@ordojo", "--runs", folder / "runs")
    trained(folder / "grpo", steps=40)
    ordojo("report", folder / "runs", folder / "grpo", "-o", folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The documentation as `make test` has built it, or built here where that is out of date."""
    built = ROOT / "build/site"
    sources = [ROOT / "mkdocs.yml", *(p for p in (ROOT / "docs").rglob("*") if p.is_file())]
    newest = max(path.stat().st_mtime for path in sources)
    if not (built / "index.html").exists() or (built / "index.html").stat().st_mtime < newest:
        built = tmp_path_factory.mktemp("docs")
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(built)]
        quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
        subprocess.run(command, cwd=ROOT, check=True, env=quiet)
    with serving(built) as address:
        yield address


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with chromium() as found:
        found.set_script_timeout(30)
        yield found


def findings(driver: Any, url: str, home: str, ready: str) -> list[str]:
    """What is wrong with one page, as lines: axe's serious findings, then the page's complaints."""
    show(driver, 1200)
    seen: Visit = visit(driver, url)
    driver.execute_async_script(
        f"const done = arguments[0], look = () => ({ready}) ? done() : setTimeout(look, 20); look()"
    )
    spec = find_spec("axe_core_python")
    assert spec is not None and spec.origin is not None
    driver.execute_script(STILL)
    driver.execute_script(Path(spec.origin).with_name("axe.min.js").read_text("utf-8"))
    found: dict[str, None] = {}
    for width, scheme in ((1200, "light"), (390, "dark")):
        show(driver, width, dark=scheme == "dark")
        for impact, rule, html, why in driver.execute_async_script(RUN):
            if impact in ("serious", "critical"):
                found[f"{width} {scheme}: {impact} {rule}: {html}: {why}"] = None
    late = gather(driver)
    assert seen.requests, "the log of requests is empty"
    return [*found, *seen.complaints(home), *late.complaints(home)]


def test_no_page_has_a_serious_finding(
    driver: Any, report: Path, documents: str, tmp_path: Path
) -> None:
    (tmp_path / "plan.lp").write_text(MODEL)
    ordojo("explain", tmp_path / "plan.lp", "--html", tmp_path / "plan.html")
    ReviewQueue.create(
        tmp_path / "queue", [question("q1"), reasoning("q2")], title="Econ", reasons=REASONS
    )
    (tmp_path / "bench").mkdir()
    drawn = "document.querySelector('#sample').dataset.place !== undefined"
    samples = [next(report.glob(f"runs/{name}--ordojo-random--*.html")) for name in ASKED]
    with reviewing(tmp_path / "queue") as review, editing(tmp_path / "bench") as bench:
        home = report.as_uri()
        pages = [
            *((f"{home}/{name}.html", home, "1") for name in BOARDS),
            *((page.as_uri(), home, drawn) for page in samples),
            *(
                (documents + page, documents, "document.querySelector('.md-search')")
                for page in PAPER
            ),
            (review.url, review.url, "document.querySelector('#count')?.textContent"),
            (bench.url, bench.url, "document.querySelector('#exact')?.matches('.good')"),
            ((tmp_path / "plan.html").as_uri(), tmp_path.as_uri(), "1"),
        ]
        wrong = {url: found for url, *how in pages if (found := findings(driver, url, *how))}
    assert not wrong, "\n".join(line for found in wrong.values() for line in found)


def test_axe_sees_what_is_wrong(driver: Any, tmp_path: Path) -> None:
    """The check is able to fail: a page with a nameless picture, a failed script, a foreign one."""
    page = tmp_path / "bad.html"
    page.write_text(
        "<html><body style='background:#fff'><p style='color:#ccc'>pale</p><img src='data:,'>"
        "<script>throw new Error('broken')</script>"
        "<script src='http://127.0.0.1:9/elsewhere.js'></script></body></html>"
    )
    found = "\n".join(findings(driver, page.as_uri(), tmp_path.as_uri(), "1"))
    for word in ("image-alt", "color-contrast", "html-has-lang", "broken", "elsewhere.js"):
        assert word in found, word
