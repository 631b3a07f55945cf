"""Every documented installation, with real work of its page in it.

    python -m tests.installations FOLDER_OF_THE_WHEEL FOLDER

Run by the development environment's Python, which lends its libraries, so that no network is
needed: each installation is a fresh environment with the wheel and, of the libraries, those alone
that pip would install for it. In each: the work that its page describes, and a small program of
every library that programs may use, by `ordojo run`, as the model of an answer would write it.
Prints the table of installations by libraries; ends with 1 where a cell is not what it must be.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.util import cache_from_source
from pathlib import Path

from packaging.requirements import Requirement

from ordojo.core.records import MISSING

LP = """\
max
 obj: 3 bread + 5 cake
st
 oven: 2 bread + 3 cake <= 60
 orders: 2 bread + 3 cake >= 75
end
"""

EPISODE = """\
import subprocess, sys, time, urllib.request
from openenv.core.generic_client import GenericEnvClient
server = subprocess.Popen(["ordojo", "serve", "or-bias", "--port", sys.argv[1]])
url = "http://127.0.0.1:" + sys.argv[1]
try:
    while server.poll() is None:
        try:
            urllib.request.urlopen(url + "/health", timeout=10).close()
            break
        except OSError:
            time.sleep(0.1)
    with GenericEnvClient(base_url=url).sync() as client:
        client.reset(index=0)
        print("reward", client.step({"text": "Order quantity: 1"}).reward)
finally:
    server.terminate()
    server.wait()
"""

TOOL = """\
import anyio, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    server = StdioServerParameters(command="ordojo", args=["mcp", "--allow", "."])
    async with stdio_client(server) as streams, ClientSession(*streams) as client:
        await client.initialize()
        print((await client.call_tool("explain", {"model": "bakery.lp"})).content[0].text)

anyio.run(main)
"""

TAUGHT = """\
stage: sft
out: sft
model: tiny
method: full
tiny: {hidden: 32, layers: 1, heads: 2, intermediate: 32}
steps: 5
batch_size: 4
accumulation: 1
max_length: 1024
device: cpu
rendering: compact
save_every: 0
generate: &data
  - {benchmark: or-bias, count: 8, options: {mode: chat}, max_tokens: 8}
validate: *data
"""

PACKAGE = """\
import sys
sys.path.insert(0, "package")
import ordojo_or_bias, verifiers
print("taskset of", verifiers.__version__, [n for n in dir(ordojo_or_bias) if n[0] != "_"])
"""

SOLVED = """\
import json
from ordojo.compat.declared import failures
from ordojo.compat.libraries import PROGRAMS
why = failures("auto", PROGRAMS)
print(json.dumps({name: [one.library, why.get(name, "")] for name, one in PROGRAMS.items()}))
"""
"""Each library's small program in the sandbox of this environment, and why it has no optimum."""

ANSWERS = """\
import json, subprocess
from itertools import cycle, islice
from pathlib import Path
from ordojo.compat.libraries import PROGRAMS
from ordojo.core.registry import get_benchmark

benchmark = get_benchmark("nl2opt")
items = benchmark.load(benchmark.options(dataset="nl2opt@ordojo"), 0)
gurobi = "import gurobipy as gp\\nm = gp.Model()\\nm.addVar(ub=4)\\n"
abstain = ["", "import cplex", "import sys; sys.exit()", gurobi + "m.tune()", gurobi + "print(m)"]
abstain += ["raise NotImplementedError('not supported')", "print('optimal_value = nan')"]
abstain += [one.text for one in PROGRAMS.values()]  # of another problem, if the library is here
items = sorted(items, key=lambda one: "." in one.problem.golds[0].text)
programs = [one.problem.program for one in items[:5]] + [*islice(cycle(abstain), len(items) - 5)]
answers = [
    {"id": one.id, "epoch": 1, "completion": f"```python\\n{program}\\n```"}
    for one, program in zip(items, programs, strict=True)
]
Path("answers.jsonl").write_text("\\n".join(map(json.dumps, answers)))
grade = "ordojo grade answers.jsonl --dataset nl2opt@ordojo -T leaks=true --runs graded"
subprocess.run(grade.split(), check=True, stdout=subprocess.DEVNULL)
(file,) = Path("graded").glob("*/samples.jsonl")
rows = [json.loads(line)["verdicts"] for line in file.read_text().splitlines()]
shares = {rule: [row[rule]["score"] for row in rows] for rule in benchmark.rules}
print({sum(scores) for scores in shares.values() if None not in scores}, "of", len(rows))
print("unscored:", [rule for rule, scores in shares.items() if None in scores])
"""
"""Five right answers and 22 that abstain, each way of it, judged under every rule."""

FILES = {
    "answers.py": ANSWERS,
    "bakery.lp": LP,
    "episode.py": EPISODE,
    "tool.py": TOOL,
    "sft.yaml": TAUGHT,
    "package.py": PACKAGE,
    "solved.py": SOLVED,
}
"""What the works find in their folder."""

ASK = "eval orqa -T dataset=orqa@ordojo --model ordojo/random --limit 4"


@dataclass(frozen=True)
class Work:
    """A command of a page, by `ordojo` unless it begins with python.

    `says` is what it must print, a pattern; `makes` the files that it must write, a glob.
    """

    line: str
    says: str
    makes: str = "*"


INSTALLATIONS: dict[str, Sequence[Work]] = {
    "": (Work(ASK, "4 of 4 samples"), Work("explain bakery.lp", "oven <= 60 becomes 75")),
    "embedded,programs": (Work(ASK.replace("random --limit 4", "smollm2 --limit 1"), "1 of 1"),),
    "train": (Work("train sft --config sft.yaml", "sft", "sft/**/*.safetensors"),),
    "ray": (Work(ASK + " --on ray", "4 of 4 samples"),),
    "serve": (Work("python episode.py {port}", r"reward -?\d"),),
    "mcp": (Work("python tool.py", "oven"),),
    "export": (Work("export hf orqa@ordojo -o hf", "hf", "hf/**/*.parquet"),),
    "figures": (
        Work(ASK, ""),
        Work("report runs -o report --figures charts", "report", "charts/*.pdf"),
    ),
    "verifiers": (
        Work("export verifiers or-bias -o package", "pip install"),
        Work("python package.py", "taskset of"),
    ),
    "gurobi": (Work("explain bakery.lp --solver gurobi", "oven <= 60 becomes 75"),),
    "scip": (Work("explain bakery.lp --solver scip", "oven <= 60 becomes 75"),),
}
"""The extras of each, as its page names them."""

ABSTAINING = Work("python answers.py", r"{5.0} of 27\nunscored: \[\]")
"""Once for each set of libraries that programs may use: on nothing else do these verdicts hang."""


def plain(name: str) -> str:
    """A library's name as the package index writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def closure(name: str, wanted: frozenset[str], seen: dict[str, set[str]]) -> None:
    """Collect what `name` with its extras `wanted` needs, and what that needs."""
    key = plain(name)
    if key in seen and wanted <= seen[key]:
        return
    seen.setdefault(key, set()).update(wanted)
    for line in metadata.requires(name) or ():
        need = Requirement(line)
        if need.marker is None or any(need.marker.evaluate({"extra": e}) for e in ("", *wanted)):
            closure(need.name, frozenset(need.extras), seen)


def files(name: str) -> Iterator[str]:
    """The files of a library inside site-packages."""
    for file in metadata.files(name) or ():
        if not file.is_absolute() and ".." not in file.parts:
            yield str(file)
            if file.suffix == ".py":
                yield cache_from_source(str(file))


def lend(names: list[str], target: Path) -> None:
    """Put the libraries' files into a site-packages, as links to the same ones where it can be.

    Compiled ones go along: compiling them again would take most of the check's time.
    """
    source = Path(sysconfig.get_path("purelib"))
    for name in names:
        for file in files(name):
            place = target / file
            if place.exists() or not (source / file).exists():
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(source / file, place)
            except OSError:
                shutil.copy2(source / file, place)


def make(wheels: Path, extras: str, venv: Path) -> set[str]:
    """A fresh environment as `pip install 'ordojo[extras]'` makes it; the libraries that it has."""
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    pip = [sys.executable, "-m", "pip", "--python", venv, "install", "-q", "--no-deps"]
    subprocess.run([*pip, "--no-index", wheel], check=True)
    needed: dict[str, set[str]] = {}
    closure("ordojo", frozenset(filter(None, extras.split(","))), needed)
    del needed["ordojo"]
    where = [venv / "bin/python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    target = subprocess.run(where, check=True, capture_output=True, text=True).stdout.strip()
    lend(sorted(needed), Path(target))
    return set(needed)


def run(line: str, venv: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command in an environment, with nothing of the development environment on its path."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    env = kept | {"PATH": f"{venv}/bin:/usr/bin:/bin"}
    words = line.format(port=free_port()).split()
    words = words if words[0] == "python" else ["ordojo", *words]
    words[0] = str(venv / "bin" / words[0])
    return subprocess.run(
        words, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False
    )


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def work(extras: str, works: Sequence[Work], venv: Path, folder: Path) -> list[str]:
    """Do what the page of an installation describes; what was not as it must be."""
    wrong = []
    for one in works:
        done = run(one.line, venv, folder)
        told = done.stdout + done.stderr
        if done.returncode or not re.search(one.says, told) or not list(folder.glob(one.makes)):
            wrong.append(f"[{extras}] {one.line}: ended with {done.returncode}\n{told[-2000:]}")
    return wrong


def solved(
    extras: str, venv: Path, folder: Path, has: set[str]
) -> tuple[dict[str, str], list[str]]:
    """What became of each library's small program, and where that is not what it must be."""
    done = run("python solved.py", venv, folder)
    if done.returncode:
        return {}, [f"[{extras}] the libraries could not be tried\n{done.stderr[-2000:]}"]
    cells, wrong = {}, []
    for name, (library, why) in json.loads(done.stdout).items():
        there = not library or plain(library) in has
        cells[name] = ": ".join(why or ["60"])
        if there == bool(why):
            wrong.append(
                f"[{extras}] {name} ({'installed' if there else 'missing'}): {cells[name]}"
            )
    return cells, wrong


def table(cells: dict[str, dict[str, str]]) -> str:
    """Installations by libraries: the optimum found, or - where the library is not installed."""
    names = max(cells.values(), key=len)
    rows = [["", *names]]
    for extras, found in cells.items():
        short = ("-" if why.startswith(MISSING) else why for why in found.values())
        rows.append([extras or "core", *short])
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def main() -> None:
    wheels, home = Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute()
    shutil.rmtree(home, ignore_errors=True)
    wrong: list[str] = []
    cells: dict[str, dict[str, str]] = {}
    judged: list[frozenset[str]] = []
    for extras in sys.argv[3:] or INSTALLATIONS:
        folder = home / (extras.replace(",", "-") or "core")
        folder.mkdir(parents=True)
        for name, text in FILES.items():
            (folder / name).write_text(text)
        has = make(wheels, extras, folder / "venv")
        cells[extras], faults = solved(extras, folder / "venv", folder, has)
        libraries = frozenset(name for name, cell in cells[extras].items() if cell == "60")
        again = libraries in judged
        works = INSTALLATIONS[extras] if again else (*INSTALLATIONS[extras], ABSTAINING)
        judged.append(libraries)
        wrong += work(extras, works, folder / "venv", folder) + faults
    print(table(cells))
    sys.exit("\n".join(["installations:", *wrong]) if wrong else 0)


if __name__ == "__main__":
    main()
