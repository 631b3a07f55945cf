"""Scores against a truth, and partitions with names, without, and shuffled."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from perf.grouping import in_folder, round_trip_table, round_trips, score_table, scores
from perf.score import adjusted_rand, mangled, relation

from ordojo.structures import read_flat
from ordojo.structures.flat import NameBuffer
from ordojo.structures.grouping.features import meaningful, templates


def test_relations_and_index() -> None:
    truth = np.array([0, 0, 1, 1])
    assert relation(np.array([5, 5, 3, 3]), truth) == "same"
    assert relation(np.arange(4), truth) == "finer"
    assert relation(np.zeros(4, int), truth) == "coarser"
    assert relation(np.array([0, 1, 1, 0]), truth) == "crossing"
    assert adjusted_rand(truth, truth) == 1.0
    assert adjusted_rand(np.zeros(4, int), truth) == 0.0
    assert adjusted_rand(np.array([0, 0, 1, 2]), truth) == pytest.approx(4 / 7)


def test_templates() -> None:
    names = NameBuffer.of([b"x[1,2]", b"x[a]", b"flow_3_17", b"flow_44_5", b"y", b"x7"])
    label, spelled = templates(names)
    assert label.tolist() == [0, 0, 1, 1, 2, 3]
    assert spelled == [b"x[", b"flow_#_#", b"y", b"x#"]
    running = NameBuffer.of([b"C%d" % k for k in range(50)])
    assert not meaningful(*templates(running), running)
    telling = NameBuffer.of([b"x[%d]" % k for k in range(50)])
    assert meaningful(*templates(telling), telling)


def test_names_are_mangled_as_old_formats_do(tmp_path: Path) -> None:
    path = tmp_path / "toy.lp"
    path.write_text("Minimize\n obj: a + b + c + d\nSubject To\n r_1: a + b + c + d >= 1\nEnd\n")
    names = NameBuffer.of([b"flow[1,12]", b"flow[3,4]", b"transport_cost_1", b"transport_cost_2"])
    flat = replace(read_flat(path), cols=names)
    packed = [b"FLOW0112", b"FLOW0304", b"TRANSPORTCOST1", b"TRANSPORTCOST2"]
    assert mangled(flat, "packed").cols.to_list() == packed
    cut = [b"flow[1,1", b"flow[3,4", b"transpor", b"transpo3"]
    assert mangled(flat, "cut").cols.to_list() == cut


# fmt: off
QUICK = [
    "acc-tight2", "assign1-5-8", "enlight9", "flugplinf", "g200x740", "gt2",
    "k16x240b", "mad", "mc8", "p0201", "p200x1188c", "pigeon-08",
    "pk1", "r50x360", "ran12x21", "ran13x13", "swath1", "traininstance6",
]
# fmt: on


@pytest.mark.data
def test_published_truth_is_met() -> None:
    """Floors for a quick quarter of the 73 models."""
    folder = Path(os.environ["ORDOJO_DATA"]) / "mnl-mps"
    found = scores(in_folder(folder, QUICK))
    floors = {
        "names": (16, 16),
        "no names": (15, 14),
        "numbered": (15, 14),
        "shuffled": (15, 14),
        "cut": (16, 13),
        "packed": (16, 15),
    }
    for condition, (columns, rows) in floors.items():
        mine = [score for score in found if score.condition == condition]
        assert sum(score.columns == "same" for score in mine) >= columns, condition
        assert sum(score.rows == "same" for score in mine) >= rows, condition
    assert f"same of {len(QUICK)}" in score_table(found)
    assert "half 1" in score_table(found, halves=True)


@pytest.mark.data
def test_round_trip_table() -> None:
    folder = Path(os.environ["ORDOJO_DATA"]) / "mps"
    files = [folder / "afiro.mps.gz", folder / "edge" / "garbage.mps"]
    assert "1 exact, 1 refused, 0 not exact" in round_trip_table(round_trips(files))
