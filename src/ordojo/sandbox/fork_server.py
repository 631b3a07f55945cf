"""The fork server: one warm, confined worker that forks a process for each program.

To start Python and import numpy and pandas costs half a second of processor time before the first
line of a program. A fork server pays that once: it imports everything, freezes what the garbage
collector would touch so that pages stay shared, and copies itself by `fork`, which costs
milliseconds; every program begins in the same fresh state. The idea is that of AFL's fork server
(Zalewski, "Fuzzing random programs without execve()", 2014) and of `multiprocessing`'s start
method of that name; what is added is that the server is confined before it imports anything, so
that its copies are as well.

Started by the host with a control socket. It reads its settings from there, confines itself,
imports what programs need, and then serves. It never runs a program's code in its own process;
when a program ends it kills whatever that left behind.
"""

# Paths go straight to the kernel here, as text and at speed.
# ruff: noqa: PTH102

import atexit
import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import traceback
from typing import Any

from ordojo.sandbox import kernel, program, standins, trees
from ordojo.sandbox.confinement import Confinement, leave

MESSAGE = 1 << 16
"""No packet on the control socket is longer."""


def main(control: str) -> None:
    """Confine this process, warm up and serve until the host closes the socket.

    `control` is the socket's descriptor, or the path at which the host waits to be connected to.
    """
    # A handler would make even the first process of a namespace reachable for its children.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # whatever the host had: all are waited for
    if control.isdigit():
        host = socket.socket(fileno=int(control))
    else:
        host = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        host.connect(control)
    settings = _receive_settings(host)
    try:
        if settings["kind"] not in ("bwrap", "docker"):
            _fork_inside(settings, host)
        confinement = Confinement(settings)
        confinement.check(settings)
        _warm_up(settings)
    except Exception as error:  # whatever it is, the host says it and this process ends
        host.send(json.dumps({"error": f"{error}"[:1000]}).encode())
        os._exit(1)
    ready = json.dumps({"parts": confinement.parts}).encode()
    filesystem = [os.open(settings["base"], os.O_RDONLY)] if settings["private"] else []
    socket.send_fds(host, [ready], filesystem)
    for descriptor in filesystem:
        os.close(descriptor)
    gc.collect()
    gc.freeze()
    with contextlib.suppress(OSError):
        while _serve(host, confinement, settings):
            pass
    os._exit(0)


def _receive_settings(host: socket.socket) -> dict[str, Any]:
    """The settings, in as many packets as the first one says."""
    packets = int(host.recv(MESSAGE))
    settings: dict[str, Any] = json.loads(b"".join(host.recv(MESSAGE) for _ in range(packets)))
    return settings


def _fork_inside(settings: dict[str, Any], host: socket.socket) -> None:
    """Go on in a child, in new namespaces where asked; the parent waits and clears up."""
    if settings["kind"] == "userns":
        leave(settings["uid"], settings["gid"])
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if child == 0:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        return
    host.close()
    os.waitpid(child, 0)
    if settings["kind"] != "userns":  # there the kernel has killed them all
        trees.kill_descendants(os.getpid())
    os._exit(0)


def _warm_up(settings: dict[str, Any]) -> None:
    """Import what programs will need, where it can be."""
    sys.path[:] = settings["layout"]["path"]
    standins.install(settings["shadow"])
    if settings["kind"] != "unsafe":
        standins.confine()
    for name in settings["preload"]:
        with contextlib.suppress(Exception):  # it may fail in any way: the program meets it itself
            importlib.import_module(name)
    _use_once()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    atexit._clear()  # what the libraries want at the worker's end is not the programs' business


def _use_once() -> None:
    """Have done what the libraries do at their first use only, before programs are forked."""
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    with contextlib.suppress(Exception):  # a program meets what is wrong with them itself
        if numpy:
            numpy.random.default_rng(0).integers(2)
        if pandas:
            pandas.DataFrame({"a": [0, 1], "b": [1, 2]}).groupby("a").b.sum().to_dict()


def _serve(host: socket.socket, confinement: Confinement, settings: dict[str, Any]) -> bool:
    """Run one program; False when the host has gone."""
    packet, descriptors, _, _ = socket.recv_fds(host, MESSAGE, 4)
    if not packet:
        return False
    if packet == b"kill":  # it came too late for the program that it was meant for
        return True
    folder = f"{settings['base']}/program"
    os.mkdir(folder, 0o700)
    child = os.fork()
    if child == 0:
        try:
            confinement.enter()
            program.become(descriptors, folder, json.loads(packet))
        except BaseException:  # the child must never come back into the server's loop
            traceback.print_exc()
        finally:
            os._exit(71)
    for descriptor in descriptors:
        os.close(descriptor)
    there = _wait(host, child)
    confinement.kill(child)
    ended = _reap(child)
    if settings["private"]:
        trees.empty(settings["base"])
    host.send(json.dumps(ended).encode())
    return there


def _wait(host: socket.socket, child: int) -> bool:
    """Until the program has ended or must; False when the host has gone."""
    watched = os.pidfd_open(child)
    try:
        ready = select.poll()
        ready.register(host, select.POLLIN)
        ready.register(watched, select.POLLIN)
        events = dict(ready.poll())
        return not (host.fileno() in events and host.recv(MESSAGE) == b"")
    finally:
        os.close(watched)


def _reap(child: int) -> dict[str, Any]:
    """Wait for every process that is left; how the program ended and what all of them used."""
    status, cpu = 0, 0.0
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, ended, used = os.wait4(-1, 0)
            cpu += used.ru_utime + used.ru_stime
            if pid == child:
                status = ended
    return {"status": status, "cpu": cpu}
