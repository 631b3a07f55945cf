"""A home without data, small datasets in the registry, and a server that has them."""

import hashlib
import http.server
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from dataset_toys import CSV, DEV, FULL_REVISION, TEST, Handler, Host

from ordojo.datasets import pull as pull_module
from ordojo.datasets.registry import DATASETS, DatasetSource, DatasetSpec, FileSpec
from ordojo.datasets.schemas import ECONLOGICQA, ORQA


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, no data folder, no proxy, no waiting."""
    monkeypatch.setenv("ORDOJO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("ORDOJO_GITHUB_RAW", "ORDOJO_HF_ENDPOINT", "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pull_module, "PAUSE", 0.0)
    return tmp_path


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> DatasetSpec:
    """A pinned dataset on GitHub of two files."""
    files = tuple(
        FileSpec(split, f"dataset/{name}", rows, hashlib.sha256(data).hexdigest(), len(data))
        for split, name, rows, data in (
            ("validation", "dev.jsonl", 1, DEV),
            ("test", "test.jsonl", 400, TEST),
        )
    )
    spec = DatasetSpec(
        "toy@1", "toy", ORQA, DatasetSource("github", "us/toy", "f00d" * 10), "none", files
    )
    monkeypatch.setitem(DATASETS, spec.id, spec)
    monkeypatch.delenv("ORDOJO_DATA", raising=False)
    return spec


@pytest.fixture
def loose(monkeypatch: pytest.MonkeyPatch) -> DatasetSpec:
    """A dataset on Hugging Face of which only a prefix of the revision is known."""
    source = DatasetSource("huggingface", "us/loose", "abc1234")
    files = (FileSpec("test", "data/test.csv", 2),)
    spec = DatasetSpec("loose@hf", "loose", ECONLOGICQA, source, "none", files)
    monkeypatch.setitem(DATASETS, spec.id, spec)
    monkeypatch.delenv("ORDOJO_DATA", raising=False)
    return spec


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """Both sources' host, on this machine."""
    host = Host()
    handler = type("ThisHandler", (Handler,), {"host": host})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        host.url = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setenv("ORDOJO_GITHUB_RAW", host.url)
        monkeypatch.setenv("ORDOJO_HF_ENDPOINT", host.url + "/")
        host.pages = {
            f"/us/toy/{'f00d' * 10}/dataset/dev.jsonl": DEV,
            f"/us/toy/{'f00d' * 10}/dataset/test.jsonl": TEST,
            "/api/datasets/us/loose/commits/main": json.dumps(
                [{"id": "9" * 40}, {"id": FULL_REVISION}]
            ).encode(),
            f"/datasets/us/loose/resolve/{FULL_REVISION}/data/test.csv": CSV,
        }
        yield host
        server.shutdown()
        thread.join()


@pytest.fixture
def published() -> Path:
    """The published datasets' folder."""
    if not (folder := os.environ.get("ORDOJO_DATA")):
        pytest.skip("$ORDOJO_DATA is not set")
    return Path(folder)
