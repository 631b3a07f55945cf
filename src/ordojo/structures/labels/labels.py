"""All labels of a model: of its rows, of the families that these are, of its groups.

Rows have one of the 17 semantic types of paper 003's table 4 and one of the 17 classes of MIPLIB.
Both are lists of tests in a fixed order, of which the first that holds of a row names it: the
semantic types in the order of decision record 12, the classes as SCIP reads them. Groups have
integrality and bounds (types 1, 5 and 17).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.core.words import aligned
from ordojo.formulation.vocabulary import Scaffold, Semantic, name
from ordojo.milp.tolerances import SAME
from ordojo.structures.abstraction import Abstraction
from ordojo.structures.flat import INTEGER, SEMICONTINUOUS, Flat, Ints, Mask
from ordojo.structures.labels import scaffolds
from ordojo.structures.labels.applications import Application, rank
from ordojo.structures.labels.view import (
    FamilyBlock,
    FamilyLabel,
    LabelView,
    Rows,
    columns_binary,
    near,
)

BIG = 10.0
"""How many times all others a coefficient must be to count as a big M where bounds are infinite.

With 3 one of 733 families changes its type, with 100 three: modellers' M are a thousand and more,
and a capacity beside unit demands is not to count as one.
"""
S = Semantic
Told = tuple[Semantic, str, Mask]
"""A type, why a row has it, and which rows do where nothing before says otherwise."""


def decide(rows: Rows) -> tuple[list[tuple[Semantic, str]], NDArray[np.uint8]]:
    """The rules in their order, and the place in them of the first that fits each row."""
    b, count, equal = rows.b, rows.count, rows.equal
    plus, minus = rows.positive, rows.negative
    scale = np.maximum(rows.size[1], 1e-300)
    finite = np.where(np.isfinite(b), b, 0.0)
    k = finite / scale
    logic = rows.every(rows.binary) & rows.alike
    mixed = (plus > 0) & (minus > 0)
    home = np.abs(finite) <= SAME * scale

    one = count == 1
    clause = near(k, plus - 1.0) | ((minus == 1) & home)
    single_small = _alone(rows, rows.value > 0, plus)
    single_large = _alone(rows, rows.value < 0, minus)
    low = np.where(mixed, rows.flipped, minus > 0)
    told: list[Told] = [
        (S.INDICATOR, "the file states it as an indicator constraint", indicated(rows.flat)),
        (S.DOMAIN, "no entry or no side", (count == 0) | ~np.isfinite(b)),
        (S.EQUALITY, "one variable is fixed", one & equal),
        (S.UPPER_BOUND, "one variable has a highest value", one & (plus == 1)),
        (S.LOWER_BOUND, "one variable has a lowest value", one),
        (S.EXACTLY_ONE, "binaries with equal coefficients sum to one",
         equal & logic & ~mixed & near(np.abs(k), 1.0)),
        (S.EQUALITY, "both sides are equal", equal),
        (S.AT_MOST_ONE, "binaries with equal coefficients sum to at most one",
         logic & (minus == 0) & near(k, 1.0)),
        (S.AT_LEAST_ONE, "binaries with equal coefficients sum to at least one",
         logic & (plus == 0) & near(k, -1.0)),
        (S.IMPLICATION, "binaries: if those on the left are on, one on the right is",
         logic & mixed & clause),
        *_gates(rows, home, mixed),
        (S.INDICATOR, "a binary at its slack value makes the row redundant (big M)",
         _big_m(rows, finite)),
        (S.COMPARISON, "two variables against each other", mixed & (count == 2)),
        (S.UPPER_PROPORTION, "one variable is at most a share of a sum",
         home & mixed & single_small),
        (S.LOWER_PROPORTION, "one variable is at least a share of a sum",
         home & mixed & single_large),
        (S.UPPER_SUM, "a sum with equal coefficients, at most", rows.alike & ~mixed & ~low),
        (S.LOWER_SUM, "a sum with equal coefficients, at least", rows.alike & ~mixed),
        (S.UPPER_WEIGHTED_SUM, "a weighted sum, at most", ~low),
        (S.LOWER_WEIGHTED_SUM, "a weighted sum, at least", low),
    ]  # fmt: skip
    tests = [test for _, _, test in told]
    chosen = np.select(tests, range(len(tests)), len(tests) - 1).astype(np.uint8)
    return [(semantic, why) for semantic, why, _ in told], chosen


def _gates(rows: Rows, home: Mask, mixed: Mask) -> list[Told]:
    """Right-hand side 0, a binary on one side, non-negative columns on the other."""
    plus, minus, value = rows.positive, rows.negative, rows.value
    flat = rows.flat
    gate = home & mixed & rows.every(flat.lower[rows.col] >= 0)
    right = gate & (minus == 1) & (rows.total(rows.binary & (value < 0)) == 1)
    left = gate & (plus == 1) & (rows.total(rows.binary & (value > 0)) == 1)
    level = -rows.least(value, 0.0)
    reach = rows.activity + 0.0
    # The gate itself adds its lower bound, 0, to the activity: what remains is the sum's reach.
    loose = right & (reach <= level * (1 + SAME))
    top, weakest = rows.most(value, 0.0), -rows.most(np.where(value < 0, value, -np.inf), -np.inf)
    any_one = left & (rows.total(rows.binary) == rows.count) & (weakest >= top * (1 - SAME))
    modules = gate & (plus == 1) & (rows.total(rows.binary & (value < 0)) == minus)
    return [
        (S.IMPLICATION, "a variable is 0 unless its binary is on", right & (plus == 1)),
        (S.IMPLICATION, "a sum is 0 unless the binary is on, which does not bind it then", loose),
        (S.INDICATOR, "a sum is limited while a binary is on, and 0 while it is off", right),
        (S.IMPLICATION, "a variable has a lowest value while its binary is on",
         left & (minus == 1)),
        (S.IMPLICATION, "a binary needs one of several others", any_one),
        (S.INDICATOR, "a sum has a lowest value while a binary is on", left),
        (S.IMPLICATION, "a variable is 0 unless one of its binaries is on", modules),
    ]  # fmt: skip


def _big_m(rows: Rows, b: NDArray[np.float64]) -> Mask:
    """Rows with binaries beside other columns, each of which can switch the row off."""
    gates = rows.total(rows.binary)
    size = np.abs(rows.value)
    other = rows.most(np.where(rows.binary, 0.0, size), 0.0)
    smallest = rows.least(np.where(rows.binary, size, np.inf), np.inf)
    candidate = (gates > 0) & (gates < rows.count)
    spare = rows.activity - b
    bounded = np.isfinite(spare) & (spare > 0) & (smallest * (1 + SAME) >= spare)
    # Where bounds are infinite: the side in force is small beside the M that switches it off.
    pull = np.bincount(rows.row, np.where(rows.binary, np.maximum(rows.value, 0.0), 0.0), len(b))
    force = np.abs(b - pull)
    large = ~np.isfinite(spare) & (gates <= 2) & (smallest >= BIG * other)
    return candidate & (bounded | (large & (force <= smallest / 2)))


def _alone(rows: Rows, which: Mask, count: Ints) -> Mask:
    """Rows with one entry in `which` beside two or more others of one size."""
    size = np.abs(rows.value)
    small = rows.least(np.where(which, np.inf, size), np.inf)
    large = rows.most(np.where(which, -np.inf, size), -np.inf)
    return np.asarray((count == 1) & (rows.count > 2) & (large - small <= SAME * np.abs(large)))


def indicated(flat: Flat) -> Mask:
    """Rows that the file's INDICATORS section names."""
    found = np.zeros(flat.m, bool)
    names: dict[bytes, int] = {}
    for section in flat.sections:
        head, *lines = section.split(b"\n")
        if not head.startswith(b"INDICATORS"):
            continue
        names = names or {name: row for row, name in enumerate(flat.rows.to_list())}
        for line in lines:
            words = line.split()
            if len(words) > 1 and words[0] == b"IF" and words[1] in names:
                found[names[words[1]]] = True
    return found


CLASSES = (
    *("empty", "free", "singleton", "aggregation", "precedence", "variable bound"),
    *("set partitioning", "set packing", "set covering", "cardinality", "invariant knapsack"),
    *("equation knapsack", "bin packing", "knapsack", "integer knapsack"),
    *("mixed binary", "general linear"),
)
"""In the order in which they are tried."""


def classify(rows: Rows) -> NDArray[np.uint8]:
    """The place in CLASSES of each row; of a row with two sides, by its upper one.

    As in SCIP: binaries with negative coefficients are complemented, a set packing may have any
    common coefficient, a knapsack whole ones, and a row `>=` is no knapsack.
    """
    low, up = rows.flat.row_bounds
    count, value, row = rows.count, rows.value, rows.row
    upper = np.isfinite(up) & ~rows.equal
    lower_only = np.isfinite(low) & ~np.isfinite(up)
    sign = np.where(rows.flipped, -1.0, 1.0)
    own = value * sign[row]
    negative = rows.total(own < 0)
    side = np.where(lower_only, low, up)

    binary = rows.every(rows.binary)
    scale = np.maximum(rows.size[1], 1e-300)
    unit = binary & rows.alike
    free = ~np.isfinite(side)
    sets = np.where(free, 0.0, side) / scale + negative
    one, natural = near(sets, 1.0), (sets >= 0) & near(sets, np.round(sets))

    whole = rows.every(near(value, np.round(value)))
    complemented = np.where(free, 0.0, side) - np.bincount(
        row, np.minimum(own, 0.0), minlength=len(count)
    )
    knapsack = binary & whole & (complemented >= 0)
    knapsack &= near(complemented, np.round(complemented))
    fits = rows.total(near(np.abs(value), complemented[row])) > 0

    kind = np.where(rows.binary, 2.0, np.where(rows.whole, 1.0, 0.0))
    first, last = _ends(rows)
    pair = count == 2
    opposite = pair & near(first, -last) & (rows.least(kind, 0.0) == rows.most(kind, 0.0))
    integer = rows.every(rows.whole) & whole & (negative == 0) & (side >= 0)
    integer &= near(side, np.round(np.where(free, 0.0, side)))
    tests = (
        count == 0,
        free,
        count == 1,
        pair & rows.equal,
        opposite,
        pair & (rows.total(rows.binary) > 0),
        unit & rows.equal & one,
        unit & upper & one,
        unit & lower_only & one,
        unit & rows.equal & natural,
        unit & upper & natural,
        knapsack & rows.equal,
        knapsack & upper & fits,
        knapsack & upper,
        integer & upper,
        rows.every(rows.binary | ~rows.whole),
    )
    return np.select(tests, range(len(tests)), len(tests)).astype(np.uint8)


def _ends(rows: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The first and last coefficient of each row; 0 for an empty one."""
    found = []
    for place in (rows.start[:-1], rows.start[1:] - 1):
        ends = np.zeros(len(rows.count))
        used = rows.count > 0
        ends[used] = rows.value[place[used]]
        found.append(ends)
    return found[0], found[1]


@dataclass(frozen=True)
class GroupLabel:
    """A group's labels, each with its evidence; none for plain non-negative columns."""

    group: int
    size: int
    semantics: tuple[tuple[Semantic, str], ...]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; types by their names in lower case."""
        return asdict(self) | {"semantics": [[name(one), why] for one, why in self.semantics]}


def domains(view: LabelView) -> tuple[GroupLabel, ...]:
    """The labels of all groups."""
    flat, found = view.flat, []
    binary, whole = columns_binary(flat), flat.types == INTEGER
    for group, members in enumerate(view.groups.items):
        labels: list[tuple[Semantic, str]] = []
        for kind, which in (
            ("binary", binary),
            ("integer", whole & ~binary),
            ("semicontinuous or semi-integer", flat.types >= SEMICONTINUOUS),
        ):
            if which[members].any():
                labels.append((Semantic.DOMAIN, f"{_share(which[members])} are {kind}"))
        own = members[~binary[members]]
        upper = np.isfinite(flat.upper[own])
        lower = (flat.lower[own] != 0) & np.isfinite(flat.lower[own])
        if upper.any():
            labels.append((Semantic.UPPER_BOUND, f"{_share(upper)} have a highest value"))
        if lower.any():
            labels.append((Semantic.LOWER_BOUND, f"{_share(lower)} have a lowest value but 0"))
        free = ~np.isfinite(flat.lower[own])
        if free.any():
            labels.append((Semantic.DOMAIN, f"{_share(free)} may be negative without limit"))
        found.append(GroupLabel(group, len(members), tuple(labels)))
    return tuple(found)


def _share(which: Any) -> str:
    count = int(which.sum())
    return "all" if count == len(which) else f"{count} of {len(which)}"


MOST = 0.95
"""The share of a family's rows that a definition or a ratio must hold for; the first period's may
differ. With 0.8 six of 733 families change, with 1 one."""
RATIOS = {
    Semantic.UPPER_WEIGHTED_SUM: Semantic.UPPER_PROPORTION,
    Semantic.LOWER_WEIGHTED_SUM: Semantic.LOWER_PROPORTION,
}


@dataclass(frozen=True)
class Labels:
    """All labels of a model; `classes` counts the MIPLIB classes of all rows."""

    families: tuple[FamilyLabel, ...]
    groups: tuple[GroupLabel, ...]
    applications: tuple[Application, ...]
    classes: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "families": [label.to_json() for label in self.families],
            "groups": [label.to_json() for label in self.groups],
            "applications": [label.to_json() for label in self.applications],
            "classes": self.classes,
        }


def label(flat: Flat, abstraction: Abstraction) -> Labels:
    """Label every family and group of an abstraction, and guess the application."""
    view = LabelView(flat, abstraction)
    rules, chosen = decide(view.rows)
    classes = classify(view.rows)
    families = []
    stepped: set[int] = set()
    defining: dict[int, int] = {}
    for f, members in enumerate(view.families.items):
        blocks = list(view.blocks(f))
        semantic, why, defined = _semantic(view.rows, members, blocks, rules, chosen[members])
        scaffold, how, mine = scaffolds.decide(len(members), blocks)
        if scaffold == Scaffold.COUPLED:
            stepped |= mine
        if defined is not None and scaffold == Scaffold.SINGLE_LOOP:
            defining[f] = defined.group
        counts = _counts(classes[members])
        families.append(
            FamilyLabel(f, len(members), semantic, why, scaffold, how, next(iter(counts)), counts)
        )
    for f, group in defining.items():
        if group in stepped:
            how = "defines a group that another family couples"
            families[f] = replace(families[f], scaffold=Scaffold.COUPLED, how=how)
    return Labels(tuple(families), domains(view), rank(view, families), _counts(classes))


def _counts(classes: Any) -> dict[str, int]:
    """How many rows each class has, the commonest first."""
    counts = np.bincount(classes, minlength=len(CLASSES))
    order = np.argsort(-counts, kind="stable").tolist()
    return {CLASSES[k]: int(counts[k]) for k in order if counts[k]}


def _semantic(
    rows: Rows,
    members: Ints,
    blocks: Sequence[FamilyBlock],
    rules: Sequence[tuple[Semantic, str]],
    chosen: Any,
) -> tuple[Semantic, str, FamilyBlock | None]:
    """The type of most of a family's rows, why, and what it defines, if anything.

    Definitions and ratios show in the family alone.
    """
    by_type: Counter[Semantic] = Counter()
    by_rule = np.bincount(chosen, minlength=len(rules))
    for (kind, _), count in zip(rules, by_rule.tolist(), strict=True):
        by_type[kind] += count
    semantic = max(by_type, key=lambda key: (by_type[key], -key))
    best = max(range(len(rules)), key=lambda k: (rules[k][0] == semantic, by_rule[k], -k))
    why = rules[best][1]
    defined: FamilyBlock | None = None
    if semantic == Semantic.EQUALITY and _home(rows, members):
        defined = _defined(len(members), blocks)
        if defined is not None:
            semantic, why = Semantic.AGGREGATION, "each row defines one variable by the others"
    elif semantic in RATIOS and len(blocks) == 1 and _home(rows, members):
        value = blocks[0].value
        if (value > 0).any() and (value < 0).any() and len(np.unique(np.abs(value))) > 1:
            semantic, why = RATIOS[semantic], "shares of one group against each other"
    share = by_type.get(semantic, by_type.get(Semantic.EQUALITY, 0)) / len(members)
    if 0 < share <= 0.995:
        why += f", in {share:.0%} of its rows"
    return semantic, why, defined


def _home(rows: Rows, members: Ints) -> bool:
    """Whether nearly all right-hand sides are 0."""
    b = rows.b[members]
    return float((np.abs(b) <= SAME * rows.size[1][members]).mean()) >= MOST


def _defined(size: int, blocks: Sequence[FamilyBlock]) -> FamilyBlock | None:
    """The block whose columns are defined, one a row; None for balances.

    Of those most columns leave one row and enter another, as flows and stocks do.
    """
    if any(block.through.sum() > 0.5 * (block.per_col > 0).sum() for block in blocks):
        return None
    for block in blocks:
        once = float((block.per_row == 1).mean()) >= MOST and int(block.per_col.max()) == 1
        unit = bool((np.abs(block.value) == 1).all())
        others = [other for other in blocks if other is not block]
        entries = sum(len(other.row) for other in others)
        copied = entries == size and all(
            np.unique(np.abs(other.value)).tolist() == np.unique(np.abs(block.value)).tolist()
            for other in others
        )
        if once and unit and others and entries and not copied:
            return block
    return None


def show(labels: Labels, names: Sequence[str]) -> str:
    """A table of the families by `names`, in their order, and the classes that it resembles."""
    rows = [("family", "rows", "semantic type", "scaffold", "MIPLIB class")]
    rows += [
        (given, str(one.size), name(one.semantic), name(one.scaffold), one.miplib)
        for given, one in zip(names, labels.families, strict=True)
    ]
    guesses = [f"  {one.sub} ({one.major}): {one.evidence}" for one in labels.applications]
    return "\n".join(
        [aligned(rows), "resembles, by single traits and the most alike first:", *guesses]
    )
