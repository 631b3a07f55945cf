"""Attacks on what is counted for a program, on those outside, and on what the next one finds."""

# The programs are text: their lines are as long as they are.
# ruff: noqa: E501

from tests.sandbox.attacks import _, tries

_COUNT = "made = 0\nfor i in range(40):\n    try:\n        if os.fork() == 0:\n            {child}\n            os._exit(0)\n        made += 1\n    except OSError: pass\n"

BUDGETS = [
    tries(
        "shared pages without a file",
        "__import__('mmap').mmap(-1, 1 << 20)",
        "__import__('mmap').mmap(-1, 1 << 20, flags=0x21)",
        "call(9, 222, 0, 1 << 20, 3, 0x23, -1, 0)",
        "open('/dev/zero', 'r+b')",
    ),
    tries(
        "memory files and System V memory",
        "os.memfd_create('x')",
        "call(447, 447, 0)",
        "call(29, 194, 0, 1 << 20, 0o1600)",
        "call(240, 180, 0, 0, 0, 0)",
    ),
    _(
        "shared file pages, touched by short-lived children",
        "import mmap\ndef touch(i):\n    f = open(f'f{i}', 'wb+'); f.truncate(7 << 20)\n    m = mmap.mmap(f.fileno(), 7 << 20)\n"
        "    for at in range(0, 7 << 20, 4096): m[at] = 1\n"
        "for i in range(30):\n    try: p = os.fork()\n    except OSError: p = -1; touch(i)\n"
        "    if p == 0: touch(i); os._exit(0)\n    if p > 0 and os.wait()[1]: raise SystemExit(3)\ntime.sleep(20)",
        0,
        "memory_limit",
        "disk_limit",
        "raised",
        "exited",
        "killed",
        wall=8,
    ),
    _(
        "files in memory beside memory",
        "held = bytearray(b'1') * (60 << 20)\nfor i in range(9):\n    with open(f'f{i}', 'wb') as f: f.write(bytes(7 << 20))\ntime.sleep(20)",
        0,
        "memory_limit",
        "disk_limit",
        "raised",
        wall=6,
        memory_mb=80,
    ),
    _(
        "a burst of memory in children",
        _COUNT.format(child="held = bytearray(b'1') * (30 << 20); time.sleep(9)")
        + "held = bytearray(b'1') * (180 << 20)\nif made: time.sleep(9)\nelse: held += held",
        0,
        "memory_limit",
        "process_limit",
        "raised",
        wall=8,
    ),
    _(
        "processor time of children that are waited for",
        "def burn(s):\n    end = time.process_time() + s\n    while time.process_time() < end: pass\n"
        "while True:\n    try: p = os.fork()\n    except OSError: burn(0.05); continue\n"
        "    if p == 0: burn(0.05); os._exit(0)\n    os.wait()",
        0,
        "time_limit",
        cpu=1.0,
    ),
    _(
        "processor time of children that are not waited for",
        "try: signal.signal(signal.SIGCHLD, signal.SIG_IGN); print('breach')\nexcept OSError: print('refused')\n"
        "def burn(s):\n    end = time.process_time() + s\n    while time.process_time() < end: pass\n"
        "while True:\n    try: p = os.fork()\n    except OSError: burn(0.05); continue\n"
        "    if p == 0: burn(0.05); os._exit(0)\n    time.sleep(0.05)",
        0,
        "time_limit",
        "process_limit",
        cpu=0.6,
        wall=10,
    ),
    _(
        "processor time of orphans",
        "def burn(s):\n    end = time.process_time() + s\n    while time.process_time() < end: pass\n"
        "while True:\n    try: p = os.fork()\n    except OSError: burn(0.05); continue\n"
        "    if p == 0:\n        if os.fork(): os._exit(0)\n        burn(0.05); os._exit(0)\n    os.wait(); time.sleep(0.05)",
        0,
        "time_limit",
        "process_limit",
        cpu=0.6,
        wall=10,
    ),
    _(
        "processor time of threads",
        "import threading\nfor _ in range(4): threading.Thread(target=lambda: sum(range(10**12)), daemon=True).start()\ntime.sleep(30)",
        0,
        "time_limit",
        cpu=1.0,
        wall=15,
    ),
    _(
        "threads by hundreds",
        "import threading\nthreading.stack_size(1 << 16)\nfor _ in range(300):\n"
        "    threading.Thread(target=time.sleep, args=(20,), daemon=True).start()\ntime.sleep(20)",
        0,
        "raised",
        "process_limit",
        "memory_limit",
        wall=10,
    ),
    _(
        "threads in children",
        _COUNT.format(
            child="import threading\n            for _ in range(40):\n                try: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n                except RuntimeError: pass\n            time.sleep(9)"
        )
        + "time.sleep(9 if made else 0)\nif not made: print('refused')",
        0,
        "process_limit",
        "memory_limit",
        "finished",
        "time_limit",
        wall=3,
    ),
    _(
        "descriptors in sockets and pipes",
        "import socket\nheld = []\nwhile True: held += [*socket.socketpair()]; held[-1].setblocking(False); held[-1].send(bytes(1 << 16))",
        0,
        "raised",
        "memory_limit",
    ),
    _(
        "folders bomb",
        "for i in range(100_000): os.mkdir(f'{i}')",
        0,
        "disk_limit",
        "raised",
        wall=10,
    ),
    _(
        "links bomb",
        "for i in range(100_000): os.link('program.py', f'{i}') if i % 2 else os.symlink('x' * 200, f'{i}')",
        0,
        "disk_limit",
        "raised",
        wall=15,
    ),
    _(
        "sparse files of the allowed size, mapped",
        "import mmap\nheld = []\nfor i in range(40):\n    f = open(f'{i}', 'wb+'); f.truncate(8 << 20); held.append(mmap.mmap(f.fileno(), 8 << 20))\n"
        "for m in held:\n    for at in range(0, 8 << 20, 4096): m[at] = 1\ntime.sleep(20)",
        0,
        "disk_limit",
        "memory_limit",
        "raised",
        "killed",
        wall=6,
    ),
    _(
        "a file that is deleted and still held",
        "held = []\nfor i in range(30):\n    f = open('x', 'wb'); os.unlink('x'); f.write(bytes(7 << 20)); f.flush(); held.append(f); time.sleep(0.02)",
        0,
        "disk_limit",
        "raised",
        "finished",
        "memory_limit",
    ),
    _(
        "an endless fifo",
        "os.mkfifo('f')\nopen('f')",
        0,
        "time_limit",
        "raised",
        wall=0.6,
    ),
    _(
        "both streams flooded at once",
        "import threading\nthreading.Thread(target=lambda: [os.write(2, bytes(1 << 16)) for _ in range(10**6)], daemon=True).start()\n"
        "while True: os.write(1, bytes(1 << 16))",
        0,
        "output_limit",
    ),
    _(
        "output by drops",
        "while True: os.write(1, b'x' * 997)",
        0,
        "output_limit",
    ),
    _(
        "raise the core limit",
        "import resource\nfor what in (lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)), lambda: resource.setrlimit(resource.RLIMIT_CORE, (-1, -1)),\n"
        "             lambda: (libc.prctl(4, 1, 0, 0, 0) == 0) or [][0], lambda: call(160, 164, 4, 0)):\n    attempt(what)",
        4,
    ),
    _(
        "crash in a child that may be dumped",
        "import subprocess\ntry: subprocess.run([sys.executable, '-c', 'import ctypes; ctypes.string_at(0)'])\nexcept OSError: pass\n"
        "print([n for n in os.listdir() if 'core' in n] or 'no core')",
        prints="no core",
    ),
]

OUTSIDE = [
    tries(
        "own a descriptor in another's name",
        *(
            f"__import__('fcntl').ioctl(os.pipe()[0], {request}, __import__('struct').pack('i', {value}))"
            for request in (0x8901, 0x8902, 0x5452)
            for value in ("HOST", "-HOST", "os.getppid()")
        ),
        "__import__('fcntl').fcntl(0, 8, HOST)",
        "__import__('fcntl').fcntl(0, 8, -HOST)",
        "__import__('fcntl').fcntl(0, 10, 9)",
        "__import__('fcntl').ioctl(__import__('socket').socketpair()[0], 0x8901, __import__('struct').pack('i', HOST))",
    ),
    tries(
        "watch names with inotify",
        "call(253, 26, 0)",
        "call(294, 26, 0)",
        "call(254, 27, 0, 0, 0xFFF)",
        "call(255, 28, 0, 0)",
    ),
    tries("watch names with fanotify", "call(300, 262, 0x200, 0)", "call(301, 263, 0, 0, 0, 0, 0)"),
    tries(
        "watch and stall with leases and notices",
        "__import__('fcntl').fcntl(os.open('.', 0), 1026, 0xF)",
        "__import__('fcntl').fcntl(os.open(os.__file__, 0), 1024, 0)",
        "__import__('fcntl').fcntl(os.open('program.py', 0), 1024, 0)",
    ),
    tries(
        "notes on the interpreter's files",
        *(
            f"__import__('fcntl').fcntl(os.open(os.__file__, 0), {command}, bytearray(8))"
            for command in (1024, 1026, 1035, 1036, 1037, 1038)
        ),
        "__import__('fcntl').ioctl(os.open(os.__file__, 0), 0x401C5820, bytearray(28))",
        "__import__('fcntl').ioctl(os.open(os.__file__, 0), 0x40086602, bytearray(8))",
    ),
    tries(
        "io_uring",
        "call(425, 425, 8, 0)",
        "call(426, 426, 0, 0, 0, 0, 0, 0)",
        "call(427, 427, 0, 0, 0, 0)",
    ),
    tries(
        "other processes' memory and descriptors",
        "call(101, 117, 16, os.getppid(), 0, 0)",
        "call(101, 117, 0x4206, HOST, 0, 0)",
        "call(438, 438, os.pidfd_open(os.getppid()), 3, 0)",
        "call(311, 271, os.getppid(), 0, 0, 0, 0, 0)",
        "call(440, 440, 0, 0, 0, 0, 0)",
        "call(448, 448, 0, 0)",
        "call(312, 272, os.getpid(), os.getppid(), 0, 0, 0)",
        "call(279, 239, os.getppid(), 0, 0, 0, 0, 0)",
    ),
    tries(
        "userfaultfd, keys, bpf and tracing",
        "call(323, 282, 0x800)",
        "call(250, 219, 0, -3, 1, 0, 0)",
        "call(249, 218, 0, 0, 0, 0)",
        "call(321, 280, 5, 0, 0)",
        "call(298, 241, 0, os.getppid(), -1, -1, 0)",
    ),
    _(
        "signals to every number near",
        "hit = []\nfor pid in {HOST, os.getppid(), 1, *range(max(2, HOST - 50), HOST + 50)} - {os.getpid()}:\n"
        "    for send in (lambda: os.kill(pid, 0), lambda: call(200, 130, pid, 0), lambda: call(234, 131, pid, pid, 0)):\n"
        "        try: send()\n        except OSError: pass\n        else: hit.append(pid)\n"
        "print('breach' if HOST in hit and HOST != os.getpid() else 'refused')",
        1,
    ),
    _(
        "timers that signal others",
        "import struct\nevent = ctypes.create_string_buffer(struct.pack('QiiI', 0, 9, 4, HOST), 64)\ntimer = ctypes.c_int()\n"
        "attempt(lambda: call(222, 107, 1, ctypes.addressof(event), ctypes.addressof(timer)))",
        1,
    ),
    _(
        "leave the session and the group",
        "for step in (os.setsid, lambda: os.setpgid(0, 0), lambda: os.setpgid(0, HOST), lambda: os.setpgid(HOST, 0)):\n"
        "    try: print(step())\n    except OSError as error: print('refused', error)\n",
        2,
    ),
    tries(
        "the clocks",
        "time.clock_settime(time.CLOCK_REALTIME, time.time() + 3600)",
        "call(227, 112, 1, 0)",
        "call(305, 266, 0, 0)",
        "call(159, 171, 0)",
        "call(164, 170, 0, 0)",
    ),
    tries(
        "tricks of /proc",
        "text('/proc/self/fd/../environ')",
        "os.listdir('/proc/self/task')",
        "text('/proc/thread-self/attr/current')",
        "open('/proc/self/mem', 'r+b').write(b'x')",
        "open('/proc/self/uid_map', 'w').write('0 0 1')",
        "os.listdir(f'/proc/{os.getppid()}/fd')",
        "text('/proc/keys')",
        "text('/proc/sys/kernel/random/boot_id')",
    ),
    _(
        "a race of links",
        "os.mkdir('d')\nopen('f', 'w').write('mine')\n"
        "def swap():\n    for _ in range(3000):\n        for target in ('f', GOLD):\n            try: os.symlink(target, 'n'); os.replace('n', 'l')\n            except OSError: pass\n"
        "import threading\nt = threading.Thread(target=swap); t.start()\nseen = set()\nwhile t.is_alive():\n"
        "    try: seen.add(open('l').read())\n    except OSError: pass\n"
        "print('breach' if any('gold' in s for s in seen) else 'clean')",
        prints="clean",
    ),
    _(
        "shorten what may only be read",
        "libraries = [os.__file__, __import__('json').__file__, sys.executable]\n"
        "for path in (*libraries, GOLD):\n    before = None\n"
        "    for cut in (lambda: os.truncate(path, 0), lambda: os.close(os.open(path, os.O_RDONLY | os.O_TRUNC)),\n"
        "                lambda: os.close(os.open(path, 3 | os.O_TRUNC)), lambda: os.close(os.open(path, os.O_WRONLY | os.O_TRUNC)),\n"
        "                lambda: call(437, 437, -100, 0, 0, 24)):\n"
        "        try: cut()\n        except OSError as error: print('refused', error.errno)\n"
        "print('breach' if any(os.path.getsize(p) == 0 for p in libraries) else 'whole')",
        16,
        prints="whole",
    ),
    tries(
        "write to the interpreter's libraries",
        "open(os.__file__, 'a')",
        "os.replace('program.py', os.__file__)",
        "os.symlink('/x', os.path.dirname(os.__file__) + '/sitecustomize.py')",
        "os.mkdir(os.path.dirname(os.__file__) + '/__pycache__/x')",
        "os.link('program.py', os.path.dirname(os.__file__) + '/usercustomize.py')",
        "open(sys.executable, 'r+b')",
    ),
    tries(
        "name a namespace again",
        "call(272, 97, 0x40000000)",
        "call(272, 97, 0x02000000)",
        "call(56, 220, 0x20000011, 0, 0, 0, 0)",
        "call(308, 268, os.pidfd_open(os.getpid()), 0x20000)",
        "call(161, 51, 0)",
        "call(442, 442, -100, 0, 0, 0, 0)",
    ),
]

NEXT = [
    _(
        "files for the next program",
        "for path in ('../left', '/sandbox/left', os.path.dirname(os.getcwd()) + '/json.py', '../program2/x'):\n"
        "    try: os.makedirs(os.path.dirname(path), exist_ok=True); open(path, 'w').write('raise SystemExit(9)')\n    except OSError: pass\n"
        "print('tried')",
        prints="tried",
    ),
    _(
        "take the folder's place",
        "here = os.getcwd()\ntry: os.rename(here, here + '2'); os.symlink('/', here)\nexcept OSError: pass\n"
        "try: os.chmod('..', 0)\nexcept OSError: pass\nprint('tried')",
        prints="tried",
    ),
    _(
        "frames of every odd kind",
        "import struct\nfor kind in b'JAX\\x00\\xff': os.write(3, struct.pack('<cQ', bytes([kind]), 0))\ntime.sleep(5)",
        0,
        "bad_frame",
    ),
    _(
        "an end that is deeper than any stack",
        "from ordojo.sandbox import channel\nchannel.send(b'E', b'{\"kind\": ' + b'[' * 500_000)\nchannel.send(b'R', b'[' * 500_000 + b']' * 500_000)\nprint('sent')",
        prints="sent",
    ),
    _(
        "an end with a number beyond all",
        "from ordojo.sandbox import channel\nchannel.send(b'E', b'{\"kind\": \"raised\", \"type\": 1e999, \"message\": ' + b'9' * 100_000 + b'}')\nprint('sent')",
        prints="sent",
    ),
    _(
        "descriptors sent over the channel",
        "import socket, array\ns = socket.socket(fileno=3)\nr, w = os.pipe()\n"
        "try: s.sendmsg([b'Q'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [r, w] * 20))])\nexcept OSError as e: print('refused', e)\ntime.sleep(0.2)",
        0,
        "bad_frame",
        "finished",
    ),
    _(
        "shut the channel down",
        "import socket\ns = socket.socket(fileno=3)\ns.shutdown(socket.SHUT_RDWR)\nprint('shut')",
        prints="shut",
    ),
    _(
        "take the streams away",
        "for d in (0, 1, 2): os.close(d)\nos.open('x', os.O_CREAT | os.O_RDWR)\nos.write(1, b'y')",
        0,
        "raised",
        "finished",
        "exited",
    ),
    _(
        "a grandchild that answers later",
        "try:\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            time.sleep(0.5)\n"
        "            os.write(3, b'R' + (2).to_bytes(8, 'little') + b'42')\n            os.write(1, b'breach')\n        os._exit(0)\nexcept OSError: pass\nprint('left')",
        prints="left",
    ),
    _(
        "zombies and orphans without number",
        "for _ in range(400):\n    try:\n        if os.fork() == 0:\n            if os.fork(): os._exit(0)\n            os._exit(0)\n        os.wait()\n    except OSError: pass\nprint('left')",
        0,
        "finished",
        "process_limit",
    ),
    _(
        "patch what reports the end",
        "import ordojo.sandbox.program as p, ordojo.sandbox.channel as c, traceback, threading, gc\n"
        "p._flush = p._let_go = c.send = traceback.format_exception = threading._shutdown = gc.collect = lambda *a, **k: None\n"
        "sys.exit(0)",
        0,
        "finished",
        "exited",
        "raised",
    ),
]
