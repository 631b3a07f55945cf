"""Exported programs are their models, number by number, and reach their optima on their own."""

import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from perf.programs import built, differing, export, optimum, program_names, run
from perf.score import nameless, shuffled
from scipy.sparse import csr_matrix

from ordojo.cli.structure import structure
from ordojo.core.errors import DataError
from ordojo.formulation.build import build
from ordojo.milp.model import VarType
from ordojo.structures import Flat, abstract, read_mps
from ordojo.structures.flat import model_of
from ordojo.structures.formulation import (
    Formulation,
    data_files,
    formulate,
    model_md,
    solve_py,
    spy_svg,
)
from tests.structures.pairs import (
    MODELS,
    Rows,
    any_rows,
    conflicts,
    keyed,
    numbered,
    orders,
    owned,
    tabled,
    timed,
    triangles,
    variants,
    written,
)
from tests.structures.toys import EVERYTHING, LOTS, flat_of, structured


def formulated(flat: Flat) -> Formulation:
    return formulate(flat, abstract(flat))


def same(flat: Flat, folder: Path) -> None:
    found = formulated(flat)
    assert differing(flat, found, built(export(found, folder))) == ()
    if not flat.sections:
        declared(flat, found)


def declared(flat: Flat, found: Formulation) -> None:
    """The declaration over its tables is the model too, number by number."""
    model = build(found.spec, found.tables, "again", empty=True).model
    cols, rows = program_names(found)
    at = np.array([model.cols[name] for name in cols], np.int64)
    to = np.array([model.rows[name] for name in rows], np.int64)
    true = model_of(flat)
    assert (model.n, model.m) == (true.n, true.m)
    for part, place in (
        ("objective", at), ("col_lower", at), ("col_upper", at), ("types", at),
        ("row_lower", to), ("row_upper", to),
    ):  # fmt: skip
        mine, its = getattr(model, part)[place], getattr(true, part)
        if part == "types":  # a group of several types says integer for its binaries too
            mine, its = (np.where(one == VarType.BINARY, VarType.INTEGER, one)
                         for one in (mine, its))  # fmt: skip
        assert np.array_equal(mine, its), part
    assert (model.maximize, model.offset) == (true.maximize, true.offset)
    mine, its = (
        csr_matrix((one.value, one.index, one.starts), (one.m, one.n)) for one in (model, true)
    )
    assert abs(mine[to][:, at] - its).max() == 0 if flat.nonzeros else mine.nnz == 0


@pytest.mark.parametrize("text", [LOTS, EVERYTHING])
def test_toys_are_built_again(tmp_path: Path, text: str) -> None:
    flat = flat_of(tmp_path, text)
    same(flat, tmp_path / "a")
    same(nameless(flat), tmp_path / "b")


@pytest.mark.parametrize("seed", range(6))
def test_random_structured_models_are_built_again(tmp_path: Path, seed: int) -> None:
    flat = flat_of(tmp_path, structured(seed))
    same(flat, tmp_path / "a")
    same(shuffled(flat, seed)[0], tmp_path / "b")
    same(shuffled(nameless(flat), seed)[0], tmp_path / "c")


@pytest.mark.parametrize("name", MODELS)
def test_pairs_of_one_group_and_tables_are_built_again(tmp_path: Path, name: str) -> None:
    for k, flat in enumerate(variants(tmp_path, name)):
        same(flat, tmp_path / str(k))


OWNERS: Rows = {
    "R0": {"x1[3]": -1.0, "x2[3,3]": 2.5},
    "R1": {"x2[3,1]": -1.0, "x2[1,1]": 2.5},
    "R3": {"x2[6,4]": -1.0, "x2[5,3]": 2.5},
    "R4": {"x2[3,1]": 2.5, "x2[2,5]": -1.0},
    "R5": {"x1[3]": -1.0, "x2[1,4]": -1.0, "x2[1,3]": 2.5},
}
"""Two indices of the row are told by two tables, each for some variables only."""


@example(rows=OWNERS, named=False)
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(rows=any_rows(), named=st.booleans())
def test_any_rows_of_pairs_are_built_again(
    tmp_path_factory: pytest.TempPathFactory, rows: Rows, named: bool
) -> None:
    folder = tmp_path_factory.mktemp("any")
    same(flat_of(folder, written(rows, named)), folder / "out")


def test_indices_that_occur_together_stand_apart_in_the_names(tmp_path: Path) -> None:
    pairs = [(1, 2), (2, 1), (3, 3), (1, 3)]
    rows = "".join(f" L cap[{j}]\n" for j in (1, 2, 3))
    rows += "".join(f" G need[{i},{k}]\n" for i, k in pairs)
    cols = "".join(
        f" x[{i},{j},{k}] o {i} cap[{j}] {i + j}\n x[{i},{j},{k}] need[{i},{k}] {j}\n"
        for i, k in pairs for j in (1, 2, 3)
    )  # fmt: skip
    flat = flat_of(tmp_path, f"NAME t\nROWS\n N o\n{rows}COLUMNS\n{cols}RHS\nENDATA\n")
    same(flat, tmp_path / "out")
    assert "x[i, j, k] >= 0 for all (i, j) in IJ, k in K" in model_md(formulated(flat))


def said(tmp_path: Path, rows: Rows, named: bool = True) -> str:
    text = model_md(formulated(flat_of(tmp_path, written(rows, named))))
    return text[text.index("## Constraints") :].replace("  \n", " ")


def test_pairs_of_one_group_are_two_variables(tmp_path: Path) -> None:
    for named in (True, False):
        row = "[i, j] for all (i, j) in II"
        assert f"{row}\n\nx[i] + x[j] <= 1" in said(tmp_path, conflicts(), named)
        assert f"{row}_2\n\nx[i, j] + x[j, i] <= 1" in said(tmp_path, orders(), named)
        text = said(tmp_path, triangles(), named)
        assert "(i, j, k) in III\n\nx[i, j] + x[j, k] - x[i, k] <= 1" in text
    assert "x[i, t] + x[j, t] - y[i, t - 1] (where it exists)" in said(tmp_path, timed())
    assert "for all (i, j) in II, t in T\n\nx[i, t] + x[j, t] - y[" in said(
        tmp_path, timed(), False
    )


def test_ends_of_numbered_edges_are_columns_of_their_table(tmp_path: Path) -> None:
    text = said(tmp_path, numbered())
    assert "x[i_c[k], j] + x[i_c_2[k], j] - y[k] <= 1" in text


def test_keys_are_columns_and_keys_of_keys_refer_to_them(tmp_path: Path) -> None:
    text = said(tmp_path, keyed())
    assert "- y[j_link[i]]" in text and "- z[k_open[j]]" in text
    assert "sum over i in I with j = j_link[i] of" in text
    assert "sum over i in I with k = k_open[j_link[i]] of" in text
    some = said(tmp_path, keyed(boundary=True))
    assert "sum over i in I with k = k_open[j_link[i]], i in I1 of" in some
    assert "sum over i in I with j = j_arc[i], k = k_arc[i] of" in said(tmp_path, owned())


def test_one_table_serves_in_both_directions(tmp_path: Path) -> None:
    text = said(tmp_path, tabled())
    assert "sum over j with (i, j) in IJ of x[j, t]" in text
    assert "sum over j with (i, j) in IJ of coef_q_x x[j, t - 1] (only for t in T1)" in text
    assert "sum over i with (i, j) in IJ of w[i, t]" in text


def test_the_text_says_the_model(tmp_path: Path) -> None:
    text = model_md(formulated(flat_of(tmp_path, LOTS)))
    assert "- **x[t]** real, 0 <= x[t] <= upper_x for all t in T" in text
    assert "### bal[t] for all t in T\n\nx[t]  \n" in text
    assert "+ s[t - 1] (where it exists)" in text
    assert "- coef_cap_y y[t]" in text
    assert "minimize sum over t in T of cost_x[t] x[t] + " in text


def test_data_stand_in_files_and_not_in_the_text(tmp_path: Path) -> None:
    flat = flat_of(tmp_path, LOTS.replace("1.5", "0.1234567890123"))
    found = formulated(flat)
    files = data_files(found)
    named = {f"data/{one.table}.csv" for one in (*found.spec.parameters, *found.spec.sets)}
    assert named <= set(files)
    assert "0.1234567890123" in files["data/T.csv"]
    assert not any("1234567" in text for text in (model_md(found), solve_py(found)))
    assert files["data/parameters.csv"].startswith("name,value\nupper_x,50\n")


def test_names_are_chosen(tmp_path: Path) -> None:
    flat = flat_of(tmp_path, LOTS)
    found = formulate(flat, abstract(flat), {"x": "made", "T": "Weeks", "cap": "capacity"})
    assert [group.name for group in found.spec.groups] == ["made", "s", "y"]
    assert "for all t in Weeks" in model_md(found) and "data/Weeks.csv" in data_files(found)
    assert differing(flat, found, built(export(found, tmp_path / "out"))) == ()
    for wrong, why in (({"u": "v"}, "nothing is named"), ({"x": "s"}, "both be named"),
                       ({"x": "a b"}, "is no name"), ({"x": "for"}, "is no name")):  # fmt: skip
        with pytest.raises(DataError, match=why):
            formulate(flat, abstract(flat), wrong)


def test_the_formulation_is_bounded(tmp_path: Path) -> None:
    small, large = (formulated(flat_of(tmp_path, _chain(count))) for count in (20, 2000))
    for text in (lambda f: repr(f.spec), model_md, solve_py):
        assert abs(len(text(large)) - len(text(small))) < 60


def _chain(count: int) -> str:
    rows = "".join(f" E bal[{t}]\n" for t in range(count))
    cols = "".join(f" s[{t}] bal[{t}] -1\n s[{t}] bal[{t + 1}] 1\n" for t in range(count - 1))
    return f"NAME t\nROWS\n N o\n{rows}COLUMNS\n{cols}RHS\nENDATA\n"


def test_names_of_the_program_say_which_column_is_which(tmp_path: Path) -> None:
    cols, rows = program_names(formulated(flat_of(tmp_path, LOTS)))
    assert cols == [f"{name}[{t}]" for name in "xsy" for t in (1, 2, 3)]
    assert rows[:2] == ["bal[1]", "bal[2]"]


def test_a_program_runs_alone(tmp_path: Path) -> None:
    flat = flat_of(tmp_path, LOTS)
    reached, status = run(export(formulated(flat), tmp_path / "alone"), 20)
    assert status == "Optimal" and reached == pytest.approx(40 * 1.5 + 30 + 7)


INDICATORS = """NAME gates
ROWS
 N cost
 G low
 L need[1]
 L need[2]
COLUMNS
 M1 'MARKER' 'INTORG'
 z[1] cost 5 low 3
 z[2] cost 4 low 2
 M2 'MARKER' 'INTEND'
 y[1] cost -1 need[1] 1
 y[2] cost -1 need[2] 1
RHS
 R low 3 need[1] 2
 R need[2] 1
BOUNDS
 BV B z[1]
 BV B z[2]
 UP B y[1] 9
 UP B y[2] 9
INDICATORS
 IF need[1] z[1] 1
 IF need[2] z[2] 0
ENDATA
"""


def test_indicators_are_conditions(tmp_path: Path) -> None:
    flat = flat_of(tmp_path, INDICATORS)
    found = formulated(flat)
    assert "if z[i] = coef_need_z[i]:" in model_md(found)
    reached, status = run(export(found, tmp_path / "out"), 20)
    best = min(
        5 * a + 4 * b - (2 if a else 9) - (9 if b else 1)
        for a in (0, 1) for b in (0, 1) if 3 * a + 2 * b >= 3
    )  # fmt: skip
    assert status == "Optimal" and reached == pytest.approx(best)


def test_sections_without_a_word_in_highs_are_refused_by_name(tmp_path: Path) -> None:
    text = LOTS.replace("ENDATA", "SOS\n S1 SET1\n SET1 x[1] 1\n SET1 x[2] 2\nENDATA")
    flat = flat_of(tmp_path, text)
    found = formulated(flat)
    assert "- section SOS" in model_md(found)
    program = export(found, tmp_path / "out")
    assert differing(flat, found, built(program)) == ()
    assert "SOS" in run(program, 20)[1]


def test_the_picture_is_bounded_and_the_same(tmp_path: Path) -> None:
    flat = flat_of(tmp_path, _chain(3000))
    picture = spy_svg(flat, abstract(flat))
    assert picture == spy_svg(flat, abstract(flat)) and len(picture) < 20_000
    assert ">bal</text>" in picture and ">s</text>" in picture and 'class="d' in picture
    empty = Flat(*[getattr(flat, key) for key in flat.__dataclass_fields__])
    assert spy_svg(empty, abstract(flat)) == picture


def test_command_writes_text_and_picture(tmp_path: Path) -> None:
    flat_of(tmp_path, LOTS)
    out = tmp_path / "out"
    run_ = CliRunner().invoke(structure, [str(tmp_path / "toy.mps"), "-o", str(out)])
    assert run_.exit_code == 0
    assert (out / "model.md").read_text().startswith("# lots\n\n9 variables in 3 groups")
    assert (out / "spy.svg").read_text().startswith("<svg")


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    ["50v-10", "bienst1", "csched007", "p0201", "pigeon-08", "graphdraw-gemcutter", "acc-tight2"],
)
def test_published_models_are_built_again(tmp_path: Path, name: str) -> None:
    flat = read_mps(Path(os.environ["ORDOJO_DATA"]) / "mnl-mps" / f"{name}.mps.xz")
    same(flat, tmp_path / "a")
    same(shuffled(nameless(flat), 1)[0], tmp_path / "b")


@pytest.mark.data
@pytest.mark.parametrize("name", ["flugpl", "gt2", "assign1-5-8", "traininstance6"])
def test_exported_programs_reach_the_optimum(tmp_path: Path, name: str) -> None:
    path = Path(os.environ["ORDOJO_DATA"]) / "mnl-mps" / f"{name}.mps.xz"
    reached, status = run(export(formulated(read_mps(path)), tmp_path), 60)
    assert status == "Optimal" and np.isclose(reached, optimum(path, 60), rtol=1e-9)


def test_durations_are_intervals_from_the_index_on(tmp_path: Path) -> None:
    jobs, last = {1: 3, 2: 5, 3: 2, 4: 4}, 14
    rows = "".join(f" L cap[{t}]\n" for t in range(last))
    cols = "".join(
        f" x[{j},{t}] cap[{s}] {j + 1}\n"
        for j, lasts in jobs.items()
        for t in range(last - 1)
        for s in range(t, min(t + lasts, last))
    )
    rhs = "".join(f" R cap[{t}] 7\n" for t in range(last))
    flat = flat_of(tmp_path, f"NAME d\nROWS\n N o\n{rows}COLUMNS\n{cols}RHS\n{rhs}ENDATA\n")
    found = formulated(flat)
    text = model_md(found)
    assert "sum over i in I, t2 in T1 with t2 <= t <= t2 + last_cap_x[i] of" in text
    assert data_files(found)["data/I.csv"].splitlines()[1:3] == ["1,2", "2,4"]
    # Found by time, not by going through all starts in every row.
    assert "for i, t2 in x_reaching_t[t,]:" in solve_py(found)
    assert differing(flat, found, built(export(found, tmp_path / "out"))) == ()
