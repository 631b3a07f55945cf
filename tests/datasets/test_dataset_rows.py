from pathlib import Path
from typing import Any

import pytest
from dataset_toys import CSV, DEV, TEST, jsonl, orqa_row

from ordojo.core.errors import DataError, UsageError
from ordojo.datasets import dataset_digest, read_file, read_rows
from ordojo.datasets.registry import DatasetSpec
from ordojo.datasets.schemas import ECONLOGICQA, ORQA


@pytest.fixture
def file(home: Path) -> Path:
    return home / "items.jsonl"


def test_rows_come_in_file_order(file: Path) -> None:
    rows = [orqa_row(QUESTION=str(n)) for n in range(5)]
    file.write_bytes(jsonl(*rows))
    assert read_file(file, ORQA) == rows


def test_reasoning_may_be_left_out_and_lines_left_blank(file: Path) -> None:
    row = orqa_row()
    del row["REASONING"]
    file.write_bytes(b"\xef\xbb\xbf" + jsonl(row) + b"\n\r\n" + jsonl(row))
    assert read_file(file, ORQA) == [row, row]


def test_line_separators_inside_texts_are_not_line_ends(file: Path) -> None:
    file.write_text(
        '{"QUESTION_TYPE": "Q1", "CONTEXT": "a\u2028b", "QUESTION": "", '
        '"OPTIONS": ["1", "2", "3", "4"], "TARGET_ANSWER": 3}\n',
        "utf-8",
    )
    assert read_file(file, ORQA)[0]["CONTEXT"] == "a\u2028b"


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (DEV + DEV[:-40], r"items\.jsonl:2 is not a whole JSON object .* cut off"),
        (DEV + b"\n[1]\n", r":3 is not a JSON object"),
        (DEV + b'{"a": "\xff"}\n', r":2 is not UTF-8"),
        (DEV + b"[" * 100_000, r":2 is not a whole JSON object"),
        (b"\n\n", "has no rows"),
    ],
)
def test_damaged_jsonl(file: Path, data: bytes, complaint: str) -> None:
    file.write_bytes(data)
    with pytest.raises(DataError, match=complaint):
        read_file(file, ORQA)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"TARGET_ANSWER": 4}, "TARGET_ANSWER 4, not one of 0, 1, 2, 3"),
        ({"TARGET_ANSWER": -1}, "TARGET_ANSWER -1"),
        ({"TARGET_ANSWER": True}, "TARGET_ANSWER True"),
        ({"TARGET_ANSWER": "A"}, "TARGET_ANSWER 'A'"),
        ({"TARGET_ANSWER": 1.0}, r"TARGET_ANSWER 1\.0"),
        ({"TARGET_ANSWER": None}, "TARGET_ANSWER None"),
        ({"OPTIONS": ["a", "b", "c"]}, "exactly 4 texts"),
        ({"OPTIONS": ["a", "b", "c", 4]}, "exactly 4 texts"),
        ({"OPTIONS": "abcd"}, "exactly 4 texts"),
        ({"QUESTION_TYPE": "Q12"}, "QUESTION_TYPE 'Q12'"),
        ({"QUESTION_TYPE": ["Q1"]}, "QUESTION_TYPE"),
        ({"CONTEXT": None}, "CONTEXT that is not text"),
    ],
)
def test_bad_values_of_orqa(file: Path, changes: dict[str, Any], complaint: str) -> None:
    file.write_bytes(DEV + jsonl(orqa_row(**changes)))
    with pytest.raises(DataError, match=rf"items\.jsonl:2 .*{complaint}"):
        read_file(file, ORQA)


def test_a_missing_column_is_named_with_those_there_are(file: Path) -> None:
    file.write_bytes(DEV.replace(b"TARGET_ANSWER", b"ANSWER"))
    with pytest.raises(DataError, match=r":1 has no column 'TARGET_ANSWER' \(it has .*, ANSWER,"):
        read_file(file, ORQA)


@pytest.mark.parametrize("answer", ["B, A, D, C", "B,A,D,C", " B ,A,  D, C\n", "BADC"])
def test_orders_may_be_spaced_as_they_like(home: Path, answer: str) -> None:
    path = home / "items.csv"
    path.write_text(f'Question,A,B,C,D,Answer,Note\nSort,a,b,"c ""c"", c",d,"{answer}",x\n')
    (row,) = read_file(path, ECONLOGICQA)
    assert ECONLOGICQA.answer(row) == "B, A, D, C"
    assert row["C"] == 'c "c", c'


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (CSV.replace(b"A, B, C, D", b"A, B, C, C"), r":3 has Answer 'A, B, C, C', not an order"),
        (CSV.replace(b"A, B, C, D", b""), r":3 has Answer ''"),
        (CSV.replace(b"Question,A", b"Question,E"), r":2 has no column 'A'"),
        (CSV.replace(b"Again,", b""), r":3 has 5 cells where the header has 6"),
        (CSV + b'"never closed', r":4 is not valid CSV"),
        (CSV.replace(b"Sort, ", b"Sort\n\n").replace(b"Again,e", b"e"), r":5 has 5 cells"),
        (CSV.splitlines(True)[0], "has no rows"),
        (b"", "has no rows"),
    ],
)
def test_damaged_csv(home: Path, data: bytes, complaint: str) -> None:
    path = home / "items.csv"
    path.write_bytes(data)
    with pytest.raises(DataError, match=complaint):
        read_file(path, ECONLOGICQA)


def test_files_that_cannot_be_read(home: Path) -> None:
    with pytest.raises(DataError, match=r"there is no file .*gone.csv; check the path"):
        read_file(home / "gone.csv", ECONLOGICQA)
    (home / "folder.csv").mkdir()
    with pytest.raises(DataError, match=r"cannot read .*Is a directory"):
        read_file(home / "folder.csv", ECONLOGICQA)
    with pytest.raises(UsageError, match=r"neither a .jsonl nor a .csv"):
        read_file(home / "items.xlsx", ECONLOGICQA)


def test_ones_own_file_is_a_test_split(file: Path) -> None:
    file.write_bytes(DEV)
    assert read_rows(str(file), "test", schema="orqa") == read_file(file, ORQA)
    with pytest.raises(UsageError, match="is one file and has no split 'validation'"):
        read_rows(str(file), "validation", schema="orqa")
    with pytest.raises(UsageError, match="there is no row format ''"):
        read_rows(str(file), "test")


def test_ones_own_files_by_split(home: Path) -> None:
    (home / "my_test.jsonl").write_bytes(TEST)
    own = str(home / "my_{split}.jsonl")
    before = dataset_digest(own, "orqa")
    (home / "my_validation.jsonl").write_bytes(DEV)
    assert len(read_rows(own, "test", schema="orqa")) == 400
    assert len(read_rows(own, "validation", schema="orqa")) == 1
    assert dataset_digest(own, "orqa") != before
    with pytest.raises(DataError, match="cannot read"):
        dataset_digest(str(home / "gone.jsonl"), "orqa")


def test_a_dataset_of_another_format_is_refused() -> None:
    with pytest.raises(UsageError, match="use one of econlogicqa@hf, econlogicqa@hf-sample6, econ"):
        read_rows("orqa@ordojo", "test", schema="econlogicqa")


def test_a_split_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="has no split 'dev'; it has test, train"):
        read_rows("econlogicqa@ordojo", "dev")


def test_wrong_number_of_items(
    loose: DatasetSpec, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORDOJO_DATA", str(home))
    (home / "loose").mkdir()
    (home / "loose/test.csv").write_bytes(CSV[: CSV.index(b"Again")])
    with pytest.raises(DataError, match=r"test\.csv has 1 item where loose@hf has 2"):
        read_rows("loose@hf", "test")
