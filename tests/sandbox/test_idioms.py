"""Ordinary programs, each in the sandbox and under plain CPython: the same output and end.

The programs stand in `idioms/*.txt`; what differs on purpose stands in `DEVIATIONS`, with the
reason.
"""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from ordojo.sandbox import Execution, Limits
from ordojo.sandbox.launch import ENVIRONMENT
from tests.sandbox.conftest import open_sandbox

_HEAVY = ("numpy", "pandas", "scipy.optimize", "scipy.stats")

_UNREAD = ("SyntaxError", "IndentationError", "TabError")

_ALONE = "a program is one process: it is refused with a sentence"
_UNCOUNTED = "shared pages without a file are counted by no limit: they are refused"
DEVIATIONS = {
    "multiprocessing process": _ALONE,
    "multiprocessing pool": _ALONE,
    "process pool": _ALONE,
    "shared memory": _UNCOUNTED,
    "mmap without a file": _UNCOUNTED,
    "sockets": "there is no network",
    "keyboard interrupt": "it is an exception with exit status 1, not a signal",
}
"""By name: why a program ends otherwise than under CPython."""

CHILDREN = ("subprocess of the shell", "subprocess of python", "os system", "fork and wait")
"""What a kernel that cannot keep signals inside a set of processes does not give."""

_SERVER = """
import importlib, json, os, runpy, sys
for name in sys.argv[2:]: importlib.import_module(name)
for folder in json.load(open(sys.argv[1])):
    child = os.fork()
    if not child:
        os.chdir(folder)
        for number, name in ((1, "../out"), (2, "../err")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT), number)
        os.environ.update(HOME=folder, TMPDIR=folder, PWD=folder)
        sys.argv = [folder + "/program.py"]
        sys.path[0] = folder
        runpy.run_path(sys.argv[0], run_name="__main__")
        sys.exit(0)
    with open(folder + "/../code", "w") as code:
        code.write(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
"""
"""Plain CPython for programs whose libraries take long to import: a fork for each."""


@dataclass(frozen=True)
class Seen:
    """What can be seen of a program: standard output, exit status, exception."""

    stdout: str
    code: int
    exception: str


def _read() -> dict[str, str]:
    """Every idiom's source by its name."""
    found: dict[str, str] = {}
    for file in sorted(Path(__file__).with_name("idioms").glob("*.txt")):
        for part in file.read_text(encoding="utf-8").split("=== ")[1:]:
            name, source = part.split("\n", 1)
            assert name not in found, name
            found[name] = source
    return found


IDIOMS = _read()


def plain(top: Path) -> dict[str, Seen]:
    """All idioms under plain CPython, with folders below `top`."""
    folders: dict[str, Path] = {}
    for number, (name, source) in enumerate(IDIOMS.items()):
        folders[name] = top / str(number) / "here"
        folders[name].mkdir(parents=True)
        (folders[name] / "program.py").write_bytes(source.encode())
    heavy = [n for n, source in IDIOMS.items() if re.search(r"import (numpy|pandas)|scipy", source)]
    with ThreadPoolExecutor(2) as pool:
        served = pool.submit(_serve, top, [folders[name] for name in heavy])
        light = {n: pool.submit(_plain, folders[n]) for n in IDIOMS if n not in heavy}
        found = {name: future.result() for name, future in light.items()}
        served.result()
    for name in heavy:
        out, err, code = ((folders[name].parent / n).read_text() for n in ("out", "err", "code"))
        found[name] = _seen(folders[name], out, err, int(code))
    return found


def _environment(folder: Path) -> dict[str, str]:
    here = str(folder)
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    return {**ENVIRONMENT, "HOME": here, "TMPDIR": here, "PWD": here, "PATH": path}


def _plain(folder: Path) -> Seen:
    done = subprocess.run(
        [sys.executable, folder / "program.py"],
        cwd=folder,
        env=_environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    out, err = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
    return _seen(folder, out, err, done.returncode)


def _serve(top: Path, folders: list[Path]) -> None:
    (top / "jobs").write_text(json.dumps([str(folder) for folder in folders]))
    (top / "server.py").write_text(_SERVER)
    subprocess.run(
        [sys.executable, top / "server.py", top / "jobs", *_HEAVY],
        env=_environment(top),
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=True,
    )


def _seen(folder: Path, out: str, err: str, code: int) -> Seen:
    """The exception stands in the last line that is not indented; a group's in its first."""
    group = "Exception Group Traceback" in err
    lines = [re.sub(r"^ +[|+] ?(?! )", "", line) for line in err.splitlines()]
    lines = [line for line in lines if line and not line.startswith((" ", "-", "+"))]
    raised = code == 1 and lines and ("Traceback" in err or lines[-1].startswith(_UNREAD))
    told = [re.match(r"([A-Za-z_.]+)(:|$)", line) for line in (lines if group else lines[-1:])]
    named = next((found for found in told if found), None) if raised else None
    kind = named[1] if named else ""
    return Seen(out.replace(str(folder), "HERE"), code, kind.rpartition(".")[2])


def _ours(done: Execution, folder: str) -> Seen:
    code = done.exit_code if done.signal is None else -done.signal
    kind = done.exception.rpartition(".")[2]
    return Seen(done.stdout.replace(folder, "HERE"), code or 0, kind)


def test_idioms(tmp_path: Path) -> None:
    found: dict[str, Execution] = {}
    with ThreadPoolExecutor(1) as pool:
        awaited = pool.submit(plain, tmp_path)
        with open_sandbox("auto", preload=_HEAVY) as sandbox:
            alone = "one-process" in sandbox.isolation
            folder = sandbox.run("import os\nprint(os.getcwd(), end='')").stdout
            for name, source in IDIOMS.items():
                found[name] = sandbox.run(source, limits=Limits(wall=30, cpu=30))
        expected = awaited.result()
    deviations = {*DEVIATIONS, *(CHILDREN if alone else ())}
    wrong = []
    for name, done in found.items():
        seen = _ours(done, folder)
        if "sys.excepthook" in IDIOMS[name]:  # then nothing outside names the exception
            seen = replace(seen, exception=expected[name].exception)
        if (seen != expected[name]) != (name in deviations):
            wrong.append(f"{name}:\n ours  {seen}\n plain {expected[name]}\n{done.stderr[-300:]}")
    assert not wrong, "\n".join(wrong)
