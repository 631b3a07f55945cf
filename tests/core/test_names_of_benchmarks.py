"""A benchmark is named in its own folder alone: what stands elsewhere holds for all of them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import ordojo
from ordojo.core.registry import benchmark_names

SOURCE = Path(ordojo.__file__).parent
NAMES = {name for one in benchmark_names() for name in (one, one.replace("-", "_"))}


def named(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8")
    if not any(name in text for name in (*NAMES, "ordojo.benchmarks.")):
        return
    tree = ast.parse(text)
    told: set[int] = set()
    for node in ast.walk(tree):  # what holds others comes before them
        # Docstrings, and texts that explain a constant, may give examples; so do commands.
        if isinstance(node, ast.Expr) or (isinstance(node, ast.keyword) and node.arg == "example"):
            told.add(id(node.value))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("ordojo.benchmarks."):
            yield str(node.module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            data = node.value.startswith("ordojo.datasets.")
            yield from (name for name in NAMES if name in node.value and not data)


def test_a_benchmark_is_named_in_its_own_folder_alone() -> None:
    # Ids of datasets are names of data, whose registry is one file.
    others = [p for p in SOURCE.rglob("*.py") if p.relative_to(SOURCE).parts[0] != "benchmarks"]
    others = [p for p in others if p.relative_to(SOURCE).parts[0] != "datasets"]
    assert len(others) > 300
    found = {str(p.relative_to(SOURCE)) for p in others if list(named(p))}
    assert found == set()
