"""An exported folder goes to a hub, here one of ours, and a wrong token is said."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ordojo.datasets.export import export

pytest.importorskip("huggingface_hub")


class Hub(BaseHTTPRequestHandler):
    """As much of the hub as an upload asks: a repository, what to send how, and the commit."""

    files: list[str]

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        home = f"http://{self.headers['host']}/datasets/me/ours"
        body = self.rfile.read(int(self.headers["content-length"] or 0))
        if self.headers["authorization"] != "Bearer right":
            return self._say(401, {"error": "Invalid credentials"})
        if self.path == "/api/repos/create":
            assert "private" in body.decode()
            return self._say(200, {"url": home})
        if "/preupload/" in self.path:
            asked = json.loads(body)["files"]
            told = [{"path": one["path"], "uploadMode": "regular"} for one in asked]
            return self._say(200, {"files": [{**one, "shouldIgnore": False} for one in told]})
        if "/commit/" not in self.path:
            return self._say(200, {"errors": [], "warnings": []})
        rows = [json.loads(line) for line in body.splitlines()]
        self.files.extend(row["value"]["path"] for row in rows if row["key"] == "file")
        self._say(200, {"commitUrl": f"{home}/commit/1", "commitOid": "1"})

    def do_GET(self) -> None:
        self._say(200, {"_id": "1", "id": "me/ours", "sha": "0" * 40, "siblings": []})

    def _say(self, status: int, value: dict[str, object]) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    Hub.files = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    yield Hub.files
    server.shutdown()
    server.server_close()


def pushed(out: Path, token: str) -> tuple[str, str]:
    """What a process of its own prints: the hub's library reads its address when it is loaded."""
    call = f"from pathlib import Path; print(push(Path({str(out)!r}), 'me/ours'))"
    words = [sys.executable, "-c", f"from ordojo.datasets.export import push; {call}"]
    environment = {**os.environ, "HF_TOKEN": token}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120)
    return done.stdout.strip(), done.stderr


def test_the_folder_arrives_whole(hub: list[str], tmp_path: Path) -> None:
    out = export("orqa@ordojo", tmp_path / "out", "hf")
    _, said = pushed(out, "wrong")
    assert re.search(r"DataError: the hub refused me/ours: .*401.*can be pushed again", said)
    assert not hub and (out / "README.md").exists()
    address, _ = pushed(out, "right")
    assert address.endswith("me/ours")
    assert sorted(hub) == sorted(str(p.relative_to(out)) for p in out.rglob("*") if p.is_file())
