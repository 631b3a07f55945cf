"""Loading, verifying, pulling, auditing and counting whole datasets, on toys."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from dataset_toys import Host
from nl2opt_toys import LP, toy_set, write

from ordojo.cli.data import data
from ordojo.core.errors import DataError, UsageError
from ordojo.datasets import dataset_digest, get_dataset, locate, read_rows
from ordojo.datasets.audit import audit
from ordojo.datasets.nl2opt import ProblemItem, load, load_items, nl2opt_ids
from ordojo.datasets.nl2opt.audit import ItemAudit, audit_items
from ordojo.datasets.nl2opt.statistics import (
    EVALUATED,
    PUBLISHED_SIZES,
    SCENARIOS,
    bucket,
    spread,
    statistics,
    table,
)
from ordojo.datasets.pull import pull, verify
from ordojo.datasets.registry import DATASETS, DatasetSource
from ordojo.datasets.store import sha256_of

OLD = [
    {"id": "a", "en_question": "How many  LOAVES?", "en_answer": "57.0"},
    {"id": "b", "en_question": "How many rolls?", "en_answer": "5"},
    {"id": "c", "en_question": "How many buns?", "en_answer": "0"},
    {"id": "d", "en_question": "How many cakes?", "en_answer": "-99999"},
    {"id": "e", "en_question": "How many rolls?!", "en_answer": "5"},
]
NEW = [
    {"id": "1", "en_question": "How many loaves", "en_answer": "57.3"},
    {"id": "2", "en_question": "How many rolls?", "en_answer": "6"},
    {"id": "3", "en_question": "How many cakes?", "en_answer": "No Best Solution"},
    {"id": "4", "en_question": "How many tarts?", "en_answer": None},
]


@pytest.fixture
def toys(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two versions of one dataset, and a folder."""
    write(home / "data/toys/old.json", OLD)
    write(home / "data/toys/new.json", NEW)
    for name in ("p1", "p2"):
        write(home / "data/toys/dirs" / name / "description.txt", "How many rolls?")
        write(home / "data/toys/dirs" / name / "sample.json", {"input": {}, "output": [5]})
        write(home / "data/toys/dirs" / name / "notes.md", "not of the dataset")
    for spec in (
        toy_set("toys@old", "questions", "old.json", 5),
        toy_set("toys@new", "questions", "new.json", 4),
        toy_set("dirs@1", "samples", "dirs", 2, "description.txt", "sample.json"),
    ):
        monkeypatch.setitem(DATASETS, spec.id, spec)
    monkeypatch.setenv("ORDOJO_DATA", str(home / "data"))
    monkeypatch.setattr(load, "disputed", lambda: {"toys@old": {"b": ["toys@new"], "d": ["x"]}})
    return home / "data/toys"


def by_id(dataset: str) -> dict[str, ProblemItem]:
    return {item.id: item for item in load_items(dataset)}


def test_items_with_the_disputes_that_are_shipped(toys: Path) -> None:
    items = by_id("toys@old")
    assert [item.status for item in items.values()] == [*("ok", "disputed", "ok", "sentinel", "ok")]
    assert items["b"].reason == "another gold in toys@new"
    assert items["b"].scored and not items["d"].scored
    assert json.dumps(items["b"].to_json())


def test_folders_are_hashed_by_their_members(toys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = get_dataset("dirs@1")
    before = locate("dirs@1").sha256
    (toys / "dirs/p1/notes.md").write_text("changed")
    assert locate("dirs@1").sha256 == before == dataset_digest("dirs@1", "nl2opt")
    pinned = replace(spec.files[0], sha256=locate("dirs@1").hashes["dirs"])
    monkeypatch.setitem(DATASETS, spec.id, replace(spec, files=(pinned,)))
    assert verify("dirs@1").ok
    (toys / "dirs/p1/description.txt").write_text("How many?")
    assert not verify("dirs@1").ok
    with pytest.raises(DataError, match="is not the folder of dirs@1"):
        load_items("dirs@1")


def test_a_wrong_number_of_items(toys: Path) -> None:
    assert verify("dirs@1").ok
    write(toys / "dirs/p3/description.txt", "more")
    report = verify("dirs@1")
    assert not report.ok and "3 items where dirs@1 has 2" in report.checks[-1].detail


def test_absent_sets_say_where_to_put_them(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORDOJO_DATA", raising=False)
    with pytest.raises(DataError, match=r"put miplib-nl.tar.xz into \$ORDOJO_DATA/ yourself"):
        load_items("miplib-nl@original-223")
    with pytest.raises(DataError, match="ordojo data pull industryor@original-100"):
        load_items("industryor@original-100")
    with pytest.raises(DataError, match="from LLM4OR/LLM4OR at 75962df5ddf5"):
        pull("nl4opt@cleaned-214")


def test_other_kinds_are_refused(toys: Path) -> None:
    with pytest.raises(UsageError, match="orqa items where nl2opt items are needed; use one of"):
        load_items("orqa@ordojo")
    with pytest.raises(UsageError, match="did you mean 'toys@old'"):
        load_items("toys@olt")
    with pytest.raises(UsageError, match="nl2opt items where orqa items are needed"):
        read_rows("toys@old", "test", "orqa")
    with pytest.raises(UsageError, match="holds problems, not rows"):
        read_rows("toys@old", "test")


def test_pull(toys: Path, home: Path, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORDOJO_DATA")
    spec = get_dataset("toys@old")
    file = replace(spec.files[0], path="deep/old.json", sha256=sha256_of(toys / "old.json"))
    source = DatasetSource("github", "us/toys", "abc123def456")
    monkeypatch.setitem(DATASETS, spec.id, replace(spec, files=(file,), source=source))
    host.pages["/us/toys/abc123def456/deep/old.json"] = (toys / "old.json").read_bytes()
    assert pull("toys@old").folder.is_relative_to(home / "cache")
    assert len(load_items("toys@old")) == 5
    host.pages["/us/toys/abc123def456/deep/old.json"] = b"[]"


def test_audit_beside_the_other_version(toys: Path) -> None:
    report = audit("toys@old")
    assert isinstance(report, ItemAudit)
    assert report.statuses == {"ok": 3, "disputed": 1, "sentinel": 1}
    assert report.repeated == (("b", "e"),)
    assert report.zeros == ("c",)
    assert report.decimals == {0: 3, 1: 1}
    (comparison,) = report.comparisons
    assert (comparison.version, comparison.shared, comparison.beyond_rounding) == ("toys@new", 4, 2)
    assert [(d.item, d.other, d.rounding) for d in comparison.differences] == [
        *(("a", "1", True), ("b", "2", False), ("e", "2", False))
    ]
    (back,) = audit_items("toys@new").comparisons
    assert [d.item for d in back.differences if not d.rounding] == ["2"]
    told = report.findings()
    assert "d: sentinel, the answer -99999 is a mark for 'no optimum'" in told
    assert "a: 57.0, but 57.3 in toys@new (1), rounded" in told
    assert "b, e: the same question" in told
    assert json.loads(json.dumps(report.to_json()))["items"] == 5
    assert ("items", "5") in report.table()


def test_audit_without_the_other_version(toys: Path) -> None:
    (toys / "new.json").unlink()
    report = audit_items("toys@old")
    assert (report.comparisons, report.absent) == ((), ("toys@new",))
    assert ("toys@new: not here", "-") in report.table()


def test_the_commands(toys: Path) -> None:
    def run(*words: str) -> Any:
        return CliRunner().invoke(data, words, env={"COLUMNS": "250"}, catch_exceptions=False)

    assert "test 5" in run("list").stdout
    listed = {entry["id"]: entry for entry in json.loads(run("list", "--json").stdout)}
    assert listed["dirs@1"]["files"][0]["members"] == ["description.txt", "sample.json"]
    assert run("path", "dirs@1").stdout.strip() == str(toys)
    assert run("verify", "toys@old").exit_code == 0
    assert "the same question" in run("audit", "toys@old").stdout
    assert json.loads(run("audit", "toys@old", "--json").stdout)["statuses"]["ok"] == 3


def test_own_problems(home: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"question": "How much?", "answer": "1.50", "labels": {"type": "LP", "difficulty": 3}},
        {"question": "Which?", "answer": [3, 4], "id": "two"},
        {"question": "Any?", "answer": "infeasible"},
        {"question": "Same?", "answer": None, "reference_model": "m.lp"},
        {"question": "From?", "answer": 5, "files": ["d.csv"], "parameters": {"n": 3}},
        {"question": "Lost?", "answer": 5, "files": ["lost.csv"]},
        {"question": "Who knows?", "answer": None},
    ]
    write(home / "m.lp", LP)
    write(home / "d.csv", "a\n1\n")
    path = write(home / "mine.jsonl", "\n".join(json.dumps(row) for row in rows))
    items = by_id(str(path))
    assert list(items) == ["1", "two", "3", "4", "5", "6", "7"]
    assert [item.status for item in items.values()] == [
        *("ok", "ok", "infeasible", "ok", "ok", "incomplete", "unknown-gold")
    ]
    assert items["1"].labels == {"type": "LP", "difficulty": "3"}
    assert items["1"].golds[0].decimals == 2
    assert [gold.value for gold in items["two"].golds] == [3.0, 4.0]
    assert items["4"].reference_model == home / "m.lp" and items["4"].golds == ()
    assert items["5"].files == {"d.csv": home / "d.csv"}
    assert items["6"].reason == "lost.csv is not there"
    figures = statistics(str(path))
    assert (figures.items, figures.scored, figures.published_items) == (7, 4, None)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"question": "How much?"}, "has no column 'answer'"),
        ({"question": 3, "answer": 3}, "'question' that is not text"),
        ({"question": "?", "answer": "some"}, "neither a number nor 'infeasible'"),
        ({"question": "?", "answer": 1, "labels": []}, "'labels' that are not an object"),
        ({"question": "?", "answer": 1, "files": "a"}, "not paths"),
        ({"question": "?", "answer": 1, "reference_model": 3}, "not paths"),
    ],
)
def test_own_problems_with_faults(home: Path, row: dict[str, Any], says: str) -> None:
    path = write(home / "mine.jsonl", json.dumps(row))
    with pytest.raises(DataError) as caught:
        load_items(str(path))
    assert says in str(caught.value) and "mine.jsonl:1" in str(caught.value)


def test_two_items_of_one_name(home: Path) -> None:
    row = json.dumps({"question": "?", "answer": 1, "id": "x"})
    with pytest.raises(DataError, match="two items called 'x'"):
        load_items(str(write(home / "mine.jsonl", f"{row}\n{row}\n")))


def test_figures(toys: Path) -> None:
    figures = statistics("toys@old")
    assert figures.words.median == 3 and figures.characters.most == len("How many  LOAVES?")
    assert figures.sizes.count == 0 and sum(figures.buckets.values()) == 0
    assert json.dumps(figures.to_json())
    heading, row = table([figures])
    assert (heading[0], row[0], row[1], row[-1]) == ("dataset", "toys@old", "5", "-")


def test_sizes_of_references(home: Path) -> None:
    write(home / "m.lp", LP)
    row = {"question": "Need 1,200 of 3.5 at x2?", "answer": None, "reference_model": "m.lp"}
    path = write(home / "mine.jsonl", json.dumps(row))

    def size_of(path: Path) -> tuple[int, int]:
        assert path.name == "m.lp"
        return (2, 498)

    figures = statistics(str(path), size_of=size_of)
    assert (figures.sizes.most, figures.buckets["<1,000"]) == (500, 1)
    assert figures.numbers.most == 2


def test_buckets_and_spreads() -> None:
    assert [bucket(n) for n in (0, 499, 500, 999, 1000, 9999, 10_000)] == [
        *("<500", "<500", "<1,000", "<1,000", "<10,000", "<10,000", ">=10,000")
    ]
    assert spread([]).count == 0
    assert (spread([1, 2, 6]).median, spread([1, 2, 6]).mean) == (2, 3)


def test_the_papers_figures_are_whole() -> None:
    sums = {name: sum(counts.values()) for name, counts in SCENARIOS.items()}
    assert list(sums.values()) == [230, 652, 211, 100, 242, 605, 18, 166, 92, 394, 223]
    assert set(EVALUATED) == set(PUBLISHED_SIZES) == set(SCENARIOS)
    assert set(EVALUATED.values()) <= set(nl2opt_ids())
    published = [key for key in nl2opt_ids() if get_dataset(key).source.kind != "shipped"]
    assert {get_dataset(key).name for key in published} == set(EVALUATED)
    assert len(EVALUATED) == 11
