"""Each tolerance of models and solvers stands once, in `milp.tolerances`."""

import ast
from pathlib import Path

import pytest

import ordojo

SOURCE = Path(ordojo.__file__).parent
FOLDERS = (
    "milp",
    "solvers",
    "structures",
    "problems",
    "benchmarks/or_debug",
    "benchmarks/orqa/build",
)
OTHERS = {
    "milp/tolerances.py": "the table",
    "solvers/repair.py": "what the sums of one solver lose",
    "structures/recognition/keys.py": "how much of a number is nothing, of one comparison",
    "benchmarks/or_debug/examples.py": "keeps a divisor from 0",
    "benchmarks/or_debug/shortcuts.py": "keeps a logarithm from 0, and a split from round-off",
    "benchmarks/or_debug/repairs.py": "what a repair may write, which its page names",
}
"""Where a small number stands for another reason."""


def small(text: str) -> list[float]:
    """The numbers of a program that are as small as tolerances are."""
    every = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    return [value for value in every if isinstance(value, float) and 1e-13 < value < 2e-5]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_tolerance_stands_outside_the_table(folder: str) -> None:
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in (SOURCE / folder).rglob("*.py")
        if small(path.read_text())
    }
    assert found == {name for name in OTHERS if name.startswith(f"{folder}/")}


def test_it_sees_a_tolerance() -> None:
    text = "def f(x, y):\n    return x < 1e-6 * (1 + y) or -1e-9 < y or y > 0.001"
    assert small(text) == [1e-6, 1e-9]
