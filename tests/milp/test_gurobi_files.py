"""Files that Gurobi writes: the same model comes back, and what is not linear is refused."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ordojo.core.errors import DataError
from ordojo.core.seeds import generator
from ordojo.milp.files import read_model, read_problem, write_model
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.objects import problem_of_object
from ordojo.milp.problem import General
from tests.milp.toys import some_model

ODD = (
    "2x",
    "free",
    "e5",
    "inf",
    "x(3)",
    "x^2",
    "a<=b",
    "a->b",
    "st",
    "end",
    "x[y[0]]",
    "nan",
    "s1",
)
INDEXED = ("x[0,1]", "ship[siena,oulu]", "x[0][1]", "y[z[0]]", "x[a-b]", "q['a']_3", "k[(1,2)]")
HEAD = "\\ Model toy\n\\ LP format - for model browsing. Use MPS.\n"


@pytest.fixture(scope="module")
def env() -> Iterator[Any]:
    gp = pytest.importorskip("gurobipy")
    with gp.Env(params={"OutputFlag": 0}) as env:
        yield env


def built(env: Any, index: int, suffix: str) -> Any:
    """A random model with odd names, all kinds of bounds, ranges and rows without terms."""
    import gurobipy as gp

    rng = generator(7, "gurobi-files", index)
    m = gp.Model("some model", env=env)
    sites = ["siena", "oulu", "a b"] if suffix == ".lp" else ["siena", "oulu"]
    ship = m.addVars(sites, sites, name="ship")
    x = m.addVars(2, 2, name="x", lb=-5.0, ub=9.0)
    variables = [*ship.values(), *x.values()]
    for name in ODD:
        variables.append(m.addVar(name=name))
    for k, kind in enumerate("CBISNCBIIC"):
        low = float(rng.choice([0.0, -3.0, -INF, 2.0])) if kind in "CI" else 0.0
        up = float(rng.choice([INF, 4.0, low if low > -INF else 1.0])) if kind in "CI" else 6.0
        low, up = (float(rng.integers(2)), 1.0) if kind == "B" else (low, up)
        variables.append(m.addVar(low, up, vtype=kind, name=f"v[{kind},{k}]"))
    m.update()
    if index % 2:
        m.addConstr(gp.LinExpr() <= 1.0, name="none")
    cost = rng.integers(-4, 5, len(variables)) / 8 * (index % 3)
    terms = gp.LinExpr(cost.tolist(), variables)
    m.setObjective(terms + float(rng.integers(-2, 3)) / 2, rng.choice([-1, 1]))
    for i in range(8):
        used = rng.permutation(len(variables))[: rng.integers(1, len(variables))]
        row = gp.LinExpr(
            (rng.integers(1, 99, len(used)) / 64 - 0.7578125).tolist(), [variables[j] for j in used]
        )
        if i == 4:
            m.addRange(row, -2.5, 3.0, name="range[1]")
        else:
            m.addLConstr(row, "<>="[i % 3], float(rng.integers(-9, 9)) / 4, f"r[{i},{sites[0]}]")
    m.addConstr(gp.LinExpr() == 0.0)
    m.update()
    return m


def facts(m: Any) -> Any:
    """Columns, rows, objective of a Gurobi model, without their order."""
    name = lambda each: each.replace(" ", "_")  # noqa: E731
    cols = {
        name(v.VarName): (v.LB, v.UB, "I" if v.VType == "B" else v.VType, v.Obj)
        for v in m.getVars()
    }
    rows = {}
    for c in m.getConstrs():
        row = m.getRow(c)
        terms = {name(row.getVar(k).VarName): row.getCoeff(k) for k in range(row.size())}
        sides = (-INF if c.Sense == "<" else c.RHS, INF if c.Sense == ">" else c.RHS)
        rows[name(c.ConstrName)] = (*sides, terms)
    return cols, rows, m.ObjCon, m.ModelSense == -1


def our_facts(model: Model) -> Any:
    letters = "CIISN"
    cols = {
        name: (float(low), float(up), letters[kind], float(cost))
        for name, low, up, kind, cost in zip(
            model.col_names,
            model.col_lower,
            model.col_upper,
            model.types,
            model.objective,
            strict=True,
        )
    }
    rows = {
        name: (
            model.row_lower.item(i),
            model.row_upper.item(i),
            {model.col_names[j]: float(v) for j, v in zip(*model.row(i), strict=True)},
        )
        for i, name in enumerate(model.row_names)
    }
    return cols, rows, model.offset, model.maximize


@pytest.mark.parametrize("suffix", [".lp", ".mps"])
@pytest.mark.parametrize("index", range(30))
def test_what_gurobi_writes_is_what_was_built(
    env: Any, index: int, suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"model{suffix}"
    with built(env, index, suffix) as m:
        m.write(str(path))
        wanted = facts(m)
    found = our_facts(read_model(path))
    assert found[2:] == wanted[2:]
    assert found[0] == wanted[0]
    assert found[1].keys() == wanted[1].keys()
    for name, (low, up, terms) in wanted[1].items():
        assert found[1][name][:2] == (low, up)
        assert found[1][name][2] == pytest.approx(terms)


def special(kind: str) -> Callable[[Any, Any], object]:
    return {
        "sos": lambda m, x: m.addSOS(1, [x[0], x[1]], [1, 2]),
        "max": lambda m, x: m.addGenConstrMax(x[0], [x[1], x[2]]),
        "indicator": lambda m, x: m.addGenConstrIndicator(x[3], True, x[0] <= 1),
        "pwl": lambda m, x: m.setPWLObj(x[0], [0, 1, 2], [0, 1, 4]),
        "goal": lambda m, x: m.setObjective(x[0] * x[0] + x[1]),
        "row": lambda m, x: m.addConstr(x[0] * x[0] + x[1] <= 3, name="q[1]"),
        "several": lambda m, x: (m.setObjectiveN(x[0], 0, 1), m.setObjectiveN(x[1], 1, 0)),
        "homonyms": lambda m, x: [m.addVar(obj=1.0, name="w[1]") for _ in range(2)],
    }[kind]


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("sos", "has special ordered sets"),
        ("max", "has general constraints"),
        ("indicator", "has indicator constraints"),
        ("pwl", "has general constraints"),
        ("goal", "has a quadratic objective"),
        ("row", "has quadratic constraints"),
        ("several", "has several objectives"),
        ("homonyms", r"names column 'w\[1\]' twice"),
    ],
)
def test_what_is_not_linear_is_refused_by_name(
    env: Any, kind: str, part: str, tmp_path: Path
) -> None:
    import gurobipy as gp

    with gp.Model("toy", env=env) as m:
        x = m.addVars(3, name="x")
        x[3] = m.addVar(vtype="B", name="b[0]")
        m.addConstr(x.sum() <= 4, name="c[1]")
        special(kind)(m, x)
        m.write(str(tmp_path / "model.lp"))
    with pytest.raises(DataError, match=part) as error:
        read_model(tmp_path / "model.lp")
    assert "ordojo_name" not in str(error.value)


def test_lazy_rows_are_rows(env: Any, tmp_path: Path) -> None:
    import gurobipy as gp

    with gp.Model("toy", env=env) as m:
        x = m.addVar(vtype="I", name="x[0]")
        m.addConstr(x <= 4, name="c[1]")
        m.addConstr(x >= 1, name="c[2]").Lazy = 1
        m.write(str(tmp_path / "model.lp"))
    assert read_model(tmp_path / "model.lp").row_names == ("c[1]", "c[2]")


@pytest.mark.parametrize("head", [HEAD, ""])
def test_an_index_is_part_of_a_name(head: str, tmp_path: Path) -> None:
    text = (
        "Minimize\n x[0,1] + 2 x[0,2] + 0.5 Constant\nSubject To\n c[1]: x[0,1] + x[0,2]\n >= 1\n"
    )
    text += "Bounds\n x[0,2] <= 3 \\ [a] comment\n Constant = 1\nGenerals\n x[0,1]\nEnd\n"
    (tmp_path / "a.lp").write_text(head + text)
    model = read_model(tmp_path / "a.lp")
    assert (model.col_names, model.row_names) == (("x[0,1]", "x[0,2]"), ("c[1]",))
    assert (model.offset, model.col_upper.tolist()) == (0.5, [INF, 3.0])
    assert model.types.tolist() == [VarType.INTEGER, VarType.CONTINUOUS]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (
            "Minimize\n x +\nSubject To\n c: x >= 1\nEnd\n",
            "line 4, column 4: the section ends behind",
        ),
        ("Minimize\n x\nSubject To\n c: x + >= 1\nEnd\n", "line 6, column 9: '>='"),
        ("Minimize\n x\nSubject To\n c: x y >= 1\nEnd\n", "line 6, column 7: 'y' stands where"),
        ("Minimize\n x\nSubject To\n c: x >= y\nEnd\n", "line 6, column 10: 'y'"),
        ("Minimize\n x\nSubject To\n c: x\nEnd\n", "line 6, column 2: 'c:' begins a row that"),
        ("Minimize\n x\nBounds\n x 3\nEnd\n", "line 6, column 4: '3' stands"),
        ("Minimize\n x\nBounds\n x <= y\nEnd\n", "line 6, column 7: 'y' stands"),
        ("Minimize\n x\nScenario\n x 3\nEnd\n", "line 5, column 1: 'Scenario' begins a section"),
        (" x\nEnd\n", "line 3, column 2: 'x' stands before"),
        ("Minimize\nSubject To\n c: <= 1\nEnd\n", "it has no column"),
    ],
)
def test_gurobis_grammar_is_kept(text: str, part: str, tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text(HEAD + text)
    with pytest.raises(DataError, match=part) as error:
        read_model(tmp_path / "a.lp")
    assert "; " in str(error.value)


@pytest.mark.parametrize(
    ("goal", "part"),
    [
        ("[ x[0]^2 ] / 2", "a quadratic objective"),
        ("[ 2 x[0] * x[1] ]/2", "a quadratic objective"),
        ("x[0] + 3x[1]", r"line 2, column 9: '3x\[1\]' stands"),
        ("x[0] + x[a^2]", r"column 10: '\[' stands"),
    ],
)
def test_other_brackets_are_refused(goal: str, part: str, tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text(f"Minimize\n {goal}\nSubject To\n c: x[0] >= 1\nEnd\n")
    with pytest.raises(DataError, match=part):
        read_model(tmp_path / "a.lp")


@pytest.mark.parametrize("suffix", [".lp", ".lp.gz"])
def test_names_with_an_index_are_written(suffix: str, tmp_path: Path) -> None:
    model = some_model(2, INDEXED)
    model = model.with_row_bounds(0, -INF, model.row_upper[0])
    write_model(model, tmp_path / f"a{suffix}")
    back = read_model(tmp_path / f"a{suffix}")
    assert (back.col_names, back.row_names) == (model.col_names, model.row_names)
    assert back.value.tolist() == model.value[np.lexsort((model.index, model.entry_rows))].tolist()


def test_gurobi_reads_the_names_that_are_written(env: Any, tmp_path: Path) -> None:
    import gurobipy as gp

    model = some_model(2, INDEXED)
    model = model.with_row_bounds(0, -INF, model.row_upper[0])
    write_model(model, tmp_path / "a.lp")
    with gp.read(str(tmp_path / "a.lp"), env) as m:
        assert {v.VarName for v in m.getVars()} >= set(model.col_names)
        assert {c.ConstrName for c in m.getConstrs()} == set(model.row_names)


def test_a_binary_column_is_cut_to_0_and_1(tmp_path: Path) -> None:
    text = "NAME\nROWS\n N o\n G r\nCOLUMNS\n M 'MARKER' 'INTORG'\n b o 1 r 1\n"
    text += " M 'MARKER' 'INTEND'\nRHS\n R r 1\nBOUNDS\n FX B b 1\n BV B b\nENDATA\n"
    (tmp_path / "a.mps").write_text(text)
    assert read_model(tmp_path / "a.mps").col_lower.tolist() == [1.0]
    (tmp_path / "a.mps").write_text(text.replace("FX B b 1", "FX B b 7"))
    crossed = read_model(tmp_path / "a.mps")
    assert (crossed.col_lower.item(), crossed.col_upper.item()) == (7.0, 1.0)


@pytest.mark.data
def test_the_files_of_bench4opt_are_read() -> None:
    root = Path(os.environ.get("ORDOJO_DATA", ""), "bench4opt")
    files = [*root.glob("LP/**/model.lp"), *root.glob("MILP/**/model.lp")]
    if not os.environ.get("ORDOJO_DATA") or not files:
        pytest.skip("no ORDOJO_DATA")
    read = 0
    for path in files:
        try:
            model = read_model(path)
        except DataError as error:
            assert "quadratic" in str(error)
            continue
        assert model.n and model.m
        read += 1
    assert (len(files), read) == (425, 418)


def test_objectives_with_constants_come_back_from_lp(env: Any, tmp_path: Path) -> None:
    import gurobipy as gp

    with gp.Model(env=env) as m:
        x, y = m.addVar(ub=10, name="x"), m.addVar(ub=10, name="y")
        m.setObjectiveN(x + 3, 0, priority=2, name="one")
        m.setObjectiveN(2 * y - x + 1, 1, priority=1, name="two")
        m.update()
        write_model(problem_of_object(m), tmp_path / "m.lp")
        m.optimize()
        with gp.read(str(tmp_path / "m.lp"), env=env) as back:
            back.optimize()
            assert (back.NumObj, back.ObjVal) == (2, m.ObjVal)


@pytest.mark.parametrize("name", ["max", "Binary", "st.", "pwlobj", "generals"])
def test_words_of_the_format_are_no_names(env: Any, name: str, tmp_path: Path) -> None:
    import gurobipy as gp

    with gp.Model(env=env) as m:
        m.addVar(name=name)
        m.update()
        with pytest.raises(DataError, match="cannot hold the name"):
            write_model(problem_of_object(m), tmp_path / "m.lp")


def test_functions_with_options_are_read_back(env: Any, tmp_path: Path) -> None:
    import gurobipy as gp

    m = gp.Model(env=env)
    x, y, z = (m.addVar(0.1, 9, name=name) for name in "xyz")
    m.addGenConstrLogA(x, y, 2.0, "a", "FuncPieces=4")
    m.addGenConstrPWL(x, y, [0, 1, 2], [0, 1, 4], "b")
    m.addGenConstrPow(y, z, 0.5, "c", "FuncPieces=-1 FuncPieceError=0.01 FuncNonlinear=1")
    m.addGenConstrExp(x, z, "d")
    m.addGenConstrPoly(x, z, [1, 0, 2], "e", "FuncPieceLength=0.5")
    m.addGenConstrMax(z, [x, y], 2.0, "f")
    m.update()
    read = []
    for suffix in ("lp", "mps"):
        m.write(str(tmp_path / f"a.{suffix}"))
        parts = read_problem(tmp_path / f"a.{suffix}").parts
        read.append([p for p in parts if isinstance(p, General)])
    assert "( FuncPieces=4 )" in (tmp_path / "a.lp").read_text()
    first, second = (
        [(p.name, p.function, p.result, [*p.operands], p.numbers) for p in one] for one in read
    )
    assert first == second and [name for name, *_ in first] == list("abcdef")


@pytest.mark.parametrize(
    ("functions", "part"),
    [
        ("f: y = LOG_2(x)\n g: y = EXP ( x )", "'f:' begins no function like"),
        ("f: y = EXP ( x )\n g: y = LOG_2(x)", "'EXP' is a function that is not read here"),
        ("f: ( FuncPieces=4 y = EXP ( x )", "'f:' begins no function"),
        ("f: y = LOG_2 ( x ) : (0.1, 1) (1, 1)", "'LOG_2' is a function that is not read here"),
        ("f: y = PWL ( x ) : (0, 1) (1, 1) 3", "'PWL' is a function that is not read here"),
    ],
)
def test_no_function_is_lost_or_taken_for_another(
    functions: str, part: str, tmp_path: Path
) -> None:
    text = f"Minimize\n y\nSubject To\n c: x + y >= 1\nGeneral Constraints\n {functions}\nEnd\n"
    (tmp_path / "a.lp").write_text(text)
    with pytest.raises(DataError, match=part):
        read_problem(tmp_path / "a.lp")
