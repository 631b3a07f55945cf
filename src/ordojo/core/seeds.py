"""Random generators that depend on (seed, split, index) and on nothing else."""

import zlib

import numpy as np


def episode_seed(seed: int, sample: int) -> int:
    """The seed of an environment's episode: the run's own for sample 1, another for each after it.

    What an environment draws is then not the same in every sample of an instance.
    """
    return seed if sample == 1 else int(generator(seed, "episode", sample).integers(2**63))


def generator(seed: int, split: str, index: int) -> np.random.Generator:
    """Make the generator of item `index` of `split` under `seed`.

    Spawned through `SeedSequence([seed, split, index])`, so adjacent seeds and indices share no
    stream (with `Random(seed + index)` seeds 42 and 43 would share 99 of 100 items).
    """
    name = zlib.crc32(split.encode("utf-8", "surrogatepass"))
    return np.random.default_rng(np.random.SeedSequence([seed & (2**64 - 1), name, index]))
