import math
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.core.panels import Bars, Heatmap, Plot, Series, Table
from ordojo.core.statistics import NOTHING, Estimate
from ordojo.reports.charts import colour
from ordojo.reports.charts.glyph import interval_glyph, strip
from ordojo.reports.charts.plot import DENSE, Scale, tag, ticks
from ordojo.reports.panels import draw

from .fakes import lookup, some_runs

text = st.text(st.characters(exclude_categories=()), max_size=20)
value = st.floats(0, 1) | st.just(math.nan)


def wellformed(markup):
    return ElementTree.fromstring(f"<div>{markup}</div>")


@given(text, text)
def test_elements_escape_text_and_attributes(content, attribute):
    element = wellformed(tag("p", content, title=attribute))[0]
    assert element.tag == "p"
    assert len(element) == 0


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9))
def test_ticks_are_few_round_and_cover(low, width):
    found = ticks(low, low + width)
    assert 2 <= len(found) <= 12
    slack = 1e-6 * max(1, abs(low), width)
    assert found[0] <= low + slack
    assert found[-1] >= low + width - slack


def test_scale_clips_and_flips():
    assert Scale(0, 2).at(1) == 50
    assert Scale(0, 2).at(5) == 100
    assert Scale(0, 1, flip=True).pct(0.25) == "75%"
    assert Scale(3, 3).at(3) == 50


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("anchors", [colour.SEQUENTIAL, colour.DIVERGING])
def test_every_step_of_a_scale_is_legible(anchors, theme):
    for step in colour.steps(anchors[theme]):
        assert colour.contrast(step, colour.ink_on(step)) >= 4.5


@pytest.mark.parametrize(("theme", "order"), [("light", -1), ("dark", 1)])
def test_sequential_scale_grows_away_from_the_page_without_turning(theme, order):
    light = [colour.contrast(step, "#000000") for step in colour.steps(colour.SEQUENTIAL[theme])]
    assert light == sorted(light, reverse=order < 0)


def test_step_classes_are_sequential_or_diverging():
    assert colour.step_class(0, 0, 1) == "s0"
    assert colour.step_class(1, 0, 1) == "s20"
    assert colour.step_class(0, -0.2, 0.5) == "d10"
    assert colour.step_class(-0.5, -0.2, 0.5) == "d0"
    assert colour.step_class(1, 1, 1) == "s0"


@given(value, value, value, value)
def test_glyphs_are_wellformed_for_any_estimate(mean, low, high, chance):
    estimate = Estimate(mean, low, high, 3, 3)
    for kind in ("model", "baseline", "published"):
        wellformed(interval_glyph(estimate, kind=kind, chance=chance, label="<a & b>"))
    wellformed(strip([("model", "m", estimate)] * 3, (0, 1), chance, "all"))


@pytest.mark.parametrize("panel", lookup("fake-qa").panels(some_runs()), ids=lambda p: p.title)
def test_every_panel_is_wellformed_and_titled(panel):
    figure = wellformed(draw(panel))[0]
    assert figure.find("figcaption/h3").text == panel.title


def test_hostile_names_stay_text_in_every_panel():
    bad = "<script>alert(1)</script>\ud800\u202e"
    series = [Series(bad, [0.5])]
    for panel in (
        Table(bad, [bad], [[bad]], note=bad),
        Heatmap(bad, [bad], [bad], [[0.5]], note=bad),
        Bars(bad, [bad], series, bad, note=bad, reference=0.1, reference_label=bad),
        Bars(bad, [bad], series * 6),
        Plot(bad, bad, bad, [(bad, [(0.1, 0.2)])], note=bad),
    ):
        drawn = draw(panel)
        assert "<script" not in drawn
        drawn.encode("utf-8")
        wellformed(drawn)


def test_published_rows_are_marked():
    table = draw(Table("t", ["m", "s"], [["ours", 0.5], ["theirs", 0.6]], published=frozenset({1})))
    assert table.count("published</span>") == 1
    assert table.index("ours") < table.index("theirs") < table.index("published</span>")
    heat = draw(Heatmap("t", ["ours", "theirs"], ["c"], [[0.1], [0.2]], published=frozenset({1})))
    assert heat.count("published</span>") == 1


def test_what_is_not_measured_is_a_dash():
    drawn = draw(Table("t", ["a", "b", "c"], [["x", None, NOTHING]]))
    assert drawn.count("–") == 2
    assert "nan" not in drawn
    assert "nan" not in draw(Heatmap("t", ["r"], ["c", "d"], [[math.nan, None]]))


def test_many_points_are_seen_and_only_lines_hide_their_marks():
    many = [("m", [(x / 40, x / 40) for x in range(40)])]
    assert "dense" in (line := draw(Plot("t", "x", "y", many, kind="lines")))
    assert 10 < line.count('overflow="visible"') <= DENSE + 1
    assert "dense" not in draw(Plot("t", "x", "y", many))


def test_labels_of_points_do_not_collide():
    from ordojo.reports.charts.plot import labels

    crowd = [(f"model-{i}", (0.5 + i / 1000, 0.5)) for i in range(12)]
    placed = labels(crowd, Scale(0, 1), Scale(0, 1, flip=True))
    assert 1 <= len(placed) < 12
