"""The system call filter: what a program may never ask of the kernel, as classic BPF.

Everything that a numerical Python program uses is let through; refused are the network, other
processes' memory, keys, mounts and namespaces, kernel modules, clocks, tracing, asynchronous
input and output (which other filters do not see), memory that no limit counts, watching files,
children that vanish with their processor time uncounted, and every call newer than the list. A
foreign architecture, and the x32 calls of x86_64, kill the process.
"""

import ctypes
import errno
import struct

from ordojo.sandbox import kernel
from ordojo.sandbox.syscalls import AUDIT_ARCH, LAST_KNOWN, NUMBERS

_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_PR_GET_SECCOMP, _PR_SET_SECCOMP, _MODE_FILTER = 21, 22, 2
_ALL = 0xFFFFFFFF

_Test = tuple[int, int, int, bool]
"""A 32-bit word of the arguments (two to each), a mask, a value, and whether it is to be that."""

_CLONE_NEW = 0x7E020080
_CLONE_THREAD = 0x00010000

_REFUSED = """
accept accept4 acct add_key adjtimex bind bpf chroot clock_adjtime clock_settime connect
delete_module fanotify_init fanotify_mark finit_module fsconfig fsmount fsopen fspick init_module
inotify_add_watch inotify_init inotify_init1 inotify_rm_watch io_uring_enter io_uring_register
io_uring_setup ioperm iopl ioprio_set kcmp kexec_file_load kexec_load keyctl listen lookup_dcookie
memfd_create memfd_secret migrate_pages mknod mknodat modify_ldt mount mount_setattr move_mount
move_pages mq_open mq_unlink msgctl msgget msgrcv msgsnd name_to_handle_at nfsservctl
open_by_handle_at open_tree perf_event_open personality pidfd_getfd pivot_root process_madvise
process_mrelease process_vm_readv process_vm_writev ptrace quotactl quotactl_fd reboot request_key
sched_setattr sched_setparam sched_setscheduler semctl semget semop semtimedop setdomainname
sethostname setns setpriority settimeofday shmat shmctl shmdt shmget socket swapoff swapon sysfs
syslog umount2 unshare uselib userfaultfd ustat vhangup
"""

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
    rules = [_refuse(name, errno.EPERM) for name in _REFUSED.split()]
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
        _when("ioctl", (2, 0xFF00, 0x6600, True)),  # flags and seals of files
        # A descriptor's owner gets its signals, whoever that is: set by FIOASYNC, FIOSETOWN,
        # SIOCSPGRP, F_SETOWN, F_SETSIG and F_SETOWN_EX.
        *(_when("ioctl", (2, _ALL, request, True)) for request in (0x5452, 0x8901, 0x8902)),
        *(_when("fcntl", (2, _ALL, command, True)) for command in (8, 10, 15)),
        # F_SETLEASE stalls others that open the file, F_NOTIFY tells of them.
        *(_when("fcntl", (2, _ALL, command, True)) for command in (1024, 1026)),
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


def _when(name: str, *tests: _Test) -> bytes:
    """Refuse `name` when its arguments pass all tests."""
    number = NUMBERS[kernel.machine()].get(name)
    if number is None:
        return b""
    body = _op(_RETURN, _ERRNO | errno.EPERM)
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
