"""Whatever a command writes is there whole: as it was before, or new; however the command ends."""

import ast
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import ordojo
from ordojo.core.ending import DRAFT
from ordojo.milp.files import read_model, write_model
from tests.cli import writing
from tests.cli.writing import BEGUN, CLEARING, EXCHANGE

PROGRAM = """import gurobipy as gp
m = gp.Model()
x = m.addVars(9, ub={ub}, name="x")
m.setObjective(x.sum(), gp.GRB.MAXIMIZE)
m.optimize()
open("result.txt", "w").write("x" * 1000)
"""


@dataclass(frozen=True)
class Writing:
    """A command line, {v} 1 or 2, {out} where it writes; files with times in it; what is typed."""

    words: str
    out: str
    timed: tuple[str, ...] = ()
    fresh: bool = True
    typed: str = ""


EXPORTED = ("instance.json", "logs/highs.log", "logs/summary.json")
COMMANDS = {
    "structure -o": Writing("structure m{v}.mps -o {out}", "found"),
    "structure FOLDER -o": Writing("structure models{v} -o {out}", "survey"),
    "structure --export": Writing("structure m{v}.mps --export {out}", "instance", EXPORTED),
    "report -o": Writing("report runs{v} -o {out}", "report"),
    "report --latex": Writing("report runs{v} -o page{v} --latex {out}", "tables"),
    "export csv": Writing("export csv s{v}.jsonl -o {out} --force", "csv"),
    "build or-bias": Writing("build or-bias --n 5 --seed {v} -o {out} --force", "s.jsonl"),
    "build nl2opt": Writing(
        "build nl2opt --template bin_packing --n 1 --seed {v} -o {out} --no-program", "problems"
    ),
    "explain --html": Writing("explain bad{v}.mps --html {out}", "page.html"),
    "explain --write": Writing("explain bad{v}.mps --write {out}", "mended.lp"),
    "observe -o": Writing("observe m{v}.mps -o {out}", "lines.jsonl", typed="look\nlook\n"),
    "run --write": Writing("run p{v}.py --write {out}", "last.lp"),
    "run --out": Writing("run p{v}.py --out {out}", "files"),
    "hardness": Writing("hardness s{v}.jsonl --runs {out}", "runs"),
    "retell": Writing("retell {out} told{v}.txt", "told", fresh=False),
}
LARGEST = 100
"""Bytes that a file may have where the disk is full: less than any output has."""
ONCE = ("explain --write", "run --write", "run --out")
"""They refuse what is there already: nothing of it can be lost."""


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands read, in two versions, and the former output of each command."""
    folder = tmp_path_factory.mktemp("given")
    (folder / "tmp").mkdir()
    for v in (1, 2):
        rows = {f"r{i}": f"x{i} + {v} x{i + 1} >= {i}" for i in range(1, 5 + v)}
        written(rows, folder / f"m{v}.mps")
        (folder / f"models{v}").mkdir()
        shutil.copy(folder / f"m{v}.mps", folder / f"models{v}" / "m.mps")
        bad = {**rows, "upper": "x1 <= 1", "lower": f"x1 >= {v + 2}"}
        written(bad, folder / f"bad{v}.mps")
        (folder / f"p{v}.py").write_text(PROGRAM.format(ub=v))
        good(folder, f"build or-bias --n 9 --seed {v} -o s{v}.jsonl")
        good(folder, f"eval or-bias --model ordojo/random --limit {v} --runs runs{v}")
    for name, one in COMMANDS.items():
        if name != "retell":
            good(folder, one.words.format(v=1, out=one.out), one.typed)
    shutil.copytree(folder / "instance", folder / "told")
    text = json.loads((folder / "told/instance.json").read_text())["abstract_problem"]
    for v in (1, 2):
        (folder / f"told{v}.txt").write_text(text + v * " ")
    return folder


def written(rows: Mapping[str, str], path: Path) -> None:
    """A model as MPS: what reads LP files makes copies of them."""
    lines = [f" {name}: {row}" for name, row in rows.items()]
    text = ["Minimize", " obj: x1 + x2", "Subject To", *lines, "End", ""]
    path.with_suffix(".lp").write_text("\n".join(text))
    write_model(read_model(path.with_suffix(".lp")), path)


def good(folder: Path, words: str, typed: str = "") -> None:
    code, said = writing.run(words.split(), folder, typed)
    assert code == 0, (words, said)


def state(path: Path, timed: tuple[str, ...] = ()) -> dict[str, str]:
    """The files at a path with their content's hash, where no time stands in it."""
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    return {
        str(p.relative_to(path)): ""
        if str(p.relative_to(path)) in timed
        else hashlib.sha256(p.read_bytes()).hexdigest()
        for p in files
    }


def left(folder: Path) -> list[str]:
    """Drafts and temporary folders that stay; a command that was killed has a watcher."""
    deadline = time.monotonic() + 5
    while True:
        # `rglob` fails where a folder goes while it looks, which is what is waited for.
        found = [n for _, folders, _ in os.walk(folder) for n in folders if DRAFT in n]
        found += [path.name for path in (folder / "tmp").iterdir()]
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


class Trial:
    """A folder in which a command writes, over its former output or where nothing is."""

    def __init__(self, given: Path, folder: Path, name: str, *, over: bool) -> None:
        self.one, self.folder, self.over = COMMANDS[name], folder / "trial", over
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        for path in given.iterdir():
            if path.name not in {one.out for one in COMMANDS.values()}:
                (self.folder / path.name).symlink_to(path)
        (self.folder / "tmp").unlink()
        (self.folder / "tmp").mkdir()
        self.out = self.folder / self.one.out
        former = given / self.one.out
        if over:
            (shutil.copytree if former.is_dir() else shutil.copy)(former, self.out)
        self.words = self.one.words.format(v=2 if over else 1, out=self.one.out).split()
        self.before = state(self.out, self.one.timed)

    def run(self, **how: int | str) -> tuple[int, str]:
        return writing.run(self.words, self.folder, self.one.typed, **how)  # type: ignore[arg-type]

    @property
    def now(self) -> dict[str, str]:
        return state(self.out, self.one.timed)


KILLS = [
    (True, BEGUN, signal.SIGKILL),
    (True, EXCHANGE, signal.SIGKILL),
    (True, EXCHANGE, signal.SIGTERM),
    (False, BEGUN, signal.SIGKILL),
    (False, EXCHANGE, signal.SIGINT),
]
EVERY_KILL = ("structure -o", "build or-bias")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_kill_leaves_the_former_output_or_the_new_one(
    given: Path, tmp_path: Path, name: str
) -> None:
    new: dict[bool, dict[str, str]] = {}
    can = [k for k in KILLS if not (k[0] and name in ONCE) and (k[0] or COMMANDS[name].fresh)]
    # By turns, so that each moment and signal meets several kinds of output.
    first = list(COMMANDS).index(name)
    turns = [can[(first + k) % len(can)] for k in range(2)]
    for over, at, number in can if name in EVERY_KILL else turns:
        trial = Trial(given, tmp_path, name, over=over)
        code, said = trial.run(at=at, number=number)
        assert code in (-9, 130, 143), (at, number, said)
        assert "Traceback" not in said
        assert not left(trial.folder)
        assert trial.now == trial.before, (at, number)
        code, said = trial.run()
        assert code == 0, said
        assert trial.now == new.setdefault(over, trial.now) and trial.now != trial.before


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_a_sentence_and_changes_nothing(
    given: Path, tmp_path: Path, name: str
) -> None:
    trial = Trial(given, tmp_path, name, over=name not in ONCE)
    code, said = trial.run(largest=LARGEST)
    assert code == 2 and "Traceback" not in said
    told = said.strip().splitlines()[-1]
    assert told.startswith("ordojo: cannot write ") and (trial.one.out in told or "page" in told)
    assert "File too large; free some space, or " in told and DRAFT not in told
    assert not left(trial.folder)
    assert trial.now == trial.before


def test_a_kill_after_the_exchange_leaves_the_new_output(given: Path, tmp_path: Path) -> None:
    trial = Trial(given, tmp_path, "structure -o", over=True)
    assert trial.run(at=CLEARING, number=signal.SIGKILL)[0] == -9
    assert not left(trial.folder)
    assert trial.now != trial.before
    assert writing.run(["structure", "--check", trial.one.out], trial.folder)[0] == 0


@pytest.mark.parametrize("name", ["structure -o", "structure FOLDER -o", "report -o"])
def test_a_folder_of_another_command_is_refused(given: Path, tmp_path: Path, name: str) -> None:
    trial = Trial(given, tmp_path, name, over=False)
    shutil.copytree(given / "csv", trial.out)
    before = trial.now
    code, said = trial.run()
    assert code == 2 and "Traceback" not in said
    assert f"ordojo: {trial.one.out} " in said and "name another folder" in said
    assert trial.now == before


@pytest.mark.parametrize("kind", ["device", "pipe", "loop", "folder"])
def test_what_is_no_file_is_refused_and_stays(given: Path, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "place"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/null" if kind == "device" else "place")
    (tmp_path / "tmp").mkdir()
    mode = path.lstat().st_mode
    for words in ("explain {given}/bad1.mps --html place", "observe {given}/m1.mps -o place"):
        code, said = writing.run(words.format(given=given).split(), tmp_path)
        assert code == 2 and "ordojo: place is " in said and "name a file" in said
    assert path.lstat().st_mode == mode and {p.name for p in tmp_path.iterdir()} == {"place", "tmp"}


FULL = """
mount -t tmpfs -o size=64k none disk || exit 77
{ordojo} structure m1.mps -o disk/found || exit 3
cp m2.mps disk/ballast; cat big >> disk/ballast 2> /dev/null
{ordojo} structure m2.mps -o disk/found
echo "code $?"
{ordojo} structure --check disk/found m1.mps
ls -A disk
"""


def test_a_disk_that_is_really_full(given: Path, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    for v in (1, 2):
        shutil.copy(given / f"m{v}.mps", tmp_path)
    (tmp_path / "big").write_bytes(bytes(1 << 17))
    ordojo = f"{sys.executable} -m ordojo"
    done = subprocess.run(
        ["unshare", "-Urm", "sh", "-c", FULL.format(ordojo=ordojo)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"no disk of 64 kB can be had here: {done.stderr.strip()[-200:]}")
    said = done.stderr.strip().splitlines()
    assert "ordojo: cannot write disk/found: No space left on device; free some space, or " in (
        done.stderr
    ), said
    assert "code 2\nexact" in done.stdout
    assert done.stdout.split()[-2:] == ["ballast", "found"]


# Every place in the package that writes to a disk

WRITER = "core/outputs.py"
OTHERS = {
    "core/ending.py": "the command's own temporary folder, and drafts",
    "core/journal.py": "grows by lines",
    "evaluation/runs.py": "the folder of journals",
    "evaluation/remote.py": "a copy of a run elsewhere",
    "evaluation/engine/run.py": "a run's log, moved when whole",
    "training/made.py": "the folder of journals",
    "training/rollouts/files.py": "the folder of a journal",
    "training/models/session.py": "checkpoints, which a seal makes whole; figures by lines",
    "structures/workbench/session.py": "the folder of a journal",
    "datasets/store.py": "in a draft of the one writer",
    "datasets/pull.py": "a cache: what is begun goes on, what is whole has its hash",
    "datasets/or_debug_authors.py": "the same cache",
    "benchmarks/econlogicqa/build/write.py": "the folder of a journal",
    "cli/__init__.py": "an output that leads nowhere",
    "api/programs.py": "in a draft of the one writer",
    "evaluation/providers/loading.py": "in a draft of the one writer",
    "reports/paper.py": "in a draft of the one writer",
    "reports/papers.py": "the folder of runs, reports and what was said",
    "reports/samples.py": "in a draft of the one writer",
    "reports/site.py": "in a draft of the one writer",
    "structures/workbench/state.py": "into memory",
    "sandbox/": "what programs write, in folders of their own",
    "compat/": "what programs write, in the sandbox",
    "api/structures.py": "temporary",
    "api/assistant.py": "temporary",
    "benchmarks/or_debug/": "temporary",
}
"""Who writes otherwise, and why that may be: all else goes through the one writer."""
WRITES = {"write_text", "write_bytes", "mkdir", "touch", "savez_compressed", "save_pretrained"}
WRITES |= {"copyfileobj", "savefig"}


def writes(path: Path) -> list[ast.Call]:
    """The calls of a module that write, outside of what the one writer gives."""
    found: list[ast.Call] = []
    text = path.read_text()
    if not any(name in text for name in ("open", *WRITES)):
        return found
    tree = ast.parse(text)
    inside = {
        id(call)
        for block in ast.walk(tree)
        if isinstance(block, ast.With)
        for item in block.items
        if "whole_f" in ast.unparse(item) or "replacing(" in ast.unparse(item)
        for call in ast.walk(block)
    }
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or id(call) in inside:
            continue
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        words = [a.value for a in call.args if isinstance(a, ast.Constant)]
        opened = name == "open" and any(str(w)[:1] in "wxa" for w in words if w)
        if opened or name in WRITES:
            found.append(call)
    return found


def test_all_that_writes_is_on_the_list() -> None:
    root = Path(ordojo.__file__).parent
    found = {
        str(path.relative_to(root)): [ast.unparse(call) for call in calls]
        for path in sorted(root.rglob("*.py"))
        if (calls := writes(path))
    }
    known = (WRITER, *OTHERS)
    assert {n: c for n, c in found.items() if not n.startswith(known)} == {}
    assert [one for one in known if not any(n.startswith(one) for n in found)] == []
