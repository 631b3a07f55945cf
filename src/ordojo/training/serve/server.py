"""The server of OpenEnv sessions: sizes, times and sessions are bounded, faults are 4xx.

And who may call it: `Callers`, by the names in Host and Origin.
"""

import asyncio
import gc
import ipaddress
import json
import os
import pickle
import socket
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from uvicorn.protocols.http.h11_impl import H11Protocol

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.errors import UsageError
from ordojo.core.registry import get_benchmark
from ordojo.core.spread import end_with_parent, stays
from ordojo.evaluation.session import EvaluationSession
from ordojo.training.adapters.episodes import session_of as chatting
from ordojo.training.serve import meters

Headers = Iterable[tuple[bytes, bytes]]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Mapping[str, Any], Receive, Send], Awaitable[None]]

PATH = "/mcp"
CREATE, CLOSE = "openenv/session/create", "openenv/session/close"


@dataclass(frozen=True)
class Callers:
    """`allowed` are names of this server beside its own, and the origins of pages.

    A name ("serve.example.org") is answered to, whatever the port; an origin ("https://example.org")
    may ask from its pages. An address, localhost and a name without a dot, as a container has it,
    are always this server's: no page elsewhere has one. Requests without an Origin are no page's.
    """

    allowed: frozenset[str] = frozenset()

    def fault(self, headers: Headers) -> str:
        """Why a request is not taken, "" where it is."""
        told = {name.lower(): value.decode("latin-1") for name, value in headers}
        host = told.get(b"host", "")
        if host and not self._own(host):
            return f"this server is not called '{host[:100]}' and allows no such name"
        origin = told.get(b"origin")
        if origin is None or origin in self.allowed or _netloc(origin) == (host or None):
            return ""
        return f"pages of '{origin[:100]}' may not use this server, unless they are allowed"

    def _own(self, host: str) -> bool:
        name = _name(host)
        if name in self.allowed or "." not in name.removesuffix("."):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.endswith(".localhost")
        return True


def _netloc(origin: str) -> str:
    """Host and port of an origin; "" of what is none, such as "http://["."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _name(host: str) -> str:
    """A host without its port, lower case; an IPv6 address without brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


LARGEST = 4 * 1024 * 1024
"""Bytes of a message or a request's body; a longer one closes its session, or is answered 413."""
FIRST = 10.0
"""Seconds for a request to be sent whole, and for a session's first message."""


@dataclass(frozen=True)
class Bounds:
    """Sessions at once: in all and of one client's address; seconds without a message."""

    sessions: int = 64
    each: int = 64
    idle: float = 600.0


class PromptProtocol(H11Protocol):
    """A connection that must begin a request soon: one that says nothing is closed."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock."""
        super().connection_made(transport)
        self.loop.call_later(FIRST, self._close_if_silent)

    def _close_if_silent(self) -> None:
        # A connection that has become a WebSocket has its headers, and another protocol.
        if not self.headers:
            self.transport.close()


class Held:
    """Sessions that HTTP requests to /mcp open and close, each with its client and its timer.

    OpenEnv keeps such a session until it is closed by its id. Here each is counted, belongs to its
    client's share, and is closed when nothing has been said in it for too long. `clients` counts
    all sessions of each client; `idle` is in seconds.
    """

    def __init__(self, app: App, clients: Counter[str], idle: float) -> None:
        self._app, self._clients, self._idle = app, clients, idle
        self._owners: dict[str, str] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._speaking: Counter[str] = Counter()
        self._closing: set[asyncio.Task[None]] = set()

    def __contains__(self, session: str) -> bool:
        return session in self._owners

    async def ask(
        self, scope: Mapping[str, Any], body: bytes, asked: Message, client: str, send: Send
    ) -> None:
        """Pass a request to /mcp on, and note what it did to a session."""
        params = asked.get("params")
        named = str(params.get("session_id")) if isinstance(params, dict) else ""
        if named in self._owners:
            self._wait(named)
        if asked.get("method") == CREATE:
            await self._create(scope, body, client, send)
            return
        said = await self._exchange(scope, body, send)
        if asked.get("method") == CLOSE and said.get("closed", "session_id" in said):
            self._forget(named)

    async def _create(self, scope: Mapping[str, Any], body: bytes, client: str, send: Send) -> None:
        made = None
        self._take(client)  # before the answer: others may ask meanwhile
        try:
            made = (await self._exchange(scope, body, send)).get("session_id")
        finally:
            if made is None:
                self._give(client)
        if made is not None:
            self._owners[made] = client
            self._wait(made)

    def _take(self, client: str) -> None:
        self._clients[client] += 1
        meters.SESSIONS.inc()

    def _give(self, client: str) -> None:
        meters.SESSIONS.dec()
        self._clients[client] -= 1
        if not self._clients[client]:
            del self._clients[client]

    @contextmanager
    def counted(self, client: str) -> Iterator[None]:
        """A session of the client's, which ends with the block."""
        self._take(client)
        try:
            yield
        finally:
            self._give(client)

    @contextmanager
    def attached(self, session: str) -> Iterator[None]:
        """A connection speaks in the session: until it ends, the connection's own clock holds."""
        self._speaking[session] += 1
        if timer := self._timers.pop(session, None):
            timer.cancel()
        try:
            yield
        finally:
            self._speaking[session] -= 1
            self._wait(session)

    def _wait(self, session: str) -> None:
        if old := self._timers.pop(session, None):
            old.cancel()
        if self._speaking[session] or session not in self._owners:
            return
        del self._speaking[session]
        loop = asyncio.get_running_loop()
        self._timers[session] = loop.call_later(self._idle, self._end, session)

    def _end(self, session: str) -> None:
        task = asyncio.ensure_future(self._close(session))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _close(self, session: str) -> None:
        request = {"jsonrpc": "2.0", "id": 0, "method": CLOSE, "params": {"session_id": session}}
        app: Any = self._app
        here = httpx.ASGITransport(app)
        meters.REFUSED.labels("IDLE").inc()
        try:
            async with httpx.AsyncClient(transport=here, base_url="http://localhost") as client:
                await client.post(PATH, json=request)
        finally:
            self._forget(session)

    def _forget(self, session: str) -> None:
        if timer := self._timers.pop(session, None):
            timer.cancel()
        client = self._owners.pop(session, None)
        if client is not None:
            self._give(client)

    async def _exchange(self, scope: Mapping[str, Any], body: bytes, send: Send) -> Message:
        """Have the application answer; the answer's `result`, empty where there is none."""
        parts: list[bytes] = []

        async def gone() -> Message:
            return {"type": "http.disconnect"}

        async def heard(message: Message) -> None:
            parts.append(message.get("body", b""))
            await send(message)

        await self._app(scope, _replay(body, gone), heard)
        try:
            result = json.loads(b"".join(parts)).get("result")
        except (ValueError, AttributeError):
            return {}
        return result if isinstance(result, dict) else {}


class Gate:
    """An ASGI application before another one: every route passes here, and no session is beside."""

    def __init__(self, app: App, bounds: Bounds, callers: Callers | None = None) -> None:
        self._app, self._bounds, self._callers = app, bounds, callers or Callers()
        self._requests = 0
        self._clients: Counter[str] = Counter()
        self._held = Held(app, self._clients, bounds.idle)

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request, or carry a session."""
        stranger = self._callers.fault(scope.get("headers", ()))
        if stranger and scope["type"] == "http":
            await refuse(send, 403, stranger)
        elif stranger and scope["type"] == "websocket":
            meters.REFUSED.labels("403").inc()
            await receive()
            # Before it is accepted, this is an answer 403.
            await send({"type": "websocket.close", "code": 1008, "reason": stranger[:100]})
        elif scope["type"] == "http" and scope["path"] == "/metrics":
            await answer(send, 200, *meters.exposition())
        elif scope["type"] == "http" and scope["path"] == "/health":
            # Past the bounds: a server that is full is well.
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._session(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        if self._requests >= self._bounds.sessions:
            await refuse(send, 503, "the server has as many requests as it takes; try again")
            return
        self._requests += 1
        try:
            async with asyncio.timeout(FIRST):
                body = await _body(scope, receive)
            calling = scope["path"] == PATH and scope["method"] == "POST"
            if problem := body and fault(body):
                if calling and problem == _NO_OBJECT:
                    await _invalid(send, -32600, problem)
                else:
                    await refuse(send, 400, problem)
                return
            if calling and body:
                await self._mcp(scope, body, send)
                return
            await self._app(scope, _replay(body, receive), send)
        except TimeoutError:
            await refuse(send, 408, f"the request was not sent within {FIRST:.0f} s")
        except _TooLargeError:
            await refuse(send, 413, f"a request has at most {LARGEST} bytes")
        except _GoneError:
            return
        finally:
            self._requests -= 1

    async def _mcp(self, scope: Mapping[str, Any], body: bytes, send: Send) -> None:
        client = _client(scope)
        try:
            asked = json.loads(body)
        except ValueError:  # the protocol has an answer to what is no JSON
            asked = {}
        params = asked.get("params")
        named = params.get("session_id") if isinstance(params, dict) else None
        if isinstance(named, list | dict):  # the protocol looks it up, and answers 500
            told = asked.get("id")
            told = told if isinstance(told, str | int) else None
            await _invalid(send, -32602, "params.session_id is a text", told)
            return
        if asked.get("method") == CREATE and self._clients[client] >= self._bounds.each:
            await refuse(send, 429, f"{client} has {self._bounds.each} sessions")
            return
        await self._held.ask(scope, body, asked, client, send)

    async def _session(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("session_id", [""])
        if asked[0] in self._held:
            # It is counted since it was opened.
            with self._held.attached(asked[0]):
                await self._carry(scope, receive, send)
            return
        client = _client(scope)
        if self._clients[client] >= self._bounds.each:
            await receive()
            await send({"type": "websocket.accept"})
            await _tell(send, f"{client} has {self._bounds.each} sessions", "CAPACITY_REACHED")
            await send({"type": "websocket.close", "code": 1013})
            return
        with self._held.counted(client):
            await self._carry(scope, receive, send)

    async def _carry(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        told = False

        async def next_message() -> Message:
            nonlocal told
            while True:
                try:
                    async with asyncio.timeout(self._bounds.idle if told else FIRST):
                        message = await receive()
                except TimeoutError:
                    await _tell(send, "nothing was said for too long", "SESSION_ERROR")
                    return {"type": "websocket.disconnect", "code": 1001}
                if message["type"] != "websocket.receive":
                    return message
                told = True
                text = message.get("text")
                problem = "a message is a text" if text is None else fault(text)
                if not problem:
                    return message
                await _tell(send, problem, "VALIDATION_ERROR")

        await self._app(scope, next_message, send)


def _client(scope: Mapping[str, Any]) -> str:
    return str((scope.get("client") or [""])[0])


class _TooLargeError(Exception):
    """A body has too many bytes."""


class _GoneError(Exception):
    """The client left."""


async def _body(scope: Mapping[str, Any], receive: Receive) -> bytes:
    """The whole body, small as it is; a length that is announced is believed at once."""
    length = dict(scope["headers"]).get(b"content-length", b"0")
    if int(length) > LARGEST:
        raise _TooLargeError
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _GoneError
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > LARGEST:
            raise _TooLargeError
        more = message.get("more_body", False)
    return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    left = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return left.pop() if left else await receive()

    return again


def fault(text: str | bytes) -> str:
    """Why a message cannot be handled, "" if it can; what is no JSON is left to the protocol."""
    try:
        found = json.loads(text)
        # Texts with half a character, which no answer could repeat.
        json.dumps(found, ensure_ascii=False).encode()
    except RecursionError:
        return "the message is nested too deep"
    except UnicodeError:
        return "the message is not Unicode: it is not UTF-8, or has half of a surrogate pair"
    except ValueError:
        return ""
    return "" if isinstance(found, dict) else _NO_OBJECT


_NO_OBJECT = "a message is a JSON object"


async def _tell(send: Send, message: str, code: str) -> None:
    meters.REFUSED.labels(code).inc()
    text = json.dumps({"type": "error", "data": {"message": message, "code": code}})
    await send({"type": "websocket.send", "text": text})


async def refuse(send: Send, status: int, detail: str) -> None:
    """Why a request is not taken, as a whole answer over HTTP."""
    meters.REFUSED.labels(str(status)).inc()
    await answer(send, status, "application/json", json.dumps({"detail": detail}).encode())


async def _invalid(send: Send, code: int, message: str, asked: str | int | None = None) -> None:
    """An error of JSON-RPC, under status 200 as the protocol's others."""
    meters.REFUSED.labels(str(code)).inc()
    said = {"jsonrpc": "2.0", "id": asked, "error": {"code": code, "message": message}}
    await answer(send, 200, "application/json", json.dumps(said).encode())


async def answer(send: Send, status: int, kind: str, body: bytes) -> None:
    """A whole answer over HTTP."""
    headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body))]
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def add_handlers(app: Any) -> None:
    """Have a FastAPI application answer bad requests with 4xx and one sentence."""
    from fastapi.exceptions import RequestValidationError
    from starlette.exceptions import HTTPException
    from starlette.responses import JSONResponse

    async def refused(request: Any, error: Any) -> Any:
        if isinstance(error, RequestValidationError):
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            return JSONResponse({"detail": f"{where}: {first['msg']}"}, 422)
        if isinstance(error, HTTPException):
            # A detail may quote what JSON cannot hold, such as an infinite number.
            return JSONResponse({"detail": str(error.detail)[:1000]}, error.status_code)
        return JSONResponse({"detail": str(error)}, 400)

    for kind in (RequestValidationError, HTTPException, UsageError):
        app.add_exception_handler(kind, refused)


SETTINGS = "ORDOJO_SERVE"
"""The environment variable by which worker processes know what to serve."""
SWITCH = 5e-4
"""Seconds after which a thread that computes lets another go on: answers wait no longer."""
SHUTDOWN = 2
"""Seconds that sessions have to end when the server is told to, less than the command has."""


def session_of(
    benchmark: str | AnyBenchmark,
    settings: Mapping[str, str],
    seed: int = 0,
    limit: int | None = None,
) -> EvaluationSession:
    """What is served; raises DataError and UsageError before a port is opened."""
    session = chatting(get_benchmark(benchmark), settings, seed, limit)
    if not session.instances:
        raise UsageError(f"{session.benchmark.name}: there are no instances to serve")
    return session


def application(
    session: EvaluationSession,
    sessions: int = 64,
    client_sessions: int | None = None,
    idle: float = 600.0,
    allow: Sequence[str] = (),
) -> Any:
    """The ASGI application; `allow` are names and origins as `Callers` has them."""
    from ordojo.training.serve.environment import (
        EpisodeState,
        Pace,
        Served,
        TextAction,
        TextObservation,
        create_fastapi_app,
    )

    turn, pace = count(), Pace(sessions)
    app = create_fastapi_app(
        lambda: Served(session, turn, pace),
        TextAction,
        TextObservation,
        max_concurrent_envs=sessions,
        env_name=session.benchmark.name,
        state_cls=EpisodeState,
    )
    add_handlers(app)
    return Gate(app, Bounds(sessions, client_sessions or sessions, idle), Callers(frozenset(allow)))


def from_environment() -> Any:
    """The application that the settings in the environment ask for (in a worker process)."""
    end_with_parent()
    meters.forget_dead()
    asked, bounds = pickle.loads(bytes.fromhex(os.environ[SETTINGS]))
    app = application(session_of(**asked), **bounds)
    _settle()
    return app


def serve(
    host: str,
    port: int,
    workers: int,
    asked: Mapping[str, Any],
    bounds: Mapping[str, Any],
    begins: Callable[[], None],
) -> None:
    """Serve what `session_of` is asked for until interrupted; the workers share the port.

    `begins` is called when nothing can be refused any more. Each worker has as many sessions of its
    own as `bounds`, which `application` takes, says. Raises DataError and UsageError for what
    cannot be served, before the port is opened.
    """
    import uvicorn

    _check_free(host, port)
    session = session_of(**asked)
    begins()
    options: dict[str, Any] = {
        "host": host,
        "port": port,
        "log_level": "warning",
        "ws_max_size": LARGEST,
        "ws_per_message_deflate": False,
        "http": PromptProtocol,
        "timeout_graceful_shutdown": SHUTDOWN,
    }
    if workers == 1:
        app = application(session, **bounds)
        interval = sys.getswitchinterval()
        _settle()
        try:
            uvicorn.run(app, **options)
        finally:
            gc.unfreeze()
            sys.setswitchinterval(interval)
        return
    try:
        os.environ[SETTINGS] = pickle.dumps((asked, bounds)).hex()
    except Exception as error:  # pickle raises whatever an object's own methods do
        raise stays(error) from None
    name = "ordojo.training.serve.server:from_environment"
    with meters.share():
        uvicorn.run(name, factory=True, workers=workers, **options)


def _settle() -> None:
    """Set this process up to answer many sessions soon."""
    sys.setswitchinterval(SWITCH)
    # The collector would stop all sessions, again and again, to look at what is here to stay.
    gc.collect()
    gc.freeze()


def _check_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            raise UsageError(
                f"cannot listen at {host}:{port}: {error}; choose another `port` or `host`"
            ) from None
