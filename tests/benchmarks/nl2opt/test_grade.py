"""Grading stored responses gives what an evaluation gives, whatever the number of processes."""

import json
from pathlib import Path

import pytest

from ordojo.benchmarks.nl2opt.policies import reply
from ordojo.core.errors import DataError, SandboxError
from ordojo.core.spread import HERE, Place
from ordojo.evaluation.evaluation import Evaluation, EvaluationRequest
from ordojo.evaluation.grade import Grading
from ordojo.evaluation.runs import finished_items
from tests.benchmarks.nl2opt.made import BENCHMARK, options, right

NAMES = ("bakery-mix", "museum-crate", "greenhouse-beds", "tea-urns")
SETTINGS = {"items": ",".join(NAMES)}

TWO = Place("processes", 2)


def stored(path: Path, epochs: int = 2) -> Path:
    texts = (reply(right(NAMES[0])), reply("print('value = 65')"), "nothing", reply("1 / 0"))
    rows = [
        {"id": name, "epoch": epoch, "completion": text}
        for epoch in range(1, epochs + 1)
        for name, text in zip(NAMES, texts, strict=True)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_as_an_evaluation_of_the_same_answers(tmp_path: Path) -> None:
    file = stored(tmp_path / "answers.jsonl")
    graded, by_two = (
        Grading("nl2opt", file, SETTINGS, tmp_path / f"by-{n}").run(Place("processes", n))
        for n in (1, 2)
    )
    request = EvaluationRequest(
        "nl2opt", f"ordojo/replay?path={file}", tmp_path / "runs", SETTINGS, epochs=2
    )
    played = Evaluation(request).run()
    verdicts = [
        {(r.id, r.epoch): {rule: v.score for rule, v in r.verdicts.items()} for r in run.records}
        for run in (graded, by_two, played)
    ]
    assert len(verdicts[0]) == 8 and verdicts[0] == verdicts[1] == verdicts[2]
    assert graded.header.model == "responses/answers"
    assert graded.header.dataset == BENCHMARK.dataset(options())


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    file = stored(tmp_path / "answers.jsonl")
    grading = Grading("nl2opt", file, SETTINGS, tmp_path / "runs")

    class StopError(Exception):
        pass

    seen: list[str] = []

    def stop(record: object) -> None:
        seen.append("")
        if len(seen) == 3:
            raise StopError

    with pytest.raises(StopError):
        grading.run(TWO, on_record=stop)
    assert len(finished_items(grading.path)) == 3
    view = Grading("nl2opt", file, SETTINGS, tmp_path / "runs").run(HERE)
    assert len(view.records) == 8


def test_faults_of_a_process_come_back_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = stored(tmp_path / "answers.jsonl", 1)
    grading = Grading("nl2opt", file, {**SETTINGS, "memory": 64}, tmp_path / "runs")
    monkeypatch.setenv("PATH", "")  # no bubblewrap
    settings = dict(grading.header.options)
    settings["isolation"] = "bwrap"
    object.__setattr__(grading.header, "options", settings)
    with pytest.raises(SandboxError, match="cannot be contained"):
        grading.run(TWO)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{}", "is not a recorded answer"),
        ("not json", "is not a recorded answer"),
        ('{"id": "atlantis", "completion": "x"}', "answers 'atlantis'"),
        ("", "answers nothing"),
        ('{"id": "tea-urns", "completion": "x"}\n' * 2, "a second time"),
    ],
)
def test_bad_files(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(line)
    with pytest.raises(DataError, match=message):
        Grading("nl2opt", file, {}, tmp_path / "runs")
    with pytest.raises(DataError, match="cannot read"):
        Grading("nl2opt", tmp_path / "absent.jsonl", {}, tmp_path / "runs")
