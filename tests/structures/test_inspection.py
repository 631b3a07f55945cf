"""Inspection of rebuilt models: equal ones, each kind of fault, endings without an optimum."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from perf.inspection import Error, hidden, inject, shares, study

from ordojo.api.reading import read_model
from ordojo.core.errors import DataError
from ordojo.core.seeds import generator
from ordojo.formulation.build import build
from ordojo.problems.registry import get_template
from ordojo.structures import Flat, abstract, read_flat, read_mps
from ordojo.structures.inspection import (
    DifferenceKind,
    InspectionFinding,
    ModelLayout,
    finding,
    inspect,
)
from ordojo.structures.inspection.optima import Deviation, broken, solve
from tests.structures.toys import EVERYTHING, LOTS

FAST = (
    "network_design",
    "cyclic_roster",
    "set_covering",
    "conflict_packing",
    "project_budget",
    "scenario_transport",
    "blending",
)


def lots(tmp_path: Path, change: Callable[[str], str] = lambda text: text) -> Flat:
    path = tmp_path / "lots.mps"
    path.write_text(change(LOTS))
    return read_mps(path)


def first(found: InspectionFinding) -> tuple[DifferenceKind, str]:
    return found.differences[0].kind, found.differences[0].name


def test_the_same_problem_in_another_order_and_without_names(tmp_path: Path) -> None:
    flat = lots(tmp_path)
    found = inspect(flat, hidden(flat, 3), abstract(flat))
    assert found.equal and found.validated and not found.differences
    assert found.text() == "equal: the models match, 9 columns and 6 rows"


def test_large_models_are_equal_by_their_alignment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "_LARGE", 0)
    flat = lots(tmp_path)
    assert inspect(flat, hidden(flat, 3)).equal
    assert not inspect(flat, replace(flat, offset=8.0)).equal


@pytest.mark.parametrize("names", [True, False])
def test_a_missing_family_is_named_with_a_broken_row(tmp_path: Path, names: bool) -> None:
    flat = lots(tmp_path)
    keep = np.arange(3)
    inside = flat.index < 3
    ends = np.concatenate([[0], np.cumsum(inside)])[flat.starts]
    other = replace(
        flat,
        rows=flat.rows.take(keep),
        senses=flat.senses[keep],
        rhs=flat.rhs[keep],
        ranges=flat.ranges[keep],
        starts=ends,
        index=flat.index[inside],
        value=flat.value[inside],
    )
    found = inspect(flat, other if names else hidden(other, 1))
    assert found.deviation == Deviation.UNDER and not found.validated
    assert first(found) == (DifferenceKind.MISSING, "cap[*]")
    (fault,) = found.differences
    assert fault.violated == 2  # nothing is made in period 2
    assert "family 'cap[*]' is missing (3 of 3 rows)" in fault.sentence
    assert "for example cap[1]: x[1] - 100 y[1] <= 0" in fault.sentence
    assert "the candidate's best point breaks cap[1]" in fault.sentence


def test_a_shifted_index_is_told_with_its_step(tmp_path: Path) -> None:
    flat = lots(tmp_path)

    def shift(text: str) -> str:
        """s[t] enters bal[t+2] instead of bal[t+1]."""
        text = text.replace("bal[1]  -1  bal[2]  1", "bal[1]  -1  bal[3]  1")
        return text.replace("s[2]  bal[2]  -1  bal[3]  1", "s[2]  bal[2]  -1")

    moved = lots(tmp_path, shift)
    assert moved.nonzeros == flat.nonzeros - 1
    found = inspect(flat, moved)
    assert first(found) == (DifferenceKind.SHIFTED, "bal[*]")
    assert "index 1 of 's[*]' is off by -1" in found.differences[0].detail
    assert found.deviation == Deviation.OVER


@pytest.mark.parametrize(
    ("old", "new", "kind", "name", "words"),
    [
        (
            "RHS    bal[1]  10",
            "RHS    bal[1]  12",
            DifferenceKind.SIDES,
            "bal[*]",
            "= 10 is in the candidate",
        ),
        (
            " L  cap[1]",
            " G  cap[1]",
            DifferenceKind.SENSES,
            "cap[*]",
            "another direction (1 of 3 rows); >= in the candidate, not <=",
        ),
        ("cap[1]  -100", "cap[1]  -8", DifferenceKind.COEFFICIENTS, "cap[*]", "- 8 y[1] <= 0"),
        (
            "UP BND  x[1]  50",
            "UP BND  x[1]  9",
            DifferenceKind.BOUNDS,
            "x[*]",
            "tighter in the candidate",
        ),
        ("COST  1.5  bal[1]", "COST  4.5  bal[1]", DifferenceKind.COSTS, "x[*]", "x[1] costs 1.5"),
        (
            "COST  -7",
            "COST  -9",
            DifferenceKind.COSTS,
            "objective",
            "the constant 7 is in the candidate 9",
        ),
        (
            "ROWS",
            "OBJSENSE\n    MAX\nROWS",
            DifferenceKind.DIRECTION,
            "objective",
            "the other maximizes",
        ),
    ],
)
def test_numbers_are_told(
    tmp_path: Path, old: str, new: str, kind: DifferenceKind, name: str, words: str
) -> None:
    text = LOTS.replace("    RHS  bal[1]", "    RHS    bal[1]")
    flat = lots(tmp_path, lambda _: text)
    other = lots(tmp_path, lambda _: text.replace(old, new, 1))
    found = inspect(flat, other)
    assert first(found) == (kind, name)
    assert words in found.text()
    assert not found.validated


FIXED_CHARGE = """min
 obj: 3 y1 + 5 y2 + 7 y3 + x1 + x2 + x3
st
 d1: x1 + x2 + x3 >= 12
 l1: x1 - 6 y1 <= 0
 l2: x2 - 6 y2 <= 0
 l3: x3 - 7 y3 <= 0
bounds
 y1 <= 1
 y2 <= 1
 y3 <= 1
general
 y1 y2 y3
end
"""
COVER = """min
 obj: a + b + c + d
st
 e1: a + b >= 1
 e2: b + c >= 1
 e3: c + d >= 1
 e4: d + a >= 1
binary
 a b c d
end
"""


@pytest.mark.parametrize("renamed", [False, True])
@pytest.mark.parametrize(
    ("model", "old", "new", "says"),
    [
        (FIXED_CHARGE, "general\n y1 y2 y3\n", "", "other types (3 of 3 columns)"),
        (FIXED_CHARGE, "general\n y1 y2", "general\n y1", "other types (1 of 3 columns)"),
        (FIXED_CHARGE, "y2 <= 1", "y2 <= 2", "other bounds (1 of 3 columns)"),
        (FIXED_CHARGE, "min", "max", "one model minimizes and the other maximizes"),
        # Each node of a ring looks like any other: where a walk begins nothing tells.
        (COVER, "binary\n a b c d", "bounds\n a <= 1\n b <= 1\n c <= 1\n d <= 1", "other types"),
        (COVER, "min", "max", "one model minimizes and the other maximizes"),
    ],
)
def test_what_columns_say_is_told_whatever_the_names(
    tmp_path: Path, model: str, old: str, new: str, says: str, renamed: bool
) -> None:
    assert old in model
    (tmp_path / "one.lp").write_text(model)
    (tmp_path / "other.lp").write_text(model.replace(old, new))
    other = read_flat(tmp_path / "other.lp")
    found = inspect(read_flat(tmp_path / "one.lp"), hidden(other, 3) if renamed else other)
    assert all(says in fault.sentence for fault in found.differences), found.text()
    assert found.differences and not found.equal


def test_bounds_that_rows_say_are_no_difference(tmp_path: Path) -> None:
    def by_rows(text: str) -> str:
        text = text.replace(" L  cap[1]\n", " L  most[1]\n L  cap[1]\n")
        text = text.replace("    x[1]  cap[1]  1\n", "    x[1]  cap[1]  1  most[1]  1\n")
        text = text.replace(" UP BND  x[1]  50\n", "")
        return text.replace("bal[3]  1e1", "bal[3]  1e1\n    RHS  most[1]  50")

    flat = lots(tmp_path)
    assert inspect(flat, lots(tmp_path, by_rows)).equal
    found = inspect(flat, lots(tmp_path, lambda t: by_rows(t).replace("-100", "-90", 1)))
    assert [d.kind for d in found.differences] == [DifferenceKind.COEFFICIENTS]


def test_infeasible_unbounded_and_open_ends(tmp_path: Path) -> None:
    flat = lots(tmp_path)
    low = replace(flat, upper=np.where(flat.upper == 50, 1.0, flat.upper))
    found = inspect(flat, low)
    assert found.deviation == Deviation.OVER and found.candidate == "infeasible"
    assert first(found) == (DifferenceKind.BOUNDS, "x[*]") and found.differences[0].violated
    found = inspect(low, flat)
    assert found.deviation == Deviation.UNDER and found.differences[0].violated
    # Stocks that pay without end.
    paid = np.where(np.arange(flat.n) == 5, -2.0, flat.objective)
    free = replace(flat, objective=paid, upper=np.full(flat.n, np.inf))
    found = inspect(replace(flat, objective=paid), free)
    assert found.candidate == "unbounded" and found.deviation == Deviation.UNDER
    assert first(found)[0] == DifferenceKind.BOUNDS and found.differences[0].violated
    # Neither has a solution: only the structure can tell (E.3).
    found = inspect(low, replace(low, rhs=low.rhs + 1))
    assert found.deviation == Deviation.OPEN and not found.validated
    assert found.differences[0].kind == DifferenceKind.SIDES
    assert "decide nothing" in found.text()


def test_a_point_is_told_to_break_a_semi_integer_column(tmp_path: Path) -> None:
    text = "maximize\n c: x\nsubject to\n a: 2 x + y <= 7\nbounds\n 2 <= x <= 5\n"
    kinds = ("semi-continuous\n x\n", "semi-continuous\n x\ngeneral\n x\n")
    models = []
    for k, kind in enumerate(kinds):
        (tmp_path / f"{k}.lp").write_text(f"{text}{kind}end\n")
        models.append(read_model(tmp_path / f"{k}.lp"))
    point = solve(models[0], 10.0).x
    assert point is not None and point[models[0].cols["x"]] == pytest.approx(3.5)
    assert broken(models[0], point).cols.tolist() == []
    assert broken(models[1], point).cols.tolist() == [models[1].cols["x"]]


def test_a_paid_column_without_a_counterpart_leaves_the_verdict_open(tmp_path: Path) -> None:
    def changed(more: str) -> Flat:
        text = FIXED_CHARGE.replace("3 y1", "9 y1 - 2 more").replace("bounds", f"{more}bounds")
        (tmp_path / "other.lp").write_text(text)
        return read_flat(tmp_path / "other.lp")

    (tmp_path / "one.lp").write_text(FIXED_CHARGE)
    reference = read_flat(tmp_path / "one.lp")
    found = inspect(reference, changed(" few: more <= 5\n"))
    assert found.deviation == Deviation.OPEN and "by the reference's" not in found.text()
    # What has no plan forbids the best one, whatever is paid.
    found = inspect(reference, changed(" few: more <= 5\n none: more >= 6\n"))
    assert found.deviation == Deviation.OVER


def test_other_sections_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "all.mps"
    path.write_text(EVERYTHING)
    with pytest.raises(DataError, match="the candidate has a section SOS"):
        inspect(lots(tmp_path), read_mps(path))


def test_injected_errors_are_what_they_say(tmp_path: Path) -> None:
    flat = lots(tmp_path)
    layout = ModelLayout.of(flat)
    for index in range(12):
        for error in Error:
            made = inject(layout, error, generator(0, "test", index))
            assert made is not None
            again = inject(layout, error, generator(0, "test", index))
            assert again is not None and again.text == made.text
            if error == Error.DROP:
                assert made.flat.m == 3
            else:
                assert made.flat.m == 6
            found = inspect(flat, made.flat)
            if not found.equal:
                fault = found.differences[0]
                assert (fault.family, fault.group) == (made.family, made.group), made.text


def test_most_injected_errors_are_found_in_generated_models() -> None:
    from ordojo.structures import flat_model

    models = []
    for name in FAST:
        template = get_template(name)
        tables = template.tables(template.settings("small"), 0, 0)
        models.append((name, flat_model(build(template.spec, tables, name).model)))
    cases = list(study(models, 24, seed=1))
    right, of = shares(cases)["all errors, all"]
    assert of == 24 and right >= 22
    assert sum(case.named for case in cases) == 12
    assert {case.error for case in cases} == set(Error)
