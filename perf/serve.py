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
from dataclasses import dataclass
from itertools import chain, cycle, repeat
from pathlib import Path
from statistics import fmean, median
from typing import Any

from ordojo.core.environment import Message, Observation
from ordojo.core.errors import RunError
from ordojo.core.instance import Instance
from ordojo.core.policy import Act
from ordojo.evaluation.session import EvaluationSession
from perf.engine import PROBLEMS, session_of
from perf.figure import command

Figures = list[tuple[str, float, str, str]]
SECONDS = 6.0
TARGET = "2,000 with client and server on two free cores"

POLICIES = {
    "looks": "GET_IIS each turn, nothing solved",
    "drops": "DROP of one constraint after another, each solved",
    "greedy-iis": "the scripted policy, which solves models of its own",
}
"""What is played, from the lightest on."""


@dataclass(frozen=True)
class Cost:
    """Steps a second, and the processor time of a step in microseconds, part by part.

    `slowest` is the mean rate of the slowest tenth of the sessions in parts of the median's,
    `memory` what a session adds to the server, in kilobytes.
    """

    rate: float
    policy: float = 0.0
    client: float = 0.0
    environment: float = 0.0
    server: float = float("nan")
    slowest: float = float("nan")
    memory: float = float("nan")


def bench_serve(sessions: int = 64, workers: int = 1) -> Figures:
    """Steps a second of so many concurrent sessions of or-debug, client and server on this machine.

    Each policy plays whole episodes in this process, then over the wire; `bare` exchanges, of a
    text that is no action, cost next to nothing but the protocol. The parts of a step are in
    processor time, which others on the machine do not add to: what the policy thinks, the rest of
    the client, the environment (as it takes in this process), and the rest of the server (left out
    where there is no /proc).
    """
    session = session_of("or-debug", PROBLEMS)
    figures: Figures = []
    options = [word for name, value in PROBLEMS.items() for word in ("-T", f"{name}={value}")]
    limits = "--sessions", str(sessions), "--workers", str(workers)
    with running("or-debug", *options, *limits) as (port, pid):
        bare = asyncio.run(_drive(port, pid, sessions, session, None))
        figures.append(("bare exchanges", bare.rate, "exchanges/s", ""))
        for policy, about in POLICIES.items():
            plain = _plain(session, policy)
            found = asyncio.run(_drive(port, pid, sessions, session, policy))
            wire = f"{policy}, over the wire"
            figures += [
                (f"{policy} ({about}), {sessions} sessions", found.rate, "steps/s", TARGET),
                (f"{policy}, in this process", plain.rate, "steps/s", ""),
                (f"{wire}: the slowest tenth", found.slowest, "of the median session's rate", ""),
                (f"{wire}: memory", found.memory, "kB a session", ""),
                (f"{wire} / in this process", found.rate / plain.rate, "times the steps", ""),
                (f"{wire}: policy", plain.policy, "us a step", ""),
                (f"{wire}: client, the rest", found.client - found.policy, "us a step", ""),
                (f"{wire}: environment", plain.environment, "us a step", ""),
            ]
            if found.server == found.server:
                rest = found.server - plain.environment
                figures.append((f"{wire}: server, the rest", rest, "us a step", ""))
    return figures


def _actor(session: EvaluationSession, policy: str | None, instance: Instance[Any]) -> Act:
    """What one episode's replies are."""
    if policy is None:
        return lambda asked: "hello"
    if policy == "looks":
        return lambda asked: "Action: GET_IIS()"
    if policy == "drops":
        drops = (f"Action: DROP({name})" for name in instance.problem.model.row_names)
        replies = chain(drops, repeat("Action: SUBMIT()"))
        return lambda asked: next(replies)
    return session.policy(policy).begin(instance, 0, 1)


def _plain(session: EvaluationSession, policy: str) -> Cost:
    """The policy without a wire: steps a second, and what policy and environment take of each."""
    started, thought, turns = time.process_time(), 0.0, 0
    instances = cycle(session.instances)
    while (passed := time.process_time() - started) < SECONDS / 3:
        instance = next(instances)
        attempt, act = session.begin(instance), _actor(session, policy, instance)
        while (asked := attempt.steps.observation) is not None:
            before = time.process_time()
            text = act(asked)
            thought += time.process_time() - before
            attempt.steps.reply(text)
            turns += 1
        attempt.abandon()
    part = 1e6 / turns
    return Cost(turns / passed, policy=thought * part, environment=(passed - thought) * part)


@contextmanager
def running(*arguments: str) -> Iterator[tuple[int, int]]:
    """A server in a process of its own, for a while: port and process. RunError if it ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "ordojo", "serve", *arguments, "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ})
    try:
        while not _answers(port):
            if process.poll() is not None:
                said = process.stderr.read().decode() if process.stderr else ""
                raise RunError(f"the server ended before it answered: {said.strip()[-300:]}")
            time.sleep(0.1)
        yield port, process.pid
    finally:
        process.terminate()
        process.communicate()


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _used(pid: int) -> tuple[float, float]:
    """Processor seconds of a process and its children so far, and the kilobytes that they hold.

    NaN where there is no /proc.
    """
    seconds = kilobytes = float("nan")
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(path.parent.name) == pid or int(fields[1]) == pid:
            used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            held = int(fields[21]) * os.sysconf("SC_PAGESIZE") / 1000
            seconds = used if seconds != seconds else seconds + used
            kilobytes = held if kilobytes != kilobytes else kilobytes + held
    return seconds, kilobytes


async def _drive(
    port: int, pid: int, sessions: int, session: EvaluationSession, policy: str | None
) -> Cost:
    """All sessions together, until the time is over."""
    from websockets.asyncio.client import connect

    counts, thought = [0] * sessions, 0.0
    open_at_once = asyncio.Barrier(sessions + 1)

    async def one(number: int) -> None:
        nonlocal thought
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
                index = place % len(session.instances)
                act = _actor(session, policy, session.instances[index])
                data = await ask("reset", index=index)
                while not data["done"] and time.perf_counter() < end:
                    before = time.process_time()
                    text = act(_asked(data["observation"]))
                    thought += time.process_time() - before
                    data = await ask("step", text=text)
                    counts[number] += 1
                place += sessions

    end = float("inf")
    _, empty = _used(pid)
    async with asyncio.TaskGroup() as group:
        for number in range(sessions):
            group.create_task(one(number))
        await open_at_once.wait()
        (server, _), client = _used(pid), time.process_time()
        started = time.perf_counter()
        end = started + SECONDS
    rate = sum(counts) / (time.perf_counter() - started)
    part = 1e6 / max(1, sum(counts))
    (used, full), client = _used(pid), time.process_time() - client
    ordered = sorted(counts)
    slowest = fmean(ordered[: max(1, sessions // 10)]) / max(1, median(ordered))
    return Cost(
        rate,
        policy=thought * part,
        client=client * part,
        server=(used - server) * part,
        slowest=slowest,
        memory=(full - empty) / sessions,
    )


def _asked(data: dict[str, Any]) -> Observation:
    turns = tuple(Message(m["role"], m["content"]) for m in data["messages"])
    return Observation(turns, fresh=data["fresh"], choices=tuple(data["choices"]))


if __name__ == "__main__":
    command(bench_serve)()
