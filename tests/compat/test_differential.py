"""Our layers against real gurobipy and coptpy, program by program."""

import ast
import re

import pytest

from tests.compat.programs import suite
from tests.compat.programs.features import COPT, GUROBI

SOLVED = {"gurobipy": 2, "coptpy": 1}
LEAST = {"gurobipy": 150, "coptpy": 40}
FEATURES = {"gurobipy": GUROBI, "coptpy": COPT}
UNSUPPORTED: dict[str, set[str]] = {
    "gurobipy": set(),
    "coptpy": set(),
}
"""Programs that ours refuses by name, where the real library runs them."""
LACKING: dict[str, set[str]] = {"gurobipy": set(), "coptpy": set()}
"""Features that only such programs use; none is in the census."""

libraries = pytest.mark.parametrize("library", ["gurobipy", "coptpy"])


@libraries
def test_ours_agrees_with_what_the_real_library_was_measured_at(library: str) -> None:
    _, measured = suite.stored(library)
    names = [file.stem for file in suite.programs(library)]
    assert len(names) >= LEAST[library]
    assert sorted(measured) == names, "a program has changed: measure anew, see suite.py"
    ours = suite.run_ours(library)
    refused = {name for name, run in ours.items() if run.unsupported}
    assert refused == UNSUPPORTED[library]
    compared = {name: run for name, run in ours.items() if name not in refused}
    assert _disagreements(library, measured, compared) == {}


@libraries
def test_what_was_measured_is_what_the_real_library_says(library: str) -> None:
    python = suite.interpreter(library)
    if python is None:
        pytest.skip(f"{library} is not installed here: its stored answers stand in for it")
    version, measured = suite.stored(library)
    here = suite.version(library, python)
    if here != version:
        pytest.skip(f"{library} {here} is installed, but {version} was measured")
    assert _disagreements(library, measured, suite.run_real(library, python)) == {}


def _disagreements(
    library: str, real: dict[str, suite.Run], ours: dict[str, suite.Run]
) -> dict[str, list[str]]:
    found = {}
    for name, run in ours.items():
        if real[name].too_large and run.too_large:
            continue
        if found_here := suite.differences(real[name], run, SOLVED[library]):
            found[name] = [*found_here, run.told] if run.error else found_here
    return found


@libraries
def test_every_feature_of_the_census_has_a_program(library: str) -> None:
    sources = {file.stem: file.read_text(encoding="utf-8") for file in suite.programs(library)}
    lacking = set()
    for feature, pattern in FEATURES[library].items():
        using = {name for name, text in sources.items() if re.search(pattern, text, re.MULTILINE)}
        assert using, feature
        if using <= UNSUPPORTED[library]:
            lacking.add(feature)
    assert lacking == LACKING[library]


@libraries
def test_every_program_says_what_it_is_for_and_prints_what_is_compared(library: str) -> None:
    seen = set()
    for file in suite.programs(library):
        text = file.read_text(encoding="utf-8")
        purpose = ast.get_docstring(ast.parse(text))
        assert purpose and purpose not in seen, file.name
        seen.add(purpose)
    _, measured = suite.stored(library)
    silent = [name for name, run in measured.items() if not run.lines and run.error is None]
    assert silent == []


def test_models_over_the_free_size_are_known_as_such() -> None:
    for library in FEATURES:
        _, measured = suite.stored(library)
        large = {name for name, run in measured.items() if run.too_large}
        assert large == {name for name in measured if name.startswith("large_")}
