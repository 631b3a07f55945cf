"""The parts by themselves: messages, call tables, clearing up, another user."""

# ruff: noqa: PTH101, PTH102, PTH211

import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ordojo
from ordojo.core.errors import SandboxError
from ordojo.sandbox import Sandbox, cgroup, channel, landlock, seccomp, standins, trees
from ordojo.sandbox.channel import CALL, END, RESULT, BadFrame, FrameReader, frame

_HEADERS = {
    "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    "aarch64": "/usr/include/asm-generic/unistd.h",
}


def test_messages_survive_any_cutting() -> None:
    sent = [(CALL, b"abc"), (RESULT, b""), (END, bytes(1000))]
    stream = b"".join(frame(*message) for message in sent)
    for step in (1, 7, 500, len(stream)):
        reader = FrameReader(2000)
        got = []
        for start in range(0, len(stream), step):
            got += list(reader.feed(stream[start : start + step]))
        reader.close()
        assert got == sent


@pytest.mark.parametrize(
    "data",
    [b"Q" + bytes(8), frame(CALL, bytes(2001)), frame(RESULT, bytes(2001)), b"J" + bytes(8)],
)
def test_bad_messages(data: bytes) -> None:
    with pytest.raises(BadFrame):
        list(FrameReader(2000).feed(data))


def test_a_cut_message() -> None:
    reader = FrameReader(2000)
    list(reader.feed(frame(CALL, b"abc")[:-1]))
    with pytest.raises(BadFrame, match="cut off"):
        reader.close()


def test_no_channel_outside() -> None:
    assert not channel.is_open()
    with pytest.raises(SandboxError, match="no service here"):
        channel.call(b"x")


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_call_numbers_agree_with_the_kernel_headers(machine: str) -> None:
    header = Path(_HEADERS[machine])
    if not header.exists():
        pytest.skip("no kernel headers here")
    pattern = r"#define __NR(?:3264)?_(\w+)\s+(\d+)"
    known = {name: int(number) for name, number in re.findall(pattern, header.read_text())}
    ours = seccomp.NUMBERS[machine]
    assert len(ours) > 90
    assert {name: known.get(name, number) for name, number in ours.items()} == ours
    assert sum(name in known for name in ours) > 90


def test_a_call_that_a_machine_lacks_is_absent() -> None:
    assert set(seccomp.NUMBERS["x86_64"]) - set(seccomp.NUMBERS["aarch64"]) >= {"fork", "chmod"}
    assert max(max(table.values()) for table in seccomp.NUMBERS.values()) <= seccomp.LAST_KNOWN


def test_clearing_up(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    inside = tmp_path / "inside"
    deep = inside / "a"
    deep.mkdir(parents=True)
    here = Path.cwd()
    os.chdir(deep)
    try:
        for _ in range(1500):
            os.mkdir("d")
            os.chdir("d")
        os.symlink(outside, "link")
        os.mkdir("locked")
        Path("locked/file").write_text("x")
        os.chmod("locked", 0)
    finally:
        os.chdir(here)
    os.symlink(outside, inside / "link")
    os.mkfifo(inside / "fifo")
    trees.empty(str(inside))
    assert list(inside.iterdir()) == []
    assert (outside / "kept").read_text() == "x"


def test_usage_stops_counting(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / str(number)).write_bytes(bytes(5000))
    total, count = trees.usage(str(tmp_path), 1000)
    assert count == 50
    assert total >= 50 * 5000
    assert trees.usage(str(tmp_path), 10)[1] == 11


def test_descendants_and_their_end() -> None:
    child = subprocess.Popen(["sh", "-c", "sleep 60 & sleep 60 & wait"])
    while len(trees.descendants(child.pid)) < 2:
        assert child.poll() is None
    me = {process.pid for process in trees.descendants(os.getpid())}
    assert child.pid in me
    trees.kill_descendants(child.pid)
    assert trees.descendants(child.pid) == []
    child.kill()
    child.wait()


def test_landlock_rights_by_version() -> None:
    assert landlock.everything(1) == (1 << 13) - 1
    assert landlock.everything(7) == (1 << 16) - 1
    assert not landlock.writable(7) & landlock.EXECUTE


def test_a_filter_that_stands_is_no_obstacle() -> None:
    """As in any container: PR_GET_SECCOMP then says 2."""
    script = (
        "from ordojo.sandbox import kernel, seccomp, Sandbox\n"
        "kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1); seccomp._install([], guard=False)\n"
        "assert kernel.prctl(21) == 2 and seccomp.available()\n"
        "with Sandbox(preload=()) as sandbox: print(sandbox.run('print(6 * 7)').stdout)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    if "cannot be contained" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-1])
    assert done.stdout.strip() == "42", done.stderr


def test_a_group_is_bounded_and_killed() -> None:
    child = subprocess.Popen(["sh", "-c", "sleep 60 & sleep 60 & wait"], start_new_session=True)
    group = cgroup.ControlGroup.make(child.pid)
    try:
        if group is None:
            pytest.skip("no control group can be made here")
        group.rest()
        for size in (1 << 30, 1 << 27, 1 << 29):  # down and up: the order of writing matters
            group.bound(size, 50)
        assert (group.kills(), group.held() < 1 << 20) == (0, True)
        cgroup._sweep([folder.parent for folder in group._folders], group._version)
        assert child.poll() is None, "its owner lives"
        unseen = Path("/sys/fs/cgroup/memory/nowhere")
        cgroup.ControlGroup(
            [unseen, *group._folders[1:]], group._version
        ).kill()  # as another sees it
        assert len(group._folders) == 1 or child.wait(1) == -signal.SIGKILL
        group.kill()
        assert child.wait(1) == -signal.SIGKILL
        assert not any(folder.exists() for folder in group._folders)
    finally:
        child.kill()
        child.wait()


def test_a_group_of_version_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree of plain files takes the orders; the kernel's own one kills, where there is one."""
    files = ("memory.max", "memory.swap.max", "pids.max", "cgroup.kill", "cgroup.procs")
    for name in files:
        (tmp_path / name).touch()
    (tmp_path / "memory.stat").write_text("anon 4096\nshmem 0\nfile 9\n")
    (tmp_path / "memory.events").write_text("max 3\noom_kill 2\n")
    group = cgroup.ControlGroup([tmp_path], 2)
    group.rest()
    group.bound(1 << 20, 50)
    told = [(tmp_path / name).read_text() for name in files]
    assert (told, group.kills(), group.held()) == ([str((1 << 20) + 4096), "0", "50", "", ""], 2, 0)
    with monkeypatch.context() as patch:
        patch.setattr(time, "sleep", lambda seconds: None)  # plain files keep their folder
        group.kill()
    assert [(tmp_path / name).read_text() for name in files] == ["max", "max", "0", "1", ""]
    own = next((p for p in (cgroup._MOUNT, cgroup._MOUNT / "unified") if _is_version_2(p)), None)
    if own is None:
        pytest.skip("no tree of version 2 can be written here: shown by plain files alone")
    group = cgroup.ControlGroup([own / f"test-ordojo-{os.getpid()}"], 2)
    group._folders[0].mkdir()
    child = subprocess.Popen(["sleep", "60"])
    (group._folders[0] / "cgroup.procs").write_text(str(child.pid))
    group.kill()
    assert child.wait(1) == -signal.SIGKILL
    assert not group._folders[0].exists()


def _is_version_2(folder: Path) -> bool:
    return (folder / "cgroup.controllers").exists() and os.access(folder, os.W_OK)


_BOMB = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
_HOST = f"""
import sys
from ordojo.sandbox import Limits, Sandbox, watch
watch.Meter.excess = lambda self: None  # as on a machine too busy to look
with Sandbox("landlock", Limits(wall=float(sys.argv[1]), processes=24), preload=()) as sandbox:
    worker = sandbox._worker
    folders = worker.group._folders if worker.group else []
    print(worker.process.pid, worker.pid, *folders, flush=True)
    print(sandbox.run({_BOMB!r}).outcome, flush=True)
    print(sandbox.run("print(6 * 7)").stdout, flush=True)
"""


@pytest.mark.parametrize("wall", ["0.5", "300"])
def test_a_fork_bomb_ends_at_the_bound(wall: str) -> None:
    """Unseen it ends with its time; when all that watches it is killed, by the next start."""
    command = [sys.executable, "-c", _HOST, wall]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert host.stdout and host.stderr
    first = host.stdout.readline().split()
    if len(first) < 4:
        pytest.skip((host.communicate()[1].splitlines() or ["no two control groups here"])[-1])
    watchers = [host.pid, int(first[0]), int(first[1])]
    memory, pids = map(Path, first[2:])
    bound = 2 * (24 + 4)
    while (pids / "pids.max").read_text().strip() == "max":
        assert host.poll() is None
    refused = pids / "pids.events"
    while wall == "300" and cgroup._counts(refused)["max"] == 0:
        assert int((pids / "pids.current").read_text()) <= bound
    if wall == "0.5":
        assert host.communicate()[0].split() == ["time_limit", "42"]
    else:
        for number in (signal.SIGSTOP, signal.SIGKILL):  # none may clear up after another
            for pid in watchers:
                os.kill(pid, number)
        host.communicate()
        left = (memory / "cgroup.procs").read_text().split()
        assert len(left) > 20, "the bomb runs on, and belongs to nobody"
        Sandbox("landlock", preload=()).close()
        assert not any(trees.inspect(int(pid)) for pid in left)
    assert not memory.exists()
    assert not pids.exists()


def test_multiprocessing_in_one_process() -> None:
    lock = standins.SemLock(0, 1, 1, "x", False)
    with lock:
        assert lock.acquire()
        lock.release()
        assert lock._is_mine()
    with pytest.raises(AssertionError):
        lock.release()
    count = standins.SemLock(1, 2, 2)
    assert [count.acquire(False) for _ in range(3)] == [True, True, False]
    assert not count.acquire(timeout=0.01)
    count.release()
    count.release()
    with pytest.raises(ValueError, match="too many times"):
        count.release()


_SCRIPT = """
import sys
sys.path.append(sys.argv[1])
from ordojo.sandbox import Sandbox
for kind in ("userns", "landlock"):
    with Sandbox(kind, preload=()) as sandbox:
        print(kind, sandbox.isolation)
        print(sandbox.run("import os; print(os.getuid(), os.listdir())").stdout)
        for source in ("open('/etc/passwd')", "import socket; socket.socket()",
                       "import os; os.kill(os.getppid(), 9)", "open('/tmp/escaped', 'w')"):
            print(sandbox.run(source).outcome)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="the other tests already run unprivileged")
@pytest.mark.skipif(platform.system() != "Linux", reason="Linux only")
def test_as_an_unprivileged_user(tmp_path_factory: pytest.TempPathFactory) -> None:
    """By an interpreter that nobody can read, so that root's rights play no part."""
    source = Path(ordojo.__file__).parent
    shared = Path("/var/tmp" if os.access("/var/tmp", os.W_OK) else "/tmp")
    folder = shared / f"ordojo-test-{os.getpid()}"
    candidates = [sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"]
    check = ["-c", "import sys; assert sys.version_info >= (3, 11)"]
    try:
        for room in ("core", "sandbox"):
            shutil.copytree(source / room, folder / "ordojo" / room)
        shutil.copy(source / "__init__.py", folder / "ordojo")
        folder.chmod(0o755)
        python = next((p for p in candidates if _runs_as_nobody([p, *check])), None)
        if python is None:
            pytest.skip("nobody can run an interpreter here")
        done = _as_nobody([python, "-B", "-c", _SCRIPT, str(folder)])
    finally:
        shutil.rmtree(folder)
    if "cannot be contained" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-1])
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split()
    assert lines.count("65534") == 2
    assert lines.count("raised") == 7, done.stdout  # in a namespace the worker ignores signal 9
    assert lines.count("finished") == 1


def _as_nobody(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        user=65534,
        group=65534,
        extra_groups=[],
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        cwd="/",
    )


def _runs_as_nobody(command: list[str]) -> bool:
    try:
        return _as_nobody(command).returncode == 0
    except OSError:
        return False
