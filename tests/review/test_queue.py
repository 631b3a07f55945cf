import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ordojo.core.errors import DataError, UsageError
from ordojo.core.journal import Journal, read_rows
from ordojo.review import ReviewItem, ReviewQueue

from .conftest import question, reasoning


def test_decisions_survive_closing_and_the_last_one_wins(folder: Path) -> None:
    with ReviewQueue.open(folder, write=True) as queue:
        queue.decide("q1", "accept", "ann")
        queue.decide("q1", "reject", "ann", reason="sensitive", comment="names a person")
        queue.decide("q2", "edit", "bob", fields={"Question": "How?", "Answer": "A, B, C, D"})
        queue.decide("q3", "accept", "ann")
        queue.decide("q3", "reopen", "ann")
    with ReviewQueue.open(folder) as queue:
        rejected = queue.current("q1")
        assert rejected is not None
        assert (rejected.kind, rejected.reason, rejected.comment) == (
            "reject",
            "sensitive",
            "names a person",
        )
        assert queue.fields("q2") == {**question("q2").fields, "Question": "How?"}
        assert queue.current("q3") is None
        assert [queue.settled(n) for n in ("q1", "q2", "q3")] == [True, True, False]
        assert queue.latest("ann") == "q1"
        assert queue.latest("bob") == "q2"
        assert queue.latest("eve") is None
        assert [d.time.endswith("+00:00") for d in queue.decisions] == [True] * 5


def test_an_edit_records_only_what_changed_and_nothing_changed_is_acceptance(folder: Path) -> None:
    with ReviewQueue.open(folder, write=True) as queue:
        edit = queue.decide(
            "q1", "edit", "ann", fields={"Question": "New?", "Answer": "A, B, C, D"}
        )
        same = queue.decide("q2", "edit", "ann", fields={"Answer": "A, B, C, D"})
    assert dict(edit.fields) == {"Question": "New?"}
    assert (same.kind, dict(same.fields)) == ("accept", {})


def test_labels_are_settled_when_all_are_given(chains: Path) -> None:
    with ReviewQueue.open(chains, write=True) as queue:
        queue.decide("c1", "label", "ann", parts=["correct", ""])
        assert queue.current("c1") is not None
        assert not queue.settled("c1")
        queue.decide("c1", "label", "ann", parts=["correct", "incorrect-logic"], label="correct")
        assert queue.settled("c1")


def test_views_of_two_reviewers_are_apart(folder: Path) -> None:
    with ReviewQueue.open(folder, write=True) as queue:
        queue.decide("q1", "accept", "ann")
        assert not queue.settled("q1", "bob")
        queue.decide("q1", "reject", "bob", reason="wrong order")
        mine = queue.current("q1", "ann")
        assert mine is not None and mine.kind == "accept"


@pytest.mark.parametrize(
    ("item", "kind", "more", "says"),
    [
        ("q9", "accept", {}, "no item 'q9'"),
        ("q1", "label", {"label": "x"}, "only accept, edit, reject"),
        ("q1", "reject", {}, "needs one of the reasons wrong order, sensitive, other"),
        ("q1", "reject", {"reason": "boring"}, "needs one of the reasons"),
        ("q1", "reject", {"reason": "other"}, "needs a comment"),
        ("q1", "edit", {"fields": {"Article": "new"}}, "changes fields among Question, Answer"),
        ("q1", "edit", {"fields": {"Answer": 3}}, "fields.Answer"),
    ],
)
def test_improper_decisions_are_refused_and_not_stored(
    folder: Path, item: str, kind: str, more: dict[str, object], says: str
) -> None:
    with ReviewQueue.open(folder, write=True) as queue, pytest.raises(UsageError, match=says):
        queue.decide(item, kind, "ann", **more)  # type: ignore[arg-type]
    assert read_rows(folder / "decisions.jsonl") == []


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"parts": ["correct"], "label": "correct"}, "2 parts and got 1"),
        ({"parts": ["correct", "great"]}, "not great"),
    ],
)
def test_improper_labels_are_refused(chains: Path, more: dict[str, object], says: str) -> None:
    with ReviewQueue.open(chains, write=True) as queue, pytest.raises(UsageError, match=says):
        queue.decide("c1", "label", "ann", **more)  # type: ignore[arg-type]


def test_a_decision_needs_a_writer_and_a_name(folder: Path) -> None:
    with ReviewQueue.open(folder) as queue, pytest.raises(UsageError, match="write=True"):
        queue.decide("q1", "accept", "ann")
    with (
        ReviewQueue.open(folder, write=True) as queue,
        pytest.raises(UsageError, match="`reviewer`"),
    ):
        queue.decide("q1", "accept", " ")


def test_two_writers_are_excluded_and_readers_are_not(folder: Path) -> None:
    with ReviewQueue.open(folder, write=True) as queue:
        queue.decide("q1", "accept", "ann")
        with pytest.raises(DataError, match=r"being written by another process \(pid \d+\)"):
            ReviewQueue.open(folder, write=True)
        with ReviewQueue.open(folder) as reader:
            assert reader.settled("q1")
    ReviewQueue.open(folder, write=True).close()


def test_a_torn_last_line_is_ignored_by_readers_and_cut_off_by_the_writer(folder: Path) -> None:
    with ReviewQueue.open(folder, write=True) as queue:
        queue.decide("q1", "accept", "ann")
    file = folder / "decisions.jsonl"
    whole = file.read_bytes()
    for length in range(1, len(whole)):
        file.write_bytes(whole + whole[:length])
        with ReviewQueue.open(folder) as reader:
            assert len(reader.decisions) == 1
        with ReviewQueue.open(folder, write=True):
            assert file.read_bytes() == whole


KILLED = """
import sys
from pathlib import Path
from ordojo.review import ReviewQueue
queue = ReviewQueue.open(Path(sys.argv[1]), write=True)
while True:
    for name in ("q1", "q2", "q3"):
        queue.decide(name, "accept", "ann")
        print(len(queue.decisions), flush=True)
"""


def test_kill_9_loses_no_acknowledged_decision(folder: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(20):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        acknowledged = 20 + len(process.stdout.read().splitlines())
    with ReviewQueue.open(folder, write=True) as queue:
        assert acknowledged <= len(queue.decisions) <= acknowledged + 1


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with Journal(tmp_path / "rows.jsonl") as journal:
        journal.append({"row": 1})
        with monkeypatch.context() as patch:
            patch.setattr("os.fsync", full)
            with pytest.raises(DataError, match="No space left on device"):
                journal.append({"row": 2})
        journal.append({"row": 3})
    assert read_rows(tmp_path / "rows.jsonl") == [{"row": 1}, {"row": 3}]


def test_damage_is_told_in_one_sentence(folder: Path) -> None:
    decisions, items, header = (
        folder / name for name in ("decisions.jsonl", "items.jsonl", "queue.json")
    )
    decisions.write_text('{"item": "q1"}\n')
    with pytest.raises(DataError, match="no decision") as caught:
        ReviewQueue.open(folder)
    assert "\n" not in str(caught.value)
    decisions.write_text("not json\n")
    with pytest.raises(DataError, match=":1 is not a JSON object"):
        ReviewQueue.open(folder)
    decisions.write_text("")
    items.write_text(items.read_text().replace("What", "Why"))
    with pytest.raises(DataError, match="changed after the queue was made"):
        ReviewQueue.open(folder, write=True)
    header.write_text(json.dumps({"schema": 2}))
    with pytest.raises(DataError, match="schema 1"):
        ReviewQueue.open(folder)
    header.write_text("{")
    with pytest.raises(DataError, match="not JSON"):
        ReviewQueue.open(folder)
    with pytest.raises(DataError, match="not a review queue"):
        ReviewQueue.open(folder / "nowhere", write=True)


@pytest.mark.parametrize(
    ("items", "reasons", "says"),
    [
        ([], ["other"], "at least one item"),
        ([question("a"), question("a")], ["other"], "twice"),
        ([question("a")], [], "1 to 9 reasons"),
        ([question("a").model_copy(update={"editable": ("Nope",)})], ["other"], "does not exist"),
        ([reasoning("a").model_copy(update={"labels": ()})], ["other"], "parts but no labels"),
        ([ReviewItem(id="", title="t", fields={})], ["other"], "no id"),
    ],
)
def test_a_bad_queue_is_not_made(
    tmp_path: Path, items: list[ReviewItem], reasons: list[str], says: str
) -> None:
    with pytest.raises(DataError, match=says):
        ReviewQueue.create(tmp_path / "queue", items, title="t", reasons=reasons)
    assert list(tmp_path.iterdir()) == []


def test_a_queue_is_not_overwritten(folder: Path) -> None:
    with pytest.raises(DataError, match="exists already"):
        ReviewQueue.create(folder, [question("a")], title="t", reasons=["other"])
