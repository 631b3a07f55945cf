"""A sample of everything that is built: `python -m tests.determinism.samples FOLDER [SCALE]`."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from ordojo.benchmarks.econlogicqa.build import build
from ordojo.benchmarks.or_debug.build import kind_of
from ordojo.benchmarks.or_debug.injection.generate import generate, shared_solver
from ordojo.benchmarks.or_debug.schema import make_instance
from ordojo.cli import cli
from ordojo.core.canonical import canonical
from ordojo.core.instance import to_row
from ordojo.core.options import parse_options
from ordojo.core.registry import get_benchmark
from ordojo.milp.files import write_model
from ordojo.problems.instances import make
from ordojo.problems.registry import NAMES, get_template
from ordojo.training.teacher.collect import played
from ordojo.training.teacher.formats import sft_records
from tests.benchmarks.econlogicqa.test_build_pipeline import ARTICLES, Scripted
from tests.benchmarks.econlogicqa.test_build_pipeline import SETTINGS as SCRIPTED

SETTINGS = {"iis": "rows+bounds", "rag": "by_type", "shots": "1"}


def _command(*arguments: object) -> str:
    done = CliRunner().invoke(cli, [str(part) for part in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def _put(path: Path, rows: Iterable[Any]) -> None:
    path.write_text("".join(canonical(row) + "\n" for row in rows), encoding="utf-8")


def or_debug(out: Path, scale: int) -> None:
    """Instances; whole episodes with retrieved cases, as training data; what `explain` says."""
    drawn = [("pool", 1, index) for index in range(9 * scale)]
    # Item 44 of the eval set is where two processors were first seen to differ.
    problems = [generate(*draw, kind_of(draw[2])) for draw in [*drawn, ("eval", 0, 44)]]
    made = [
        make_instance(problem, {"highs": shared_solver().oracle.version}) for problem in problems
    ]
    _put(out / "instances.jsonl", map(to_row, made))
    _command("build", "or-debug", "--silent", "--n", 7 * scale, "-o", out / "silent.jsonl")
    for policy in ("expert-heuristic", "elastic"):
        _put(out / f"{policy}.jsonl", sft_records(played(policy, "or-debug", SETTINGS, made)))
    for problem in problems[::3]:
        file = out / f"{problem.index}.mps"
        write_model(problem.model, file)
        (out / f"{problem.index}.txt").write_text(_command("explain", file), encoding="utf-8")


def or_bias(out: Path, scale: int) -> None:
    """Scenarios of every demand family, the decisions beyond, demonstrations."""
    for family in ("normal", "lognormal", "gamma", "poisson", "empirical"):
        file = out / f"{family}.jsonl"
        _command("build", "or-bias", "--family", family, "--n", 80 * scale, "-o", file)
    benchmark = get_benchmark("or-bias")
    for decision in ("eoq", "base-stock", "repeated"):
        options = parse_options(benchmark.options, {"decision": decision}, "or-bias")
        _put(out / decision, map(to_row, benchmark.load(options, 0)[: 40 * scale]))
    options = parse_options(benchmark.options, {}, "or-bias")
    made = benchmark.load(options, 0)[: 40 * scale]
    _put(out / "demonstrations", sft_records(played("expert-newsvendor", "or-bias", {}, made)))


def nl2opt(out: Path, scale: int) -> None:
    """Instance folders of every template."""
    _command("build", "nl2opt", "-o", out, "--no-program", "--n", 15 * scale)


def orqa(out: Path, scale: int) -> None:
    """Questions with their proofs."""
    _command("build", "orqa", "--n", 11 * scale, "-o", out / "questions.jsonl")


def structure(out: Path, scale: int) -> None:
    """Models of the templates as groups and families, and as instances in words."""
    for name in NAMES[:: max(1, 5 // scale)]:
        file = out / f"{name}.mps"
        write_model(make(name, get_template(name).settings(), 3, 0).built.model, file)
        _command("structure", file, "-o", out / name, "--export", out / f"{name}-instance")


def econlogicqa(out: Path, scale: int) -> None:
    """Questions of the scripted model on the articles that come with ordojo."""
    build(ARTICLES, Scripted(), out / "made", SCRIPTED.model_copy(update={"accept_all": True}))


SAMPLES: tuple[Callable[[Path, int], None], ...] = (
    or_debug,
    or_bias,
    nl2opt,
    orqa,
    structure,
    econlogicqa,
)

if __name__ == "__main__":
    for sample in SAMPLES:
        folder = Path(sys.argv[1]) / sample.__name__
        folder.mkdir(parents=True)
        sample(folder, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
