"""`make perf`: every bench in turn, kept as perf/figures.json and docs/performance.md.

Figures are of one machine and one commit, which stand beside them; ratios travel, seconds do not.
"""

import json
import platform
import subprocess
from pathlib import Path
from typing import Any

import click

from perf.building import bench_building
from perf.engine import bench_engine
from perf.env import bench_env
from perf.figure import Figure, show
from perf.rollouts import bench_rollouts
from perf.sandbox import bench_sandbox
from perf.serve import bench_serve
from perf.structure import bench_structure

BENCHES: dict[str, Any] = {
    "engine": bench_engine,
    "env": bench_env,
    "rollouts": bench_rollouts,
    "sandbox": bench_sandbox,
    "serve": bench_serve,
    "building": bench_building,
    "structure": lambda: bench_structure()[0],
}
FIGURES, PAGE = Path("perf/figures.json"), Path("docs/performance.md")


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHES)))
def main(names: tuple[str, ...]) -> None:
    """Run all benches, or those NAMED, and write them into the page of figures."""
    kept = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
    for name in names or BENCHES:
        rows = [Figure(*row) for row in BENCHES[name]()]
        show(rows)
        kept[name] = {"where": where(), "figures": [row._asdict() for row in rows]}
        FIGURES.write_text(json.dumps(kept, indent=2) + "\n", "utf-8")
    PAGE.write_text(page(kept), "utf-8")


def where() -> dict[str, str]:
    """Commit, processor and Python of this run."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    try:
        info = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        model = next(line.partition(":")[2].strip() for line in info if "model name" in line)
    except (OSError, StopIteration):
        model = platform.machine()
    return {
        "commit": commit.stdout.strip() or "unknown",
        "processor": model,
        "python": platform.python_version(),
    }


def page(kept: dict[str, Any]) -> str:
    """The page of figures, generated from their JSON."""
    lines = [
        "# Performance",
        "",
        "Made by `make perf` of `perf/figures.json`: each bench, its machine and commit. Ratios",
        "against a baseline of the same run travel between machines; rates do not.",
    ]
    for name, one in sorted(kept.items()):
        place = one["where"]
        lines += [
            "",
            f"## python -m perf.{name}",
            "",
            f"Commit {place['commit']}, {place['processor']}, Python {place['python']}.",
            "",
            "| figure | value | unit | target |",
            "| --- | --- | --- | --- |",
        ]
        for row in one["figures"]:
            target = "" if row["target"] == "-" else row["target"]
            lines.append(f"| {row['name']} | {row['value']:,.2f} | {row['unit']} | {target} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
