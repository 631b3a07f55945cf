"""Run the demo in an environment that has what its installation brings, and nothing else.

    python demo_check.py FOLDER_OF_THE_WHEEL FOLDER

Run by the development environment's Python, which lends its libraries, so that no network is
needed: of them those that ordojo's own dependencies and the demo's extras ask for, and theirs in
turn. The baselines are asked in full, the language model little. Gold must be right in every
record of every benchmark, whole.
"""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path

from packaging.requirements import Requirement

BENCHMARKS = {"orqa", "econlogicqa", "or-bias", "or-debug", "nl2opt"}
ROOT = Path(__file__).resolve().parent.parent

GOLD = """
import sys
from pathlib import Path
from ordojo.evaluate.runs import read_runs
for run in read_runs([Path(sys.argv[1])]):
    if run.header.model == "ordojo/gold":
        scores = [record.verdict(run.header.rule).score for record in run.records]
        missing = ",".join(run.header.missing)
        print(run.header.benchmark, run.complete and set(scores) == {1.0}, len(scores), missing)
"""


def extras() -> set[str]:
    """Those that the Makefile installs for the demo."""
    (found,) = re.findall(
        r"demo\.stamp:.*\n.*install \$\(VENV\) ([a-z,]+)", (ROOT / "Makefile").read_text()
    )
    return set(found.split(","))


def closure(name: str, wanted: frozenset[str], seen: dict[str, set[str]]) -> None:
    """Collect what `name` with its extras `wanted` needs, and what that needs."""
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in seen and wanted <= seen[key]:
        return
    seen.setdefault(key, set()).update(wanted)
    for line in importlib.metadata.requires(name) or ():
        need = Requirement(line)
        if need.marker is None or any(need.marker.evaluate({"extra": e}) for e in ("", *wanted)):
            closure(need.name, frozenset(need.extras), seen)


def files(name: str) -> Iterator[str]:
    """The files of a library inside site-packages."""
    for file in importlib.metadata.files(name) or ():
        if not file.is_absolute() and ".." not in file.parts:
            yield str(file)
            if file.suffix == ".py":
                yield cache_from_source(str(file))


def lend(names: list[str], target: Path) -> None:
    """Put the libraries' files into a site-packages, as links to the same ones where it can be.

    Compiled ones go along: compiling them again would take most of the check's time.
    """
    source = Path(sysconfig.get_path("purelib"))
    for name in names:
        for file in files(name):
            place = target / file
            if place.exists() or not (source / file).exists():
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(source / file, place)
            except OSError:
                shutil.copy2(source / file, place)


def main() -> None:
    wheels, home = Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute()
    (wheel,) = wheels.glob("*.whl")
    shutil.rmtree(home, ignore_errors=True)
    venv = home / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    pip = (
        sys.executable,
        "-m",
        "pip",
        "--python",
        venv,
        "install",
        "-q",
        "--no-deps",
        "--no-index",
    )
    subprocess.run([*pip, wheel], check=True)
    needed: dict[str, set[str]] = {}
    closure("ordojo", frozenset(extras()), needed)
    del needed["ordojo"]
    where = [venv / "bin/python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    target = subprocess.run(where, check=True, capture_output=True, text=True).stdout.strip()
    lend(sorted(needed), Path(target))
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
    print(f"demo check: gold is right on all five with {len(needed)} libraries lent")


if __name__ == "__main__":
    main()
