import pickle
from pathlib import Path

import pytest
from dataset_toys import DEV, TEST

from ordojo.core.errors import DataError, UsageError
from ordojo.datasets import dataset_digest, dataset_ids, get_dataset, locate, read_rows
from ordojo.datasets.pull import verify
from ordojo.datasets.registry import DatasetSpec
from ordojo.datasets.store import cache_folder


@pytest.fixture
def data(toy: DatasetSpec, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = home / "data/toy"
    folder.mkdir(parents=True)
    (folder / "dev.jsonl").write_bytes(DEV)
    (folder / "test.jsonl").write_bytes(TEST)
    monkeypatch.setenv("ORDOJO_DATA", str(home / "data"))
    return folder


def test_ids() -> None:
    assert [key for key in dataset_ids() if not get_dataset(key).reader] == [
        "econlogicqa@hf",
        "econlogicqa@hf-sample6",
        "econlogicqa@ordojo",
        "orqa@793beee",
        "orqa@ordojo",
    ]
    with pytest.raises(UsageError, match="did you mean 'econlogicqa@hf'"):
        get_dataset("econlogicqa")
    with pytest.raises(UsageError, match="`ordojo data list` names them"):
        get_dataset("mmlu")


@pytest.mark.parametrize("dataset_id", dataset_ids())
def test_what_a_dataset_is_travels_to_another_process(dataset_id: str) -> None:
    spec = get_dataset(dataset_id)
    again = pickle.loads(pickle.dumps(spec))
    assert again == spec and again.schema is spec.schema


def test_the_data_folder_comes_before_the_cache(toy: DatasetSpec, data: Path, home: Path) -> None:
    cached = cache_folder(toy)
    cached.parent.mkdir(parents=True)
    data.rename(cached)
    assert locate("toy@1").folder == cached
    cached.rename(data)
    assert locate("toy@1").folder == data


def test_an_incomplete_folder_is_passed_over(data: Path) -> None:
    (data / "dev.jsonl").unlink()
    with pytest.raises(DataError) as caught:
        locate("toy@1")
    assert str(data) in str(caught.value)
    assert "run: ordojo data pull toy@1 (or set ORDOJO_DATA" in str(caught.value)


def test_absent_local_data_say_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORDOJO_DATA", raising=False)
    with pytest.raises(DataError, match=r"ORDOJO_DATA is not set.*put sample_6_of_test.csv into"):
        locate("econlogicqa@hf-sample6")


def test_a_wrong_hash_names_file_and_both_hashes(toy: DatasetSpec, data: Path) -> None:
    (data / "test.jsonl").write_bytes(TEST[:-1])
    with pytest.raises(DataError) as caught:
        locate("toy@1")
    assert str(data / "test.jsonl") in str(caught.value)
    assert f"expected {toy.files[1].sha256[:12]}" in str(caught.value)


def test_verify_lists_every_check(data: Path) -> None:
    assert verify("toy@1").ok
    (data / "test.jsonl").write_bytes(TEST[:-30])
    report = verify("toy@1")
    assert not report.ok
    assert [(c.file, c.name, c.ok) for c in report.checks] == [
        ("dev.jsonl", "sha256", True),
        ("dev.jsonl", "items", True),
        ("test.jsonl", "sha256", False),
        ("test.jsonl", "items", False),
    ]
    assert ":400 is not a whole JSON object" in report.checks[-1].detail


@pytest.mark.parametrize("dataset_id", ["orqa@ordojo", "econlogicqa@ordojo"])
def test_shipped_sets_are_whole(dataset_id: str) -> None:
    assert verify(dataset_id).ok
    assert dataset_digest(dataset_id) == locate(dataset_id).sha256


@pytest.mark.data
@pytest.mark.parametrize(
    ("dataset_id", "split", "items"),
    [
        ("orqa@793beee", "test", 1468),
        ("orqa@793beee", "validation", 45),
        ("econlogicqa@hf-sample6", "test", 6),
    ],
)
def test_published_sets_are_whole(published: Path, dataset_id: str, split: str, items: int) -> None:
    if not (published / get_dataset(dataset_id).folder).is_dir():
        pytest.skip(f"$ORDOJO_DATA has no {get_dataset(dataset_id).folder}")
    assert len(read_rows(dataset_id, split)) == items
    assert verify(dataset_id).ok
