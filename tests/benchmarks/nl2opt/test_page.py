"""The page: our runs beside tables 1, 7 and 8, every panel drawable, unsafe runs named."""

import dataclasses

import pytest

from ordojo.benchmarks.nl2opt import BENCHMARK
from ordojo.benchmarks.nl2opt import page as quoted
from ordojo.benchmarks.nl2opt.policies import reply
from ordojo.core.panels import Bars, Heatmap, Panel, Plot, Table
from ordojo.core.records import RunView
from ordojo.core.statistics import Estimate
from ordojo.reports.papers import count
from tests.benchmarks.nl2opt.made import records, right, view
from tests.core.helpers import check_panel


@pytest.fixture(scope="module")
def runs() -> list[RunView]:
    names = ("bakery-mix", "museum-crate", "greenhouse-beds", "crate-return")
    answers = [(name, epoch, reply(right(name))) for name in names for epoch in (1, 2)]
    broken = [(name, 1, reply("import gurobipy\ngurobipy.QuickSum()")) for name in names]
    some = [("bakery-mix", 1, reply("print(3)")), ("tea-urns", 1, "nothing"), *broken[1:]]
    again = [dataclasses.replace(r, labels={**r.labels}) for r in records(some, repair=1)]
    return [
        view(records(answers), "right"),
        view(records(some), "mixed", "industryor@cleaned-42", program_limit=60.0),
        view(records(some[:1]), "quick", "industryor@cleaned-42"),
        view(again, "repaired", repair=1),
        view(records(broken, isolation="unsafe"), "unsafe", isolation="unsafe"),
    ]


def titled(panels: list[Panel], start: str) -> list[Panel]:
    return [panel for panel in panels if panel.title.startswith(start)]


def test_every_panel_can_be_drawn(runs: list[RunView]) -> None:
    panels = list(BENCHMARK.panels(runs))
    for panel in panels:
        check_panel(panel)
    kinds = {type(panel) for panel in panels}
    assert kinds == {Table, Heatmap, Bars, Plot}
    for one in runs:
        for panel in BENCHMARK.panels([one]):
            check_panel(panel)
    assert BENCHMARK.panels([]) == ()


def test_subtypes_of_modelling_errors_are_counted() -> None:
    turned = right().replace("<= 90", ">= 90")
    both = turned.replace("GRB.MAXIMIZE", "GRB.MINIMIZE")
    again = (
        "import gurobipy as gp\nm = gp.Model()\nz = m.addVars(3, ub=1)\nm.addConstr(z.sum() >= 3)\n"
    )
    answers = [right(), turned, both, f"{again}m.optimize()", "print(3)"]
    found = records([("bakery-mix", k, reply(text)) for k, text in enumerate(answers, 1)])
    panels = list(BENCHMARK.panels([view(found)]))
    (table,) = titled(panels, "What is wrong in answers that model another problem")
    assert isinstance(table, Table)
    (row,) = table.rows
    said = dict(zip(table.columns, row, strict=True))
    assert said["compared"] == 3  # neither the right one nor what solved nothing
    for kind, share in (("direction", 2 / 3), ("min and max", 1 / 3), ("built otherwise", 1 / 3)):
        figure = said[kind]
        assert isinstance(figure, Estimate) and figure.value == pytest.approx(share), kind


def test_unsafe_is_said_on_the_page(runs: list[RunView]) -> None:
    (table,) = titled(list(BENCHMARK.panels(runs)), "How programs were run")
    assert isinstance(table, Table)
    said = {str(row[0]): str(row[1]) for row in table.rows}
    assert sum("UNSAFE" in text for text in said.values()) == 1
    assert all("contained by" in text or "UNSAFE" in text for text in said.values())


def test_repair_stands_in_no_pass_column(runs: list[RunView]) -> None:
    panels = list(BENCHMARK.panels(runs))
    tables = [panel for panel in titled(panels, "Accuracy on") if isinstance(panel, Table)]
    assert not any("repair" in str(row[1]) for table in tables for row in table.rows)
    (table,) = titled(panels, "With self-repair")
    assert isinstance(table, Table) and len(table.rows) == 1


def test_published_rows_stand_beside(runs: list[RunView]) -> None:
    panels = list(BENCHMARK.panels(runs))
    table, apart = titled(panels, "Accuracy on IndustryOR")
    assert isinstance(table, Table) and isinstance(apart, Table)
    assert not apart.published and len(apart.rows) == 1
    row = next(r for r in table.rows if r[0] == "GPT-5.1")
    assert list(row[2:5]) == [0.7381, quoted.table("pass@8")["GPT-5.1"]["industryor"], row[4]]
    (one,) = titled(panels, "MIPLIB-NL paper, table 1")
    assert isinstance(one, Table)
    ours = [r for place, r in enumerate(one.rows) if place not in one.published]
    assert len(ours) == 1  # only the run on the version that the paper used
    assert list(one.columns) == ["model", "IndustryOR"] and isinstance(ours[0][1], Estimate)


def test_error_classes_stand_beside_those_of_figure_7() -> None:
    broken = records([("bakery-mix", 1, reply("import gurobipy\ngurobipy.QuickSum()"))])
    run = view(broken, "broken", "miplib-nl@original-223", program_limit=60.0)
    (panel,) = (one for one in BENCHMARK.panels([run]) if one.title == "Error classes")
    assert isinstance(panel, Bars) and count(panel) == 3
    own, published = panel.series
    assert [one.value for one in own.values if isinstance(one, Estimate)] == [1.0, 0.0, 0.0]
    assert list(published.values) == [0.450, 0.483, 0.067]


def test_nothing_published_stands_beside_problems_of_our_own(runs: list[RunView]) -> None:
    for panel in BENCHMARK.panels([run for run in runs if run.name not in {"mixed", "quick"}]):
        assert not getattr(panel, "published", ()), panel.title
        assert "(published)" not in repr(panel), panel.title


def test_published_tables() -> None:
    assert quoted.table("pass@1")["GPT-5.1"]["miplib-nl"] == 0.3905
    assert quoted.table("pass@8")["OptMATH-Qwen2.5-32B"]["nl4opt"] == 0.3224
    assert quoted.table("execution error")["ORLM-LlaMa3-8B"]["complexor"] == 1.0
    for name in quoted.TABLES:
        rows = quoted.table(name)
        assert len(rows) == 15 and all(len(row) == 11 for row in rows.values())
        for dataset, average in rows[quoted.AVERAGE].items():
            models = [row[dataset] for model, row in rows.items() if model != quoted.AVERAGE]
            assert sum(models) / 14 == pytest.approx(average, abs=6e-3)
    assert len(BENCHMARK.published()) == 14
    assert sum(quoted.SECTION_4_4.values()) == pytest.approx(1)


def test_settings_in_words() -> None:
    usual = {"dataset": "bench4opt@valid-423"}
    assert BENCHMARK.setting(usual) == "bench4opt"
    assert BENCHMARK.setting({**usual, "repair": 2, "time_limit": 600.0}) == (
        "bench4opt, up to 2 repairs, 600 s"
    )
