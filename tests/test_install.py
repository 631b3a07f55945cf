"""The lock, and what the installer says where it does not fit."""

import os
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parent.parent
INSTALL = ROOT / "tools/install.py"
LINES = [line for line in (ROOT / "lock.txt").read_text().splitlines() if not line.startswith("#")]
SYSTEMS = [
    {"sys_platform": system, "platform_machine": machine, "python_full_version": version + ".9"}
    | {"python_version": version, "platform_python_implementation": "CPython"}
    for system, machine in (("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"))
    for version in ("3.11", "3.12", "3.13")
]


def locked(system: dict[str, str]) -> dict[str, str]:
    """The version of each library on a system; one alone."""
    found: dict[str, str] = {}
    for line in LINES:
        pin, _, marker = line.partition(" ; ")
        name, _, version = pin.partition("==")
        if not marker or Marker(marker).evaluate(dict(system)):
            assert name not in found, (name, system)
            found[name] = version
    return found


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda one: "-".join(list(one.values())[:3]))
def test_every_system_has_a_version_that_fits_of_all_that_is_asked_for(
    system: dict[str, str],
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    versions = locked(system)
    for line in [*project["dependencies"], *(line for extra in extras for line in extra)]:
        need = Requirement(line)
        if need.name != "ordojo":
            name = re.sub(r"[-_.]+", "-", need.name).lower()
            assert SpecifierSet(str(need.specifier)).contains(versions[name]), line


def test_the_lock_has_pins_alone() -> None:
    for line in LINES:
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; [^#]+)?", line), line


def test_an_index_without_a_library_is_said_in_a_line(tmp_path: Path) -> None:
    command = [sys.executable, INSTALL, "install", tmp_path / "venv", "embedded"]
    env = os.environ | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 1
    (said,) = done.stderr.strip().splitlines()
    assert said.startswith("install: the package index lacks hatchling>=")
    assert done.stdout.startswith("Installing ordojo[embedded] into ")


def test_uv_gets_the_settings_that_pip_has() -> None:
    listed = """:env:.find-links='/wheels /more'
:env:.default-timeout='180'
global.cert='/etc/ca.crt'
global.find-links='/no'
global.extra-index-url='https://a/simple https://b/simple'
global.index-url='https://c/simple'
"""
    assert runpy.run_path(str(INSTALL))["uv_settings"](listed) == {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_FIND_LINKS": "/wheels,/more",
        "SSL_CERT_FILE": "/etc/ca.crt",
        "UV_INDEX": "https://a/simple https://b/simple",
        "UV_DEFAULT_INDEX": "https://c/simple",
    }


def test_a_version_that_the_index_lacks_is_told_by_its_name(tmp_path: Path) -> None:
    lock = tmp_path / "lock.txt"
    lock.write_text("click==999.0\n")
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    done = subprocess.run(
        [*pip, "--no-index", "-c", lock, "click>=8"], capture_output=True, text=True, check=False
    )
    said = runpy.run_path(str(INSTALL))["cause"](done.stdout + done.stderr)
    assert "lacks click==999.0" in said and "make lock" in said and "make LOCK=" in said


@pytest.mark.parametrize(
    ("here", "machine", "said"),
    [
        ((3, 10), "x86_64", "needs Python 3.11 or later, this is Python 3.10: make PYTHON="),
        ((3, 14), "x86_64", "no versions for Python 3.14, only to 3.13: make PYTHON=python3.13"),
        ((3, 12), "riscv64", "no versions for Linux riscv64"),
    ],
)
def test_a_lock_that_does_not_fit_is_said(here: tuple[int, int], machine: str, said: str) -> None:
    program = (
        "import sys, platform, runpy; from pathlib import Path\n"
        f"sys.version_info = {(*here, 0)}\n"
        f"platform.system = lambda: 'Linux'; platform.machine = lambda: {machine!r}\n"
        f"sys.argv = ['', 'install', '/nowhere/venv', 'dev', '--lock', 'lock.txt']\n"
        f"runpy.run_path({str(INSTALL)!r}, run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert said in done.stderr and len(done.stderr.splitlines()) == 1
