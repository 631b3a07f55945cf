"""The host's side of one warm worker: started by a plan, asked for programs, taken down."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ordojo.core.errors import SandboxError
from ordojo.sandbox import landlock, namespaces, trees
from ordojo.sandbox.layout import DEVICES, Layout

_BOOT = "import sys; sys.path.append(sys.argv[1]); from ordojo.sandbox.zygote import main;"
_BOOT += " main(int(sys.argv[2]))"
_PACKET = 1 << 15
_START = 120.0
_PARENT = str(Path(__file__).resolve().parents[2])


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to contain: its kind, whom programs run as, the Landlock version to use at most."""

    kind: str
    uid: int
    gid: int
    landlock: int = landlock.NEWEST
    bwrap: str = ""

    @property
    def private(self) -> bool:
        """Whether programs have a file system, and process ids, of their own."""
        return self.kind in ("userns", "bwrap")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a worker is started with, whatever the plan."""

    python: str
    layout: Layout
    environment: Mapping[str, str]
    preload: Sequence[str]
    shadow: Mapping[str, str]
    disk: int
    files: int


class Worker:
    """A running worker. Its folder on the host holds its log and, unless private, its base."""

    def __init__(self, plan: Plan, setting: Setting) -> None:
        """Start and wait until it is warm; SandboxError with the reason when it cannot be."""
        self.plan = plan
        self.folder = tempfile.mkdtemp(prefix="ordojo-sandbox-")
        self.base = namespaces.BASE if plan.private else f"{self.folder}/base"
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.process: subprocess.Popen[bytes] | None = None
        try:
            self._prepare()
            with theirs, Path(self.folder, "log").open("wb") as log:
                self.process = subprocess.Popen(
                    self._command(setting, theirs.fileno()),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=(theirs.fileno(),),
                    env=self._environment(setting),
                    cwd="/",
                    start_new_session=True,
                )
            self._send_settings(setting)
            ready = self._first_answer()
        except (OSError, SandboxError) as error:
            self.close()
            raise SandboxError(f"{plan.kind}: {error}") from error
        self.parts: list[str] = ready["parts"]
        self.missing: list[str] = ready["missing"]
        below = trees.descendants(self.process.pid)
        self.pid = next((p.pid for p in below if p.parent == self.process.pid), self.process.pid)

    def _prepare(self) -> None:
        Path(self.folder).chmod(0o711)
        Path(self.folder, "canary").write_text("a file that no program may read\n")
        if not self.plan.private:
            base = Path(self.base)
            base.mkdir(mode=0o700)
            if os.geteuid() == 0 and self.plan.kind == "landlock":
                os.chown(base, self.plan.uid, self.plan.gid)

    def _command(self, setting: Setting, control: int) -> list[str]:
        # The folder is named so that whoever sees the processes knows whose they are.
        python = [setting.python, "-s", "-P", "-B", "-c", _BOOT, _PARENT, str(control), self.folder]
        if self.plan.kind != "bwrap":
            return python
        layout = setting.layout
        wall = [self.plan.bwrap, "--unshare-all", "--unshare-user", "--as-pid-1", "--new-session"]
        wall += ["--cap-drop", "ALL", "--hostname", "sandbox"]
        for path in layout.read:
            wall += ["--ro-bind-try", path, path]
        for path in layout.hide:
            if Path(path).is_dir():
                wall += ["--tmpfs", path, "--remount-ro", path]
            else:
                wall += ["--ro-bind", "/dev/null", path]
        for path in DEVICES:
            wall += ["--dev-bind", path, path]
        wall += ["--perms", "0700", "--size", str(setting.disk), "--tmpfs", namespaces.BASE]
        return [*wall, "--remount-ro", "/", "--chdir", "/", "--", *python]

    def _environment(self, setting: Setting) -> dict[str, str]:
        home = f"{self.base}/program"
        return {**setting.environment, "HOME": home, "TMPDIR": home, "PWD": home}

    def _send_settings(self, setting: Setting) -> None:
        settings = {
            "kind": self.plan.kind,
            "uid": self.plan.uid,
            "gid": self.plan.gid,
            "landlock": self.plan.landlock,
            "private": self.plan.private,
            "base": self.base,
            "canary": f"{self.folder}/canary",
            "host": os.getpid(),
            "layout": asdict(setting.layout),
            "preload": list(setting.preload),
            "shadow": dict(setting.shadow),
            "disk": setting.disk,
            "files": setting.files,
        }
        text = json.dumps(settings).encode()
        packets = [text[i : i + _PACKET] for i in range(0, len(text), _PACKET)]
        self.control.send(str(len(packets)).encode())
        for packet in packets:
            self.control.send(packet)

    def _first_answer(self) -> dict[str, Any]:
        self.control.settimeout(_START)
        packet = self.control.recv(1 << 16)
        self.control.settimeout(None)
        answer = json.loads(packet) if packet else {"error": self._last_words()}
        if "error" in answer:
            raise SandboxError(answer["error"])
        return dict(answer)

    def _last_words(self) -> str:
        log = Path(self.folder, "log").read_text(errors="replace").strip()
        return log.splitlines()[-1] if log else "the worker ended without a word"

    def run(self, settings: Mapping[str, float], descriptors: Sequence[int]) -> None:
        """Ask for one program on these descriptors (channel, stdout, stderr)."""
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
        self.control.close()
        if self.process:
            try:
                self.process.wait(3)
            except subprocess.TimeoutExpired:
                for process in trees.descendants(self.process.pid):
                    with contextlib.suppress(OSError):
                        os.kill(process.pid, signal.SIGKILL)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(3)
                self.process.kill()
                self.process.wait()
        with contextlib.suppress(OSError):
            self.clear()
        shutil.rmtree(self.folder, ignore_errors=True)
