import time

import pytest

from ordojo.benchmarks.or_debug.actions import Action, ActionKind, Invalid, parse_action
from ordojo.benchmarks.or_debug.elements import name_elements, read_diagnosis
from tests.benchmarks.or_debug.puzzles import workshop

RELAX_5 = Action(ActionKind.RELAX, "c1", 5.0)

SAME = [
    "RELAX(c1, 5)",
    "Action: RELAX(c1, 5)",
    "action: relax(c1, +5.0)",
    "**Action:** `RELAX(c1, 5)`",
    "Final Action: RELAX(c1, 5).",
    "Action 3: RELAX('c1', 5)",
    "Action:\n```python\nRELAX(c1, 5)\n```",
    'RELAX(constraint="c1", delta=5)',
    "RELAX(delta=5, constraint=c1)",
    "RELAX(c1, by=5)",
    "<think>DROP(c9)</think>\nAction: RELAX(c1, 5)",
    "DROP(c9) would be rash.\n\nRELAX(c1, 5)",
    "Action: RELAX(c1, 5)\n\nThis is better than DROP(c9).",
    "Action: GET_IIS\n\nAction: RELAX(c1, 5)",
    '{"action": "RELAX", "constraint": "c1", "delta": 5}',
    '{"action": "RELAX(c1, 5)"}',
    '```json\n{"action": "relax", "target": "c1", "amount": "5"}\n```',
    '{"name": "relax", "arguments": {"constraint": "c1", "delta": 5}}',
    '<tool_call>\n{"name": "RELAX", "arguments": {"c": "c1", "delta": 5}}\n</tool_call>',
    '{"tool_calls": [{"type": "function", "function": {"name": "relax", '
    '"arguments": "{\\"constraint\\": \\"c1\\", \\"delta\\": 5}"}}]}',
    '{"type": "tool_use", "name": "relax", "input": {"row": "c1", "change": 5.0}}',
    '{"action": {"type": "RELAX", "constraint": "c1", "delta": 5}}',
    'The braces {of prose} do no harm.\n{"action": "RELAX", "constraint": "c1", "delta": 5}',
]


@pytest.mark.parametrize("text", SAME)
def test_every_spelling_of_an_action_is_read(text: str) -> None:
    assert parse_action(text) == RELAX_5


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("GET_IIS", Action(ActionKind.GET_IIS)),
        ("Action: Get IIS", Action(ActionKind.GET_IIS)),
        ("get_iis()", Action(ActionKind.GET_IIS)),
        ("I look first.\n**SUBMIT**", Action(ActionKind.SUBMIT)),
        ("RESTART()", Action(ActionKind.RESTART)),
        ("CHECK_SLACK(all)", Action(ActionKind.CHECK_SLACK)),
        ("Check Slack(c1)", Action(ActionKind.CHECK_SLACK, "c1")),
        ("CHECK_SLACKS", Action(ActionKind.CHECK_SLACK)),
        ("CHECK_BOUND(x[1,2])", Action(ActionKind.CHECK_BOUND, "x[1,2]")),
        ("DROP(lb(x))", Action(ActionKind.DROP, "lb(x)")),
        ('DROP("c,1")', Action(ActionKind.DROP, "c,1")),
        ("RELAX(x[1,2].lb, −3)", Action(ActionKind.RELAX, "x[1,2].lb", -3.0)),
        ("RELAX(c3, x[1] >= 40)", Action(ActionKind.REWRITE, "c3", expr="x[1] >= 40")),
        (
            "REWRITE(c1, 2*(x[0,1] + y) <= 4)",
            Action(ActionKind.REWRITE, "c1", expr="2*(x[0,1] + y) <= 4"),
        ),
        ('REWRITE(c1, expr="x + y <= 3")', Action(ActionKind.REWRITE, "c1", expr="x + y <= 3")),
        ("REWRITE(x.type, INTEGER)", Action(ActionKind.REWRITE, "x.type", expr="INTEGER")),
        (
            '{"action": "REWRITE", "constraint": "x.lb", "value": 3}',
            Action(ActionKind.REWRITE, "x.lb", expr="3"),
        ),
        ('{"action": "DROP", "name": "c1"}', Action(ActionKind.DROP, "c1")),
        ('{"name": "drop", "arguments": {"name": "c1"}}', Action(ActionKind.DROP, "c1")),
        ('{"action": "SUBMIT"}', Action(ActionKind.SUBMIT)),
    ],
)
def test_each_kind_is_read(text: str, action: Action) -> None:
    assert parse_action(text) == action


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no action"),
        ("I would relax the constraint.", "no action"),
        ("<think>DROP(c1)", "no action"),
        ("RELAX(c1, 5", "not closed"),
        ("RELAX(c1)", "must be a number"),
        ("RELAX(c1, a lot)", "'a lot'"),
        ("DROP()", "needs the name"),
        ("REWRITE(c1)", "shall become"),
        ('{"action": "fly"}', "'fly'"),
        ('{"action": "RELAX", "constraint": "c1", "delta": [1]}', "must be a number"),
    ],
)
def test_what_is_no_action_is_told_why(text: str, says: str) -> None:
    found = parse_action(text)
    assert isinstance(found, Invalid)
    assert says in found.reason


def test_an_action_is_spelt_as_it_is_read() -> None:
    for text in ("RELAX(c1, -2.5)", "DROP(c1)", "REWRITE(c1, x <= 3)", "GET_IIS", "CHECK_BOUND(x)"):
        action = parse_action(text)
        assert isinstance(action, Action)
        assert str(action) == text
        assert parse_action(str(action)) == action


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Diagnosis: c1, c2\nAction: SUBMIT", ("c1", "c2")),
        ("**Diagnosis:** ['c1', \"c2\"].\nAction: SUBMIT", ("c1", "c2")),
        ("Diagnosis:\n- c1\n- `c2`\n\nAction: SUBMIT", ("c1", "c2")),
        ("Diagnosis: c1 and x[1,2].lb\nAction: SUBMIT", ("c1", "x[1,2].lb")),
        ("Diagnosis: c9\nDiagnosis: c1\nAction: SUBMIT", ("c1",)),
        ('{"action": "SUBMIT", "diagnosis": ["c1", "c2"]}', ("c1", "c2")),
        ('{"action": "SUBMIT", "diagnosis": "c1, c2"}', ("c1", "c2")),
        ('Diagnosis: c1\n{"action": "SUBMIT"}', ("c1",)),
        ("Diagnosis: c1\nnothing else", ("c1",)),
        ("SUBMIT", ()),
    ],
)
def test_the_diagnosis_is_read(text: str, names: tuple[str, ...]) -> None:
    assert parse_action(text).diagnosis == names


def test_a_diagnosis_in_prose_names_the_elements_that_it_mentions() -> None:
    pieces = read_diagnosis("Diagnosis: wood contradicts orders, as tables.LB is high, wood")
    assert name_elements(workshop(), pieces) == ("wood", "orders", "tables.lb")


@pytest.mark.parametrize(
    "text",
    [
        "(" * 500_000,
        "{" * 1_000_000,
        '[{"a":' * 150_000,
        "DROP(" * 200_000,
        "Action:\n" * 125_000,
        "\n" * 1_000_000,
        "Diagnosis: " + "[" * 1_000_000,
        '{"' + '\\"' * 500_000,
        "RELAX(" + "x[" * 500_000 + ")",
        "</think>" * 125_000,
    ],
)
def test_a_megabyte_of_garbage_takes_no_time(text: str) -> None:
    start = time.perf_counter()
    parse_action(text)
    assert time.perf_counter() - start < 1
