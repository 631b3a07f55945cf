"""Which ways to contain a program this machine offers, in order of preference."""

import os
import platform
import shutil
from collections.abc import Iterator

from ordojo.core.errors import SandboxError, UsageError
from ordojo.sandbox import landlock, seccomp
from ordojo.sandbox.plan import Plan, Setting
from ordojo.sandbox.worker import Worker

ISOLATIONS = ("auto", "userns", "bwrap", "landlock", "docker", "unsafe")
_NOBODY = 65534


def plans(isolation: str) -> Iterator[Plan]:
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
            yield Plan("userns", *user)
    bwrap = shutil.which("bwrap")
    if isolation in ("auto", "bwrap") and bwrap:
        yield Plan("bwrap", uid, gid, tool=bwrap)
    if isolation in ("auto", "landlock") and landlock.abi():
        for user in users:
            yield Plan("landlock", *user)
    docker = shutil.which("docker")
    if isolation == "docker" and docker:
        for user in users:
            yield Plan("docker", *user, tool=docker)
    if isolation == "unsafe":
        yield Plan("unsafe", uid, gid)


def start(isolation: str | Plan, setting: Setting) -> Worker:
    """A warm worker by the first plan that holds; SandboxError, fail closed, when none does."""
    if platform.system() != "Linux":
        raise SandboxError(f"programs cannot be contained on {platform.system()}: use Linux")
    wanted = [isolation] if isinstance(isolation, Plan) else list(plans(isolation))
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
