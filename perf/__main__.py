"""`make perf`: every bench in turn, kept as perf/figures.json and docs/performance.md.

Figures are of one machine and one commit, which stand beside them; ratios travel, seconds do not.
"""

import ast
import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

import click

from perf.building import bench_building
from perf.engine import bench_engine
from perf.env import bench_env
from perf.figure import Figure, show
from perf.report import bench_report
from perf.rollouts import bench_rollouts
from perf.sandbox import bench_sandbox
from perf.serve import bench_serve
from perf.structure import bench_structure

BENCHES: dict[str, Any] = {
    "engine": bench_engine,
    "env": bench_env,
    "rollouts": bench_rollouts,
    "report": bench_report,
    "sandbox": bench_sandbox,
    "serve": bench_serve,
    "building": bench_building,
    "structure": lambda: bench_structure()[0],
}
STUDIES = {
    "explain": "20 minutes, with `$ORDOJO_DATA`, and a Python that has optlens; Linux",
    "readers": "1 minute, with `$ORDOJO_DATA`, SCIP and Gurobi",
    "inspection": "3 minutes",
    "problems": "1 minute",
    "grouping": "2 minutes, with folders of models whose truth is known",
    "harvest": "seconds a program, with a copy of a checkout, Gurobi and PuLP",
    "drift": "2 minutes",
    "rewards": "half an hour",
    "newsvendor": "15 minutes, with the weights of smollm2",
    "repair": "an hour or more, with a model of transformers",
    "weights": "3 minutes, with folders of models whose truth is known",
    "sensitivity": "an hour, with a folder of MPS files",
    "authors": "4 minutes, with the dataset `or-debug-authors`",
    "kills": "an hour; Linux",
    "cluster": "3 minutes, with Ray; Linux",
    "capacity": "5 minutes, with Ray, on an idle machine; Linux",
    "malformed": "10 minutes; Linux",
    "malformed_http": "1 minute",
    "service_fuzz": "30 minutes",
}
"""What answers other questions than speed, and about how long it takes on two cores."""
FIGURES, PAGE = Path("perf/figures.json"), Path("docs/performance.md")


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHES)))
@click.option("--page", "page_only", is_flag=True, help="Write the page of the figures kept.")
def main(names: tuple[str, ...], page_only: bool) -> None:
    """Run all benches, or those NAMED, and write them into the page of figures."""
    kept = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
    for name in () if page_only else names or BENCHES:
        rows = [Figure(*row) for row in BENCHES[name]()]
        show(rows)
        kept[name] = {
            "where": where(),
            "figures": [row._asdict() for row in rows],
        }
        FIGURES.write_text(json.dumps(kept, indent=2) + "\n", "utf-8")
    PAGE.write_text(page(kept), "utf-8")


def where() -> dict[str, str]:
    """Commit, processor, cores and Python of this run."""
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
        "processor": f"{model}, {len(os.sched_getaffinity(0))} cores",
        "python": platform.python_version(),
    }


def page(kept: dict[str, Any]) -> str:
    """The page of figures, generated from their JSON."""
    lines = [
        "# Performance",
        "",
        "`make perf` (in a checkout) runs the benches below, keeps their figures in",
        "`perf/figures.json`, and makes this page of them. A figure named `a / b` is a ratio",
        "within one run, b being the baseline: ratios travel between machines, rates do not. One",
        "bench alone is `python -m perf.NAME`; `python -m perf NAME` writes it into the page as",
        "well. No figure fails a test.",
    ]
    for name, one in sorted(kept.items()):
        place = one["where"]
        lines += [
            "",
            f"## {name}",
            "",
            purpose(name),
            "",
            f"Commit {place['commit']}, {place['processor']}, Python {place['python']}.",
            "",
            "| figure | value | unit | target |",
            "| --- | --- | --- | --- |",
        ]
        for row in one["figures"]:
            value, unit = f"{row['value']:,.2f}", row["unit"]
            lines.append(f"| {row['name']} | {value} | {unit} | {row['target']} |")
    lines += [
        "",
        "## Studies",
        "",
        "These ask other questions than speed, take longer, and are run by hand.",
        "",
        "| command | what it does | takes about |",
        "| --- | --- | --- |",
    ]
    for name, took in STUDIES.items():
        lines.append(f"| `python -m perf.{name}` | {purpose(name)} | {took} |")
    return "\n".join(lines) + "\n"


def purpose(name: str) -> str:
    """The first sentence of a bench's or study's docstring."""
    tree = ast.parse(Path(__file__).with_name(f"{name}.py").read_text("utf-8"))
    text = (ast.get_docstring(tree) or "").partition("\n\n")[0].replace("\n", " ")
    return text if text.endswith(".") else f"{text}."


if __name__ == "__main__":
    main()
