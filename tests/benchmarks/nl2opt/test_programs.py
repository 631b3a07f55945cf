import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.core.programs import find_program

WHOLE = "import gurobipy as gp\nm = gp.Model()\nm.optimize()\n"
OTHER = "import gurobipy as gp\nm = gp.Model('second')\nm.optimize()\n"


def fenced(code: str, language: str = "python", fence: str = "```") -> str:
    return f"{fence}{language}\n{code}{fence}\n"


@pytest.mark.parametrize(
    "reply",
    [
        fenced(WHOLE),
        fenced(WHOLE, "py"),
        fenced(WHOLE, "Python3 title='model'"),
        fenced(WHOLE, "{.python .numberLines}"),
        fenced(WHOLE, ""),
        fenced(WHOLE, fence="~~~~"),
        fenced(WHOLE).replace("\n", "\r\n"),
        "Here it is:\n\n" + fenced(WHOLE) + "It minimizes the cost.",
        "1. First\n" + "".join(f"   {line}\n" for line in fenced(WHOLE).splitlines()),
        fenced("pip install gurobipy\n", "bash") + fenced(WHOLE),
        fenced("min x + y\n", "") + fenced(WHOLE) + fenced("Optimal objective 5\n", ""),
        "<think>\nmaybe " + fenced(OTHER) + "</think>\n" + fenced(WHOLE),
        f"<python>\n{WHOLE}</python>",
        f"<python>\n{fenced(WHOLE)}</python>",
        f"Here is the code:\n{WHOLE}",
        f"{WHOLE}\nThis program solves the problem, doesn't it?",
    ],
)
def test_one_program_is_found_however_it_is_marked(reply: str) -> None:
    found = find_program(reply)
    assert (found.program, found.problem, found.truncated) == (WHOLE, "", False)


def test_of_several_programs_the_last_whole_one_counts() -> None:
    reply = fenced("x = 1\n") + fenced(OTHER) + fenced(WHOLE) + fenced("print(m.ObjVal)\n")
    found = find_program(reply)
    assert (found.program, found.how, found.blocks) == (WHOLE, "last whole", 4)


def test_fragments_are_joined() -> None:
    found = find_program("".join(fenced(line + "\n") for line in WHOLE.splitlines()))
    assert found.how == "joined"
    assert found.program is not None
    assert [line for line in found.program.splitlines() if line] == WHOLE.splitlines()


def test_the_last_block_that_parses_is_better_than_one_that_does_not() -> None:
    found = find_program(fenced("x = 1\n") + fenced("def f(:\n"))
    assert (found.program, found.how) == ("x = 1\n", "last parsed")


def test_a_syntax_error_is_the_models_own() -> None:
    assert find_program(fenced("def f(:\n")).program == "def f(:\n"
    assert find_program(fenced("def f(:\n") + fenced("a b\n")).program == "a b\n"


def test_a_reply_that_broke_off_is_marked() -> None:
    found = find_program("```python\n" + WHOLE)
    assert (found.program, found.truncated) == (WHOLE, True)


def test_a_fence_inside_a_longer_fence_belongs_to_the_program() -> None:
    code = "s = '''\n```\n'''\n" + WHOLE
    assert find_program(fenced(code, fence="````")).program == code


def test_an_invalid_escape_is_no_warning() -> None:
    assert find_program(fenced("print('\\$5')\n")).program == "print('\\$5')\n"


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("The optimum is 5.", "there is no Python code in the reply"),
        (fenced("max 3 x + y\n", ""), "there is no Python code in the reply"),
        (fenced("\n"), "there is no Python code in the reply"),
        ("From this we import nothing.", "there is no Python code in the reply"),
        ("<think>" + fenced(WHOLE), "the reply ended inside its thinking"),
        (fenced("using JuMP\n", "julia"), "the only code is in julia, not in Python"),
        ("<python></python>", "the reply's program is empty"),
    ],
)
def test_without_a_program_the_problem_is_named(reply: str, problem: str) -> None:
    found = find_program(reply)
    assert (found.program, found.problem) == (None, problem)


@given(st.text())
def test_any_reply_can_be_read(reply: str) -> None:
    for text in (reply, f"```python\n{reply}", f"import x\n{reply}"):
        found = find_program(text)
        assert (found.program is None) == bool(found.problem)


HUGE = ["(" * 50_000, "```python\n" + "(" * 50_000 + "\n```", "import x\n" + "a b\n" * 10_000]
HUGE += ["```\n" * 50_000, "A" * 1_000_000, "<python>" * 20_000, "```python\n" + "x=1\n" * 10**6]
HUGE += ["\ud800 ```", "```python\n" + "-" * 100_000 + "1\n```", " " * 10**6 + "import"]


@pytest.mark.parametrize("reply", HUGE)
def test_a_long_reply_costs_no_more_than_its_length(reply: str) -> None:
    started = time.process_time()
    find_program(reply)
    assert time.process_time() - started < 5
