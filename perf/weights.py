"""Fit the bits of a description's parts: `python -m perf.weights SOURCE...`.

A source is a folder of models with `truth/NAME.npz`, as in `grouping.py`; the library of problems
is one more. The weights are those under which the modellers' partitions are likeliest among all
that the search passes and those one change away, a partition's likelihood being the exponential of
minus its bits (a conditional log-linear model; each source counts the same). Then each source is
scored with weights fitted on the others: that is what to expect of models that nobody has seen. All
models are without names and shuffled.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click
import numpy as np
from scipy.optimize import minimize

from ordojo.structures import read_mps
from ordojo.structures.arrays import numbered
from ordojo.structures.flat import Flat, Floats, Ints, flat_model
from ordojo.structures.grouping.choose import SEARCHED
from ordojo.structures.grouping.description import (
    FINE,
    PARTS,
    WEIGHTS,
    PartitionSearch,
    State,
    Which,
    sides,
    unnamed,
)
from perf.problems import sample
from perf.score import nameless, relation, shuffled

FREE = ("lone", "term", "full", "key", "repeated")
"""Parts that may also save bits; all others cost."""
RIDGE = 0.01
"""Pull of each weight towards one bit. With 0.001 sources left out have 3% fewer families."""
NEIGHBOURS, ROUNDS = 50, 2
"""Changes of each true partition that are compared, and turns of fitting and searching."""


@dataclass
class Case:
    """A model of a source, its true partition's parts, and those of others."""

    source: str
    flat: Flat
    truth: dict[Which, Ints]
    parts: Ints
    others: dict[bytes, Ints] = field(default_factory=dict)

    def search(self, weights: Floats) -> PartitionSearch:
        """A search that knows nothing but the numbers."""
        free: dict[Which, np.ndarray] = {side: kept == kept for side, kept in self.truth.items()}
        return PartitionSearch(self.flat, unnamed(self.flat), free, weights)

    def found(self, weights: Floats) -> tuple[bool, bool]:
        """Whether groups and families are the truth; what the search passed is kept in `others`."""
        search = self.search(weights)
        start: dict[Which, Ints] = {k: numbered(kinds) for k, kinds in search.fixed.items()}
        last = search.run(State(sides(self.flat), start))
        self.keep(state.parts() for state in search.states)
        same = [relation(last.labels[side], kept) == "same" for side, kept in self.truth.items()]
        return same[0], same[1]

    def keep(self, parts: Iterable[Ints]) -> None:
        """Add parts of partitions other than the truth."""
        self.others |= {one.tobytes(): one for one in parts if (one != self.parts).any()}


def case(source: str, flat: Flat, groups: Ints, families: Ints) -> Case:
    """A model without names, shuffled; types and senses are apart in its truth too."""
    flat, cols, rows = shuffled(nameless(flat), 1)
    kinds = unnamed(flat)
    truth: dict[Which, Ints] = {
        "cols": numbered(groups[cols] * 64 + kinds["cols"]),
        "rows": numbered(families[rows] * 1024 + kinds["rows"]),
    }
    state = State(sides(flat), truth)
    made = Case(source, flat, truth, state.parts())
    changes = list(made.search(np.ones(len(PARTS))).changes(state))
    step = max(1, len(changes) // NEIGHBOURS)
    made.keep(state.after(*change) for change in changes[::step])
    return made


def cases(folders: Iterable[Path], count: int) -> Iterator[Case]:
    """Of the library of problems `count` models of each size, and all of the folders that fit."""
    for size in ("small", "medium"):
        for built in sample(count, size, 7):
            flat = flat_model(built.model)
            yield case("problems", flat, np.asarray(built.groups), np.asarray(built.families))
    for folder in folders:
        for path in sorted((folder / "truth").glob("*.npz")):
            flat = read_mps(folder / f"{path.stem}.mps.xz")
            with np.load(path) as truth:
                groups, families = truth["column_group"], truth["row_group"]
            if 0 < flat.nonzeros <= SEARCHED and len(families) == flat.m:
                yield case(folder.name, flat, groups.astype(np.int64), families.astype(np.int64))


def fitted(found: list[Case]) -> Floats:
    """The likeliest weights; none below zero but those of `FREE`."""
    found = [one for one in found if one.others]
    gaps = [(np.array(list(one.others.values())) - one.parts) / FINE for one in found]
    sources = [one.source for one in found]
    share = np.array([1 / sources.count(one) / len(set(sources)) for one in sources])
    begin = np.cumsum([0, *map(len, gaps)])[:-1]
    own, gap = np.repeat(np.arange(len(gaps)), list(map(len, gaps))), np.concatenate(gaps)

    def loss(weights: Floats) -> tuple[float, Floats]:
        score = -(gap @ weights)
        top = np.maximum(np.maximum.reduceat(score, begin), 0)
        chance = np.exp(score - top[own])
        total = np.add.reduceat(chance, begin) + np.exp(-top)
        pull = weights - 1
        value = share @ (np.log(total) + top) + RIDGE * (pull @ pull)
        return value, -(gap.T @ (share[own] * chance / total[own])) + 2 * RIDGE * pull

    bounds = [(None if part in FREE else 0, None) for part in PARTS]
    return np.asarray(minimize(loss, np.ones(len(PARTS)), jac=True, bounds=bounds).x)


@click.command()
@click.argument("folders", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--n", "count", type=click.IntRange(0), default=36, help="Problems of each size.")
def main(folders: tuple[Path, ...], count: int) -> None:
    """Fit the weights on all sources, and say what each source gets with those of the others."""
    found = list(cases(folders, count))
    for _ in range(ROUNDS):
        weights = fitted(found)
        for one in found:
            one.found(weights)
    for source in sorted({one.source for one in found}):
        other = fitted([one for one in found if one.source != source])
        same = np.mean([one.found(other) for one in found if one.source == source], axis=0)
        click.echo(f"{source:12s} without it: groups {same[0]:.0%}, families {same[1]:.0%}")
    weights = fitted(found)
    for part, bits, now in zip(PARTS, weights, WEIGHTS.values(), strict=True):
        click.echo(f"{part:16s} {bits:6.2f} bits, now {now:.2f}")
    same = np.mean([one.found(np.round(weights, 2)) for one in found], axis=0)
    click.echo(f"all {len(found)}: groups {same[0]:.0%}, families {same[1]:.0%}")


if __name__ == "__main__":
    main()
