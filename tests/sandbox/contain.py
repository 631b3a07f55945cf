"""What every attack is held to, without pytest: also run by users that have no pytest.

    python -m tests.sandbox.contain CONDITION... -- GROUP...

runs the attacks of the groups in a process of its own: `docker` puts Docker's default filter and
capabilities around it first, `nogroup` hides control groups, `landlock=N` hides what is newer. A
line of JSON tells of each attack that was not contained, the last one of the barriers.
"""

import dataclasses
import errno
import functools
import json
import os
import select
import socket
import sys
import tempfile
import time
from pathlib import Path

from ordojo.sandbox import Limits, Sandbox, kernel, landlock, seccomp
from ordojo.sandbox.cgroup import ControlGroup
from tests.sandbox import attacks, attacks_budgets, attacks_more

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
GROUPS = {
    "reading": attacks.READING,
    "writing": attacks.WRITING,
    "network": attacks.NETWORK,
    "processes": attacks_more.PROCESSES,
    "limits": attacks_more.LIMITS,
    "worker": attacks_more.WORKER,
    "budgets": attacks_budgets.BUDGETS,
    "outside": attacks_budgets.OUTSIDE,
    "next": attacks_budgets.NEXT,
}
DOCKER_REFUSES = """
acct add_key bpf clock_adjtime clock_settime delete_module fanotify_init finit_module fsconfig
fsmount fsopen fspick init_module io_uring_enter io_uring_register io_uring_setup ioperm iopl kcmp
kexec_file_load kexec_load keyctl lookup_dcookie mount mount_setattr move_mount move_pages
nfsservctl open_by_handle_at open_tree perf_event_open pivot_root quotactl quotactl_fd reboot
request_key setdomainname sethostname setns settimeofday swapoff swapon sysfs syslog umount2
unshare uselib userfaultfd ustat vhangup
"""
"""Calls that Docker's default filter answers with EPERM where no capability was added."""
_DOCKER_KEEPS = (0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31)
"""The capabilities of root in a container that was started without options."""
_OWN = (
    "import os, json\nprint(sum([1, 2]), json.loads('[5]'), os.listdir(), open('program.py').name)"
)


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


def prelude(world: World) -> str:
    values = {"GOLD": world.gold, "FOLDER": world.folder, "PORT": world.port, "HOST": os.getpid()}
    lines = [
        f"{name} = {value if isinstance(value, int) else str(value)!r}"
        for name, value in values.items()
    ]
    return "\n".join([*lines, attacks.PRELUDE])


def faults(sandbox: Sandbox, attack: attacks.Attack, world: World) -> list[str]:
    """Run the attack; what of it was not contained, not charged, or told something."""
    limits = dataclasses.replace(
        SMALL, wall=attack.wall, cpu=attack.cpu, memory=attack.memory_mb << 20
    )
    sandbox.run("pass")  # a worker that the attack before this one took along is replaced
    worker = sandbox._worker
    assert worker is not None
    before = processes_of(worker.folder)
    done = sandbox.run(prelude(world) + attack.source, limits=limits)
    checks = {
        "ended as": done.outcome in attack.outcomes,
        "got through": "breach" not in done.stdout,
        "was not refused": done.stdout.count("refused") >= attack.refused,
        "did not print": attack.prints in done.stdout,
        "told the gold": "271828" not in done.stdout + done.stderr,
        "signal": attack.signal is None or done.signal == attack.signal,
        "took too long": done.wall < attack.wall + 5,
        "took too much processor time": done.cpu < attack.cpu + 2,
        "printed too much": len(done.stdout) + len(done.stderr) <= limits.output,
        "touched the gold": world.untouched(),
        "was heard outside": world.unheard(),
    }
    after = sandbox.run(_OWN)
    folder = after.stdout.rpartition(" ")[2]
    checks["changed what the next program finds"] = (after.outcome, after.stdout) == (
        "finished",
        f"3 [5] ['program.py'] {folder}",
    )
    # The kernel may end the worker for want of memory: then nothing of it is left.
    lost = done.outcome == "memory_limit" and sandbox._worker is not worker
    checks["left something running"] = gone(worker.folder, set() if lost else before)
    checks["ended the worker"] = lost or sandbox._worker is worker
    return [f"{what}: {done}; then {after}" for what, right in checks.items() if not right]


def gone(folder: str, before: set[int]) -> bool:
    """Whether only the worker's own processes run (a killed one may take a moment to vanish)."""
    for _ in range(50):
        if processes_of(folder) <= before:
            return True
        time.sleep(0.02)
    return False


def processes_of(folder: str) -> set[int]:
    """Every process on this machine that carries the worker's mark in its command line."""
    found = set()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            line = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if folder.encode() in line or b"31415.9" in line:
            found.add(int(entry.name))
    return found


def as_in_docker() -> None:
    """Put this process where a container would: Docker's filter, and no more than its rights."""
    for capability in set(range(41)) - set(_DOCKER_KEEPS):
        if os.geteuid() == 0:
            kernel.prctl(kernel.PR_CAPBSET_DROP, capability)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if os.geteuid() == 0:
        kept = sum(1 << capability for capability in _DOCKER_KEEPS)
        kernel.set_capabilities(kept)
    rules = [seccomp._refuse(name, errno.EPERM) for name in DOCKER_REFUSES.split()]
    rules += [seccomp._refuse("clone3", errno.ENOSYS)]
    rules += [seccomp._when("clone", (0, 0x7E020000, 0, False))]
    seccomp._install(rules, guard=False)


def main(words: list[str]) -> None:
    """What the module's docstring says."""
    conditions, groups = words[: words.index("--")], words[words.index("--") + 1 :]
    for condition in conditions:
        if condition == "docker":
            as_in_docker()
        elif condition == "nogroup":
            ControlGroup.make = classmethod(lambda cls, pid: None)  # type: ignore[assignment,method-assign]
        elif condition.startswith("landlock="):
            landlock.abi = functools.partial(int, condition.partition("=")[2])
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        Path(folder).chmod(0o755)
        with Sandbox("auto", SMALL, preload=()) as sandbox:
            for group in groups:
                for attack in GROUPS[group]:
                    if "numpy" not in attack.source and attack.name not in (
                        *SLOW,
                        "folders bomb",
                        "links bomb",
                    ):
                        for fault in faults(sandbox, attack, world):
                            sys.stdout.write(json.dumps([attack.name, fault]) + "\n")
            sys.stdout.write(json.dumps(["isolation", sandbox.isolation]) + "\n")
        world.close()


SLOW = ("burn the processor past SIGXCPU", "install a package")
"""Attacks that take long, and are the same under any barriers."""

if __name__ == "__main__":
    main(sys.argv[1:])
