"""More attacks: on processes, on limits, and on the worker and its channel."""

# The programs are text: their lines are as long as they are.
# ruff: noqa: E501

from tests.sandbox.attacks import _, tries

PROCESSES = [
    _(
        "fork bomb",
        "while True:\n    try: os.fork()\n    except OSError: pass",
        0,
        "time_limit",
        "process_limit",
        "memory_limit",
        wall=0.6,
    ),
    _(
        "fork bomb in new sessions",
        "while True:\n    try:\n        if os.fork() == 0: os.setsid()\n    except OSError: pass",
        0,
        "time_limit",
        "process_limit",
        "memory_limit",
        wall=0.6,
    ),
    _(
        "fork chain that hops away",
        "while True:\n    try:\n        if os.fork(): os._exit(0)\n    except OSError: os._exit(0)",
        wall=0.6,
    ),
    _(
        "thread bomb",
        "import threading\nwhile True:\n"
        "    threading.Thread(target=time.sleep, args=(99,), daemon=True).start()",
        0,
        "raised",
        "memory_limit",
        "killed",
        "time_limit",
        wall=3,
    ),
    _(
        "a process that outlives the first",
        "import subprocess\ntry:\n"
        "    subprocess.Popen(['sleep', '31415.9'], start_new_session=True)\n"
        "except OSError: pass\nprint('left')",
        prints="left",
    ),
    _(
        "a daemon, forked twice",
        "try:\n    if os.fork() == 0:\n        os.setsid()\n"
        "        if os.fork() == 0:\n            os.closerange(0, 64)\n            while True: time.sleep(1)\n"
        "        os._exit(0)\nexcept OSError: pass\nprint('left')",
        prints="left",
    ),
    _(
        "a child that keeps the pipes",
        "try:\n    if os.fork() == 0:\n        time.sleep(60)\nexcept OSError: pass\nprint('left')",
        prints="left",
        wall=10,
    ),
    _(
        "a subreaper with orphans",
        "libc.prctl(36, 1, 0, 0, 0)\nfor i in range(5):\n    try:\n"
        "        if os.fork() == 0:\n            if os.fork() == 0: time.sleep(99)\n            os._exit(0)\n"
        "    except OSError: pass\nprint('left')",
        prints="left",
    ),
    _(
        "zombies",
        "for i in range(15):\n    try:\n        if os.fork() == 0: os._exit(0)\n"
        "    except OSError: pass\nprint('left')",
        prints="left",
    ),
    _(
        "a pool of processes",
        "import multiprocessing\ntry:\n"
        "    p = multiprocessing.get_context('fork').Process(target=time.sleep, args=(99,), daemon=False)\n"
        "    p.start()\nexcept OSError: pass\nprint('left', flush=True)\nos._exit(0)",
        prints="left",
    ),
    _(
        "kill the worker",
        "for number in (9, 15, 19, 11, 6, 2):\n"
        "    try: os.kill(os.getppid(), number)\n    except OSError: pass\nprint('tried')",
        prints="tried",
    ),
    tries(
        "kill the host",
        "os.kill(HOST, 9)",
        "os.kill(HOST, 0)",
        "os.killpg(HOST, 15)",
        "signal.pidfd_send_signal(os.pidfd_open(HOST), 9)",
    ),
    _(
        "kill everybody",
        "try: os.kill(-1, 9)\nexcept OSError: pass\nprint('tried')",
        prints="tried",
    ),
    _("kill its own group", "os.killpg(0, 9)", 0, "killed", "raised"),
    _(
        "aim signals by a descriptor",
        "import fcntl\nr, w = os.pipe()\n"
        "attempt(lambda: fcntl.fcntl(r, 8, HOST))\nattempt(lambda: fcntl.fcntl(r, 15, bytes(8)))",
        2,
    ),
    _("stop itself", "os.kill(os.getpid(), signal.SIGSTOP)", 0, "time_limit", wall=0.4),
    _(
        "ignore all signals for ever",
        "for n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\nsignal.pthread_sigmask(0, range(1, 65))\nwhile True: pass",
        0,
        "time_limit",
        wall=0.5,
    ),
    _("loop in compiled code", "sum(range(10**13))", 0, "time_limit", wall=0.5),
    _(
        "burn the processor past SIGXCPU",
        "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
        0,
        "time_limit",
        cpu=1.0,
    ),
    _("sleep", "time.sleep(1000)", 0, "time_limit", wall=0.4),
    _("a number too large", "print(9 ** 9 ** 9)", 0, "time_limit", "memory_limit", wall=0.5),
    tries(
        "raise its limits",
        *(f"__import__('resource').setrlimit({which}, (-1, -1))" for which in (0, 1, 7, 9)),
        "__import__('resource').prlimit(HOST, 7, (1, 1))",
        "__import__('resource').prlimit(os.getppid(), 7, (1, 1))",
    ),
    tries(
        "change others' priority",
        "os.setpriority(os.PRIO_PROCESS, HOST, 19)",
        "os.nice(-20)",
        "os.sched_setaffinity(HOST, {0})",
        "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
        "call(251, 30, 1, HOST, 0)",
    ),
    tries(
        "become somebody else",
        "os.setuid(0) or os.setuid(12345)",
        "os.setgid(12345)",
        "os.setgroups([0])",
        "os.chown('program.py', 12345, 12345)",
        "os.chroot('.')",
    ),
    _(
        "run a setuid program",
        "import subprocess\ntry:\n    print(subprocess.run(['su', '-c', 'id'], "
        "stdin=subprocess.DEVNULL, capture_output=True, timeout=5).returncode == 0 and 'breach')\n"
        "except Exception as error: print('refused', error)",
    ),
]

LIMITS = [
    _("memory bomb", "held = []\nwhile True: held.append(bytearray(1 << 24))", 0, "memory_limit"),
    _(
        "memory bomb, caught",
        "held = []\nwhile True:\n    try: held.append(bytearray(1 << 24))\n"
        "    except MemoryError: break\nprint(len(held) < 14)",
        prints="True",
    ),
    _(
        "memory bomb by mmap",
        "import mmap\nheld = [mmap.mmap(-1, 1 << 26) for _ in range(200)]",
        0,
        "raised",
        "memory_limit",
    ),
    _("memory bomb in numpy", "import numpy\nnumpy.ones((1 << 30,))", 0, "memory_limit"),
    _(
        "memory bomb by many processes",
        "for _ in range(16):\n    try:\n        if os.fork() == 0:\n"
        "            held = bytearray(60 << 20)\n            held[::4096] = bytes([1]) * len(held[::4096])\n"
        "            time.sleep(99)\n    except OSError: raise SystemExit(3)\ntime.sleep(99)",
        0,
        "memory_limit",
        "exited",
        wall=8,
    ),
    _(
        "memory bomb in a regular expression",
        "import re\nre.match(r'(a*)*b', 'a' * 40)",
        0,
        "time_limit",
        wall=0.5,
    ),
    _(
        "ten gigabytes of output",
        "line = 'x' * (1 << 20)\nfor _ in range(10_000): print(line)",
        0,
        "output_limit",
    ),
    _(
        "ten gigabytes on stderr",
        "for _ in range(10_000): os.write(2, bytes(1 << 20))",
        0,
        "output_limit",
    ),
    _(
        "output from a child",
        "try:\n    os.fork()\nexcept OSError: pass\nwhile True: os.write(1, bytes(1 << 16))",
        0,
        "output_limit",
    ),
    _(
        "a huge file",
        "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\nout = open('big', 'wb')\n"
        "for _ in range(1000): out.write(bytes(1 << 20))",
        0,
        "disk_limit",
    ),
    _(
        "a huge sparse file",
        "attempt(lambda: os.truncate('program.py', 1 << 40))\n"
        "attempt(lambda: os.posix_fallocate(os.open('x', os.O_CREAT | os.O_RDWR), 0, 1 << 40))",
        2,
    ),
    _(
        "many large files",
        "for i in range(1000):\n    open(f'{i}', 'wb').write(bytes(7 << 20))\n    time.sleep(0.02)",
        0,
        "disk_limit",
        "raised",
    ),
    _(
        "many small files",
        "for i in range(100_000):\n    open(f'{i}', 'w').close()\n",
        0,
        "disk_limit",
        "raised",
    ),
    _(
        "deep and locked folders",
        "for i in range(1200):\n    os.mkdir('d'); os.chdir('d')\n"
        "os.mkdir('locked'); open('locked/f', 'w').close(); os.chmod('locked', 0); os.mkdir('shut', 0)\n"
        "os.mkdir('a\\nb'); open(b'\\xff\\xfe', 'w').close(); os.symlink('/', 'root'); print('made')",
        prints="made",
    ),
    _(
        "all descriptors",
        "held = []\nwhile True: held.append(os.open('program.py', 0))",
        0,
        "raised",
    ),
    _(
        "deep recursion",
        "sys.setrecursionlimit(10**9)\ndef f(): return f()\nf()",
        0,
        "killed",
        "raised",
        "memory_limit",
        memory_mb=48,
    ),
    _(
        "deep recursion in compiled code",
        "import pickle\nsys.setrecursionlimit(10**9)\nx = []\n"
        "for _ in range(200_000): x = [x]\nrepr(x)",
        0,
        "killed",
        "raised",
        "memory_limit",
    ),
    _(
        "watch files",
        "attempt(lambda: call(300, 262, 0, 0))\nattempt(lambda: text('/proc/sys/fs/inotify/max_user_watches'))",
        2,
    ),
]

WORKER = [
    _("crash", "ctypes.string_at(0)", 0, "killed", signal=11),
    _("abort", "os.abort()", 0, "killed"),
    _("leave at once", "print('x', flush=True)\nos._exit(7)", 0, "exited", prints="x"),
    _(
        "leave in atexit",
        "import atexit\natexit.register(lambda: os._exit(0))\nraise ValueError('hidden')",
        0,
        "raised",
    ),
    _(
        "stay in atexit",
        "import atexit\natexit.register(lambda: time.sleep(99))",
        0,
        "time_limit",
        wall=0.5,
    ),
    _(
        "waste time after the result",
        "from ordojo.sandbox import channel\nimport threading\nchannel.give(1)\n"
        "threading.Thread(target=time.sleep, args=(99,)).start()",
        0,
        "time_limit",
        wall=0.5,
    ),
    _(
        "print the gold by guessing",
        "for guess in range(100_000): print('objective', guess)",
        0,
        "output_limit",
    ),
    _(
        "patch the worker's modules",
        "import ordojo.sandbox.program as p, ordojo.sandbox.confinement as w, json\n"
        "p._report = p._wind_up = json.dumps = w.Walls.kill = lambda *a: os._exit(0)\n"
        "import ordojo.sandbox.fork_server as z\nz._serve = None\nimport builtins\nbuiltins.print = None\n"
        "raise ValueError('still seen?')",
        0,
        "finished",
        "raised",
        "exited",
    ),
    _(
        "patch numpy and builtins for the next",
        "import numpy, builtins, json\nnumpy.arange = builtins.sum = None\n"
        "json.loads = os.listdir = None\nsys.modules.clear()",
    ),
    _(
        "trace the worker's own frames",
        "sys.settrace(lambda *a: os._exit(0))\nsys.setprofile(lambda *a: None)\n"
        "f = sys._getframe()\nwhile f: print(f.f_code.co_name, sorted(f.f_locals)); f = f.f_back",
        0,
        "finished",
        "exited",
    ),
    _(
        "look for the gold in the worker's memory",
        "import gc\nprint('breach' if any('271828' in o for o in gc.get_objects() "
        "if type(o) is str and o is not None) else 'clean')",
        prints="clean",
    ),
    _("garbage on the channel", "os.write(3, b'not a message at all')", 0, "bad_frame"),
    _(
        "a message that is too long",
        "import struct\nos.write(3, struct.pack('<cQ', b'C', 1 << 62))",
        0,
        "bad_frame",
    ),
    _(
        "forge an answer",
        "import struct\nos.write(3, struct.pack('<cQ', b'A', 1) + b'x')",
        0,
        "bad_frame",
    ),
    _(
        "a message cut short",
        "import struct\nos.write(3, struct.pack('<cQ', b'C', 100) + b'x')",
        0,
        "bad_frame",
    ),
    _(
        "flood the service",
        "import struct\nwhile True: os.write(3, struct.pack('<cQ', b'C', 1) + b'x')",
        0,
        "bad_frame",
        "time_limit",
        wall=0.5,
    ),
    _(
        "forge a happy end",
        "from ordojo.sandbox import channel\nchannel.send(b'E', b'{\"kind\": \"end\"}')\nos._exit(3)",
        0,
        "exited",
    ),
    _(
        "an end that is no JSON",
        "from ordojo.sandbox import channel\nchannel.send(b'E', b'[' * 100_000)\n"
        "channel.send(b'R', b'\\xff\\x00')\nprint('sent')",
        prints="sent",
    ),
    _(
        "ends of every odd type",
        "from ordojo.sandbox import channel\n"
        'channel.send(b\'E\', b\'{"kind": [], "type": 1, "bases": 5, "message": null}\')\nprint(\'sent\')',
        prints="sent",
    ),
    _(
        "close everything",
        "os.closerange(0, 64)\nopen('x', 'w').write('y')",
        0,
        "finished",
        "exited",
        "killed",
    ),
    _(
        "read from the terminal",
        "print('got', repr(sys.stdin.read()))\nattempt(lambda: __import__('fcntl').ioctl(0, 0x5412, b'x'))",
        1,
        prints="got ''",
    ),
    _(
        "an exception that cannot be printed",
        "class Odd(Exception):\n    def __str__(self): os._exit(0)\nraise Odd",
        0,
        "finished",
        "raised",
    ),
    _(
        "an exception that lies",
        "class Odd(Exception):\n    def __str__(self): raise SystemExit(0)\nraise Odd",
        0,
        "raised",
    ),
    _("nesting bomb", "(" * 100_000, 0, "syntax_error", "memory_limit", "raised"),
    _("a null byte", "print(1)\0", 0, "syntax_error"),
    _(
        "foreign system calls",
        "import mmap\ncode = mmap.mmap(-1, 4096, flags=34, prot=7)\n"
        "code.write(bytes.fromhex('b814000000cd80c3'))\n"
        "run = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))\n"
        "print('breach', run()) if X86 else os.kill(os.getpid(), signal.SIGSYS)",
        0,
        "killed",
        signal=31,
    ),
    _(
        "x32 system calls",
        "print('breach', libc.syscall(ctypes.c_long(0x40000000 + 39))) if X86 else os.abort()",
        0,
        "killed",
    ),
]
