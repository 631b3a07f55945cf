"""Names of any legal shape come through every reader of replies."""

import dataclasses
import json
import re
import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordojo.benchmarks.or_debug.actions import Action, ActionKind, parse_action
from ordojo.benchmarks.or_debug.build import AUTHORS, SHIPPED, load_set
from ordojo.benchmarks.or_debug.elements import name_elements, read_diagnosis
from ordojo.benchmarks.or_debug.perform import looked_up
from ordojo.benchmarks.or_debug.prompts import named
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.schema import LARGE, Debugging
from ordojo.core.instance import Instance
from ordojo.milp.algebra import row_text
from ordojo.milp.model import Model
from tests.benchmarks.or_debug.puzzles import workshop

# What LP and MPS files let a name be made of: no blank, else nearly anything. A name without one
# letter, digit or underscore is legal too, and cannot be told from what parts a list.
LEGAL = st.text(
    st.one_of(
        st.sampled_from("abcxyzA019_.[](){}$#~@&!?%,;:'\"`|/\\^*+-=<>"),
        st.characters(min_codepoint=0xA1, max_codepoint=0x2FFF, categories=("Ll", "Lu", "Nd")),
    ),
    min_size=1,
    max_size=12,
).filter(lambda name: re.search(r"\w", name) is not None)
WORDS = st.sampled_from(
    [
        "_c1",
        "c1_",
        "_",
        "__",
        "and",
        "or",
        "all",
        "inf",
        "free",
        "st",
        "bound",
        "x[1,2]",
        "x(1,2)",
        "a,b",
        "a;b",
        "c1.lb",
        "x.type",
        "lb(x)",
        "drop",
        "DROP",
        "Action",
        "Diagnosis",
        "c'1",
        "[a]",
        "(b",
        "a)",
        "e1",
        "1e5",
        "x_1_",
        "$x",
        "#1",
        "R-1",
        "c1:limit",
        "max",
        "É_1",
        "{a}",
    ]
)
NAMES = st.lists(st.one_of(LEGAL, WORDS), min_size=3, max_size=3, unique=True)


def called(names: list[str]) -> Model:
    """The workshop with other names of its rows, and columns that are called nearly the same."""
    model = workshop()
    rows = (*names, *(f"{name}|{k}" for k, name in enumerate(model.row_names)))[: model.m]
    return dataclasses.replace(model, row_names=rows)


def diagnoses(names: list[str]) -> list[str]:
    return [
        f"Diagnosis: {', '.join(names)}\nAction: GET_IIS",
        f"Diagnosis: {', '.join(names[:-1])} and {names[-1]}",
        f"Diagnosis: {named(names)}\nAction: GET_IIS",
        "**Diagnosis:**\n" + "\n".join(f"- `{name}`" for name in names) + "\nAction: GET_IIS",
        json.dumps({"action": "SUBMIT", "diagnosis": names}),
    ]


@settings(max_examples=500)
@given(NAMES)
def test_a_diagnosis_names_what_it_lists(names: list[str]) -> None:
    model = called(names)
    for text in diagnoses(names):
        assert name_elements(model, parse_action(text, model).diagnosis) == tuple(names), text


@settings(max_examples=500)
@given(NAMES)
def test_an_action_acts_on_what_it_names(names: list[str]) -> None:
    model = called(names)
    for i, name in enumerate(names):
        row = row_text(model, i)
        for text, action in [
            (f"DROP({name})", Action(ActionKind.DROP, name)),
            (f"Action: DROP(`{name}`)", Action(ActionKind.DROP, name)),
            (f"So I say:\n**Action:** DROP({name}).", Action(ActionKind.DROP, name)),
            (f"Action: RELAX({name}, -2.5)", Action(ActionKind.RELAX, name, -2.5)),
            (f"Action: REWRITE({name}, {row})", Action(ActionKind.REWRITE, name, expr=row)),
            (json.dumps({"action": "DROP", "constraint": name}), Action(ActionKind.DROP, name)),
        ]:
            assert parse_action(text, model) == action, text
        assert not apply_fix(model, [str(Action(ActionKind.DROP, name))]).is_live(i)
        assert looked_up(model, f"{name}*", columns=False).count(f"{name}: ") >= 1


def test_emphasis_and_blanks_are_forgiven() -> None:
    model = called(["c1", "x[1,2]", "_z"])
    for text in (
        "Diagnosis: _c1_, x[1, 2], **_z**",
        "Diagnosis: ['c1', \"x[1,2]\", '_z'].",
        "Diagnosis: (c1), {x[1,2]} and __z_.",
        "Diagnosis: c1 contradicts x['1', 2], as _z is high",
    ):
        assert read_diagnosis(text, model) == ("c1", "x[1,2]", "_z"), text


def test_a_long_diagnosis_is_read_in_no_time() -> None:
    model = called(["c1", "_" * 200, "x"])
    for text in (
        "a," * 6_000,
        "c1, " * 3_000,
        "_" * 12_000,
        "[" * 12_000,
        "x'" * 6_000,
        "a)" * 6_000,
    ):
        start = time.process_time()
        read_diagnosis(f"Diagnosis: {text}", model)
        assert time.process_time() - start < 5


@pytest.mark.parametrize("name", SHIPPED)
def test_a_copied_conflict_is_read_whole_in_our_sets(name: str) -> None:
    _copied(_smallest() if name == LARGE else load_set(name))


def _smallest() -> list[Instance[Debugging]]:
    """Of the large models with a conflict the smallest of each kind: others take long to make."""
    found: dict[Any, Instance[Debugging]] = {}
    models: Any = {one.id: one.problem.original for one in load_set(LARGE)}
    for one in sorted(load_set(LARGE), key=lambda one: sum(models[one.id]["knobs"].values())):
        if one.problem.iis_rows:
            found.setdefault(models[one.id]["template"], one)
    assert len(found) > 1
    return list(found.values())


# The 4,162 of `holdout` have no name of a shape that these lack.
@pytest.mark.data
@pytest.mark.parametrize("name", ["hard-da", "hard", "v1", "mdp", "mdp-v2", "test", "test-v2"])
def test_a_copied_conflict_is_read_whole_in_the_authors_sets(name: str) -> None:
    _copied(load_set(AUTHORS + name)[::4])


def _copied(instances: Sequence[Instance[Debugging]]) -> None:
    assert instances
    for instance in instances:
        model, members = instance.problem.model, instance.problem.iis_rows
        text = f"Diagnosis: {', '.join(members)}\nAction: GET_IIS"
        assert name_elements(model, parse_action(text, model).diagnosis) == members, instance.id
        assert name_elements(model, read_diagnosis(text)) == members, instance.id
