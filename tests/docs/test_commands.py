"""Every command, argument and option stands in docs/commands.md, and nothing else does."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from ordojo.cli import cli

from .pages import DOCS, sections, table_rows

SECTIONS = sections(DOCS / "commands.md")


def leaves(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield " ".join(path), command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None, f"{' '.join(path)} lists '{name}' and cannot find it"
        yield from leaves(found, (*path, name))


LEAVES = dict(leaves(cli, ("ordojo",)))


def documented(command: str) -> dict[str, list[str]]:
    """Rows of a command's table by each option or argument named in the first cell."""
    rows = {}
    for cells in table_rows(SECTIONS[command]):
        for term in re.findall(r"`([^`]+)`", cells[0]):
            rows[term.split()[0].removesuffix("...")] = cells
    return rows


def shown_default(parameter: click.Parameter) -> str | None:
    """A default as the page should have it; None for flags and where there is none."""
    said = getattr(parameter, "show_default", None)
    if isinstance(said, str):
        return said
    default = parameter.to_info_dict().get("default")
    if getattr(parameter, "is_flag", False) or not isinstance(default, int | float | str):
        return str(default).join("``") if isinstance(default, Path) else None
    return f"`{default}`"


def test_the_sections_are_the_commands():
    documented = [name for name in SECTIONS if name.startswith("ordojo ")]
    assert sorted(documented) == sorted(LEAVES)


def test_the_synopsis_names_every_group():
    text = (DOCS / "commands.md").read_text("utf-8").partition("## ")[0]
    for command in LEAVES:
        group, _, name = command.removeprefix("ordojo ").partition(" ")
        line = re.search(rf"^ordojo {group}\b.*$", text, re.MULTILINE)
        assert line and name in line[0]


@pytest.mark.parametrize("command", LEAVES)
def test_every_parameter_is_documented(command):
    rows = documented(command)
    known = set()
    for parameter in LEAVES[command].params:
        if isinstance(parameter, click.Argument):
            terms = [parameter.make_metavar(click.Context(LEAVES[command])).removesuffix("...")]
            terms = [re.sub(r"\W", "", terms[0]) if parameter.metavar else parameter.name.upper()]
        else:
            terms = [*parameter.opts, *parameter.secondary_opts]
        known |= set(terms)
        missing = [term for term in terms if term not in rows]
        assert not missing, f"docs/commands.md, {command}: {missing} is not documented"
        cells = rows[terms[0]]
        if parameter.required:
            assert cells[1] == "required", f"{command} {terms[0]} is required"
        elif (default := shown_default(parameter)) is not None:
            assert cells[1] == default, f"{command} {terms[0]}: another default"
    assert set(rows) == known, f"docs/commands.md, {command}: {set(rows) - known} does not exist"


@pytest.mark.parametrize("command", LEAVES)
def test_every_command_says_what_it_does(command):
    assert LEAVES[command].help
    assert len(SECTIONS[command].strip()) > 40


@pytest.mark.parametrize("command", LEAVES)
def test_every_command_has_an_example_that_it_understands(command):
    found, example = LEAVES[command], LEAVES[command].epilog or ""
    assert example.startswith(f"Example: {command}")
    words = example.removeprefix(f"Example: {command}").split()
    try:
        found.make_context(command, words)
    except click.BadParameter as error:
        assert "does not exist" in error.message  # a file of the reader's
