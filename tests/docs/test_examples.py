"""Every Python block of a page runs, in one namespace, and every console block marked to be run."""

import sys

import click
import pytest

from ordojo.cli import cli, main

from .pages import PAGES, blocks, commands, name
from .tutorials import SKIPPED, TUTORIALS, fresh, walk

CODE = [
    page
    for page in PAGES
    if any(block.language == "python" or block.mark for block in blocks(page))
    and page.name != "add-a-benchmark.md"  # has a test module of its own
    and page not in TUTORIALS
]


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """An empty working folder, and nothing but the shipped sets."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("ORDOJO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("ORDOJO_DATA", raising=False)
    return tmp_path / "here"


def call(words, monkeypatch, capsys):
    """Run the command as a shell would; returns exit code and all output."""
    monkeypatch.setattr(sys, "argv", words)
    capsys.readouterr()
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    captured = capsys.readouterr()
    return code, " ".join((captured.err + captured.out).split())


@pytest.mark.parametrize("page", CODE, ids=name)
def test_page(page, elsewhere, monkeypatch, capsys):
    namespace = {"__name__": "__main__"}
    for block in blocks(page):
        where = f"{name(page)}:{block.line}"
        if block.language == "python":
            exec(compile("\n" * block.line + block.text, str(page), "exec"), namespace)
        elif block.exit_code is not None:
            for command in commands(block):
                assert command.words[0] == "ordojo", f"{where}: only ordojo is run"
                code, output = call(command.words, monkeypatch, capsys)
                assert code == block.exit_code, f"{where}: exit code {code}\n{output}"
                for line in command.shown:
                    text = line.removesuffix("...").rstrip()
                    assert text in output, f"{where}: {text!r} was not printed, but\n{output}"


@pytest.mark.parametrize("page", TUTORIALS, ids=name)
def test_tutorial(page, tmp_path, record_property):
    """Every command of the page, in order, in one folder; what it prints is what the page shows."""
    with fresh(tmp_path):
        times = walk(page)
    record_property("walk", f"{name(page)}: {len(times)} steps, {sum(s for _, s in times):.1f} s")


def test_marks_are_understood():
    for page in PAGES:
        for block in blocks(page):
            skipped = page in TUTORIALS and SKIPPED.fullmatch(block.mark)
            understood = not block.mark or block.exit_code is not None or skipped
            assert understood, f"{name(page)}:{block.line}: <!-- {block.mark} -->"


def test_commands_that_are_not_run_exist():
    """Console blocks without a mark need a model or a network; their options are checked."""
    for page in PAGES:
        for block in blocks(page):
            if block.language != "console" or block.exit_code is not None:
                continue
            if page in TUTORIALS and not block.mark:
                continue
            for command in commands(block):
                if page in TUTORIALS and command.words[0] != "ordojo":
                    continue
                assert command.words[0] == "ordojo"
                found, words = cli, command.words[1:]
                while isinstance(found, click.Group):
                    found = found.get_command(click.Context(found), words[0])
                    assert found is not None, f"{name(page)}:{block.line}: {words[0]}"
                    words = words[1:]
                options = {o for p in found.params for o in (*p.opts, *p.secondary_opts)}
                for word in words:
                    assert not word.startswith("-") or word in options, f"{name(page)}: {word}"
