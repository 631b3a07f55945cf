"""Tables that cannot mix: what is foreign to a published protocol changes none of its cells."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ordojo.benchmarks.nl2opt.policies import reply
from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.options import Options
from ordojo.core.panels import Bars, Heatmap, Panel, Plot
from ordojo.core.records import RunView, SampleRecord
from ordojo.core.registry import get_benchmark
from ordojo.core.selection import Protocol, described, key, labels, parted, pooled
from tests.benchmarks.nl2opt import made as nl2opt
from tests.benchmarks.or_bias import made as or_bias
from tests.benchmarks.or_debug import made as or_debug
from tests.core.helpers import played, run_view

from .fakes import run, sample

HOMES = {
    "orqa": "orqa@793beee",
    "econlogicqa": "econlogicqa@hf",
    "nl2opt": "miplib-nl@original-223",
    "or-bias": or_bias.DATASET,
    "or-debug": or_debug.DATASET,
}
"""The datasets that published scores belong to; the records are of what is at hand."""


@cache
def records(name: str, seed: int, options: Any = None) -> tuple[SampleRecord, ...]:
    if name == "or-debug":
        plays = [or_debug.solved(1), or_debug.solved(4, op=0.9), or_debug.idle()]
        return tuple(
            or_debug.record(asked, plays[(place + seed) % 3])
            for place, asked in enumerate(or_debug.instances(1))
        )
    if name == "or-bias":
        asked = or_bias.scenarios()[:4] + or_bias.scenarios()[-2:]
        return tuple(or_bias.records(or_bias.anchored(seed / 4), asked))
    if name == "nl2opt":
        texts = [reply(nl2opt.right()), "nothing"][:: 1 if seed % 2 else -1]
        pairs = zip(("bakery-mix", "museum-crate"), texts, strict=True)
        return tuple(nl2opt.records([(item, 1, text) for item, text in pairs]))
    chosen = get_benchmark(name).options(dataset=f"{name}@ordojo")
    return tuple(played(get_benchmark(name), "random", chosen, seed, limit=6))


def whole(benchmark: AnyBenchmark, options: Options, model: str, seed: int) -> RunView:
    """A run of all that there is under the published protocol."""
    found = records(benchmark.name, seed)
    data = {"id": HOMES[benchmark.name], "sha256": "0" * 64}
    name = f"{model}-{seed}-{options!r}"
    return run_view(benchmark, found, options, model, seed, name, dataset=data)


def base(benchmark: AnyBenchmark) -> list[RunView]:
    """Two models, one of them under three seeds, and another setting where the protocol has one."""
    usual = benchmark.options()
    runs = [whole(benchmark, usual, "lab/a", seed) for seed in range(3)]
    runs.append(whole(benchmark, usual, "lab/b", 0))
    other = {"orqa": {"prompt": "cot"}, "econlogicqa": {"shots": 5}, "or-debug": {"shots": 1}}
    if benchmark.name in other:
        runs.append(whole(benchmark, benchmark.options(**other[benchmark.name]), "lab/a", 0))
    return runs


def foreign(run: RunView, kind: int, draw: Random) -> RunView:
    """A run that belongs to no published cell, made of one that does."""
    header = run.header
    some = run.records[: draw.randrange(len(run.records))]
    options = {**header.options}
    if kind == 0:  # a copy
        return replace(run, name=f"copy-{draw.random()}")
    if kind == 1:  # a beginning of the same run
        return replace(run, name=f"part-{draw.random()}", records=some)
    if kind == 2:  # a beginning under a seed of its own
        header = replace(header, seed=draw.randrange(9, 99))
        return replace(run, name=f"begun-{draw.random()}", records=some, header=header)
    if kind == 3:
        header = replace(header, limit=len(some), items=len(some))
    elif kind == 4:
        header, some = replace(header, sample=3, items=3, seed=5), run.records[:3]
    elif kind == 5:
        header, some = replace(header, dataset={"id": "mine", "sha256": "1"}), run.records
    elif kind == 6:
        header, some = replace(header, generation={"temperature": 0.3}), run.records
    else:
        name = {"orqa": "mode", "econlogicqa": "mode", "nl2opt": "solver", "or-bias": "family"}
        value = {"orqa": "chat", "econlogicqa": "chat", "nl2opt": "scip", "or-bias": "gamma"}
        which = header.benchmark
        options |= {name.get(which, "oracle"): value.get(which, "scip")}
        header, some = replace(header, options=options), run.records
    return replace(run, name=f"foreign-{draw.random()}", records=some, header=header)


def cells(panels: Sequence[Panel]) -> Iterator[tuple[str, str]]:
    """Every row, bar or curve that stands beside published ones."""
    for panel in panels:
        rows: Sequence[Any] = ()
        if isinstance(panel, Heatmap):
            rows = list(zip(panel.rows, panel.values, strict=True)) if panel.published else ()
        elif isinstance(panel, Bars | Plot):
            quoted = any("(published)" in str(one) for one in panel.series)
            rows = panel.series if quoted else ()
        elif panel.published:
            rows = panel.rows
        yield from ((panel.title, repr(row)) for row in rows)


def shown(benchmark: AnyBenchmark, runs: Sequence[RunView]) -> list[tuple[str, str]]:
    return sorted(cells(benchmark.panels(runs)))


@cache
def expected(name: str, without: int | None) -> tuple[tuple[str, str], ...]:
    runs = base(get_benchmark(name))
    return tuple(
        shown(get_benchmark(name), [r for place, r in enumerate(runs) if place != without])
    )


@pytest.mark.parametrize("name", sorted(HOMES))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kinds=st.lists(st.integers(0, 7), max_size=3),
    cut=st.none() | st.integers(0, 3),
    draw=st.randoms(use_true_random=False),
)
def test_a_published_cell_changes_by_its_own_rows_alone(
    name: str, kinds: list[int], cut: int | None, draw: Random
) -> None:
    benchmark = get_benchmark(name)
    runs = base(benchmark)
    more = [
        foreign(draw.choice([r for i, r in enumerate(runs) if i != cut]), k, draw) for k in kinds
    ]
    if cut is not None:  # an incomplete run belongs nowhere
        runs[cut] = replace(runs[cut], records=runs[cut].records[:-1])
    doubled = [replace(r, records=[*r.records, *r.records[:2]]) for r in runs]
    every = [*doubled, *more]
    draw.shuffle(every)
    assert shown(benchmark, every) == list(expected(name, cut))


@pytest.mark.parametrize("name", sorted(HOMES))
def test_a_seed_more_changes_the_cells(name: str) -> None:
    benchmark = get_benchmark(name)
    more = whole(benchmark, benchmark.options(), "lab/b", 1)
    assert shown(benchmark, [*base(benchmark), more]) != list(expected(name, None))


def test_runs_are_pooled_by_seed_and_numbered_through() -> None:
    runs = [
        run("m", records=[sample(0, s)], name=f"r{i}", seed=i) for i, s in enumerate((1.0, 0.0))
    ]
    runs = [replace(r, header=replace(r.header, seed=i)) for i, r in enumerate(runs)]
    (pool,) = pooled([runs[1], runs[0], runs[1]])
    assert [(r.id, r.epoch) for r in pool.records] == [("item-0", 1), ("item-0", 2)]
    assert pool.size == "2 seeds, 2 samples" and pool.whole
    assert labels([pool], lambda options: "plain") == ["m · plain, 2 seeds, 2 samples"]
    assert [r.name for r in pool.runs] == ["r0", "r1"]


def test_of_runs_with_one_seed_the_fullest_counts() -> None:
    full = run("m", n=3, name="full")
    begun = run("m", name="begun", records=full.records[:1], items=3)
    twice = replace(
        full,
        name="twice",
        header=replace(full.header, epochs=2, items=6),
        records=[*full.records, *(replace(r, epoch=2) for r in full.records)],
    )
    assert [p.name for p in pooled([begun, full])] == ["full"]
    assert [p.name for p in pooled([full, twice, begun])] == ["twice"]
    (alone,) = pooled([begun])
    assert not alone.whole and described(alone, "s") == "s, 1 of 3 items"


@pytest.mark.parametrize(
    "change",
    [
        {"benchmark_version": "2"},
        {"dataset": {"id": "fake@1", "sha256": "cd" * 32}},
        {"options": {"shots": 1}},
        {"limit": 30},
        {"sample": 30},
        {"rule": "lenient"},
        {"generation": {"max_tokens": 5}},
    ],
)
def test_the_whole_header_tells_settings_apart(change: dict[str, Any]) -> None:
    runs = [run("m", name="a"), run("m", name="b", **change)]
    assert len(pooled(runs)) == 2
    assert len({key(r.header) for r in runs}) == 2


def test_samples_of_two_seeds_are_other_questions() -> None:
    runs = [
        replace(r, header=replace(r.header, sample=5, seed=i))
        for i, r in enumerate([run("m", name=n) for n in "ab"])
    ]
    assert len(pooled(runs)) == 2


def test_published_scores_stand_beside_their_dataset_alone() -> None:
    class Shots(Options):
        shots: int = 0

    how = Protocol.of("fake@1", Shots())

    def ends(runs: list[RunView]) -> list[tuple[str, int, bool]]:
        parts = parted(pooled(runs), how)
        return [(end, len(found), published) for end, found, published in parts]

    other = run("m", name="b", dataset={"id": "mine", "sha256": ""})
    assert ends([]) == [("", 0, True)]
    assert ends([run("m")]) == [("", 1, True)]
    assert ends([other]) == [("", 1, False)]
    assert ends([run("m"), other]) == [("", 1, True), (", other settings", 1, False)]
    old = run("m", options={})
    assert ends([old]) == [("", 1, True)], "from before there was a choice"
