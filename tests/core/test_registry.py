"""Benchmarks are found by name."""

import re

import pytest

from ordojo.core.errors import UsageError
from ordojo.core.registry import benchmark_names, get_benchmark


def test_every_folder_of_benchmarks_is_one_under_its_own_name() -> None:
    assert {"econlogicqa", "orqa"} <= set(benchmark_names())
    assert list(benchmark_names()) == sorted(benchmark_names())
    for name in benchmark_names():
        benchmark = get_benchmark(name)
        assert benchmark.name == name
        assert re.fullmatch(r"[a-z0-9-]+", name)
        assert benchmark.version and benchmark.title and benchmark.summary
        assert benchmark.default_rule(benchmark.options(**benchmark.demo)) in benchmark.rules


def test_underscores_and_hyphens_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    import ordojo.core.registry as registry

    monkeypatch.setattr(registry, "benchmark_names", lambda: ("orqa", "not-here"))
    for spelling in ("not_here", "not-here"):
        with pytest.raises(ModuleNotFoundError, match=r"ordojo\.benchmarks\.not_here"):
            get_benchmark(spelling)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("orca", "did you mean 'orqa'?"),
        ("econlogic_qa", "did you mean 'econlogicqa'?"),
        ("ORQA!", "there are "),
        ("", "there are "),
        ("../orqa", "did you mean 'orqa'?"),
    ],
)
def test_an_unknown_name_is_refused_with_a_hint(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        get_benchmark(name)
    assert str(caught.value).startswith(f"there is no benchmark '{name}'; {hint}")
