"""Settings as text become typed options, or one sentence that helps."""

from typing import Any, Literal

import pytest
from pydantic import Field, ValidationError

from ordojo.core.errors import UsageError
from ordojo.core.options import Options, parse_options


class Menu(Options):
    shots: int = Field(default=0, ge=0, le=10)
    prompt: Literal["standard", "cot"] = "standard"
    verbose: bool = False
    trigger: str = Field(default="why", min_length=1)


def test_text_becomes_values_of_the_right_type() -> None:
    settings = {"shots": "3", "prompt": "cot", "verbose": "true", "trigger": "a=b"}
    assert parse_options(Menu, settings, "menu") == Menu(
        shots=3, prompt="cot", verbose=True, trigger="a=b"
    )
    assert parse_options(Menu, {"shots": 3}, "menu").shots == 3
    assert parse_options(Menu, {}, "menu") == Menu()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"shot": 1}, "menu has no option 'shot'; did you mean 'shots'?"),
        ({"promt": "cot"}, "menu has no option 'promt'; did you mean 'prompt'?"),
        (
            {"zzz": 1},
            "menu has no option 'zzz'; it has: shots, prompt, verbose, trigger",
        ),
        ({"": 1}, "menu has no option ''; it has: shots, prompt, verbose, trigger"),
        ({"shots": "many"}, "menu cannot use shots='many': give a whole number from 0 to 10"),
        ({"shots": 11}, "menu cannot use shots=11: give a whole number from 0 to 10"),
        ({"shots": "-1"}, "menu cannot use shots='-1': give a whole number from 0 to 10"),
        ({"prompt": "Cot"}, "menu cannot use prompt='Cot': give one of standard, cot"),
        ({"trigger": ""}, "menu cannot use trigger='': String should have at least 1 character"),
        ({"verbose": "perhaps"}, "menu cannot use verbose='perhaps': give true or false"),
    ],
)
def test_a_wrong_setting_is_refused_in_one_sentence(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_options(Menu, settings, "menu")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_options_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        Menu().shots = 1  # type: ignore[misc]
