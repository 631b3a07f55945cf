"""What the abstraction recovers of a template: groups, families and labels, against the truth."""

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import click
import numpy as np

from ordojo.formulation.build import Built, build
from ordojo.milp.files import write_model
from ordojo.problems.registry import NAMES, get_template
from ordojo.structures import abstract, partition, read_mps
from ordojo.structures.flat import Flat, Ints
from ordojo.structures.labels import Scaffold, Semantic, label, name
from perf.score import adjusted_rand, nameless, relation

CONDITIONS = ("names", "no names")


@dataclass(frozen=True)
class FamilyFound:
    """A family's true labels and those found: (truth, found)."""

    family: str
    semantic: tuple[Semantic, Semantic]
    scaffold: tuple[Scaffold, Scaffold]


@dataclass(frozen=True)
class Recovery:
    """One instance under one condition: how the partition lies to the truth, with its index."""

    instance: str
    condition: str
    groups: str
    groups_index: float
    families: str
    families_index: float
    labels: tuple[FamilyFound, ...]


def recover(built: Built, condition: str = "names") -> Recovery:
    """Write the model as an MPS file, abstract what is read, and compare with the truth.

    Without names, columns and rows are numbered instead. A true family that lies in several found
    ones has the label of most of its rows.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.mps"
        write_model(built.model, path)
        flat = read_mps(path)
    return compare(flat if condition == "names" else nameless(flat), built, condition)


def compare(flat: Flat, built: Built, condition: str) -> Recovery:
    """The abstraction of a flat model against the truth of the model it is of."""
    chosen = partition(flat)
    labels = label(flat, abstract(flat, chosen))
    rows: Ints = chosen.families
    found = []
    for number, family in enumerate(built.spec.families):
        mine = rows[built.families == number]
        if not len(mine):
            continue
        semantics = Counter(labels.families[k].semantic for k in mine.tolist())
        scaffolds = Counter(labels.families[k].scaffold for k in mine.tolist())
        found.append(
            FamilyFound(
                family.name,
                (family.semantic, semantics.most_common(1)[0][0]),
                (family.scaffold, scaffolds.most_common(1)[0][0]),
            )
        )
    return Recovery(
        built.model.name,
        condition,
        relation(chosen.groups, built.groups),
        adjusted_rand(chosen.groups, built.groups),
        relation(rows, built.families),
        adjusted_rand(rows, built.families),
        tuple(found),
    )


def sample(count: int, size: str = "small", seed: int = 1) -> list[Built]:
    """Models of all templates in turn, not solved."""
    found = []
    for number in range(count):
        index, place = divmod(number, len(NAMES))
        template = get_template(NAMES[place])
        tables = template.tables(template.settings(size), seed, index)
        found.append(build(template.spec, tables, f"{template.name}-{size}-{index}"))
    return found


def recovery_table(found: Sequence[Recovery]) -> str:
    """A line for each instance, then how many labels agree, and the confusion tables."""
    lines = [f"{'instance':34s} {'condition':9s} groups     ARI   families   ARI   labels"]
    for one in found:
        right = sum(len(set(part.semantic)) + len(set(part.scaffold)) == 2 for part in one.labels)
        lines.append(
            f"{one.instance:34s} {one.condition:9s} {one.groups:8s} {one.groups_index:5.2f}   "
            f"{one.families:8s} {one.families_index:5.2f}   {right}/{len(one.labels)}"
        )
    for condition in dict.fromkeys(one.condition for one in found):
        mine = [one for one in found if one.condition == condition]
        parts = [part for one in mine for part in one.labels]
        same = [
            sum(getattr(one, side) == "same" for one in mine) for side in ("groups", "families")
        ]
        lines += [
            "",
            f"{condition}: groups the same in {same[0]} of {len(mine)} instances, "
            f"families in {same[1]}",
            *_confusion("semantic type", [part.semantic for part in parts]),
            *_confusion("scaffold", [part.scaffold for part in parts]),
        ]
    return "\n".join(lines)


def agreement(pairs: Sequence[tuple[IntEnum, IntEnum]]) -> float:
    """The share of pairs (truth, found) that agree."""
    return float(np.mean([truth == found for truth, found in pairs]))


def _confusion(
    what: str, pairs: Sequence[tuple[Semantic, Semantic]] | Sequence[tuple[Scaffold, Scaffold]]
) -> list[str]:
    """True labels down, found ones across; only those that occur."""
    across = sorted({found for _, found in pairs} | {truth for truth, _ in pairs})
    counts = Counter((int(truth), int(found)) for truth, found in pairs)
    lines = [
        "",
        f"{what}: {agreement(pairs):.0%} of {len(pairs)} families "
        f"(truth down, found across, by number)",
        " " * 22 + "".join(f"{int(key):4d}" for key in across),
    ]
    for truth in across:
        cells = "".join(f"{counts[int(truth), int(key)] or '.':>4}" for key in across)
        lines.append(f"{int(truth):2d} {name(truth):19s}{cells}")
    return lines


@click.command()
@click.option("--n", "count", type=click.IntRange(1), default=20, show_default=True)
@click.option("--size", type=click.Choice(["small", "medium", "large"]), default="small")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def main(count: int, size: str, seed: int) -> None:
    """What the abstraction recovers of generated models: groups, families, labels."""
    built = sample(count, size, seed)
    click.echo(recovery_table([recover(one, how) for how in CONDITIONS for one in built]))


if __name__ == "__main__":
    main()
