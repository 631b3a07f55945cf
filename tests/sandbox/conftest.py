"""Sandboxes shared by the tests of this room, by isolation; skipped where there is none."""

import os
import select
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ordojo.core.errors import SandboxError
from ordojo.sandbox import Limits, Sandbox, landlock, seccomp
from ordojo.sandbox.plan import Plan

MEGABYTE = 1 << 20
SMALL = Limits(
    wall=20,
    cpu=20,
    memory=192 * MEGABYTE,
    processes=24,
    file_size=8 * MEGABYTE,
    disk=32 * MEGABYTE,
    files=2000,
    output=MEGABYTE,
    frame=4 * MEGABYTE,
)
OLD_KERNEL = Plan("landlock", os.geteuid(), os.getegid(), landlock=3)
DOCKER = shutil.which("docker") or ""
BARE_DOCKER = Plan("docker", 65534, 65534, landlock=0, tool=DOCKER)
PLANS = {"old kernel": OLD_KERNEL, "docker without landlock": BARE_DOCKER}


def docker_answers() -> bool:
    """Whether there is a daemon that this user may ask."""
    command = [DOCKER, "version"]
    return bool(DOCKER) and subprocess.run(command, capture_output=True).returncode == 0


def open_sandbox(isolation: str | Plan, **settings: object) -> Sandbox:
    try:
        return Sandbox(isolation, SMALL, **settings)  # type: ignore[arg-type]
    except SandboxError as error:
        if seccomp.available() and landlock.abi() >= landlock.SAFE_ALONE:
            raise  # this kernel can, so we must
        pytest.skip(f"no such isolation here: {error}")


@pytest.fixture(scope="session")
def walled(world: "World") -> Iterator[Callable[[str], Sandbox]]:
    """A sandbox by the name of an isolation, or of a plan as older kernels offer it."""
    opened: dict[str, Sandbox] = {}

    def find(name: str) -> Sandbox:
        if name not in opened:
            opened[name] = open_sandbox(PLANS.get(name, name), preload=("numpy",))
        return opened[name]

    yield find
    for sandbox in opened.values():
        sandbox.close()


@pytest.fixture(scope="session")
def box(world: "World") -> Iterator[Sandbox]:
    """The best isolation here."""
    with open_sandbox("auto", preload=("numpy",)) as sandbox:
        yield sandbox


class World:
    """What lies outside: a gold file, a secret in the environment, listening sockets."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gold = folder / "gold.jsonl"
        self.gold.write_text("the gold is 271828\n")
        self.gold.chmod(0o644)
        self.before = self.state()
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port = self.tcp.getsockname()[1]
        self.unix = socket.socket(socket.AF_UNIX)
        self.unix.bind(str(folder / "service"))
        self.unix.listen()
        self.datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.datagrams.bind(str(folder / "datagrams"))
        self.datagrams.setblocking(False)
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind(f"\0ordojo-{os.getpid()}")
        self.abstract.listen()

    def state(self) -> object:
        info = self.gold.stat()
        return self.gold.read_text(), info.st_mode, info.st_mtime_ns, info.st_nlink

    def untouched(self) -> bool:
        names = sorted(path.name for path in self.folder.iterdir())
        return self.state() == self.before and names == ["datagrams", "gold.jsonl", "service"]

    def unheard(self) -> bool:
        """Whether nobody has knocked at any of the sockets."""
        listeners = (self.tcp, self.unix, self.datagrams, self.abstract)
        return select.select(listeners, [], [], 0)[0] == []

    def close(self) -> None:
        for listener in (self.tcp, self.unix, self.datagrams, self.abstract):
            listener.close()


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    os.environ["ORDOJO_TEST_SECRET"] = "secret-314159"
    found = World(tmp_path_factory.mktemp("outside"))
    yield found
    found.close()
    del os.environ["ORDOJO_TEST_SECRET"]


def processes_of(sandbox: Sandbox) -> set[int]:
    """Every process on this machine that carries the sandbox's mark in its command line."""
    worker = sandbox._worker
    assert worker is not None
    found = set()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            line = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if worker.folder.encode() in line or b"31415.9" in line:
            found.add(int(entry.name))
    return found
