"""The gallery's pictures, from the real pages: `python -m perf.pictures [demo/report]`.

An explanation, a workbench and samples, of models and replies written here; with a folder, its
report too.
"""

import io
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image
from tests.reports.browser import chromium

from ordojo.core.registry import get_benchmark

IMAGES = Path(__file__).parents[1] / "docs" / "images"
ORDOJO = [sys.executable, "-m", "ordojo"]
PLANTS, CITIES = {"lyon": 40, "turin": 50}, {"rome": 45, "bern": 30, "ulm": 25}
SAMPLES = {
    "debug": ("or-debug", "ordojo/drop-everything", "eval-B-00001"),
    "order": ("or-bias", "ordojo/heuristic", "ID-L2-00002"),
    "program": ("nl2opt", "ordojo/replay?path={}", "canoe-yard"),
}
"""Benchmark, model and sample of a picture."""


def transport(plants: dict[str, int], cities: dict[str, int]) -> str:
    """An LP file of a transport problem, infeasible where the demands exceed the capacities."""
    cost = "\n + ".join(f"{1 + len(p + c) % 5} ship_{p}_{c}" for p in plants for c in cities)
    rows = [
        f" capacity_{p}: {' + '.join(f'ship_{p}_{c}' for c in cities)} <= {most}"
        for p, most in plants.items()
    ] + [
        f" demand_{c}: {' + '.join(f'ship_{p}_{c}' for p in plants)} >= {least}"
        for c, least in cities.items()
    ]
    return "\n".join([f"Minimize\n cost: {cost}", "Subject To", *rows, "End", ""])


def ordojo(*words: object) -> None:
    """Run a command in silence."""
    subprocess.run([*ORDOJO, *map(str, words)], check=True, capture_output=True)


def sampled(folder: Path) -> Path:
    """A report of the first samples of `SAMPLES`; the program's varnishing hours are wrong."""
    benchmark = get_benchmark("nl2opt")
    asked = benchmark.load(benchmark.options.model_validate(benchmark.demo), 0)
    replies = [
        {"id": one.id, "epoch": 1, "completion": one.problem.program.replace("160", "190")}
        for one in asked
    ]
    (folder / "replies.jsonl").write_text("\n".join(map(json.dumps, replies)))
    for name, model, _ in SAMPLES.values():
        chosen = ("--model", model.format(folder / "replies.jsonl"), "--runs", folder / "runs")
        few = ("-T", "items=canoe-yard") if name == "nl2opt" else ("--limit", "4")
        ordojo("eval", name, *chosen, *few)
    ordojo("report", folder / "runs", "-o", folder / "report")
    return folder / "report"


def main() -> None:
    """Take them all, 1280 pixels wide, samples as wide as a sample is."""
    with tempfile.TemporaryDirectory() as place, chromium(1280, 860) as browser:

        def take(url: str, name: str, part: str = "") -> None:
            height = 1300 if part else 1040 if name == "report" else 860
            size = {"width": 1280, "height": height, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            browser.get("about:blank")
            browser.get(url)
            time.sleep(1)  # until the page has drawn itself
            # Of a story the first two panels and steps; what a program printed is not drawn.
            for rest in ("step:nth-of-type(n+3)", "panel:nth-of-type(n+3)", "panel:has(.two) ~ *"):
                for one in browser.find_elements("css selector", f".story .{rest}"):
                    browser.execute_script("arguments[0].remove()", one)
            shown = browser.find_element("css selector", part) if part else browser
            png = shown.screenshot_as_png if part else browser.get_screenshot_as_png()
            # A page has few colours: a third of the size, and nothing to be seen of it.
            few = Image.open(io.BytesIO(png)).convert("RGB")
            few = few.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
            few.save(IMAGES / f"{name}.png", optimize=True)

        plan, page, flat = (Path(place) / name for name in ("plan.lp", "plan.html", "flat.lp"))
        plan.write_text(transport(PLANTS, CITIES))
        ordojo("explain", plan, "--html", page)
        take(page.as_uri(), "explain")
        report = sampled(Path(place))
        for name, (benchmark, _, sample) in SAMPLES.items():
            (run,) = report.glob(f"runs/{benchmark}--*.html")
            take(f"{run.as_uri()}#id={sample}&epoch=1", f"report-{name}", ".story")
        numbered = {str(k): 40 for k in range(6)}, {str(k): 20 for k in range(12)}
        flat.write_text(transport(*numbered))
        with subprocess.Popen(
            [*ORDOJO, "workbench", flat], stdout=subprocess.PIPE, text=True
        ) as bench:
            take(
                next(
                    word for line in bench.stdout or () for word in line.split() if "http" in word
                ),
                "workbench",
            )
            bench.terminate()
        if sys.argv[1:]:
            take((Path(sys.argv[1]).resolve() / "index.html").as_uri(), "report")


if __name__ == "__main__":
    main()
