"""The gallery's pictures, from the real pages: `python -m perf.pictures [demo/report]`.

An explanation and a workbench of models written here; with a folder, its report too.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.report.browser import chromium

IMAGES = Path(__file__).parents[1] / "docs" / "images"
ORDOJO = [sys.executable, "-c", "from ordojo.cli import main; main()"]
PLANTS, CITIES = {"lyon": 40, "turin": 50}, {"rome": 45, "bern": 30, "ulm": 25}


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


def main() -> None:
    """Take them all, 1280 pixels wide."""
    with tempfile.TemporaryDirectory() as place, chromium(1280, 860) as browser:

        def take(url: str, name: str) -> None:
            browser.get(url)
            time.sleep(1)  # until the page has drawn itself
            browser.save_screenshot(str(IMAGES / f"{name}.png"))

        plan, page, flat = (Path(place) / name for name in ("plan.lp", "plan.html", "flat.lp"))
        plan.write_text(transport(PLANTS, CITIES))
        subprocess.run([*ORDOJO, "explain", plan, "--html", page], check=True, capture_output=True)
        take(page.as_uri(), "explain")
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
