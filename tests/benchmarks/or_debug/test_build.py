"""`build`: files, mix, report, and the same bytes whatever the number of processes."""

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ordojo.benchmarks.or_debug import build as building
from ordojo.benchmarks.or_debug import schema
from ordojo.benchmarks.or_debug.build import (
    Tally,
    build,
    kind_of,
    load_set,
    phase_rates,
    produce_all,
    through,
)
from ordojo.benchmarks.or_debug.certificate import verify
from ordojo.benchmarks.or_debug.injection.generate import GeneratedProblem, generate, produce
from ordojo.benchmarks.or_debug.published import BASIC, GROUPS, ROBUST
from ordojo.benchmarks.or_debug.schema import LIBRARY, TYPES, Debugging, content_key, make_instance
from ordojo.core.errors import DataError, GeneratorError, UsageError
from ordojo.core.instance import to_row
from ordojo.core.spread import HERE, Place
from tests.benchmarks.or_debug.made import fitted_to_all

SOON = "ABC"
"""The first types of a pool."""

QUICK = "FI"
"""Types that are made in no time."""

SEED = 6
"""Of its pool the first problems of types A, C and D are made soon, too."""


def pool(path: Path, n: int, seed: int, processes: int = 1) -> list[str]:
    return list(build(path, n, seed, place=Place("processes", processes), basic_sample=3))


class Built(NamedTuple):
    """One build: its file, what it said, what it counted, and what it made."""

    path: Path
    lines: list[str]
    tally: Tally
    made: dict[int, GeneratedProblem]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Built:
    path = tmp_path_factory.mktemp("built") / "some.jsonl"
    tallies: list[Tally] = []
    made: dict[int, GeneratedProblem] = {}

    def kept(split: str, seed: int, index: int, *more: Any, **options: Any) -> GeneratedProblem:
        made[index] = produce(split, seed, index, *more, **options)
        return made[index]

    def counting() -> Tally:
        tallies.append(Tally())
        return tallies[-1]

    with pytest.MonkeyPatch.context() as patch, fitted_to_all():  # as in other processes
        patch.setattr(building, "produce", kept)
        patch.setattr(building, "Tally", counting)
        lines = pool(path, 9, SEED)
    return Built(path, lines, tallies[0], made)


@pytest.fixture(scope="module")
def built(whole: Built) -> Path:
    return whole.path


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def problems(path: Path) -> list[Debugging]:
    return [instance.problem for instance in schema.read_file(path)]


def test_the_same_seed_gives_the_same_bytes_with_one_process_or_two(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = built.read_bytes().splitlines(keepends=True)[: len(SOON)]
    monkeypatch.setattr(building, "FEW", 1)  # or two processes were never begun
    pool(tmp_path / "two.jsonl", len(some), SEED, processes=2)
    assert (tmp_path / "two.jsonl").read_bytes() == b"".join(some)


def test_seeds_and_splits_share_no_item(built: Path) -> None:
    parts = [
        problems(built),
        *(
            [generate(split, seed, 0, kind) for kind in QUICK]
            for split, seed in (("pool", 8), ("train", 7), ("rl", 7), ("eval", 7))
        ),
        *([one.problem for one in load_set(name)] for name in ("eval", "eval-v1", LIBRARY)),
    ]
    keys = [content_key(problem) for part in parts for problem in part]
    assert len(set(keys)) == len(keys) == 9 + 4 * len(QUICK) + 2 * 450 + 180


def test_all_nine_types_take_turns(built: Path) -> None:
    assert Counter(p.type for p in problems(built)) == dict.fromkeys(TYPES, 1)
    mix = Counter(kind_of(i) for i in range(5000))
    for group, share in GROUPS.items():
        assert sum(mix[kind] for kind in group) / 50 == pytest.approx(share, abs=1)
    assert Counter(kind_of(i) for i in range(450)) == dict.fromkeys(TYPES, 50)


def test_what_is_built_is_read_back_and_verified(built: Path) -> None:
    for instance in schema.read_file(built):
        verify(instance)
        assert instance.labels["split"] == "pool" and instance.problem.split == "pool"


def test_without_a_number_the_splits_make_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "SPLITS", {"train": 2, "rl": 1, "eval": 3})
    lines = list(build(tmp_path, None, 25, ("train", "rl", "eval"), HERE, 1))
    sizes = {path.name: len(rows(path)) for path in sorted(tmp_path.iterdir())}
    assert sizes == {"eval.jsonl": 3, "rl.jsonl": 1, "train.jsonl": 2}
    assert [p.type for p in problems(tmp_path / "eval.jsonl")] == list(TYPES)[:3]
    assert lines[0] == f"{tmp_path / 'train.jsonl'}: 2 problems"
    list(build(tmp_path / "one", None, 25, ("rl",), HERE, 1))
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["rl.jsonl"]
    same = (tmp_path / "one" / "rl.jsonl").read_bytes()
    assert same == (tmp_path / "rl.jsonl").read_bytes()


def test_the_report_sets_rates_beside_the_papers(whole: Built) -> None:
    lines = whole.lines
    assert lines[0] == f"{whole.path}: 9 problems"
    assert re.fullmatch(r"9 problems built and validated in [\d.]+ s, \d+ a second", lines[1])
    for kind, title in TYPES.items():
        line = next(line for line in lines if line.startswith(f"  {kind} {title}: "))
        assert f"[{ROBUST[kind]}%]" in line
        assert f"[{BASIC[kind]}%]" in line and line.count("[") == 7
    assert any(line.startswith("regenerations (table 23): 0: ") for line in lines)
    assert any("rows [9.9]" in line and "IIS" in line for line in lines)
    mix = next(line for line in lines if line.startswith("mix"))
    assert mix.endswith("A-D 44% [44%], E-G 33% [33%], H-I 22% [22%]")


def test_rates_follow_from_the_attempts(whole: Built) -> None:
    passed = Counter({5: 4, 4: 2, 3: 1, 2: 1, 1: 2})
    assert (through(passed, 4), through(passed, 5)) == (0.6, 0.4)
    assert phase_rates(passed) == pytest.approx([1.0, 0.8, 7 / 8, 6 / 7])
    assert str(phase_rates(Counter({0: 2}))) == "[0.0, nan, nan, nan]"
    assert str(through({}, 4)) == "nan"
    attempts = whole.tally.attempts
    assert attempts.keys() == TYPES.keys()
    assert all(counts[5] == 1 for counts in attempts.values())


@pytest.mark.parametrize(
    ("out", "n", "splits", "said"),
    [
        ("folder", 5, ("eval",), "name ending in .jsonl"),
        ("x.jsonl", None, ("eval",), "add `n`"),
        ("x.jsonl", 0, ("eval",), "ask for 1 or more"),
        ("folder", None, ("dev",), "no split 'dev'"),
    ],
)
def test_bad_requests_are_usage_errors(
    tmp_path: Path, out: str, n: int | None, splits: tuple[str, ...], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        list(build(tmp_path / out, n, 1, splits))
    assert not list(tmp_path.iterdir())


def test_a_build_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = next(produce_all("pool", 1, 1))
    monkeypatch.setattr(building, "produce", lambda *args, **options: made)
    with pytest.raises(GeneratorError, match="there already"):
        list(build(tmp_path / "x.jsonl", 2, 1))
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot write"):
        list(build(tmp_path / "file" / "x.jsonl", 1, 1))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_instance_reads_back_as_it_was_made(built: Path) -> None:
    text = built.read_text("utf-8")
    instances = schema.read_text(text.splitlines())
    assert instances == schema.read_file(built)
    for instance, row in zip(instances, rows(built), strict=True):
        again = make_instance(instance.problem, {"highs": "1.15.1"})
        assert again.content_hash == instance.content_hash == row["content_hash"]
        assert to_row(instance).keys() == row.keys()


CHANGES: dict[str, Any] = {
    "version is '9'": lambda row: row.update(version="9"),
    "lacks 'problem'": lambda row: row.pop("problem"),
    "problem lacks 'fix'": lambda row: row["problem"].pop("fix"),
    "problem has 'extra'": lambda row: row["problem"].update(extra=1),
    "type is 'Z'": lambda row: row["problem"].update(type="Z"),
    "text is 5, it must be text": lambda row: row["problem"].update(text=5),
    "index is -1": lambda row: row["problem"].update(index=-1),
    "index is True": lambda row: row["problem"].update(index=True),
    "objective is 'x'": lambda row: row["problem"].update(objective="x"),
    "objective is too large": lambda row: row["problem"].update(objective=10**400),
    "targets must be a list": lambda row: row["problem"].update(targets="c1"),
    "fix must be a list": lambda row: row["problem"].update(fix=[1]),
    "original is 5, it must be an object": lambda row: row["problem"].update(original=5),
    "sabotaged: not a model": lambda row: row["problem"]["sabotaged"].pop("rows"),
    "id is 'y', this problem's is": lambda row: row.update(id="y"),
    "lacks 'solvers'": lambda row: row["certificate"]["data"].pop("solvers"),
    "certificate is \\[\\], it must be an object": lambda row: row.update(certificate=[]),
    "benchmark is 'orqa'": lambda row: row.update(benchmark="orqa"),
}


@pytest.mark.parametrize("said", CHANGES)
def test_a_damaged_row_is_refused_by_field_and_line(built: Path, tmp_path: Path, said: str) -> None:
    found = rows(built)[:3]
    CHANGES[said](found[1])
    path = tmp_path / "damaged.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in found), "utf-8")
    with pytest.raises(DataError, match=rf"damaged\.jsonl:2.*{said}"):
        schema.read_file(path)
    with pytest.raises(DataError, match=f"line 2: {said}"):
        schema.read_text(path.read_text("utf-8").splitlines())


def test_a_row_that_stands_twice_is_refused(built: Path) -> None:
    line = built.read_text("utf-8").splitlines()[0]
    with pytest.raises(DataError, match=r"line 3: id .* twice"):
        schema.read_text([line, "", line])


def test_a_model_tells_each_in_its_own_words_and_what_loses_a_fact_is_kept(
    whole: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def teller(prompt: str, **settings: Any) -> str:
        brief = prompt.rpartition("\n\n")[2]
        return f"As I said: {brief}" if "A farm" in brief else "I would rather not."

    path = tmp_path / "told.jsonl"
    monkeypatch.setattr(building, "produce", lambda split, seed, index, *_, **__: whole.made[index])
    lines = list(build(path, 9, SEED, basic_sample=1, anew=teller))
    before, after = problems(whole.path), problems(path)
    told = [one for one in after if one.text.startswith("As I said: ")]
    assert [replace(one, text="") for one in after] == [replace(one, text="") for one in before]
    assert told and len(told) < 9 and all("A farm" in one.text for one in told)
    assert f"told anew by the model: {len(told)} of 9" in lines
    refused = next(line for line in lines if "keeps its own text" in line)
    assert re.search(r"[A-I] \d+ keeps its own text: the figure [\d.]+ is missing; ", refused)
    for instance in schema.read_file(path)[:3]:
        verify(instance)
