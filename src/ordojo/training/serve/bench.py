"""How many steps a second the server answers, and where the time goes."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ordojo.core.errors import RunError
from ordojo.evaluate.bench import session_of
from ordojo.evaluate.session import Session

Figures = list[tuple[str, float, str, str]]
SECONDS = 6.0


def bench_serve(sessions: int = 64, workers: int = 1) -> Figures:
    """Steps a second of so many concurrent sessions of or-debug, client and server on this machine.

    Measured: whole scripted episodes in this process, the same over the wire, and bare exchanges
    (a text that is no action), which cost the server next to nothing but the protocol.
    """
    session = session_of("or-debug", {})
    plain = _plain_steps(session)
    with running("or-debug", "--sessions", str(sessions), "--workers", str(workers)) as port:
        bare = asyncio.run(_drive(port, sessions, session, None))
        played = asyncio.run(_drive(port, sessions, session, "greedy-iis"))
    return [
        ("steps in this process, greedy-iis", plain, "steps/s", ""),
        (f"steps over {sessions} sessions, greedy-iis", played, "steps/s", "2,000"),
        (f"bare exchanges over {sessions} sessions", bare, "exchanges/s", ""),
        ("over the wire / in this process", played / plain, "", ""),
    ]


def _plain_steps(session: Session) -> float:
    """Steps a second of the scripted policy, without a wire."""
    policy, started, turns = session.policy("greedy-iis"), time.perf_counter(), 0
    while time.perf_counter() - started < SECONDS / 3:
        for instance in session.instances[:50]:
            attempt, act = session.begin(instance), policy.begin(instance, 0, 1)
            while attempt.steps.observation is not None:
                attempt.steps.reply(act(attempt.steps.observation))
                turns += 1
            attempt.abandon()
    return turns / (time.perf_counter() - started)


@contextmanager
def running(*arguments: str) -> Iterator[int]:
    """A server in a process of its own, for a while: its port. Raises RunError if it ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    start = "from ordojo.cli import main; main()"
    command = [sys.executable, "-c", start, "serve", *arguments, "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ})
    try:
        while not _answers(port):
            if process.poll() is not None:
                said = process.stderr.read().decode() if process.stderr else ""
                raise RunError(f"the server ended before it answered: {said.strip()[-300:]}")
            time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.communicate()


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def _drive(port: int, sessions: int, session: Session, policy: str | None) -> float:
    """Steps a second of all sessions together, until the time is over."""
    from websockets.asyncio.client import connect

    counted = 0
    open_at_once = asyncio.Barrier(sessions + 1)

    async def one(number: int) -> None:
        nonlocal counted
        address = f"ws://127.0.0.1:{port}/ws"
        async with connect(address, compression=None, max_size=None) as socket_:

            async def ask(kind: str, **data: Any) -> dict[str, Any]:
                await socket_.send(json.dumps({"type": kind, "data": data}))
                found: dict[str, Any] = json.loads(await socket_.recv())
                if found["type"] == "error":
                    raise RunError(f"the server answered: {found['data']['message']}")
                told: dict[str, Any] = found["data"]
                return told

            await open_at_once.wait()
            place = number
            while time.perf_counter() < end:
                act = _actor(session, place, policy)
                data = await ask("reset", index=place % len(session.instances))
                while not data["done"] and time.perf_counter() < end:
                    data = await ask("step", text=act(data))
                    counted += 1
                place += sessions

    end = float("inf")
    async with asyncio.TaskGroup() as group:
        for number in range(sessions):
            group.create_task(one(number))
        await open_at_once.wait()
        started = time.perf_counter()
        end = started + SECONDS
    return counted / (time.perf_counter() - started)


def _actor(session: Session, place: int, policy: str | None) -> Any:
    """What one episode's replies are, from the data of an observation."""
    from ordojo.core.environment import Message, Observation

    if policy is None:
        return lambda data: "hello"
    instance = session.instances[place % len(session.instances)]
    act = session.policy(policy).begin(instance, 0, 1)

    def reply(data: dict[str, Any]) -> str:
        asked = data["observation"]
        turns = tuple(Message(m["role"], m["content"]) for m in asked["messages"])
        return act(Observation(turns, fresh=asked["fresh"], choices=tuple(asked["choices"])))

    return reply
