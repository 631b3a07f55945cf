import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.core.statistics import Estimate
from ordojo.reports.text import (
    clean,
    finite,
    interval,
    number,
    p_value,
    packed_script,
    script,
    short_difference,
    signed,
    slugs,
)

from .fakes import unpacked

any_text = st.text(st.characters(exclude_categories=()))  # lone surrogates too
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | any_text,
    lambda inner: st.lists(inner) | st.dictionaries(any_text, inner),
    max_leaves=8,
)


@given(any_text)
def test_clean_text_can_be_written_and_hides_nothing(text):
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert len(cleaned) == len(text)
    assert not set(cleaned) & set("\x00\x1b\x9b\u202e\u2066\u200f\u2028\ufeff")
    assert clean(cleaned) == cleaned


def test_clean_shows_controls_as_pictures_and_keeps_tabs_and_newlines():
    assert clean("a\x1b[0m\tb\n") == "a␛[0m\tb\n"
    assert clean("\u202eabc\ud800") == "\ufffdabc\ufffd"


@given(any_json)
def test_script_data_is_ascii_cannot_end_its_element_and_survives(value):
    text = script("chunk/0", value)
    text.encode("ascii")
    assert "<" not in text
    literal = re.fullmatch(r'\(self.*\)\["chunk/0"\]=JSON\.parse\((".*")\);\n', text)
    assert literal is not None
    found = json.loads(json.loads(literal.group(1)))
    assert found == json.loads(json.dumps(finite(value)))
    assert unpacked(packed_script("chunk/0", value)) == found


def test_script_turns_nan_into_null():
    assert "NaN" not in script("k", {"a": math.nan, "b": [math.inf]})


@given(st.lists(any_text, unique=True))
def test_slugs_are_distinct_file_names(names):
    found = slugs(names)
    assert len({slug.lower() for slug in found.values()}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,90}", s) for s in found.values())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (math.nan, "–"),
        (None, "–"),
        (0.6237, "0.624"),
        (-0.0001, "0.000"),
        (-0.5, "−0.500"),
        (12.345, "12.35"),
        (12345.6, "12,345.6"),
        (1468, "1,468"),
        (math.inf, "∞"),
        (True, "yes"),
    ],
)
def test_numbers_read_well(value, text):
    assert number(value) == text


def test_small_formats():
    assert signed(0.25) == "+0.250"
    assert signed(-0.25) == "−0.250"
    assert signed(0.0) == "0.000"
    assert signed(math.nan) == "–"
    assert short_difference(0.5) == "+.50"
    assert short_difference(-1.0) == "−1.00"
    assert short_difference(0.001) == "0"
    assert p_value(0.0004) == "< 0.001"
    assert p_value(math.nan) == "–"
    assert interval(Estimate(0.5, 0.4, 0.6, 9, 9)) == "0.400–0.600"
    assert interval(Estimate(0.0, -0.1, 0.1, 9, 9)) == "−0.100 to 0.100"
    assert interval(Estimate(0.5, math.nan, math.nan, 0, 0)) == "–"
