"""Labels of variable groups: integrality and bounds (types 1, 5 and 17 of paper 003's table 4)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordojo.formulation.vocabulary import Scaffold, Semantic, name
from ordojo.structures.abstraction import Abstraction
from ordojo.structures.flat import Flat, Ints
from ordojo.structures.labels import row_types, scaffolds
from ordojo.structures.labels.applications import rank
from ordojo.structures.labels.view import (
    SAME,
    Application,
    FamilyBlock,
    FamilyLabel,
    LabelView,
    Rows,
    columns_binary,
    columns_semi,
    columns_whole,
)


@dataclass(frozen=True)
class GroupLabel:
    """A group's labels, each with its evidence; none for plain non-negative columns."""

    group: int
    size: int
    semantics: tuple[tuple[Semantic, str], ...]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; types by their names in lower case."""
        return {
            "group": self.group,
            "size": self.size,
            "semantics": [[name(semantic), why] for semantic, why in self.semantics],
        }


def domains(view: LabelView) -> tuple[GroupLabel, ...]:
    """The labels of all groups."""
    flat, found = view.flat, []
    binary, whole, semi = columns_binary(flat), columns_whole(flat), columns_semi(flat)
    for group, members in enumerate(view.groups.items):
        labels: list[tuple[Semantic, str]] = []
        for kind, which in (
            ("binary", binary),
            ("integer", whole & ~binary),
            ("semicontinuous or semi-integer", semi),
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
    rules, chosen = row_types.decide(view.rows)
    classes = row_types.classify(view.rows)
    families = []
    stepped: set[int] = set()
    defining: dict[int, int] = {}
    for f, members in enumerate(view.families.items):
        blocks = list(view.blocks(f))
        semantic, why, defined = _semantic(view.rows, members, blocks, rules, chosen[members])
        scaffold, how = scaffolds.decide(len(members), blocks)
        if scaffold == Scaffold.COUPLED:
            stepped |= scaffolds.stepped(len(members), blocks)
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
    counts = np.bincount(classes, minlength=len(row_types.CLASSES))
    order = np.argsort(-counts, kind="stable").tolist()
    return {row_types.CLASSES[k]: int(counts[k]) for k in order if counts[k]}


def _semantic(
    rows: Rows,
    members: Ints,
    blocks: Sequence[FamilyBlock],
    rules: Sequence[row_types.Rule],
    chosen: Any,
) -> tuple[Semantic, str, FamilyBlock | None]:
    """The type of most of a family's rows, why, and what it defines, if anything.

    Definitions and ratios show in the family alone.
    """
    by_type: dict[Semantic, int] = {}
    by_rule = np.bincount(chosen, minlength=len(rules))
    for rule, count in zip(rules, by_rule.tolist(), strict=True):
        by_type[rule.semantic] = by_type.get(rule.semantic, 0) + count
    semantic = max(by_type, key=lambda key: (by_type[key], -key))
    best = max(range(len(rules)), key=lambda k: (rules[k].semantic == semantic, by_rule[k], -k))
    why = rules[best].why
    defined: FamilyBlock | None = None
    if semantic == Semantic.EQUALITY and _home(rows, members):
        defined = _defined(len(members), blocks)
        if defined is not None:
            semantic, why = Semantic.AGGREGATION, "each row defines one variable by the others"
    elif semantic in RATIOS and len(blocks) == 1 and _home(rows, members) and _ratio(blocks[0]):
        semantic, why = RATIOS[semantic], "shares of one group against each other"
    share = by_type.get(semantic, by_type.get(Semantic.EQUALITY, 0)) / len(members)
    if 0 < share <= 0.995:
        why += f", in {share:.0%} of its rows"
    return semantic, why, defined


def _home(rows: Rows, members: Ints) -> bool:
    """Whether nearly all right-hand sides are 0."""
    b = rows.b[members]
    return float((np.abs(b) <= SAME * rows.size[1][members]).mean()) >= MOST


def _ratio(block: FamilyBlock) -> bool:
    mixed = bool((block.value > 0).any() and (block.value < 0).any())
    return mixed and len(np.unique(np.abs(block.value))) > 1


def _defined(size: int, blocks: Sequence[FamilyBlock]) -> FamilyBlock | None:
    """The block whose columns are defined, one a row; None for balances."""
    if any(_passes_on(block) for block in blocks):
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


def _passes_on(block: FamilyBlock) -> bool:
    """Whether most columns leave one row and enter another, as flows and stocks do."""
    size = block.sizes[1]
    up = np.bincount(block.col[block.value > 0], minlength=size) > 0
    down = np.bincount(block.col[block.value < 0], minlength=size) > 0
    used = block.per_col > 0
    return bool((up & down).sum() > 0.5 * used.sum())


def show(labels: Labels, names: Sequence[str]) -> str:
    """A table of the families by `names`, in their order, and the ranked application classes."""
    rows = [("family", "rows", "semantic type", "scaffold", "MIPLIB class")]
    rows += [
        (given, str(one.size), name(one.semantic), name(one.scaffold), one.miplib)
        for given, one in zip(names, labels.families, strict=True)
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    guesses = [
        f"  {one.confidence:4.0%}  {one.sub} ({one.major}): {one.evidence}"
        for one in labels.applications
    ]
    return "\n".join([*lines, "application, by guess, with its confidence:", *guesses])
