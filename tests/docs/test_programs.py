"""Each program of examples/ prints what its head says."""

import ast
import doctest
import runpy
import textwrap

import pytest

from .pages import ROOT
from .tutorials import Command, call, fresh

PROGRAMS = sorted((ROOT / "examples").glob("*.py"))
OUTSIDE = {"gurobi_program": "ordojo run {}", "assistant": "python {}"}
"""Run by a command: one needs the sandbox, one starts a server on real streams."""


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program(program, tmp_path, capsys):
    source = program.read_text("utf-8")
    assert len(source.splitlines()) <= 40
    _, _, want = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")
    with fresh(tmp_path):
        if program.stem in OUTSIDE:
            _, (printed, _) = call(Command(OUTSIDE[program.stem].format(program)))
        else:
            capsys.readouterr()
            runpy.run_path(str(program))
            printed = capsys.readouterr().out
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(textwrap.dedent(want), printed, flags), printed
