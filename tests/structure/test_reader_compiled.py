"""The two readers, with numpy alone and as machine code: the same bits or the same sentence."""

import os
import random
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ordojo.core.errors import DataError
from ordojo.structure import read_mps
from ordojo.structure.flat import Bytes, differences, digest
from tests.structure.toys import EVERYTHING, LOTS, structured

pytest.importorskip("numba")

from ordojo.structure.reader.compiled import Doubt, read_fast
from ordojo.structure.reader.compiled.decimals import decimal
from ordojo.structure.reader.compiled.growing import Growing
from ordojo.structure.reader.compiled.lookup import find_all, lookup
from ordojo.structure.reader.compiled.order import order
from ordojo.structure.reader.compiled.rounding import settle
from ordojo.structure.reader.compiled.words import SLACK, hash_at
from ordojo.structure.reader.numbers import number
from ordojo.structure.reader.tokens import KEY

WORDS = sorted({*LOTS.split(), *EVERYTHING.split(), "nan", "inf", "1e999", "'MARKER'", "RHS"})


def agree(path: Path) -> bool:
    """Compare the two readers on a file; whether the machine code read it by itself."""
    try:
        plain = read_mps(path, compiled=False)
    except DataError as error:
        with pytest.raises(DataError) as other:
            read_mps(path, compiled=True)
        assert str(other.value) == str(error)
        with pytest.raises(Doubt):
            read_fast(path, 1 << 32)
        return False
    assert differences(plain, read_mps(path, compiled=True)) == []
    try:
        fast = read_fast(path, 1 << 32)
    except Doubt:
        return False
    assert differences(plain, fast) == []
    return True


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "toy.mps"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_toys(tmp_path: Path) -> None:
    for text in (
        LOTS,
        EVERYTHING,
        LOTS.replace("\n", "\r\n"),
        LOTS.replace("  ", "\t"),
        LOTS.replace("\n", "\n* x\n\n"),
        LOTS.rstrip("\n"),
        LOTS.replace("x[", "a_name_of_more_than_sixteen_letters["),
        LOTS.replace("\n    ", "\n" + " " * 150),
        LOTS.replace("\n    x", "\nx"),
        LOTS.replace("COST", "R" * 300),
        LOTS.replace("1.5", "1234567890.1234567890123"),
    ):
        assert agree(written(tmp_path, text)), text


@pytest.mark.parametrize("seed", range(6))
def test_random_models(tmp_path: Path, seed: int) -> None:
    assert agree(written(tmp_path, structured(seed)))


def test_more_than_a_block(tmp_path: Path) -> None:
    """Columns that go on in the next block, rows in any order, in each of many columns."""
    draw = np.random.default_rng(5)
    rows = [f"row_with_a_name_{k}" for k in range(3000)]
    text = ["ROWS", " N c", *[f" L {row}" for row in rows], "COLUMNS"]
    for k in range(40):
        some = draw.permutation(3000)[: int(draw.integers(1, 1500))]
        text += [f" {'x' * (k % 19)}{k} {rows[i]} {draw.normal()!r}" for i in some]
    text += ["RHS", *[f" {row} {k}" for k, row in enumerate(rows)], "BOUNDS"]
    text += [" UP b 0 -5", " FR b x1", "ENDATA"]
    path = written(tmp_path, "\n".join(text))
    assert path.stat().st_size > 1 << 20
    assert agree(path)


edit = st.tuples(
    st.integers(0, 10_000), st.integers(0, 4), st.sampled_from(WORDS), st.binary(max_size=3)
)
edits = st.lists(edit, min_size=1, max_size=3)


@settings(
    max_examples=250,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.sampled_from([LOTS, EVERYTHING]), edits)
def test_damaged_files(
    tmp_path: Path, text: str, changes: list[tuple[int, int, str, bytes]]
) -> None:
    data = bytearray(text.encode())
    for place, kind, word, raw in changes:
        at = place % len(data)
        if kind == 0:
            data[at : at + 1] = raw
        elif kind == 1:
            del data[at : at + 25]
        elif kind == 2:
            data[at:at] = f" {word} ".encode()
        elif kind == 3:
            line = text.splitlines()[place % len(text.splitlines())]
            data[at:at] = f"\n{line}\n".encode()
        else:
            data[at:at] = word.encode()
        data = data or bytearray(b" ")
    agree(written(tmp_path, bytes(data)))


def said(data: Bytes, at: int, end: int) -> tuple[float, bool]:
    """What the two ways say together, and whether they are sure."""
    value, sure = decimal(data, at, end)
    if sure:
        return value, True
    doubts, target = np.array([0, at, end]), np.zeros(1)
    left = settle(data, doubts, 1, target)
    assert doubts.tolist() == [0, at, end]
    return float(target[0]), left == 0


def test_numbers_are_rounded_correctly() -> None:
    draw = random.Random(11)
    words = [
        "0",
        "-0",
        "+.5",
        "5.",
        "9007199254740993",
        "1e23",
        "8.5e-17",
        "2.2250738585072014e-308",
    ]
    words += ["9007199254740992.5", "123456789012345678", "1e-5", "1D+2", "-1.e3", ".0000000000001"]
    for _ in range(20_000):
        bits = draw.getrandbits(64)
        value = struct.unpack("<d", struct.pack("<Q", bits))[0]
        if value == value and abs(value) != float("inf"):
            words += [repr(value), f"{value:.15e}", f"{value:.17e}"]
        digits = draw.randint(1, 19)
        word = str(draw.randrange(10**digits))
        at = draw.randint(0, len(word))
        words.append(draw.choice(["", "-", "+"]) + word[:at] + "." + word[at:])
        words.append(f"{word}e{draw.randint(-40, 40)}")
        # Half way between two numbers.
        whole = draw.getrandbits(53) | 1 << 52
        words.append(str((2 * whole + 1) << draw.randint(0, 9)))
    text = (" " * SLACK + "\n".join(words) + " " * SLACK).encode()
    data = np.frombuffer(text, np.uint8).copy()
    at, asked = SLACK, 0
    for word in words:
        value, sure = said(data, at, at + len(word))
        expected = number(word.encode())
        assert expected is not None
        if sure:
            assert struct.pack("<d", value) == struct.pack("<d", expected), word
        asked += not sure
        at += len(word) + 1
    assert asked < 0.2 * len(words)


@pytest.mark.parametrize(
    "word",
    ["-", ".", "-.", "1e", "1_0", "0x1", "--1", "1.2.3", "1e1e1", "e5", "1e+", "inf", "1:", "/"],
)
def test_what_is_no_number(word: str) -> None:
    data = np.frombuffer((" " * SLACK + word + " " * SLACK).encode(), np.uint8).copy()
    assert not said(data, SLACK, SLACK + len(word))[1]


def test_names_are_found() -> None:
    draw = random.Random(2)
    names = sorted({draw.randbytes(draw.randint(1, 40)).replace(b"\0", b"x") for _ in range(5000)})
    names += [b"a" * k for k in range(2, 60)]
    text = np.frombuffer(b"".join(names) + bytes(SLACK), np.uint8).copy()
    starts = np.cumsum([0, *map(len, names)])
    table = lookup(text, starts, Growing(np.uint64))
    assert table is not None
    known = {name: k for k, name in enumerate(names)}
    for at, name in zip(starts.tolist(), names, strict=False):
        for length in {len(name), max(len(name) - 1, 1)}:
            found = np.full(1, -1, np.int32)
            code = np.array([hash_at(text, at, length, KEY)], np.uint64)
            expected = known.get(name[:length], -1)
            assert find_all(table, code, found) == (expected >= 0)
            assert found[0] == expected
    same = np.frombuffer(b"abcabc" + bytes(SLACK), np.uint8).copy()
    assert lookup(same, np.array([0, 3, 6]), Growing(np.uint64)) is None


def ordered(rows: list[int], goal: int) -> tuple[list[int], list[float], float] | None:
    """One column's rows and numbers, and the objective's, if no entry stands twice."""
    row = np.array(rows, np.int32)
    value = row.astype(np.float64) * 0.5
    objective, starts = np.zeros(1), np.empty(2, np.int64)
    begins, most = np.array([0, len(row)]), max(rows) + 1
    kept = order(begins, row, value, most, goal, objective, starts)
    if kept < 0:
        return None
    assert starts.tolist() == [0, kept]
    return row[:kept].tolist(), value[:kept].tolist(), float(objective[0])


def test_columns_are_sorted() -> None:
    many = np.random.default_rng(1).permutation(50_000).tolist()
    nearly = [*range(1, 50), 0, *range(50, 99)]
    for rows in (many, nearly, [2, 1, 0], [0, 1, 2]):
        every = list(range(len(rows)))
        assert ordered(rows, -1) == (every, [0.5 * k for k in every], 0.0)
        others = [0.5 * k for k in every if k != 1]
        assert ordered(rows, 1) == (every[:-1], others, 0.5)
        for twice in (0, 1, len(rows) - 1):
            assert ordered([*rows, twice], 1) is None
            assert ordered([twice, *rows], -1) is None


def test_memory_is_kept_for_the_next_file(tmp_path: Path) -> None:
    """A small file behind a large one or a damaged one, and threads beside each other."""
    texts = [LOTS, structured(1), structured(2), LOTS.replace("ENDATA", ""), EVERYTHING]
    paths = [tmp_path / f"{k}.mps" for k in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    whole = [path for path in paths if agree(path)]
    assert len(whole) >= 3
    expected = [digest(read_mps(path, compiled=False)) for path in whole]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: [digest(read_fast(p, 1 << 32)) for p in whole], range(8)):
            assert found == expected


@pytest.mark.data
def test_published_models() -> None:
    folder = Path(os.environ["ORDOJO_DATA"]) / "mps"
    if not folder.exists():
        pytest.skip("not in this collection")
    paths = [*folder.glob("*.mps.gz"), *(folder / "edge").glob("*.mps")]
    small = [path for path in paths if path.stat().st_size < 60_000]
    assert sum(agree(path) for path in small) > 50
