"""One warm worker as the host sees it, and which ways to contain programs this machine offers."""

import contextlib
import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ordojo.core.errors import SandboxError, UsageError
from ordojo.sandbox import landlock, seccomp, trees
from ordojo.sandbox.cgroup import ControlGroup, has_no_owner, namespace
from ordojo.sandbox.confinement import BASE
from ordojo.sandbox.launch import (
    PATIENCE,
    ConfinementPlan,
    WorkerSettings,
    launch,
    remove_container,
    worker_of,
)

_PREFIX = "ordojo-sandbox-"
_PACKET = 1 << 15
"""Bytes of one message: a kernel's default buffer holds several, so that no send waits for ever."""


class Worker:
    """A running worker. Its folder on the host holds its log and, unless private, its base.

    `group` bounds its memory and processes where a control group can be had; `filesystem` is a
    descriptor of the one in memory in which its programs write, if they do.
    """

    def __init__(self, plan: ConfinementPlan, setting: WorkerSettings) -> None:
        """Start and wait until it is warm; SandboxError with the reason when it cannot be."""
        self.plan = plan
        for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
            if has_no_owner(left.name.removeprefix(_PREFIX)):
                shutil.rmtree(left, ignore_errors=True)
        self.folder = tempfile.mkdtemp(prefix=f"{_PREFIX}{namespace()}-{os.getpid()}-")
        self.base = BASE if plan.private else f"{self.folder}/base"
        self.process: subprocess.Popen[bytes] | None = None
        self.group: ControlGroup | None = None
        self.filesystem: int | None = None
        try:
            self._prepare()
            self.process, self.control = launch(plan, setting, Path(self.folder), self.base)
            if plan.kind not in ("docker", "unsafe"):
                self.group = ControlGroup.make(self.process.pid)
            self._send_settings(setting)
            ready = self._first_answer()
        except (OSError, SandboxError) as error:
            self.close()
            raise SandboxError(f"{plan.kind}: {error}") from error
        if self.group:
            self.group.rest()
        self.parts: list[str] = ready["parts"] + ["cgroup"] * bool(self.group)
        self.pid = self._seen_from_here()

    def _seen_from_here(self) -> int:
        """The worker's process: what was started, or what that has started in turn."""
        if self.plan.kind == "docker":
            return worker_of(self.control)
        started = self.process.pid if self.process else 0
        return next((p.pid for p in trees.descendants(started) if p.parent == started), started)

    def _prepare(self) -> None:
        Path(self.folder).chmod(0o711)
        Path(self.folder, "canary").write_text("a file that no program may read\n")
        if not self.plan.private:
            base = Path(self.base)
            base.mkdir(mode=0o700)
            if os.geteuid() == 0 and self.plan.kind == "landlock":
                os.chown(base, self.plan.uid, self.plan.gid)

    def _send_settings(self, setting: WorkerSettings) -> None:
        settings = {
            **asdict(self.plan),
            **asdict(setting),
            "private": self.plan.private,
            "base": self.base,
            "canary": f"{self.folder}/canary",
            "host": os.getpid(),
        }
        text = json.dumps(settings).encode()
        packets = [text[i : i + _PACKET] for i in range(0, len(text), _PACKET)]
        self.control.send(str(len(packets)).encode())
        for packet in packets:
            self.control.send(packet)

    def _first_answer(self) -> dict[str, Any]:
        self.control.settimeout(PATIENCE)
        packet, descriptors, _, _ = socket.recv_fds(self.control, 1 << 16, 1)
        self.control.settimeout(None)
        self.filesystem = descriptors[0] if descriptors else None
        if not packet:
            log = Path(self.folder, "log").read_text(errors="replace").strip()
            raise SandboxError(log.splitlines()[-1] if log else "the worker ended without a word")
        answer = json.loads(packet)
        if "error" in answer:
            raise SandboxError(answer["error"])
        return dict(answer)

    @property
    def gone(self) -> bool:
        """Whether it has ended."""
        return self.process is None or self.process.poll() is not None

    def run(self, settings: Mapping[str, float], descriptors: Sequence[int]) -> None:
        """Ask for one program on these descriptors (channel, stdout, stderr, log)."""
        socket.send_fds(self.control, [json.dumps(settings).encode()], descriptors)

    def kill(self) -> None:
        """Ask for the end of the program that runs."""
        with contextlib.suppress(OSError):
            self.control.send(b"kill")

    def ended(self) -> dict[str, Any] | None:
        """How the program ended (call when the control socket is readable); None: worker died."""
        try:
            packet = self.control.recv(1 << 16)
        except OSError:
            return None
        return dict(json.loads(packet)) if packet else None

    def clear(self) -> None:
        """Empty the base where that is the host's to do."""
        if not self.plan.private:
            trees.empty(self.base)

    def close(self) -> None:
        """Take the worker down with all that is below it, and remove its folder."""
        if self.group:
            self.group.kill()
        if self.process:
            self.control.close()
            self._end(self.process)
        if self.filesystem is not None:
            os.close(self.filesystem)
        with contextlib.suppress(OSError):
            self.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _end(self, process: "subprocess.Popen[bytes]") -> None:
        """Wait for the worker to leave, as it does when the socket closes; else make it."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(3)
            return
        if self.plan.kind == "docker":
            remove_container(self.plan.tool, Path(self.folder).name)
        for below in trees.descendants(process.pid):
            with contextlib.suppress(OSError):
                os.kill(below.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(3)
        process.kill()
        process.wait()


ISOLATIONS = ("auto", "userns", "bwrap", "landlock", "docker", "unsafe")
_NOBODY = 65534
"""The user that owns nothing, by convention of every Linux distribution."""


def plans(isolation: str) -> Iterator[ConfinementPlan]:
    """The plans to try for `isolation`, best first; UsageError for an unknown name.

    userns: namespaces of our own; bwrap: the same through bubblewrap, where only it may make them;
    landlock: Landlock and seccomp alone; docker: a container for each worker. Root runs programs
    as nobody, if nobody can read the interpreter. Nothing falls back to `docker` or `unsafe`:
    they must be asked for.
    """
    if isolation not in ISOLATIONS:
        raise UsageError(f"unknown isolation {isolation!r}: choose one of {', '.join(ISOLATIONS)}")
    uid, gid = os.geteuid(), os.getegid()
    users = [(_NOBODY, _NOBODY), (uid, gid)] if uid == 0 else [(uid, gid)]
    if isolation in ("auto", "userns"):
        for user in users:
            yield ConfinementPlan("userns", *user)
    bwrap = shutil.which("bwrap")
    if isolation in ("auto", "bwrap") and bwrap:
        yield ConfinementPlan("bwrap", uid, gid, tool=bwrap)
    if isolation in ("auto", "landlock") and landlock.abi():
        for user in users:
            yield ConfinementPlan("landlock", *user)
    docker = shutil.which("docker")
    if isolation == "docker" and docker:
        for user in users:
            yield ConfinementPlan("docker", *user, tool=docker)
    if isolation == "unsafe":
        yield ConfinementPlan("unsafe", uid, gid)


def start(isolation: str | ConfinementPlan, setting: WorkerSettings) -> Worker:
    """A warm worker by the first plan that holds; SandboxError, fail closed, when none does."""
    if platform.system() != "Linux":
        here = {"Darwin": "macOS"}.get(platform.system(), platform.system())
        raise SandboxError(
            f"programs are contained on Linux only, and this is {here}: run the command in a Linux "
            "container of docker or podman (the project's Dockerfile makes one)"
        )
    wanted = [isolation] if isinstance(isolation, ConfinementPlan) else list(plans(isolation))
    reasons = []
    if isolation != "unsafe" and not seccomp.available():
        wanted, reasons = [], ["the kernel or this processor offers no seccomp filter"]
    for plan in wanted:
        try:
            return Worker(plan, setting)
        except SandboxError as error:
            reasons.append(str(error))
    nothing = "neither namespaces, bubblewrap nor Landlock is at hand"
    if isolation in ("bwrap", "docker"):
        nothing = f"there is no command {isolation}"
    why = "; ".join(dict.fromkeys(reasons)) or nothing
    raise SandboxError(
        f"programs cannot be contained on this machine ({why}): "
        "use a Linux with Landlock or user namespaces, or ask for isolation `unsafe`"
    )
