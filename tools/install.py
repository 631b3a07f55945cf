"""Install this checkout with the versions of lock.txt, and renew that file.

    python tools/install.py install VENV EXTRAS [--lock lock.txt]
    python tools/install.py lock
    python tools/install.py changed VENV

Run by the Makefile with whatever `python3` is at hand and nothing installed, so it keeps to what
Python 3.7 can read, to say there which one is needed. `lock` asks uv for one version of each
library for all of `MACHINES` and `PYTHONS`; `changed` says where an environment differs from it.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "lock.txt"

PYTHONS = ((3, 11), (3, 13))
"""The oldest and the newest that lock.txt has versions for."""

MACHINES = {("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "arm64"), ("Darwin", "x86_64")}

SETTINGS = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "constraint": "UV_CONSTRAINT",
    "cert": "SSL_CERT_FILE",
}
"""Settings of pip by the variables under which uv has them."""

HEAD = """\
# What `make demo` and `make test` install: one version of each library for Linux (x86-64 and
# arm64) and macOS, Python 3.11 to 3.13. Renewed by `make lock`. What library users get stands
# in pyproject.toml.
"""


def problem(locked):
    """Why ordojo, or its lock if one is used, does not fit this Python; None where it does."""
    here = sys.version_info[:2]
    oldest, newest = (".".join(map(str, one)) for one in PYTHONS)
    name, machine = f"Python {here[0]}.{here[1]}", (platform.system(), platform.machine())
    if here < PYTHONS[0]:
        return f"ordojo needs Python {oldest} or later, this is {name}: make PYTHON=python{newest}"
    if locked and here > PYTHONS[1]:
        return (
            f"lock.txt has no versions for {name}, only to {newest}: make PYTHON=python{newest}, "
            "or take today's newest of everything with make LOCK="
        )
    if locked and machine not in MACHINES:
        return (
            f"lock.txt has no versions for {' '.join(machine)}, only for Linux and macOS: take "
            "today's newest of everything with make LOCK="
        )
    return None


def cause(told):
    """What pip said when it gave up, as one sentence where it is a known one."""
    lacking = r"\(constraint\) ([\w.-]+==\S+)|No matching distribution found for (\S+)"
    pinned = sorted({one or other for one, other in re.findall(lacking, told)})
    if "No space left" in told:
        return "the disk is full: free some space and run the same command again"
    if re.search(r"NewConnectionError|ConnectTimeout|NameResolutionError|ProxyError", told):
        return "the package index cannot be reached: set PIP_INDEX_URL or the proxy that pip uses"
    if pinned:
        return (
            f"the package index lacks {', '.join(pinned)}, or something wants another version than "
            "lock.txt has: renew it with make lock, or go without it with make LOCK="
        )
    return "pip could not install ordojo:\n" + "\n".join(told.strip().splitlines()[-12:])


def run(command, failed):
    """Run a command; where it fails, end with what `failed` says of its output."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"install: {failed(done.stdout)}")


def uv_settings(listed):
    """Settings for uv, as its variables, from what `pip config list` tells: the first one holds."""
    found = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # of all indexes, as pip does
    for line in listed.splitlines():
        name, _, value = line.partition("=")
        key = SETTINGS.get(name.split(".")[-1])
        if key:
            separator = "," if key == "UV_FIND_LINKS" else " "
            found.setdefault(key, separator.join(value.strip("'").split()))
    return found


def quickly(python, constraints, what):
    """Whether uv, asked for what pip would be and with pip's own settings, installed it.

    It takes a third of pip's time. Wherever it cannot be had or fails, pip does it and says why.
    """
    pip = [python, "-m", "pip"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    get = [*pip, "install", "--disable-pip-version-check", *constraints, "uv"]
    if subprocess.call(get, **quiet):
        return False
    listed = subprocess.check_output([*pip, "config", "list"], stderr=subprocess.DEVNULL, text=True)
    env = {**uv_settings(listed), **os.environ}
    uv = [python, "-m", "uv", "pip", "install", "--python", python]
    return not subprocess.call([*uv, *constraints, *what], env=env, **quiet)


def make_venv(venv):
    def failed(told):
        return f"no virtual environment could be made (Debian: apt install python3-venv)\n{told}"

    if not (venv / "bin/python").exists():
        run([sys.executable, "-m", "venv", str(venv)], failed)


def install(venv, extras, lock):
    wrong = problem(bool(lock))
    if wrong:
        sys.exit(f"install: {wrong}")
    versions = f"the versions of {lock}" if lock else "today's newest versions"
    print(f"Installing ordojo[{extras}] into {venv}, {versions}: 1 to 4 minutes", flush=True)
    make_venv(venv)
    python = str(venv / "bin/python")
    # Compiled afterwards, on all cores, but for tests: the trainers' libraries are 25,000 files.
    constraints, what = ["-c", lock] if lock else [], ["-e", f"{ROOT}[{extras}]"]
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--no-compile"]
    if not quickly(python, constraints, what):
        run([*pip, *constraints, *what], cause)
    compiled = [python, "-m", "compileall", "-qq", "-j", "0", "-x", "/tests/", str(venv / "lib")]
    subprocess.run(compiled, check=False)  # some libraries ship files of another Python's grammar


def renew():
    """Write lock.txt anew, by uv in an environment of its own."""
    home = ROOT / "build/uv"
    make_venv(home)
    run([str(home / "bin/python"), "-m", "pip", "install", "-q", "uv"], cause)
    asked = "pip compile -q --universal --no-header --no-annotate --no-emit-index-url"
    extras = ["--extra", "embedded", "--extra", "dev"]
    python = ["--python-version", ".".join(map(str, PYTHONS[0]))]
    uv = [str(home / "bin/uv"), *asked.split(), *extras, *python, "pyproject.toml"]
    found = subprocess.run(uv, cwd=str(ROOT), stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode:
        sys.exit("install: uv found no versions that fit together, as it says above")
    LOCK.write_text(HEAD + found.stdout)


def changed(venv):
    """Print each library of an environment whose version is not one of lock.txt's."""
    locked = {}
    for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", LOCK.read_text(), re.MULTILINE):
        locked.setdefault(name, []).append(version)
    pip = [str(venv / "bin/python"), "-m", "pip", "list", "--format=json"]
    other = []
    for row in json.loads(subprocess.check_output(pip, stderr=subprocess.DEVNULL)):
        name = re.sub(r"[-_.]+", "-", row["name"]).lower()
        known = locked.get(name, ["none"])
        version = row["version"].split("+")[0]  # a local build is that version
        if name not in ("ordojo", "pip", "setuptools", "uv") and version not in known:
            other.append(f"{name} {version} (lock.txt: {' or '.join(known)})")
    print(f"other than in lock.txt: {', '.join(other) or 'nothing'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb")
    one = verbs.add_parser("install")
    one.add_argument("venv", type=Path)
    one.add_argument("extras")
    one.add_argument("--lock", default="")
    verbs.add_parser("lock")
    verbs.add_parser("changed").add_argument("venv", type=Path)
    asked = parser.parse_args()
    if asked.verb == "install":
        install(asked.venv, asked.extras, asked.lock)
    elif asked.verb == "lock":
        renew()
    else:
        changed(asked.venv)


if __name__ == "__main__":
    os.environ.setdefault("PIP_NO_INPUT", "1")
    main()
