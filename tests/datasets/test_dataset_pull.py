import hashlib
import io
import json
import socket
import tarfile
from pathlib import Path

import pytest
from dataset_toys import CSV, DEV, FULL_REVISION, TEST, Host
from tests.heard import Heard

from ordojo.core.canonical import digest
from ordojo.core.errors import DataError, UsageError
from ordojo.core.progress import hearing
from ordojo.datasets import locate, read_rows
from ordojo.datasets.or_debug_authors import READER, SCHEMA, models_of, rows_of
from ordojo.datasets.pull import pull
from ordojo.datasets.registry import DATASETS, DatasetSource, DatasetSpec, FileSpec
from ordojo.datasets.store import LOCK_NAME


def test_pull_fills_the_cache_and_reports_progress(toy: DatasetSpec, host: Host) -> None:
    heard = Heard()
    with hearing(heard):
        located = pull("toy@1")
    assert located.files["test"].read_bytes() == TEST
    assert [(work.what, work.before + work.done, work.total) for work in heard.ends] == [
        ("fetching dev.jsonl", len(DEV), len(DEV)),
        ("fetching test.jsonl", len(TEST), len(TEST)),
    ]
    assert locate("toy@1").sha256 == located.sha256
    assert sorted(p.name for p in located.folder.iterdir()) == ["dev.jsonl", "test.jsonl"]


def test_a_whole_cache_asks_for_nothing(toy: DatasetSpec, host: Host) -> None:
    pull("toy@1")
    asked = len(host.requests)
    pull("toy@1")
    assert len(host.requests) == asked


def test_only_a_damaged_file_is_fetched_again(toy: DatasetSpec, host: Host) -> None:
    damaged = pull("toy@1").files["test"]
    damaged.write_bytes(TEST[:-5])
    host.requests.clear()
    pull("toy@1")
    assert damaged.read_bytes() == TEST
    assert [path.rsplit("/")[-1] for path, _ in host.requests] == ["test.jsonl"]


def test_a_broken_transfer_is_continued_at_its_byte(toy: DatasetSpec, host: Host) -> None:
    host.break_after = [len(DEV), 50_000]
    pull("toy@1")
    ranges = [wanted for path, wanted in host.requests if path.endswith("test.jsonl")]
    assert ranges == ["", "bytes=50000-"]


def test_the_next_pull_continues_where_the_last_gave_up(toy: DatasetSpec, host: Host) -> None:
    host.break_after = [len(DEV), 30_000, 10_000, 10_000]
    with pytest.raises(DataError, match="run again: ordojo data pull toy@1"):
        pull("toy@1")
    host.requests.clear()
    assert pull("toy@1").files["test"].read_bytes() == TEST
    assert [wanted for _, wanted in host.requests] == ["bytes=50000-"]


def test_a_server_without_ranges_starts_anew(toy: DatasetSpec, host: Host) -> None:
    host.ranges = False
    host.break_after = [len(DEV), 1000]
    assert pull("toy@1").files["test"].read_bytes() == TEST


@pytest.mark.parametrize("rest", [b"not the beginning", TEST + b"too long", TEST])
def test_whatever_was_left_over_the_file_comes_out_right(
    toy: DatasetSpec, host: Host, home: Path, rest: bytes
) -> None:
    part = home / "cache/datasets/toy@1/test.jsonl.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(rest)
    assert pull("toy@1").files["test"].read_bytes() == TEST


def test_busy_servers_get_another_try(toy: DatasetSpec, host: Host) -> None:
    host.statuses = [503, 429]
    assert pull("toy@1").files["test"].is_file()


def test_an_error_of_the_server_is_one_sentence(toy: DatasetSpec, host: Host) -> None:
    host.statuses = [500, 500, 500]
    with pytest.raises(DataError, match="answered 500 Internal Server Error; check the network"):
        pull("toy@1")


def test_not_found_is_asked_once_and_finished_files_stay(toy: DatasetSpec, host: Host) -> None:
    missing = next(path for path in host.pages if path.endswith("test.jsonl"))
    del host.pages[missing]
    with pytest.raises(DataError, match=r"test\.jsonl: the server answered 404 Not Found"):
        pull("toy@1")
    assert len(host.requests) == 2
    host.pages[missing] = TEST
    pull("toy@1")
    assert len(host.requests) == 3


def test_a_wrong_file_is_refused_and_not_kept(toy: DatasetSpec, host: Host, home: Path) -> None:
    host.pages = dict.fromkeys(host.pages, DEV + b"\n")
    with pytest.raises(DataError, match=r"dev\.jsonl of toy@1: its sha256 is \w{12}, expected"):
        pull("toy@1")
    assert list((home / "cache/datasets/toy@1").iterdir()) == []


def test_no_server_is_one_sentence(toy: DatasetSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
    monkeypatch.setenv("ORDOJO_GITHUB_RAW", url)
    with pytest.raises(DataError, match="refused; check the network, or set ORDOJO_GITHUB_RAW"):
        pull("toy@1")


@pytest.mark.parametrize("url", ["http://[", "nonsense", "ftp://127.0.0.1"])
def test_a_host_that_is_no_address(
    toy: DatasetSpec, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("ORDOJO_GITHUB_RAW", url)
    with pytest.raises(DataError, match="or set ORDOJO_GITHUB_RAW to a mirror"):
        pull("toy@1")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, the full disk")
def test_a_full_disk(toy: DatasetSpec, host: Host, home: Path) -> None:
    folder = home / "cache/datasets/toy@1"
    folder.mkdir(parents=True)
    (folder / "test.jsonl.part").symlink_to("/dev/full")
    with pytest.raises(DataError, match="No space left on device; free some space or set ORDOJO_"):
        pull("toy@1")
    assert (folder / "dev.jsonl").read_bytes() == DEV


def test_a_cache_that_is_no_folder(toy: DatasetSpec, home: Path) -> None:
    (home / "cache").write_text("a file")
    with pytest.raises(
        DataError, match=r"cannot write to .*; make it writable or set ORDOJO_CACHE"
    ):
        pull("toy@1")


def test_unpinned_files_are_locked_at_the_first_pull(loose: DatasetSpec, host: Host) -> None:
    located = pull("loose@hf")
    lock = json.loads((located.folder / LOCK_NAME).read_text())
    assert lock == {"revision": FULL_REVISION, "files": located.hashes}
    assert len(read_rows("loose@hf", "test")) == 2

    located.files["test"].write_bytes(CSV.replace(b"please", b"PLEASE"))
    with pytest.raises(DataError, match=r"test\.csv is not the file of loose@hf: its sha256"):
        locate("loose@hf")
    host.requests.clear()
    pull("loose@hf")
    assert locate("loose@hf").sha256 == located.sha256
    assert [path for path, _ in host.requests] == [
        f"/datasets/us/loose/resolve/{FULL_REVISION}/data/test.csv"
    ]


def test_a_lock_refuses_a_source_that_changed(loose: DatasetSpec, host: Host) -> None:
    pull("loose@hf").files["test"].unlink()
    host.pages = {path: CSV.replace(b"Again", b"Anew") for path in host.pages}
    with pytest.raises(DataError, match="expected"):
        pull("loose@hf")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (CSV + CSV.splitlines(True)[2], "has 3 items where loose@hf has 2"),
        (CSV.replace(b"Answer", b"Reply"), "has no column 'Answer'"),
    ],
)
def test_unpinned_files_are_checked_before_they_are_locked(
    loose: DatasetSpec, host: Host, home: Path, data: bytes, complaint: str
) -> None:
    host.pages = {p: data if p.endswith("csv") else page for p, page in host.pages.items()}
    with pytest.raises(DataError, match=complaint):
        pull("loose@hf")
    assert list((home / "cache/datasets/loose@hf").iterdir()) == []


@pytest.mark.parametrize("answer", [b"<html>", b"{}", b"[1]", b'[{"id": null}]', b'[{"sha": "1"}]'])
def test_an_answer_that_lists_no_commits(loose: DatasetSpec, host: Host, answer: bytes) -> None:
    host.pages["/api/datasets/us/loose/commits/main"] = answer
    with pytest.raises(DataError, match="commits"):
        pull("loose@hf")


def test_a_pinned_revision_that_is_gone(loose: DatasetSpec, host: Host) -> None:
    host.pages["/api/datasets/us/loose/commits/main"] = b'[{"id": "fff"}]'
    with pytest.raises(DataError, match="lists 0 commits that begin with abc1234"):
        pull("loose@hf")


def test_a_damaged_lock(loose: DatasetSpec, host: Host) -> None:
    (pull("loose@hf").folder / LOCK_NAME).write_text("{")
    with pytest.raises(DataError, match=r"ordojo\.lock\.json is damaged; delete"):
        pull("loose@hf")


def test_hf_endpoint_is_honoured(
    loose: DatasetSpec, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ORDOJO_HF_ENDPOINT")
    monkeypatch.setenv("HF_ENDPOINT", host.url)
    assert pull("loose@hf").files["test"].read_bytes() == CSV


def test_shipped_sets_need_no_pull_and_local_ones_have_none() -> None:
    assert pull("econlogicqa@ordojo").sha256 == locate("econlogicqa@ordojo").sha256
    with pytest.raises(DataError, match=r"cannot be pulled; put sample_6_of_test.csv into"):
        pull("econlogicqa@hf-sample6")
    with pytest.raises(UsageError, match="did you mean 'orqa@793beee'"):
        pull("orqa@793beef")


def test_packed_sets_are_taken_out_of_the_repositorys_archive(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document and a folder of models, pinned by what is in them, whatever packs them."""
    document = json.dumps({"problems": [{"problem_id": "p"}]}).encode()
    inside = {"data/b/dataset.json": document, "data/b/models/p.mps": b"NAME p", "README": b"x"}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in inside.items():
            member = tarfile.TarInfo(f"r-{'f00d' * 10}/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    models = digest({"p.mps": hashlib.sha256(b"NAME p").hexdigest()})
    files = tuple(
        FileSpec(split, f"data/b/{path}", 1, sha256, local=local, repacked=True)
        for split, path, sha256, local in (
            ("problems", "dataset.json", hashlib.sha256(document).hexdigest(), "b.dataset.json.xz"),
            ("models", "models", models, "b.models.tar.xz"),
        )
    )
    source = DatasetSource("github", "us/r", "f00d" * 10)
    spec = DatasetSpec("packed@1/b", "packed", SCHEMA, source, "none", files, reader=READER)
    monkeypatch.setitem(DATASETS, spec.id, spec)
    monkeypatch.delenv("ORDOJO_DATA", raising=False)
    monkeypatch.setenv("ORDOJO_GITHUB_ARCHIVE", host.url)
    host.pages = {f"/us/r/tar.gz/{'f00d' * 10}": packed.getvalue()}
    located = pull(spec.id)
    assert len(host.requests) == 1
    assert rows_of(located.files["problems"]) == [{"problem_id": "p"}]
    assert dict(models_of(located.files["models"])) == {"p.mps": b"NAME p"}
    assert locate(spec.id).sha256 == located.sha256
    assert pull(spec.id).sha256 == located.sha256
    assert len(host.requests) == 1
    located.files["models"].write_bytes(b"")
    with pytest.raises(DataError, match="damaged"):
        locate(spec.id)
