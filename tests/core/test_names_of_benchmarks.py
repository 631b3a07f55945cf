"""A benchmark is named in its own folder alone: what stands elsewhere holds for all of them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ordojo
from ordojo.core.registry import benchmark_names

SOURCE = Path(ordojo.__file__).parent
NAMES = "|".join(re.escape(one).replace(r"\-", "[-_]") for one in benchmark_names())
NAMED = re.compile(NAMES, re.IGNORECASE)
THEIRS = re.compile(
    r"newsvendor|diagnos|injector|(?:^|[\"'])(?:mean )?da(?:$|[\"'])|faithful|rr@5|m\.addConstr",
    re.IGNORECASE,
)
"""Words of one benchmark's: its problems, its parts of a reward, its figures, its prompts."""

CATALOGUE = "the catalogue of datasets, and how each published format is read"
PUBLIC = "types of the front door's answers"
ALLOWED = {
    "datasets/schemas.py": CATALOGUE,
    "datasets/or_debug_authors.py": CATALOGUE,
    "datasets/nl2opt": CATALOGUE,
    "datasets/registry.py": CATALOGUE,
    "datasets/pull.py": CATALOGUE,
    "datasets/store.py": CATALOGUE,
    "__init__.py": PUBLIC,
    "api/data.py": PUBLIC,
    "api/runs.py": PUBLIC,
    "cli/data.py": PUBLIC,
    "reports/paper.py": PUBLIC,
    "evaluation/providers/loading.py": "the catalogue of weights, one of which was taught by one",
    "core/readers/commitment.py": "whose answer a reply gives: a role that stories have",
    "reports/papers.py": "titles of papers, as they are cited",
}
"""Where one is named nevertheless, and why; in a folder, everywhere."""


def said(tree: ast.AST) -> Iterator[str]:
    """Every identifier, module and text of a module, but for docstrings and examples."""
    told: set[int] = set()
    for node in ast.walk(tree):  # what holds others comes before them
        # Docstrings, and texts that explain a constant, may give examples; so do commands.
        if isinstance(node, ast.Expr) or (isinstance(node, ast.keyword) and node.arg == "example"):
            told.add(id(node.value))
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=module, names=names):
                yield from (f"{module}.{name.name}" for name in names)
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.keyword(arg=str(name)):
                yield name
            case ast.Constant(value=str(text)) if id(node) not in told:
                yield text


def found(text: str, words: re.Pattern[str]) -> set[str]:
    return {one for one in said(ast.parse(text)) if words.search(one)}


@pytest.mark.parametrize(
    "text",
    [
        "import ordojo.benchmarks.orqa",
        "import ordojo.benchmarks.or_bias.sets as sets",
        "from ordojo.benchmarks import or_debug",
        "from ordojo.benchmarks.nl2opt.items import load",
        "from ordojo.datasets.nl2opt import load_items",
        "nl2opt_ids()",
        "schema is schemas.NL2OPT",
        "def orqa_rows(): pass",
        "class ORQA: pass",
        "name = 'or-debug'",
        "call(econlogicqa=1)",
        "lambda or_bias: 1",
        "f'{x} of orqa'",
    ],
)
def test_every_way_to_name_one_is_seen(text: str) -> None:
    assert found(text, NAMED)
    assert not found(f'"""{text}"""', NAMED)


def test_words_of_one_are_seen_in_code_alone() -> None:
    for text in ("verdict['da']", "name = 'm.addConstr(x)'", "how.faithfulness", "f(injectors=1)"):
        assert found(text, THEIRS)
    assert not found('data = "dark"  # a diagnosis, the newsvendor', THEIRS)


def test_what_is_of_one_benchmark_stands_in_its_own_folder_alone() -> None:
    others = [p for p in SOURCE.rglob("*.py") if p.relative_to(SOURCE).parts[0] != "benchmarks"]
    assert len(others) > 300
    seen = {}
    for path in others:
        place, text = path.relative_to(SOURCE), path.read_text("utf-8")
        patterns = [NAMED] if place.parts[0] in ("compat", "sandbox") else [NAMED, THEIRS]
        words = {one for p in patterns if p.search(text) for one in found(text, p)}
        if words:
            folder = str(place.parent)
            seen[folder if folder in ALLOWED else str(place)] = words
    assert {place: words for place, words in seen.items() if place not in ALLOWED} == {}
    assert seen.keys() == ALLOWED.keys()  # no exception outlives its reason
