import io
from pathlib import Path

import click
import pytest
from rich.console import Console

from ordojo.core.errors import UsageError
from ordojo.review import ReviewQueue
from ordojo.review.terminal import Keyboard, Script, read_form, review_in_terminal


def run(path: Path, script: str, reviewer: str = "ann", independent: bool = False) -> str:
    out = io.StringIO()
    with ReviewQueue.open(path, write=True) as queue:
        review_in_terminal(
            queue,
            reviewer,
            independent=independent,
            source=Script(io.StringIO("\n".join(script.split("|")) + "\n")),
            console=Console(file=out, width=100),
        )
    return out.getvalue()


def kinds(path: Path, reviewer: str = "") -> list[str]:
    with ReviewQueue.open(path) as queue:
        now = [queue.current(item.id, reviewer) for item in queue.items]
    return [decision.kind if decision else "" for decision in now]


def test_accept_edit_reject_with_a_script(folder: Path) -> None:
    shown = run(folder, "a|e||B, A, C, D|r|2|too sad|q")
    assert kinds(folder) == ["accept", "edit", "reject"]
    assert "3 decided, 0 left" in shown
    assert "agreement: 4 of 5" in shown
    with ReviewQueue.open(folder) as queue:
        edited, rejected = queue.current("q2"), queue.current("q3")
    assert edited is not None and dict(edited.fields) == {"Answer": "B, A, C, D"}
    assert rejected is not None and (rejected.reason, rejected.comment) == ("sensitive", "too sad")


def test_the_end_of_input_quits_and_the_next_session_goes_on(folder: Path) -> None:
    assert "1/3" in run(folder, "a")
    shown = run(folder, "a|q")
    assert "Question q1" not in shown
    assert kinds(folder) == ["accept", "accept", ""]


def test_undo_takes_back_the_decision_just_made_even_of_an_earlier_session(folder: Path) -> None:
    run(folder, "a|a|u|q")
    assert kinds(folder) == ["accept", "", ""]
    run(folder, "n|u|q")
    assert kinds(folder) == ["", "", ""]
    assert "no decision of yours" in run(folder, "u|q")


def test_navigation_and_mistakes(folder: Path) -> None:
    shown = run(folder, "p|n|n|n|n|a|x|r|7|r|3||q")
    assert kinds(folder) == ["", "", "accept"]
    for text in ("'x' does nothing here", "not rejected", "needs a comment"):
        assert text in shown


def test_accepting_an_edited_item_keeps_the_edit(folder: Path) -> None:
    run(folder, "e|New?||p|a|q")
    assert kinds(folder)[0] == "edit"


def test_labels_part_by_part_then_the_whole(chains: Path) -> None:
    run(chains, "1|2|2|1|q")
    with ReviewQueue.open(chains) as queue:
        done, begun = queue.current("c1"), queue.current("c2")
        assert done is not None
        assert (done.parts, done.label) == (("correct", "incorrect-logic"), "incorrect-logic")
        assert begun is not None and not begun.final
    run(chains, "p|k|k|1|q")
    with ReviewQueue.open(chains) as queue:
        again = queue.current("c1")
        assert again is not None and again.parts == ("correct", "correct")


def test_labels_stand_beside_an_edited_text_and_a_comment(texts: Path) -> None:
    assert "ann: a rule was missing" in run(texts, "2|e|All.|a rule was missing|1|e||||2|q")
    with ReviewQueue.open(texts) as queue:
        done = queue.current("t")
    assert done is not None and done.final and done.parts == ("incorrect-logic", "correct")
    assert (done.fields, done.comment) == ({"Text": "All."}, "a rule was missing")
    # Another goes on with the labels and the text, and has a comment of her own.
    assert "edited" in run(texts, "1|q", "eve")
    with ReviewQueue.open(texts) as queue:
        last = queue.current("t", "eve")
    assert last is not None and (last.fields, last.comment) == ({"Text": "All."}, "")


def test_an_independent_reviewer_sees_nothing_of_the_others(folder: Path) -> None:
    run(folder, "r|1|secret|a|a|q")
    shown = run(folder, "a|q", "bob", independent=True)
    assert "secret" not in shown
    assert kinds(folder, "bob") == ["accept", "", ""]
    assert kinds(folder, "ann") == ["reject", "accept", "accept"]


def test_the_editor_gets_a_form_and_a_broken_form_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nsed -i s/old/new/ "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    assert Keyboard().form({"A": "old text", "B": "two\nlines"}) == {
        "A": "new text",
        "B": "two\nlines",
    }
    monkeypatch.setenv("VISUAL", "false")
    with pytest.raises(UsageError, match="the editor failed"):
        Keyboard().form({"A": "x"})
    with pytest.raises(UsageError, match="nothing was changed"):
        read_form("=== A\nx\n", {"A": "1", "B": "2"})


def test_control_c_at_a_key_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(click, "getchar", interrupted)
    with pytest.raises(EOFError):
        Keyboard().key()
