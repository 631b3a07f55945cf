"""A hundred thousand samples: how fast they are recorded, the report's cost, and how pages open."""

import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from selenium.webdriver.support.wait import WebDriverWait
from tests.reports.browser import chromium

from ordojo.evaluation.evaluation import Evaluation, EvaluationRequest
from ordojo.evaluation.runs import RunStore
from ordojo.evaluation.scripted import player
from perf.figure import Figure, command

SHOWN = "return document.querySelectorAll('main h1, main article, main tr, main li').length > 3"


def bench_report(samples: int = 100_000) -> list[Figure]:
    """ORQA's shipped questions by guesses, so often that there are as many samples."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        settings = {"dataset": "orqa@ordojo"}
        once = EvaluationRequest("orqa", "ordojo/random", folder / "runs", settings)
        epochs = -(-samples // len(Evaluation(once).items))
        evaluation = Evaluation(replace(once, epochs=epochs))
        rate = recorded(evaluation)
        start = time.perf_counter()
        words = ["report", str(folder / "runs"), "-o", str(folder / "report")]
        subprocess.run([sys.executable, "-m", "ordojo", *words], check=True, capture_output=True)
        seconds = time.perf_counter() - start
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
        return [
            Figure(
                f"{len(evaluation.items):,} samples recorded", rate, "a second", "5,000 or more"
            ),
            Figure("their report", seconds, "s", "under 60"),
            Figure("their report, memory", memory, "GB", "under 2"),
            *opened(folder / "report"),
        ]


def recorded(evaluation: Evaluation) -> float:
    """Samples a second that the writer of a run takes, one by one."""
    session, spent = evaluation.session, 0.0
    with RunStore(evaluation.path, evaluation.header) as store:
        for record in map(player(session, session.policy("random")), evaluation.items):
            start = time.perf_counter()
            store.add(record)
            spent += time.perf_counter() - start
    return len(evaluation.items) / spent


def opened(report: Path) -> list[Figure]:
    """Seconds until each kind of page has drawn what it shows, in headless Chromium."""
    pages = {"overview": report / "index.html", "benchmark": report / "orqa.html"}
    pages |= {"samples": next((report / "runs").glob("*.html"))}
    figures = []
    with chromium() as browser:
        browser.get("about:blank")
        for name, page in pages.items():
            start = time.perf_counter()
            browser.get(page.as_uri())
            WebDriverWait(browser, 60, poll_frequency=0.02).until(
                lambda driver: driver.execute_script(SHOWN)
            )
            taken = time.perf_counter() - start
            figures.append(Figure(f"page opens, {name}", taken, "s", "under 1"))
    return figures


if __name__ == "__main__":
    command(bench_report)()
