"""Malformed inputs for every command: each must be one sentence and an exit code, in time.

`python -m perf.malformed --inputs 1000` changes valid files, options and arguments at random (of a
seed), calls the commands in this process and prints what was wrong: a traceback, a hang, another
exit code than 0, 1 or 2, more than a sentence. What was wrong can be had again by its number.
"""

import argparse
import contextlib
import faulthandler
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE = 40
"""Seconds for one input."""

MEMORY = 8 << 30
"""Bytes of addresses: what asks for more shall fail, and not the machine."""

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**64), 10**400, 0.5, 1e308, -1e308, 5e-324,
    float("nan"), float("inf"), float("-inf"), "", " ", "x", "nan", "inf", "1e999", "-1", "0x10",
    "\x00", "\ud800", "a\udfffb", "\u202e", "é" * 50, "x" * 70_000, "../../etc/passwd", "/dev/zero",
    "{", "[1, 2", "%s%n", "{0.__class__}", "${HOME}", "[bold]x[/bold]", "[/]", [], {}, [[]], [None],
    {"a": {}}, {"": 0}, [1, "2", None], ["\ud800"], "1\n2", "١٢", "1_000", "NaN", "Infinity",
)  # fmt: skip
NUMBERS = (
    "nan", "inf", "-inf", "1e999", "-1", "0", "1e-320", "1e308", "99999999999999999999999", "",
    " ", "abc", "0x10", "1_0", "१", "1.5", "-0", "\x1f", "1e5", "true", "[1]", "3" * 5000,
)  # fmt: skip
TEXTS = (
    "", " ", "nowhere", "../..", "/", "/dev/null", "/dev/zero", "x" * 300, "x" * 5000, "a\nb",
    "é", "[bold]", "%s", "=", "a=b=c", ".", "~", "~nobody/x", "*", "-", "--", "@", "x@y",
    "ordojo/", "ordojo/replay?path=", "/dev/full", "CON", "\x1b[31m", "{}", "1", "nl2opt@ordojo",
)  # fmt: skip


# Changing what is valid -------------------------------------------------------------------------


def change_bytes(data: bytes, chance: random.Random) -> bytes:
    """A few bytes, lines or the encoding changed."""
    lines = data.split(b"\n")
    place = chance.randrange(len(data) + 1)
    kind = chance.randrange(16)
    if kind == 0:
        return data[:place]
    if kind == 1:
        return data[:place] + bytes(chance.randrange(256) for _ in range(5)) + data[place:]
    if kind == 2 and data:
        place %= len(data)
        return data[:place] + bytes([data[place] ^ (1 << chance.randrange(8))]) + data[place + 1 :]
    if kind == 3:
        return b"\n".join(lines[: chance.randrange(len(lines))])
    if kind == 4:
        return b"\n".join([*lines, *lines])
    if kind == 5:
        return b""
    if kind == 6:
        return chance.randbytes(2000)
    if kind == 7:
        return data.decode("utf-8", "replace").encode("utf-16")
    if kind == 8:
        return b"\xef\xbb\xbf" + data
    if kind == 9:
        return data.replace(b"\n", b"\r")
    if kind == 10:
        return data.replace(b"\n", b"\r\n")
    if kind == 11:
        return data[:place] + b"\x00" * 100 + data[place:]
    if kind == 12:
        mark = chance.choice([b"[", b"{", b"(", b'{"a":', b"- ", b"? ", b"&a [*a,"])
        return data[:place] + mark * 100_000 + data[place:]
    if kind == 13:
        words = data.split(b" ")
        chance.shuffle(words)
        return b" ".join(words)
    if kind == 14:
        return data + b"x" * 3_000_000
    digits = [i for i in range(len(data)) if data[i : i + 1].isdigit()]
    if not digits:
        return data[::-1]
    place = chance.choice(digits)
    number = chance.choice(NUMBERS).encode("utf-8", "surrogateescape")
    return data[:place] + number + data[place + 1 :]


def nodes(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every part of a JSON value."""
    yield way
    if isinstance(value, dict):
        for key in value:
            yield from nodes(value[key], (*way, key))
    elif isinstance(value, list):
        for place in range(len(value)):
            yield from nodes(value[place], (*way, place))


def change_value(value: Any, chance: random.Random) -> Any:
    """One part of a JSON value replaced, removed, renamed, doubled or nested."""
    *way, last = chance.choice(list(nodes(value))[1:] or [(None,)])
    if last is None:
        return chance.choice(VALUES)
    holder = value
    for step in way:
        holder = holder[step]
    kind = chance.randrange(6)
    if kind == 0:
        del holder[last]
    elif kind == 1 and isinstance(holder, dict):
        holder[chance.choice(["", "x", "\ud800", str(last) + "_", "__class__"])] = holder.pop(last)
    elif kind == 2 and isinstance(holder, list):
        holder.append(holder[last])
    elif kind == 3:
        deep: Any = holder[last]
        for _ in range(chance.choice([1, 3, 400, 900])):
            deep = [deep]
        holder[last] = deep
    else:
        holder[last] = chance.choice(VALUES)
    return value


def change_json(data: bytes, chance: random.Random) -> bytes:
    """A JSON file, or a line of JSON lines, changed as JSON; as bytes one time in three."""
    if chance.random() < 0.35:
        return change_bytes(data, chance)
    whole = data.strip().startswith(b"{") and not data.strip().count(b"\n{")
    lines = [data] if whole else [line for line in data.split(b"\n") if line]
    place = chance.randrange(len(lines))
    changed = change_value(json.loads(lines[place]), chance)
    lines[place] = json.dumps(changed, ensure_ascii=chance.random() < 0.7).encode(
        "utf-8", "surrogatepass"
    )
    return b"\n".join(lines) + b"\n"


def change_yaml(data: bytes, chance: random.Random) -> bytes:
    """A recipe or a price list, changed as a value or as bytes."""
    import yaml

    if chance.random() < 0.35:
        return change_bytes(data, chance)
    changed = change_value(yaml.safe_load(data), chance)
    return json.dumps(changed).encode()  # JSON is YAML


# What the commands are called with --------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Where valid files stand (`valid`), and where one call may work (`here`)."""

    valid: Path
    here: Path
    chance: random.Random

    def changed(self, name: str, change: Callable[[bytes, random.Random], bytes]) -> str:
        """A changed copy of a valid file, or sometimes something that is no such file."""
        path = self.here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        kind = self.chance.randrange(25)
        if kind == 0:
            path.mkdir()
        elif kind == 1:
            path.symlink_to(self.chance.choice(["/dev/zero", "/dev/urandom", "/dev/null", "."]))
        elif kind == 2:
            with path.open("wb") as file:
                file.truncate(1 << 30)
        elif kind != 3:
            path.write_bytes(change((self.valid / name).read_bytes(), self.chance))
        return str(path)

    def folder(self, name: str) -> str:
        """A copy of a valid folder with one file changed."""
        path = self.here / name
        shutil.copytree(self.valid / name, path)
        files = sorted(one for one in path.rglob("*") if one.is_file())
        one = self.chance.choice(files)
        change = change_json if one.suffix in (".json", ".jsonl") else change_bytes
        with contextlib.suppress(ValueError, IndexError):
            data = change(one.read_bytes(), self.chance)
            one.unlink()
            self.changed(str(one.relative_to(self.here)), lambda *_: data)
        return str(path)

    def text(self) -> str:
        """An odd text."""
        return self.chance.choice(TEXTS)

    def number(self) -> str:
        """An odd number."""
        return self.chance.choice(NUMBERS)


Words = Callable[[Place], list[str]]


def commands() -> dict[str, Words]:
    """Every command's every input, each as the words of a call."""
    runs = ["--runs", "runs"]
    noop = ["--model", "ordojo/noop", "--limit", "2", *runs]
    train = ["--dry-run"]

    def options(base: list[str], names: str) -> Words:
        """One option or argument of a valid call replaced by something odd."""

        def call(p: Place) -> list[str]:
            value = p.number() if p.chance.random() < 0.7 else p.text()
            return [*base, p.chance.choice(names.split()), value]

        return call

    def one_of(*ways: Words) -> Words:
        return lambda p: p.chance.choice(ways)(p)

    return {
        "verify": one_of(
            lambda p: ["verify", p.changed("debug.jsonl", change_json)],
            lambda p: ["verify", p.changed("bias.jsonl", change_json)],
            lambda p: ["verify", p.changed("orqa.jsonl", change_json)],
            lambda p: ["verify", p.folder("built")],
            lambda p: ["verify", p.text()],
        ),
        "eval files": one_of(
            lambda p: (
                ["eval", "orqa", "-T", f"dataset={p.changed('orqa.jsonl', change_json)}"] + noop
            ),
            lambda p: (
                ["eval", "econlogicqa", "-T"]
                + [f"dataset={p.changed('econ.csv', change_bytes)}", *noop]
            ),
            lambda p: (
                ["eval", "or-bias", "-T", f"dataset={p.changed('bias.jsonl', change_json)}"] + noop
            ),
            lambda p: (
                ["eval", "or-debug", "-T", f"dataset={p.changed('debug.jsonl', change_json)}"]
                + noop
            ),
            lambda p: (
                ["eval", "nl2opt", "-T", f"dataset={p.changed('nl2opt.jsonl', change_json)}"] + noop
            ),
            lambda p: ["eval", "nl2opt", "-T", f"dataset=folder:{p.folder('built')}", *noop],
            lambda p: (
                ["eval", "orqa", "-T", "dataset=orqa@ordojo", "--limit", "2", *runs]
                + ["--model", f"ordojo/replay?path={p.changed('replay.jsonl', change_json)}"]
            ),
            lambda p: (
                ["eval", "orqa", "-T", "dataset=orqa@ordojo", "--limit", "1", *runs]
                + ["--model", "mockllm/model", "--prices", p.changed("prices.yaml", change_yaml)]
            ),
        ),
        "eval options": one_of(
            options(
                ["eval", "orqa", "-T", "dataset=orqa@ordojo", *noop, "--dry-run"],
                "--limit --epochs --seed --runs --temperature --top-p --max-tokens "
                "--max-connections --timeout --max-retries --model -M -T --prices "
                "--model-base-url",
            ),
            lambda p: ["eval", p.text(), *noop],
            *(
                (
                    lambda p, b=b, k=k: (
                        ["eval", b, "-T", f"{p.chance.choice(k.split())}={p.number()}", *noop]
                    )
                )
                for b, k in {
                    "orqa": "dataset prompt shots reasoning_tokens split decision style",
                    "econlogicqa": "dataset shots prompt",
                    "or-bias": "mode dataset max_tokens prompt rounds level n",
                    "or-debug": "max_steps max_tokens dataset split set protocol interface",
                    "nl2opt": "isolation time_limit memory solver dataset max_tokens retries",
                }.items()
            ),
        ),
        "grade": one_of(
            lambda p: (
                ["grade", p.changed("answers.jsonl", change_json), "--dataset"]
                + ["nl2opt@ordojo", "--processes", "1", *runs]
            ),
            options(
                ["grade", "answers.jsonl", "--dataset", "nl2opt@ordojo", *runs],
                "--dataset --rule -T --processes --runs",
            ),
        ),
        "report": one_of(
            lambda p: ["report", p.folder("runs"), "-o", "out"],
            lambda p: ["report", p.folder("trained"), "-o", "out"],
            lambda p: ["report", str(p.valid / "runs"), "-o", p.text()],
            lambda p: ["report", p.text(), "-o", "out"],
            lambda p: ["report", str(p.valid / "runs"), "-o", "out", "--title", p.text()],
        ),
        "resumed": lambda p: (
            ["eval", "or-bias", *noop[:2], "--limit", "5"] + ["--runs", p.folder("runs")]
        ),
        "explain": one_of(
            lambda p: ["explain", p.changed("model.mps", change_bytes)],
            lambda p: ["explain", p.changed("model.lp", change_bytes)],
            options(["explain", str(p_valid("model.mps"))], "--time-limit --limit --weight"),
            lambda p: ["explain", str(p.valid / "model.mps"), "--weight", f"r1={p.number()}"],
        ),
        "structure": one_of(
            lambda p: ["structure", p.changed("model.mps", change_bytes), "-o", "out"],
            lambda p: ["structure", p.changed("model.lp", change_bytes), "-o", "out"],
            lambda p: ["structure", "--check", p.folder("found")],
            lambda p: (
                ["structure", str(p.valid / "model.mps"), "--export", "out", "--blueprint"]
                + [p.changed("found/blueprint.json", change_json)]
            ),
            options(
                ["structure", str(p_valid("model.mps")), "-o", "out", "--export", "out2"],
                "--scenario --time-limit --blueprint -o --export --check",
            ),
        ),
        "diff": one_of(
            lambda p: ["diff", str(p.valid / "model.mps")] + [p.changed("model.lp", change_bytes)],
            lambda p: ["diff", "--runs", p.folder("runs")],
            options(["diff", str(p_valid("model.mps")), str(p_valid("model.lp"))], "--time-limit"),
        ),
        "review": one_of(
            lambda p: ["review", "status", p.folder("queue"), "--json"],
            lambda p: ["review", "table", p.folder("queue")],
            lambda p: ["review", "open", p.folder("queue"), "--reviewer", p.text()],
            lambda p: ["review", "reasoning", p.folder("runs"), "-o", "queue2"],
            options(["review", "open", "queue"], "--port --reviewer"),
        ),
        "train": one_of(
            lambda p: ["train", "sft", *train, "--config", p.changed("sft.yaml", change_yaml)],
            lambda p: ["train", "grpo", *train, "--config", p.changed("grpo.yaml", change_yaml)],
            lambda p: ["train", "prm", *train, "--config", p.changed("prm.yaml", change_yaml)],
            lambda p: (
                ["train", "curriculum", *train, "--config"]
                + [p.changed("curriculum.yaml", change_yaml)]
            ),
            lambda p: (
                ["train", "sft", *train, "--config", "tiny-sft", "--set"]
                + [
                    p.chance.choice(
                        [
                            "steps",
                            "seed",
                            "learning_rate",
                            "batch_size",
                            "generate",
                            "generate.0.count",
                            "generate.9.x",
                            "generate.0.options.max_steps",
                            "validate.0.count",
                            "device",
                            "model",
                            "save_every",
                            "x",
                        ]
                    )
                    + "="
                    + (p.number() if p.chance.random() < 0.7 else p.text())
                ]
            ),
        ),
        "build": one_of(
            options(["build", "or-bias", "-o", "out.jsonl", "--n", "3"], "--n --seed --iqr -o"),
            options(
                ["build", "or-debug", "-o", "out.jsonl", "--processes", "1", "--n", "2"],
                "--seed -o",
            ),
            options(["build", "orqa", "-o", "out.jsonl", "--n", "3"], "--seed -o --split --review"),
            options(
                ["build", "nl2opt", "-o", "out", "--template", "bin_packing", "--no-program"],
                "--n --seed --seconds --template --size -o -T",
            ),
            lambda p: (
                ["build", "nl2opt", "-o", "out", "--template", "bin_packing", "-T"]
                + [f"items={p.number()}", "--no-program"]
            ),
            lambda p: (
                ["build", "econlogicqa", "-o", "out", "--model", "mockllm/model"]
                + ["--articles", p.changed("articles.jsonl", change_json)]
            ),
            lambda p: ["build", "orqa", "-o", "o.jsonl", "--n", "3", "--review", p.folder("queue")],
        ),
        "run": one_of(
            lambda p: ["run", p.changed("program.py", change_bytes), "--time-limit", "3"],
            options(
                ["run", str(p_valid("program.py"))], "--time-limit --memory --file --isolation"
            ),
        ),
        "play": one_of(
            options(["play", "or-bias", "--limit", "2", *runs], "--seed --limit --name --runs -T"),
            lambda p: ["play", p.text(), *runs],
        ),
        "data": lambda p: (
            ["data", p.chance.choice(["verify", "audit", "path", "pull", "statistics"])]
            + [p.text()]
        ),
        "models": lambda p: ["models", "pull", p.text()],
        "serve": options(
            ["serve", "or-debug", "--limit", "2"],
            "--limit --seed --host --port --sessions --client-sessions --idle --workers -T",
        ),
        "workbench": one_of(
            lambda p: ["workbench", p.changed("model.mps", change_bytes), "--folder", "bench"],
            lambda p: ["workbench", str(p.valid / "model.mps"), "--folder", p.folder("bench")],
            options(["workbench", str(p_valid("model.mps"))], "--port --folder"),
        ),
    }


_valid: list[Path] = []


def p_valid(name: str) -> Path:
    """A valid file, for calls whose options are changed."""
    return _valid[-1] / name


def prepare(valid: Path) -> None:
    """Valid inputs of every kind."""
    from importlib.resources import files

    from click.testing import CliRunner

    from ordojo.cli import cli
    from ordojo.core.options import parse_options
    from ordojo.core.registry import get_benchmark
    from ordojo.evaluation.session import EvaluationSession
    from ordojo.review import ReviewItem, ReviewQueue
    from ordojo.structures import read_flat, workbench

    def call(*words: str) -> None:
        done = CliRunner().invoke(cli, list(words))
        if done.exit_code not in (0, 1):
            raise SystemExit(f"{words}: {done.output} {done.exception!r}")

    shipped = Path(str(files("ordojo.datasets").joinpath("shipped")))
    recipes = Path(str(files("ordojo.training.recipes").joinpath("shipped")))
    for name in ("sft", "grpo", "prm", "curriculum"):
        recipe = (recipes / f"tiny-{name}.yaml").read_text("utf-8")
        # A dry run makes every instance: what is wrong does not depend on how many there are.
        (valid / f"{name}.yaml").write_text(re.sub(r"count: \d+", "count: 4", recipe), "utf-8")
    for name, source in {
        "orqa": "orqa/test",
        "nl2opt": "nl2opt/test",
        "articles": "econlogicqa/articles",
    }.items():
        rows = (shipped / f"{source}.jsonl").read_bytes().splitlines()[:4]
        (valid / f"{name}.jsonl").write_bytes(b"\n".join(rows) + b"\n")
    econ = (shipped / "econlogicqa/test.csv").read_bytes()
    (valid / "econ.csv").write_bytes(econ)
    (valid / "prices.yaml").write_text(
        "mockllm/model:\n  input: 1.0\n  output: 2.0\n"
        "  input_cache_write: 1.0\n  input_cache_read: 0.1\n"
    )
    (valid / "model.lp").write_text(
        "Maximize\n obj: 3 x + 2 y + z\nSubject To\n r1: x + y + z <= 10\n r2: x - y >= -2\n"
        " r3: x + 3 y + z <= 12\nBounds\n x <= 4\n 0 <= z <= 7\nGeneral\n z\nEnd\n"
    )
    from ordojo.milp.files import read_model, write_model

    write_model(read_model(valid / "model.lp"), valid / "model.mps")
    (valid / "program.py").write_text("import gurobipy as gp\nm = gp.Model()\nprint(1)\n")
    call("build", "or-debug", "--n", "4", "--processes", "1", "-o", str(valid / "debug.jsonl"))
    call("build", "or-bias", "--n", "4", "-o", str(valid / "bias.jsonl"))
    folder = ["--template", "bin_packing", "--no-program"]
    call("build", "nl2opt", "-o", str(valid / "built"), *folder)
    call("structure", str(valid / "model.mps"), "-o", str(valid / "found"))
    call("structure", str(valid / "model.mps"), "--export", str(valid / "exported"))
    blueprint = next((valid / "exported").rglob("blueprint.json"))
    shutil.copy(blueprint, valid / "found" / "blueprint.json")
    for benchmark in ("or-bias", "or-debug"):
        words = ["eval", benchmark, "--model", "ordojo/noop", "--limit", "5"]
        call(*words, "--runs", str(valid / "runs"))
    answer = {"id": "bakery-mix", "epoch": 1, "completion": "```python\nprint(1)\n```"}
    (valid / "answers.jsonl").write_text(json.dumps(answer) + "\n")
    session = EvaluationSession(
        get_benchmark("orqa"),
        parse_options(
            get_benchmark("orqa").options, {"dataset": str(valid / "orqa.jsonl")}, "orqa"
        ),
        0,
    )
    replies = [{"id": name, "epoch": 1, "completion": "A"} for name in session.by_id]
    (valid / "replay.jsonl").write_text("".join(json.dumps(row) + "\n" for row in replies))
    items = [
        ReviewItem(id=f"q{i}", title="T", fields={"text": "t"}, editable=("text",)) for i in (1, 2)
    ]
    ReviewQueue.create(valid / "queue", items, title="Questions", reasons=["wrong", "other"])
    with ReviewQueue.open(valid / "queue", write=True) as queue:
        queue.decide("q1", "accept", "ann")
    (valid / "trained").mkdir()
    (valid / "trained/metrics.csv").write_text("step,loss,epoch\n1,0.5,0.1\n2,0.4,0.2\n")
    (valid / "trained/summary.json").write_text('{"stage": "sft", "steps": 2}\n')
    workbench.WorkbenchSession(read_flat(valid / "model.mps"), valid / "bench", "model").close()


# Calling them -----------------------------------------------------------------------------------


class _LateError(BaseException):
    """A call took too long."""


@dataclass(frozen=True)
class Fault:
    """What was wrong with one input, by its number."""

    number: int
    command: str
    words: list[str]
    what: str


def call(words: list[str]) -> tuple[int | None, str, str]:
    """Exit code, stderr and the traceback of a call in this process."""
    from click.testing import CliRunner

    from ordojo.cli import cli, refusal

    def late(number: int, frame: Any) -> None:
        raise _LateError("".join(traceback.format_stack(frame)[-6:]))

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        done = CliRunner().invoke(cli, words, input="a\nq\n")
    except _LateError as error:
        return None, "", f"took longer than {PATIENCE} s\n{error}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    raised = done.exception
    if raised is not None and refusal(raised):
        return 2, done.stderr + refusal(raised), ""
    if raised is None or isinstance(raised, SystemExit):
        return done.exit_code, done.stderr, ""
    text = "".join(traceback.format_exception(raised))
    return None, "", text


def judge(command: str, code: int | None, heard: str, trace: str) -> str:
    """What is wrong with an ending, "" if nothing is."""
    if trace:
        return trace
    if code not in (0, 1, 2):
        return f"exit code {code}: {heard[-300:]}"
    last = heard.rstrip("\n").rpartition("\n")[2] if heard else ""
    if code == 2 and not last:
        return "exit code 2 and not a word"
    if "Traceback" in heard and command != "run":  # a program's own words are passed on
        return heard
    if code == 2 and "ordojo: " in heard and "\n" in heard[heard.index("ordojo: ") :].rstrip("\n"):
        return f"more than a line: {heard!r}"
    return ""


@contextlib.contextmanager
def not_serving() -> Iterator[None]:
    """Servers come up to where they would serve, and end there."""
    from unittest.mock import patch

    with (
        patch("ordojo.review.local.LocalServer.serve_until_interrupted", lambda self: self.close()),
        patch("uvicorn.run", lambda *a, **k: None),
        # The builders' model would be asked over the network.
        patch("ordojo.evaluation.generation.generator", lambda name: lambda prompt, **how: "none"),
    ):
        yield


def run(numbers: range, seed: int, only: str, place: Path) -> tuple[list[Fault], Counter[str]]:
    """Call so many malformed inputs, the commands in turn."""
    valid = place / "valid"
    valid.mkdir()
    prepare(valid)
    _valid.append(valid)
    known = commands()
    names = [name for name in known if not only or name == only]
    faults: list[Fault] = []
    counts: Counter[str] = Counter()
    start = Path.cwd()
    with not_serving():
        for number in numbers:
            chance = random.Random(f"{seed}/{number}")
            name = names[number % len(names)]
            here = place / "here"
            shutil.rmtree(here, ignore_errors=True)
            here.mkdir()
            os.chdir(here)
            try:
                words = known[name](Place(valid, here, chance))
                code, heard, trace = call(words)
            finally:
                os.chdir(start)
            counts[f"{name}: {code}"] += 1
            what = judge(name, code, heard, trace)
            if what:
                faults.append(Fault(number, name, words, what))
                print(f"--- {number} {name} {words}\n{what[-2500:]}", file=sys.stderr, flush=True)
    return faults, counts


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="The name of a command.")
    asked = parser.parse_args()
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory(prefix="malformed-") as place, contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        numbers = range(asked.first, asked.first + asked.inputs)
        faults, counts = run(numbers, asked.seed, asked.only, Path(place))
    for name, count in sorted(counts.items()):
        print(f"{name}: {count}")
    print(f"{sum(counts.values())} inputs, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
