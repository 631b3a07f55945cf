"""Indices in names: words, packed numbers, and numbers that are none, as the structure tells."""

import itertools
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from ordojo.structures import Flat, abstract, check, partition, write
from ordojo.structures.abstraction.naming import packed_cuts
from ordojo.structures.formulation import formulate
from ordojo.structures.grouping.features import spellings as spelled
from ordojo.structures.grouping.features import unpadded, written
from ordojo.structures.grouping.split import added
from ordojo.structures.indices import LEAST, NameBuffer, packed, split_names, split_words

from .toys import flat_of


def names(texts: list[str]) -> NameBuffer:
    return NameBuffer.of([one.encode() for one in texts])


def lots(make: str, balance: str, products: Iterable[str | int] = "ABC", periods: int = 4) -> str:
    """Lot sizing whose names are patterns of product and period."""
    rows = []
    for p in products:
        for t in range(1, periods + 1):
            before = f" + s{make.format(p, t - 1)}" if t > 1 else ""
            here = make.format(p, t)
            rows.append(f" {balance.format(p, t)}: x{here}{before} - s{here} = {t + 3}")
    for t in range(1, periods + 1):
        rows.append(
            f" hours{t}: " + " + ".join(f"x{make.format(p, t)}" for p in products) + " <= 90"
        )
    cost = " + ".join(f"s{make.format(p, t)}" for p in products for t in range(1, periods + 1))
    return f"Minimize\n obj: {cost}\nSubject To\n" + "\n".join(rows) + "\nEnd\n"


def exact(flat: Flat, folder: Path) -> bool:
    write(abstract(flat), folder / "out")
    return check(folder / "out", flat).exact


@pytest.mark.parametrize("pattern", ["_{}_{}", "_{}_{:02d}", "_st{}_{}"])
def test_words_are_indices_of_one_group(tmp_path: Path, pattern: str) -> None:
    products = ["Oak", "Pine", "Elm"]
    flat = flat_of(tmp_path, lots(pattern, f"balance{pattern}", products))
    found = partition(flat)
    assert (found.groups.max() + 1, found.families.max() + 1) == (2, 2)
    scopes = {unit.name: unit.scope for unit in formulate(flat, abstract(flat)).spec.groups}
    assert all(len(scope.split(" in ")) == 3 for scope in scopes.values()), scopes
    assert exact(flat, tmp_path)


def test_words_of_what_is_linked_stay_two_statements(tmp_path: Path) -> None:
    rows = "".join(
        f" link_{word}_{k}: x{k} - {weight} y{k} <= 0\n"
        for k in range(1, 6)
        for word, weight in (("low", 1), ("high", 1))
    )
    flat = flat_of(tmp_path, f"Minimize\n obj: x1\nSubject To\n{rows}End\n")
    assert partition(flat).families.max() + 1 == 2


@pytest.mark.parametrize("name", ["use_{0}_{1}", "use_{1}_{0}"])
@pytest.mark.parametrize("left_out", ["", "corn pig"])
def test_two_words_are_an_index_where_all_pairs_are(
    tmp_path: Path, name: str, left_out: str
) -> None:
    pairs = [f"{grain} {feed}" for grain in ("corn", "soy", "bran") for feed in ("pig", "hen")]
    pairs = [pair for pair in pairs if pair != left_out]
    of = {one: name.format(*one.split()) for one in pairs}
    sums = [[of[p] for p in pairs if word in p.split()] for word in ("corn", "soy", "pig", "hen")]
    rows = "".join(f" R{k}: {' + '.join(one)} <= {k + 2}\n" for k, one in enumerate(sums))
    flat = flat_of(tmp_path, f"Minimize\n obj: {' + '.join(of.values())}\nSubject To\n{rows}End\n")
    assert bool(partition(flat).groups.any()) == bool(left_out)


def test_words_that_meet_otherwise_stay_apart(tmp_path: Path) -> None:
    rows = "".join(
        f" take_{word}_{k}: x{k} {'-' if word == 'Elm' else '+'} y{k} <= 4\n"
        for k in range(1, 6)
        for word in ("Oak", "Pine", "Elm")
    )
    flat = flat_of(tmp_path, f"Minimize\n obj: x1\nSubject To\n{rows}End\n")
    families = partition(flat).families
    assert families.tolist() == [0, 0, 1] * 5


def test_names_that_lie_are_told_by_what_they_meet(tmp_path: Path) -> None:
    """A placeholder's entry count is no index; where the counts are wrong, it is a name."""
    rows = "".join(f" c{k}: B0(2) + B{k}(1) + B{k + 1}(1) <= 1\n" for k in range(1, 9, 2))
    text = f"Minimize\n obj: B1(1)\nSubject To\n{rows}End\n".replace("B0(2)", "B0(4)")
    flat = flat_of(tmp_path, text)
    counts = np.diff(flat.starts)
    assert written(flat.cols, counts).all() and not written(flat.cols, counts + 1).any()
    assert partition(flat).groups.max() < 2
    (first, *_) = abstract(flat).groups
    assert first["names"].get("counts") and exact(flat, tmp_path)


def test_padding_is_no_part_of_a_name() -> None:
    told = names(["W.1", "W10", "CAP01...", "CAP12...", "x_1.5"])
    label, _ = unpadded(*spelled(told), told)
    assert label.tolist() == [0, 0, 1, 1, 2]


@pytest.mark.parametrize(
    ("texts", "cuts"),
    [
        ([f"X{a:02d}{b:02d}" for a in range(1, 9) for b in range(1, 17)], [(0, 2)]),
        ([f"Y{a}{b}{c:02d}" for a in (1, 2, 3) for b in (4, 5, 6, 7) for c in range(1, 13)],
         [(0, 2), (0, 1)]),
        ([f"R{k:04d}" for k in range(1, 200)], []),
        ([f"x{k}" for k in (8, 9, 10, 11)], []),
    ],
)  # fmt: skip
def test_packed_numbers_are_cut_where_that_is_shorter(
    texts: list[str], cuts: list[tuple[int, int]]
) -> None:
    parts = split_names(names(texts))
    assert parts
    found = packed(*parts)
    assert [one.cut for one in found] == cuts
    assert all(one.bits >= LEAST for one in found)


def test_words_end_where_digits_begin() -> None:
    symbols: dict[str, int] = {}
    told = names([f"X{k:03d}{letter}{n}" for k in range(4) for letter in "AB" for n in (7, 12)])
    found = split_words(told, symbols)
    assert found and found[0] == ["X", 3, -1, 0] and list(symbols) == ["A", "B"]
    assert [len(set(field.tolist())) for field in found[1]] == [4, 2, 2]


def crew(two: str, one: str, people: list[str]) -> str:
    """Overtime of each person, before who works on which day."""
    rows = [
        f" {one.format('hours', p)}: 5 {two.format(p, 'Mon')} + 7 {two.format(p, 'Tue')}"
        f" - {one.format('over', p)} <= 9"
        for p in people
    ]
    for day in ("Mon", "Tue"):
        works = " + ".join(two.format(p, day) for p in people)
        rows.append(f" {one.format('need', day)}: {works} >= 2")
    cost = " + ".join(one.format("over", p) for p in people)
    return f"Minimize\n obj: {cost}\nSubject To\n" + "\n".join(rows) + "\nEnd\n"


@pytest.mark.parametrize(
    ("two", "one", "first"),
    [
        ("x[{},{}]", "{}[{}]", "Ann"),
        ("x[{},{}]", "{}[{}]", "Ann_B"),
        ("x({}_{})", "{}({})", "Ann"),
        ("x_{}_{}", "{}_{}", "Ann"),
    ],
)
def test_words_of_one_index_are_those_of_two(
    tmp_path: Path, two: str, one: str, first: str
) -> None:
    flat = flat_of(tmp_path, crew(two, one, [first, "Ben", "Cid", "Dee", "Eva"]))
    spec = formulate(flat, abstract(flat)).spec
    scopes = [unit.scope.removeprefix("for ") for unit in (*spec.groups, *spec.families)]
    assert len(spec.sets) == 2
    assert sorted(scope.count(" in ") for scope in scopes) == [1, 1, 1, 2]
    assert exact(flat, tmp_path)


@pytest.mark.parametrize("name", ["x_('{}',_'{}')", "x[{},{}]", "x[{}][{}]"])
def test_a_key_in_brackets_is_whole(name: str) -> None:
    keys = [(a, b) for a in ("north_sea", "oslo") for b in ("a.1", "b 2")]
    symbols: dict[str, int] = {}
    found = split_words(names([name.format(*one) for one in keys]), symbols)
    assert found and len(found[1]) == 2 and set(symbols) == {one for key in keys for one in key}


def test_names_of_their_own_are_no_index() -> None:
    words = ["ape", "bee", "cow", "doe", "elk", "fox"]
    told = names([f"n_{one}" for one in words])
    assert split_words(told, {}) is None
    assert split_words(told, {one: k for k, one in enumerate(words)})


@pytest.mark.parametrize("name", ["input_{}_{}", "INPUT{}{:02d}", "INPUT{}{:02d}{}"])
def test_letters_of_loops_tell_what_is_linked(tmp_path: Path, name: str) -> None:
    axes = "XYZ" if name.count("{") == 3 else [""]
    rows = "".join(
        f" {name.format(letter, k, axis)}: z{k:02d}{axis} - x{(k * step) % 10:02d}{axis} <= 0\n"
        for letter, step in (("j" if "_" in name else "J", 3), ("k" if "_" in name else "K", 7))
        for k in range(10)
        for axis in axes
    )
    flat = flat_of(tmp_path, f"Maximize\n obj: z03{axes[0]}\nSubject To\n{rows}End\n")
    families = partition(flat).families.tolist()
    assert families == [0] * (len(families) // 2) + [1] * (len(families) // 2)


def test_packed_numbers_are_indices_of_their_own(tmp_path: Path) -> None:
    pattern = "{:02d}{:02d}"
    flat = flat_of(tmp_path, lots(pattern, f"PP{pattern}", range(1, 6), 9))
    groups, families = packed_cuts(flat, partition(flat))
    assert groups == {0: ((0, 2),), 1: ((0, 2),)} and families == {0: ((0, 2),)}
    terms = abstract(flat).terms
    assert {one["relation"]["kind"] for one in terms} == {"join"}
    assert abstract(flat, cuts=({}, {})).tables.numbers() > abstract(flat).tables.numbers()
    assert exact(flat, tmp_path)


def test_a_running_number_is_no_index_where_columns_have_two(tmp_path: Path) -> None:
    pairs = [(t, i) for t in range(1, 6) for i in range(1, 4)]
    rows = "".join(f" setup_{k}: x_{t}_{i} - 9 y_{t}_{i} <= 0\n" for k, (t, i) in enumerate(pairs))
    rows += "".join(
        f" hours_{t}: " + " + ".join(f"x_{t}_{i}" for i in range(1, 4)) + " <= 5\n"
        for t in range(1, 6)
    )
    flat = flat_of(tmp_path, f"Minimize\n obj: x_1_1\nSubject To\n{rows}End\n")
    setup, hours = formulate(flat, abstract(flat)).spec.families
    assert len(setup.scope.split(" in ")) == 3 and len(hours.scope.split(" in ")) == 2
    assert exact(flat, tmp_path)


def test_rows_without_names_are_apart_by_what_they_sum(tmp_path: Path) -> None:
    """A Latin square: each cell, each row and each column of it has one of each."""
    span = range(1, 5)
    sums = [
        *([f"x_{v}_{r}_{c}" for v in span] for r in span for c in span),
        *([f"x_{v}_{r}_{c}" for r in span] for v in span for c in span),
        *([f"x_{v}_{r}_{c}" for c in span] for v in span for r in span),
    ]
    rows = "".join(f" R{k}: {' + '.join(one)} = 1\n" for k, one in enumerate(sums))
    flat = flat_of(tmp_path, f"Minimize\n obj: x_1_1_1 + z\nSubject To\n{rows} z: z >= 1\nEnd\n")
    families = partition(flat).families
    assert [len(set(families[k : k + 16].tolist())) for k in (0, 16, 32)] == [1, 1, 1]
    assert len(set(families.tolist())) == 4


def test_a_sum_over_what_has_one_value_is_with_the_others(tmp_path: Path) -> None:
    """The first lecture has one room only: its row is a sum over rooms all the same."""
    rooms = {lecture: range(1, 2 if lecture == 1 else 4) for lecture in range(1, 7)}
    sums = [[f"x_{k}_{r}_{t}" for r in rooms[k]] for k in rooms for t in (1, 2)]
    sums += [[f"x_{k}_{r}_{t}" for k in rooms if r in rooms[k]] for r in rooms[2] for t in (1, 2)]
    rows = "".join(f" _C{k}: {' + '.join(one)} <= 1\n" for k, one in enumerate(sums))
    flat = flat_of(tmp_path, f"Minimize\n obj: x_1_1_1\nSubject To\n{rows}End\n")
    assert partition(flat).families.tolist() == [0] * 12 + [1] * 6


@pytest.mark.parametrize("loose", [False, True])
def test_rows_without_names_are_apart_by_what_they_bound(tmp_path: Path, loose: bool) -> None:
    """Unless a row of theirs bounds nothing: then it may be of either."""
    big, rows = [150, 90, 40, 8], list[str]()
    for p, t in itertools.product((1, 2), range(1, 5)):
        carried = f" - {big[t - 1]} z_{p}_{t}" if t > 1 else ""
        rows.append(f"x_{p}_{t} - {big[t - 1]} y_{p}_{t}{carried} <= 0")
    for p, t in itertools.product((1, 2), range(2, 5)):
        carried = f" - z_{p}_{t - 1}" if t > 2 else ""
        rows.append(f"z_{p}_{t} - y_{p}_{t - 1}{carried} <= 0")
    rows += ["- y_1_4 - z_1_4 <= 0"] * loose
    told = "".join(f" _C{k}: {row}\n" for k, row in enumerate(rows))
    cost = " + ".join(f"5 y_{p}_{t} - 3 x_{p}_{t}" for p in (1, 2) for t in range(1, 5))
    flat = flat_of(tmp_path, f"Minimize\n obj: {cost}\nSubject To\n{told}End\n")
    ways = added(flat, spelled(flat.cols)[0], np.zeros(flat.m, np.int64))
    assert len(set(ways.tolist())) == (1 if loose else 2)
    if not loose:
        assert partition(flat).families.tolist() == [0] * 8 + [1] * 6


@pytest.mark.parametrize("rows", [" only: x_A_1 + x_B_1 >= 1\n", ""])
def test_one_row_or_none(tmp_path: Path, rows: str) -> None:
    flat = flat_of(tmp_path, f"Minimize\n obj: x_A_1 + x_B_1\nSubject To\n{rows}End\n")
    assert partition(flat).groups.tolist() == [0, 0]
    assert exact(flat, tmp_path)


def test_no_pattern_is_left_as_it_is(tmp_path: Path) -> None:
    words = ["ape", "bee", "cow", "doe", "elk", "fox"]
    rows = "".join(f" {word}s: {word} + 2 {words[k - 1]} >= 1\n" for k, word in enumerate(words))
    flat = flat_of(tmp_path, f"Minimize\n obj: ape\nSubject To\n{rows}End\n")
    assert packed_cuts(flat, partition(flat)) == ({}, {})
    assert exact(flat, tmp_path)
