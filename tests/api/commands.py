"""Every command by its function: the same result. `python -m tests.api.commands` prints the table.

What a command prints with --json is compared with what its function returns, and what a command
writes with what its function writes, but for times. What a person types stands after a <.
"""

import json
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import asdict
from pathlib import Path
from typing import Any

from click.testing import CliRunner

import ordojo
from ordojo.cli import cli
from ordojo.cli.made import as_plain
from ordojo.core.records import endings

LP = """maximize
 value: 3 bread + 5 cake
subject to
 oven: 2 bread + 3 cake <= 60
 orders: 2 bread + 3 cake >= {orders}
end
"""
PROGRAM = "import gurobipy as gp\nm = gp.Model()\nx = m.addVar(ub=4, obj=-1)\nm.optimize()\n"
RECIPE = """stage: sft
out: {out}
model: tiny
method: full
tiny: {{hidden: 16, layers: 1, heads: 2, intermediate: 16}}
steps: 1
max_length: 512
device: cpu
rendering: compact
generate: [{{benchmark: or-bias, count: 2, options: {{mode: chat}}}}]
"""
OURS = {"dataset": "orqa@ordojo"}
TIMES = re.compile(r"seconds|created|time|wall|path|size|folder|run\b|index|tables|summary|page")
"""Keys that differ from call to call: times, and where something was written."""

FILES = ("build or", "observe")
"""What writes a file, not a folder."""

Case = tuple[str, Callable[[], Any]]


def prepare(place: Path) -> None:
    """Inputs for the commands."""
    (place / "tight.lp").write_text(LP.format(orders=75))
    (place / "loose.lp").write_text(LP.format(orders=30))
    (place / "program.py").write_text(PROGRAM)
    (place / "plan.csv").write_text("bread,30\ncake,1\n")
    (place / "told.txt").write_text("Bake.")
    (place / "recipe.yaml").write_text(RECIPE.format(out="trained"))
    rows = [{"id": f"test-{n:04}", "epoch": 1, "completion": "A"} for n in (1, 2)]
    (place / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for model in ("ordojo/gold", "ordojo/noop"):
        ordojo.evaluate("orqa", model, limit=4, prompt="cot", dataset="orqa@ordojo")
    ordojo.build("or-debug", "debug.jsonl", n=2, on="local")
    ordojo.export_instance("loose.lp", "told")
    ordojo.review_reasoning("runs", "queue")
    ordojo.export_instance("loose.lp", "instances/loose")
    ordojo.review_instances("instances", out="experts")
    call("review open experts --reviewer ann '<1|1|1|1|q'")


def cases() -> Iterator[Case]:
    """Command lines, and the calls that do the same."""
    yield "explain tight.lp", lambda: ordojo.explain("tight.lp")
    yield (
        "explain tight.lp --limit 1 --hard oven",
        lambda: ordojo.explain("tight.lp", limit=1, hard=["oven"]),
    )
    yield "whatif loose.lp --set 'oven <= 50'", lambda: ordojo.whatif("loose.lp", ["oven <= 50"])
    yield "whynot loose.lp 'cake >= 2'", lambda: ordojo.whynot("loose.lp", "cake >= 2")
    yield (
        "whynot loose.lp '-cake <= -2' --time-limit 9",
        lambda: ordojo.whynot("loose.lp", "-cake <= -2", time_limit=9),
    )
    yield (
        "whatif loose.lp --set '-cake <= -2'",
        lambda: ordojo.whatif("loose.lp", ["-cake <= -2"]),
    )
    yield "worth loose.lp oven --by 2", lambda: ordojo.worth("loose.lp", "oven", by=2)
    yield "suspects loose.lp", lambda: ordojo.suspects("loose.lp")
    yield "check tight.lp plan.csv", lambda: ordojo.check("tight.lp", "plan.csv")
    yield "run program.py", lambda: ordojo.run_program("program.py")
    yield "structure loose.lp -o one", lambda: ordojo.write_structure("loose.lp", "two")
    yield "structure --check one", lambda: ordojo.check_structure("one")
    yield "retell told told.txt", lambda: ordojo.retell("told", "told.txt")
    yield "diff loose.lp tight.lp", lambda: ordojo.diff("loose.lp", "tight.lp")
    yield "list", ordojo.catalogue
    yield (
        "eval orqa --model ordojo/gold --limit 4 -T prompt=cot -T dataset=orqa@ordojo",
        lambda: ordojo.ask(
            ordojo.prepare(["orqa"], ["ordojo/gold"], limit=4, prompt="cot", **OURS)
        ),
    )
    yield (
        "grade answers.jsonl --dataset orqa@ordojo --on local --rule letter",
        lambda: ordojo.grade("answers.jsonl", "orqa@ordojo", on="local"),
    )
    yield "compare runs", lambda: ordojo.compare("runs")
    yield "paper 002", lambda: ordojo.paper("002")
    yield "hardness orqa -T dataset=orqa@ordojo", lambda: ordojo.hardness("orqa", **OURS)
    yield "plan --items 100 --seconds 60", lambda: ordojo.plan(items=100, seconds=60)
    yield "data list", ordojo.list_datasets
    yield "data path orqa@ordojo", lambda: ordojo.find_dataset("orqa@ordojo")
    yield "data verify orqa@ordojo", lambda: ordojo.verify_dataset("orqa@ordojo")
    yield "data audit orqa@ordojo", lambda: ordojo.audit_dataset("orqa@ordojo")
    yield "data statistics nl2opt@ordojo", lambda: ordojo.describe_datasets("nl2opt@ordojo")
    yield "models list", ordojo.list_models
    yield "verify debug.jsonl", lambda: ordojo.verify("debug.jsonl")
    yield "review status queue", lambda: ordojo.review_status("queue")
    yield "review table queue", lambda: ordojo.review_tables("queue")
    yield "report runs -o site", lambda: ordojo.report("runs", "site")
    yield (
        "train sft --config recipe.yaml --dry-run",
        lambda: ordojo.train("sft", "recipe.yaml", dry_run=True),
    )


def written() -> Iterator[tuple[str, Callable[[str], Any]]]:
    """Command lines up to where they write, and the calls that write the same."""
    yield "build or-bias --n 3 --seed 5 -o", lambda out: ordojo.build("or-bias", out, n=3, seed=5)
    yield "export csv orqa@ordojo -o", lambda out: ordojo.export("csv", "orqa@ordojo", out)
    yield (
        "build nl2opt --n 2 --seed 5 -o",
        lambda out: ordojo.build("nl2opt", out, n=2, seed=5),
    )
    yield (
        "build orqa --n 11 --seed 5 -o",
        lambda out: ordojo.build("orqa", out, n=11, seed=5),
    )
    # What `prepare` built takes the same seconds again.
    yield "build or-debug --n 2 --on local -o", lambda out: shutil.copy("debug.jsonl", out)
    yield "review instances instances -o", lambda out: ordojo.review_instances("instances", out=out)
    yield "review kept experts -o", lambda out: ordojo.review_kept("experts", out)
    yield (
        "observe loose.lp '<look|rows oven|done' -o",
        lambda out: ordojo.observe("loose.lp", typed("look", "rows oven", "done"), out=out),
    )
    yield (
        "play orqa -T dataset=orqa@ordojo --limit 2 '<A|B' --runs",
        lambda out: ordojo.play("orqa", typed("A", "B"), limit=2, runs=out, **OURS),
    )
    yield (
        "eval orqa --model ordojo/gold -T dataset=orqa@ordojo --limit 2 --runs",
        lambda out: ordojo.ask(
            ordojo.prepare(["orqa"], ["ordojo/gold"], limit=2, runs=out, **OURS)
        ),
    )
    yield (
        "grade answers.jsonl --dataset orqa@ordojo --on local --runs",
        lambda out: ordojo.grade("answers.jsonl", "orqa@ordojo", on="local", runs=out),
    )
    yield "review reasoning runs -o", lambda out: ordojo.review_reasoning("runs", out)
    yield "structure loose.lp --export", lambda out: ordojo.export_instance("loose.lp", out)


def typed(*lines: str) -> Callable[[Any], str]:
    """A person who answers in these lines."""
    left = iter(lines)
    return lambda asked: next(left)


def timeless(value: Any) -> Any:
    """The value without what differs from call to call."""
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if not TIMES.search(k)}
    if isinstance(value, list):
        return [timeless(one) for one in value]
    # A solver's log tells its seconds to a hundredth, as Gurobi's does.
    return (
        re.sub(r"and [\d.]+ seconds$", "", value, flags=re.M) if isinstance(value, str) else value
    )


def call(words: str) -> str:
    """What a command prints; a fault is raised."""
    parts = shlex.split(words)
    keys = "".join(one[1:] for one in parts if one.startswith("<")).replace("|", "\n")
    done = CliRunner().invoke(cli, [one for one in parts if not one.startswith("<")], input=keys)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.stdout


def figures(view: ordojo.RunView, rule: str | None = None) -> dict[str, Any]:
    """A run's figures; one over nothing is null in JSON."""
    return {
        name: {key: None if value != value else value for key, value in asdict(figure).items()}
        for name, figure in ordojo.metrics(view, rule).items()
    }


def asked(view: ordojo.RunView) -> dict[str, Any]:
    """What `eval --json` says of a run."""
    counts = {"finished": len(view.records), "errors": len(view.errors)}
    ended = asdict(endings(view.records))
    return {**asdict(view.header), **counts, "endings": ended, "metrics": figures(view)}


def graded(view: ordojo.RunView) -> dict[str, Any]:
    """What `grade --json` says of a run."""
    counts = {"answered": 2, "finished": len(view.records)}
    return {**asdict(view.header), **counts, "rules": {"letter": figures(view, "letter")}}


def same(words: str, function: Callable[[], Any]) -> bool:
    """Whether a command says with --json what the function returns."""
    from ordojo.cli import data, report

    found = function()
    special: dict[str, Callable[[Any], Any]] = {
        "eval": lambda views: [asked(view) for view in views],
        "grade": graded,
        "compare": report._groups,
        "data path": data._located,
        "verify": lambda found: {"file": words.split()[1], **found.to_json()},
        "retell": lambda found: {"accepted": found.accepted, **as_plain(found)},
        "review table": lambda found: [
            {"title": t.title, "columns": t.columns, "rows": t.rows, "note": t.note} for t in found
        ],
    }
    plain = next((make for name, make in special.items() if words.startswith(name)), as_plain)
    told = json.loads(json.dumps(plain(found)))
    return bool(timeless(json.loads(call(f"{words} --json"))) == timeless(told))


def files(place: Path) -> dict[str, Any]:
    """What stands in a file or folder, without names of runs and without times."""
    if place.is_file():
        return {"": place.read_bytes()}
    found: dict[str, Any] = {}
    for path in sorted(one for one in place.rglob("*") if one.is_file()):
        name = str(path.relative_to(place))
        if path.suffix in (".json", ".jsonl"):
            lines = path.read_text("utf-8").splitlines()
            try:
                found[name] = [timeless(json.loads(line)) for line in lines]
            except ValueError:
                found[name] = timeless(json.loads(path.read_text("utf-8")))
        elif path.suffix != ".log":
            found[name] = path.read_bytes()
    return found


def table(place: Path) -> list[tuple[str, bool]]:
    """Each command line, and whether it does what its function does."""
    with chdir(place):
        prepare(place)
        found = [(words, same(words, function)) for words, function in cases()]
        for number, (words, write) in enumerate(written()):
            one, other = (f"{name}-{number}" for name in ("command", "function"))
            suffix = ".jsonl" if words.startswith(FILES) else ""
            call(f"{words} {one}{suffix}")
            write(f"{other}{suffix}")
            pair = files(place / f"{one}{suffix}"), files(place / f"{other}{suffix}")
            found.append((words, pair[0] == pair[1] and bool(pair[0])))
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        rows = table(Path(name))
    for words, holds in rows:
        print(f"{'same' if holds else 'DIFFERENT':<10} ordojo {words}")
    sys.exit(not all(holds for _, holds in rows))
