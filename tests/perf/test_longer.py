"""The table of the longer recipe: means over seeds, with the least and the most."""

from perf.longer import debugging, newsvendor, table

from tests import needs

pytestmark = needs("trl", "train")


def test_the_table_is_over_all_seeds() -> None:
    rows = [
        {
            "repair": {"SFT": {"n": 200, "RR@5": [value, 0.0, 1.0]}, "PRM": {"auc": value}},
            "order": {"curriculum": {"n": 600, "rational": [0.5, 0.4, 0.6], "change": None}},
        }
        for value in (0.6, 0.8)
    ]
    assert table(rows).splitlines() == [
        "SFT | RR@5 | 0.700 | 0.600 to 0.800",
        "PRM | auc | 0.700 | 0.600 to 0.800",
        "curriculum | rational | 0.500 | 0.500 to 0.500",
    ]


def test_what_is_held_out_is_not_learnt() -> None:
    learnt = {one.content_hash for one in debugging(2, 0).instances()}
    held = {one.content_hash for one in debugging(2, 1000, "eval").instances()}
    assert learnt.isdisjoint(held)
    taught = {one.content_hash for one in newsvendor(20, 0).instances()}
    asked = {one.content_hash for one in newsvendor(None, 2000, "eval").instances()}
    assert len(asked) == 600 and taught.isdisjoint(asked)
