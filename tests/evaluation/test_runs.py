"""Run directories lose nothing and say what is wrong with them."""

import json
import os
import resource
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ordojo.core.episode import Episode
from ordojo.core.errors import RunError
from ordojo.core.records import BROKEN, MISSING, SCHEMA, RunHeader, SampleRecord
from ordojo.evaluation.runs import RunStore, finished_items, read_run, read_runs, run_name

HEADER = RunHeader(
    benchmark="orqa",
    benchmark_version="1",
    model="ordojo/gold",
    options={"shots": 0},
    dataset={"id": "orqa@ordojo", "sha256": "0"},
    rule="published",
    seed=0,
    epochs=1,
    limit=None,
    items=3,
)


def record(name: str, epoch: int = 1, error: str = "") -> SampleRecord:
    return SampleRecord(name, epoch, "h", "c", {}, "A", Episode(()), {}, error=error)


def test_the_same_settings_have_the_same_name_and_others_another() -> None:
    assert run_name(HEADER) == run_name(replace(HEADER, created="later", items=5))
    assert run_name(HEADER) != run_name(replace(HEADER, seed=1))
    assert run_name(HEADER) != run_name(replace(HEADER, options={"shots": 1}))
    assert run_name(HEADER) != run_name(replace(HEADER, dataset={"id": "x", "sha256": "1"}))


def test_a_torn_line_is_cut_off_at_whatever_byte_it_was_torn(tmp_path: Path) -> None:
    with RunStore(tmp_path, HEADER) as store:
        store.add(record("a"))
        store.add(record("b"))
    whole = (tmp_path / "samples.jsonl").read_bytes()
    first = whole.index(b"\n") + 1
    for cut in range(first, len(whole)):
        (tmp_path / "samples.jsonl").write_bytes(whole[:cut])
        assert finished_items(tmp_path) == {("a", 1)}
        with RunStore(tmp_path, HEADER) as store:
            assert store.done == {("a", 1)}
            store.add(record("b"))
        assert (tmp_path / "samples.jsonl").read_bytes() == whole


def test_a_second_answer_to_one_item_is_refused(tmp_path: Path) -> None:
    with RunStore(tmp_path, HEADER) as store:
        store.add(record("a"))
        with pytest.raises(RunError, match="twice"):
            store.add(record("a"))
        store.add(record("a", epoch=2))


def test_errors_are_kept_apart_and_vanish_once_the_item_is_answered(tmp_path: Path) -> None:
    with RunStore(tmp_path, HEADER) as store:
        store.fail(record("a", error="first"))
        store.fail(record("a", error="second"))
        store.fail(record("b", error="other"))
        store.add(record("b"))
    view = read_run(tmp_path)
    assert [(e.id, e.error) for e in view.errors] == [("a", "second")]
    assert [r.id for r in view.records] == ["b"]
    assert not view.complete


def test_two_writers_are_excluded(tmp_path: Path) -> None:
    with (
        RunStore(tmp_path, HEADER),
        pytest.raises(RunError, match="being written by another process"),
    ):
        RunStore(tmp_path, HEADER)
    RunStore(tmp_path, HEADER).close()


def test_other_settings_in_the_same_directory_are_refused(tmp_path: Path) -> None:
    RunStore(tmp_path, HEADER).close()
    with pytest.raises(RunError, match="other settings"):
        RunStore(tmp_path, replace(HEADER, seed=5))


def test_a_run_with_other_libraries_is_refused_by_name_and_version(tmp_path: Path) -> None:
    then = replace(HEADER, libraries={"numpy": "2.0", "pandas": "2.2", "PuLP": "3.3"})
    now = replace(HEADER, libraries={"numpy": "2.0", "pandas": "3.1", "PuLP": MISSING})
    assert run_name(then) == run_name(now) == run_name(HEADER)  # or it would not be found
    with RunStore(tmp_path, then) as store:
        store.add(record("a"))
    said = (
        r"other libraries: pandas 2\.2 then, 3\.1 now, PuLP 3\.3 then, missing now; give .* `runs`"
    )
    with pytest.raises(RunError, match=said):
        RunStore(tmp_path, now)
    RunStore(tmp_path, then).close()
    assert now.missing == ["PuLP"]


def test_a_run_that_calls_a_broken_library_missing_is_the_same_run(tmp_path: Path) -> None:
    then, now = (
        replace(HEADER, libraries={"PuLP": f"{word}: ended by SIGILL"})
        for word in (MISSING, BROKEN)
    )
    RunStore(tmp_path, then).close()
    RunStore(tmp_path, now).close()
    assert then.missing == now.missing == ["PuLP"]


def test_a_run_from_before_libraries_were_kept_can_be_read(tmp_path: Path) -> None:
    RunStore(tmp_path, HEADER).close()
    fields = json.loads((tmp_path / "run.json").read_text())
    del fields["libraries"]
    (tmp_path / "run.json").write_text(json.dumps(fields))
    assert read_run(tmp_path).header == HEADER


def test_a_run_of_another_version_is_refused_in_one_sentence(tmp_path: Path) -> None:
    RunStore(tmp_path, HEADER).close()
    fields = json.loads((tmp_path / "run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps({**fields, "schema": SCHEMA + 1}))
    for act in (lambda: read_run(tmp_path), lambda: RunStore(tmp_path, HEADER)):
        with pytest.raises(RunError, match="another version of ordojo"):
            act()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 1}', '{"schema": 1, "model": 3}'])
def test_a_damaged_header_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(RunError, match=r"run\.json"):
        read_run(tmp_path)


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    with RunStore(tmp_path, HEADER) as store:
        store.add(record("a"))
    with (tmp_path / "samples.jsonl").open("a") as file:
        file.write("{broken}\n")
    with pytest.raises(RunError, match=r"samples\.jsonl:2"):
        read_run(tmp_path)


def test_folders_without_runs_are_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no runs"):
        read_runs([tmp_path])
    with pytest.raises(RunError, match="not a directory"):
        read_runs([tmp_path / "absent"])


WRITER = """
import sys
from pathlib import Path
from tests.evaluation.test_runs import HEADER, record
from ordojo.core.errors import RunError
from ordojo.evaluation.runs import RunStore
with RunStore(Path(sys.argv[1]), HEADER) as store:
    try:
        for place in range(1000):
            store.add(record(f"item-{place}"))
    except RunError as error:
        print(error)
"""


def test_a_full_disk_stops_the_run_and_keeps_what_is_finished(tmp_path: Path) -> None:
    """A file-size limit makes the kernel refuse the write half-way, as a full disk does."""
    limit = 20_000

    def lower() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", WRITER, str(tmp_path / "run")],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        preexec_fn=lower,
        capture_output=True,
        text=True,
    )
    assert "everything before is stored" in done.stdout, done.stderr
    kept = finished_items(tmp_path / "run")
    assert len(kept) > 10
    assert (tmp_path / "run/samples.jsonl").read_bytes().endswith(b"\n")
    with RunStore(tmp_path / "run", HEADER) as store:
        store.add(record("item-999"))
    assert finished_items(tmp_path / "run") == kept | {("item-999", 1)}
