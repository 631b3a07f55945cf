"""What the paper reports on building its problems (paper 004, tables 3, 20, 21, 22, 23)."""

from collections.abc import Mapping

BASIC: Mapping[str, int] = {
    "A": 30, "B": 95, "C": 0, "D": 85, "E": 70, "F": 65, "G": 60, "H": 45, "I": 40,
}  # fmt: skip
"""Success of the basic injectors in per cent (table 21)."""

ROBUST: Mapping[str, int] = {
    "A": 95, "B": 98, "C": 72, "D": 96, "E": 88, "F": 85, "G": 82, "H": 75, "I": 70,
}  # fmt: skip
"""Success of the robust injectors in per cent (table 21)."""

PHASES: Mapping[str, tuple[int, int, int, int, int]] = {
    "A": (100, 95, 92, 95, 82),
    "B": (100, 100, 100, 100, 100),
    "C": (100, 72, 68, 95, 62),
    "D": (100, 98, 96, 98, 92),
    "E": (100, 85, 80, 90, 72),
    "F": (100, 82, 78, 88, 68),
    "G": (100, 78, 75, 85, 64),
    "H": (100, 75, 72, 82, 60),
    "I": (100, 80, 78, 90, 70),
    "all": (100, 85, 82, 91, 75),
}
"""Pass rates of phases 1 to 4, and the final one, in per cent (table 22)."""

REGENERATIONS: Mapping[str, int] = {"0": 87, "1": 9, "2": 3, "3 or more": 1}
"""Share of problems by failed candidates before them, in per cent (table 23)."""

MEAN_ROWS, MEAN_COLUMNS, MEAN_IIS = 9.9, 8.4, 4.3
"""Average size of a problem and of its IIS (table 20)."""

IIS_RANGE = (1, 11)
"""Smallest and largest IIS (table 3)."""

GROUPS: Mapping[str, int] = {"ABCD": 44, "EFG": 33, "HI": 22}
"""Share of the types in the pool, in per cent (table 20)."""
