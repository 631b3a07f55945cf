"""Malformed requests over HTTP and WebSocket: no 5xx but 503, no hang, and the server lives on.

`python -m perf.malformed_http --requests 300` starts `ordojo serve or-debug` and sends it requests
and messages that are changed at random (of a seed), among them half sent and too large ones.
"""

import argparse
import asyncio
import json
import random
import sys
from collections import Counter
from contextlib import suppress
from typing import Any

from perf.malformed import VALUES, change_bytes, change_value

PATIENCE = 20
BODIES: dict[str, tuple[str, Any]] = {
    "/reset": ("POST", {"index": 1, "seed": 3, "episode_id": "e", "instance_id": None}),
    "/step": ("POST", {"action": {"text": "SUBMIT"}, "timeout_s": 3}),
    "/state": ("GET", None),
    "/schema": ("GET", None),
    "/health": ("GET", None),
    "/metrics": ("GET", None),
    "/metadata": ("GET", None),
    "/mcp": ("POST", {"jsonrpc": "2.0", "method": "tools/list", "params": {"x": 1}, "id": 1}),
    "/or-debug/splits": ("GET", None),
    "/or-debug/tasks": ("POST", {"split": {"name": "served", "type": "test"}}),
    "/or-debug/num_tasks": ("POST", {"split": "served"}),
    "/or-debug/task": ("POST", {"split": "served", "index": 0}),
    "/or-debug/task_range": ("POST", {"split": "served", "start": 0, "stop": 2}),
    "/nowhere": ("GET", None),
}
MESSAGES: tuple[Any, ...] = (
    {"type": "reset", "data": {"index": 1, "seed": 3, "instance_id": None}},
    {"type": "step", "data": {"text": "SUBMIT"}},
    {"type": "state"},
    {"type": "mcp", "data": {"jsonrpc": "2.0", "method": "tools/list", "id": 1}},
    {"type": "close"},
)


def changed(value: Any, chance: random.Random) -> bytes:
    """A body or a message, changed as a value or as bytes."""
    data = json.dumps(value).encode()
    if chance.random() < 0.4:
        return change_bytes(data, chance)
    try:
        return json.dumps(change_value(json.loads(data), chance)).encode()
    except (IndexError, TypeError):
        return json.dumps(chance.choice(VALUES)).encode()


def request(chance: random.Random) -> bytes:
    """The bytes of a request."""
    path = chance.choice(list(BODIES))
    method, value = BODIES[path]
    body = b"" if value is None else changed(value, chance)
    length: Any = len(body)
    kind = chance.randrange(14)
    if kind == 0:
        length = chance.choice([-1, "x", 10**30, 60_000_000, length + 50, "", "1, 2"])
    elif kind == 1:
        body = b"x" * 6_000_000
        length = len(body)
    elif kind == 2:
        method = chance.choice(["DELETE", "PATCH", "OPTIONS", "CONNECT", "X", "get"])
    elif kind == 3:
        path = chance.choice(
            ["/" + "a" * 80_000, "/%00", "/\udcff", "//", "/../..", "/ws", "/?" * 9]
        )
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n"
    if kind == 4:
        head += "X: " + "y" * 100_000 + "\r\n"
    if kind == 5:
        head = head.replace(f"Content-Length: {length}", "Transfer-Encoding: chunked")
    if kind != 6:
        head += "Content-Type: application/json\r\n"
    whole = head.encode("utf-8", "surrogateescape") + b"Connection: close\r\n\r\n" + body
    return change_bytes(whole, chance) if kind == 7 else whole


async def ask(port: int, data: bytes, closing: bool) -> str:
    """The status of the answer, "closed" where the server hangs up without one."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(data)
        if closing:
            writer.write_eof()
        line = await asyncio.wait_for(reader.readline(), PATIENCE)
        return line.split()[1].decode() if line.startswith(b"HTTP/") else "closed"
    except (ConnectionError, OSError):
        return "closed"
    except TimeoutError:
        return "hang"
    finally:
        writer.close()
        # The server may have hung up first.
        with suppress(OSError):
            await writer.wait_closed()


async def talk(port: int, chance: random.Random) -> str:
    """A session of a few messages; what became of it."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed

    try:
        async with connect(f"ws://127.0.0.1:{port}/ws", close_timeout=2) as channel:
            for _ in range(4):
                data = changed(chance.choice(MESSAGES), chance)
                text = data if chance.random() < 0.1 else data.decode("utf-8", "replace")
                await channel.send(text)
                answer = await asyncio.wait_for(channel.recv(), PATIENCE)
                json.loads(answer)
        return "talked"
    except ConnectionClosed as error:
        code = error.rcvd.code if error.rcvd else 1006
        return "closed" if code in (1000, 1001, 1006, 1009, 1013) else f"close code {code}"
    except TimeoutError:
        return "hang"


async def run(port: int, count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Send so many requests and sessions, twenty at a time; statuses and faults."""
    told: Counter[str] = Counter()
    faults: list[str] = []
    slots = asyncio.Semaphore(20)

    async def one(number: int) -> None:
        chance = random.Random(f"{seed}/{number}")
        async with slots:
            if number % 2:
                found = "websocket " + await talk(port, chance)
                data = b""
            else:
                data = request(chance)
                found = "http " + await ask(port, data, chance.random() < 0.3)
        told[found] += 1
        bad = "hang" in found or "code" in found or found.startswith("http 5")
        if bad and found != "http 503":
            faults.append(f"{number}: {found} {data[:200]!r}")

    await asyncio.gather(*(one(number) for number in range(count)))
    health = b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    if (last := await ask(port, health, False)) != "200":
        faults.append(f"after all that the server answers {last}")
    return told, faults


def main() -> None:
    """The command line."""
    from perf.serve import running

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with running("or-debug", "--limit", "4") as (port, _):
        told, faults = asyncio.run(run(port, asked.requests, asked.seed))
    for name, count in sorted(told.items()):
        print(f"{name}: {count}")
    print("\n".join([*faults, f"{sum(told.values())} requests, {len(faults)} faults"]))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
