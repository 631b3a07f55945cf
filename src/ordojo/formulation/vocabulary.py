"""The labels of constraint families: semantic types and loop scaffolds (paper 003, appendix D)."""

from enum import IntEnum


class Semantic(IntEnum):
    """The 17 semantic constraint types (table 4), by their numbers there."""

    UPPER_BOUND = 1
    UPPER_SUM = 2
    UPPER_WEIGHTED_SUM = 3
    UPPER_PROPORTION = 4
    LOWER_BOUND = 5
    LOWER_SUM = 6
    LOWER_WEIGHTED_SUM = 7
    LOWER_PROPORTION = 8
    COMPARISON = 9
    IMPLICATION = 10
    EXACTLY_ONE = 11
    AT_LEAST_ONE = 12
    AT_MOST_ONE = 13
    EQUALITY = 14
    AGGREGATION = 15
    INDICATOR = 16
    DOMAIN = 17


class Scaffold(IntEnum):
    """The 9 loop scaffolds (table 5), (i) to (ix)."""

    GLOBAL = 1
    SINGLE_LOOP = 2
    NESTED_LOOP = 3
    SUBSET = 4
    COUPLED = 5
    CYCLIC = 6
    WINDOW = 7
    PAIRWISE = 8
    REPLICATED = 9


def name(label: Semantic | Scaffold) -> str:
    """A label in words."""
    return label.name.lower().replace("_", " ")
