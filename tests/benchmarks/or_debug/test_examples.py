"""Solved cases: what is found, what is shown of it, and that nothing is given away."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from ordojo.benchmarks.or_debug import examples
from ordojo.benchmarks.or_debug.build import SEED, load_set
from ordojo.benchmarks.or_debug.certificate import verify
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment
from ordojo.benchmarks.or_debug.examples import Retriever, TfIdf, look, shown, words
from ordojo.benchmarks.or_debug.injection.generate import generate
from ordojo.benchmarks.or_debug.schema import LIBRARY, TYPES, Debugging, OrDebugOptions
from ordojo.milp.tolerances import OBJECTIVE
from ordojo.solvers.highs import HighsOracle
from tests.benchmarks.or_debug.hand_made import BOUND, ROW, instance


@pytest.fixture(scope="module")
def asked() -> list[Debugging]:
    """Problems of the eval split, two of each type."""
    return [instance.problem for instance in load_set("eval")[:18]]


def test_the_library_is_of_the_train_split_and_has_every_type() -> None:
    assert Counter(case.type for case in examples.library()) == dict.fromkeys(TYPES, 20)
    assert {case.split for case in examples.library()} == {"train"}


@pytest.mark.parametrize(("index", "kind"), [*enumerate(TYPES)])
def test_the_library_is_what_its_seed_gives(index: int, kind: str) -> None:
    cases = [one for one in load_set(LIBRARY) if one.labels["type"] == kind]
    shipped = cases[index]
    solvers = {"highs": HighsOracle().version}
    if shipped.certificate.data["solvers"] != solvers:
        pytest.skip("the library was made with another version of HiGHS")
    again = generate("train", SEED, index, kind)
    assert again.objective == pytest.approx(shipped.problem.objective, rel=OBJECTIVE)
    assert replace(again, objective=shipped.problem.objective) == shipped.problem
    verify(shipped)


@pytest.mark.parametrize("by_type", [False, True])
def test_k_cases_are_found_and_never_the_problem_itself(by_type: bool) -> None:
    retriever = Retriever(examples.library())
    for problem in examples.library():
        found = retriever.find(problem, 3, by_type)
        assert len(found) == 3
        assert problem.text not in {case.text for case in found}


def test_by_type_gives_one_type_and_does_not_read_the_label(asked: list[Debugging]) -> None:
    retriever = Retriever(examples.library())
    for problem in asked:
        found = retriever.find(problem, 4, by_type=True)
        assert {case.type for case in found} == {retriever.likely_type(problem)}
        other = next(kind for kind in TYPES if kind != problem.type)
        hidden = replace(problem, type=other, fix=(), targets=(), original={}, iis_bounds=())
        assert retriever.find(hidden, 4, by_type=True) == found
        assert retriever.find(hidden, 4) == retriever.find(problem, 4)


def test_the_type_is_guessed_better_than_by_chance(asked: list[Debugging]) -> None:
    retriever = Retriever(examples.library())
    right = sum(retriever.likely_type(problem) == problem.type for problem in asked)
    assert right / len(asked) > 2 / 9


def test_the_most_similar_case_comes_first() -> None:
    cases = examples.library()
    twin = replace(cases[7], text=cases[7].text + " Soon.")
    assert Retriever(cases).find(twin, 1) == (cases[7],)


def test_tf_idf_is_one_for_the_same_words_and_zero_for_none() -> None:
    texts = [words(ROW), Counter({"steel": 2, "coal": 1})]
    vectors = TfIdf(texts)
    assert vectors.vectors @ vectors.vector(words(ROW)) == pytest.approx([1, 0])
    assert not vectors.vector(Counter({"unheard": 1})).any()
    # Rarer words weigh more: "coal" is in one text of two, "rye" in both.
    mixed = TfIdf([Counter({"coal": 1, "rye": 1}), Counter({"rye": 1})])
    assert mixed.vectors[0] @ mixed.vector(Counter({"coal": 1})) > 1 / np.sqrt(2)


def test_a_look_counts_what_can_be_seen() -> None:
    assert look(ROW)[:6] == pytest.approx([3, 1, 2, 0, 3 / 4, 2])
    # White must be 60 and can be 55: the row alone contradicts the bounds.
    assert (look(ROW)[6], look(BOUND)[6]) == (0, 1)
    bare = replace(ROW, iis_rows=())
    assert np.isfinite(look(bare)).all()


def test_each_strategy_shows_its_part() -> None:
    item = instance()
    quick, chain, kind = (
        shown(item, OrDebugOptions.model_validate({"rag": rag, "k": 2}))
        for rag in ("quick_fix", "reasoning", "by_type")
    )
    assert all(text.count("### Solved case ") == 2 for text in (quick, chain, kind))
    assert re.search(r"Pattern: .*; IIS of .*\nFix: [A-Z]+\(", quick)
    assert "Problem:" not in quick and "Diagnosis:" not in quick
    assert "Problem:" in chain and "Diagnosis:" in chain and "\nAction: " in chain
    assert kind.count("Kind of error: ") == 2 and "The conflict:\n  " in kind


@pytest.mark.parametrize("shots", [0, 1, 3])
def test_worked_examples_end_well(shots: int) -> None:
    text = shown(instance(), OrDebugOptions.model_validate({"shots": shots}))
    assert text.count("### Example ") == shots
    assert text.count("Status: INFEASIBLE\nIIS: ['") >= shots
    assert text.count("The model is OPTIMAL, and the work is done.") == shots
    last = text.split("### Example 3")[-1]
    if shots == 3:  # the third example is a cascade: two repairs, and an IIS between them
        assert last.count("Answer:") == 2 and last.count("Status: INFEASIBLE") == 2


def test_random_examples_are_drawn_by_seed_and_instance() -> None:
    options = OrDebugOptions(shots=3, examples="random")
    text = shown(instance(), options)
    assert text.count("### Example ") == 3
    assert text.count("The model is OPTIMAL, and the work is done.") == 3
    assert text == shown(instance(), options) != shown(instance(), OrDebugOptions(shots=3))
    assert len({shown(instance(), options, seed) for seed in range(4)}) == 4


def test_examples_follow_the_options() -> None:
    submit = OrDebugOptions.model_validate({"shots": 1, "end": "submit", "iis": "rows+bounds"})
    text = shown(instance(), submit)
    assert text.count("Answer:\nAction: SUBMIT()") == 1 and "Status: OPTIMAL" in text
    simulated = OrDebugOptions.model_validate({"shots": 3, "simulate": True, "history": "state"})
    assert shown(instance(), simulated) == shown(instance(), OrDebugOptions(shots=3))


def test_a_lesson_sets_the_description_by_the_model(asked: list[Debugging]) -> None:
    assert examples.lesson(ROW, ROW.fix[0]) == (
        "By the description rye_order is rye >= 40, but the model has rye >= 50."
    )
    assert examples.lesson(BOUND, BOUND.fix[0]) == (
        "By the description 0 <= white <= 90, but the model has 0 <= white <= 55."
    )
    lessons = {p.type: " ".join(examples.lesson(p, action) for action in p.fix) for p in asked}
    assert "Nothing in the description asks for" in lessons["D"]
    assert re.search(
        r"By the description \S+ is integer, but in the model it is binary", lessons["B"]
    )
    assert lessons["G"].count("By the description") == 2


def test_the_environment_puts_cases_before_the_prompt() -> None:
    options = OrDebugOptions(shots=1, rag="by_type", k=2)
    environment = OrDebugEnvironment(options, lambda item: shown(item, options))
    text = environment.reset(instance(), 0).messages[-1].content
    assert text.startswith("### Example 1\n") and text.count("### Solved case") == 2
    assert text.index("### Solved case 2") < text.index("You are an expert OR debugger.")
    environment.close()
