"""Sessions that HTTP requests to /mcp open and close, which no connection ends.

OpenEnv keeps such a session until it is closed by its id. Here each is counted, belongs to its
client's share, and is closed when nothing has been said in it for too long.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx

from ordojo.training.serve import meters

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Mapping[str, Any], Receive, Send], Awaitable[None]]

PATH = "/mcp"
CREATE, CLOSE = "openenv/session/create", "openenv/session/close"


class Held:
    """The sessions by id, each with its client and the timer that ends it.

    `clients` counts all sessions of each client; `idle` is in seconds.
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
        left = [{"type": "http.request", "body": body, "more_body": False}]
        parts: list[bytes] = []

        async def once() -> Message:
            return left.pop() if left else {"type": "http.disconnect"}

        async def heard(message: Message) -> None:
            parts.append(message.get("body", b""))
            await send(message)

        await self._app(scope, once, heard)
        try:
            result = json.loads(b"".join(parts)).get("result")
        except (ValueError, AttributeError):
            return {}
        return result if isinstance(result, dict) else {}
