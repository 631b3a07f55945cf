"""The system call filter: what a program may never ask of the kernel, as classic BPF.

Everything that a numerical Python program uses is let through; refused are the network, other
processes' memory, keys, mounts and namespaces, kernel modules, clocks, tracing, asynchronous
input and output (which other filters do not see), memory that no limit counts, watching files,
locks on them (which are granted, and hold nobody), children that vanish with their processor time
uncounted, and every call newer than the list. A foreign architecture, and the x32 calls of
x86_64, kill the process.
"""

import ctypes
import errno
import re
import struct

from ordojo.sandbox import kernel

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

LAST_KNOWN = 450
"""Calls above this number are newer than the filter's list and are answered with ENOSYS."""

_TABLE = """
accept! 43 202|accept4! 288 242|acct! 163 89|add_key! 248 217|adjtimex! 159 171|bind! 49 200
bpf! 321 280|chmod 90 -|chown 92 -|chroot! 161 51|clock_adjtime! 305 266|clock_settime! 227 112
clone 56 220|clone3 435 435|connect! 42 203|delete_module! 176 106|fanotify_init! 300 262
fanotify_mark! 301 263|fchmod 91 52|fchmodat 268 53|fchown 93 55|fchownat 260 54|fcntl 72 25
finit_module! 313 273|flock 73 32|fork 57 -|fremovexattr 199 16|fsconfig! 431 431|fsetxattr 190 7
fsmount! 432 432|fsopen! 430 430|fspick! 433 433|futimesat 261 -|init_module! 175 105
inotify_add_watch! 254 27|inotify_init! 253 -|inotify_init1! 294 26|inotify_rm_watch! 255 28
io_uring_enter! 426 426|io_uring_register! 427 427|io_uring_setup! 425 425|ioctl 16 29
ioperm! 173 -|iopl! 172 -|ioprio_set! 251 30|kcmp! 312 272|kexec_file_load! 320 294
kexec_load! 246 104|keyctl! 250 219|kill 62 129|lchown 94 -|listen! 50 201|lookup_dcookie! 212 18
lremovexattr 198 15|lsetxattr 189 6|memfd_create! 319 279|memfd_secret! 447 447
migrate_pages! 256 238|mknod! 133 -|mknodat! 259 33|mmap 9 222|modify_ldt! 154 -|mount! 165 40
mount_setattr! 442 442|move_mount! 429 429|move_pages! 279 239|mq_open! 240 180|mq_unlink! 241 181
msgctl! 71 187|msgget! 68 186|msgrcv! 70 188|msgsnd! 69 189|name_to_handle_at! 303 264
nfsservctl! 180 42|open 2 -|open_by_handle_at! 304 265|open_tree! 428 428|openat 257 56
openat2 437 437|perf_event_open! 298 241|personality! 135 92|pidfd_getfd! 438 438
pidfd_send_signal 424 424|pivot_root! 155 41|prctl 157 167|prlimit64 302 261
process_madvise! 440 440|process_mrelease! 448 448|process_vm_readv! 310 270
process_vm_writev! 311 271|ptrace! 101 117|quotactl! 179 60|quotactl_fd! 443 443|reboot! 169 142
removexattr 197 14|request_key! 249 218|rt_sigaction 13 134|rt_sigqueueinfo 129 138
rt_tgsigqueueinfo 297 240|sched_setaffinity 203 122|sched_setattr! 314 274|sched_setparam! 142 118
sched_setscheduler! 144 119|semctl! 66 191|semget! 64 190|semop! 65 193|semtimedop! 220 192
setdomainname! 171 162|sethostname! 170 161|setns! 308 268|setpriority! 141 140|setrlimit 160 164
settimeofday! 164 170|setxattr 188 5|shmat! 30 196|shmctl! 31 195|shmdt! 67 197|shmget! 29 194
socket! 41 198|socketpair 53 199|swapoff! 168 225|swapon! 167 224|sysfs! 139 -|syslog! 103 116
tgkill 234 131|tkill 200 130|truncate 76 45|umount2! 166 39|unshare! 272 97|uselib! 134 -
userfaultfd! 323 282|ustat! 136 -|utime 132 -|utimensat 280 88|utimes 235 -|vfork 58 -
vhangup! 153 58
"""
"""Each call with its numbers on x86_64 and aarch64; a ! says that it is refused always."""


def _read() -> dict[str, dict[str, int]]:
    tables: dict[str, dict[str, int]] = {"x86_64": {}, "aarch64": {}}
    for entry in _TABLE.replace("\n", "|").strip("|").split("|"):
        name, *numbers = entry.replace("!", "").split()
        for machine, number in zip(tables, numbers, strict=True):
            if number != "-":
                tables[machine][name] = int(number)
    return tables


NUMBERS = _read()
"""By machine and name; a call that a machine lacks is absent."""


_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_PR_GET_SECCOMP, _PR_SET_SECCOMP, _MODE_FILTER = 21, 22, 2
_ALL = 0xFFFFFFFF

_Test = tuple[int, int, int, bool]
"""A 32-bit word of the arguments (two to each), a mask, a value, and whether it is to be that."""

_CLONE_NEW = 0x7E020080
_CLONE_THREAD = 0x00010000

_REFUSED = re.findall(r"(\w+)!", _TABLE)

_METADATA = ("chmod", "fchmod", "fchmodat", "utime", "utimes", "utimensat", "futimesat")
_OWNERS = ("chown", "fchown", "lchown", "fchownat")
_ATTRIBUTES = ("setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr")
_SIGNALS = ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")


def available() -> bool:
    """Whether this kernel filters calls and the table of this machine is known.

    A filter that stands already, as in any container, is no obstacle: filters add up.
    """
    try:
        return kernel.machine() in NUMBERS and kernel.prctl(_PR_GET_SECCOMP) >= 0
    except OSError:
        return False


def install_base(shared_files: bool, truncation: bool = True) -> None:
    """Filter this process and all it starts.

    With `shared_files` the file system is the host's own (no mount namespace). Landlock does not
    guard permissions, times and owners, so changing the first two quietly does nothing and
    changing owners or extended attributes is refused. Where its version does not guard
    `truncation` either, a file is only shortened through a descriptor that may write.
    """
    rules = [_refuse(name, errno.EPERM) for name in _REFUSED]
    rules += [
        _refuse("clone3", errno.ENOSYS),
        _when("clone", (0, _CLONE_NEW, 0, False)),
        _when("prlimit64", (0, _ALL, 0, False)),
        _when("sched_setaffinity", (0, _ALL, 0, False)),
        # Pairs of datagram sockets can be sent from to any address.
        _when("socketpair", (2, 0xF, 2, True)),
        _when("socketpair", (2, 0xF, 3, True)),
        _when("ioctl", (2, _ALL, 0x5412, True)),  # TIOCSTI
        _when("ioctl", (2, _ALL, 0x541C, True)),  # TIOCLINUX
        # Flags, attributes and seals of files.
        *(_when("ioctl", (2, 0xFF00, kind, True)) for kind in (0x6600, 0x5800)),
        # A descriptor's owner gets its signals, whoever that is: set by FIOASYNC, FIOSETOWN,
        # SIOCSPGRP, F_SETOWN, F_SETSIG and F_SETOWN_EX.
        *(_when("ioctl", (2, _ALL, request, True)) for request in (0x5452, 0x8901, 0x8902)),
        *(_when("fcntl", (2, _ALL, command, True)) for command in (8, 10, 15)),
        # F_SETLEASE stalls others that open the file, F_NOTIFY tells of them, and F_SET_RW_HINT
        # leaves them a note.
        *(_when("fcntl", (2, _ALL, command, True)) for command in (1024, 1026, *range(1035, 1039))),
        # A lock on a library stalls others, too, and tells them something; a filter cannot see
        # which file a descriptor is. A program is alone in its folder, so that it gets each lock
        # that it asks for, and none is held: flock, F_SETLK, F_SETLKW and the same with F_OFD_.
        _refuse("flock", 0),
        *(_when("fcntl", (2, _ALL, command, True), error=0) for command in (6, 7, 37, 38)),
        # F_OFD_GETLK; F_GETLK finds no program's lock, and SQLite does not work without it.
        _when("fcntl", (2, _ALL, 36, True), error=errno.EINVAL),
        # Shared pages without a file belong to no process, so that no one's count has them.
        _when("mmap", (6, 0x21, 0x21, True)),
        # A child whose end nobody asks for takes its processor time along.
        *_unless_null("rt_sigaction", 1, (0, _ALL, 17, True)),
        # A crash of a process that may be dumped is handed to a program of the host's.
        _when("prctl", (0, _ALL, kernel.PR_SET_DUMPABLE, True)),
        _when("setrlimit", (0, _ALL, 4, True)),
        *_unless_null("prlimit64", 2, (2, _ALL, 4, True)),
    ]
    if shared_files:
        rules += [_refuse(name, 0) for name in _METADATA]
        rules += [_refuse(name, errno.EPERM) for name in _OWNERS]
        rules += [_refuse(name, errno.ENOTSUP) for name in _ATTRIBUTES]
    if not truncation:
        rules += [_refuse("truncate", errno.EPERM), _refuse("openat2", errno.ENOSYS)]
        for access in (0, 3):  # neither is asked for as writing, and either may truncate
            rules.append(_when("open", (2, 0o1003, 0o1000 | access, True)))
            rules.append(_when("openat", (4, 0o1003, 0o1000 | access, True)))
    _install(rules, guard=True)


def install_single(pid: int) -> None:
    """Let this process start no other one and signal only itself.

    For kernels where neither a process id namespace nor Landlock keeps signals inside.
    """
    rules = [_refuse(name, errno.EPERM) for name in ("fork", "vfork", "tkill", "pidfd_send_signal")]
    rules.append(_when("clone", (0, _CLONE_THREAD, 0, True)))
    rules += [_when(name, (0, _ALL, pid, False)) for name in _SIGNALS]
    _install(rules, guard=False)


def _refuse(name: str, error: int) -> bytes:
    number = NUMBERS[kernel.machine()].get(name)
    if number is None:
        return b""
    return _op(_EQUAL, number, 0, 1) + _op(_RETURN, _ERRNO | error)


def _when(name: str, *tests: _Test, error: int = errno.EPERM) -> bytes:
    """Refuse `name` when its arguments pass all tests; without an error it does nothing."""
    number = NUMBERS[kernel.machine()].get(name)
    if number is None:
        return b""
    body = _op(_RETURN, _ERRNO | error)
    for word, mask, value, equal in reversed(tests):
        past = len(body) // 8
        body = _op(_EQUAL, value, *((0, past) if equal else (past, 0))) + body
        body = _op(_LOAD, _ARGUMENTS + 4 * word) + _op(_AND, mask) + body
    body += _op(_LOAD, _NUMBER)
    return _op(_EQUAL, number, 0, len(body) // 8) + body


def _unless_null(name: str, pointer: int, test: _Test) -> tuple[bytes, bytes]:
    """Refuse `name` when `test` holds, but where an argument is null, which only asks."""
    low, high = 2 * pointer, 2 * pointer + 1
    return _when(name, test, (low, _ALL, 0, False)), _when(name, test, (high, _ALL, 0, False))


def _install(rules: list[bytes], guard: bool) -> None:
    head = _op(_LOAD, _ARCH) + _op(_EQUAL, AUDIT_ARCH[kernel.machine()], 1, 0) + _op(_RETURN, _KILL)
    head += _op(_LOAD, _NUMBER)
    if guard:
        if kernel.machine() == "x86_64":
            head += _op(_AT_LEAST, 0x40000000, 0, 1) + _op(_RETURN, _KILL)
        head += _op(_AT_LEAST, LAST_KNOWN + 1, 0, 1) + _op(_RETURN, _ERRNO | errno.ENOSYS)
    code = head + b"".join(rules) + _op(_RETURN, _ALLOW)
    held = ctypes.create_string_buffer(code, len(code))
    program = ctypes.create_string_buffer(
        struct.pack("@HP", len(code) // 8, ctypes.addressof(held))
    )
    kernel.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(program))


def _op(code: int, value: int, true: int = 0, false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, true, false, value)
