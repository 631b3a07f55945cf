"""Programs that try to get out, to stay, or to bring the judge down.

Each tries something with `attempt`, which prints "breach" when it works and "refused" when it
does not. `refused` is the least number of refusals to see; `outcomes` how the program may end.
"""

# The programs are text: their lines are as long as they are.
# ruff: noqa: E501

from dataclasses import dataclass

PRELUDE = """
import ctypes, os, signal, sys, time
libc = ctypes.CDLL(None, use_errno=True)
X86 = os.uname().machine == "x86_64"
def attempt(what):
    try:
        got = what()
    except Exception as error:
        print("refused", type(error).__name__, error)
    else:
        print("breach", repr(got)[:200])
def call(x86, arm, *arguments):
    got = libc.syscall(ctypes.c_long(x86 if X86 else arm), *map(ctypes.c_long, arguments))
    if got < 0:
        raise OSError(ctypes.get_errno(), "system call")
    return got
def text(path):
    with open(path) as source:
        return source.read()
"""


@dataclass(frozen=True)
class Attack:
    name: str
    source: str
    refused: int = 0
    outcomes: tuple[str, ...] = ("finished",)
    prints: str = ""
    wall: float = 20.0
    cpu: float = 20.0
    memory_mb: int = 192
    signal: int | None = None


def _(name: str, source: str, refused: int = 0, *outcomes: str, **more: object) -> Attack:
    return Attack(name, source, refused, outcomes or ("finished",), **more)  # type: ignore[arg-type]


def tries(name: str, *expressions: str) -> Attack:
    """An attack that is a list of expressions, all of which must be refused."""
    lines = "\n".join(f"attempt(lambda: {expression})" for expression in expressions)
    return Attack(name, lines, len(expressions))


READING = [
    tries("read the gold", "text(GOLD)", "os.listdir(FOLDER)", "os.scandir(FOLDER)"),
    tries("read the gold by a crooked path", "text('../' * 30 + GOLD[1:])", "text('//' + GOLD)"),
    tries(
        "read the gold through /proc",
        "text('/proc/self/root' + GOLD)",
        "text('/proc/1/root' + GOLD)",
        "text(f'/proc/{os.getppid()}/root' + GOLD)",
        "text('/proc/self/cwd/../..' + GOLD)",
        "text(f'/proc/{HOST}/cwd/' + GOLD)",
    ),
    _(
        "read the gold through a link",
        "try:\n    os.symlink(GOLD, 'link')\nexcept OSError: pass\nattempt(lambda: text('link'))\n"
        "attempt(lambda: os.link(GOLD, 'hard'))\nattempt(lambda: text('hard'))\n"
        "os.symlink(FOLDER, 'dir')\nattempt(lambda: os.listdir('dir'))",
        4,
    ),
    _(
        "read the gold through a bare descriptor",
        "def reopen():\n    fd = os.open(GOLD, os.O_PATH)\n"
        "    return os.read(os.open(f'/proc/self/fd/{fd}', os.O_RDONLY), 100)\nattempt(reopen)",
        1,
    ),
    tries(
        "copy the gold here",
        "__import__('shutil').copy(GOLD, 'mine')",
        "os.rename(GOLD, 'mine')",
        "__import__('subprocess').run(['cat', GOLD], check=True)",
    ),
    tries(
        "read the gold by its handle", "call(303, 264, -100, 0, 0, 0, 0)", "call(304, 265, 0, 0, 0)"
    ),
    tries(
        "read accounts and keys",
        "text('/etc/passwd')",
        "text('/etc/shadow')",
        "os.listdir('/root')",
        "os.listdir('/home')",
    ),
    _(
        "read the environment",
        "found = [v for v in [*os.environ.values()] if 'secret-314159' in v]\n"
        "environ = (ctypes.c_char_p * 200).in_dll(libc, 'environ')\n"
        "libc.getenv.restype = ctypes.c_char_p\n"
        "found += [libc.getenv(b'ORDOJO_TEST_SECRET')] * bool(libc.getenv(b'ORDOJO_TEST_SECRET'))\n"
        "print('breach' if found else 'nothing found')\n"
        "for pid in ('self', os.getppid(), 1, HOST):\n"
        "    attempt(lambda: text(f'/proc/{pid}/environ'))",
        4,
        prints="nothing found",
    ),
    tries(
        "read other processes' memory",
        "open(f'/proc/{os.getppid()}/mem', 'rb').read(1)",
        "open('/proc/self/mem', 'rb').read(1)",
        "text(f'/proc/{HOST}/maps')",
        "text(f'/proc/{HOST}/cmdline')",
        "os.listdir('/proc')",
        "call(310, 270, os.getppid(), 0, 0, 0, 0, 0)",
        "call(310, 270, HOST, 0, 0, 0, 0, 0)",
        "call(311, 271, HOST, 0, 0, 0, 0, 0)",
    ),
    tries(
        "trace the worker",
        "call(101, 117, 16, os.getppid(), 0, 0)",
        "call(101, 117, 16, HOST, 0, 0)",
        "call(101, 117, 0, 0, 0, 0)",
        "call(438, 438, 0, 0, 0)",
        "call(312, 272, 1, 1, 0, 0, 0)",
    ),
    _(
        "read the answers that we ship",
        "import ordojo\nhome = os.path.dirname(ordojo.__file__)\n"
        "for name in ('ordojo.datasets.store', 'ordojo.benchmarks.orqa', 'ordojo.evaluation.runs'):\n"
        "    attempt(lambda: __import__(name))\n"
        "attempt(lambda: text(home + '/datasets/shipped/orqa/test.jsonl'))\n"
        "attempt(lambda: text(home + '/datasets/registry.py'))",
        5,
    ),
    tries(
        "read devices",
        "open('/dev/mem', 'rb').read(1)",
        "open('/dev/kmsg').read(1)",
        "open('/dev/vda', 'rb').read(1)",
        "open('/dev/tty').read(1)",
        "os.listdir('/dev/shm')",
    ),
]

WRITING = [
    tries(
        "write outside",
        *(
            f"open({path!r}, 'w').write('x')"
            for path in (
                "/tmp/escaped-314159",
                "/var/tmp/escaped-314159",
                "/etc/escaped-314159",
                "/dev/shm/escaped-314159",
                "/escaped-314159",
                "../escaped-314159/x",
            )
        ),
        "open(FOLDER + '/escaped', 'w').write('x')",
        "os.mkdir(FOLDER + '/escaped')",
    ),
    _(
        "spoil the gold",
        "def seen(f):\n    try: f()\n    except OSError as error: print('refused', error)\n"
        "for f in (lambda: open(GOLD, 'a').write('x'), lambda: os.unlink(GOLD),\n"
        "          lambda: os.truncate(GOLD, 0), lambda: os.rmdir(FOLDER),\n"
        "          lambda: os.rename(GOLD, GOLD + '2'), lambda: os.replace('program.py', GOLD),\n"
        "          lambda: os.open(GOLD, os.O_RDONLY | os.O_TRUNC)):\n    seen(f)\n"
        "for f in (lambda: os.chmod(GOLD, 0), lambda: os.utime(GOLD, (0, 0)),\n"
        "          lambda: os.chown(GOLD, 1, 1), lambda: os.setxattr(GOLD, 'user.x', b'y')):\n"
        "    seen(f)  # may look done: the host looks whether it was",
        7,
    ),
    _(
        "write through a link",
        "os.symlink(FOLDER, 'out')\nattempt(lambda: open('out/escaped', 'w').write('x'))\n"
        "os.symlink(GOLD, 'gold')\nattempt(lambda: open('gold', 'w').write('x'))\n"
        "attempt(lambda: os.rename('program.py', 'out/escaped'))",
        3,
    ),
    tries(
        "write into the libraries",
        "open(__import__('numpy').__file__, 'a').write('x')",
        "open(os.path.dirname(__import__('numpy').__file__) + '/new.py', 'w').write('x')",
        "open(os.__file__, 'r+').write('x')",
        "open(__import__('ordojo').__file__, 'a').write('x')",
        "os.unlink(__import__('json').__file__)",
        "open(sys.executable, 'ab').write(b'x')",
    ),
    tries(
        "install a package",
        "__import__('subprocess').run([sys.executable, '-m', 'pip', 'install', 'six', '-q', '--retries', '0',"
        " '--timeout', '1', '--force-reinstall'], check=True, capture_output=True)",
    ),
    tries(
        "make devices",
        "os.mknod('dev', 0o600 | 0o020000, os.makedev(1, 1))",
        "os.mknod(FOLDER + '/fifo', 0o600 | 0o010000)",
    ),
    tries(
        "write to the kernel",
        "open('/proc/sys/kernel/core_pattern', 'w').write('|/x')",
        "open('/proc/self/oom_score_adj', 'w').write('-1000')",
        "open('/proc/sysrq-trigger', 'w').write('c')",
        "open('/sys/devices/system/cpu/cpu0/online', 'w').write('0')",
    ),
    tries(
        "use shared memory",
        "open('/dev/shm/x', 'w').write('x')",
        "call(29, 194, 0, 4096, 0o1666)",
        "call(68, 186, 0, 0o1666)",
        "call(64, 190, 0, 1, 0o1666)",
        "call(240, 180, 0, 0, 0, 0)",
        "os.memfd_create('x')",
    ),
    tries(
        "change mounts and namespaces",
        "call(165, 40, 0, 0, 0, 0, 0)",
        "call(161, 51, 0)",
        "call(155, 41, 0, 0)",
        "call(272, 97, 0x10000000)",
        "call(308, 268, 0, 0)",
        "call(166, 39, 0, 0)",
        "call(428, 428, 0, 0, 0)",
        "call(430, 430, 0, 0)",
        "call(442, 442, 0, 0, 0, 0, 0)",
        "call(56, 220, 0x10000011, 0, 0, 0, 0)",
        "call(435, 435, 0, 0)",
    ),
    tries(
        "ask for keys and tracing",
        "call(250, 219, 0, 0, 0, 0, 0)",
        "call(248, 217, 0, 0, 0, 0, 0)",
        "call(321, 280, 0, 0, 0)",
        "call(298, 241, 0, 0, 0, 0, 0)",
        "call(323, 282, 0)",
        "call(300, 262, 0, 0)",
        "call(175, 105, 0, 0, 0)",
        "call(246, 104, 0, 0, 0, 0)",
        "call(103, 116, 3, 0, 0)",
        "call(425, 425, 1, 0)",
        "call(135, 92, 0xffffffff)",
        "call(447, 447, 0)",
        "call(999, 999)",
    ),
    tries(
        "turn the clock",
        "time.clock_settime(time.CLOCK_REALTIME, 0)",
        "call(170, 161, 0, 0)",
        "call(169, 142, 0, 0, 0, 0)",
        "call(163, 89, 0)",
    ),
]

NETWORK = [
    _(
        "open sockets of every family",
        "import socket\nfor family in range(1, 46):\n    for kind in (1, 2, 3):\n"
        "        attempt(lambda: socket.socket(family, kind))",
        135,
    ),
    tries(
        "reach a service on this machine",
        "__import__('socket').create_connection(('127.0.0.1', PORT), 2)",
        "__import__('urllib.request').request.urlopen(f'http://127.0.0.1:{PORT}', timeout=2)",
        "__import__('subprocess').run(['bash', '-c', f'echo > /dev/tcp/127.0.0.1/{PORT}'], check=True)",
    ),
    _(
        "reach a unix socket",
        "import socket\ndef path():\n    s = socket.socket(socket.AF_UNIX)\n    s.connect(FOLDER + '/service')\n"
        "def abstract():\n    s = socket.socket(socket.AF_UNIX)\n    s.connect(f'\\0ordojo-{HOST}')\n"
        "def pair():\n    a, b = socket.socketpair()\n    a.connect(FOLDER + '/service')\n"
        "for f in (path, abstract, pair): attempt(f)",
        3,
    ),
    tries(
        "send a datagram to a service",
        "__import__('socket').socketpair(1, 2)[0].sendto(b'x', FOLDER + '/datagrams')",
        "__import__('socket').socketpair(1, 3)[0].sendto(b'x', FOLDER + '/datagrams')",
        "__import__('socket').socketpair(1, 1)[0].sendto(b'x', FOLDER + '/datagrams')",
        "__import__('socket').socketpair()[0].bind('here')",
        "__import__('socket').socketpair(1, 5)[0].listen()",
    ),
    tries(
        "look up a name",
        "__import__('socket').getaddrinfo('example.org', 80)",
        "__import__('asyncio').run(__import__('asyncio').open_connection('127.0.0.1', PORT))",
    ),
]
