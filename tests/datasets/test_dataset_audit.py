import json
import math
from pathlib import Path

import pytest
from dataset_toys import orqa_row

from ordojo.api.benchmarks import build
from ordojo.core.errors import UsageError
from ordojo.datasets.audit import AuditReport, audit, balance_p
from ordojo.datasets.duplicates import alike_pairs, find_duplicates, grams, jaccard, normalised
from ordojo.datasets.registry import DatasetSpec
from ordojo.datasets.rows import read_rows
from ordojo.datasets.schemas import ORQA
from ordojo.datasets.store import locate

STORY = (
    "a bakery plans how many loaves of bread and rolls to bake on each day of the next week " * 2
)


def test_normalisation_keeps_words_only() -> None:
    assert normalised(" Non-Linear\u00a0 Programming. ") == normalised("non linear programming")


def test_alike_pairs_agree_with_comparing_all() -> None:
    texts = [STORY, STORY + "again", STORY.replace("rolls", "buns"), "short", "short", "", STORY]
    sets = [grams(text) for text in texts]
    for threshold in (0.3, 0.8, 1.0):
        every = [
            (i, j)
            for j in range(len(sets))
            for i in range(j)
            if sets[i] and jaccard(sets[i], sets[j]) >= threshold
        ]
        assert list(alike_pairs(sets, threshold)) == every


def test_duplicates_need_both_context_and_task_alike() -> None:
    options = ["cost", "time", "waste", "nothing"]
    rows = {
        "test:1": orqa_row(CONTEXT=STORY, OPTIONS=options),
        "test:2": orqa_row(CONTEXT=STORY.upper(), OPTIONS=options[::-1], TARGET_ANSWER=3),
        "test:3": orqa_row(CONTEXT=STORY + " twice"),
        "dev:1": orqa_row(CONTEXT="quite another story, of ships that sail and of their cargo"),
        "dev:2": orqa_row(CONTEXT=STORY, QUESTION="What else is there in this long story?"),
    }
    found = {(d.first, d.second): d.kind for d in find_duplicates(rows, ORQA)}
    assert found == {
        ("test:1", "test:2"): "exact",
        ("test:1", "test:3"): "near",
        ("test:2", "test:3"): "near",
    }


def test_balance() -> None:
    assert balance_p([25, 25, 25, 25]) == 1
    assert balance_p([100, 0, 0, 0]) < 0.001
    assert 0.2 < balance_p([30, 20, 25, 25]) < 0.9
    assert math.isnan(balance_p([0, 0, 0, 0]))


def test_a_dataset_with_every_fault(
    loose: DatasetSpec, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORDOJO_DATA", str(home))
    (home / "loose").mkdir()
    (home / "loose/test.csv").write_text(
        "Question,A,B,C,D,Answer\n"
        'Order logically,same,same,n/a,d,"A, B, C, D"\n'
        "Order chronologically,a,b,c,d,\n"
        'order LOGICALLY!,same,Same.,n/a,d,"A, B, C, D"\n'
    )
    report = audit("loose@hf")
    split = report.splits["test"]
    assert (split.rows, split.answers["A, B, C, D"], split.types) == (3, 2, {"logical": 2})
    assert split.missing == {"C": 2, "Answer": 1}
    assert (split.duplicate_options, split.alike_options) == ((1,), (3,))
    assert "test.csv:3 has Answer ''" in split.problems[0]
    assert [(d.first, d.second, d.kind) for d in report.duplicates] == [
        ("test:1", "test:3", "exact")
    ]
    assert len(report.findings()) == 2
    assert json.loads(json.dumps(report.to_json()))["splits"]["test"]["rows"] == 3


def test_shipped_sets_are_clean() -> None:
    for dataset_id in ("orqa@ordojo", "econlogicqa@ordojo"):
        report = audit(dataset_id)
        assert report.findings() == []
        for split in report.splits.values():
            assert not split.missing and not split.duplicate_options
            assert split.balance_p > 0.05


@pytest.mark.data
def test_published_orqa(published: Path) -> None:
    report = audit("orqa@793beee")
    test = report.splits["test"]
    assert test.answers == {"A": 383, "B": 365, "C": 344, "D": 376}
    assert test.contexts == 142
    assert test.duplicate_options == (298, 583, 994, 999, 1055, 1078, 1403)
    assert test.duplicate_options == tuple(item.row for item in report.disputed)
    assert test.alike_options == (683, 1344)
    assert test.missing == {"REASONING": 1468}
    assert (test.types["Q7"], test.types["Q9"]) == (35, 178)
    assert report.duplicates == ()
    assert report.shared_contexts == {"test, validation": 42}


def test_built_files_are_audited_as_datasets_are(tmp_path: Path) -> None:
    rows = read_rows("orqa@ordojo", "test")
    built = tmp_path / "built.jsonl"
    lines = [json.dumps({"benchmark": "orqa", **row}) + "\n" for row in [*rows, rows[0]]]
    built.write_text("".join(lines))
    found = audit(str(built))
    assert found.splits["test"].rows == len(rows) + 1
    assert ("test:1", f"test:{len(rows) + 1}") in {(d.first, d.second) for d in found.duplicates}
    asked = build("or-bias", tmp_path / "other.jsonl", n=5, seed=7)
    found = audit(asked)
    assert isinstance(found, AuditReport)
    assert found.splits["test"].types == {"train": 5}


@pytest.mark.parametrize("dataset", ["orqa@ordojo", "econlogicqa@ordojo", "nl2opt@ordojo"])
def test_a_file_is_audited_by_the_format_that_its_rows_have(dataset: str, tmp_path: Path) -> None:
    located = locate(dataset)
    file = located.files["test"]
    file = file / "test.jsonl" if file.is_dir() else file
    own = tmp_path / f"own{file.suffix}"
    own.write_bytes(file.read_bytes())
    found = audit(own)
    assert isinstance(found, AuditReport)
    assert found.splits["test"].rows == located.spec.file("test").rows
    assert not found.splits["test"].problems


def test_what_holds_models_is_not_audited() -> None:
    with pytest.raises(UsageError, match="holds models, not questions"):
        audit("or-debug@authors-c16b9eb/hard")
