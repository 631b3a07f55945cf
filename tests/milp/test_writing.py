"""Problems beyond linear rows, written and read back; Gurobi reads the same from the file."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ordojo.core.errors import DataError
from ordojo.milp.files import read_problem, write_model
from ordojo.milp.model import INF
from ordojo.milp.objects import problem_of_object
from ordojo.milp.problem import Problem, QuadraticRow, without_pieces

CASES = Path(__file__).parent / "cases"
EVERYTHING = [*CASES.glob("everything.*"), *CASES.glob("several.*")]


@pytest.mark.parametrize("suffix", [".lp", ".mps", ".lp.xz"])
@pytest.mark.parametrize("path", EVERYTHING, ids=lambda path: path.name)
def test_what_gurobi_wrote_is_written_again(path: Path, suffix: str, tmp_path: Path) -> None:
    gp = pytest.importorskip("gurobipy")
    given = _one_sided(read_problem(path))
    write_model(given, tmp_path / f"again{suffix}")
    with gp.Env(params={"OutputFlag": 0}) as env:
        found = problem_of_object(gp.read(str(tmp_path / f"again{suffix}"), env))
    model, other = given.model, found.model
    # A range's hidden column is read as a range; Gurobi's own constants of several goals become
    # columns when it reads them.
    lost = {name for name in model.col_names if name.startswith(("Rg", "pwl."))}
    assert set(model.col_names) - lost <= set(other.col_names)
    assert set(model.row_names) == set(other.row_names)
    for part in ("quadratic_rows", "indicators", "sos", "general", "objectives"):
        mine, read = (_named(part, problem) for problem in (given, found))
        assert mine == read, part


def _one_sided(problem: Problem) -> Problem:
    """The problem without its ranges, which Gurobi reads in no LP file."""
    low = np.isfinite(problem.model.row_lower) & np.isfinite(problem.model.row_upper)
    low &= problem.model.row_lower != problem.model.row_upper
    lower = np.where(low, -INF, problem.model.row_lower)
    return dataclasses.replace(problem, model=dataclasses.replace(problem.model, row_lower=lower))


def _named(kind: str, problem: Problem) -> list[Any]:
    """Parts of a kind with names in the place of columns' numbers."""
    names = np.array(problem.model.col_names)

    def sums(index: Any, value: Any) -> Any:
        return sorted(zip(names[index].tolist(), np.round(value, 12).tolist(), strict=True))

    def products(found: Any) -> Any:
        pairs = zip(names[found.first].tolist(), names[found.second].tolist(), strict=True)
        return sorted(zip(map(sorted, pairs), found.value.tolist(), strict=True))

    tell = {
        "quadratic_rows": lambda p: (
            *(p.name, sums(p.index, p.value), products(p.quadratic)),
            *(p.lower, p.upper),
        ),
        "indicators": lambda p: (
            *(p.name, names[p.binary], p.active, sums(p.index, p.value), p.lower, p.upper),
        ),
        "sos": lambda p: (p.kind, names[p.index].tolist(), p.weights.tolist()),
        "general": lambda p: (
            *(p.name, p.function, names[p.result], names[p.operands].tolist(), p.numbers),
        ),
        "objectives": lambda p: (
            *(p.name, p.priority, p.weight, p.abs_tol, p.rel_tol),
            *(pair for pair in sums(np.arange(len(names)), p.coefficients) if pair[0] in "xy"),
        ),
    }[kind]
    return [tell(part) for part in getattr(without_pieces(problem)[0], kind)]


def test_a_row_of_products_with_two_sides_is_refused(tmp_path: Path) -> None:
    problem = read_problem(CASES / "everything.lp")
    row = problem.quadratic_rows[0]
    both = row._replace(lower=-5.0, upper=5.0)
    assert isinstance(row, QuadraticRow)
    for suffix in (".lp", ".mps"):
        with pytest.raises(DataError, match=f"'{row.name}' has two sides"):
            write_model(
                dataclasses.replace(problem, quadratic_rows=(both,)), tmp_path / f"a{suffix}"
            )
    assert not [*tmp_path.iterdir()]


def test_a_function_without_its_numbers_is_refused(tmp_path: Path) -> None:
    text = "Minimize\n x + y\nSubject To\n c: x + y >= 1\nGeneral Constraints\n"
    path = tmp_path / "a.lp"
    for body in ("POW ( x ) : -0.1", "EXPA ( x )", "PWL ( x )", "NORM ( x , y )"):
        path.write_text(f"{text} p: y = {body}\nEnd\n")
        with pytest.raises(DataError, match=r"line 6, column 9: '\w+' is a function"):
            read_problem(path)
    path = tmp_path / "a.mps"
    path.write_text(
        "NAME a\nROWS\n N o\nCOLUMNS\n x o 1\n y o 1\nRHS\nBOUNDS\nGENCONS\n POW p\n x y\nENDATA\n"
    )
    with pytest.raises(DataError, match="'p', which lacks its numbers"):
        read_problem(path)


def test_a_polynomial_of_a_power_beyond_reason_is_refused(tmp_path: Path) -> None:
    text = "Minimize\n x + y\nSubject To\n c: x + y >= 1\nGeneral Constraints\n"
    for body in ("1 x ^ 3 - 2 x", "1 x ^ 123456789", "1 x ^ 2 + y ^ 1"):
        path = tmp_path / "a.lp"
        path.write_text(f"{text} p: y = POLY ( {body} )\nEnd\n")
        with pytest.raises(DataError, match="line 6"):
            read_problem(path)
    path.write_text(f"{text} p: y = POLY ( - 1 x ^ 3 + x ^ 0 )\nEnd\n")
    assert read_problem(path).general[0].numbers == (-1, 0, 0, 1)
