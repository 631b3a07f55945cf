import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.core.readers.values import last_statements, read_number, read_objective, read_value

READ = [
    ("Optimal value: 0,125", 0.125, "answer"),
    ("optimal_value = 1,234.5", 1234.5, "answer"),
    ("optimal_value = 5\nCorrected: optimal_value = 7", 7.0, "answer"),
    ("Objective value: 35.9999999997\nRounded objective value: 36", 35.9999999997, "answer"),
    ("Objective value: 36\nOptimal value of x: 2", 36.0, "answer"),
    ("  5    6.3714286e+02   0.00e+00      0s\noptimal_value = 637.14", 637.14286, "answer"),
    ("bound 637.1449\noptimal_value = 637.14\n637.1428571 was found", 637.14, "answer"),
    ("x = 36.1428571\noptimal_value = 36.1", 36.1, "answer"),
    ("share 1234.5678%\noptimal_value = 1234.57", 1234.57, "answer"),
    ('{"objective value": 3.5, "variables": {"x": 1}, "status": "optimal"}', 3.5, "answer"),
    ('{\n  "objective_value": 3.5e2,\n  "status": "OPTIMAL"\n}', 350.0, "answer"),
    ("{'objective_value': np.float64(-12.5)}", -12.5, "answer"),
    ("Just print the best solution: 1e+16", 1e16, "answer"),
    ("Just print the best solution: -0.0", 0.0, "answer"),
    ("**Optimal value:** 17", 17.0, "answer"),
    ("Optimal objective value found: 8.", 8.0, "answer"),
    ("optimal_value = −1,234.5", -1234.5, "answer"),
    ("optimal value = $1,234,567.89", 1234567.89, "answer"),
    ("Optimal value: 12\u202f345.6", 12345.6, "answer"),
    ("Optimal value: 1'234'567", 1234567.0, "answer"),
    ("Optimal value: 1.234.567,89", 1234567.89, "answer"),
    ("Optimal value: 3,75", 3.75, "answer"),
    ("Optimal value: 1.5×10⁴", 15000.0, "answer"),
    ("Optimal value: 2 x 10^-3", 0.002, "answer"),
    ("Optimal value is 355/113", 355 / 113, "answer"),
    ("The optimal value is 355/113. Done.", 355 / 113, "answer"),
    ("Optimal value: 40\nLet me double check: 42 fits.\nOptimal value: 42", 42.0, "answer"),
    ("optimal_value = inf", math.inf, "answer"),
    ("optimal_value = -Infinity", -math.inf, "answer"),
    ("optimal_value = -∞", -math.inf, "answer"),
    ("Objective: 12\nObjective bound: 10", 12.0, "objective"),
    ("Minimum total cost (USD): $1,200\nOptimal number of trucks: 5", 1200.0, "objective"),
    ("Maximized annual income: 135000.00 dollars\nProperty 1: 0", 135000.0, "objective"),
    ("Total cost: 12\nTotal time: 0.3 seconds", 12.0, "total"),
    ("x = 3\nZ = 12", 12.0, "measure"),
    ("Total profit: €5.5 million", 5.5e6, "total"),
    ("Optimal objective  1e+16", 1e16, "log"),
    ("Best objective 3.050000000000e+03, best bound 3.0e+03, gap 1.6%", 3050.0, "log"),
    ("Best solution   : 3050.000000000\nBest bound      : 3050.0", 3050.0, "log"),
    ("Unused seats: 37\nTotal weighted preference: 4215.0", 4215.0, "named"),
    ("numerator: 12\nOptimal ratio: 0.4286", 0.4286, "named"),
    ("Primary objective: 92500.0\nSecondary objective: 6", 92500.0, "objective"),
    ("Gurobi status 2 (optimal)\nLeader objective (toll): 1208.40", 1208.4, "objective"),
    ("Zysk = 240 zł", 240.0, "measure"),
    ("最大利润为3000元。", 3000.0, "objective"),
    ("最小成本是 3,000 美元，此时 x=20, y=30。", 3000.0, "objective"),
    ("Le profit maximal est de 3 000 euros.", 3000.0, "objective"),
    ("x=2\nmin f(x,y) = -4.0", -4.0, "measure"),
    ("Total profit: 50*20 + 60*30 = 2800", 2800.0, "total"),
    ("Objective: 2800 - 100 = 2700", 2700.0, "objective"),
    ("We need 6 vans, for a total of 42 trips.", 42.0, "total"),
    (
        "If we produce 20 units of A and 30 units of B, the maximum profit is 900.",
        900.0,
        "objective",
    ),
    ("If all constraints are respected, the minimum total cost is $1,250.", 1250.0, "objective"),
    (
        "We checked whether the plan is feasible, and it is, so the optimal value is 42.",
        42.0,
        "answer",
    ),
    ("If you buy 3 trucks and 2 vans the total cost is 3100", 3100.0, "total"),
    ("Optimal cost: 77, otherwise the 3 depots overflow.", 77.0, "objective"),
    ("x is 2 and y is 3\n-42.5\n", -42.5, "last line"),
    ("１２３", 123.0, "last line"),
    ("Max probability: 0.84 (0.8371)", 0.8371, "measure"),
    ("Optimal cost: 1366.67\n1366.6666666666667", 1366.6666666666667, "objective"),
    ("Optimal cost: 100 (12 trucks)", 100.0, "objective"),
    ("Approximately 19, more exactly 18.9737", 18.9737, "measure"),
    ("Total weight: 24\nTotal value: 65", 65.0, "total"),
    ("Weight: 24\nValue: 65", 65.0, "measure"),
    ("Total weight: 24", 24.0, "total"),
    ("The vertex is (4, 6): $z = 148$.\n\n$$\\boxed{148}$$", 148.0, "last line"),
    ("The best plan opens 3 warehouses and costs 74,200 dollars per year.", 74200.0, "named"),
    ("7 trucks at 800 each gives 5600.\n\n#### 5600", 5600.0, "answer"),
    ("#### 3 options\nTotal cost: 5", 5.0, "total"),
    ("Оптимальное значение целевой функции: 1275.0", 1275.0, "answer"),
    ("Valor da função objetivo: 12,5", 12.5, "answer"),
    ("(28.0, [4, 0, 2])", 28.0, "last line"),
    ("(True, 9.0, array([1., 2., 0.]))", 9.0, "last line"),
    ("('obj', 3.75)", 3.75, "measure"),
    ("f(1.0) = 20.0\nf(1.8) = 16.4\nMinimum f = 16.4 at x = 1.8", 16.4, "objective"),
    ("Max revenue: $48.5k", 48500.0, "objective"),
    ("The optimal value equals 25/2. It is reached at x = 1.", 12.5, "answer"),
    ("1.234", 1.234, "last line"),
    ("1\n467.5", 467.5, "last line"),
    ("4200.0\n[20.0, 60.0]", 4200.0, "last line"),
    ("Optimal value: 3 1/2", 3.5, "answer"),
    ("The optimal value is minus 7.5.", -7.5, "answer"),
    ("Optimal value ≈ 3.5", 3.5, "answer"),
    (r"The answer is 4.2 \times 10^{3}.", 4200.0, "answer"),
    ("ans = 4200", 4200.0, "answer"),
    ("答案：4200", 4200.0, "answer"),
    ("Total profit: US$4,200", 4200.0, "total"),
    ("Total profit: $4.2M", 4.2e6, "total"),
    ("Cheapest: 99", 99.0, "objective"),
    ("The fewest trips needed is 14.", 14.0, "objective"),
    ("At (20, 60), P = 4200, which is the maximum.", 4200.0, "objective"),
    ("The LP relaxation gives 13.5. The integer optimum is 14.", 14.0, "objective"),
    ("Optimal solution: x=20, y=60, profit=4200", 4200.0, "named"),
    ("x=20.0, y=60.0 => profit 4200.0", 4200.0, "named"),
    ("Shortest path: A -> B -> C with cost 42", 42.0, "named"),
    ("The optimum is attained at x=4 with value 14.", 14.0, "named"),
    ("Number of bins used: 4", 4.0, "named"),
    ("The optimal value turns out to be 4200.", 4200.0, "answer"),
    ("The total cost will be $350.", 350.0, "total"),
    ("Total cost: 5*50 + 2*50 = 250 + 100 = 350", 350.0, "total"),
    ("Optimal value – 4200", 4200.0, "answer"),
    ("Optimal value is 12,00,000.", 1.2e6, "answer"),
    ("Optimal value is 1.200.000.", 1.2e6, "answer"),
    ("Zmin = 350", 350.0, "measure"),
    ("The cheapest option costs $350.", 350.0, "named"),
    (r"**Optimal value:** \(350\)", 350.0, "answer"),
    ("Using PuLP: 29.0\nUsing scipy: 29.0", 29.0, "named"),
    ("*  2: obj =   3.6e+01 inf =   0.0 (0)\nOPTIMAL LP SOLUTION FOUND", 36.0, "log"),
    ("    obj : Size=1\n        Key  : Active : Value\n        None :   True :  36.0", 36.0, "log"),
]

WORDS = [
    ("optimal_value = INFEASIBLE", "infeasible", "answer"),
    ("Optimization status: 5\noptimal_value = UNBOUNDED", "unbounded", "answer"),
    ("optimal_value = ERROR", "no solution", "answer"),
    ("{'objective_value': None}", "no solution", "answer"),
    ("Model is infeasible", "infeasible", "verdict"),
    ("No Best Solution", "no solution", "verdict"),
    ("there is no feasible solution.", "infeasible", "verdict"),
    ("No feasible solution found.\nBest bound: 1754.3", "infeasible", "verdict"),
    ("INFEASIBLE: no solution exists", "infeasible", "verdict"),
]


@pytest.mark.parametrize(("output", "value", "how"), READ)
def test_a_value_is_read(output: str, value: float, how: str) -> None:
    stated = read_objective(output)
    assert stated is not None
    assert (stated.value, stated.word, stated.how) == (pytest.approx(value, rel=1e-15), None, how)


@pytest.mark.parametrize(("output", "word", "how"), WORDS)
def test_a_word_is_read(output: str, word: str, how: str) -> None:
    stated = read_objective(output)
    assert stated is not None
    assert (stated.value, stated.word, stated.how) == (None, word, how)


@pytest.mark.parametrize(
    "output",
    [
        "",
        "\n",
        "optimal_value = 5\noptimal_value = 7",
        "Cost: 410\nProfit: 220",
        "done",
        "x[0] = 3\ny = 4 units",
        "Total nodes: 12",
        "Total time available is 80 hours.",
        "The profit function is 5x. The minimum number of boxes is 10.",
        "If x is integer, the optimum is 2990; otherwise it is 3000.",
        "If x is integer the optimum is 2990; otherwise it is 3000.",
        "The maximum profit is 2990 if x is integer, otherwise it is 3000.",
        "The maximum profit is 2990 if x is integer, or else $3000.",
        "Total profit: 1000 +",
        "452.0\n467.5",
        "Best bound: 1754.3",
        "The cheapest plan costs 50 dollars per unit.",
        "A chair sells for a profit of 30 and a table for a profit of 60.",
        "The optimum is attained at x=4.",
        "Number of variables: 12",
        "Exit code: 3",
        "Optimal value: 4200 or maybe 4300",
    ],
)
def test_nothing_is_read_where_nothing_is_said(output: str) -> None:
    assert read_objective(output) is None


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("optimal_value = 5\noptimal_value = 7", [7.0]),
        ("Total cost: 5\nTotal cost: 7", [7.0]),
        ("Cost: 410\nProfit: 220", []),
        ("Minimum cost: 5\nMaximum load: 3\nTotal cost: 9", [5.0]),
        ("3\n4", []),
        ("x = 3\n4.0", [4.0]),
        ("Optimal value: 5\nModel is infeasible", [5.0, "infeasible"]),
        ("Status: infeasible\nTotal cost: 0.0", ["infeasible", 0.0]),
        ("Total cost: 5\nThe problem is not infeasible.", [5.0]),
        ("Optimal value: 5\nNo solution below 5 was found", [5.0]),
        ("Optimal value: 5\nInfeasible: False", [5.0]),
        ("Optimal value: 5\nUnbounded? No.", [5.0]),
        ("Optimal value: 5\nInfeasible: no plan fits", [5.0, "infeasible"]),
        ("The model is infeasible or unbounded.", ["no solution"]),
    ],
)
def test_the_last_statements_are_read(output: str, expected: list[object]) -> None:
    assert [one.word or one.value for one in last_statements(output)] == expected


def test_a_reply_that_breaks_off_in_its_reckoning_states_nothing() -> None:
    told = "Total cost of labour is 15 per hour. With x = 4 the revenue is"
    assert read_value(told) is None
    assert read_value(f"{told} 180.\nOptimal value: 180") == 180.0
    assert read_value("The maximum profit is 3000. It is reached where") == 3000.0


def test_a_boxed_number_may_have_money_and_grouped_thousands() -> None:
    assert read_value(r"So \[\boxed{\$3{,}000}\]") == 3000.0


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("The optimal value is 4100... no, it's 4200.", 4200.0),
        ("The optimal value isn't 4100 but 4200.", 4200.0),
        ("The optimal value is 4200. Wait, chairs alone have a total cost of 12. Fine.", 4200.0),
        ("You said the optimal value is 4200, but it is 4300.", 4300.0),
        ("My friend claims the optimal value is 4200.", None),
        ("Thus, $Z = 20(30) + 60(60) = \\mathbf{4200}$.", 4200.0),
        ("4,200 dollars", 4200.0),
        ("≈ 4200", 4200.0),
        ("Therefore, 350.", 350.0),
        ("It's 350.", 350.0),
        (r"\boxed{\approx 350.7}", 350.7),
        (r"\boxed{35\%}", None),
        ("Answer: 5 trucks and 2 vans", None),
        ("Is the optimal value 350?", None),
        ("The company should make 20 chairs and 60 tables to earn $4,200.", 4200.0),
    ],
)
def test_a_value_is_read_where_the_reply_commits_itself(reply: str, value: float | None) -> None:
    assert read_value(reply) == value


def test_what_is_said_in_passing_is_no_last_statement() -> None:
    assert last_statements("Chairs: 20, profit = 600") == ()


def test_an_answer_before_a_long_listing_is_read() -> None:
    listing = "".join(f"x[{i}] = 0.0\n" for i in range(20_000))
    stated = read_objective(f"Optimal value: 1200\n{listing}")
    assert stated is not None
    assert stated.value == 1200.0


@given(st.floats(-1e7, 1e7), st.integers(0, 6))
def test_the_unit_is_one_in_the_last_digit(value: float, decimals: int) -> None:
    for text in (f"{value:.{decimals}f}", f"{value:,.{decimals}f}", f"{value:.{decimals}e}"):
        (stated,) = last_statements(f"optimal_value = {text}")
        assert stated.value is not None
        assert abs(stated.value - value) <= stated.unit * (0.5 + 1e-3)


def test_not_a_number_is_read_as_such() -> None:
    stated = read_objective("Objective value: nan")
    assert stated is not None
    assert stated.value is not None
    assert math.isnan(stated.value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_whatever_python_prints_is_read_back(value: float) -> None:
    assert read_number(repr(value)) == value
    stated = read_objective(f"optimal_value = {value}")
    assert stated is not None
    assert stated.value == value


@given(st.floats(-1e12, 1e12), st.integers(0, 6))
def test_grouped_thousands_are_read_back(value: float, decimals: int) -> None:
    assert read_number(f"{value:,.{decimals}f}") == float(f"{value:.{decimals}f}")


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    read_objective(text)
    read_number(text)
    last_statements(text)


HUGE = ["1" * 10**6, "total " * 20_000, "Optimal value " * 10_000, "1," * 10**5, " " * 10**6]
HUGE += ["objective value (" * 9_000, "optimal a " * 10_000, "optimal_value = " + "1,111" * 20_000]
HUGE += ["1.5\n" * 25_000, "Weight: 1\n" * 10_000, "the best plan " * 8_000, "(1.0, [" * 20_000]
HUGE += ["Total profit: " + "1 + " * 250_000, "Optimal value: 1 otherwise " * 40_000]


@pytest.mark.parametrize("output", HUGE)
def test_a_long_output_costs_no_more_than_its_length(output: str) -> None:
    started = time.process_time()
    read_objective(output)
    read_value(output)
    last_statements(output)
    assert time.process_time() - started < 5
