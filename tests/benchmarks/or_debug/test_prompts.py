"""OR-Debug-Bench's prompts: the way to answer, and the paper's templates, filled."""

import pytest

from ordojo.benchmarks.or_debug.actions import Action, ActionKind, parse_action
from ordojo.benchmarks.or_debug.prompts import FORMAT, TEMPLATES, body, named, opening
from ordojo.benchmarks.or_debug.schema import OrDebugOptions
from tests.benchmarks.or_debug.hand_made import ROW, TEXT

CODE = "m = gp.Model('bakery')\n"


def asked(**options: object) -> tuple[str, str]:
    given = OrDebugOptions.model_validate(options)
    system, user = opening(given, body(ROW, CODE, ROW.iis_rows))
    assert (system.role, user.role) == ("system", "user")
    return system.content, user.content


@pytest.mark.parametrize("prompt", ["baseline", "cot", "workflow"])
def test_the_template_is_filled_and_stands_whole(prompt: str) -> None:
    head, end = TEMPLATES[prompt]
    expected = (
        f"{head}\nProblem: {TEXT}\nCode: \n{CODE}Status: INFEASIBLE\n"
        "IIS: ['oven', 'white_order', 'rye_order']" + f"\n{end}".rstrip()
    )
    assert asked(prompt=prompt)[1] == expected


def test_every_action_is_explained_and_the_limit_said() -> None:
    text, _ = asked(max_steps=7)
    assert all(f"- {kind.value}(" in text for kind in ActionKind)
    assert "You have 7 actions; the work is done as soon as" in text
    assert "the work is done when you submit" in asked(end="submit")[0]


def test_the_format_is_one_that_is_understood() -> None:
    read = parse_action(FORMAT.split("as in ")[1])
    assert isinstance(read, Action)
    assert (read.kind, read.target, read.delta) == (ActionKind.RELAX, "c", 30.0)


def test_what_all_instances_share_comes_first() -> None:
    system, user = opening(OrDebugOptions(), body(ROW, CODE, ROW.iis_rows), "### Example 1\nall")
    assert system.content == asked()[0] and system.content.endswith(FORMAT)
    assert user.content.startswith("### Example 1\nall\n\nYou are an expert OR debugger.")


def test_a_state_takes_the_place_of_the_templates_parts() -> None:
    system, user = opening(OrDebugOptions(), "Problem: p\nStep: 3 of 50\n")
    assert system.content == asked()[0]
    assert user.content.endswith("semantics\nProblem: p\nStep: 3 of 50")
    assert "Status: INFEASIBLE" not in user.content


def test_braces_and_odd_names_pass_unchanged() -> None:
    assert TEXT in asked()[1] and "{bakes}" in TEXT
    assert named(["x[0,1]", "c1"]) == "['x[0,1]', 'c1']"
    assert named([]) == "[]"
