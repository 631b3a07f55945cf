"""Polishing keeps what reads better and refuses, with the reason, what says something else."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from ordojo.structures.blueprint import Facts, missing, polish
from ordojo.structures.blueprint.blueprint import BRACED, PATH, QUOTED
from tests.structures.test_blueprint import LOCATION
from tests.structures.test_retell import RETOLD, facts_of

Edit = Callable[[str], str]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Facts, str]:
    return facts_of(tmp_path_factory.mktemp("polish"), LOCATION)


@pytest.fixture
def wanted(both: tuple[Facts, str]) -> Facts:
    return both[0]


@pytest.fixture
def said(both: tuple[Facts, str]) -> str:
    return both[1]


class Scripted:
    """A model that answers each time with the next edit of the text in its prompt."""

    def __init__(self, before: str, *edits: Edit) -> None:
        self.before, self.edits, self.prompts = before, list(edits), list[str]()

    def __call__(
        self, prompt: str, *, max_tokens: int = 1024, temperature: float = 0.0, seed: int = 0
    ) -> str:
        self.prompts.append(prompt)
        return self.edits[min(len(self.prompts), len(self.edits)) - 1](self.before)


def swap(old: str, new: str) -> Edit:
    def edit(before: str) -> str:
        assert old in before
        return before.replace(old, new, 1)

    return edit


GOOD: list[Edit] = [
    lambda before: before,
    lambda before: f"```\n{before}```",
    lambda before: before.replace("the sum of", "the total of"),
    lambda before: before.replace("must be at most", "must be no more than"),
    lambda before: before.replace("for each", "For every single"),
    lambda before: before.replace("times", "multiplied by"),
    lambda before: before.replace("must be chosen", "is to be selected by the planner"),
    lambda before: swap("A workshop fits orders into", "A shop cuts what is ordered from")(before),
    lambda before: before.replace(", decide", ", let the workshop decide"),
    lambda before: RETOLD,
]
BAD: list[tuple[Edit, str]] = [
    (swap("{coef_open_y}", "{coef_open_z}"), "loses {coef_open_y}"),
    (swap("{coef_open_y}", "forty"), "loses {coef_open_y}"),
    (swap("{coef_open_y}", "41"), "loses {coef_open_y}"),
    (swap("at most", "at least"), "the rule `open` (at most) is missing"),
    (
        swap("must be at most", "must not be at most"),
        "the model says nothing like 'must not be at most' in `open`",
    ),
    (swap("must be at most", "should ideally be at most"), "gains 'should'"),
    (swap("exactly one", "one"), "the rule `serve` (equal) is missing"),
    (swap("- minimize", "- maximize"), "that the objective is to minimize is missing"),
    (swap("plus", "minus"), "gains 'minus'"),
    (swap("for each `j` in `J`, exactly", "exactly"), "loses `j`"),
    (swap("for each `j` in `J`, exactly", "for each `i` in `J`, exactly"), "loses `j`"),
    (swap("`x[j, i]`", "`x[i, j]`"), "loses `x[j, i]`"),
    (swap("data/J.csv", "data/K.csv"), "loses data/J.csv"),
    (swap("- `least`:", "- `most`:"), "the line of `least` is missing"),
    (
        lambda before: before + "- `budget`: spend at most {coef_open_y}.\n",
        "the line of `budget` is new",
    ),
    (lambda before: "\n".join(before.splitlines()[:-1]) + "\n", "is missing"),
    (swap("Rules:", "Laws:"), "is missing"),
    (swap("yes or no (one or zero)", "any amount"), "that `y` is yes or no is missing"),
    (swap("A workshop", "At least three workshops"), "the model says nothing like"),
    (swap("A workshop", "Within `x`, a workshop"), "gains `x`"),
    (lambda before: "- Here it is.\n\n" + before, "another order"),
    (lambda before: "", "is missing"),
    (lambda before: "I am sorry, but I cannot do that.", "is missing"),
    (
        swap(
            "the sum of `coef_open_x[j]` times `x[j, i]` over all `j` in `J` must be at most "
            "{coef_open_y} times `y[i]`",
            "{coef_open_y} times `y[i]` must be at most the sum of `coef_open_x[j]` times "
            "`x[j, i]` over all `j` in `J`",
        ),
        "`open` has",
    ),
    (swap("must be chosen", "must be chosen unless it rains"), "'unless'"),
    (swap("must be chosen", "must be chosen if wanted"), "gains 'if'"),
]


@pytest.mark.parametrize("place", range(len(GOOD)))
def test_wording_is_free(said: str, wanted: Facts, place: int) -> None:
    model = Scripted(said, GOOD[place])
    found = polish(said, model, wanted)
    assert found.accepted, found.reasons
    assert said in model.prompts[0]
    assert found.text.strip() == GOOD[place](said).strip().strip("`").strip()


@pytest.mark.parametrize("place", range(len(BAD)))
def test_another_problem_is_refused(said: str, wanted: Facts, place: int) -> None:
    edit, why = BAD[place]
    found = polish(said, Scripted(said, edit), wanted)
    assert not found.accepted and found.text == said
    assert any(why in reason for reason in found.reasons), found.reasons


def test_nothing_that_carries_meaning_may_go(said: str, wanted: Facts) -> None:
    """Each name and number after the story, left out alone, is missed."""
    start = said.index("Data:")
    named = re.compile(f"{QUOTED.pattern}|{BRACED.pattern}|{PATH.pattern}")
    places = [match.span() for match in named.finditer(said) if match.start() > start]
    assert len(places) > 40
    for first, last in places:
        assert missing(wanted, said[:first] + said[last:]), said[first:last]


def test_no_two_names_may_change_places(said: str, wanted: Facts) -> None:
    for section in ("Decisions:", "Rules:"):
        start = said.index(section)
        spans = [match.span() for match in QUOTED.finditer(said) if match.start() > start]
        for (a, b), (c, d) in pairwise(spans):
            if said[a:b] != said[c:d]:
                assert missing(wanted, said[:a] + said[c:d] + said[b:c] + said[a:b] + said[d:])


@pytest.mark.parametrize(
    "rule",
    [
        "Every site must be used.",
        "Amounts are strictly positive.",
        "Deliveries are capped.",
        "Never use `y[i]`.",
        "A site serves no more than its neighbours.",
        "Ten sites exist.",
        "Use {coef_open_y}.",
        "Adjacent sites differ.",
    ],
)
def test_no_rule_may_hide_in_a_line(said: str, wanted: Facts, rule: str) -> None:
    for line in said.splitlines():
        if line.startswith("- "):
            assert missing(wanted, said.replace(line, f"{line} {rule}"))


def test_lines_may_be_wrapped(said: str, wanted: Facts) -> None:
    wrapped = said.replace(" over all ", "\n  over all ")
    assert polish(said, Scripted(said, lambda before: wrapped), wanted).accepted
