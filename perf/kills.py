"""Kills every long command at random moments: nothing may be left behind, and nothing lost.

`python -m perf.kills --kills 100` starts the commands in turn, sends SIGKILL, SIGTERM or SIGINT to
the command or to a process below it, and looks for processes, temporary folders and locks 5 seconds
after the command's end. Then the same command goes on, and its result must be that of a run
that nobody disturbed. `--signal SIGKILL` sends that one alone. Linux only.

A command that writes an output is also killed over a former one, every other time, or each time
with `--over`; half of these as soon as it has begun to write. Until it goes on, the former output
must stand there or the new one, whole.
"""

import argparse
import ctypes
import fcntl
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PATIENCE = 5
"""Seconds after the end in which everything must be gone."""
LONGEST = 240
DRAFTS = ".*.ordojo-draft-*"
MISSED = "too late"
"""Of a command that was done before the kill: that is no kill, and it is tried again."""
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
_SUBREAPER = 36
# A job in the background inherits an ignored SIGINT.
START = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from ordojo.__main__ import main; main()"
)
PROGRAM = """```python
import gurobipy as gp
m = gp.Model()
x = m.addVars(30, vtype="I", ub=9, name="x")
m.addConstr(x.sum() <= 100 + {epoch})
m.setObjective(gp.quicksum((i % 7 + 1) * x[i] for i in range(30)), gp.GRB.MAXIMIZE)
m.optimize()
print("optimal_value =", 254)
```"""


@dataclass(frozen=True)
class Case:
    """A command, what it is fed, and what it must come to (also where it was killed before).

    `served` has a word that the command prints when it serves; it is stopped when it was asked.
    `out` is its output, and `former` the command that makes another one there.
    """

    words: Callable[[Path], list[str]]
    outcome: Callable[[Path, str], Any]
    fed: tuple[str, ...] = ()
    served: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    out: str = ""
    former: Callable[[Path], list[str]] | None = None


def records(folder: Path, said: str) -> Any:
    """The records of the runs without times; every line must be whole."""
    found = []
    for path in sorted(folder.glob("runs/*/samples.jsonl")):
        for text in path.read_bytes().decode("utf-8").splitlines():
            row = json.loads(text)
            verdicts = {k: (v["outcome"], v["score"]) for k, v in row["verdicts"].items()}
            found.append((path.parent.name, row["id"], row["epoch"], verdicts))
    names = [one[:3] for one in found]
    assert len(set(names)) == len(names), "a sample stands there twice"
    return sorted(found, key=lambda one: one[:3])


TIMED = ("instance.json", "highs.log", "summary.json")
"""Files of an instance that tell times."""


def contents(name: str, timed: Sequence[str] = ()) -> Callable[[Path, str], Any]:
    """The bytes below a folder, or of a file; of the `timed` the names alone."""

    def read(folder: Path, said: str) -> Any:
        place = folder / name
        paths = [place] if place.is_file() else sorted(place.rglob("*"))
        assert paths, f"there is no {name}"
        return {
            str(path.relative_to(folder)): path.name in timed
            or hashlib.sha256(path.read_bytes()).hexdigest()
            for path in paths
            if path.is_file()
        }

    return read


def printed(folder: Path, said: str) -> Any:
    """What the command printed."""
    return said


def decided(folder: Path, said: str) -> Any:
    """The decisions of a queue, each once."""
    rows = [json.loads(t) for t in (folder / "queue/decisions.jsonl").read_text().splitlines()]
    return sorted({(row["item"], row["kind"]) for row in rows})


def learned(folder: Path, said: str) -> Any:
    """The weights of a trained model."""
    paths = sorted((folder / "trained").rglob("final/model.safetensors"))
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]


def nothing(folder: Path, said: str) -> Any:
    """Of a server: that it answered."""
    return "answered"


def cases(shared: Path) -> dict[str, Case]:
    """Every long command; `shared` holds what `prepare` made."""
    programs = ["nl2opt", "-T", "dataset=nl2opt@ordojo"]
    answers = [str(shared / "answers.jsonl"), "--dataset", "nl2opt@ordojo", "--processes", "2"]
    scripted, gold = ["--model", "ordojo/random"], ["--model", "ordojo/gold", "--epochs", "8"]
    pool = ["or-debug", "--n", "400", "--processes", "2"]
    tiny = {"steps": 12, "save_every": 4, "generate.0.count": 20, "generate.1.count": 20}
    tiny |= {"validate.0.count": 4, "validate.1.count": 4}
    recipe = ["--config", "tiny-sft"]
    recipe += [word for key, value in tiny.items() for word in ("--set", f"{key}={value}")]

    problems = ["nl2opt", "--n", "4", "--no-program"]

    def table(folder: Path) -> list[str]:
        return ["-o", str(folder / "table"), "--force"]

    def runs(folder: Path) -> list[str]:
        return ["--runs", str(folder / "runs")]

    return {
        "eval (scripted)": Case(
            lambda f: ["eval", "or-bias", "or-debug", "--limit", "300", *scripted, *runs(f)],
            records,
        ),
        "eval (programs)": Case(lambda f: ["eval", *programs, *gold, *runs(f)], records),
        "grade": Case(lambda f: ["grade", *answers, *runs(f)], records),
        "build": Case(
            lambda f: ["build", *pool, "--force", "-o", str(f / "built.jsonl")],
            contents("built.jsonl"),
            out="built.jsonl",
            former=lambda f: ["build", "or-bias", "--n", "9", "-o", str(f / "built.jsonl")],
        ),
        "build nl2opt": Case(
            lambda f: ["build", *problems, "--seed", "2", "-o", str(f / "problems")],
            contents("problems"),
            out="problems",
            former=lambda f: ["build", *problems, "--seed", "1", "-o", str(f / "problems")],
        ),
        "verify": Case(lambda f: ["verify", str(shared / "built.jsonl")], printed),
        "structure": Case(
            lambda f: ["structure", str(shared / "model.mps"), "-o", str(f / "found")],
            contents("found"),
            out="found",
            former=lambda f: ["structure", str(shared / "other.mps"), "-o", str(f / "found")],
        ),
        "structure --export": Case(
            lambda f: ["structure", str(shared / "model.mps"), "--export", str(f / "instance")],
            contents("instance", TIMED),
            out="instance",
            former=lambda f: (
                ["structure", str(shared / "other.mps"), "--export"] + [str(f / "instance")]
            ),
        ),
        "export": Case(
            lambda f: ["export", "csv", str(shared / "built.jsonl"), *table(f)],
            contents("table"),
            out="table",
            former=lambda f: ["export", "csv", str(shared / "few.jsonl"), *table(f)],
        ),
        "explain --html": Case(
            lambda f: ["explain", str(shared / "broken.lp"), "--html", str(f / "page.html")],
            contents("page.html"),
            out="page.html",
            former=lambda f: ["explain", str(shared / "bad.lp"), "--html", str(f / "page.html")],
        ),
        "report": Case(
            lambda f: ["report", str(shared / "runs"), "-o", str(f / "report")],
            contents("report"),
            out="report",
            former=lambda f: ["report", str(shared / "few"), "-o", str(f / "report")],
        ),
        "train": Case(lambda f: ["train", "sft", *recipe, "--out", str(f / "trained")], learned),
        "review": Case(
            lambda f: ["review", "open", str(f / "queue"), "--reviewer", "ann"],
            decided,
            fed=("a", "a", "a", "a", "q"),
        ),
        "review --web": Case(
            lambda f: ["review", "open", str(f / "queue"), "--web"], nothing, served="http://"
        ),
        "workbench": Case(
            lambda f: ["workbench", str(shared / "model.mps"), "--folder", str(f / "bench")],
            nothing,
            served="http://",
        ),
        "serve": Case(
            lambda f: ["serve", *programs, "--port", str(_port())],
            nothing,
            served="http://",
        ),
        "serve --workers 2": Case(
            lambda f: ["serve", "or-debug", "--workers", "2", "--port", str(_port())],
            nothing,
            served="http://",
        ),
        "play": Case(
            lambda f: ["play", "or-bias", "--limit", "6", *runs(f)], records, fed=("100\n",) * 6
        ),
        "data verify": Case(lambda f: ["data", "verify", "orqa@ordojo", "--json"], printed),
        "data audit": Case(lambda f: ["data", "audit", "orqa@ordojo", "--json"], printed),
    }


def _port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def prepare(shared: Path) -> None:
    """Answers to grade, a pool, a model, runs and a queue."""
    from ordojo.review import ReviewItem, ReviewQueue

    rows = [
        {"id": "bakery-mix", "epoch": epoch, "completion": PROGRAM.format(epoch=epoch)}
        for epoch in range(1, 41)
    ]
    (shared / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ordojo(shared, "build", "or-debug", "--n", "400", "-o", str(shared / "built.jsonl"))
    (shared / "model.lp").write_text(_transport(60, 40))
    (shared / "other.lp").write_text(_transport(6, 4))
    broken = _transport(6, 4).replace("End", " low: x_0_0 <= 1\n high: x_0_0 >= 3\nEnd")
    (shared / "broken.lp").write_text(broken)
    (shared / "bad.lp").write_text(broken.replace(">= 3", ">= 4"))
    from ordojo.milp.files import read_model, write_model

    for name in ("model", "other"):
        write_model(read_model(shared / f"{name}.lp"), shared / f"{name}.mps")
    few = (shared / "built.jsonl").read_text().splitlines(keepends=True)[:9]
    (shared / "few.jsonl").write_text("".join(few))
    ordojo(shared, "eval", "or-bias", *("--model", "ordojo/noop"), "--runs", str(shared / "few"))
    for benchmark in ("or-bias", "or-debug"):
        words = ["eval", benchmark, "--model", "ordojo/random", "--limit", "60"]
        ordojo(shared, *words, "--runs", str(shared / "runs"))
    items = [
        ReviewItem(id=f"q{i}", title=f"Question {i}", fields={"text": "text"}, editable=("text",))
        for i in range(4)
    ]
    ReviewQueue.create(shared / "queue", items, title="Questions", reasons=["wrong", "other"])


def _transport(n: int, m: int) -> str:
    cost = " + ".join(f"{(i * 7 + j * 3) % 11 + 1} x_{i}_{j}" for i in range(n) for j in range(m))
    rows = [f" s{i}: " + " + ".join(f"x_{i}_{j}" for j in range(m)) + " <= 50" for i in range(n)]
    rows += [f" d{j}: " + " + ".join(f"x_{i}_{j}" for i in range(n)) + " >= 20" for j in range(m)]
    return "Minimize\n obj: " + cost + "\nSubject To\n" + "\n".join(rows) + "\nEnd\n"


def ordojo(folder: Path, *words: str) -> None:
    """Run a command to its end."""
    subprocess.run([sys.executable, "-c", START, *words], check=True, capture_output=True)


# What is going on on this machine ---------------------------------------------------------------


def below(pid: int) -> list[int]:
    """The living processes below one, as orphans of them come to us (the subreaper)."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            name, _, rest = path.read_text(errors="replace").rpartition(")")
            state, parent = rest.split()[:2]
            if state not in "ZX":
                parents.setdefault(int(parent), []).append(int(name.split()[0]))
    found, left = [], [pid]
    while left:
        children = parents.get(left.pop(), [])
        found += children
        left += children
    return found


def describe(pid: int) -> str:
    """A process's command line, and whose child it is."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()[:150]
    return "gone"


def reap() -> None:
    """Take the exit codes of orphans."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def held_locks(folder: Path) -> list[str]:
    """Locks that a process still holds."""
    found = []
    # `os.walk` passes over a folder that is taken away meanwhile, which is what is waited for.
    for place, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".lock"):
                with suppress(FileNotFoundError), Path(place, name).open("r+") as file:
                    try:
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    except BlockingIOError:
                        found.append(name)
    return found


class Started:
    """A command under way, with streams that are read and fed in threads."""

    def __init__(self, case: Case, folder: Path) -> None:
        self.case, self.folder, self.said, self.heard = case, folder, "", ""
        self.served = threading.Event()
        temporary = folder / "tmp"
        temporary.mkdir(exist_ok=True)
        environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1"}
        environment |= {"OMP_NUM_THREADS": "1", "COLUMNS": "200", **case.environment}
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *case.words(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        self.threads = [threading.Thread(target=t) for t in (self._out, self._err, self._feed)]
        for thread in self.threads:
            thread.daemon = True
            thread.start()

    def _out(self) -> None:
        for text in self.process.stdout or ():
            self.said += text
            self._serve(text)

    def _err(self) -> None:
        for text in self.process.stderr or ():
            self.heard += text
            self._serve(text)

    def _serve(self, text: str) -> None:
        if self.case.served and self.case.served in text:
            address = text[text.index("http://") :].split()[0].rstrip(";")
            for _ in range(100):
                with suppress(OSError):
                    urllib.request.urlopen(address.rstrip("/") + "/", timeout=5).read()
                    break
                time.sleep(0.1)
            self.served.set()

    def _feed(self) -> None:
        with suppress(OSError, ValueError):
            for text in self.case.fed:
                time.sleep(0.4)
                print(text, file=self.process.stdin, flush=True)
            if not self.case.served and self.process.stdin:
                self.process.stdin.close()

    def end(self) -> int:
        """Let it come to its end; a server is asked to end once it has answered."""
        if self.case.served:
            self.served.wait(LONGEST)
            if self.process.poll() is None:
                self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(LONGEST)
        for thread in self.threads[:2]:
            thread.join(PATIENCE)
        return code


def left_behind(folder: Path) -> list[str]:
    """What is still there after `PATIENCE` seconds; nothing as soon as nothing is."""
    deadline = time.monotonic() + PATIENCE
    while True:
        reap()
        found = [f"process {describe(pid)}" for pid in below(os.getpid())]
        found += [f"folder {path.name}" for path in (folder / "tmp").iterdir()]
        found += [f"lock {name}" for name in held_locks(folder)]
        found += [f"draft {path}" for path in folder.glob(".*") if path.is_dir()]
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


@dataclass
class Kill:
    """One kill: what was hit, and what was found wrong."""

    name: str
    signal: str
    target: str
    after: float
    over: bool = False
    code: int | None = None
    gone: float = 0.0
    faults: list[str] = field(default_factory=list)


def undisturbed(case: Case, folder: Path) -> tuple[Any, float]:
    """What a command comes to, and in how many seconds."""
    started = time.monotonic()
    running = Started(case, folder)
    code = running.end()
    seconds = time.monotonic() - started
    if code and not case.served:
        raise SystemExit(f"{case.words(folder)} failed with {code}: {running.heard[-2000:]}")
    return case.outcome(folder, running.said), seconds


def kill_once(
    name: str,
    case: Case,
    folder: Path,
    expected: Any,
    seconds: float,
    chance: random.Random,
    signals: Sequence[signal.Signals] = SIGNALS,
    before: Any = None,
) -> Kill:
    """Kill a fresh run of a command, look around, let it go on and compare.

    `before` is what its output in the folder comes to, None where there is none.
    """
    begun = time.monotonic()
    running = Started(case, folder)
    aimed = before is not None and chance.random() < 0.5
    after = chance.uniform(0.0, 0.02) if aimed else chance.uniform(0.05, 0.9 * seconds)
    while aimed and running.process.poll() is None and not list(folder.glob(DRAFTS)):
        time.sleep(0.001)
    with suppress(subprocess.TimeoutExpired):
        running.process.wait(after)
        return Kill(name, "", MISSED, after)
    after = time.monotonic() - begun
    children = below(running.process.pid)
    # The watcher is there in every command, and short of it there is more to hit.
    children = [pid for pid in children if "trap" not in describe(pid)] or children
    child = bool(children) and not aimed and chance.random() < 0.4
    target = chance.choice(children) if child else running.process.pid
    number = chance.choice(signals)
    hit = describe(target) if child else "the command"
    done = Kill(name, number.name, hit, round(after, 2), before is not None)
    with suppress(ProcessLookupError):
        os.kill(target, number)
    if child:
        done.code = running.end()
    else:
        try:
            done.code = running.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            done.faults.append(f"did not end within {PATIENCE} s")
            running.process.kill()
            running.process.wait()
    ended = time.monotonic()
    done.faults += left_behind(folder)
    done.gone = round(time.monotonic() - ended, 2)
    for thread in running.threads[:2]:
        thread.join(PATIENCE)
    if "Traceback" in running.heard:
        done.faults.append("traceback: " + running.heard[-600:])
    if case.out and (folder / case.out).exists():
        stands = case.outcome(folder, "")
        if stands not in (before, expected):
            done.faults.append("neither the former output nor the new one")
    elif before is not None:
        done.faults.append("the former output is lost")
    again = Started(case, folder)
    code = again.end()
    if code and not case.served:
        done.faults.append(f"did not go on: code {code}, {again.heard[-400:]}")
        return done
    found = case.outcome(folder, again.said)
    if child and case.outcome is records:
        # A signal to a program of a model is that program's own end, and is judged as such.
        found, wanted = ([one[:3] for one in both] for both in (found, expected))
    else:
        wanted = expected
    if found != wanted:
        done.faults.append("another result than without a kill")
    return done


def run(
    kills: int,
    seed: int,
    only: list[str],
    place: Path,
    signals: Sequence[signal.Signals] = SIGNALS,
    over: bool = False,
) -> list[Kill]:
    """Kill so many times, the commands in turn; tells about each on stderr.

    `over`: over former outputs each time, not every other time.
    """
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    chance = random.Random(seed)
    shared = place / "shared"
    shared.mkdir()
    prepare(shared)
    wanted = {n: c for n, c in cases(shared).items() if not only or n in only}
    wanted = {n: c for n, c in wanted.items() if c.former or not over}
    known: dict[tuple[str, bool], tuple[Any, float]] = {}
    done: list[Kill] = []
    for turn in range(kills):
        name = list(wanted)[turn % len(wanted)]
        case = wanted[name]
        stands = case.former is not None and (over or turn // len(wanted) % 2 == 1)
        if (name, stands) not in known:
            folder, _ = _over(case, place, shared) if stands else (_fresh(place, shared), None)
            known[name, stands] = undisturbed(case, folder)
        one = Kill(name, "", MISSED, 0)
        while one.target == MISSED:
            folder, former = _over(case, place, shared) if stands else (_fresh(place, shared), None)
            one = kill_once(
                name, case, folder, *known[name, stands], chance, signals, before=former
            )
        done.append(one)
        print(turn + 1, one, file=sys.stderr, flush=True)
        for pid in below(os.getpid()):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        reap()
    return done


def _fresh(place: Path, shared: Path) -> Path:
    folder = place / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copytree(shared / "queue", folder / "queue")
    return folder


def _over(case: Case, place: Path, shared: Path) -> tuple[Path, Any]:
    """A folder with a former output of the command, and what that comes to."""
    folder, kept = _fresh(place, shared), place / "former" / case.out
    if not kept.exists():
        assert case.former is not None
        ordojo(shared, *case.former(kept.parent))
    (shutil.copytree if kept.is_dir() else shutil.copy)(kept, folder / case.out)
    return folder, case.outcome(folder, "")


def table(done: list[Kill]) -> str:
    """One line a command: kills, over former outputs, of children, by signal, cleanness, faults."""
    lines = [
        "command | kills | over existing | of children | KILL TERM INT | longest seconds to clean"
        " | faults"
    ]
    for name in dict.fromkeys(one.name for one in done):
        mine = [one for one in done if one.name == name]
        by = Counter(one.signal for one in mine)
        signals = " ".join(str(by[number.name]) for number in SIGNALS)
        children = sum(one.target != "the command" for one in mine)
        faults = sum(bool(one.faults) for one in mine)
        longest = max(one.gone for one in mine)
        over = sum(one.over for one in mine)
        lines.append(
            f"{name} | {len(mine)} | {over} | {children} | {signals} | {longest} | {faults}"
        )
    lines.append(f"all | {len(done)} | faults {sum(bool(one.faults) for one in done)}")
    return "\n".join(lines)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    names = [number.name for number in SIGNALS]
    parser.add_argument("--signal", choices=names, help="This one alone.")
    parser.add_argument("--only", action="append", default=[], help="The name of a command.")
    parser.add_argument("--over", action="store_true", help="Over former outputs each time.")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kills-") as place:
        signals = [signal.Signals[asked.signal]] if asked.signal else SIGNALS
        done = run(asked.kills, asked.seed, asked.only, Path(place), signals, asked.over)
    print(table(done))
    sys.exit(1 if any(one.faults for one in done) else 0)


if __name__ == "__main__":
    main()
