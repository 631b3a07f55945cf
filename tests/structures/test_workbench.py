"""Edits of a structure: exact after each, undone, stored, gone on with."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ordojo.core.errors import DataError, UsageError
from ordojo.structures import Flat, read_flat
from ordojo.structures.artifact import read_artifact
from ordojo.structures.indices import LEAST
from ordojo.structures.workbench.server import detail, overview
from ordojo.structures.workbench.session import base
from ordojo.structures.workbench.state import COLUMNS, ROWS, Classes, parts

from .test_blueprint import LOCATION
from .test_retell import LOTS_RETOLD
from .toys import EVERYTHING, LOTS, flat_of
from .workbench_toys import edit, lots, session, sizes, texts


def test_rename_merge_split_stay_exact_and_undo_brings_all_back(tmp_path: Path) -> None:
    with session(tmp_path) as opened:
        start = overview(opened)
        assert sizes(start, "groups") == {"x": 3, "s": 3, "y": 3}
        seen = edit(opened, kind="rename", of="g0", name="make")
        assert sizes(seen, "groups") == {"make": 3, "s": 3, "y": 3}
        assert "`cost_make[t]`" in seen["blueprint"]["objective"]
        seen = edit(opened, kind="merge", of=["g0", "g1"])
        assert sizes(seen, "groups") == {"make": 6, "y": 3}
        seen = edit(opened, kind="split", of="f0", by="rhs")
        assert sorted(sizes(seen, "families").values()) == [1, 2, 3]
        assert seen["status"]["exact"] and seen["differing"] == ()
        for _ in range(3):
            opened.undo()
            opened.wait()
        back = overview(opened)
        assert {k: back[k] for k in ("groups", "families", "blueprint", "spy", "shares")} == {
            k: start[k] for k in ("groups", "families", "blueprint", "spy", "shares")
        }
        for _ in range(3):
            opened.redo()
            opened.wait()
        again = overview(opened)
        assert again["groups"] == seen["groups"] and again["families"] == seen["families"]
        assert again["shares"] == seen["shares"] and again["compression"] == seen["compression"]


def test_a_model_that_does_not_come_back_is_not_called_exact(tmp_path: Path) -> None:
    with session(tmp_path) as opened:
        state = opened.result.state
        wrong = base(opened.flat, "0" * 64, state, lambda phase: None)
        assert not wrong.exact and wrong.differing == ("digest",)
        opened.result = opened.result.__class__(**{**vars(opened.result), "base": wrong})
        assert overview(opened)["status"]["exact"] is False
        with pytest.raises(UsageError, match="not exact"):
            opened.export()


def test_index_sets_and_texts(tmp_path: Path) -> None:
    with session(tmp_path) as opened:
        seen = edit(opened, kind="rename", of="set:T", name="Weeks")
        assert seen["sets"][0]["name"] == "Weeks" and seen["sets"][0]["key"] == "set:T"
        assert "`Weeks`" in texts(seen)["bal"]
        said = "for each `t` in `Weeks`, `x[t]` is made, an amount of zero or more, up to {upper_x}"
        seen = edit(opened, kind="clause", part="group", of="g0", text=said)
        assert texts(seen)["x"] == said and not seen["blueprint"]["faults"]
        seen = edit(opened, kind="rename", of="g0", name="make")
        mended = said.replace("`x[", "`make[").replace("upper_x", "upper_make")
        assert texts(seen)["make"] == mended and not seen["blueprint"]["faults"]
        seen = edit(opened, kind="rename", of="set:T", name="Days")
        assert "`Days`" in texts(seen)["make"]
        seen = edit(opened, kind="clause", part="family", of="f1", text="at most 7 of `nobody`")
        faults = " ".join(seen["blueprint"]["faults"])
        assert "has the number 7" in faults
        seen = edit(opened, kind="clause", part="family", of="f1", text="at most `nobody`")
        faults = " ".join(seen["blueprint"]["faults"])
        assert "gains `nobody`" in faults and "loses {coef_cap_y}" in faults
        with pytest.raises(UsageError, match="mend the text first"):
            opened.export()
        seen = edit(opened, kind="clause", part="family", of="f1")  # the draft again
        assert not seen["blueprint"]["faults"]
        seen = edit(opened, kind="scenario", name="energy")
        assert seen["blueprint"]["scenario"] == "energy"
        # What is no longer the same loses its sentence; a place that is gone is said.
        seen = edit(
            opened,
            kind="clause",
            part="parameter",
            of="cost_make",
            text="the price in column `cost_make` of data/T.csv",
        )
        seen = edit(opened, kind="merge", of=["g0", "g1"])
        assert "is made" not in texts(seen)["make"]


def test_what_cannot_be_is_refused_and_nothing_stored(tmp_path: Path) -> None:
    journal = tmp_path / "bench" / "edits.jsonl"
    with session(tmp_path) as opened:
        stored = journal.read_bytes()
        for asked, why in (
            ("rename", "this is no edit"),
            ({"kind": "explode"}, "this is no edit"),
            ({"kind": "rename", "of": "g0"}, "name"),
            ({"kind": "rename", "of": "g9", "name": "a"}, "no group or family 'g9'"),
            ({"kind": "rename", "of": "g0", "name": "a b"}, "letters, digits"),
            ({"kind": "merge", "of": ["g0"]}, "mark another"),
            ({"kind": "merge", "of": ["g0", "g0"]}, "mark another"),
            ({"kind": "merge", "of": ["g0", "f0"]}, "only one kind"),
            ({"kind": "split", "of": "g0", "by": "type"}, "all alike"),
            ({"kind": "split", "of": "g0", "by": "sense"}, "no way 'sense'"),
            ({"kind": "split", "of": "g0", "by": "members", "first": 2, "last": 9}, "give 1 to 3"),
            ({"kind": "split", "of": "g0", "by": "members", "first": 1, "last": 3}, "all alike"),
            ({"kind": "scenario", "name": "moon"}, "choose one of"),
            ({"kind": "clause", "part": "story", "label": "x"}, "label"),
            ({"kind": "clause", "part": "group", "of": "f0", "text": 1}, "text"),
        ):
            with pytest.raises(UsageError, match=why):
                opened.edit(asked)
        for step in (opened.undo, opened.redo):
            with pytest.raises(UsageError, match="nothing to"):
                step()
        assert journal.read_bytes() == stored
        # A name that is taken shows only when all names are given: the edit is dropped again.
        seen = edit(opened, kind="rename", of="g0", name="s")
        assert "cannot both be named 's'" in seen["status"]["problem"]
        assert sizes(seen, "groups") == {"x": 3, "s": 3, "y": 3} and not seen["status"]["edits"]
        assert sizes(edit(opened, kind="rename", of="g0", name="z"), "groups")["z"] == 3


def test_a_killed_session_goes_on_where_it_was(tmp_path: Path) -> None:
    flat = lots(tmp_path)
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom ordojo.structures import read_flat\n"
        "from ordojo.structures.workbench import WorkbenchSession\n"
        "s = WorkbenchSession(read_flat(sys.argv[1]), Path(sys.argv[2]))\ns.wait()\n"
        "s.edit({'kind': 'rename', 'of': 'g0', 'name': 'make'}); s.wait()\n"
        "s.edit({'kind': 'merge', 'of': ['f0', 'f1']}); s.wait()\n"
        "s.undo(); s.wait()\n"
        "s.edit({'kind': 'split', 'of': 'g2', 'by': 'members', 'first': 1, 'last': 1})\n"
        "os._exit(9)\n"
    )
    arguments = [str(tmp_path / "lots.mps"), str(tmp_path / "bench")]
    done = subprocess.run([sys.executable, "-c", script, *arguments], timeout=60)
    assert done.returncode == 9
    with (tmp_path / "bench" / "edits.jsonl").open("ab") as journal:
        journal.write(b'{"edit": {"kind": "mer')  # a torn line was never acknowledged
    with session(tmp_path, flat) as opened:
        seen = overview(opened)
        assert sizes(seen, "groups") == {"make": 3, "s": 3, "y_1": 1, "y": 2}
        assert sizes(seen, "families") == {"bal": 3, "cap": 3}
        assert seen["status"]["exact"] and seen["status"]["edits"] == 2
        with pytest.raises(DataError, match="another process"), session(tmp_path, flat):
            pass


def test_folders_of_others_and_damaged_ones(tmp_path: Path) -> None:
    with session(tmp_path) as opened:
        edit(opened, kind="merge", of=["g0", "g1"])
    other = tmp_path / "other.mps"
    other.write_text(LOTS.replace("50", "51"))
    with pytest.raises(DataError, match="another model"), session(tmp_path, read_flat(other)):
        pass
    journal, found = (tmp_path / "bench" / name for name in ("edits.jsonl", "partition.npz"))
    kept = journal.read_bytes()
    for line, why in (
        (b'{"undo": true}\n' * 2, "no step"),
        (b'{"edit": {"kind": "merge"}}\n', "no step"),
        (b'{"edit": {"kind": "merge", "of": ["g0", "g1"]}}\n', "cannot be made again"),
        (b"garbage\n", "not a JSON object"),
    ):
        journal.write_bytes(kept + line)
        with pytest.raises(DataError, match=why), session(tmp_path):
            pass
    journal.write_bytes(kept)
    whole = found.read_bytes()
    found.write_bytes(whole[:40])
    with pytest.raises(DataError, match="damaged"), session(tmp_path):
        pass
    found.write_bytes(whole)
    with session(tmp_path) as opened:
        assert overview(opened)["status"]["edits"] == 1


def test_export_writes_the_edited_instance(tmp_path: Path) -> None:
    with session(tmp_path) as opened:
        edit(opened, kind="rename", of="g0", name="make")
        edit(opened, kind="rename", of="set:T", name="Weeks")
        edit(opened, kind="clause", part="story", text="A bakery plans its weeks.")
        opened.export()
        opened.wait()
        done = opened.status()["exported"]
    assert done["exact"] and "optimal value 97" in done["text"], done
    folder = Path(done["folder"])
    told = read_artifact(folder)
    assert told.record.abstract_problem.startswith("A bakery plans its weeks.")
    assert "make[t]" in told.model_md and "Weeks" in told.solve_py
    alone = tmp_path / "alone"
    shutil.copytree(folder, alone)
    made = subprocess.run(
        [sys.executable, "generator.py", str(tmp_path / "made")],
        cwd=alone, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr


def test_details_of_every_kind_of_line(tmp_path: Path) -> None:
    path = tmp_path / "all.mps"
    path.write_text(EVERYTHING)
    with session(tmp_path, read_flat(path)) as opened:
        seen = overview(opened)
        assert seen["ready"] and seen["status"]["exact"]
        for one in [*seen["groups"], *seen["families"]]:
            told = detail(opened, one["id"])
            assert told["size"] == one["size"] and told["formula"]
            json.dumps(told)
        with pytest.raises(UsageError, match="no group or family"):
            detail(opened, "g99")


def test_ways_to_split(tmp_path: Path) -> None:
    flat = lots(tmp_path)
    columns, rows = np.arange(flat.n), np.arange(flat.m)
    other = np.array([0, 0, 0, 1, 1, 1])
    found = {by: parts(flat, "groups", columns, other, by).tolist() for by in COLUMNS}
    assert found == {
        "type": [0, 0, 0, 0, 0, 0, 1, 1, 1],
        "bounds": [0, 0, 0, 1, 1, 1, 2, 2, 2],
        "cost": [0, 0, 0, 1, 1, 1, 0, 0, 0],
        "meets": [0, 0, 0, 1, 1, 1, 2, 2, 2],
        "name": [0, 0, 0, 1, 1, 1, 2, 2, 2],
        "run": [0] * 9,
    }
    found = {by: parts(flat, "families", rows, columns // 3, by).tolist() for by in ROWS}
    assert found["sense"] == [0, 0, 0, 1, 1, 1] and found["range"] == [0] * 6
    assert found["side"] == found["sense"] and found["rhs"] == [0, 1, 0, 2, 2, 2]
    assert found["length"] == [0, 1, 1, 0, 0, 0]
    some = parts(flat, "families", np.array([0, 1, 4]), columns // 3, "run")
    assert some.tolist() == [0, 0, 1]


def test_ids_stay_with_their_members() -> None:
    side = Classes.of(np.array([0, 1, 0, 2, 1, 3]), "g")
    merged = side.merged(["g3", "g0"])
    assert merged.members("g3").tolist() == [0, 2, 5] and merged.ids == ("g3", "g1", "g2")
    apart = merged.apart("g3", np.array([0, 1, 2]), ["g7", "g8"])
    assert {one: apart.members(one).tolist() for one in apart.ids} == {
        "g3": [0], "g1": [1, 4], "g7": [2], "g2": [3], "g8": [5],
    }  # fmt: skip
    assert apart.labels.tolist() == [0, 1, 2, 3, 1, 4]


PACKED = [f"{a}{b}" for a in (1, 2) for b in range(1, 5)]
"""Too few to be split unasked."""


def packed(folder: Path, names: list[str], apart: bool = False) -> Flat:
    """Amounts of each item and period, their indices packed; demand and a limit in two families."""
    x = [f"x{one}" for one in names]
    half = len(names) // 2
    rows = "".join(f" d{one}: x{one} >= {k + 3}\n" for k, one in enumerate(names[:half]))
    last = "late" if apart else "d"
    rows += "".join(f" {last}{one}: x{one} >= {k + 9}\n" for k, one in enumerate(names[half:]))
    model = f"Minimize\n obj: {' + '.join(x)}\nSubject To\n{rows}End\n"
    return flat_of(folder, model)


def test_an_index_is_split_and_joined(tmp_path: Path) -> None:
    flat = packed(tmp_path, PACKED)
    with session(tmp_path, flat) as opened:
        assert len(detail(opened, "g0")["index"]) == 1
        opened.edit({"kind": "index", "of": "g0", "place": 0, "digits": 1})
        opened.wait()
        assert opened.status()["exact"] and opened.status()["undo"] == "split an index"
        index = detail(opened, "g0")["index"]
        assert [one["count"] for one in index] == [2, 4] and index[0]["place"] == 0
        seen = edit(opened, kind="index", of="f0", place=0, digits=1)
        assert seen["status"]["exact"] and len(detail(opened, "f0")["index"]) == 2
        export_text = opened.result and opened.result.blueprint.groups[0].text
        assert export_text and "each `i` in" in export_text
        edit(opened, kind="index", of="g0", place=0)  # joined again
        assert opened.status()["exact"] and len(detail(opened, "g0")["index"]) == 1
    with session(tmp_path, flat) as opened:  # and it is kept
        assert len(detail(opened, "f0")["index"]) == 2
        opened.undo()
        opened.wait()
        assert len(detail(opened, "g0")["index"]) == 2


def test_indices_with_a_mark_between_them_are_joined(tmp_path: Path) -> None:
    flat = flat_of(tmp_path, LOCATION)
    with session(tmp_path, flat) as opened:
        place = next(one["id"] for one in overview(opened)["groups"] if one["name"] == "x")
        edit(opened, kind="index", of=place, place=0)
        assert opened.status()["exact"]
        (index,) = detail(opened, place)["index"]
        assert index["count"] == 6 and index["values"][0] == "1_1"


def test_an_edit_that_breaks_exactness_is_undone(tmp_path: Path) -> None:
    flat = packed(tmp_path, [str(k) for k in range(1, 13)])
    journal = tmp_path / "bench" / "edits.jsonl"
    with session(tmp_path, flat) as opened:
        edit(opened, kind="rename", of="g0", name="amount")
        before = overview(opened)
        after = edit(opened, kind="index", of="g0", place=0, digits=1)  # x1 would become x01
        assert "does not come back" in after["status"]["problem"]
        assert "undone" in after["status"]["problem"] and after["status"]["exact"]
        assert after["groups"] == before["groups"] and after["status"]["edits"] == 1
        after = edit(opened, kind="index", of="g0", place=7, digits=1)
        assert "no such index" in after["status"]["problem"] and after["status"]["edits"] == 1
        assert journal.read_text().count('"drop"') == 2
    with session(tmp_path, flat) as opened:
        assert overview(opened)["groups"] == before["groups"]


def test_a_split_is_suggested_with_its_gain_and_made_unasked_where_it_is_large(
    tmp_path: Path,
) -> None:
    with session(tmp_path, packed(tmp_path, PACKED)) as opened:
        first = overview(opened)["suggestions"][0]
        assert first["names"] == ["x"] and f"{first['bits']:.0f} bits less" in first["why"]
        assert 0 < first["bits"] < LEAST
        seen = edit(opened, **first["edit"])
        assert seen["status"]["exact"] and len(detail(opened, "g0")["index"]) == 2
        assert first["edit"] not in [one["edit"] for one in seen["suggestions"]]
    many = [f"{a:02d}{b:02d}" for a in range(1, 4) for b in range(1, 5)]
    folder = tmp_path / "many"
    folder.mkdir()
    flat = packed(folder, many)
    for _ in range(2):  # a session that goes on begins as it began
        with session(folder, flat) as opened:
            assert [len(detail(opened, one)["index"]) for one in ("g0", "f0")] == [2, 2]
            assert not overview(opened)["suggestions"]


def test_families_that_look_alike_are_suggested(tmp_path: Path) -> None:
    flat = packed(tmp_path, PACKED, apart=True)
    with session(tmp_path, flat) as opened:
        seen = overview(opened)
        assert len(seen["families"]) == 2
        (one,) = (one for one in seen["suggestions"] if one["of"][0].startswith("f"))
        assert sorted(one["names"]) == ["d", "late"] and "same signs in x" in one["why"]
        assert one["bits"] > 0 and one["why"].endswith(f"saves {one['bits']:.1f} bits")
        seen = edit(opened, kind="merge", of=one["of"])
        assert seen["status"]["exact"] and len(seen["families"]) == 1
        assert not [one for one in seen["suggestions"] if one["of"][0].startswith("f")]


def test_a_retelling_is_checked_and_exported(tmp_path: Path) -> None:
    with session(tmp_path) as opened:
        assert opened.lacking(LOTS_RETOLD) == []
        spoiled = LOTS_RETOLD.replace(" and goes up to {upper_x}", "")
        assert any("upper bound of `x`" in one for one in opened.lacking(spoiled))
        seen = edit(opened, kind="clause", part="whole", text=spoiled)
        assert any("the retelling: the upper bound" in one for one in seen["blueprint"]["faults"])
        with pytest.raises(UsageError, match="mend the text first"):
            opened.export()
        seen = edit(opened, kind="clause", part="whole", text=LOTS_RETOLD)
        assert not seen["blueprint"]["faults"] and seen["blueprint"]["retold"] == LOTS_RETOLD
        opened.export()
        opened.wait()
    told = read_artifact(tmp_path / "bench" / "instance").record.abstract_problem
    assert told == LOTS_RETOLD
