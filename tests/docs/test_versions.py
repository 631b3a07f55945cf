"""Package, project file and changelog agree on the version."""

import re
import tomllib

import ordojo

from .pages import ROOT


def test_versions_agree():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    newest = re.search(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest is not None
    assert ordojo.__version__ == project["version"] == newest[1]


def test_the_engine_named_is_the_engine_pinned():
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "dependencies"
    ]
    pinned = next(d for d in dependencies if d.startswith("inspect-ai=="))
    for page in ("docs/models.md", "docs/decisions/0005-light-core-and-engine.md"):
        assert pinned.partition("==")[2] in (ROOT / page).read_text("utf-8")
