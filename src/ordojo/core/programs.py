"""Finding the Python program in a reply.

Of several code blocks the last whole program counts: one that parses, imports a solver's library
and solves. Where none is whole, the Python blocks are fragments of one program and are joined in
order, if that parses; else the last block that parses is taken, or, where none does, the last one,
whose syntax error is the model's own. (Published evaluators take the first block marked as Python.)
"""

import ast
import re
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent
from typing import Literal

from ordojo.core.readers.turn import after_thinking

How = Literal["only block", "last whole", "joined", "last parsed", "last block", "tag", "bare"]

_PYTHON = frozenset(
    {"", "python", "py", "python3", "py3", "ipython", "gurobi", "gurobipy", "coptpy"}
)
_LIBRARIES = frozenset(
    {"gurobipy", "coptpy", "pyscipopt", "highspy", "pyomo", "pulp", "ortools", "cvxpy", "scipy"}
    | {"docplex", "cplex", "mip", "linopy", "gekko", "networkx", "mosek", "xpress", "cvxopt"}
)
_SOLVING = frozenset(
    {"optimize", "solve", "solveLP", "Solve", "run", "linprog", "milp", "minimize", "maximize"}
    | {"minimize_scalar", "maxFlow", "SolveWithSolutionCallback", "linear_sum_assignment"}
)
_MOST = 1_000_000
"""Characters of the longest program."""
_TRIES = 20

_FENCE = re.compile(r"[ \t>]{0,20}(`{3,20}|~{3,20})[ \t]{0,4}(.{0,200}?)[ \t]{0,20}", re.DOTALL)
_TAG = re.compile(r"<(python|code)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_FIRST = re.compile(r"^[ \t]{0,20}(?:import|from)[ \t]{1,20}[A-Za-z_]", re.MULTILINE)
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#-]*")
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A piece of code as the reply marks it; `closed` is False where the reply broke off."""

    language: str
    code: str
    closed: bool = True


@dataclass(frozen=True, slots=True)
class FoundProgram:
    """The program with the rule that found it, or None and the problem in one sentence.

    `blocks` counts the blocks of Python; `truncated` says that the program is one on which the
    reply broke off.
    """

    program: str | None
    problem: str = ""
    how: How | None = None
    blocks: int = 0
    truncated: bool = False


def find_program(reply: str) -> FoundProgram:
    """The program that a reply proposes.

    Thinking is passed over. Blocks fenced as Python or as nothing count, tags `<python>` too, and
    without either a reply that is Python from its first import on.
    """
    text = after_thinking(reply)
    if not text:
        # What follows thinking that was ended is an answer.
        unended = reply.strip() and not after_thinking(reply + "?")
        return FoundProgram(
            None, "the reply ended inside its thinking" if unended else "the reply is empty"
        )
    blocks = list(code_blocks(text))
    found = [block for block in blocks if block.language in _PYTHON and block.code.strip()]
    if any(block.language for block in found):
        # Beside blocks marked as Python, the unmarked ones are formulas, data and outputs.
        found = [block for block in found if block.language or _is_whole(block.code)]
    else:
        found = [block for block in found if _is_python(block.code)]
    if found:
        return _choose(found)
    if tag := _TAG.search(text):
        return _chosen(CodeBlock("python", dedent(tag[2]).strip("\n")), "tag", 1)
    if (bare := _bare(text)) is not None:
        return _chosen(CodeBlock("python", bare), "bare", 1)
    others = sorted({block.language for block in blocks if block.language not in _PYTHON})
    if others:
        return FoundProgram(None, f"the only code is in {', '.join(others)[:100]}, not in Python")
    return FoundProgram(None, "there is no Python code in the reply")


def _choose(blocks: list[CodeBlock]) -> FoundProgram:
    count = len(blocks)
    if count == 1:
        return _chosen(blocks[0], "only block", 1)
    if last := next((one for one in reversed(blocks) if _is_whole(one.code)), None):
        return _chosen(last, "last whole", count)
    joined = "\n\n".join(block.code for block in blocks)
    if _parse(joined) is not None:
        return _chosen(CodeBlock("python", joined, blocks[-1].closed), "joined", count)
    if last := next((one for one in reversed(blocks) if _parse(one.code) is not None), None):
        return _chosen(last, "last parsed", count)
    return _chosen(blocks[-1], "last block", count)


def _chosen(block: CodeBlock, how: How, count: int) -> FoundProgram:
    if not block.code.strip():
        return FoundProgram(None, "the reply's program is empty")
    if len(block.code) > _MOST:
        return FoundProgram(None, f"the reply's program is longer than {_MOST} characters")
    return FoundProgram(block.code.strip("\n") + "\n", "", how, count, not block.closed)


def code_blocks(text: str) -> Iterator[CodeBlock]:
    """The fenced blocks; a fence is closed by one of its own kind, at least as long."""
    fence, language = "", ""
    lines: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        mark = _FENCE.fullmatch(line)
        if not fence:
            if mark and "`" not in mark[2]:
                # Of an info string: "python title=x", "{.python}", "Python3".
                found = _LANGUAGE.match(mark[2].lstrip("{. "))
                fence, language, lines = mark[1], found[0].lower() if found else "", []
        elif mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not mark[2]:
            yield CodeBlock(language, dedent("\n".join(lines)))
            fence = ""
        else:
            lines.append(line)
    if fence:
        yield CodeBlock(language, dedent("\n".join(lines)), closed=False)


def _bare(text: str) -> str | None:
    """Python without any marks: from the first import to where it stops being Python."""
    start = _FIRST.search(text)
    if not start:
        return None
    lines = dedent(text[start.start() : start.start() + _MOST]).split("\n")
    for _ in range(_TRIES):
        bad = _bad_line("\n".join(lines))
        if bad is None:
            code = "\n".join(lines)
            return code if _is_program(code) else None
        lines = lines[: bad - 1]
        if not lines:
            return None
    return None


def _is_python(code: str) -> bool:
    """Whether an unmarked block is meant as Python: it parses as a program, or it begins as one."""
    if _parse(code) is not None:
        return _is_program(code)
    return bool(_FIRST.match(code.lstrip()))


def _is_program(code: str) -> bool:
    """Whether it does something, rather than being a name, a number or a formula."""
    tree = _parse(code)
    kinds = (ast.Import, ast.ImportFrom, ast.Assign, ast.FunctionDef, ast.Call)
    return tree is not None and any(isinstance(node, kinds) for node in ast.walk(tree))


def _is_whole(code: str) -> bool:
    """Whether it parses, imports a solver's library and calls something that solves."""
    tree = _parse(code)
    if tree is None:
        return False
    imported = solved = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= any(name.name.split(".")[0] in _LIBRARIES for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            imported |= (node.module or "").split(".")[0] in _LIBRARIES
        elif isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            solved |= name in _SOLVING
    return imported and solved


def _parse(code: str) -> ast.Module | None:
    try:
        return _parsed(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _bad_line(code: str) -> int | None:
    """The line, from 1, at which a text stops being Python; None if it does not."""
    try:
        _parsed(code)
    except SyntaxError as error:
        return max(1, min(error.lineno or 1, code.count("\n") + 1))
    except (ValueError, RecursionError, MemoryError):
        return 1
    return None


def _parsed(code: str) -> ast.Module:
    if len(code) > _MOST:
        raise ValueError
    # Invalid escapes in a program are no concern of ours; filters are shared by all threads.
    with _lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code)
