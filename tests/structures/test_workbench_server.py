"""The workbench's server: what it takes, and from whom."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from ordojo.structures.workbench import WorkbenchServer

from ..review.test_web import ask
from .workbench_toys import serving


def get(server: WorkbenchServer, path: str) -> Any:
    status, _, text = ask(server, urlsplit(server.url).path + path)
    assert status == 200, text
    return json.loads(text)


def post(server: WorkbenchServer, path: str, body: object, **headers: str) -> tuple[int, Any]:
    status, _, text = ask(server, urlsplit(server.url).path + path, body, **headers)
    server.session.wait()
    return status, json.loads(text)


def test_edits_undo_and_export_over_the_wire(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        base = urlsplit(server.url).path
        _, headers, page = ask(server, base)
        nonce = headers["Content-Security-Policy"].split("'nonce-")[1].split("'")[0]
        assert page.count(f'nonce="{nonce}"') == 2 and "://" not in page
        model = get(server, "api/model")
        assert model["ready"] and model["status"]["exact"] is True
        version = model["status"]["version"]
        status, _ = post(server, "api/edit", {"kind": "merge", "of": ["f0", "f1"]})
        assert status == 200
        after = get(server, "api/status")
        assert (after["edits"], after["undo"], after["exact"]) == (1, "merge 2 families", True)
        assert after["version"] > version
        assert get(server, "api/item/f0")["size"] == 6
        assert post(server, "api/undo", {})[0] == 200
        assert len(get(server, "api/model")["families"]) == 2
        assert post(server, "api/redo", {})[0] == post(server, "api/export", {})[0] == 200
        exported = get(server, "api/status")["exported"]
        assert exported["exact"] and (Path(exported["folder"]) / "instance.json").is_file()


def test_bad_requests_say_why_and_store_nothing(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        base = urlsplit(server.url).path
        journal = tmp_path / "bench" / "edits.jsonl"
        stored = journal.read_bytes()
        for body in ("no json", [], {"kind": "merge", "of": "f0"}, "[" * 100_000):
            status, said = post(server, "api/edit", body)
            assert status == 400 and said["error"]
        assert post(server, "api/undo", {})[1]["error"] == "there is nothing to undo"
        assert post(server, "api/nothing", {})[0] == 400
        assert ask(server, base + "api/item/g9")[0] == ask(server, base + "api/nothing")[0] == 404
        assert journal.read_bytes() == stored


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}]
)
def test_strangers_are_refused(tmp_path: Path, headers: dict[str, str]) -> None:
    with serving(tmp_path) as server:
        for path in ("api/edit", "api/undo", "api/export"):
            assert post(server, path, {"kind": "merge", "of": ["g0", "g1"]}, **headers)[0] == 403
        assert ask(server, urlsplit(server.url).path + "api/model", **headers)[0] == 403
        assert ask(server, "/api/model")[0] == ask(server, "/x/api/status")[0] == 403
        assert get(server, "api/status")["edits"] == 0


def test_one_edit_at_a_time_while_the_page_stays_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    from ordojo.structures.workbench import session as module

    go = threading.Event()
    real = module.base

    def slow(*arguments: Any) -> Any:
        go.wait(20)
        return real(*arguments)

    with serving(tmp_path) as server:
        monkeypatch.setattr(module, "base", slow)
        path = urlsplit(server.url).path + "api/edit"
        assert ask(server, path, {"kind": "merge", "of": ["g0", "g1"]})[0] == 200
        assert get(server, "api/status")["busy"]
        assert len(get(server, "api/model")["groups"]) == 3  # what was before, meanwhile
        status, _, said = ask(server, path, {"kind": "merge", "of": ["g0", "g2"]})
        assert status == 400 and "still working" in said
        go.set()
        server.session.wait()
        assert len(get(server, "api/model")["groups"]) == 2
