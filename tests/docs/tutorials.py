"""Executes the tutorials: every block of a page in order, in one fresh folder.

A fence with `title="NAME"` is a file of that name. A Python block is run. In a console block each
command's output, with or without its progress on stderr, must be the text below it as doctest
compares with ELLIPSIS: `...` stands for any text, runs of white space are equal. A number before s,
ms or minutes is a time and may be any other. Below a block, `<!-- run: exit 2 -->` expects that
exit code, and `<!-- not run: WHY -->` leaves it out; other fences (`sh`) are never run.

`python -m tests.docs.tutorials PAGE...` prints what each command prints, and the times.
"""

import contextlib
import doctest
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.command import ordojo

from .pages import DOCS, Block, Command, blocks, commands, name

TUTORIALS = [page for page in sorted((DOCS / "tutorials").glob("*.md")) if page.stem != "index"]
SKIPPED = re.compile(r"not run: .+")
_TIME = re.compile(r"\b\d+(?:\.\d+)?(?= (?:s|ms|seconds?|minutes?)\b)")
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class DifferenceError(AssertionError):
    """A command ended or printed otherwise than its page shows."""


@contextlib.contextmanager
def fresh(folder: Path) -> Iterator[None]:
    """Work in `folder` as a new user: the shipped sets only, and a terminal of 100 columns."""
    here = folder / "here"
    here.mkdir()
    before = dict(os.environ)
    os.environ |= {"ORDOJO_CACHE": str(folder / "cache"), "COLUMNS": "100"}
    os.environ["ORDOJO_PROGRESS"] = "off"  # as the index of the tutorials says
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{before['PATH']}"
    os.environ.pop("ORDOJO_DATA", None)
    try:
        with contextlib.chdir(here):
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def call(command: Command) -> tuple[int, list[str]]:
    """Exit code, and the output without and with stderr.

    `ordojo` alone is called in this process, which saves its start.
    """
    if command.words[0] != "ordojo" or set("|<>&;*$") & set(command.line):
        done = subprocess.run(command.line, shell=True, capture_output=True, text=True)
        return done.returncode, [done.stdout, done.stdout + done.stderr]
    found = ordojo(command.words[1:])
    return found.returncode, [found.stdout, found.both]


def check(block: Block, command: Command, code: int, outputs: list[str]) -> None:
    """Compare one command with what its page shows."""
    where = f"{name(block.page)}:{block.line}: $ {command.line}\n"
    if code != (block.exit_code or 0):
        raise DifferenceError(f"{where}exit code {code}\n{outputs[1]}")
    want, *got = (_TIME.sub("0", text) for text in (command.output, *outputs))
    if not any(doctest.OutputChecker().check_output(want, text, _FLAGS) for text in got):
        raise DifferenceError(f"{where}printed\n{outputs[1]}\nand the page shows\n{command.output}")


def walk(
    page: Path, see: Callable[[Block, Command, int, list[str]], None] = check
) -> list[tuple[str, float]]:
    """Execute a page in the current folder; each command (or `python`) with its seconds."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    times = []
    for block in blocks(page):
        if SKIPPED.fullmatch(block.mark):
            continue
        if block.title:
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.text, "utf-8")
        elif block.language == "console":
            for command in commands(block):
                start = time.perf_counter()
                code, outputs = call(command)
                times.append((command.line, time.perf_counter() - start))
                see(block, command, code, outputs)
        elif block.language == "python":
            start = time.perf_counter()
            exec(compile("\n" * block.line + block.text, str(page), "exec"), namespace)
            times.append(("python", time.perf_counter() - start))
    return times


def show(block: Block, command: Command, code: int, outputs: list[str]) -> None:
    """Print what a command prints, as the page would show it."""
    print(
        f"$ {command.line}\n{outputs[bool(code)]}" + (f"<!-- run: exit {code} -->" if code else "")
    )


if __name__ == "__main__":
    for given in map(Path, sys.argv[1:]):
        read = given.resolve()
        with tempfile.TemporaryDirectory() as place, fresh(Path(place)):
            seconds = walk(read, show)
        print(*(f"{spent:7.1f} s  {line}" for line, spent in seconds), sep="\n")
        print(f"{sum(s for _, s in seconds):7.1f} s  {name(read)}, {len(seconds)} steps")
