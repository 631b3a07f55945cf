"""Where an extra is missing: exit code 2 and the line to type, before anything long has begun.

In an environment that holds what `pip install ordojo` brings and nothing else: the installed files
of the core's requirements and theirs, seen by a Python that sees no others.
"""

import json
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from ordojo.core.extras import EXTRAS, untried
from tests.command import ordojo

ROOT = Path(__file__).parents[2]
OURS = ("-T", "dataset=orqa@ordojo")
MODEL = "max\n o: x\nst\n a: x <= 1\n b: x >= 2\nend\n"

LACKING = {
    "train sft": ("train", ["train", "sft", "--config", "tiny-sft"]),
    "train grpo": ("train", ["train", "grpo", "--config", "tiny-grpo"]),
    "train prm": ("train", ["train", "prm", "--config", "tiny-prm", "--dry-run"]),
    "train curriculum": ("train", ["train", "curriculum", "--config", "tiny-curriculum"]),
    "serve": ("serve", ["serve", "orqa", *OURS]),
    "mcp": ("mcp", ["mcp"]),
    "export hf": ("export", ["export", "hf", "orqa@ordojo", "-o", "hub"]),
    "export hf --push": (
        "export",
        ["export", "hf", "orqa@ordojo", "-o", "hub", "--push", "somebody/something"],
    ),
    "export verifiers": ("verifiers", ["export", "verifiers", "orqa", "-o", "package"]),
    "data statistics --figures": (
        "figures",
        ["data", "statistics", "nl2opt@ordojo", "--figures", "charts"],
    ),
    "report --figures": ("figures", ["report", "runs", "-o", "site", "--figures", "charts"]),
    "verify --on ray": ("ray", ["verify", "rows.jsonl", "--on", "ray"]),
    "build --on ray": ("ray", ["build", "orqa", "-o", "q.jsonl", "--on", "ray:auto"]),
    "eval embedded": ("embedded", ["eval", "orqa", "--model", "ordojo/smollm2", *OURS]),
    "eval a GGUF file": (
        "embedded",
        ["eval", "orqa", "--model", "ordojo/local?path=mine.gguf", *OURS],
    ),
    "eval a folder": ("train", ["eval", "orqa", "--model", "ordojo/local?path=mine", *OURS]),
    "explain --suggest": ("embedded", ["explain", "model.lp", "--suggest", "ordojo/smollm2"]),
    "structure --polish": (
        "embedded",
        ["structure", "model.lp", "--export", "told", "--polish", "ordojo/smollm2"],
    ),
    "observe --model": ("embedded", ["observe", "model.lp", "--model", "ordojo/smollm2"]),
    "retell --model": ("embedded", ["retell", "told", "t.txt", "--model", "ordojo/smollm2"]),
    "review reasoning --model": (
        "embedded",
        ["review", "reasoning", "runs", "-o", "q", "--model", "ordojo/smollm2"],
    ),
    "build econlogicqa": (
        "embedded",
        ["build", "econlogicqa", "--model", "ordojo/smollm2", "-o", "q"],
    ),
    "explain --solver gurobi": ("gurobi", ["explain", "model.lp", "--solver", "gurobi"]),
    "explain --solver scip": ("scip", ["explain", "model.lp", "--solver", "scip"]),
    "run --solver gurobi": ("gurobi", ["run", "program.py", "--solver", "gurobi"]),
    "run --solver scip": ("scip", ["run", "program.py", "--solver", "scip"]),
    "eval -T oracle=scip": (
        "scip",
        ["eval", "or-debug", "--model", "ordojo/noop", "-T", "oracle=scip", "--limit", "1"],
    ),
}
"""Every command and option that needs an extra, which one, and a call of it."""

CALLS = """
import json, sys
sys.path[:0] = {paths!r}
from importlib.util import find_spec
from command import ordojo
from ordojo.core.extras import EXTRAS
there = [name for names in EXTRAS.values() for name in names if find_spec(name)]
done = {{name: ordojo(words)[:3] for name, (_, words) in {calls!r}.items()}}
print(json.dumps([there, done]))
"""


def needed(name: str, found: set[str]) -> None:
    """The distribution and all that it requires, without extras of their own."""
    key = name.lower().replace("_", "-")
    if key in found:
        return
    found.add(key)
    for text in distribution(name).requires or ():
        wanted = Requirement(text)
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            needed(wanted.name, found)


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str]]:
    """What each call of the list came to, in a folder with a few inputs."""
    place = tmp_path_factory.mktemp("plain")
    plain, work, tools = (place / name for name in ("site-packages", "work", "tools"))
    for folder in (plain, work, tools):
        folder.mkdir()
    # The tests' own folders have names of libraries.
    (tools / "command.py").symlink_to(ROOT / "tests" / "command.py")
    names: set[str] = set()
    needed("ordojo", names)
    for name in names - {"ordojo"}:
        found = distribution(name)
        for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            if not (plain / top).exists():
                (plain / top).symlink_to(Path(str(found.locate_file(top))))
    (work / "model.lp").write_text(MODEL)
    (work / "program.py").write_text("print(1)\n")
    code = CALLS.format(paths=[str(ROOT / "src"), str(tools), str(plain)], calls=LACKING)
    done = subprocess.run(
        [sys.executable, "-SE", "-c", code], capture_output=True, text=True, cwd=work, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    there, found = json.loads(done.stdout)
    assert there == []
    left = sorted(path.name for path in work.iterdir())
    assert left == ["model.lp", "program.py"]  # nothing was begun
    return {name: tuple(said) for name, said in found.items()}


@pytest.mark.parametrize("name", LACKING)
def test_a_missing_extra_is_one_sentence(heard: dict[str, tuple[int, str, str]], name: str) -> None:
    extra, _ = LACKING[name]
    code, out, err = heard[name]
    assert (code, out) == (2, ""), err
    (said,) = [line for line in err.splitlines() if line.startswith("ordojo: ")]
    assert f"type: pip install 'ordojo[{extra}]'" in said
    assert err.splitlines()[-1] == said and len(err.splitlines()) <= 3


def test_the_table_is_that_of_the_package() -> None:
    """Every module of the table comes by its extra, and every library of an extra is in it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    given = project["optional-dependencies"]
    for extra, modules in EXTRAS.items():
        # Of fpdf2 the module has no number.
        names = [Requirement(text).name.replace("fpdf2", "fpdf") for text in given[extra]]
        assert sorted(modules) == sorted(name.replace("-", "_") for name in names), extra
    assert set(given) - set(EXTRAS) == {"programs", "dev"}
    assert {extra for extra, _ in LACKING.values()} == set(EXTRAS)


@pytest.mark.parametrize(
    ("extra", "library", "version"),
    [("serve", "openenv", "0.1.7"), ("mcp", "mcp", "2.0.1"), ("verifiers", "verifiers", "0.4")],
)
def test_a_version_that_was_not_tried_is_one_sentence(
    tmp_path: Path, extra: str, library: str, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What pip would not have installed beside ordojo, found first on the path."""
    told = tmp_path / f"{library}-{version}.dist-info/METADATA"
    told.parent.mkdir()
    told.write_text(f"Metadata-Version: 2.1\nName: {library}\nVersion: {version}\n")
    (words,) = (w for name, (_, w) in LACKING.items() if name in (extra, f"export {extra}"))
    monkeypatch.syspath_prepend(tmp_path)
    assert untried(extra)  # else the command would begin to serve
    done = ordojo(words, tmp_path)
    assert done.returncode == 2
    said = done.stderr.splitlines()[-1]
    assert f" needs {library}" in said and f", not {version}; type: pip install" in said
