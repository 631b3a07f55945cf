"""Runs in a bucket of a real S3 server, which the test starts."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import ordojo
from ordojo.core.errors import RunError
from ordojo.evaluation import remote
from tests.command import ordojo as command

pytest.importorskip("moto", reason="needs a server of S3: pip install 'ordojo[dev]'")

from moto.server import ThreadedMotoServer

ASKED = {"dataset": "econlogicqa@ordojo", "limit": 6}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    started = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    started.start()
    host, port = started.get_host_and_port()
    yield f"http://{host}:{port}"
    started.stop()


@pytest.fixture
def bucket(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    import s3fs

    names = {"ENDPOINT_URL": server, "ACCESS_KEY_ID": "a", "SECRET_ACCESS_KEY": "b"}
    for name, value in {**names, "DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("ORDOJO_CACHE", str(tmp_path / "cache"))
    s3fs.S3FileSystem.clear_instance_cache()
    name = f"runs-{tmp_path.name.replace('_', '-').lower()}"
    s3fs.S3FileSystem().mkdir(name)
    return f"s3://{name}/mine"


def samples(folder: Path) -> list[object]:
    (file,) = folder.glob("*/samples.jsonl")
    return [{**json.loads(line), "seconds": 0} for line in file.read_text("utf-8").splitlines()]


def test_a_run_in_a_bucket_is_that_of_a_folder_and_goes_on(bucket: str, tmp_path: Path) -> None:
    ordojo.evaluate("econlogicqa", "ordojo/random", runs=tmp_path / "here", **ASKED)
    words = ["eval", "econlogicqa", "--model", "ordojo/random", "-T", "dataset=econlogicqa@ordojo"]
    done = command([*words, "--limit", "6", "--runs", bucket])
    assert done.returncode == 0, done.stderr
    with remote.at_hand(bucket, write=False) as there:
        assert samples(there) == samples(tmp_path / "here")
        assert not list(there.rglob("*.lock")) and not (there / remote.WRITER).exists()
    again = command([*words, "--limit", "6", "--runs", bucket])
    assert "0 of 6 samples to ask" in again.both
    made = ordojo.report(bucket, tmp_path / "report")
    assert "random" in made.index.read_text("utf-8")
    assert ordojo.plan(bucket, 600).core_hours > 0


def test_what_a_killed_writer_had_not_put_back_is_put_back_by_the_next(bucket: str) -> None:
    with remote.at_hand(bucket) as folder:
        (folder / "run").mkdir()
        (folder / "run" / "samples.jsonl").write_text("one\n")
    with (folder / "run" / "samples.jsonl").open("a") as file:
        file.write("two\n")  # after the last time that it was put back
    with remote.at_hand(bucket):
        pass
    with remote.at_hand(bucket, write=False) as there:
        assert (there / "run" / "samples.jsonl").read_text() == "one\ntwo\n"


def test_changes_are_put_back_meanwhile(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "EVERY", 0.05)
    with remote.at_hand(bucket) as folder:
        (folder / "samples.jsonl").write_text("one\n")
        deadline, found = time.monotonic() + 20, ""
        while found != "one\n" and time.monotonic() < deadline:
            with remote.at_hand(bucket, write=False) as there:
                file = there / "samples.jsonl"
                found = file.read_text() if file.exists() else ""
        assert found == "one\n", "it stands in the bucket while the writer is at work"


def test_a_second_writer_is_refused_and_a_dead_one_is_not(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        remote.at_hand(bucket),
        pytest.raises(RunError, match=rf"being written by process {os.getpid()} on"),
        remote.at_hand(bucket),
    ):
        pass
    store = remote._Folder(bucket, Path())
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    silent = {"host": "another", "pid": 1, "time": 0}
    dead = {"host": socket.gethostname(), "pid": ended.pid, "time": time.time()}
    for note in (silent, dead):
        store.store.pipe_file(f"{store.root}/{remote.WRITER}", json.dumps(note).encode())
        with remote.at_hand(bucket):
            pass


def test_a_bucket_that_is_not_there_is_one_sentence(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RunError, match=r"cannot use s3://nobodys/runs .*; check the address"):
        ordojo.evaluate("econlogicqa", "ordojo/gold", runs="s3://nobodys/runs", **ASKED)
    with pytest.raises(RunError, match=r"cannot use what://x .*; check the address"):
        ordojo.report("what://x", "report")
    with pytest.raises(ZeroDivisionError), remote.at_hand(bucket):
        raise ZeroDivisionError  # is nobody's fault but the caller's
