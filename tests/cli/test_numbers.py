"""Every numeric option, at every door, has a range: what lies outside of it is refused first."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import click
import pytest
from click.testing import CliRunner
from pydantic import ValidationError

import ordojo
from ordojo.cli import COMMANDS, cli
from ordojo.cli.parameters import Number
from ordojo.core.errors import UsageError
from ordojo.core.options import Options, parse_options
from ordojo.core.ranges import COUNT, MEGABYTES, SECONDS, NumberRange
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.core.signatures import checked
from ordojo.sandbox import Limits

ODD = ("nan", "inf", "-inf", "1e300", "-1", "0", "", "many", "9" * 400, "0x10", "1,5")


def commands(command: click.Command, words: tuple[str, ...]) -> Iterator[Any]:
    """Every command with the words that call it."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in COMMANDS if command is cli else command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, (*words, name))
    else:
        yield words, command


ALL = list(commands(cli, ()))
NUMBERS = [
    (words, parameter)
    for words, command in ALL
    for parameter in command.params
    if isinstance(parameter.type, Number)
]


def fits(allowed: NumberRange, text: str) -> bool:
    try:
        number = int(text) if allowed.whole else float(text)
    except ValueError:
        return False
    return allowed.low <= number <= allowed.high


def test_no_option_is_a_number_of_another_kind() -> None:
    kinds = (click.types.IntParamType, click.types.FloatParamType)
    assert not [
        (words, parameter.name)
        for words, command in ALL
        for parameter in command.params
        if isinstance(parameter.type, kinds) and not getattr(parameter, "count", False)
    ]
    assert len(NUMBERS) > 50


@pytest.mark.parametrize(
    ("words", "parameter"), NUMBERS, ids=[f"{' '.join(w)} {p.opts[0]}" for w, p in NUMBERS]
)
def test_each_option_refuses_what_its_help_leaves_out(
    words: tuple[str, ...], parameter: click.Option
) -> None:
    allowed = parameter.type.allowed  # type: ignore[attr-defined]
    shown = CliRunner().invoke(cli, [*words, "--help"]).output
    assert f"{parameter.opts[0]} {allowed}" in " ".join(shown.split())
    for text in ODD:
        done = CliRunner().invoke(cli, [*words, parameter.opts[0], text])
        refused = str(done.exception) == f"{parameter.opts[0]} {text[:40]}: give {allowed.meant}"
        assert refused != fits(allowed, text), (text, done.output, done.exception)
        assert not refused or (isinstance(done.exception, UsageError) and not done.output)


def kinds() -> list[type[Options]]:
    """Every kind of options: of benchmarks, of stages of training, of recipes."""
    for name in ("ordojo.benchmarks", "ordojo.training"):
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            if module.name.endswith((".schema", ".sft", ".rewards", ".scorer", ".recipe")):
                importlib.import_module(module.name)
    importlib.import_module("ordojo.training.curriculum")
    found: list[type[Options]] = []
    waiting: list[type[Options]] = [Options]
    while waiting:
        under = [kind for kind in waiting.pop().__subclasses__() if "ordojo" in kind.__module__]
        found += under
        waiting += under
    return found


def schemas(kind: type[Options]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each field with every numeric part of what it may be."""
    for name, about in kind.model_json_schema()["properties"].items():
        waiting = [about]
        while waiting:
            part = waiting.pop()
            waiting += part.get("anyOf", []) + part.get("prefixItems", [])
            if part.get("type") in ("integer", "number") and not {"const", "enum"} & part.keys():
                yield name, part


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_each_setting_has_two_ends(kind: type[Options]) -> None:
    for name, part in schemas(kind):
        low = part.get("minimum", part.get("exclusiveMinimum"))
        high = part.get("maximum", part.get("exclusiveMaximum"))
        assert low is not None and high is not None and high - low < 1e19, (name, part)


@pytest.mark.parametrize("name", benchmark_names())
def test_each_option_of_a_benchmark_refuses_what_its_schema_leaves_out(name: str) -> None:
    kind = get_benchmark(name).options
    for option, part in schemas(kind):
        for text in ODD:
            allowed = NumberRange(part["minimum"], part["maximum"], part["type"] == "integer")
            if fits(allowed, text):
                parse_options(kind, {option: text}, name)
            else:
                with pytest.raises(UsageError) as caught:
                    parse_options(kind, {option: text}, name)
                assert f"{name} cannot use {option}=" in str(caught.value)
                assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["memory=10000000000000", "program_limit=1e19", "time_limit=1e15"])
def test_a_limit_that_no_kernel_takes_is_not_the_programs_fault(tmp_path: Path, text: str) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "assignment-0", "epoch": 1, "completion": "print(1)"}\n')
    words = ["grade", str(answers), "--dataset", "nl2opt@ordojo", "-T", text]
    done = CliRunner().invoke(cli, [*words, "--runs", str(tmp_path / "runs")])
    assert isinstance(done.exception, UsageError) and text.partition("=")[0] in str(done.exception)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e300, -1, 0, True, "5", None, 2.5])
def test_arguments_of_functions_are_checked(value: Any) -> None:
    @checked
    def run(
        memory: Annotated[int, MEGABYTES] | None = 100, *, time_limit: Annotated[Any, SECONDS] = 1.0
    ) -> Any:
        return memory, time_limit

    assert run() == (100, 1.0)
    if value is None:
        assert run(None) == (None, 1.0)
        return
    with pytest.raises(UsageError, match=r"`memory` [^:]*: give a whole"):
        run(value)
    if value == 2.5:
        assert run(time_limit=2.5) == (100, 2.5)
        return
    with pytest.raises(UsageError, match=r"`time_limit` [^:]*: give a number"):
        run(time_limit=value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e300, -1, 0, 10**30])
def test_the_front_door_checks_its_numbers(tmp_path: Path, value: Any) -> None:
    model, program = tmp_path / "m.lp", tmp_path / "p.py"
    model.write_text("Minimize\n obj: x\nSubject To\n c: x >= 1\nEnd\n")
    program.write_text("print(1)\n")
    calls = [
        lambda: ordojo.solve(model, time_limit=value),
        lambda: ordojo.iis(model, time_limit=value),
        lambda: ordojo.explain(model, time_limit=value),
        lambda: ordojo.explain(model, limit=value),
        lambda: ordojo.explain(model, conflicts=value),
        lambda: ordojo.repair(model, time_limit=value),
        lambda: ordojo.whatif(model, ["c >= 2"], time_limit=value),
        lambda: ordojo.whynot(model, "x >= 2", time_limit=value),
        lambda: ordojo.worth(model, "c", time_limit=value),
        lambda: ordojo.suspects(model, time_limit=value),
        lambda: ordojo.suspects(model, limit=value),
        lambda: ordojo.check(model, {"x": 1}, time_limit=value),
        lambda: ordojo.equivalent(model, model, time_limit=value),
        lambda: ordojo.read_model(program, time_limit=value),
        lambda: ordojo.run_program(program, time_limit=value),
        lambda: ordojo.run_program(program, memory=value),
        lambda: ordojo.build("or-bias", tmp_path / "new.jsonl", n=value),
        lambda: ordojo.evaluate("orqa", "ordojo/gold", dataset="orqa@ordojo", limit=value),
        lambda: ordojo.evaluate("orqa", "ordojo/gold", dataset="orqa@ordojo", epochs=value),
        lambda: ordojo.plan(items=value, seconds=1),
        lambda: ordojo.plan(items=10, seconds=1, nodes=value),
        *(lambda name=name: Limits(**{name: value}) for name in ("wall", "cpu", "memory", "disk")),
    ]
    if value != float("inf"):  # which says never
        calls.append(lambda: ordojo.explain(model, weights={"c": value}))
    for number, call in enumerate(calls):
        with pytest.raises(UsageError) as caught:
            call()
        assert "\n" not in str(caught.value), number


def test_numbers_of_numpy_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    assert COUNT.check("n", numpy.int64(5)) == 5 and SECONDS.check("s", numpy.float64(0.5)) == 0.5


def test_a_recipe_refuses_a_number_out_of_range() -> None:
    from ordojo.training.sft import SftConfig

    for name, value in (("learning_rate", 1e300), ("warmup", float("nan")), ("steps", 10**30)):
        with pytest.raises((UsageError, ValidationError), match=name):
            SftConfig(**{name: value})
