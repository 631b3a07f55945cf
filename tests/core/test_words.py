"""Numbers with their nouns, and lists."""

import pytest

from ordojo.core.words import amount, joined


@pytest.mark.parametrize(
    ("count", "noun", "says"),
    [
        (0, "row", "0 rows"),
        (1, "row", "1 row"),
        (2000, "row", "2,000 rows"),
        (1, "family", "1 family"),
        (2, "family", "2 families"),
    ],
)
def test_a_number_has_its_noun(count: int, noun: str, says: str) -> None:
    assert amount(count, noun) == says


def test_what_is_irregular_or_a_list() -> None:
    assert (
        amount(2, "index", "indices") == "2 indices"
        and amount(1, "index", "indices")[2:] == "index"
    )
    assert [joined("abc"[:k]) for k in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
