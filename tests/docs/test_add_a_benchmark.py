"""The benchmark of docs/add-a-benchmark.md conforms, and works as an installed package."""

import os
import subprocess
import sys
import tomllib
import types

import pytest

from ordojo.core.conformance import ConformanceError, check_benchmark

from .pages import DOCS, blocks, commands

PAGE = DOCS / "add-a-benchmark.md"
CODE, CHECK = (block.text for block in blocks(PAGE) if block.language == "python")


@pytest.fixture(scope="module")
def namespace():
    # A dataclass looks its own module up by name.
    module = types.ModuleType("ordojo_arithmetic_of_the_page")
    sys.modules[module.__name__] = module
    exec(compile(CODE, str(PAGE), "exec"), module.__dict__)
    yield module.__dict__
    del sys.modules[module.__name__]


def test_the_check_of_the_page(namespace):
    exec(compile(CHECK, str(PAGE), "exec"), namespace)


def test_other_seeds(namespace):
    benchmark = namespace["BENCHMARK"]
    check_benchmark(benchmark, {"items": 20}, seed=1)
    hashes = [
        {i.content_hash for i in benchmark.load(benchmark.options(items=50), seed)}
        for seed in (0, 1, 2)
    ]
    assert not hashes[0] & hashes[1] and not hashes[1] & hashes[2]


def test_the_check_finds_a_wrong_chance(namespace, monkeypatch):
    benchmark = namespace["BENCHMARK"]
    monkeypatch.setattr(type(benchmark), "chance", 0.5)
    with pytest.raises(ConformanceError, match="chance"):
        check_benchmark(benchmark, {"items": 50})


def test_as_a_package(tmp_path):
    """Found through its entry point, evaluated and reported by the commands of the page."""
    site = tmp_path / "site"
    package = site / "ordojo_arithmetic"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(CODE, "utf-8")
    points = tomllib.loads(next(b.text for b in blocks(PAGE) if b.language == "toml"))
    info = site / "ordojo_arithmetic-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ordojo-arithmetic\nVersion: 1\n")
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
        for group, entries in points["project"]["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    environment = {**os.environ, "PYTHONPATH": str(site), "ORDOJO_CACHE": str(tmp_path / "cache")}
    environment.pop("ORDOJO_DATA", None)
    here = tmp_path / "here"
    here.mkdir()
    for block in blocks(PAGE):
        for command in commands(block) if block.exit_code == 0 else ():
            done = subprocess.run(
                [sys.executable, "-c", "from ordojo.cli import main; main()", *command.words[1:]],
                cwd=here,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
    assert (here / "report" / "arithmetic.html").exists()
    runs = sorted(path.name.split("--")[1] for path in (here / "runs").iterdir())
    assert runs == ["ordojo-gold", "ordojo-random"]
