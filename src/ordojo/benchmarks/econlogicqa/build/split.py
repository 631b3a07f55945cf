"""The seeded split, which keeps near-duplicates together."""

from collections.abc import Sequence

from ordojo.core.seeds import generator
from ordojo.datasets.duplicates import Grams, alike_pairs

SPLITS = ("train", "val", "test")


def related_groups(
    questions: Sequence[tuple[Grams, Grams]], likeness: float
) -> Sequence[Sequence[int]]:
    """Indices of questions in groups that are linked by a like article or a like question."""
    group = {index: [index] for index in range(len(questions))}
    for kind in (0, 1):
        for i, j in alike_pairs([question[kind] for question in questions], likeness):
            if group[i] is not group[j]:
                group[i] += group[j]
                for index in group[j]:
                    group[index] = group[i]
    return [sorted(members) for index, members in group.items() if index == min(members)]


def split(
    groups: Sequence[Sequence[int]], sizes: Sequence[float], seed: int
) -> dict[str, list[int]]:
    """Give whole groups to train, val and test in proportion to `sizes`; file order in each."""
    total = sum(len(group) for group in groups)
    room = dict(zip(SPLITS, (total * size / sum(sizes) for size in sizes), strict=True))
    found: dict[str, list[int]] = {name: [] for name in SPLITS}
    shuffled = generator(seed, "econlogicqa-split", 0).permutation(len(groups))
    # Large groups first: they fit into the fewest places.
    for index in sorted(shuffled, key=lambda i: -len(groups[i])):
        name = max(SPLITS, key=lambda split: room[split])
        found[name] += groups[index]
        room[name] -= len(groups[index])
    return {name: sorted(members) for name, members in found.items()}
