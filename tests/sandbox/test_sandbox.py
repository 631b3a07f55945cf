"""What a well-behaved program sees and what becomes of it."""

# ruff: noqa: PTH208

import dataclasses
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from perf.sandbox import bench_sandbox

from ordojo.core.errors import DataError, SandboxError, SolverError, UsageError
from ordojo.sandbox import Limits, ProgramOutcome, Sandbox, cgroup, landlock, seccomp, worker
from ordojo.sandbox.launch import ConfinementPlan
from ordojo.sandbox.layout import own_layout
from tests.sandbox.conftest import docker_answers, open_sandbox
from tests.sandbox.contain import SMALL, processes_of


def test_outcomes(box: Sandbox) -> None:
    cases = {
        "print(1)": ("finished", 0),
        "import sys; sys.exit()": ("finished", 0),
        "import sys; sys.exit(0)": ("finished", 0),
        "import sys; sys.exit(3)": ("exited", 3),
        "import sys; sys.exit('no')": ("exited", 1),
        "1 / 0": ("raised", 1),
        "raise KeyboardInterrupt": ("raised", 1),
        "x = = 1": ("syntax_error", 1),
        "raise MemoryError": ("memory_limit", 1),
    }
    for source, expected in cases.items():
        done = box.run(source)
        assert (done.outcome, done.exit_code) == expected, (source, done)
        assert done.ok == (expected[0] == "finished")
        assert done.signal is None
        assert done.isolation == box.isolation != "unsafe"
        assert 0 < done.wall < 20


def test_an_exception_is_told_as_python_tells_it(box: Sandbox, tmp_path: Path) -> None:
    source = "def f(x):\n    return 1 / x\nprint('before')\nf(0)\n"
    done = box.run(source)
    assert (done.exception, done.message) == ("ZeroDivisionError", "division by zero")
    file = tmp_path / "program.py"
    file.write_text(source)
    plain = subprocess.run([sys.executable, file], capture_output=True, text=True)
    folder = done.stderr.split('"')[1].removesuffix("/program.py")
    assert done.stdout == plain.stdout == "before\n"
    assert done.stderr.replace(folder, str(tmp_path)) == plain.stderr
    assert done.traceback == done.stderr


def test_surroundings(box: Sandbox) -> None:
    done = box.run(
        "import os, sys, time\n"
        "print(__name__, sys.argv[1:], os.path.basename(__file__), os.listdir('.'))\n"
        "print(os.getcwd() == os.path.dirname(__file__) == os.environ['HOME'] == sys.path[0])\n"
        "print(hash('ordojo'), time.tzname[0], sys.stdout.encoding, sys.flags.hash_randomization)\n"
        "import __main__; print(__main__.__file__ == __file__)",
        arguments=["a", "b c"],
    )
    again = box.run("print(hash('ordojo'))")
    lines = done.stdout.splitlines()
    assert lines[0] == "__main__ ['a', 'b c'] program.py ['program.py']"
    assert lines[1] == "True"
    assert lines[2] == f"{again.stdout.strip()} UTC utf-8 0"
    assert lines[3] == "True"


@pytest.mark.parametrize("isolation", ["auto", "landlock"])
def test_our_rooms_can_be_imported_late(isolation: str, walled: Callable[[str], Sandbox]) -> None:
    done = walled(isolation).run(
        "import sys\nassert 'ordojo.core.statistics' not in sys.modules\n"
        "import ordojo.core.statistics, ordojo.core.seeds, xml.dom.minidom, numpy.polynomial\n"
        "print(ordojo.core.statistics.__name__)"
    )
    assert done.stdout == "ordojo.core.statistics\n", done


def test_the_environment_is_an_allow_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    with open_sandbox("auto", preload=()) as sandbox:
        names = sandbox.run("import os; print(*sorted(os.environ))").stdout.split()
    assert set(names) <= {
        *[
            "HOME",
            "LANG",
            "LC_ALL",
            "LD_LIBRARY_PATH",
            "LOGNAME",
            "MKL_NUM_THREADS",
        ],
        *[
            "MPLBACKEND",
            "OMP_NUM_THREADS",
            "OPENBLAS_NUM_THREADS",
            "PATH",
            "PWD",
            "PYTHONDONTWRITEBYTECODE",
        ],
        *["PYTHONHASHSEED", "TMPDIR", "TZ", "USER"],
    }


def test_random_numbers_repeat(box: Sandbox) -> None:
    source = "import random, numpy; print(random.random(), numpy.random.rand())"
    assert box.run(source).stdout == box.run(source).stdout


def test_threads_and_atexit_run_as_in_python(box: Sandbox) -> None:
    done = box.run(
        "import atexit, threading, time\natexit.register(print, 'last')\n"
        "threading.Thread(target=lambda: (time.sleep(0.05), print('thread'))).start()\n"
        "print('main')"
    )
    assert (done.outcome, done.stdout) == ("finished", "main\nthread\nlast\n")


def test_children_may_run_where_they_can_be_found(box: Sandbox) -> None:
    if box.isolation.startswith("landlock") and landlock.abi() < landlock.SCOPES:
        pytest.skip("this kernel's Landlock does not keep signals inside")
    source = "import subprocess\nprint(subprocess.run(['echo', 'hi'], capture_output=True).stdout)"
    assert box.run(source).stdout == "b'hi\\n'\n"
    source = "import sys, subprocess\nsubprocess.run([sys.executable, '-c', 'print(5)'])"
    assert box.run(source).stdout == "5\n"


def test_files(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "big.csv").write_bytes(b"x" * 3_000_000)
    (tmp_path / "other.csv").write_text("other")
    given = {"a.csv": b"1,2\n", "d/b.csv": data / "big.csv"}
    with open_sandbox("auto", preload=()) as sandbox:
        done = sandbox.run(
            "import os\nprint(open('a.csv').read(), os.path.getsize('d/b.csv'), open('c').read())\n"
            "open('a.csv', 'a').write('3')\n"
            f"open({str(tmp_path / 'other.csv')!r})",
            files={**given, "c": b"c"},
        )
        assert done.stdout == "1,2\n 3000000 c\n"
        assert done.exception in ("PermissionError", "FileNotFoundError")
        again = sandbox.run("print(open('a.csv').read())", files=given)
        assert again.stdout == "1,2\n\n"
        for name in ("/x", "../x", "a/../../x", "", ".", "program.py", "a\0b"):
            with pytest.raises(DataError, match="cannot be named"):
                sandbox.run("", files={name: b""})
        with pytest.raises(DataError, match="cannot be read"):
            sandbox.run("", files={"x": tmp_path / "absent"})


def test_calls_are_answered_outside(box: Sandbox) -> None:
    asked: list[bytes] = []

    def answer(payload: bytes) -> bytes:
        asked.append(payload)
        return payload[::-1] + str(os.getpid()).encode()

    done = box.run(
        "from ordojo.sandbox import channel\n"
        "print(channel.call(b'abc'))\nprint(len(channel.call(bytes(3_000_000))))\n"
        "channel.give({'objective': 1.5})\nchannel.give({'objective': 2.5})",
        handler=answer,
    )
    assert done.stdout.startswith(f"b'cba{os.getpid()}'\n30000")
    assert (done.result, done.calls) == ({"objective": 2.5}, 2)
    assert [len(payload) for payload in asked] == [3, 3_000_000]


def test_threads_may_call_together(box: Sandbox) -> None:
    done = box.run(
        "from concurrent.futures import ThreadPoolExecutor as Pool\n"
        "from ordojo.sandbox import channel\n"
        "print(sum(int(x) for x in Pool(4).map(lambda i: channel.call(b'%d' % i), range(50))))",
        handler=lambda payload: payload,
    )
    assert (done.stdout, done.calls) == ("1225\n", 50)


def test_no_service_and_a_failing_service(box: Sandbox) -> None:
    source = "from ordojo.sandbox import channel\nchannel.call(b'x')"
    assert box.run(source).exception == "SandboxError"

    def fail(payload: bytes) -> bytes:
        raise SolverError("the solver is gone")

    with pytest.raises(SolverError, match="gone"):
        box.run(source, handler=fail)
    assert box.run("print(1)").stdout == "1\n"


def test_the_service_does_not_cost_the_program_its_time(box: Sandbox) -> None:
    def slow(payload: bytes) -> bytes:
        time.sleep(0.6)
        return payload

    source = "from ordojo.sandbox import channel\nchannel.call(b'x')\nprint('done')"
    limits = dataclasses.replace(SMALL, wall=0.4)
    free = box.run(source, handler=slow, limits=limits)
    assert free.ok
    assert free.service >= 0.6


def test_a_step_of_the_clock_is_no_time(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's clock is turned by an hour between any two looks at it."""
    hours = itertools.count()
    monkeypatch.setattr(time, "time", lambda: 1e9 + 3600.0 * next(hours))
    monkeypatch.setattr(time, "time_ns", lambda: 10**18 - 3600 * 10**9 * next(hours))
    limits = dataclasses.replace(SMALL, wall=0.6)
    assert box.run("import time; time.sleep(0.2); print(1)", limits=limits).stdout == "1\n"
    done = box.run("import time; time.sleep(9)", limits=limits)
    assert (done.outcome, done.wall < 5) == ("time_limit", True)


def test_all_memory_is_one_budget(box: Sandbox) -> None:
    """Own pages, children's, and files in memory: within a tenth, where the kernel bounds them."""
    group = box._worker and box._worker.group
    if not group:
        pytest.skip("no control group can be made here: the attacks on budgets look at outcomes")
    peak = [0]

    def look(payload: bytes) -> bytes:
        peak[0] = max(peak[0], group.held())
        return payload

    source = (
        "import os, time\nfrom ordojo.sandbox import channel\n"
        "for i in range(12):\n    if os.fork() == 0:\n"
        "        held = bytearray(b'1') * (20 << 20)\n        time.sleep(9)\n"
        "for i in range(9):\n    open(f'f{i}', 'wb').write(bytes(3 << 20))\n"
        "while True: channel.call(b'x')\n"
    )
    limits = dataclasses.replace(SMALL, memory=128 << 20)
    assert box.run(source, handler=look, limits=limits).outcome is ProgramOutcome.MEMORY_LIMIT
    assert peak[0] <= 1.1 * limits.memory


def test_shadowed_modules() -> None:
    shadow = {"gurobipy": "json", "coptpy": "no.such"}
    with open_sandbox("auto", preload=(), shadow=shadow) as sandbox:
        done = sandbox.run(
            "import gurobipy as gp\nfrom gurobipy import loads\n"
            "import gurobipy.decoder as d, json\n"
            "print(gp is json, loads is json.loads, d is json.decoder, json.__spec__.name)\n"
            "try:\n    import gurobipy.nothing\nexcept ModuleNotFoundError as e: print(e)\n"
            "import coptpy"
        )
    assert done.stdout == "True True True json\nNo module named 'gurobipy.nothing'\n"
    assert (done.exception, done.message) == ("ModuleNotFoundError", "No module named 'coptpy'")


def test_missing_modules_are_left_to_the_program() -> None:
    with open_sandbox("auto", preload=("json", "no_such_module")) as sandbox:
        assert sandbox.run("import json, no_such_module").exception == "ModuleNotFoundError"


def test_a_lost_worker_is_replaced() -> None:
    with open_sandbox("auto", preload=()) as sandbox:
        first = sandbox._worker
        assert first is not None
        os.kill(first.pid, signal.SIGKILL)
        # Whether it is known to be lost before the program goes to it is a matter of a moment.
        try:
            lost = sandbox.run("print(1)")
        except SandboxError as error:
            assert "lost" in str(error)
        else:
            assert lost.ok or lost.outcome is ProgramOutcome.KILLED
        assert sandbox.run("print(2)").stdout == "2\n"
        assert sandbox._worker is not first


def test_several_sandboxes_and_threads_at_once(box: Sandbox) -> None:
    def total(sandbox: Sandbox, number: int) -> int:
        return int(sandbox.run(f"import os\nprint({number} * len(os.listdir()))").stdout)

    with open_sandbox("auto", preload=()) as other, ThreadPoolExecutor(4) as pool:
        found = list(pool.map(total, [box, other] * 10, range(20)))
    assert found == list(range(20))


def test_nothing_leaks_from_run_to_run(box: Sandbox) -> None:
    box.run("print(1)", handler=bytes)
    before = len(os.listdir("/proc/self/fd"))
    for source in ("print(1)", "1 / 0", "import os; os.abort()", "import os; os.write(3, b'junk')"):
        box.run(source, handler=bytes)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_closed_sandbox_runs_nothing() -> None:
    sandbox = open_sandbox("auto", preload=())
    sandbox.close()
    sandbox.close()
    with pytest.raises(SandboxError, match="closed"):
        sandbox.run("print(1)")


def test_output_before_a_limit_is_kept(box: Sandbox) -> None:
    limits = dataclasses.replace(SMALL, wall=0.4)
    done = box.run("print('so far')\nwhile True: pass", limits=limits)
    assert (done.outcome, done.stdout) == ("time_limit", "so far\n")


def test_nothing_stays_after_closing(tmp_path: Path) -> None:
    sandbox = open_sandbox("auto", preload=())
    worker = sandbox._worker
    assert worker is not None
    assert processes_of(worker.folder)
    sandbox.close()
    assert not processes_of(worker.folder)
    assert not Path(worker.folder).exists()


def test_nothing_stays_when_the_host_is_killed() -> None:
    script = (
        "import os, signal\nfrom ordojo.sandbox import Sandbox\ns = Sandbox(preload=())\n"
        "print(s._worker.folder, flush=True)\n"
        "import threading\nthreading.Timer(0.3, os.kill, (os.getpid(), signal.SIGKILL)).start()\n"
        "s.run('while True: pass')"
    )
    open_sandbox("auto", preload=()).close()
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    folder = done.stdout.strip()
    assert folder
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _named(folder):
        time.sleep(0.05)
    assert not _named(folder)
    subprocess.run(["rm", "-rf", folder], check=True)


def _named(mark: str) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "cmdline").read_bytes():
                found.append(entry.name)
        except OSError:
            continue
    return found


def test_it_fails_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="unknown isolation"):
        Sandbox("none")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SandboxError, match="cannot be contained"):
        Sandbox("bwrap", preload=())
    early = ConfinementPlan("landlock", os.geteuid(), os.getegid(), landlock=0)
    with pytest.raises(SandboxError, match="cannot be contained"):
        Sandbox(early, preload=())
    monkeypatch.setattr(seccomp, "available", lambda: False)
    with pytest.raises(SandboxError, match="cannot be contained"):
        Sandbox(preload=())


def test_auto_never_means_unsafe() -> None:
    assert "unsafe" not in {plan.kind for plan in worker.plans("auto")}
    assert [plan.kind for plan in worker.plans("unsafe")] == ["unsafe"]


def test_unsafe_says_so() -> None:
    with Sandbox("unsafe", SMALL, preload=()) as sandbox:
        done = sandbox.run("print(1)")
        assert (done.stdout, done.isolation) == ("1\n", "unsafe")
        limits = dataclasses.replace(SMALL, wall=0.4)
        assert sandbox.run("import time; time.sleep(9)", limits=limits).outcome == "time_limit"


def test_each_plan_that_works_runs_programs() -> None:
    kinds = [kind for kind in ("userns", "bwrap", "landlock") if _runs(kind)]
    assert kinds or pytest.skip("no isolation on this machine")


@pytest.mark.skipif(not docker_answers(), reason="no Docker daemon answers: its attacks, too")
def test_docker_runs_programs() -> None:
    assert _runs("docker")


def _runs(kind: str) -> bool:
    try:
        with Sandbox(kind, SMALL, preload=()) as sandbox:
            done = sandbox.run("import os; print(len(os.listdir()))")
    except SandboxError:
        return False
    assert done.stdout == "1\n"
    assert done.isolation.split("+")[0] == kind
    return True


def test_no_data_room_is_shown() -> None:
    layout = own_layout()
    hidden = {Path(path).name for path in layout.hide}
    assert {"datasets", "benchmarks", "evaluation"} <= hidden
    whole, _ = layout.expanded()
    assert not any(path.startswith(tuple(layout.hide)) for path in whole)


def test_limits_have_sizes_in_bytes() -> None:
    assert Limits().memory == 2 << 30


def test_speed(box: Sandbox) -> None:
    rows = {row[0]: row[1] for row in bench_sandbox(7)}
    assert rows["sandbox / new interpreter"] > 5  # 25 is the target on a quiet machine


def test_folders_of_hosts_that_were_killed_are_swept() -> None:
    host = subprocess.Popen(["/bin/true"])
    host.wait()
    space, temporary = Path("/proc/self/ns/pid").stat().st_ino, Path(tempfile.gettempdir())
    left = temporary / f"ordojo-sandbox-{space}-{host.pid}-left"
    kept = temporary / f"ordojo-sandbox-{space}-{os.getpid()}-kept"
    other = temporary / f"ordojo-sandbox-{space + 1}-{host.pid}-other"
    for folder in (left, kept, other):
        folder.mkdir()
    open_sandbox("auto", preload=()).close()
    assert [folder.exists() for folder in (left, kept, other)] == [False, True, True]
    kept.rmdir()
    other.rmdir()


def test_where_no_process_is_seen_nothing_counts_as_left(monkeypatch: pytest.MonkeyPatch) -> None:
    host = subprocess.Popen(["/bin/true"])
    host.wait()
    assert cgroup.has_no_owner(f"{cgroup.namespace()}-{host.pid}-x")
    monkeypatch.setattr(cgroup, "namespace", lambda: 0)
    assert not cgroup.has_no_owner(f"0-{host.pid}-x")
