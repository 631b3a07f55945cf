import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import ordojo.datasets
from ordojo.benchmarks.econlogicqa.build import ArticleSettings, BuildStatus, build
from ordojo.benchmarks.econlogicqa.build.candidates import parse
from ordojo.core.errors import DataError, GeneratorError, UsageError
from ordojo.core.options import parse_options
from ordojo.core.seeds import generator
from ordojo.datasets.schemas import ECONLOGICQA
from ordojo.review import ReviewItem, ReviewQueue
from ordojo.review.terminal import Script, review_in_terminal

SHIPPED = Path(ordojo.datasets.__file__).parent / "shipped" / "econlogicqa"
ARTICLES = SHIPPED / "articles.jsonl"
SETTINGS = ArticleSettings(seed=7, model="scripted")


class Scripted:
    """Writes the shipped replies, and orders events as they do; the unrelated ones anyhow."""

    def __init__(self, dies_after: int = 10**9) -> None:
        rows = [json.loads(x) for x in (SHIPPED / "scripted_model.jsonl").read_text().splitlines()]
        texts = [json.loads(x) for x in ARTICLES.read_text().splitlines()]
        self.replies = {row["article"]: row["reply"] for row in rows}
        self.texts = {row["id"]: row["text"] for row in texts}
        self.asked: Counter[tuple[str, int]] = Counter()
        self.left = dies_after

    def __call__(
        self, prompt: str, *, max_tokens: int = 1024, temperature: float = 0.0, seed: int = 0
    ) -> str:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        self.asked[prompt, seed] += 1
        if "Put them in their logical order" in prompt:
            assert temperature > 0
            return self.order(prompt, seed)
        (name,) = [name for name, text in self.texts.items() if text in prompt]
        return self.replies[name]

    def order(self, prompt: str, seed: int) -> str:
        shown = dict(re.findall(r"^([A-D])\. (.*)$", prompt, re.MULTILINE))
        if "diversified retail group" in prompt:
            return ", ".join(generator(seed, "any", 0).permutation(list("ABCD")))
        letters = {event: letter for letter, event in shown.items()}
        for reply in self.replies.values():
            draft = parse(reply)
            if set(draft.events) == set(letters):
                named = dict(zip("ABCD", draft.events, strict=True))
                return "Correct Order: " + ", ".join(letters[named[x]] for x in draft.order)
        return "B, A, C, D"


def review(status: BuildStatus, script: str) -> None:
    source = Script(io.StringIO("\n".join(script.split("|")) + "\n"))
    with ReviewQueue.open(status.queue, write=True) as queue:
        review_in_terminal(queue, "ann", source=source, console=Console(file=io.StringIO()))


def read(path: Path) -> Any:
    return json.loads(path.read_text())


def rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_from_articles_over_a_person_to_a_dataset(tmp_path: Path) -> None:
    out, model = tmp_path / "made", Scripted()
    status = build(ARTICLES, model, out, SETTINGS)
    assert (status.stage, status.articles, status.generated) == ("review", 12, 11)
    assert (status.rejected_automatically, status.waiting) == (5, 7)
    assert f"ordojo review open {out}.work/queue" in str(status)
    assert not out.exists()

    # a01 a02 a04 a06 a08 a09 a11 wait; a08 is flagged.
    with ReviewQueue.open(status.queue) as queue:
        assert [item.id for item in queue.items] == [
            "a01",
            "a02",
            "a04",
            "a06",
            "a08",
            "a09",
            "a11",
        ]
        notes = {item.id: " ".join(item.notes) for item in queue.items}
    assert "died" in notes["a08"]
    assert "sensitive" not in notes["a01"]
    assert "5 of 5 orderings agree" in notes["a01"]

    edit = "e||||||B, D, C, A|"  # a04: the same order, in other words: nothing changed
    review(
        status, f"a|e|A coffee roaster buys its beans. Order the events.||||||E.|{edit}|a|r|4||q"
    )
    status = build(ARTICLES, model, out, SETTINGS)
    assert (status.stage, status.waiting, status.rejected_by_person) == ("review", 2, 1)
    review(status, "a|r|6|too similar to a textbook|q")
    status = build(ARTICLES, model, out, SETTINGS)
    assert (status.stage, status.accepted, status.rejected_by_person) == ("done", 5, 2)

    made = {name: table(out / f"{name}.csv") for name in ("train", "val", "test")}
    assert {name: len(found) for name, found in made.items()} == {"train": 3, "val": 1, "test": 1}
    assert all(not ECONLOGICQA.problem(row) for found in made.values() for row in found)
    assert list(made["train"][0]) == ["Question", "A", "B", "C", "D", "Answer"]

    provenance = {row["article"]["id"]: row for row in rows(out / "provenance.jsonl")}
    assert len(provenance) == 12
    reasons = {name: row["reason"] for name, row in provenance.items() if row["reason"]}
    assert reasons == {
        "a03": "format",
        "a05": "distinct-events",
        "a07": "article-duplicate",
        "a08": "sensitive",
        "a10": "agreement",
        "a11": "other",
        "a12": "permutation",
    }
    edited = provenance["a02"]
    assert made[edited["split"]][edited["row"]]["Question"].startswith("A coffee roaster buys its")
    assert edited["question"]["Explanation"] == "E."
    assert edited["decisions"][0]["reviewer"] == "ann"
    assert [check["name"] for check in edited["checks_of_edit"]][-1] == "agreement"
    assert "Question: A coffee roaster" in edited["reply"]

    counts = read(out / "statistics.json")
    assert counts["generated"] == 11
    assert counts["rejected_by_check"] == {
        "article-duplicate": 1,
        "format": 1,
        "distinct-events": 1,
        "permutation": 1,
        "agreement": 1,
    }
    assert counts["rejected_by_person"] == {"sensitive": 1, "other": 1}
    assert (counts["accepted"], counts["edited"], counts["kept"]) == (4, 1, 5)
    assert counts["note"] == ""
    assert counts["paper"]["generated"] - counts["paper"]["removed"] == counts["paper"]["kept"]
    assert set(model.asked.values()) == {1}


def test_a_killed_build_goes_on_without_asking_twice(tmp_path: Path) -> None:
    whole = Scripted()
    build(ARTICLES, whole, tmp_path / "whole", SETTINGS)
    asked: Counter[tuple[str, int]] = Counter()
    for patience in (1, 7, 20, 10**9):
        model = Scripted(dies_after=patience)
        try:
            build(ARTICLES, model, tmp_path / "killed", SETTINGS)
        except KeyboardInterrupt:
            assert patience < 10**9
        asked += model.asked
    assert asked == whole.asked
    for name in ("candidates.jsonl", "replies.jsonl", "queue/items.jsonl"):
        assert (tmp_path / "whole.work" / name).read_bytes() == (
            tmp_path / "killed.work" / name
        ).read_bytes()


KILLED = """
import sys, time
from pathlib import Path
from test_build_pipeline import ARTICLES, SETTINGS, Scripted, build
class Slow(Scripted):
    def __call__(self, prompt, **options):
        print("asked", flush=True)
        time.sleep(0.02)
        return super().__call__(prompt, **options)
build(ARTICLES, Slow(), Path(sys.argv[1]), SETTINGS)
"""


def test_articles_asked_together_give_the_same_build(tmp_path: Path) -> None:
    told: list[str] = []
    build(ARTICLES, Scripted(), tmp_path / "one", SETTINGS)
    four = SETTINGS.model_copy(update={"concurrency": 4})
    build(ARTICLES, Scripted(), tmp_path / "two", four, told.append)
    one, two = ((tmp_path / f"{n}.work/candidates.jsonl").read_bytes() for n in ("one", "two"))
    assert one == two and told[-1] == "12 of 12 articles asked"


def test_kill_9_leaves_a_build_that_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "out")]
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=here) as process:
        assert process.stdout is not None
        for _ in range(9):
            assert process.stdout.readline() == "asked\n"
        process.send_signal(signal.SIGKILL)
    stored = len(rows(tmp_path / "out.work" / "replies.jsonl"))
    assert stored >= 8
    model = Scripted()
    assert build(ARTICLES, model, tmp_path / "out", SETTINGS).waiting == 7
    # 11 questions, and 5 orderings for each of the 8 that are questions at all.
    assert stored + sum(model.asked.values()) == 11 + 5 * 8


def test_accept_all_is_recorded_and_leaves_out_what_was_flagged(tmp_path: Path) -> None:
    out = tmp_path / "demo"
    status = build(ARTICLES, Scripted(), out, SETTINGS.model_copy(update={"accept_all": True}))
    assert (status.stage, status.accepted) == ("done", 6)
    counts = read(out / "statistics.json")
    assert (counts["accepted_unseen"], counts["flagged_unseen"]) == (6, 1)
    assert counts["note"] == "7 questions were not reviewed by a person"
    (flagged,) = [r for r in rows(out / "provenance.jsonl") if r["state"] == "flagged, unseen"]
    assert flagged["article"]["id"] == "a08"
    # A review that comes later still counts.
    review(status, "r|3||q")
    build(ARTICLES, Scripted(), out, SETTINGS.model_copy(update={"accept_all": True}))
    assert read(out / "statistics.json")["rejected_by_person"] == {"wrong order": 1}


def test_an_edit_that_spoils_the_question_is_sent_back(tmp_path: Path) -> None:
    out, model = tmp_path / "made", Scripted()
    status = build(ARTICLES, model, out, SETTINGS)
    review(status, "e||||||A, A, B, C||a|a|a|a|a|a|q")
    status = build(ARTICLES, model, out, SETTINGS)
    assert status.waiting == 1
    with ReviewQueue.open(status.queue) as queue:
        assert "failed 'permutation'" in queue.notes("a01")[-1]
    review(status, "e||||||D, A, C, B||q")
    status = build(ARTICLES, model, out, SETTINGS)
    assert status.stage == "done"
    # The scripted model still holds the old order: recorded, and the person's word stands.
    assert read(out / "statistics.json")["edited_against_the_model"] == 1


def test_duplicates_that_are_let_in_stay_in_one_split(tmp_path: Path) -> None:
    settings = ArticleSettings(seed=3, model="", article_likeness=2, question_likeness=2)
    out = tmp_path / "made"
    build(ARTICLES, Scripted(), out, settings.model_copy(update={"accept_all": True}))
    split = {row["article"]["id"]: row["split"] for row in rows(out / "provenance.jsonl")}
    assert split["a02"] == split["a07"] != ""


def test_a_model_that_says_nothing(tmp_path: Path) -> None:
    class Mute(Scripted):
        def __call__(self, prompt: str, **options: Any) -> str:
            return (
                " \n"
                if "Runa Tolvane" in prompt or self.left == 0
                else super().__call__(prompt, **options)
            )

    with pytest.raises(GeneratorError, match="returned nothing for any of 12 articles"):
        build(ARTICLES, Mute(dies_after=0), tmp_path / "all", SETTINGS)
    build(ARTICLES, Mute(), tmp_path / "one", SETTINGS)
    first = rows(tmp_path / "one.work" / "candidates.jsonl")[0]
    assert first["checks"][-1]["reason"] == "the model returned nothing"


def test_another_build_at_the_same_place_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "made"
    build(ARTICLES, Scripted(), out, SETTINGS)
    with pytest.raises(GeneratorError, match="another seed, orderings"):
        build(ARTICLES, Scripted(), out, ArticleSettings(seed=8, model="scripted", orderings=3))
    fewer = tmp_path / "fewer.jsonl"
    fewer.write_text("".join(ARTICLES.read_text().splitlines(keepends=True)[:3]))
    with pytest.raises(GeneratorError, match="another articles"):
        build(fewer, Scripted(), out, SETTINGS)


def test_two_builds_at_once_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "made"

    class Greedy(Scripted):
        def __call__(self, prompt: str, **options: Any) -> str:
            build(ARTICLES, Scripted(), out, SETTINGS)
            raise AssertionError("the inner build had to fail")

    with pytest.raises(DataError, match="being written by another process"):
        build(ARTICLES, Greedy(), out, SETTINGS)


def test_an_output_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(GeneratorError, match="choose another output"):
        build(ARTICLES, Scripted(), tmp_path / "file" / "made", SETTINGS)
    with pytest.raises(DataError, match=r"cannot write .*queue: File exists"):
        ReviewQueue.create(
            tmp_path / "file" / "queue",
            [ReviewItem(id="a", title="a", fields={})],
            title="t",
            reasons=["other"],
        )


def test_nothing_left_to_write(tmp_path: Path) -> None:
    one = tmp_path / "one.jsonl"
    one.write_text(ARTICLES.read_text().splitlines()[4])  # two equal choices
    with pytest.raises(GeneratorError, match="rejected every question"):
        build(one, Scripted(), tmp_path / "a", SETTINGS)
    one.write_text(ARTICLES.read_text().splitlines()[0])
    status = build(one, Scripted(), tmp_path / "b", SETTINGS)
    review(status, "r|1||q")
    with pytest.raises(GeneratorError, match="no question was accepted"):
        build(one, Scripted(), tmp_path / "b", SETTINGS)


@pytest.mark.parametrize(
    "settings",
    [
        {"orderings": -1},
        {"n": 0},
        {"agreement": 0},
        {"related": 0},
    ],
)
def test_settings_without_sense_are_refused(tmp_path: Path, settings: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        asked = parse_options(ArticleSettings, {"seed": 1, "model": "one", **settings}, "this")
        build(ARTICLES, Scripted(), tmp_path / "made", asked)
    assert list(tmp_path.iterdir()) == []


def test_the_optional_judge_of_sensitive_articles(tmp_path: Path) -> None:
    class Judge(Scripted):
        def __call__(self, prompt: str, **options: Any) -> str:
            if prompt.startswith("Would a question"):
                return "Yes: it names people." if "Runa Tolvane" in prompt else "no"
            return super().__call__(prompt, **options)

    settings = ArticleSettings(seed=7, model="", judge_sensitive=True, orderings=0)
    status = build(ARTICLES, Judge(), tmp_path / "made", settings)
    with ReviewQueue.open(status.queue) as queue:
        notes = {item.id: item.notes for item in queue.items}
    assert notes["a01"] == ("sensitive: a model says: Yes: it names people.",)
    assert notes["a02"] == ()
    assert "a10" in notes
