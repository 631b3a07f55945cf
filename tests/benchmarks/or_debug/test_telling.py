"""Rules beside the data: a text determines each, and some forms are kept from training."""

import re
from collections.abc import Iterator

import pytest

from ordojo.benchmarks.or_debug.injection.generate import generate, shapes_of
from ordojo.benchmarks.or_debug.schema import HARD
from ordojo.benchmarks.or_debug.seeds import make_seed
from ordojo.benchmarks.or_debug.telling.anew import figures as figures_in
from ordojo.benchmarks.or_debug.telling.anew import lost
from ordojo.benchmarks.or_debug.telling.figures import DerivedFigures
from ordojo.benchmarks.or_debug.telling.reading import RuleReader, tables_of
from ordojo.benchmarks.or_debug.telling.rules import FORMS, Fact, Limit, Offer, Telling, Told, Total
from ordojo.core.seeds import generator

FACTS: tuple[Fact, ...] = (
    Limit((0, 2), True, 31.0),
    Limit((1, 2, 3), False, 47.0),
    Limit((3,), False, 9.5),
    Limit((0, 1), False, 60.0, kept=False),
)


def _texts(count: int, whole: bool, facts: tuple[Fact, ...]) -> Iterator[tuple[str, list[str]]]:
    for k in range(count):
        rng = generator(k, "test/telling", 0)
        figures = DerivedFigures(rng)
        seed = make_seed("diet", rng, figures=figures)
        names = [*seed.model.col_names, "tofu_total", "menu_extra", "food_extra"]
        yield Telling(seed, figures, rng, whole).told(seed.text, names, facts).text, names


def test_what_is_told_can_be_read_and_determines_every_rule() -> None:
    for text, names in _texts(25, True, FACTS):
        rules = RuleReader(text, names, tables=True, linked=True).rules
        found = {
            (one["counts"], one["floor"], one["names"], one["kept"])
            for name, one in rules.items()
            if name.endswith(" rule")
        }
        kept = {rule for rule in found if rule[3]}
        assert len(found) >= len(FACTS)
        assert kept == {
            (frozenset(names[j] for j in one.columns), one.lower, one.side, True)
            for one in FACTS
            if isinstance(one, Limit) and one.kept
        }


def test_of_rules_that_differ_in_points_it_is_told_which_is_kept() -> None:
    points = {0: 4.0, 2: 30.0, 3: 17.0}
    one = Limit(tuple(points), True, 90.0, points=tuple(points.values()))
    other = one._replace(points=(4.0, 55.0, 17.0), kept=False)
    for text, names in _texts(12, True, (*FACTS, one, other)):
        rules = RuleReader(text, names, tables=True, linked=True).rules.values()
        given = [rule for rule in rules if rule.get("points")]
        found = {tuple(sorted(rule["points"].values())): rule for rule in given}
        assert found.keys() == {(4.0, 17.0, 30.0), (4.0, 17.0, 55.0)}
        for rule in found.values():
            assert (rule["floor"], rule["names"]) == (True, 90.0)
            assert rule["counts"] == {names[j] for j in points}
            assert rule["kept"] == (30.0 in rule["points"].values())


def test_a_sum_is_told() -> None:
    n = make_seed("diet", generator(0, "test/telling", 0)).model.n
    text, names = next(_texts(1, True, (*FACTS, Total(n, (0, 1)))))
    assert names[n] == "tofu_total" and "tofu total" in text


def test_what_can_be_bought_more_than_once_takes_the_longest_or_not() -> None:
    ranks = set()
    for k in range(12):
        rng = generator(k, "test/telling", 0)
        figures = DerivedFigures(rng)
        seed = make_seed("diet", rng, figures=figures)
        n, names = seed.model.n, [*seed.model.col_names, "tofu_extra", "menu_extra", "food_extra"]
        offer = Offer((n, n + 1, n + 2), (7.0, 9.0, 40.0), n + 1)
        text = Telling(seed, figures, rng, True).told(seed.text, names, (*FACTS, offer)).text
        assert RuleReader(text, names, tables=True, linked=True).often == ["menu extra"]
        days = dict(tables_of(text))["days that it takes"]
        ranks.add(sorted(days, key=lambda name: days[name]).index("menu extra"))
    assert ranks == {0, 1, 2}


def test_the_last_form_of_each_is_for_the_sets_that_are_asked() -> None:
    held = [re.sub(r"\{\w\}", "(.+)", forms[-1]) for forms in FORMS.values()]

    def shown(whole: bool) -> int:
        texts = [text.lower() for text, _ in _texts(12, whole, FACTS)]
        return sum(bool(re.search(rf"\. {form}\.", text)) for form in held for text in texts)

    assert shown(True) > 10 and shown(False) == 0
    assert [shapes_of("eval", 3), shapes_of(HARD, 0)] == ["all", "all"]
    assert [shapes_of("train", 0), shapes_of(HARD, 1), shapes_of("pool", 0)] == ["training"] * 3


@pytest.mark.parametrize("kind", "DH")
def test_the_rules_of_a_problem_are_those_of_its_true_model(kind: str) -> None:
    problem = generate("eval", 17, 0, kind)
    read = RuleReader(problem.text, problem.model.col_names, tables=True, linked=True)
    true, kept = (
        problem.original_model,
        [one for one in read.rules.values() if one.get("kept") and "counts" in one],
    )
    sides = {*true.row_lower, *true.row_upper, *true.col_lower, *true.col_upper}
    assert kept and all(one["names"] in sides for one in kept)
    assert "`" not in problem.text
    plain = generate("eval", 17, 0, kind, robust=False)
    assert "rule" not in plain.text.replace("rules", "")


def test_a_brief_says_straight_out_which_rules_hold() -> None:
    rng = generator(1, "test/telling", 0)
    figures = DerivedFigures(rng)
    seed = make_seed("diet", rng, figures=figures)
    told = Telling(seed, figures, rng, True).told(seed.text, seed.model.col_names, FACTS)
    assert told.brief.count("In force: ") == 3
    assert told.brief.count("Given up, no longer in force: ") >= 1
    assert " rule" not in told.brief[len(seed.text) :]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("one hundred and thirty-five, and 20 per cent of 625", {135, 20, 625}),
        ("Three dozen and nine; four and six more", {3, 9, 4, 6}),
        ("1,250.5 a year, both of them, twice", {1250.5}),
        ("from fifteen dozen and ten to two thousand and three", {15, 10, 2003}),
    ],
)
def test_figures_are_read_in_digits_and_words(text: str, found: set[float]) -> None:
    assert set(figures_in(text)) == found


def test_a_text_that_loses_or_adds_a_fact_is_told_of_it() -> None:
    told = Told("", "Given: 40 for rye; sixty-five for oats.", ("rye", "oats"))
    assert lost(told, "Rye stands at forty and oats at 65.") == []
    assert lost(told, "Rye stands at forty, and the other at 65, not 70.") == [
        "the figure 70 is new",
        "oats is not named",
    ]
    assert lost(told, "Rye and oats stand at forty.") == ["the figure 65 is missing"]
    twice = Told("", "40 and 3 for rye; forty and three for oats.", ("rye", "oats"))
    assert lost(twice, "Rye has 40, oats 40, and both 3 more.") == []
    assert lost(twice, "Rye has 40 and 3, oats 3.") == ["the figure 40 is missing in 1 of 2 places"]
