"""What the parser reads, what it refuses and where, and that nothing else ever comes out."""

import random
import time

import pytest

from ordojo.core.errors import DataError
from ordojo.milp.expressions import (
    ExpressionError,
    LinearConstraint,
    parse_constraint,
)

INF = float("inf")
NAMES = ["x", "y", "x[0]", "x[1]", "x[2]", "z[a]", 'z["b"]', "w[1,2]", "q_1", "RC.3#1", "2RH"]
NAMES += ["f(1)", "odd name", "e5", "tick`s"]
COLS = {name: j for j, name in enumerate(NAMES)}


def read(text: str) -> tuple[dict[str, float], float, float]:
    found = parse_constraint(text, COLS)
    assert list(found.index) == sorted(found.index)
    return (
        {NAMES[j]: v for j, v in zip(found.index, found.value, strict=True)},
        found.lower,
        found.upper,
    )


@pytest.mark.parametrize(
    ("text", "terms", "lower", "upper"),
    [
        ("2*x + 3*y <= 100", {"x": 2, "y": 3}, -INF, 100),
        ("2x + 3 y =< 100", {"x": 2, "y": 3}, -INF, 100),
        ("x[0] + x[ 1 ] ≥ 3", {"x[0]": 1, "x[1]": 1}, 3, INF),
        ("w[1, 2] − 2·y ≤ 4", {"w[1,2]": 1, "y": -2}, -INF, 4),
        ("w[1][2] => 4", {"w[1,2]": 1}, 4, INF),
        ("z[\"a\"] + z['b'] = 3", {"z[a]": 1, 'z["b"]': 1}, 3, 3),
        ("3*(x + y) - 2(x - y)/4 >= x", {"x": 1.5, "y": 3.5}, 0, INF),
        ("10 <= x + y <= 20", {"x": 1, "y": 1}, 10, 20),
        ("20 >= x+y >= 10", {"x": 1, "y": 1}, 10, 20),
        ("20 <= x + 1 <= 10", {"x": 1}, 19, 9),
        ("x + y == [10, 20]", {"x": 1, "y": 1}, 10, 20),
        ("x + 4 <= y + 10", {"x": 1, "y": -1}, -INF, 6),
        ("-x <= -3", {"x": -1}, -INF, -3),
        ("- -x * 2 <= 2 * 3 * 4 / 6", {"x": 2}, -INF, 4),
        ("1/2 x <= 1e-3", {"x": 0.5}, -INF, 0.001),
        ("2e5 x <= 1_000", {"x": 2e5}, -INF, 1000),
        ("2 e5 <= .5", {"e5": 2}, -INF, 0.5),
        ("2RH + 2 RC.3#1 <= 3", {"RC.3#1": 2, "2RH": 1}, -INF, 3),
        ("f(1) + 2 `odd name` <= 3", {"f(1)": 1, "odd name": 2}, -INF, 3),
        ('"odd name" + `tick``s` <= 3', {"odd name": 1, "tick`s": 1}, -INF, 3),
        ("q_{1} \\leq 3 \\cdot 2", {"q_1": 1}, -INF, 6),
        ("sum(x) <= 4", {"x[0]": 1, "x[1]": 1, "x[2]": 1}, -INF, 4),
        ("x.sum() <= 4", {"x[0]": 1, "x[1]": 1, "x[2]": 1}, -INF, 4),
        ("sum(x.values()) - x[1] <= 4", {"x[0]": 1, "x[2]": 1}, -INF, 4),
        ("sum(x[i] for i in range(3)) <= 4", {"x[0]": 1, "x[1]": 1, "x[2]": 1}, -INF, 4),
        ("gp.quicksum(i*x[i] for i in [0, 2]) <= 4", {"x[2]": 2}, -INF, 4),
        ("sum(x[i+1] - x[i] for i in range(2)) <= 3", {"x[0]": -1, "x[2]": 1}, -INF, 3),
        ("sum(w[i,j] for i in (1,) for j in range(2, 3)) >= 1", {"w[1,2]": 1}, 1, INF),
        ("sum([x, y]) + sum(z[k] for k in ['a']) >= -1", {"x": 1, "y": 1, "z[a]": 1}, -1, INF),
        ("2*sum(x[i] for i in x) <= 2", {"x[0]": 2, "x[1]": 2, "x[2]": 2}, -INF, 2),
        ('m.addConstr(x + y <= 3, name="c[1,2]")', {"x": 1, "y": 1}, -INF, 3),
        ("c1 = model.addConstr((x + y <= 3))", {"x": 1, "y": 1}, -INF, 3),
        ("prob += x + y <= 3, 'cap'", {"x": 1, "y": 1}, -INF, 3),
        ("m.c = pyo.Constraint(expr=m.x + m.y <= 3)", {"x": 1, "y": 1}, -INF, 3),
        ("cap: x + y <= 3;", {"x": 1, "y": 1}, -INF, 3),
        ("x <= y.", {"x": 1, "y": -1}, -INF, 0),
    ],
)
def test_reads(text: str, terms: dict[str, float], lower: float, upper: float) -> None:
    assert read(text) == (terms, lower, upper)


@pytest.mark.parametrize(
    ("text", "position", "part"),
    [
        ("", 0, "nothing"),
        ("x + y", 0, "relation"),
        ("x <= 3 + v", 9, "unknown variable 'v'"),
        ("q_2 <= 3", 0, "did you mean 'q_1'"),
        ("x[7] <= 3", 0, "did you mean 'x[2]'"),
        ("z <= 3", 0, "sum(z)"),
        ("x < 3", 2, "'<='"),
        ("x > 3", 2, "'>='"),
        ("x != 3", 2, "!="),
        ("x*y <= 3", 1, "product of variables"),
        ("x y <= 3", 2, "product of variables"),
        ("(x+1)(y+1) <= 3", 5, "product of variables"),
        ("x**2 <= 3", 1, "power"),
        ("x^2 <= 3", 1, "power"),
        ("1/x <= 3", 1, "division by a variable"),
        ("x/0 <= 3", 1, "division by zero"),
        ("x <= nan", 5, "'nan'"),
        ("x <= -inf", 6, "'inf'"),
        ("x <= 1e999", 5, "too large"),
        ("1e308*10*x <= 3", 11, "too large"),
        ("x == y == 3", 7, "second relation"),
        ("1 <= x >= 3", 7, "direction"),
        ("x <= y <= 3", 7, "outer side"),
        ("1 <= x <= 3 <= 4", 12, "third relation"),
        ("0 <= 5", 0, "no variable"),
        ("x - x <= 5", 0, "no variable"),
        ("abs(x) <= 3", 0, "function 'abs'"),
        ("x(3) <= 2", 1, "bracket after a name"),
        ("x <=", 4, "the end"),
        ("(x <= 3", 3, "unexpected '<'"),
        ("x) <= 3", 1, "unexpected ')'"),
        ("x[0 <= 3", 1, "unexpected '['"),
        ("1,000 x <= 3", 1, "unexpected ','"),
        ("sum(x[i] for i in P) <= 3", 18, "unknown set 'P'"),
        ("sum(x[i] for i in range(3) if i) <= 3", 27, "conditions"),
        ("sum(x[i] for i in range(10000000)) <= 3", 4, "unknown variable 'x[3]'"),
        ("sum(x for i in range(10000000)) <= 3", 6, "too many"),
        ("(" * 101 + "x" + ")" * 101 + " <= 3", 100, "too deep"),
        ("x" * 20_001, 20_000, "20001"),
        ("x ? <= 3", 2, "unexpected character"),
    ],
)
def test_refuses_with_the_place(text: str, position: int, part: str) -> None:
    with pytest.raises(ExpressionError) as error:
        parse_constraint(text, COLS)
    assert part in str(error.value)
    assert f"at position {position}" in str(error.value)
    assert error.value.position == position
    assert isinstance(error.value, DataError)


def test_an_expression_keeps_its_constant() -> None:
    assert read("2*(x + 3) - y/4 + y - 0.75 y >= 7") == ({"x": 2.0}, 1.0, INF)


def test_a_hundred_brackets_are_read() -> None:
    assert parse_constraint("(" * 100 + "x" + ")" * 100 + " <= 3", COLS) == LinearConstraint(
        (0,), (1.0,), -INF, 3.0
    )


PIECES = [*NAMES, "sum(", " for ", " i ", " in ", "range(3)", "x[i]", *"()[],+-*/<>=\"'`.:;{}#^!~"]
PIECES += ["<=", ">=", "==", "1", "2.5", "1e999", "nan", " ", "\n", "\\le", "≤", "−", "²", "٣"]
PIECES += ["\ud800", "\0", "x.sum", "x.values", "name=", "m.addConstr(", "c1:", "**", "é", "lambda"]


def test_no_text_does_anything_but_parse_or_be_refused() -> None:
    rng = random.Random(3)
    read = 0
    for k in range(30_000):
        text = "".join(rng.choice(PIECES) for _ in range(rng.randint(0, 14)))
        if k % 3 == 0:
            text = "".join(chr(rng.randrange(0x3000)) for _ in range(rng.randint(0, 25)))
        for each in (text, f"{text} <= 3"):
            try:
                parse_constraint(each, COLS)
                read += 1
            except ExpressionError as error:
                assert 0 <= error.position <= len(each)
                assert str(error).isprintable()
    assert read > 100


@pytest.mark.parametrize(
    "piece",
    ["(", "[", "x[", "sum(", "x+", "2*(x+", '"', "'\"`", ',"', "<=", "-", "1.", "[1,", 'x["[" '],
)
def test_long_garbage_is_quick(piece: str) -> None:
    text = (piece * 20_000)[:20_000]
    start = time.perf_counter()
    with pytest.raises(ExpressionError):
        parse_constraint(text, COLS)
    assert time.perf_counter() - start < 5
