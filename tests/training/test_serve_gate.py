"""What `ordojo serve` takes of its clients, and what it answers to what it does not take."""

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from perf.malformed_http import ask, run
from perf.serve import running
from prometheus_client import REGISTRY
from websockets.asyncio.client import connect

from ordojo.training.serve import server
from ordojo.training.serve.server import LARGEST, Bounds, Callers, Gate
from tests import needs

pytestmark = needs("openenv", "serve")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running("or-debug", "--limit", "3", "--sessions", "8") as (found, _):
        yield found


def post(path: str, body: bytes, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {size}\r\nConnection: close\r\n\r\n".encode() + body


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (post("/reset", b'{"index": 1}'), "200"),
        (post("/reset", b'{"index": 99}'), "400"),
        (post("/reset", b'{"index": -1}'), "400"),
        (post("/reset", b'{"index": "one"}'), "400"),
        (post("/reset", b'{"instance_id": "nobody"}'), "400"),
        (post("/step", b'{"action": {"text": "SUBMIT"}}'), "400"),
        (post("/step", b'{"action": {"text": 1e999}}'), "422"),
        (post("/step", b'{"action": {"text": "\\ud800"}}'), "400"),
        (post("/reset", b"[" * 100_000), "400"),
        (post("/reset", b"", 60_000_000), "413"),
        (post("/reset", b"x" * (LARGEST + 1)), "413"),
        (post("/or-debug/task", b'{"split": "served", "index": -1}'), "400"),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * 100_000, "400"),
    ],
)
def test_bad_requests_are_answered_with_4xx(port: int, data: bytes, status: str) -> None:
    assert asyncio.run(ask(port, data, closing=False)) == status


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ([], -32600),
        ([{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}], -32600),
        (5, -32600),
        (None, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"session_id": ["a"]}}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"session_id": {}}}, -32602),
    ],
)
def test_what_is_no_request_of_mcp_is_answered_as_the_protocol_does(
    port: int, body: Any, code: int
) -> None:
    with urlopen(Request(f"http://127.0.0.1:{port}/mcp", json.dumps(body).encode())) as answer:
        said = json.loads(answer.read())
    assert (said["error"]["code"], said["id"]) == (code, body["id"] if code == -32602 else None)


def test_refusals_are_counted() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError

    def refused() -> float:
        return REGISTRY.get_sample_value("ordojo_refused_total", {"why": "413"}) or 0

    async def nothing() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    before, heard = refused(), _Heard()
    headers = [(b"content-length", b"%d" % (LARGEST + 1))]
    scope = {"type": "http", "path": "/reset", "headers": headers}
    asyncio.run(Gate(app, Bounds())(scope, nothing, heard))
    assert heard.sent[0]["status"] == 413 and refused() == before + 1


def test_a_sample_of_malformed_requests(port: int) -> None:
    told, faults = asyncio.run(run(port, 60, seed=11))
    assert not faults and told["websocket talked"] > 5  # of some 20, by who comes first


async def _silent() -> dict[str, Any]:
    await asyncio.sleep(60)
    return {}


class _Heard:
    """The sending side of an ASGI connection."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    async def __call__(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    def codes(self) -> list[str]:
        texts = [m["text"] for m in self.sent if m["type"] == "websocket.send"]
        return [json.loads(text)["data"]["code"] for text in texts]


SOCKET = {"type": "websocket", "client": ("10.0.0.1", 5)}


def test_a_session_that_says_nothing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "FIRST", 0.05)
    ended: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        ended.append((await receive())["type"])
        ended.append((await receive())["type"])

    heard, messages = _Heard(), [{"type": "websocket.receive", "text": '{"type": "state"}'}]

    async def once() -> dict[str, Any]:
        return messages.pop() if messages else await _silent()

    asyncio.run(Gate(app, Bounds(idle=0.05))(SOCKET, once, heard))
    assert ended == ["websocket.receive", "websocket.disconnect"]
    asyncio.run(Gate(app, Bounds(idle=60))(SOCKET, _silent, heard))
    assert ended[2:] == ["websocket.disconnect"] * 2
    assert set(heard.codes()) == {"SESSION_ERROR"}


def test_one_client_does_not_keep_others_out() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()

    async def connected() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def held() -> list[list[str]]:
        guard = Gate(app, Bounds(sessions=64, each=2))
        tasks = [asyncio.create_task(guard(SOCKET, _silent, _Heard())) for _ in range(2)]
        await asyncio.sleep(0.01)
        late, other = _Heard(), _Heard()
        await guard(SOCKET, connected, late)
        await guard({**SOCKET, "client": ("10.0.0.2", 5)}, connected, other)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        again = _Heard()
        await guard(SOCKET, connected, again)
        return [late.codes(), other.codes(), again.codes()]

    assert asyncio.run(held()) == [["CAPACITY_REACHED"], [], []]


def test_a_full_server_answers_503() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(60)

    async def empty() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def asked() -> int:
        guard = Gate(app, Bounds(sessions=1))
        scope = {"type": "http", "path": "/reset", "headers": []}
        task = asyncio.create_task(guard(scope, empty, _Heard()))
        await asyncio.sleep(0.01)
        late = _Heard()
        await guard(scope, empty, late)
        task.cancel()
        return int(late.sent[0]["status"])

    assert asyncio.run(asked()) == 503


EVIL = {"Origin": "http://evil.example"}


def http(port: int, path: str, body: dict[str, Any] | None = None, **headers: str) -> Any:
    """The status and the JSON of an answer."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"http://127.0.0.1:{port}{path}", data, headers)
    try:
        with urlopen(request, timeout=20) as answer:
            text = answer.read()
            return answer.status, text.decode() if path == "/metrics" else json.loads(text)
    except HTTPError as error:
        return error.code, json.loads(error.read())


def rpc(method: str, **params: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": f"openenv/session/{method}", "params": params}


@pytest.mark.parametrize(
    ("headers", "taken"),
    [
        ({}, True),
        ({"Host": "127.0.0.1"}, True),
        ({"Host": "[::1]:80"}, True),
        ({"Host": "ordojo-serve:8000"}, True),
        ({"Host": "other.example:80"}, True),
        ({"Origin": "https://app.example"}, True),
        ({"Host": "evil.example"}, False),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, False),
        (EVIL, False),
        ({"Origin": "null"}, False),
        ({"Origin": "http://["}, False),
        ({"Origin": "http://127.0.0.1:1"}, False),
        ({"Host": "127.0.0.1.evil.example"}, False),
    ],
)
def test_every_route_asks_who_is_calling(headers: dict[str, str], taken: bool) -> None:
    passed: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        passed.append(scope["path"])

    async def heard() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    callers = Callers(frozenset({"other.example", "https://app.example"}))
    told = [(k.lower().encode(), v.encode()) for k, v in headers.items()]
    paths = ["/health", "/reset", "/step", "/mcp", "/ws", "/docs", "/or-debug/tasks"]
    scopes = [
        {"type": kind, "path": path, "method": "GET", "headers": told}
        for kind in ("http", "websocket")
        for path in paths
    ]

    async def run() -> list[Any]:
        gate, sent = Gate(app, Bounds(), callers), []
        for scope in scopes:
            sink = _Heard()
            await gate(scope, heard, sink)
            sent += sink.sent
        return sent

    sent = asyncio.run(run())
    assert passed == (paths * 2 if taken else [])
    if not taken:
        starts = [m["status"] for m in sent if m["type"] == "http.response.start"]
        assert starts == [403] * len(paths)
        assert [m["code"] for m in sent if m["type"] == "websocket.close"] == [1008] * len(paths)


@pytest.fixture(scope="module")
def strict() -> Iterator[int]:
    """A server of two sessions a client, which end when nothing is said in them for a second."""
    words = ["--limit", "3", "--sessions", "8", "--client-sessions", "2", "--idle", "1"]
    with running("or-debug", *words) as (found, _):
        yield found


def opened(port: int) -> float:
    _, text = http(port, "/metrics")
    (line,) = [one for one in text.splitlines() if one.startswith("ordojo_sessions ")]
    return float(line.split()[1])


def create(port: int) -> str:
    return str(http(port, "/mcp", rpc("create"))[1]["result"]["session_id"])


def test_sessions_over_mcp_are_counted_bounded_and_ended(strict: int) -> None:
    plain = {"Content-Type": "text/plain"}
    for _ in range(8):
        assert http(strict, "/mcp", rpc("create"), **plain, **EVIL)[0] == 403
    assert opened(strict) == 0
    names = [create(strict) for _ in range(2)]
    assert opened(strict) == 2
    status, said = http(strict, "/mcp", rpc("create"))
    assert status == 429 and "has 2 sessions" in said["detail"]
    assert http(strict, "/mcp", rpc("close", session_id=names[0]))[1]["result"]["closed"]
    assert opened(strict) == 1
    time.sleep(1.5)
    assert opened(strict) == 0, "nothing was said in it for a second"
    unknown = http(strict, "/mcp", rpc("close", session_id=names[1]))[1]
    assert "Unknown session_id" in str(unknown)
    assert http(strict, "/mcp", rpc("close", session_id=create(strict)))[1]["result"]["closed"]


def test_a_connection_may_speak_in_a_session_of_mcp(strict: int) -> None:
    async def talk(name: str) -> str:
        async with connect(f"ws://127.0.0.1:{strict}/ws?session_id={name}") as channel:
            for _ in range(3):
                await channel.send('{"type": "reset", "data": {"index": 0}}')
                said = json.loads(await channel.recv())
                await asyncio.sleep(0.6)
        return str(said["type"])

    # Of the two that a client may have, so that no connection beside them would be taken.
    _, name = create(strict), create(strict)
    assert asyncio.run(talk(name)) == "observation"
    time.sleep(1.5)
    assert "Unknown" in str(http(strict, "/mcp", rpc("close", session_id=name)))
