"""The real lm-evaluation-harness scores recorded replies as ordojo does."""

import json
import os
import random
import subprocess
import sys

import pytest

from ordojo import evaluate, load, make
from ordojo.core.errors import UsageError
from ordojo.core.registry import get_benchmark
from ordojo.evaluation.harness import export_task

HARNESS = """
import json, sys
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

class Replayed(LM):
    def __init__(self, replies):
        super().__init__()
        self.replies = replies
    def generate_until(self, requests, disable_tqdm=False):
        return [self.replies[request.args[0]] for request in requests]
    def loglikelihood(self, requests): raise NotImplementedError("generated alone")
    loglikelihood_rolling = loglikelihood

found = {}
for folder, replies in json.load(sys.stdin).items():
    manager = TaskManager(include_path=folder, include_defaults=False)
    (name,) = manager.all_subtasks
    done = simple_evaluate(Replayed(replies), tasks=[name], task_manager=manager, bootstrap_iters=0)
    found[folder] = done["results"][name]
print(json.dumps(found))
"""

SETS = {
    "orqa": ({"dataset": "orqa@ordojo", "shots": 2}, ["A", " B ", "C", "D", "(A)", "Answer: C"]),
    "econlogicqa": (
        {"dataset": "econlogicqa@ordojo", "mode": "chat"},
        ["A, B, C, D", "B -> A -> D -> C", "A, A, B, C, D", "First C, D, A, B. No: D, C, A, B"],
    ),
}


def test_the_real_harness_gives_the_same_scores(tmp_path):
    pytest.importorskip("lm_eval", reason="needs lm-eval")
    asked, ours = {}, {}
    for name, (settings, usual) in SETS.items():
        draw = random.Random(name)
        instances = load(name, **settings)
        environment = make(name, **settings)
        replies, lines = {}, []
        for instance in instances:
            gold = get_benchmark(name).gold(instance)
            reply = str(gold) if draw.random() < 0.4 else draw.choice(usual)
            prompt = environment.reset(instance, 0).text
            environment.step("")
            replies[prompt] = reply
            lines.append(json.dumps({"id": instance.id, "completion": reply}) + "\n")
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(lines))
        view = evaluate(name, f"ordojo/replay?path={path}", runs=tmp_path / "runs", **settings)
        folder = str(export_task(settings["dataset"], tmp_path / name, settings))
        asked[folder] = replies
        ours[folder] = {
            rule: sum(record.verdict(rule).score for record in view.records) / len(view.records)
            for rule in get_benchmark(name).rules
        }
        assert len(set(ours[folder].values())) > 1, "rules that agree on all tell nothing"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HARNESS],
        input=json.dumps(asked),
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hub")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    theirs = json.loads(done.stdout.splitlines()[-1])
    for folder, scores in ours.items():
        assert {rule: theirs[folder][f"{rule},none"] for rule in scores} == scores


def test_what_is_no_single_question_is_refused(tmp_path):
    with pytest.raises(UsageError, match="one prompt and one reply"):
        export_task("orqa@ordojo", tmp_path / "a", {"prompt": "cot"})
    with pytest.raises(UsageError, match="benchmarks of one question alone"):
        export_task("nl2opt@ordojo", tmp_path / "a")
    assert not (tmp_path / "a").exists()
