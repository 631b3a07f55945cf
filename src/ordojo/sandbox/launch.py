"""What a warm worker is started by, and how it comes up: in a container or beside the host."""

import contextlib
import io
import os
import socket
import struct
import subprocess
import sys
import tarfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ordojo.core.errors import SandboxError
from ordojo.sandbox import landlock
from ordojo.sandbox.confinement import BASE
from ordojo.sandbox.layout import DEVICES, FileLayout

PATIENCE = 120.0
"""Seconds that a worker may take until it is warm. Imports are slow on a machine that is full, and
a shorter time would lose good workers; only one that hangs waits so long."""


@dataclass(frozen=True, slots=True)
class ConfinementPlan:
    """One way to contain: its kind, whom programs run as, the Landlock version to use at most.

    `tool` is the command that confines, where that is not ours to do.
    """

    kind: str
    uid: int
    gid: int
    landlock: int = landlock.NEWEST
    tool: str = ""

    @property
    def private(self) -> bool:
        """Whether programs have a file system, and process ids, of their own."""
        return self.kind in ("userns", "bwrap", "docker")

    @property
    def own_user(self) -> bool:
        """Whether the kernel counts a user's processes for the sandbox alone."""
        return self.kind in ("userns", "bwrap")


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """What a worker is started with, whatever the plan."""

    layout: FileLayout
    preload: Sequence[str]
    shadow: Mapping[str, str]
    disk: int
    files: int


ENVIRONMENT = {
    # The system's own, not the interpreter's: a solver's command that an installation brings is
    # none of a program's.
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "USER": "program",
    "LOGNAME": "program",
}
"""What every program finds in its environment, the same on every machine."""
_KEPT = ("LD_LIBRARY_PATH",)
_BOOT = "import sys; sys.path.append(sys.argv[1]); from ordojo.sandbox.fork_server import main;"
_BOOT += " main(sys.argv[2])"
_PARENT = str(Path(__file__).resolve().parents[2])


def launch(
    plan: ConfinementPlan, setting: WorkerSettings, folder: Path, base: str
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start the worker; what was started, and the host's end of the socket.

    What it says goes to `folder`'s log; programs write in `base`, as the worker sees it. Raises
    OSError or SandboxError.
    """
    home = f"{base}/program"
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment = {**ENVIRONMENT, **kept, "HOME": home, "TMPDIR": home, "PWD": home}
    # The folder is named so that whoever sees the processes knows whose they are.
    python = [sys.executable, "-s", "-P", "-B", "-c", _BOOT, _PARENT]
    if plan.kind == "docker":
        command = [*python, DOOR, str(folder)]
        return _start_container(plan, setting, folder, command, environment)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [*python, str(theirs.fileno()), str(folder)]
    try:
        with theirs, (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [*_bubble(plan, setting), *command] if plan.kind == "bwrap" else command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(theirs.fileno(),),
                env=environment,
                cwd="/",
                start_new_session=True,
            )
    except OSError:
        ours.close()
        raise
    return process, ours


def _bubble(plan: ConfinementPlan, setting: WorkerSettings) -> list[str]:
    """The command before the command that shows a process the layout alone."""
    options = [plan.tool, "--unshare-all", "--unshare-user", "--as-pid-1", "--new-session"]
    options += ["--cap-drop", "ALL", "--hostname", "sandbox"]
    for path in setting.layout.read:
        options += ["--ro-bind-try", path, path]
    for path in setting.layout.hide:
        if Path(path).is_dir():
            options += ["--tmpfs", path, "--remount-ro", path]
        else:
            options += ["--ro-bind", "/dev/null", path]
    for path in DEVICES:
        options += ["--dev-bind", path, path]
    options += ["--perms", "0700", "--size", str(setting.disk), "--tmpfs", BASE]
    return [*options, "--remount-ro", "/", "--chdir", "/", "--"]


DOOR = "/door"
"""Where the worker finds the host's socket, inside."""

_IMAGE = "ordojo-sandbox:empty"
_TASKS = 1024
"""Processes and threads that a container may have: a bound for the moment until we look."""

_ITS_OWN = ("/proc", "/sys")
"""What a container brings along by itself, and refuses to have mounted."""


def _start_container(
    plan: ConfinementPlan,
    setting: WorkerSettings,
    folder: Path,
    command: list[str],
    environment: Mapping[str, str],
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Run `command` in a container; the client's process, and the worker's socket.

    `folder` is the worker's on the host, and names the container. SandboxError when the daemon
    does not answer, or nobody knocks.
    """
    _make_image(plan.tool)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
        door.bind(f"{folder}/door")
        (folder / "door").chmod(0o666)
        door.listen(1)
        options = [*_container_options(plan, setting), "--name", folder.name]
        options += ["--mount", _bind(f"{folder}/door", DOOR)]
        for name, value in environment.items():
            options += ["--env", f"{name}={value}"]
        with (folder / "log").open("wb") as log:
            client = subprocess.Popen(
                [plan.tool, "run", *options, _IMAGE, *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            return client, _knocked(door, client, folder)
        except SandboxError:
            remove_container(plan.tool, folder.name)
            client.wait()
            raise


def _container_options(plan: ConfinementPlan, setting: WorkerSettings) -> list[str]:
    user, group = plan.uid, plan.gid
    options = ["--rm", "--network", "none", "--ipc", "none", "--read-only", "--workdir", "/"]
    options += ["--user", f"{user}:{group}", "--cap-drop", "ALL", "--hostname", "sandbox"]
    options += ["--pids-limit", str(_TASKS)]
    # Our own filter is stricter, and the daemon's may keep Landlock from the worker.
    options += ["--security-opt", "no-new-privileges", "--security-opt", "seccomp=unconfined"]
    size = f"size={setting.disk},nr_inodes={setting.files}"
    options += ["--tmpfs", f"{BASE}:nosuid,nodev,mode=0700,uid={user},gid={group},{size}"]
    for path in setting.layout.read:
        if Path(path).exists() and not path.startswith(_ITS_OWN):
            options += ["--mount", _bind(path, path)]
    for path in setting.layout.hide:
        if Path(path).is_dir():
            options += ["--tmpfs", f"{path}:ro,size=4k"]
        else:
            options += ["--mount", _bind("/dev/null", path)]
    return options


def worker_of(control: socket.socket) -> int:
    """The process at the other end of `control`, as this side counts processes."""
    credentials = control.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", credentials)[0])


def remove_container(tool: str, name: str) -> None:
    """Take the container down, whatever runs in it; nothing happens where it has gone."""
    subprocess.run([tool, "rm", "--force", name], capture_output=True, check=False)


def _make_image(tool: str) -> None:
    """An image of nothing, made here: no registry is asked."""
    if subprocess.run([tool, "image", "inspect", _IMAGE], capture_output=True).returncode == 0:
        return
    nothing = io.BytesIO()
    tarfile.open(fileobj=nothing, mode="w").close()
    made = subprocess.run(
        [tool, "import", "-", _IMAGE], input=nothing.getvalue(), capture_output=True
    )
    if made.returncode:
        raise SandboxError(made.stderr.decode(errors="replace").strip() or "no image can be made")


def _knocked(door: socket.socket, client: subprocess.Popen[bytes], folder: Path) -> socket.socket:
    """The worker's connection; SandboxError when its container ended before, or took too long."""
    door.settimeout(0.2)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and client.poll() is None:
        # It looks again whether the container lives, five times a second.
        with contextlib.suppress(TimeoutError):
            control = door.accept()[0]
            control.setblocking(True)
            return control
    said = (folder / "log").read_text(errors="replace").strip().splitlines()
    raise SandboxError(said[0] if said else "the container's worker did not come up")


def _bind(source: str, target: str) -> str:
    """A read-only mount as the client takes it: fields of CSV, which a path may need quoted."""
    quoted = [f'"{key}={path}"' for key, path in (("source", source), ("target", target))]
    return ",".join(["type=bind", *quoted, "readonly"])
