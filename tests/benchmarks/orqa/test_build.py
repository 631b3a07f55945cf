"""Fresh questions: what proves them, that no policy guesses them, that they come again."""

import json
import pickle
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ordojo.benchmarks.orqa import BENCHMARK, hardness
from ordojo.benchmarks.orqa.build import faults, proof
from ordojo.benchmarks.orqa.build.candidates import fits, target
from ordojo.benchmarks.orqa.build.case import KINDS, articles, make_case, reworded, told
from ordojo.benchmarks.orqa.build.context import item
from ordojo.benchmarks.orqa.build.make import (
    BUILT,
    TYPES,
    GeneratedQuestion,
    from_row,
    prove,
    question,
    questions,
    to_row,
    write_rows,
)
from ordojo.benchmarks.orqa.build.proof import holds
from ordojo.benchmarks.orqa.hardness import battery
from ordojo.benchmarks.orqa.schema import OrqaOptions
from ordojo.core.errors import DataError
from ordojo.core.hardness import Shortcut
from ordojo.formulation.algebra import uses
from ordojo.milp.model import INF, VarType
from ordojo.problems.base import Template
from tests.core.helpers import played
from tests.milp.builder import ModelBuilder

SIZE, PROVED, SEEN = 352, 132, 176


@pytest.fixture(scope="module")
def made() -> Sequence[GeneratedQuestion]:
    return list(questions(SIZE, 11))


def guessed(
    made: Iterable[GeneratedQuestion], others: Iterable[GeneratedQuestion] = ()
) -> dict[str, Shortcut]:
    """What each shortcut reaches, by name."""
    asked, seen = (
        [from_row(to_row(one, f"q-{i}", BUILT)) for i, one in enumerate(part)]
        for part in (made, others)
    )
    return {one.name: one for one in battery(asked, seen).shortcuts}


def witnessed(made: Sequence[GeneratedQuestion]) -> GeneratedQuestion:
    """A question with points that break false constraints."""
    return next(
        one for one in made if one.question.type == "Q7" and any(one.certificate.data["witnesses"])
    )


def certified(made: GeneratedQuestion, **changes: object) -> GeneratedQuestion:
    """With other certificate data."""
    data = {**made.certificate.data, **changes}
    return replace(made, certificate=replace(made.certificate, data=data))


def other(made: GeneratedQuestion, **changes: object) -> dict[str, object]:
    """The recipe with another first plan."""
    data = made.certificate.data["recipe"]
    one, two = data["plans"]
    return {**data, "plans": [{**one, **changes}, two]}


def of(made: Sequence[GeneratedQuestion], kind: str) -> GeneratedQuestion:
    return next(one for one in made if one.question.type == kind)


def test_every_answer_and_every_wrong_option_is_derived_anew(
    made: Sequence[GeneratedQuestion],
) -> None:
    for one in made[:PROVED]:
        prove(one.question, one.certificate)


def test_nobody_guesses_them_who_learned_on_another_seed(made: Sequence[GeneratedQuestion]) -> None:
    found = guessed(made, questions(SEEN, 12))
    assert {"string matcher", "bag of words", "words and strings", "tf-idf windows"} <= set(found)
    assert faults(list(found.values())) == []


def test_guessers_find_what_gives_an_answer_away(
    made: Sequence[GeneratedQuestion], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = {"string matcher": hardness.GUESSERS["string matcher"]}
    monkeypatch.setattr(hardness, "GUESSERS", one)  # the others cost five seconds
    leaky = []
    for one in made[:132]:
        asked = one.question
        context = f"{asked.context} {asked.options[asked.answer]}"
        leaky.append(replace(one, question=replace(asked, context=context)))
    found = guessed(leaky)["string matcher"]
    assert found.score.value > 0.6 and faults([found])


def test_letters_and_types_are_balanced(made: Sequence[GeneratedQuestion]) -> None:
    assert set(Counter(one.question.answer for one in made).values()) == {SIZE // 4}
    types = Counter(one.question.type for one in made)
    assert set(types) == set(TYPES) and max(types.values()) - min(types.values()) <= 1


def test_they_come_from_many_contexts_and_none_is_there_twice(
    made: Sequence[GeneratedQuestion],
) -> None:
    contexts = {one.question.context for one in made}
    assert len(contexts) == -(-SIZE // len(TYPES))
    assert len({(o.question.context, o.question.question) for o in made}) == SIZE
    assert {one.template for one in made} == set(told())
    kinds = Counter(one.labels["model"] for one in made if one.question.type == "Q4")
    assert set(kinds) == set(KINDS) and max(kinds.values()) - min(kinds.values()) <= 1
    assert all(120 < len(context.split()) < 640 for context in contexts)
    assert not any(mark in context for context in contexts for mark in ("{", "_", "[", "  "))


def test_every_option_is_clean(made: Sequence[GeneratedQuestion]) -> None:
    for one in made:
        options = one.question.options
        assert len({option.lower() for option in options}) == 4
        assert all(option[0].isupper() or option[0].isdigit() for option in options)
        assert not any(mark in option for option in options for mark in "{}_[]")


def test_a_question_depends_on_seed_split_and_index_alone(
    made: Sequence[GeneratedQuestion],
) -> None:
    for index in (0, 13, 300):
        assert question(11, "test", index) == made[index]
    assert pickle.loads(pickle.dumps(made[0])) == made[0], "it cannot come from another process"
    assert question(12, "test", 0).question.context != made[0].question.context
    assert question(11, "validation", 0).question.context != made[0].question.context
    letters = [target(3, "test", index)["letter"] for index in range(44)]
    assert all(set(letters[kind::11]) == {0, 1, 2, 3} for kind in range(11))


def test_what_the_firm_beside_calls_alike_is_no_wrong_item() -> None:
    one = question(701, "test", 147)
    case = make_case(one.certificate.data["recipe"])
    mine, same = "0:set:J", "1:set:N"
    assert item(case, mine) == item(case, same) == "station"
    assert holds(case, "Q5", "", ("items", (mine, same)))
    assert not holds(case, "Q5", "", ("items", (mine, "1:set:K")))
    right = [holds(case, "Q5", "", claim) for claim in one.certificate.data["claims"]]
    assert right == [place == one.question.answer for place in range(4)]


@pytest.mark.parametrize("kind", TYPES)
def test_another_answer_is_refused(made: Sequence[GeneratedQuestion], kind: str) -> None:
    one = of(made, kind)
    other = replace(one.question, answer=(one.question.answer + 1) % 4)
    with pytest.raises(DataError, match=r"option [A-D] is "):
        prove(other, one.certificate)


def test_what_the_certificate_does_not_say_is_refused(made: Sequence[GeneratedQuestion]) -> None:
    one = made[4]
    for changed, said in [
        ({"context": one.question.context + " "}, "context or question"),
        ({"question": "Which?"}, "context or question"),
        ({"options": ("x", *one.question.options[1:])}, "option A does not say"),
        ({"options": one.question.options[:3]}, "four options"),
    ]:
        with pytest.raises(DataError, match=said):
            prove(replace(one.question, **changed), one.certificate)


def test_a_tampered_certificate_is_refused(made: Sequence[GeneratedQuestion]) -> None:
    needed = witnessed(made)
    for one, changes in [
        (needed, {"witnesses": [{}] * 4}),
        (needed, {"witnesses": [{"nothing": 1.0}] * 4}),
        (needed, {"witnesses": [{"x": "y"}] * 4}),
        (needed, {"claims": [["goal", 0]] * 4}),
        (needed, {"claims": []}),
        (made[0], {"recipe": {}}),
        (made[0], {"recipe": other(made[0], knobs={"n_items": 2000})}),
        (made[0], {"recipe": other(made[0], template="knapsack")}),
        (made[0], {"recipe": other(made[0], senses={"nothing": "<="})}),
        (made[0], {"about": "nothing"}),
        (made[0], {"phrasing": 99}),
    ]:
        with pytest.raises(DataError):
            prove(one.question, certified(one, **changes).certificate)


def test_a_point_that_breaks_the_model_is_no_witness(made: Sequence[GeneratedQuestion]) -> None:
    one = witnessed(made)
    points = one.certificate.data["witnesses"]
    far = [{name: value + 1e4 for name, value in point.items()} for point in points]
    with pytest.raises(DataError, match="no point shows"):
        prove(one.question, certified(one, witnesses=far).certificate)


def test_each_case_is_of_its_category_and_tells_the_firm(made: Sequence[GeneratedQuestion]) -> None:
    for one in made[:: len(TYPES)]:
        case = make_case(certified(one).certificate.data["recipe"])
        assert fits(case.main.spec, case.main.template.title)
        for plan in case.plans:
            assert plan.words.who in plan.full.scenario[0].lower() + plan.full.scenario[1:]
            assert len(plan.goals) >= 4 and plan.asked


@pytest.mark.parametrize("template", told().values(), ids=list(told()))
def test_words_speak_of_what_is_there(template: Template) -> None:
    words, spec = template.words, template.spec
    assert words is not None
    assert set(words.rules) == {family.name for family in spec.families}
    assert {*words.optional} <= set(words.rules) and any(len(s) > 1 for s in words.rules.values())
    for goal in words.goals:
        assert uses(spec, goal.rule).groups, goal.meaning
    for telling in words.tellings:
        assert words.who in telling[0].lower() + telling[1:]


def test_other_nouns_change_texts_and_no_identifier() -> None:
    template = told()["bin_packing"]
    nouns = {"drum": "cask", "drums": "casks"}
    assert reworded("Drums in {drum} and a drum", nouns) == "Casks in {drum} and a cask"
    assert template.words is not None
    changed = reworded(template.words, nouns)
    assert changed.rules["one_container"][1] == "the number of containers that the cask goes into"
    assert changed.goals[0].rule == template.words.goals[0].rule
    assert reworded(template.spec, {}).families == template.spec.families
    assert articles("a order, an drum, a unit, An tug") == "an order, a drum, a unit, A tug"


def test_questions_of_before_are_read_and_told_that_nothing_proves_them(
    made: Sequence[GeneratedQuestion],
) -> None:
    row = {**to_row(made[0], "q-0", "2"), "certificate": {"kind": "template-question", "data": {}}}
    old = from_row(row)
    with pytest.raises(DataError, match="an earlier ordojo"):
        BENCHMARK.verify(old)


def test_rows_are_read_back_and_evaluate(made: Sequence[GeneratedQuestion], tmp_path: Path) -> None:
    rows = [to_row(one, f"q-{i}", BUILT) for i, one in enumerate(made[:44])]
    path = tmp_path / "fresh.jsonl"
    write_rows(path, rows)
    back = [from_row(json.loads(line)) for line in path.read_text("utf-8").splitlines()]
    assert [one.content_hash for one in back] == [row["content_hash"] for row in rows]
    BENCHMARK.verify(back[0])
    assert back[0].labels["template"] == made[0].template and back[0].labels["type"] == "Q1"
    odd = from_row({**rows[0], "labels": {**rows[0]["labels"], "model": "another", "type": "Q2"}})
    assert odd.labels["type"] == "Q1"
    with pytest.raises(DataError, match="labels are not those of its recipe"):
        BENCHMARK.verify(odd)
    options = OrqaOptions(dataset=str(path))
    loaded = BENCHMARK.load(options, 0)
    assert [one.problem.letter for one in loaded] == [one.question.letter for one in made[:44]]
    for policy, score in (("gold", 1.0), ("majority", 0.25)):
        records = played(BENCHMARK, policy, options)
        assert sum(record.verdicts["published"].score or 0 for record in records) / 44 == score


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"OPTIONS": ["a"]}, "OPTIONS"),
        ({"id": 3}, "id is 3"),
        ({"index": "0"}, "index is '0'"),
        ({"version": "5"}, "version is '5', this ordojo reads orqa 1 and 2 and 3 and 4"),
        ({"certificate": {"kind": "answer-key", "data": {}}}, "kind is 'answer-key'"),
        ({"certificate": []}, "certificate"),
    ],
    ids=str,
)
def test_a_bad_row_is_refused(
    made: Sequence[GeneratedQuestion], changes: dict[str, object], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        from_row({**to_row(made[0], "q-0", "1"), **changes})


def test_a_point_keeps_what_a_semicontinuous_column_has() -> None:
    b = ModelBuilder("part")
    b.col("x", 1.0, 2.0, 9.0, VarType.SEMICONTINUOUS)
    b.row("half", {"x": 2.0}, ">=", 4.5)
    found = proof._feasible(b.build(), {0: 1.0}, (-INF, 2.25))
    assert found is not None and found.tolist() == [2.25]
