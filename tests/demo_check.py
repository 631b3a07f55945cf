"""Run the demo in an environment that has what its installation brings, and nothing else.

    python -m tests.demo_check FOLDER_OF_THE_WHEEL FOLDER

The environment is one of `tests.installations`. The baselines are asked in full, the language
model little. Gold must be right in every record of every benchmark, whole.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.installations import make

BENCHMARKS = {"orqa", "econlogicqa", "or-bias", "or-debug", "nl2opt"}
ROOT = Path(__file__).resolve().parent.parent

GOLD = """
import sys
from pathlib import Path
from ordojo.evaluation.runs import read_runs
for run in read_runs([Path(sys.argv[1])]):
    if run.header.model == "ordojo/gold":
        scores = [record.verdict(run.header.rule).score for record in run.records]
        missing = ",".join(run.header.missing)
        print(run.header.benchmark, run.complete and set(scores) == {1.0}, len(scores), missing)
"""


def extras() -> str:
    """Those that the Makefile installs for the demo."""
    (found,) = re.findall(
        r"demo\.stamp:.*\n.*install \$\(VENV\) ([a-z,]+)", (ROOT / "Makefile").read_text()
    )
    return str(found)


def main() -> None:
    wheels, home = Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute()
    shutil.rmtree(home, ignore_errors=True)
    venv = home / "venv"
    lent = make(wheels, extras(), venv)
    (venv / "demo.stamp").touch()
    demo = (
        "make",
        "demo",
        f"VENV={venv}",
        f"DEMO={home / 'demo'}",
        "ASK=--limit 1 --max-tokens 8 -M threads=1",
    )
    done = subprocess.run(demo, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"demo check: the demo ended with {done.returncode}\n{done.stdout}{done.stderr}")
    asked = (venv / "bin/python", "-c", GOLD, home / "demo/runs")
    told = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    right = {line.split()[0] for line in told.splitlines() if line.split()[1] == "True"}
    wrong = [line for line in told.splitlines() if len(line.split()) > 3]
    if right != BENCHMARKS or wrong:
        sys.exit(f"demo check: gold is not right on all five benchmarks\n{told}")
    print(f"demo check: gold is right on all five with {len(lent)} libraries lent")


if __name__ == "__main__":
    main()
