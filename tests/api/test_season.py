"""A season is the same for all who name it, and told by its commitments before its answers."""

import datetime
import json

import pytest

from ordojo import grade, load, verify
from ordojo.api import benchmarks as module
from ordojo.api.benchmarks import season
from ordojo.core.errors import DataError, UsageError
from ordojo.core.registry import get_benchmark

ITEMS = {"orqa": 4, "or-bias": 4, "or-debug": 2, "nl2opt": 1}
BEFORE, BEGUN = datetime.date(2026, 8, 31), datetime.date(2026, 9, 1)


def bytes_of(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_commitments_before_items_after_and_the_same_for_all(tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(module, "today", lambda: BEFORE)
    first = season("2026-09", tmp_path / "first", progress=said.append, items=ITEMS)
    assert [path.name for path in first.iterdir()] == ["commitments.jsonl"]
    assert "begins on 2026-09-01" in said[-1]
    assert all(
        word not in (first / "commitments.jsonl").read_text() for word in ("answer_key", "RHS")
    )
    monkeypatch.setattr(module, "today", lambda: BEGUN)
    committed = (first / "commitments.jsonl").read_bytes()
    season("2026-09", first, items=ITEMS)
    assert (first / "commitments.jsonl").read_bytes() == committed
    second = season("2026-09", tmp_path / "second", items=ITEMS)
    assert bytes_of(first) == bytes_of(second)
    for name in ("orqa.jsonl", "or-bias.jsonl", "or-debug.jsonl", "nl2opt"):
        assert verify(first / name).holds
    lines = [json.loads(line) for line in committed.splitlines()]
    assert [line["benchmark"] for line in lines].count("orqa") == 4
    assert len({line["item"] for line in lines}) == sum(ITEMS.values())

    with pytest.raises(UsageError, match="not empty"):
        season("2026-09", first, items=ITEMS)
    forged = [{**line, "answer": "0" * 64} for line in lines]
    (tmp_path / "forged").mkdir()
    (tmp_path / "forged/commitments.jsonl").write_text("\n".join(map(json.dumps, forged)))
    with pytest.raises(DataError, match="commits to other items of 2026-09"):
        season("2026-09", tmp_path / "forged", items=ITEMS)
    assert [path.name for path in (tmp_path / "forged").iterdir()] == ["commitments.jsonl"]

    # Replies to a season are graded against its files.
    for name, option in (("orqa", "dataset"), ("or-bias", "instances")):
        file = str(first / f"{name}.jsonl")
        benchmark = get_benchmark(name)
        truths = [(one.id, benchmark.gold(one)) for one in load(name, **{option: file})]
        replies = tmp_path / f"{name}-replies.jsonl"
        replies.write_text(
            "".join(json.dumps({"id": i, "completion": str(g)}) + "\n" for i, g in truths[:-1])
        )
        found = grade(replies, file, runs=tmp_path / "runs", on="local")
        assert found.header.benchmark == name
        assert found.header.dataset["id"].endswith(f"{name}.jsonl")
        scores = [record.verdict(found.header.rule).score for record in found.records]
        assert len(scores) == 3
        if name == "orqa":
            assert scores == [1.0, 1.0, 1.0]


def test_another_date_has_other_items(tmp_path, monkeypatch):
    only = {"or-bias": 3}
    old = season("2025-01", tmp_path / "old", items=only)
    new = season("2025-02", tmp_path / "new", items=only)
    ids = [
        {json.loads(line)["item"] for line in (p / "commitments.jsonl").read_text().splitlines()}
        for p in (old, new)
    ]
    assert not ids[0] & ids[1]


def test_bad_input_is_said_in_one_sentence(tmp_path):
    for date in ("2026-13", "2026", "next", "2026-1", "٢٠٢٦-١٢"):
        with pytest.raises(UsageError, match="is no month"):
            season(date, tmp_path / "out")
    (tmp_path / "file").write_text("mine")
    with pytest.raises((UsageError, DataError), match="file"):
        season("2026-01", tmp_path / "file")
    with pytest.raises(DataError, match="cannot write"):
        season("2026-01", tmp_path / "file" / "below")
    assert (tmp_path / "file").read_text() == "mine"
