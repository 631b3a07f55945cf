"""The front door as it is declared: docstrings, types, and the commands that are made of it."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, get_args, get_type_hints

import click
import pytest

import ordojo
from ordojo.cli import cli
from ordojo.core.signatures import arguments, described, summary
from tests.api.commands import table

FUNCTIONS = [name for name in ordojo.__all__ if isinstance(getattr(ordojo, name), FunctionType)]


def parts(hint: Any) -> Iterator[type]:
    """The classes that an annotation names, inside others too."""
    inner = get_args(hint)
    if inner:
        for one in inner:
            yield from parts(one)
    elif isinstance(hint, type):
        yield hint


def leaves(command: click.Command, path: str = "") -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    for name in command.list_commands(click.Context(command)):
        found = command.get_command(click.Context(command), name)
        assert found is not None
        yield from leaves(found, f"{path} {name}".strip())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_described(name: str) -> None:
    function = getattr(ordojo, name)
    told = described(function)
    assert list(told) == list(inspect.signature(function).parameters)
    assert all(re.fullmatch(r"\S.*\.", says) for says in told.values()), told
    assert summary(function)
    doc = inspect.getdoc(function) or ""
    if get_type_hints(function).get("return") is not type(None):
        assert re.search(r"^Returns:\n    \S", doc, re.M), "says nothing of what comes back"
    assert re.search(r"^Raises:\n    \w+Error: \S", doc, re.M) or name in NO_ERRORS


NO_ERRORS = {"catalogue", "list_datasets", "list_models"}
"""They read what is in the package."""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_type_is_exported(name: str) -> None:
    hints = get_type_hints(getattr(ordojo, name))
    own = {
        one for hint in hints.values() for one in parts(hint) if one.__module__.startswith("ordojo")
    }
    assert {one.__name__ for one in own} <= set(ordojo.__all__)
    assert all(getattr(ordojo, one.__name__) is one for one in own)


def test_every_command_is_a_function() -> None:
    for name, command in leaves(cli):
        function = getattr(command, "function", None)
        assert function is not None, f"{name} is no function's command"
        assert getattr(ordojo, function.__name__) is function, name


def test_options_are_the_functions() -> None:
    """A command has every argument of its function but those that it passes itself."""
    passed = {
        "progress",
        "echo",
        "damaged",
        "answer",
        "stage",
        "generation",
        "connection",
        "begins",
        "left_out",
    }
    passed |= {"cluster", "items", "seed"}
    for name, command in leaves(cli):
        if name.startswith("build "):
            continue  # made of the settings of each benchmark's builder
        known = set(arguments(command.function))  # type: ignore[attr-defined]
        assert known - passed <= {one.name for one in command.params}, name


def test_values_outside_are_refused_in_words() -> None:
    for call, says in (
        (lambda: ordojo.solve("x.lp", solver="cplex"), "`solver` 'cplex': give one of highs,"),
        (lambda: ordojo.explain("x.lp", limit=0), "`limit` 0: give a whole number from 1 to 50"),
        (lambda: ordojo.explain("x.lp", rank="best"), "`rank` 'best': give one of size, count"),
        (lambda: ordojo.evaluate("orqa", "ordojo/gold", limit=1, sample=1), "`limit` takes"),
    ):
        with pytest.raises(ordojo.UsageError, match=re.escape(says)):
            call()


def test_a_command_does_what_its_function_does(tmp_path: Path) -> None:
    assert [words for words, holds in table(tmp_path) if not holds] == []
