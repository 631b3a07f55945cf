"""Groups and families of models without names: borders stay, twins and halves come apart."""

import itertools
import random
import re
from dataclasses import replace

import numpy as np
import pytest
from perf.score import relation, shuffled
from scipy.sparse import csc_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components

from ordojo.structures.arrays import begins, commonest, connected, distinct, numbered, ordered
from ordojo.structures.flat import Flat, Ints, NameBuffer
from ordojo.structures.grouping import choose, partition
from ordojo.structures.grouping.choose import mixture
from ordojo.structures.grouping.features import meetings, spellings, templates, untruncated

Row = tuple[str, str, dict[str, float], float]


def model(rows: list[Row], whole: str = "") -> tuple[Flat, Ints, Ints]:
    """A model with no telling names, and its groups and families; columns are `group,index`.

    A row is (family, sense, coefficients by column, right-hand side); groups in `whole` are binary.
    """
    cols = list(dict.fromkeys(col for row in rows for col in row[2]))
    cols.sort(key=lambda col: col.split(",")[0])
    place = {col: k for k, col in enumerate(cols)}
    entries = [
        (k, place[col], value) for k, row in enumerate(rows) for col, value in row[2].items()
    ]
    row, col, value = (np.array(part) for part in zip(*entries, strict=True))
    matrix = csc_matrix((value.astype(float), (row, col)), (len(rows), len(cols)))
    matrix.sort_indices()
    binary = np.array([name.split(",")[0] in whole.split() for name in cols])
    flat = Flat(
        name=b"",
        maximize=False,
        objective_name=b"cost",
        objective=np.ones(len(cols)),
        offset=0.0,
        cols=NameBuffer.of([b"C%d" % k for k in range(len(cols))]),
        lower=np.zeros(len(cols)),
        upper=np.where(binary, 1.0, np.inf),
        types=binary.astype(np.uint8),
        rows=NameBuffer.of([b"R%d" % k for k in range(len(rows))]),
        senses=np.array([ord(row[1]) for row in rows], np.uint8),
        rhs=np.array([row[3] for row in rows]),
        ranges=np.full(len(rows), np.nan),
        starts=matrix.indptr.astype(np.int64),
        index=matrix.indices.astype(np.int32),
        value=matrix.data,
    )
    groups = np.unique([name.split(",")[0] for name in cols], return_inverse=True)[1]
    families = np.unique([row[0] for row in rows], return_inverse=True)[1]
    return flat, groups.astype(np.int64), families.astype(np.int64)


def inventory(periods: int = 200) -> list[Row]:
    """Production and stock, the first stock missing, and a set-up for each period."""
    rows: list[Row] = []
    for t in range(periods):
        terms = {f"make,{t}": 1.0, f"stock,{t}": -1.0}
        if t:
            terms[f"stock,{t - 1}"] = 1.0
        rows.append(("balance", "E", terms, 5.0 + t % 3))
    rows += [
        ("capacity", "L", {f"make,{t}": 1.0, f"setup,{t}": -40.0}, 0.0) for t in range(periods)
    ]
    return rows


def goals(count: int = 10) -> list[Row]:
    """Weighted sums of 30 choices that may fall short or go beyond."""
    weights = np.random.default_rng(3).integers(2, 50, (count, 30))
    return [
        (
            "goal",
            "E",
            {
                **{f"choose,{j}": float(weights[k, j]) for j in range(30)},
                f"over,{k}": -1.0,
                f"under,{k}": 1.0,
            },
            600.0,
        )
        for k in range(count)
    ]


def assignment(size: int = 6) -> list[Row]:
    """Each row once, each column once, both as equations."""
    ways = ("each", lambda i, j: f"x,{i},{j}"), ("once", lambda i, j: f"x,{j},{i}")
    return [
        (family, "E", {name(i, j): 1.0 for j in range(size)}, 1.0)
        for family, name in ways
        for i in range(size)
    ]


def tour(cities: int = 7) -> list[Row]:
    """Two edges at each city: each column twice, but one statement."""
    edges = list(itertools.combinations(range(cities), 2))
    return [
        ("degree", "E", {f"x,{a},{b}": 1.0 for a, b in edges if c in (a, b)}, 2.0)
        for c in range(cities)
    ]


def products(count: int = 14) -> list[Row]:
    """z <= x_i and z <= x_j in turns for every pair, and a budget."""
    rows: list[Row] = []
    for i, j in itertools.combinations(range(count), 2):
        rows += [
            (f"below {side}", "L", {f"z,{i},{j}": 1.0, f"x,{k}": -1.0}, 0.0)
            for side, k in (("first", i), ("second", j))
        ]
    return [*rows, ("budget", "L", {f"x,{k}": 2.0 + k % 4 for k in range(count)}, 9.0)]


@pytest.mark.parametrize(
    ("rows", "whole"),
    [
        (inventory(), "setup"),
        (goals(), "choose"),
        (assignment(), "x"),
        (tour(), "x"),
        (products(), "x z"),
    ],
    ids=["inventory", "goals", "assignment", "tour", "products"],
)
def test_statements_are_found(rows: list[Row], whole: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By merging, as in a large model; and by the search but for what comes in twos."""
    flat, groups, families = model(rows, whole)
    found = partition(flat)
    assert relation(found.groups, groups) == "same"
    assert relation(found.families, families) == ("coarser" if len(rows) == 183 else "same")
    assert not found.cols_named
    assert not found.rows_named
    monkeypatch.setattr(choose, "SEARCHED", 0)
    merged = partition(flat)
    assert relation(merged.groups, groups) == "same"
    assert relation(merged.families, families) == "same"


@pytest.mark.parametrize("rows", [inventory(), goals(), assignment(), tour()])
def test_order_does_not_matter(rows: list[Row]) -> None:
    flat, groups, families = model(rows, "setup choose x")
    for seed in range(3):
        mixed, cols, places = shuffled(flat, seed)
        found = partition(mixed)
        assert relation(found.groups, groups[cols]) == "same"
        assert relation(found.families, families[places]) == "same"


def test_what_only_the_order_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "SEARCHED", 0)
    flat, _, families = model(products(), "x z")
    mixed, _, places = shuffled(flat, 1)
    assert relation(partition(mixed).families, families[places]) == "coarser"


def placement(count: int = 9) -> list[Row]:
    """Boxes on a line: of two that are loaded, either is before the other."""
    rows: list[Row] = [
        ("inside", "L", {f"at,{k}": 1.0, f"x,{k}": 3.0 + k % 2}, 20.0) for k in range(count)
    ]
    for i, j in itertools.permutations(range(count), 2):
        z = f"z,{i},{j}"
        rows += [(f"below {k == i}", "L", {z: 1.0, f"x,{k}": -1.0}, 0.0) for k in (i, j)]
        rows.append(("apart", "L", {f"at,{i}": 1.0, f"at,{j}": -1.0, z: 20.0}, 17.0))
    return rows


@pytest.mark.parametrize("searched", [0, choose.SEARCHED])
def test_what_columns_meet_elsewhere_tells_halves(
    searched: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No way of merging sees it: which x is in the row of the `at` that is before."""
    monkeypatch.setattr(choose, "SEARCHED", searched)
    flat, groups, families = model(placement(), "x z")
    for seed in range(3):
        mixed, cols, places = shuffled(flat, seed)
        found = partition(mixed)
        assert relation(found.groups, groups[cols]) == "same"
        assert relation(found.families, families[places]) == "same"


def test_neighbours_in_turns_are_one_statement() -> None:
    """A day and the next, for each crew and round the clock: every other row is no statement."""
    rows: list[Row] = [
        ("rest", "L", {f"x,{i},{t}": 1.0, f"x,{i},{(t + 1) % 14}": 1.0}, 1.0)
        for i in range(6)
        for t in range(14)
    ]
    rows += [("staff", "G", {f"x,{i},{t}": 1.0 for i in range(6)}, 2.0) for t in range(14)]
    flat, _, families = model(rows, "x")
    assert relation(partition(flat).families, families) == "same"


def test_fixed_columns_stay_with_theirs() -> None:
    """Two stocks fixed by rows, as long as all others, and the rows a family of their own."""
    rows = [*inventory(), *(("fix", "E", {f"stock,{t}": 1.0}, 0.0) for t in (99, 199))]
    flat, groups, families = model(rows, "setup")
    found = partition(flat)
    assert relation(found.groups, groups) == "same"
    assert relation(found.families, families) == "same"


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("kind", ["binary", "general"])
def test_fixing_an_integer_takes_it_out_of_no_group(kind: str, named: bool) -> None:
    """Fixed to 0 or 1 it may be of either kind; it is what the others of its statement are."""
    rows: list[Row] = [
        ("gate", "L", {f"send,{i},{j}": 1.0 for j in range(6)} | {f"open,{i}": -40.0}, 0.0)
        for i in range(8)
    ]
    rows += [("need", "G", {f"send,{i},{j}": 1.0 for i in range(8)}, 9.0) for j in range(6)]
    rows += [("some", "G", {f"crew,{i}": 1.0, f"open,{i}": -1.0}, 0.0) for i in range(8)]
    flat, groups, _ = model(rows, "open crew")
    if kind == "general":
        flat = replace(flat, upper=np.where(groups == 0, 5.0, flat.upper))
    of = np.flatnonzero(groups == (0 if kind == "general" else 1))
    lower, upper = flat.lower.copy(), flat.upper.copy()
    lower[of[2]] = upper[of[2]] = 1.0
    upper[of[5]] = 0.0
    names = [b"%s[%d]" % (b"cos"[g : g + 1], k) for k, g in enumerate(groups.tolist())]
    cols = NameBuffer.of(names) if named else flat.cols
    found = partition(replace(flat, lower=lower, upper=upper, cols=cols))
    assert relation(found.groups, groups) == "same"


def test_a_first_period_told_on_its_own_leaves_words_together() -> None:
    """`STOREJAN1` meets the first balance, `STOREFEB1` two others, and so on to the end."""
    months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN"]
    rows: list[Row] = []
    for t, month in enumerate(months):
        for i in range(1, 8):
            row = {f"MAKE,{month}{i}": 1.0, f"SELL,{month}{i}": -1.0, f"STORE,{month}{i}": -1.0}
            if t:
                row[f"STORE,{months[t - 1]}{i}"] = 1.0
            rows.append(("BALANCE" if t else "START", "E", row, 0.0))
        rows.append(("TIME", "L", {f"MAKE,{month}{i}": 1.0 + i for i in range(1, 8)}, 99.0))
    flat, groups, families = model(rows)
    cols = list(dict.fromkeys(col for row in rows for col in row[2]))
    cols.sort(key=lambda col: col.split(",")[0])
    flat = replace(
        flat,
        cols=NameBuffer.of([col.replace(",", "").encode() for col in cols]),
        rows=NameBuffer.of(
            [
                b"%s%d%s" % (row[0].encode(), k % 8, months[k // 8].encode())
                for k, row in enumerate(rows)
            ]
        ),
    )
    found = partition(flat)
    assert relation(found.groups, groups) == "same"
    assert relation(found.families, families) == "same"


def test_two_words_are_an_index_where_others_have_them_inside() -> None:
    """`PLANTNORTH` and `PLANTSOUTH` over `SENDNORTHOSLO`, ...; not `PLANTLEAST` and `PLANTMOST`."""
    towns = ["OSLO", "BERN", "ROME", "KYIV"]
    for ends, same in ((("NORTH", "SOUTH"), "same"), (("LEAST", "MOST"), "finer")):
        sent = {end: {f"SEND,{where}{town}": 1.0 for town in towns}
                for end, where in zip(ends, ("NORTH", "SOUTH"), strict=True)}  # fmt: skip
        rows: list[Row] = [("PLANT", "L", sent[end], 90.0) for end in ends]
        rows += [
            ("NEED", "G", {f"SEND,{w}{town}": 1.0 for w in ("NORTH", "SOUTH")}, 9.0)
            for town in towns
        ]
        flat, groups, families = model(rows)
        cols = [b"SEND" + (w + town).encode() for w in ("NORTH", "SOUTH") for town in towns]
        names = [f"PLANT{end}".encode() for end in ends] + [f"NEED{t}".encode() for t in towns]
        told = replace(flat, cols=NameBuffer.of(cols), rows=NameBuffer.of(names))
        found = partition(told)
        assert relation(found.families, families) == same
        # Where the plants' rows are two statements, so may be what is sent from each.
        assert relation(found.groups, groups) in ("same", same)


def test_two_lengths_are_two_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "SEARCHED", 0)
    members = [range(k * 10, k * 10 + 10) for k in range(2)]
    members += [range(20 + k * 40, 60 + k * 40) for k in range(5)]
    rows: list[Row] = [
        ("short" if len(mine) == 10 else "long", "E", {f"x,{j}": 1.0 for j in mine}, 1.0)
        for mine in members
    ]
    rows += [("pair", "L", {f"x,{j}": 1.0, f"x,{j + 1}": 1.0}, 1.0) for j in range(0, 220, 3)]
    rows = [row for row in rows if all(int(name[2:]) < 220 for name in row[2])]
    flat, groups, families = model(rows, "x")
    found = partition(flat)
    assert relation(found.groups, groups) == "same"
    assert relation(found.families, families) == "same"


def test_named_sides_are_left_alone() -> None:
    flat, groups, _ = model(goals(), "choose")
    names = [b"%s[%d]" % (b"abc"[g : g + 1], k) for k, g in enumerate(groups)]
    named = Flat(**{**vars(flat), "cols": NameBuffer.of(names)})
    found = partition(named)
    assert found.cols_named
    assert not found.rows_named
    assert relation(found.groups, groups) == "same"


def test_nothing_to_meet() -> None:
    flat, _, _ = model(tour(), "x")
    empty = Flat(
        **{
            **vars(flat),
            "starts": np.zeros(flat.n + 1, np.int64),
            "index": np.zeros(0, np.int32),
            "value": np.zeros(0),
        }
    )
    assert partition(empty).groups.tolist() == [0] * flat.n


def test_meetings_count_signs_sizes_and_repeats() -> None:
    rows: list[Row] = [
        ("a", "L", {"x,0": 1.0, "x,1": 1.0, "y,0": -2.0}, 0.0),
        ("a", "L", {"x,1": -1.0, "y,1": 1.0}, 0.0),
    ]
    flat, groups, _ = model(rows)
    seen, odd, many = meetings(flat, "rows", groups)
    # x plus, x minus, y plus, y minus
    assert seen.tolist() == [[True, False, False, True], [False, True, True, False]]
    assert odd.tolist() == [[True], [False]]
    assert many.tolist() == [[True], [False]]


def test_mixture_grows_slowly() -> None:
    ten, hundred, million = mixture(np.array([10.0, 100.0, 1e6]), np.array([5.0, 50.0, 5e5]))
    assert 0 < ten < hundred < million < 6 * ten
    assert mixture(np.array([7.0, 7.0]), np.array([0.0, 7.0])).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("high", [3, 900, 1 << 17, 1 << 62])
def test_whole_numbers_are_sorted_and_counted(high: int) -> None:
    keys = np.random.default_rng(3).integers(0, high, 1000)
    assert np.array_equal(ordered(keys), np.argsort(keys, kind="stable"))
    values, first, counts = np.unique(keys - 7, return_index=True, return_counts=True)
    assert np.array_equal(distinct(keys - 7), values)
    most = int(np.argmax(counts))
    assert commonest(keys - 7) == (values[most], counts[most])
    rank = np.argsort(np.argsort(first))
    assert np.array_equal(numbered(keys - 7), rank[np.searchsorted(values, keys - 7)])
    assert not any(len(count(keys[:0])) for count in (ordered, distinct, numbered))


def test_matrices_are_turned_and_parts_found_as_scipy_does() -> None:
    for seed, many in enumerate((0, 1, 40, 90, 400)):
        one, other = np.random.default_rng(seed).integers(0, 100, (2, many))
        pairs = csr_matrix((np.ones(many), (one, other)), (100, 100))
        parts = connected_components(pairs, directed=False)[1]
        assert np.array_equal(connected(one, other, 100), parts)
    rows = csc_matrix((np.arange(400), other, begins(np.sort(one), 100)), (100, 100)).tocsr()
    assert np.array_equal(ordered(other), rows.data)
    assert np.array_equal(begins(other, 100), rows.indptr)
    path = np.random.default_rng(3).permutation(1000)
    assert not connected(path[1:], path[:-1], 1000).any()


def spelled(name: str, literal: bool) -> str:
    bracket = re.search(r"[\[({]", name)
    text = name[: bracket.end()] if bracket else name
    word = re.match(r"[A-Za-z][A-Za-z0-9]*(?=.*?[\[({]|[^A-Za-z0-9]+.*?[A-Za-z0-9])", text)
    kept = word.end() if word and literal else 0
    return text[:kept] + re.sub(r"[0-9]+", "#", text[kept:])


@pytest.mark.parametrize("letters", ["x1_", "xy12_[", "ab12_[({,])"])
def test_templates_are_those_of_one_name_at_a_time(letters: str) -> None:
    draw = random.Random(3)
    for most in (3, 4, 6, 9):
        names = ["".join(draw.choices(letters, k=draw.randint(1, most))) for _ in range(60)]
        expected = [spelled(name, True) for name in names]
        if len(set(expected)) > 24:
            expected = [spelled(name, False) for name in names]
        label, found = templates(NameBuffer.of([name.encode() for name in names]))
        assert [found[k].decode() for k in label.tolist()] == expected
        assert found == [text.encode() for text in dict.fromkeys(expected)]


def cut(names: list[bytes]) -> list[bytes]:
    """Names cut to eight characters, made unequal by their number."""
    seen: set[bytes] = set()
    found = []
    for number, name in enumerate(names):
        end = b"%d" % number
        found.append(name[: 8 - len(end)] + end if name[:8] in seen else name[:8])
        seen.add(name[:8])
    return found


def test_names_that_were_cut_are_joined_and_told_apart_by_what_they_meet() -> None:
    told = [b"capacity_limit_%d" % k for k in range(120)] + [b"demand_%d" % k for k in range(30)]
    label, spelled, mask = untruncated(
        *spellings(NameBuffer.of(cut(told))), NameBuffer.of(cut(told))
    )
    assert len(set(label[:120].tolist())) == 1
    assert mask[:120].all() and set(label[:120]).isdisjoint(label[120:])
    assert len(spelled) == label.max() + 1


def test_names_of_one_length_are_not_taken_for_cut() -> None:
    names = NameBuffer.of([b"x_%03d" % k for k in range(50)] + [b"yy_%02d" % k for k in range(50)])
    label, _, mask = untruncated(*spellings(names), names)
    assert not mask.any()
    assert label.tolist() == [0] * 50 + [1] * 50


def test_a_name_for_each_item_takes_no_time() -> None:
    names = NameBuffer.of([bytes(97 + k // 26**p % 26 for p in range(8)) for k in range(20_000)])
    label, spelled, _ = untruncated(*spellings(names), names)
    assert len(spelled) == len(set(label.tolist())) == 20_000
