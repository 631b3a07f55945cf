"""An expert's decisions on instances: queued, decided in the terminal, counted, written again."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordojo.benchmarks.nl2opt.expert import (
    KEEP,
    MEND,
    QUESTIONS,
    TEXT,
    expert_items,
    expert_tables,
    write_kept,
)
from ordojo.cli import cli
from ordojo.core.errors import DataError, OrdojoError, UsageError
from ordojo.core.records import RunView
from ordojo.datasets.nl2opt import load_items
from ordojo.review import ReviewQueue, statistics
from tests.benchmarks.nl2opt.made import records, view
from tests.benchmarks.nl2opt.test_folder import RIGHT, export
from tests.core.helpers import published_folder
from tests.review.conftest import REASONS, reasoning

NEW = "Choose items of the greatest value whose weights sum to at most {capacity}."


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, optimum in (("a", 9.0), ("b", 9.0), ("c", "Infeasible"), ("d", None), ("e", 9.0)):
        export(tmp_path / "own", name, optimum)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "own"


def call(*words: str, keys: str = "") -> Result:
    return CliRunner().invoke(cli, ["review", *words], input="\n".join(keys.split("|")))


def said(*words: str, keys: str = "") -> str:
    result = call(*words, keys=keys)
    assert result.exit_code == 0, result.exception
    return result.stdout


def decided() -> None:
    """Kept, text mended, kept, discarded, and one whose data wait to be mended."""
    said("instances", "own", "-o", "queue")
    keep, mend = "1|1|1|1", f"2|1|1|e|{NEW}|one rule was not said|2"
    waits = "1|1|2|e|||2"
    keys = f"{keep}|{mend}|{keep}|r|6||{waits}|q"
    assert "5 decided, 0 left" in said("open", "queue", "--reviewer", "ann", keys=keys)


def test_the_queue_shows_what_is_to_be_compared() -> None:
    told = said("instances", "own", "-o", "queue")
    assert told == "5 instances in queue\n"
    assert said("instances", "own", "-o", "queue") == told
    with ReviewQueue.open(Path("queue")) as queue:
        first = queue.item("a")
        assert queue.notes("c") and queue.notes("d") and not queue.notes("a")
    assert first.parts == QUESTIONS and first.editable == (TEXT,)
    assert first.fields["Scaffold"] == "# Knapsack"
    assert first.fields["Known optimum"].startswith("9")
    assert "value,weight" in first.fields["Data"] and "capacity" in first.fields["Parameters"]
    shown = said("open", "queue", "--reviewer", "ann", keys="n|n|q")
    assert "c, infeasible" in shown and QUESTIONS[2] in shown and "2 mend" in shown


def test_decisions_are_counted_and_what_was_kept_is_a_dataset(own: Path) -> None:
    decided()
    with ReviewQueue.open(Path("queue")) as queue:
        decision = queue.current("b")
        assert decision is not None and decision.comment == "one rule was not said"
        counts, questions, reasons, _ = expert_tables(queue)
    assert counts.rows == [
        ("optimum known", 3, 1, 1, 1, 0, None),
        ("infeasible", 1, 1, 0, 0, 0, None),
        ("open", 1, 0, 0, 0, 1, None),
        ("all", 5, 2, 1, 1, 1, None),
    ]
    assert [row[1:] for row in questions.rows] == [(3, 1), (4, 0), (3, 1)]
    assert reasons.rows == [("cannot be verified", 1)]
    assert said("kept", "queue", "-o", "kept") == (
        "kept: 2 kept, 1 mended, 1 discarded, 1 waiting\n"
    )
    found = load_items("folder:kept")
    assert [(item.id, item.status) for item in found] == [
        ("a", "ok"),
        ("b", "ok"),
        ("c", "infeasible"),
    ]
    assert found[1].question == NEW and found[0].question != NEW
    rows = [json.loads(row) for row in Path("kept/decisions.jsonl").read_text().splitlines()]
    assert [row["reviewer"] for row in rows] == ["ann"] * 5
    assert load_items(f"folder:{own}")[1].question != NEW


def test_two_experts_are_compared() -> None:
    decided()
    said("open", "queue", "--reviewer", "bob", "--independent", keys="1|1|1|1|r|1||q")
    told = said("table", "queue")
    assert "ann and bob  items  2  0.5" in told and "ann and bob  parts  3  1" in told
    figures = json.loads(said("table", "queue", "--json"))
    assert [table["title"] for table in figures][::3] == ["Decisions", "Agreement of reviewers"]
    with ReviewQueue.open(Path("queue")) as queue:
        assert [a.n for a in statistics(queue).agreement] == [2, 3]


def rebuilt(own: Path, name: str) -> RunView:
    """A run of a model that rebuilt an instance of the folder."""
    dataset = f"folder:{own}"
    answer = (name, 1, f"```python\n{RIGHT}\n```")
    return view(records([answer], dataset=dataset), dataset=dataset)


def test_what_a_model_rebuilt_needs_no_expert(own: Path) -> None:
    run = rebuilt(own, "a")
    assert [item.id for item in expert_items([str(own)], [run])] == ["b", "c", "d", "e"]
    alone = own.parent / "alone" / "own"
    shutil.copytree(own / "a", alone / "a")
    with pytest.raises(DataError, match="models rebuilt every instance"):
        expert_items([str(alone)], [run])
    changed = own.parent / "changed" / "own"
    shutil.copytree(own / "a", changed / "a")
    file = changed / "a/instance.json"
    file.write_text(file.read_text().replace("greatest", "least"))
    assert [item.id for item in expert_items([str(changed)], [run])] == ["a"]


def test_the_api_needs_no_command(own: Path) -> None:
    ReviewQueue.create(Path("queue"), expert_items([f"{own}/a"]), title="T", reasons=REASONS)
    with ReviewQueue.open(Path("queue"), write=True) as queue:
        with pytest.raises(UsageError, match="labels are keep, mend, not discard"):
            queue.decide("a", "label", "ann", label="discard", parts=[KEEP] * 3)
        with pytest.raises(UsageError, match=r"changes fields among Text, not \['Data'\]"):
            queue.decide("a", "label", "ann", label=MEND, parts=[KEEP] * 3, fields={"Data": ""})
        with pytest.raises(DataError, match="nothing in queue was kept"):
            write_kept(queue, Path("kept"))
        queue.decide("a", "label", "ann", label=MEND, parts=[KEEP] * 3, fields={TEXT: NEW})
        assert write_kept(queue, Path("kept")) == {"mended": 1}
    assert load_items("folder:kept")[0].question == NEW


@pytest.mark.parametrize(
    ("parts", "whole", "fields", "became"),
    [
        ((KEEP, KEEP, KEEP), KEEP, {}, "kept"),
        ((KEEP, KEEP, KEEP), KEEP, {TEXT: NEW}, "mended"),
        ((MEND, KEEP, KEEP), MEND, {TEXT: NEW}, "mended"),
        ((MEND, KEEP, KEEP), KEEP, {}, "waiting"),
        ((MEND, KEEP, MEND), MEND, {TEXT: NEW}, "waiting"),
        ((KEEP, MEND, KEEP), KEEP, {}, "waiting"),
    ],
)
def test_only_what_is_right_in_all_is_written(
    own: Path, parts: tuple[str, ...], whole: str, fields: dict[str, str], became: str
) -> None:
    ReviewQueue.create(Path("queue"), expert_items([str(own)]), title="T", reasons=REASONS)
    with ReviewQueue.open(Path("queue"), write=True) as queue:
        queue.decide("e", "label", "ann", label=KEEP, parts=[KEEP] * 3)
        queue.decide("a", "label", "ann", label=whole, parts=list(parts), fields=fields)
        counts = write_kept(queue, Path("kept"))
    assert counts[became] == (2 if became == "kept" else 1)
    assert ("a" in {item.id for item in load_items("folder:kept")}) == (became != "waiting")


def test_bad_input_is_said_in_one_sentence(own: Path) -> None:
    decided()

    def refused(*words: str) -> str:
        result = call(*words)
        assert isinstance(result.exception, OrdojoError), result.output
        assert "\n" not in str(result.exception)
        return str(result.exception)

    assert "nowhere" in refused("instances", "nowhere", "-o", "q")
    assert "no instance folders" in refused("instances", "nl2opt@ordojo", "-o", "q")
    assert "its id is there twice" in refused("instances", "own", "own/a", "-o", "q")
    assert "holds other instances" in refused("instances", "own/a", "-o", "queue")
    assert "no runs" in refused("instances", "own", "-o", "q", "--runs", "own")
    assert not Path("q").exists()
    Path("kept").mkdir()
    Path("kept/mine.txt").touch()
    assert "mine.txt, which would be lost" in refused("kept", "queue", "-o", "kept")
    table = own / "a/data/items.csv"
    rows = table.read_text()
    table.write_text(f"{rows}9,9\n")
    assert "a was changed after the queue was made" in refused("kept", "queue", "-o", "new")
    table.write_text(rows)
    text = (own / "b/instance.json").read_text()
    (own / "b/instance.json").write_text(text.replace("greatest", "least"))
    assert "was changed after the queue was made" in refused("kept", "queue", "-o", "new")
    ReviewQueue.create(Path("other"), [reasoning("r")], title="T", reasons=REASONS)
    assert "not a queue of instances" in refused("kept", "other", "-o", "new")
    assert not Path("new").exists()


@pytest.mark.data
def test_the_published_instances_with_infeasible_and_open_ones() -> None:
    published_folder()
    items = expert_items(["miplib-nl@original-223"])
    states = [item.data["state"] for item in items]
    assert (len(items), states.count("infeasible"), states.count("open")) == (223, 10, 1)
    assert {item.id for item in items if item.title == f"{item.id}, open"} == {"sorrell7"}
    ReviewQueue.create(Path("queue"), items, title="T", reasons=REASONS)
    with ReviewQueue.open(Path("queue"), write=True) as queue:
        for name in ("sorrell7", "markshare_5_0"):
            queue.decide(name, "label", "ann", label=KEEP, parts=[KEEP] * 3)
        write_kept(queue, Path("kept"))
        (counts, *_) = expert_tables(queue)
    kept = {item.id: item for item in load_items("folder:kept")}
    assert {name: item.status for name, item in kept.items()} == {
        "markshare_5_0": "ratio",
        "sorrell7": "open",
    }
    assert len(kept["markshare_5_0"].golds) == 2
    assert [row[-1] for row in counts.rows] == [200, None, 8, 15, 223]
    assert sum("none:" in item.fields["Scaffold"] for item in items) == 43
