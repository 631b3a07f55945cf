"""Generators of neighbours have nothing in common."""

from itertools import product

import pytest

from ordojo.core.seeds import generator

SEEDS = [*range(12), 42, 43, 100, 101, -1, -2, 2**32 - 1, 2**32, 2**63, 2**64 - 3]
SPLITS = ["", "a", "b", "train", "test", "val", "orqa/examples", "orqa/permute", "ünï", "\ud800"]


def test_neighbouring_seeds_splits_and_indices_share_no_draw() -> None:
    places = list(product(SEEDS, SPLITS, range(12)))
    first = [int(generator(*place).integers(2**63)) for place in places]
    assert len(set(first)) == len(places)
    small = [
        {int(x) for x in generator(*place).integers(2**63, size=50)}
        for place in product((41, 42, 43), ("test", "train"), range(10))
    ]
    assert len(set().union(*small)) == 50 * len(small)


def test_the_same_place_gives_the_same_stream() -> None:
    one, again = (generator(7, "test", 3).random(5).tolist() for _ in range(2))
    assert one == again


def test_streams_stay_as_they_are() -> None:
    # Runs that were kept can be repeated only while these numbers hold.
    raw = generator(0, "test", 0).bit_generator.random_raw(2)  # type: ignore[attr-defined]
    assert raw.tolist() == [9573836717653885019, 9367658651262974418]


@pytest.mark.parametrize("seed", [-(2**63), 2**64 - 1, 0])
def test_any_seed_of_a_machine_word_will_do(seed: int) -> None:
    assert 0 <= generator(seed, "test", 0).random() < 1
