"""How a warm worker's process comes up under each plan, with a socket between it and the host."""

import socket
import subprocess
from pathlib import Path

from ordojo.sandbox import containers
from ordojo.sandbox.layout import DEVICES
from ordojo.sandbox.namespaces import BASE
from ordojo.sandbox.plan import Plan, Setting

_BOOT = "import sys; sys.path.append(sys.argv[1]); from ordojo.sandbox.fork_server import main;"
_BOOT += " main(sys.argv[2])"
_PARENT = str(Path(__file__).resolve().parents[2])


def launch(
    plan: Plan, setting: Setting, folder: Path, base: str
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start the worker; what was started, and the host's end of the socket.

    What it says goes to `folder`'s log; programs write in `base`, as the worker sees it. Raises
    OSError or SandboxError.
    """
    home = f"{base}/program"
    environment = {**setting.environment, "HOME": home, "TMPDIR": home, "PWD": home}
    # The folder is named so that whoever sees the processes knows whose they are.
    python = [setting.python, "-s", "-P", "-B", "-c", _BOOT, _PARENT]
    if plan.kind == "docker":
        command = [*python, containers.DOOR, str(folder)]
        return containers.start(plan, setting, folder, command, environment)
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


def _bubble(plan: Plan, setting: Setting) -> list[str]:
    """The command before the command that shows a process the layout alone."""
    wall = [plan.tool, "--unshare-all", "--unshare-user", "--as-pid-1", "--new-session"]
    wall += ["--cap-drop", "ALL", "--hostname", "sandbox"]
    for path in setting.layout.read:
        wall += ["--ro-bind-try", path, path]
    for path in setting.layout.hide:
        if Path(path).is_dir():
            wall += ["--tmpfs", path, "--remount-ro", path]
        else:
            wall += ["--ro-bind", "/dev/null", path]
    for path in DEVICES:
        wall += ["--dev-bind", path, path]
    wall += ["--perms", "0700", "--size", str(setting.disk), "--tmpfs", BASE]
    return [*wall, "--remount-ro", "/", "--chdir", "/", "--"]
