"""Sandboxes shared by the tests of this package, by isolation; skipped where there is none."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator

import pytest

from ordojo.core.errors import SandboxError
from ordojo.sandbox import Sandbox, landlock, seccomp
from ordojo.sandbox.cgroup import ControlGroup
from ordojo.sandbox.launch import ConfinementPlan
from tests.sandbox.contain import SMALL, World

OLD_KERNEL = ConfinementPlan("landlock", os.geteuid(), os.getegid(), landlock=3)
DOCKER = shutil.which("docker") or ""
BARE_DOCKER = ConfinementPlan("docker", 65534, 65534, landlock=0, tool=DOCKER)
OLDEST_KERNEL = ConfinementPlan("landlock", os.geteuid(), os.getegid(), landlock=1)
NO_LANDLOCK = ConfinementPlan("userns", os.geteuid(), os.getegid(), landlock=0)
PLANS = {
    "old kernel": OLD_KERNEL,
    "oldest kernel": OLDEST_KERNEL,
    "userns without landlock": NO_LANDLOCK,
    "docker without landlock": BARE_DOCKER,
}


def docker_answers() -> bool:
    """Whether there is a daemon that this user may ask."""
    command = [DOCKER, "version"]
    return bool(DOCKER) and subprocess.run(command, capture_output=True).returncode == 0


def open_sandbox(isolation: str | ConfinementPlan, **settings: object) -> Sandbox:
    try:
        return Sandbox(isolation, SMALL, **settings)  # type: ignore[arg-type]
    except SandboxError as error:
        if seccomp.available() and landlock.abi():
            raise  # this kernel can, so we must
        pytest.skip(f"no such isolation here: {error}")


@pytest.fixture(scope="session")
def walled(world: World) -> Iterator[Callable[[str], Sandbox]]:
    """A sandbox by the name of an isolation, or of a plan as older kernels offer it."""
    opened: dict[str, Sandbox] = {}

    def find(name: str) -> Sandbox:
        if name not in opened:
            with pytest.MonkeyPatch.context() as patch:
                if name == "no group":
                    patch.setattr(ControlGroup, "make", lambda pid: None)
                plan = PLANS.get(name, "auto" if name == "no group" else name)
                opened[name] = open_sandbox(plan, preload=("numpy",))
        return opened[name]

    yield find
    for sandbox in opened.values():
        sandbox.close()


@pytest.fixture(scope="session")
def box(world: World) -> Iterator[Sandbox]:
    """The best isolation here."""
    with open_sandbox("auto", preload=("numpy",)) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    os.environ["ORDOJO_TEST_SECRET"] = "secret-314159"
    found = World(tmp_path_factory.mktemp("outside"))
    yield found
    found.close()
    del os.environ["ORDOJO_TEST_SECRET"]
