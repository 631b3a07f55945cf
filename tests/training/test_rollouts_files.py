import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ordojo.core.episode import TurnTokens
from ordojo.core.errors import DataError
from ordojo.core.trajectory import SCHEMA, Trajectory
from ordojo.training.rollouts.files import (
    TrajectoryFile,
    encode,
    read_provenance,
    read_trajectories,
)
from ordojo.training.rollouts.rollout import record, rollout
from tests.training.rollout_toys import small_work

WORK = small_work("gold", count=3, samples=1)

TOKENS = TurnTokens((1, 2), (3, 4), (-0.5, -0.25))


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "deep" / "some.jsonl"
    record(WORK, path)
    return path


def _lines(change: Callable[[list[bytes]], None]) -> Callable[[Path], None]:
    def apply(path: Path) -> None:
        lines = path.read_bytes().splitlines(keepends=True)
        change(lines)
        path.write_bytes(b"".join(lines))

    return apply


def _without(field: str, place: int) -> Callable[[Path], None]:
    def change(lines: list[bytes]) -> None:
        row = json.loads(lines[place])
        del row[field]
        lines[place] = json.dumps(row).encode() + b"\n"

    return _lines(change)


def _schema(lines: list[bytes]) -> None:
    row = json.loads(lines[0])
    row["trajectories"]["schema"] = 99
    lines[0] = json.dumps(row).encode() + b"\n"


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (_lines(lambda lines: lines.__setitem__(2, b"\x00\xff\n")), r":3 is not a"),
        (_lines(lambda lines: lines.__setitem__(2, b"[1]\n")), r":3 is not a"),
        (_lines(lambda lines: lines.append(lines[1])), r":5 .*a second time"),
        (_lines(lambda lines: lines.pop(0)), "first line is not their header"),
        (_lines(_schema), "another version of ordojo"),
        (_without("epoch", 1), r":2 is not a trajectory"),
    ],
)
def test_damage_is_refused_by_reader_and_writer(
    stored: Path, damage: Callable[[Path], None], sentence: str
) -> None:
    damage(stored)
    before = stored.read_bytes()
    with pytest.raises(DataError, match=sentence):
        list(read_trajectories(stored))
    with pytest.raises(DataError, match=sentence):
        record(WORK, stored)
    assert stored.read_bytes() == before


def test_a_row_that_lacks_its_turns_is_damage(stored: Path) -> None:
    _without("turns", 3)(stored)
    found = read_trajectories(stored)
    assert [next(found).id, next(found).id] == [i.id for i in WORK.instances[:2]]
    with pytest.raises(DataError, match=r":4 is not a trajectory"):
        next(found)


def test_a_torn_last_line_is_left_out(stored: Path) -> None:
    stored.write_bytes(stored.read_bytes()[:-10])
    assert len(list(read_trajectories(stored))) == 2


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [("seed", 4, "seed"), ("model", "other", "policy"), ("rule", "full", "rule")],
)
def test_another_rollout_is_not_mixed_in(
    stored: Path, field: str, value: object, said: str
) -> None:
    other = replace(WORK, provenance=replace(WORK.provenance, **{field: value}))  # type: ignore[arg-type]
    with pytest.raises(DataError, match=f"holds a rollout with another {said}"):
        record(other, stored)


def test_a_file_of_the_first_version_is_read_and_not_gone_on_with(tmp_path: Path) -> None:
    """It had other names, of a turn neither `stop` nor `max_tokens`, and one verdict."""
    before = (Path(__file__).parents[1] / "old/rollout.jsonl").read_bytes()
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(before)
    rows = [json.loads(row) for row in before.splitlines()]
    found = list(read_trajectories(path))
    assert found and len(found) == len(rows) - 1
    for row, one in zip(rows[1:], found, strict=True):
        assert (one.id, one.epoch, one.provenance.model) == (row["instance"], row["sample"], "toy")
        assert one.scores == row["scores"]
        assert {"rule": one.headline.rule, **one.headline.to_json()} == row["verdict"]
        for was, turn in zip(row["turns"], one.turns, strict=True):
            assert (was["completion"], was["fresh"]) == (turn.reply, turn.fresh)
            assert turn.tokens == (TOKENS if "tokens" in was else None)
        assert (
            Trajectory.from_json(json.loads(json.dumps(one.to_json())), provenance=one.provenance)
            == one
        )
    with pytest.raises(DataError, match="another schema"):
        TrajectoryFile(path, replace(found[0].provenance, schema=SCHEMA))
    assert path.read_bytes() == before


def test_all_of_a_turn_is_kept() -> None:
    (one,) = rollout(small_work(count=1, samples=1))
    known: Any = {"stop": "max_tokens", "max_tokens": 7, "fresh": False, "tokens": TOKENS}
    turns = tuple(replace(turn, **known) for turn in one.turns)
    one = replace(one, episode=replace(one.episode, turns=turns))
    row = json.loads(encode([one]))
    assert [name for name, told in row["verdicts"].items() if "metrics" in told] == ["rr@5"]
    again = Trajectory.from_json(row, provenance=one.provenance)
    assert again == one
    assert all(turn.cut for turn in again.turns)


def test_one_writer_at_a_time(stored: Path) -> None:
    with (
        TrajectoryFile(stored, WORK.provenance),
        pytest.raises(DataError, match="written by another process"),
    ):
        record(WORK, stored)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot read"):
        read_provenance(tmp_path / "absent.jsonl")
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(DataError, match="no header"):
        read_provenance(tmp_path / "empty.jsonl")
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="folder of"):
        record(WORK, tmp_path / "file" / "x.jsonl")
