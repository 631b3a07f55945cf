"""Stops `ordojo train` for real and starts it again, in a process that has trained already.

python -m tests.training.stops FOLDER: each scenario is a command in a child by fork, which is sent
a signal, or finds the disk full, at a given moment, and the same command again; prints, as JSON,
what was said, what was on disk in between, and what came of it.
"""

import gc
import json
import os
import signal
import sys
import traceback
from pathlib import Path

import torch

from ordojo.cli import main
from ordojo.core.journal import Journal
from ordojo.training import made
from ordojo.training.models.session import MetricsLog
from ordojo.training.recipes import read_recipe, run

SHARED = {
    "method": "full",
    "batch_size": 2,
    "accumulation": 1,
    "max_length": 768,
    "device": "cpu",
    "rendering": "compact",
    "log_every": 1,
    "save_every": 2,
}
DEBUG = {"benchmark": "or-debug", "kinds": "BF", "options": {"max_steps": 2, "max_tokens": 8}}
BIAS = {"benchmark": "or-bias", "count": 2, "options": {"mode": "chat"}, "max_tokens": 4}
TINY = {"hidden": 16, "layers": 1, "heads": 2, "intermediate": 16}
SFT = {
    "stage": "sft", "model": "tiny", "tiny": TINY, "steps": 4, **SHARED,
    "generate": [{**DEBUG, "count": 6}],
}  # fmt: skip
GRPO = {
    "stage": "grpo", "after": "whole", "steps": 4, **SHARED, "group": 2, "max_tokens": 4,
    "generate": [{**DEBUG, "count": 2}],
}  # fmt: skip
COURSE = {
    "stage": "curriculum", "after": "whole", "curriculum": "newsvendor", "trainer": "sft",
    "stages": [1, 3], "count": 2, "asked": {"mode": "chat"}, "steps": 2, **SHARED, "save_every": 0,
}  # fmt: skip

FULL = 0
"""In the place of a signal: the disk is full."""

SCENARIOS = {
    "data, SIGTERM": (SFT, "data", 3, signal.SIGTERM),
    "before a checkpoint, SIGINT": (SFT, "steps", 1, signal.SIGINT),
    "after a checkpoint, SIGTERM": (SFT, "steps", 3, signal.SIGTERM),
    "after a checkpoint, full disk": (SFT, "steps", 3, FULL),
    "measuring, SIGTERM": ({**SFT, "validate": [BIAS]}, "measures", 1, signal.SIGTERM),
    "grpo, before a checkpoint, SIGTERM": (GRPO, "steps", 1, signal.SIGTERM),
    "curriculum, second stage, SIGTERM": (COURSE, "steps", 3, signal.SIGTERM),
}
"""What is run; at which call of what it is stopped, and by what."""

PLACES = {
    "data": (Journal, "append"),
    "steps": (MetricsLog, "add"),
    # The package has a function of the module's name.
    "measures": (sys.modules["ordojo.training.recipes.run"], "held_out_figures"),
}
"""What is called as data are made, as steps end, and as the model is measured."""


def stop_at(what, count, number):
    """Have the call of that number end the command."""
    owner, name = PLACES[what]
    real, calls = getattr(owner, name), []

    def counted(*given, **named):
        found = real(*given, **named)
        calls.append(1)
        if len(calls) == count:
            if number == FULL:
                raise OSError(28, "No space left on device")
            os.kill(os.getpid(), number)
        return found

    setattr(owner, name, counted)


def ordojo(words, heard, *at, fresh=False):
    """The exit code of a command in a child, and what it said on stderr.

    A `fresh` child knows no problems that are made: it makes them, or reads them from its folder.
    """
    child = os.fork()
    if child:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return {"code": code, "said": heard.read_text().splitlines()}
    code = 99
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if fresh:
            made._MADE.clear()
        if at:
            stop_at(*at)
        with heard.open("w") as file:
            os.dup2(file.fileno(), 2)
            os.dup2(file.fileno(), 1)
            sys.argv = ["ordojo", *words]
            main()
            code = 0
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def on_disk(folder):
    """Rows of each file of data, sealed checkpoints, and folders that hold an ended run."""
    rows = {
        str(path.relative_to(folder)): len(path.read_text().splitlines())
        for path in sorted(folder.rglob("data/*.jsonl"))
    }
    sealed = sorted(str(path.parent) for path in folder.rglob("sealed.json"))
    ended = sorted(str(path.parent) for path in folder.rglob("summary.json"))
    return {"data": rows, "sealed": sealed, "ended": ended}


def written(recipe, name):
    """The file of a recipe."""
    path = Path(f"{name}.yaml")
    path.write_text(json.dumps(recipe))  # JSON is YAML
    return str(path)


def whole(recipe, name):
    """The digest of a run in one go, in this process: what it loads and makes, children find."""
    run(read_recipe(written(recipe, name), out=Path(name)))
    return digest(Path(name))


def digest(out):
    """What the weights of an ended run come to; of a curriculum its stages' one after the other."""
    found = json.loads((out / "summary.json").read_text())
    return [one["digest"] for one in found.get("stages", {"": found}).values()]


if __name__ == "__main__":
    torch.set_num_threads(1)
    os.environ["ORDOJO_PROGRESS"] = "0"
    os.chdir(sys.argv[1])
    found = {}
    unstopped = {"sft": whole(SFT, "whole")}
    for recipe in (GRPO, COURSE):
        unstopped[recipe["stage"]] = whole(recipe, f"whole-{recipe['stage']}")
    gc.freeze()  # else children copy all of it when they collect
    for number, (name, (recipe, *at)) in enumerate(SCENARIOS.items()):
        out = f"run-{number}"
        config = written(recipe, name.replace(" ", "-"))
        words = ["train", recipe["stage"], "--config", config, "--out", out]
        first = ordojo(words, Path(f"{out}.txt"), *at, fresh="data" in at)
        between = on_disk(Path(out))
        again = ordojo(words, Path(f"{out}-again.txt"), fresh="data" in at)
        same = again["code"] == 0 and digest(Path(out)) == unstopped[recipe["stage"]]
        found[name] = {"out": out, "first": first, "between": between, "again": again, "same": same}
    print(json.dumps(found))
