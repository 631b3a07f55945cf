"""The front door as it is declared: docstrings, types, and the commands that are made of it."""

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, get_args, get_type_hints

import click
import pytest

import ordojo
from ordojo.cli import cli
from ordojo.core.signatures import Argument, arguments, checked, described, fits, summary
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


@pytest.mark.parametrize("name", FUNCTIONS)
def test_ranges_choices_and_errors_are_told(name: str) -> None:
    function = getattr(ordojo, name)
    raises = set(re.findall(r"^    (\w+Error): \S", inspect.getdoc(function) or "", re.M))
    told = described(function)
    for one in arguments(function).values():
        if one.allowed is not None or one.choices:
            assert told[one.name].endswith(f". {one.meant[0].upper()}{one.meant[1:]}.")
            assert "UsageError" in raises
        errors = {"solver": "SolverError", "isolation": "SandboxError"}
        assert errors.get(one.name, "UsageError") in raises | {"UsageError"}


WRONG = (object(), b"text", [object()], {3: object()}, float("nan"), None)
RIGHT = ("x", (), {}, print, object.__new__(ordojo.RunView))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_of_another_kind_are_refused_in_words(name: str) -> None:
    """Each argument by itself; whatever is needed beside it is right, and nothing is done."""
    function = getattr(ordojo, name)
    known = arguments(function)

    def right(one: Argument) -> Any:
        return one.choices[0] if one.choices else next(v for v in RIGHT if fits(v, one.hint))

    for one in known.values():
        if one.kinds == (Any,):
            continue
        for value in WRONG:
            if value is None and one.parameter.default is None:
                continue
            given = {key: right(other) for key, other in known.items() if other.needed}
            given[one.name] = value
            spread = one.parameter.kind is inspect.Parameter.VAR_POSITIONAL
            rest = [given.pop(one.name)] if spread else []
            first = [key for key in given if known[key].parameter.kind < 1 + spread]
            args = [*(given.pop(key) for key in first), *rest]
            with pytest.raises(ordojo.UsageError, match=rf"^`{one.name}` .*: give ") as error:
                function(*args, **given)
            assert len(str(error.value)) < 300 and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "hint", [Sequence[Any], Sequence[str], Sequence[str | Path], Sequence[Sequence[str]]]
)
def test_one_alone_is_a_list_of_one(hint: Any) -> None:
    def run(several: Any) -> Any:
        return several

    run.__annotations__["several"] = hint
    alone: Any = ["ab"] if hint == Sequence[Sequence[str]] else "ab"
    assert checked(run)(alone) == (alone,)
    for given in (["ab"], {"ab"}, {"ab": 1}.keys()):
        assert hint == Sequence[Sequence[str]] or checked(run)(given) == given


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


SPOKEN = re.compile(r"[a-z`'};,] (--[a-z]+|-[a-zA-Z])\b|the same command")
OTHERS = (
    *("--object-store-memory", "python generator.py -o", "eval {name} --no-push", " --no-push -n"),
    *("build it: {} -o", "trap ''"),
)
"""Ray's options, those of a written generator, the library verifiers', a command's, a shell's."""


def sentences(file: Path) -> Iterator[str]:
    """Every text of a module but its docstrings, {} where something is put in."""
    tree = ast.parse(file.read_text("utf-8"))
    told = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            told |= {id(part) for part in node.values}
            yield "".join(
                str(getattr(part, "value", "{}")) if isinstance(part, ast.Constant) else "{}"
                for part in node.values
            )
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
        ):
            yield node.value


def test_only_the_command_line_speaks_of_options() -> None:
    """What a function says is about its parameters; a whole command may be named."""
    home = Path(ordojo.__file__).parent
    found = [
        (file.name, text)
        for file in sorted(home.rglob("*.py"))
        if "cli" not in file.parts
        for text in sentences(file)
        if SPOKEN.search(re.sub(r"\bordojo [a-z].*?(['`]|$)", "", text))
        and not any(other in text for other in OTHERS)
    ]
    assert found == []


def test_a_command_does_what_its_function_does(tmp_path: Path) -> None:
    assert [words for words, holds in table(tmp_path) if not holds] == []
