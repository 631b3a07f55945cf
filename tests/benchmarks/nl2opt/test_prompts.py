"""Prompts: the right template, every slot filled, data within the budget, never a gold."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from ordojo.benchmarks.nl2opt import BENCHMARK
from ordojo.benchmarks.nl2opt.prompts import _SLOT, preview, prompt, shorten, template, template_for
from ordojo.benchmarks.nl2opt.schema import LIBRARIES, WordProblem
from tests.benchmarks.nl2opt.made import instance, options
from tests.core.helpers import published_folder


def problem(**more: object) -> WordProblem:
    given: dict[str, object] = {
        "dataset": "complexor@cleaned-18",
        "question": "Which [Data Path] is best?",
        "golds": (),
        "status": "ok",
        "documents": {"data.json": json.dumps({"n": 3, "cost": list(range(400))})},
        "parameters": {"n": 3, "cost": list(range(400)), "not a name": 1},
    }
    return WordProblem(**(given | more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("dataset", "name"),
    [
        ("bench4opt@valid-423", "bench4opt"),
        ("miplib-nl@original-223", "miplib-nl"),
        ("complexor@orthought-18", "complexor"),
        ("industryor@cleaned-42", "optmath"),
        ("my.jsonl", "optmath"),
    ],
)
def test_the_papers_choice(dataset: str, name: str) -> None:
    assert template_for(dataset) == name
    assert template_for(dataset, "neutral") == "neutral"


PROMPTS = ("optmath", "bench4opt", "miplib-nl", "complexor", "neutral")


@pytest.mark.parametrize("name", PROMPTS)
@pytest.mark.parametrize("files", [True, False])
def test_every_slot_is_filled_once(name: str, files: bool) -> None:
    asked = problem() if files else problem(documents={}, parameters={})
    text = prompt(asked, options(prompt=name))
    assert "Which [Data Path] is best?" in text  # not filled in: it is the question's own
    assert not _SLOT.search(text.replace("Which [Data Path]", ""))
    assert ("data.json" in text) is (files and name != "miplib-nl")


@pytest.mark.parametrize("name", PROMPTS)
def test_templates_ask_for_a_readable_answer(name: str) -> None:
    text = template(name)
    assert "[Problem Description]" in text
    assert "optimal_value" in text or name == "optmath"


def test_the_neutral_prompt_names_libraries() -> None:
    every = prompt(problem(), options(prompt="neutral"))
    assert all(library in every for library in LIBRARIES)
    one = prompt(problem(), options(prompt="neutral", library="PuLP"))
    assert "PuLP" in one and "cvxpy" not in one


def test_code_example_reads_the_data() -> None:
    text = prompt(problem(), options())
    assert "cost = data['cost']" in text and "not a name =" not in text


def test_no_prompt_shows_a_gold() -> None:
    for found in BENCHMARK.load(options(), 0):
        for name in PROMPTS:
            text = prompt(found.problem, options(prompt=name))
            assert found.problem.program not in text
            assert "reference" not in text and "test.jsonl" not in text


def test_data_files_are_described_where_there_is_no_place_for_them() -> None:
    text = prompt(instance("crate-return").problem, options())
    assert "# Data files" in text and "data/depots.csv\ndepot,stock,x,y" in text
    assert "# Data files" not in prompt(instance().problem, options())


def test_preview_keeps_its_budget(tmp_path: Path) -> None:
    rows = "".join(f"{k},{k * k}\n" for k in range(5000))
    (tmp_path / "big.csv").write_text("a,b\n" + rows)
    inputs = {"small.csv": b"x,y\n1,2\n", "big.csv": tmp_path / "big.csv", "b.json": b"[1, 2]"}
    text = preview(inputs, {"big.csv": "squares"}, 100)
    assert len(text) < 100 * 4 + 200
    assert "small.csv\nx,y\n1,2" in text and "[1, 2]" in text
    assert "big.csv: squares\na,b\n0,0" in text and "5,001 lines in all" in text
    assert preview(inputs, {}, 0) == "small.csv\n\nbig.csv\n\nb.json"


def test_shorten() -> None:
    value = {"n": 3, "cost": list(range(400)), "name": "x"}
    short = shorten(json.dumps(value), 120)
    assert json.loads(short)["cost"][-1] == "... 400 in all" and json.loads(short)["n"] == 3
    assert shorten("abc", 3) == "abc"
    assert shorten("x" * 1000, 50).startswith("x" * 50 + " ... (1,000 characters")
    assert shorten("[" * 100_000, 40).startswith("[" * 40)


PRINTED = {
    "optmath": "aac932b755c6fea0",
    "bench4opt": "15c21e5c519134aa",
    "miplib-nl": "ae5bf5804c28b0d5",
    "complexor": "15168a1d3c209d26",
}
"""Of each template's words and marks as appendix J prints them, taken from the paper's text."""


@pytest.mark.parametrize("name", PRINTED)
def test_templates_are_the_papers_to_the_letter(name: str) -> None:
    # The page has no fences around code, and its text layer no underscores.
    text = template(name).replace("```python", "").replace("```", "").replace("_", " ")
    words = " ".join(re.findall(r"\w+|[^\w\s]", text))
    assert sha256(words.encode()).hexdigest()[:16] == PRINTED[name]


@pytest.mark.data
def test_miplib_prompts() -> None:
    published_folder()
    asked = {"dataset": "miplib-nl@unpacked-20", "items": "30n20b8"}
    (found,) = BENCHMARK.load(options(**asked), 0)
    text = prompt(found.problem, options(**asked, preview=500))
    assert '"time_limit": 212' in text and "data/precedence.csv: A table" in text
    assert "Base Path for Data Files: ." in text and "optimal_value" in text
    assert len(text) < 12_000
    printed = prompt(found.problem, options(**asked))
    assert '"time_limit": 212' in printed and "data/precedence.csv: A table" in printed
    assert printed == prompt(found.problem, options(**asked, preview=0))
    assert len(printed) < len(text) - 1000


def test_a_preview_is_shown_where_the_prompt_has_a_place_for_it() -> None:
    whole = json.dumps({"n": 3, "cost": list(range(400))})
    for name in ("bench4opt", "neutral", "optmath"):
        assert whole in prompt(problem(), options(prompt=name))
        assert "cost" not in prompt(problem(), options(prompt=name, preview=0))
