"""Each benchmark's page has all of its options with their defaults, its rules and metrics."""

import re

import pytest

from ordojo.core.options import parse_options
from ordojo.core.registry import benchmark_names, get_benchmark

from .pages import DOCS, sections, table_rows


@pytest.fixture(
    params=[n for n in benchmark_names() if get_benchmark(n).__module__[:7] == "ordojo."]
)
def page(request):
    benchmark = get_benchmark(request.param)
    folder = DOCS / "benchmarks"
    return benchmark, sections(folder / f"{benchmark.name.replace('-', '_')}.md")


def rows(text):
    return {cells[0].strip("`"): cells for cells in table_rows(text)}


def test_options_and_defaults(page):
    benchmark, parts = page
    found = rows(parts["Options"])
    fields = benchmark.options.model_fields
    assert set(fields) <= set(found)
    for name, field in fields.items():
        assert found[name][1] == f"`{field.get_default()}`"


def test_values_of_closed_options(page):
    benchmark, parts = page
    for name, field in benchmark.options.model_json_schema()["properties"].items():
        for value in field.get("enum", []):
            assert f"`{value}`" in parts["Options"], f"{name}={value} is not documented"


def test_rules(page):
    benchmark, parts = page
    assert set(rows(parts["Rules"])) == set(benchmark.rules)


def test_metrics(page):
    benchmark, parts = page
    options = parse_options(benchmark.options, dict(benchmark.demo), benchmark.name)
    text = parts["Metrics"]
    for metric in benchmark.metrics([], benchmark.default_rule(options)):
        kind, mark = (*re.split("([/@])", metric, maxsplit=1), "/")[:2]
        span = rf"`{kind}{mark}[^`]+` \.\.\. `{kind}{mark}"
        assert f"`{metric}`" in text or re.search(span, text), metric


def test_the_version_stands_above_and_in_its_history(page):
    benchmark, parts = page
    text = (DOCS / "benchmarks" / f"{benchmark.name.replace('-', '_')}.md").read_text("utf-8")
    assert f"\n| version | {benchmark.version} |\n" in text
    assert benchmark.version in rows(parts["Version history"])
