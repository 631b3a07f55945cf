"""The same bytes on other processors: everything that is built, under the features of two of them.

numpy, OpenBLAS and glibc choose among versions of their functions by what the processor can do;
these settings make them choose as they would on another one.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import pytest

AVX2, AVX512 = "X86_V3", "X86_V4 AVX512_ICL AVX512_SPR"
"""numpy's groups of features that come after its baseline; those it lacks are left alone."""

SETTINGS = {
    "no vectors, two threads": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": f"{AVX2} {AVX512}",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4",
        "OMP_NUM_THREADS": "2",
    },
    "Haswell, one thread": {
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": AVX512,
        "OMP_NUM_THREADS": "1",
    },
}

MEASURED = re.compile(rb'^ *"runtime": .*$', re.MULTILINE)
"""What an exported instance records of its own solving; its logs do too."""


def python(arguments: Sequence[str], folder: Path, setting: Mapping[str, str]) -> str:
    """What Python prints under a setting; numpy warns of features that this processor lacks."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *arguments],
        cwd=folder,
        env={**os.environ, **setting, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file but of logs and locks."""
    return {
        str(path.relative_to(folder)): sha256(MEASURED.sub(b"", path.read_bytes())).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".lock" and path.parent.name != "logs"
    }


def test_every_builder_gives_the_same_bytes_on_every_processor(tmp_path: Path) -> None:
    found = {}
    for place, setting in enumerate([{}, *SETTINGS.values()]):
        folder = tmp_path / str(place)
        folder.mkdir()
        python(["-m", "tests.determinism.samples", "."], folder, setting)
        found[place] = digests(folder)
    here = found.pop(0)
    assert len(here) > 100
    for name, there in zip(SETTINGS, found.values(), strict=True):
        assert here.keys() == there.keys()
        assert [path for path in here if here[path] != there[path]] == [], name


def test_the_settings_change_what_numpy_and_the_c_library_add_up_to(tmp_path: Path) -> None:
    here, *there = (python(["-c", PROBE], tmp_path, one) for one in [{}, *SETTINGS.values()])
    if {here} == {*there}:
        pytest.skip("this processor offers its libraries no choice")
    assert there[0] not in (here, there[1])


PROBE = """
import math
import numpy as np
x = np.random.default_rng(0).random(10_001)
print(repr(float(x @ x)), float(np.exp(x).sum()), math.fsum(map(math.exp, x.tolist())))
"""
