import csv
import filecmp
import io
import json
import re
from html.parser import HTMLParser

import pytest

from ordojo.core.errors import RunError, UsageError
from ordojo.reports import site, write_report
from ordojo.reports.samples import CHUNK, chunks
from ordojo.reports.tables import FIELDS

from .fakes import Fake, failed, lookup, run, sample, some_runs, unpacked

VOID = {"meta", "link", "input", "br", "hr", "img"}
HOSTILE = "</script><script>alert(1)</script>\x00\x1b\ud800\u202e\u2028'\"&<b>"


class Outline(HTMLParser):
    """Checks that elements nest, and collects names, ids and targets."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.targets, self.names = [], [], [], []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        assert len(values) == len(attrs), f"attribute twice in <{tag}>"
        assert "style" not in values, "the content policy forbids inline style"
        assert not any(name.startswith("on") for name in values)
        self.names.append(tag)
        self.ids += [values["id"]] if "id" in values else []
        self.targets += [values[k] for k in ("href", "src") if k in values]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def outline(path):
    parser = Outline()
    parser.feed(path.read_text("utf-8"))
    assert parser.open == []
    return parser


def report(tmp_path, runs=None, **more):
    return write_report(
        some_runs() if runs is None else runs, tmp_path / "out", lookup=lookup, **more
    )


def files(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_every_page_nests_and_every_link_leads_somewhere(tmp_path):
    paths = report(tmp_path)
    pages = [paths.folder / name for name in files(paths.folder) if name.endswith(".html")]
    assert len(pages) == 1 + 2 + 7
    for page in pages:
        found = outline(page)
        assert len(set(found.ids)) == len(found.ids)
        assert "script" in found.names
        for target in found.targets:
            if not target.startswith("#"):
                assert "//" not in target
                assert (page.parent / target).is_file(), target


def test_same_runs_same_bytes_whatever_their_order(tmp_path):
    first = write_report(some_runs(), tmp_path / "a", lookup=lookup)
    second = write_report(some_runs()[::-1], tmp_path / "b", lookup=lookup)
    assert files(first.folder) == files(second.folder)
    _, different, broken = filecmp.cmpfiles(
        first.folder, second.folder, files(first.folder), shallow=False
    )
    assert different == broken == []


def test_tables_hold_every_metric_of_every_run_under_every_rule(tmp_path):
    runs = some_runs()
    rows = list(csv.DictReader(io.StringIO(report(tmp_path, runs).tables.read_text("utf-8"))))
    assert tuple(rows[0]) == FIELDS
    ours = [row for row in rows if row["published"] == "false"]
    assert len(ours) == len(runs) * 2 * 2
    for one in runs:
        for rule in ("strict", "lenient"):
            for name, estimate in Fake().metrics(one.records, rule).items():
                (row,) = (
                    r
                    for r in ours
                    if (r["source"], r["rule"], r["metric"]) == (one.name, rule, name)
                )
                assert (float(row["value"]), float(row["low"])) == (estimate.value, estimate.low)
                assert (float(row["high"]), int(row["n"])) == (estimate.high, estimate.n)
                assert int(row["clusters"]) == estimate.clusters
                assert row["model"] == one.header.model
                assert row["dataset"] == "fake@1"
    order = ["benchmark", "version", "dataset", "model", "setting", "source", "rule", "metric"]
    keys = [[row[name] for name in order] for row in rows]
    assert keys == sorted(keys)


def test_published_rows_are_marked_in_pages_and_tables(tmp_path):
    paths = report(tmp_path)
    rows = list(csv.DictReader(io.StringIO(paths.tables.read_text("utf-8"))))
    quoted = [row for row in rows if row["published"] == "true"]
    assert [(r["metric"], r["value"], r["source"]) for r in quoted] == [
        ("accuracy", "0.61", "Somebody 2025, table 2"),
        ("f1", "0.5", "Somebody 2025, table 2"),
    ]
    assert {r["n"] + r["low"] + r["rule"] for r in quoted} == {""}
    index = paths.index.read_text("utf-8")
    (row,) = re.findall(r'<tr class="published".*?</tr>', index, re.S)
    assert "Paper-7B" in row
    assert "Somebody 2025, table 2" in row
    assert 'class="tag published"' in row


def test_summary_agrees_with_tables_and_holds_headers_and_pairs(tmp_path):
    paths = report(tmp_path)
    summary = json.loads(paths.summary.read_text("utf-8"))
    rows = list(csv.DictReader(io.StringIO(paths.tables.read_text("utf-8"))))
    assert [r["metric"] for r in summary["rows"]] == [r["metric"] for r in rows]
    assert {r["name"] for r in summary["runs"]} == {r.name for r in some_runs()}
    assert summary["runs"][0]["header"]["dataset"]["licence"] == "CC0"
    assert len(summary["comparisons"]) == 5 * 4 // 2 + 1
    beta = next(r for r in summary["runs"] if r["name"] == "lab-beta")
    assert not beta["complete"]
    assert beta["counts"]["errors"] == 1


def test_nothing_known_is_a_dash_and_null_never_nan(tmp_path):
    paths = report(tmp_path, [run("m", records=[], errors=[failed(0)]), run("n")])
    for name in files(paths.folder):
        text = (paths.folder / name).read_text("utf-8")
        if not name.endswith((".css", ".js")) or name.startswith("data/"):
            assert not re.search(r"\b(nan|NaN|inf|Infinity)\b", text), name
    assert "–" in paths.index.read_text("utf-8")


def test_unfinished_runs_are_flagged(tmp_path):
    index = report(tmp_path).index.read_text("utf-8")
    assert "30 of 45 items, 1 error<" in index


def test_hostile_text_stays_text_everywhere(tmp_path):
    bad = [
        sample(0, 1.0, reply=HOSTILE, prompt=HOSTILE, gold={"__proto__": HOSTILE}),
        sample(1, 0.0, id=HOSTILE, cluster=HOSTILE, labels={HOSTILE: HOSTILE}),
    ]
    runs = [
        run(HOSTILE, records=bad, name=HOSTILE, options={"x": HOSTILE}),
        run(
            "m",
            records=bad,
            errors=[failed(5)],
            rule="lenient",
            software={HOSTILE: HOSTILE},
            dataset={"id": HOSTILE, "sha256": HOSTILE},
            created=HOSTILE,
        ),
    ]
    paths = report(tmp_path, runs, title=HOSTILE)
    for name in files(paths.folder):
        path = paths.folder / name
        text = path.read_text("utf-8")
        if name.endswith(".html"):
            assert "alert" not in "".join(re.findall(r"<script[^>]*>(.*?)</script>", text, re.S))
            assert not set(text) & set("\x00\x1b\u202e\u2028")
            assert "b" not in outline(path).names or "<b>alert" not in text
        elif name.startswith("data/"):
            assert "<" not in text
            assert text.isascii()


def test_a_column_key_survives_hostile_datasets_of_one_id(tmp_path):
    runs = [run("m", name=str(i), dataset={"id": "d", "sha256": f"{i}" * 64}) for i in range(2)]
    assert len(json.loads(report(tmp_path, runs).summary.read_text())["rows"]) == 8 + 2


def test_chunks_are_bounded_by_number_and_by_text():
    many = [sample(i, 1.0) for i in range(250)]
    assert [len(chunk) for chunk in chunks(many)] == [CHUNK, CHUNK, 50]
    long = [sample(i, 1.0, reply="x" * 1_000_000) for i in range(3)]
    assert [len(chunk) for chunk in chunks(long)] == [1, 1, 1]
    assert list(chunks([])) == []


def test_sample_files_hold_every_record_in_natural_order(tmp_path):
    records = [sample(i, 1.0) for i in (10, 9, 100)] + [sample(9, 0.0, epoch=2)]
    paths = report(tmp_path, [run("m", records=records, errors=[failed(11)])])
    rows = unpacked((paths.folder / "data/m/0.js").read_text("ascii"))
    assert [(r["id"], r["epoch"]) for r in rows] == [
        ("item-9", 1),
        ("item-9", 2),
        ("item-10", 1),
        ("item-11", 1),
        ("item-100", 1),
    ]
    assert rows[3]["error"] == "ProviderError: timed out"
    assert rows[2] == json.loads(json.dumps(records[0].to_json()))


def test_what_repeats_takes_no_room(tmp_path):
    reply = " ".join(str(n) for n in range(2000))
    records = [sample(i, 1.0, reply=reply) for i in range(100)]
    file = report(tmp_path, [run("m", records=records)]).folder / "data/m/0.js"
    assert len(unpacked(file.read_text())) == 100 and file.stat().st_size < 10 * len(reply)


def test_a_report_replaces_a_report(tmp_path):
    report(tmp_path)
    paths = report(tmp_path, [run("only")])
    assert [p.name for p in (paths.folder / "runs").iterdir()] == ["only.html"]
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_failed_report_leaves_the_former_one(tmp_path, monkeypatch):
    report(tmp_path)
    before = files(tmp_path)

    def explode(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(site, "write_samples", explode)
    with pytest.raises(RunError, match="No space left"):
        report(tmp_path, [run("only")])
    assert files(tmp_path) == before


def test_a_failed_swap_puts_the_former_one_back(tmp_path, monkeypatch):
    report(tmp_path)
    before = files(tmp_path)
    rename = site.Path.rename

    def fail_once(self, target):
        if self.name == "new":
            raise OSError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(site.Path, "rename", fail_once)
    # A system that cannot exchange two folders in one step.
    monkeypatch.setattr("ordojo.core.ending.ctypes.CDLL", lambda name: object())
    with pytest.raises(RunError, match="Permission denied"):
        report(tmp_path, [run("only")])
    assert files(tmp_path) == before


def test_nothing_but_a_report_is_ever_replaced(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageError, match="not empty and not a report"):
        report(tmp_path)
    (out / "thesis.tex").unlink()
    report(tmp_path)
    (out / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"also holds notes\.txt"):
        report(tmp_path)
    assert (out / "notes.txt").read_text() == "mine"
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(UsageError, match="is a file"):
        write_report(some_runs(), file, lookup=lookup)


def test_a_marker_that_is_damaged_protects_the_folder(tmp_path):
    report(tmp_path)
    (tmp_path / "out" / site.MARKER).write_text("[]")
    with pytest.raises(UsageError, match="not a report"):
        report(tmp_path)
