"""The system call filter: what a program may never ask of the kernel, as classic BPF.

Everything that a numerical Python program uses is let through; refused are the network, other
processes' memory, keys, mounts and namespaces, kernel modules, clocks, tracing, asynchronous
input and output (which other filters do not see), memory that no limit counts, and every call
newer than the list. A foreign architecture, and the x32 calls of x86_64, kill the process.
"""

import ctypes
import errno
import struct
from collections.abc import Iterable

from ordojo.sandbox import kernel
from ordojo.sandbox.syscalls import AUDIT_ARCH, LAST_KNOWN, NUMBERS

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2

_CLONE_NEW = 0x7E020080
_CLONE_THREAD = 0x00010000

_REFUSED = """
accept accept4 acct add_key adjtimex bind bpf chroot clock_adjtime clock_settime connect
delete_module fanotify_init fanotify_mark finit_module fsconfig fsmount fsopen fspick
init_module io_uring_enter io_uring_register io_uring_setup ioperm iopl ioprio_set kcmp
kexec_file_load kexec_load keyctl listen lookup_dcookie memfd_create memfd_secret migrate_pages
mknod mknodat modify_ldt mount mount_setattr move_mount move_pages mq_open mq_unlink msgctl
msgget msgrcv msgsnd name_to_handle_at nfsservctl open_by_handle_at open_tree perf_event_open
personality pidfd_getfd pivot_root process_madvise process_mrelease process_vm_readv
process_vm_writev ptrace quotactl quotactl_fd reboot request_key sched_setattr sched_setparam
sched_setscheduler semctl semget semop semtimedop setdomainname sethostname setns setpriority
settimeofday shmat shmctl shmdt shmget socket swapoff swapon sysfs syslog umount2 unshare uselib
userfaultfd ustat vhangup
"""

_METADATA = ("chmod", "fchmod", "fchmodat", "utime", "utimes", "utimensat", "futimesat")
_OWNERS = ("chown", "fchown", "lchown", "fchownat")
_ATTRIBUTES = ("setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr")
_SIGNALS = ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")


def available() -> bool:
    """Whether this kernel filters calls and the table of this machine is known."""
    try:
        return kernel.machine() in NUMBERS and kernel.prctl(21) == 0
    except OSError:
        return False


def install_base(shared_files: bool) -> None:
    """Filter this process and all it starts.

    With `shared_files` the file system is the host's own (no mount namespace). Landlock does not
    guard permissions, times and owners, so changing the first two quietly does nothing and
    changing owners or extended attributes is refused.
    """
    rules = [_refuse(name, errno.EPERM) for name in _REFUSED.split()]
    rules += [
        _refuse("clone3", errno.ENOSYS),
        _when("clone", 0, [(_ANY_BIT, _CLONE_NEW)]),
        _when("prlimit64", 0, [(_EQUAL, 0)], negate=True),
        _when("sched_setaffinity", 0, [(_EQUAL, 0)], negate=True),
        # Pairs of datagram sockets can be sent from to any address.
        _when("socketpair", 1, [(_AND, 0xF), (_EQUAL, 2)]),
        _when("socketpair", 1, [(_AND, 0xF), (_EQUAL, 3)]),
        _when("ioctl", 1, [(_EQUAL, 0x5412)]),  # TIOCSTI
        _when("ioctl", 1, [(_EQUAL, 0x541C)]),  # TIOCLINUX
        _when("ioctl", 1, [(_AND, 0xFF00), (_EQUAL, 0x6600)]),  # flags and seals of files
        _when("fcntl", 1, [(_EQUAL, 8)]),  # F_SETOWN
        _when("fcntl", 1, [(_EQUAL, 15)]),  # F_SETOWN_EX
    ]
    if shared_files:
        rules += [_refuse(name, 0) for name in _METADATA]
        rules += [_refuse(name, errno.EPERM) for name in _OWNERS]
        rules += [_refuse(name, errno.ENOTSUP) for name in _ATTRIBUTES]
    _install(rules, guard=True)


def install_single(pid: int) -> None:
    """Let this process start no other one and signal only itself.

    For kernels where neither a process id namespace nor Landlock keeps signals inside.
    """
    rules = [_refuse(name, errno.EPERM) for name in ("fork", "vfork", "tkill", "pidfd_send_signal")]
    rules.append(_when("clone", 0, [(_ANY_BIT, _CLONE_THREAD)], negate=True))
    rules += [_when(name, 0, [(_EQUAL, pid)], negate=True) for name in _SIGNALS]
    _install(rules, guard=False)


def _refuse(name: str, error: int) -> bytes:
    number = NUMBERS[kernel.machine()].get(name)
    if number is None:
        return b""
    return _op(_EQUAL, number, 0, 1) + _op(_RETURN, _ERRNO | error)


def _when(
    name: str, argument: int, tests: Iterable[tuple[int, int]], negate: bool = False
) -> bytes:
    """Refuse `name` when the low half of an argument passes the test (with `negate`, fails it)."""
    body = _op(_LOAD, _ARGUMENTS + 8 * argument)
    for kind, value in tests:
        if kind == _AND:
            body += _op(_AND, value)
        else:
            body += _op(kind, value, 1, 0) if negate else _op(kind, value, 0, 1)
    body += _op(_RETURN, _ERRNO | errno.EPERM) + _op(_LOAD, _NUMBER)
    return _op(_EQUAL, NUMBERS[kernel.machine()][name], 0, len(body) // 8) + body


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
