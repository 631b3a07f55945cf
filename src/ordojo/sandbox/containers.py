"""One container for a warm worker: an empty image, the layout mounted read-only, no network.

The worker inside is the one of the other plans, with its own checks and filters; programs are
forks of it, so that a container is paid for once. It cannot inherit a socket, so it knocks.
"""

import contextlib
import io
import socket
import struct
import subprocess
import tarfile
import time
from collections.abc import Mapping
from pathlib import Path

from ordojo.core.errors import SandboxError
from ordojo.sandbox.namespaces import BASE
from ordojo.sandbox.plan import PATIENCE, Plan, Setting

DOOR = "/door"
"""Where the worker finds the host's socket, inside."""

_IMAGE = "ordojo-sandbox:empty"
_TASKS = 1024
"""Processes and threads that a container may have: a bound for the moment until we look."""

_ITS_OWN = ("/proc", "/sys")
"""What a container brings along by itself, and refuses to have mounted."""


def start(
    plan: Plan, setting: Setting, folder: Path, command: list[str], environment: Mapping[str, str]
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
        options = [*_walls(plan, setting), "--name", folder.name]
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
            remove(plan.tool, folder.name)
            client.wait()
            raise


def _walls(plan: Plan, setting: Setting) -> list[str]:
    user, group = plan.uid, plan.gid
    walls = ["--rm", "--network", "none", "--ipc", "none", "--read-only", "--workdir", "/"]
    walls += ["--user", f"{user}:{group}", "--cap-drop", "ALL", "--hostname", "sandbox"]
    walls += ["--pids-limit", str(_TASKS)]
    # Our own filter is stricter, and the daemon's may keep Landlock from the worker.
    walls += ["--security-opt", "no-new-privileges", "--security-opt", "seccomp=unconfined"]
    room = f"size={setting.disk},nr_inodes={setting.files}"
    walls += ["--tmpfs", f"{BASE}:nosuid,nodev,mode=0700,uid={user},gid={group},{room}"]
    for path in setting.layout.read:
        if Path(path).exists() and not path.startswith(_ITS_OWN):
            walls += ["--mount", _bind(path, path)]
    for path in setting.layout.hide:
        if Path(path).is_dir():
            walls += ["--tmpfs", f"{path}:ro,size=4k"]
        else:
            walls += ["--mount", _bind("/dev/null", path)]
    return walls


def worker_of(control: socket.socket) -> int:
    """The process at the other end of `control`, as this side counts processes."""
    credentials = control.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", credentials)[0])


def remove(tool: str, name: str) -> None:
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
