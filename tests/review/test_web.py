import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from ordojo.core.errors import UsageError
from ordojo.review import ReviewQueue
from ordojo.review.local import ReviewServer


@contextmanager
def serving(path: Path, **options: Any) -> Iterator[ReviewServer]:
    with ReviewQueue.open(path, write=True) as queue:
        server = ReviewServer(queue, "ann", **options)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.close()
            thread.join()


def ask(
    server: ReviewServer, path: str, body: object = None, **headers: str
) -> tuple[int, http.client.HTTPMessage, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    method = "GET" if body is None else "POST"
    sent = {"Content-Type": "application/json"} | {
        k.replace("_", "-"): v for k, v in headers.items()
    }
    data = body if isinstance(body, str) else json.dumps(body)
    connection.request(method, path, None if body is None else data, sent)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


def test_the_page_asks_nobody_else(folder: Path) -> None:
    with serving(folder) as server:
        assert server.url.startswith("http://127.0.0.1:")
        status, headers, page = ask(server, urlsplit(server.url).path)
    policy = headers["Content-Security-Policy"]
    nonce = policy.split("'nonce-")[1].split("'")[0]
    assert status == 200
    assert "default-src 'none'" in policy
    assert page.count(f'nonce="{nonce}"') == 2
    assert "://" not in page


def test_decisions_are_stored_before_the_answer(folder: Path) -> None:
    with serving(folder) as server:
        base = urlsplit(server.url).path
        status, _, text = ask(server, base + "api/queue")
        loaded = json.loads(text)
        assert status == 200
        assert [item["id"] for item in loaded["items"]] == ["q1", "q2", "q3"]
        assert "data" not in loaded["items"][0]
        decision = {"item": "q1", "kind": "reject", "reason": "other", "comment": "dull"}
        status, _, text = ask(server, base + "api/decide", decision)
        assert (status, json.loads(text)["latest"]) == (200, "q1")
        # As if the server had been killed now: the file alone is read.
        with ReviewQueue.open(folder) as reader:
            stored = reader.current("q1")
        assert stored is not None and (stored.reviewer, stored.comment) == ("ann", "dull")
        ask(server, base + "api/decide", {"item": "q1", "kind": "reopen"})
        assert json.loads(ask(server, base + "api/queue")[2])["states"]["q1"] is None


@pytest.mark.parametrize(
    "body",
    [
        "no json",
        [],
        {"item": "q1", "kind": "destroy"},
        {"item": "q9", "kind": "accept"},
        {"item": "q1", "kind": "reject", "reason": "none"},
        {"item": "q1", "kind": "edit", "fields": ["x"]},
        {"item": "q1", "kind": "edit", "fields": {"Question": 1}},
        {"item": "q1", "kind": "label", "parts": "x"},
    ],
)
def test_garbage_is_refused_in_words(folder: Path, body: object) -> None:
    with serving(folder) as server:
        status, _, text = ask(server, urlsplit(server.url).path + "api/decide", body)
    assert status == 400
    assert json.loads(text)["error"]
    assert (folder / "decisions.jsonl").read_bytes() == b""


def test_strangers_are_refused(folder: Path) -> None:
    with serving(folder) as server:
        base = urlsplit(server.url).path
        decide, accept = base + "api/decide", {"item": "q1", "kind": "accept"}
        for path in ("/", "/api/queue", "/" + "x" * 43 + "/", base.rstrip("/"), "*"):
            assert ask(server, path)[0] == 403, path
        for headers in (
            {"Host": "evil.example"},
            {"Host": f"evil.example:{server.port}"},
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Origin": f"https://127.0.0.1:{server.port}"},
        ):
            assert ask(server, base, **headers)[0] == 403, headers
            assert ask(server, decide, accept, **headers)[0] == 403, headers
        assert ask(server, decide, accept, Content_Type="text/plain")[0] == 400
        assert ask(server, decide, accept, Content_Length="99999999")[0] == 400
        assert ask(server, base + "nothing")[0] == 404
        assert (folder / "decisions.jsonl").read_bytes() == b""
        assert ask(server, decide, accept, Origin=f"http://127.0.0.1:{server.port}")[0] == 200


def test_every_server_has_its_own_token_and_a_queue_its_own_port(folder: Path) -> None:
    with serving(folder) as first:
        with (
            ReviewQueue.open(folder) as reader,
            pytest.raises(UsageError, match=f"cannot serve on port {first.port}"),
        ):
            ReviewServer(reader, "bob", port=first.port)
        token, port = first.token, first.port
    with serving(folder) as second:
        assert second.token != token
        assert second.port == port
    with ReviewQueue.open(folder) as reader:
        ReviewServer(reader, "bob").close()
