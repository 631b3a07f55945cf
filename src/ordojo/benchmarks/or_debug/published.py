"""What the paper gives of OR-Debug-Bench: its models' scores, as shares, and its injectors' rates.

`tables/` holds the scores of whole models; the report and `build` show all of it beside ours.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ordojo.benchmarks.or_debug.schema import INSTANCES
from ordojo.core.files import shipped_table
from ordojo.core.panels import Published

PAPER = "Solver-in-the-loop paper (February 2026 version)"

DATASET = f"or-debug@v{INSTANCES}/eval"
"""The instances that stand for the authors' own 450, which are not public."""


class Scores(NamedTuple):
    """A model's row: recovery, recovery within 5 steps, diagnostic accuracy, mean steps.

    `kind` is "Local" (trained in the paper) or "API".
    """

    model: str
    rr: float | None
    rr_at_5: float
    da: float
    steps: float | None
    source: str
    kind: str = ""


_COLUMNS = {"RR_pct": 100, "RR_at_5_pct": 100, "DA_pct": 100, "steps": 1}
"""Columns of a table, and what they are divided by."""


def read_table(number: int) -> Iterator[Scores]:
    """The rows of table 32 (26 models), or of table 11 that are not in table 32 (4 models).

    Or of those on 200 samples: retrieval strategies (34), and prompting against training (41 to
    43), which give no RR and no steps (None).
    """
    for row in shipped_table(__package__, f"tables/or_debug_table{number}.csv"):
        rr, rr_at_5, da, steps = (
            round(float(row[name]) / scale, 6) if row[name] else None
            for name, scale in _COLUMNS.items()
        )
        assert rr_at_5 is not None and da is not None
        yield Scores(row["model"], rr, rr_at_5, da, steps, f"table {number}", row["type"])


def table32() -> Sequence[Scores]:
    """Every model of tables 32 and 11, the best RR@5 first."""
    return sorted([*read_table(32), *read_table(11)], key=lambda s: (-s.rr_at_5, s.model))


def published_scores() -> Sequence[Published]:
    """Tables 32 and 11 for the leaderboard: RR@5, with RR, DA and steps."""
    return [
        Published(
            s.model,
            "as published",
            s.rr_at_5,
            f"{PAPER}, {s.source}",
            {"rr": s.rr or 0.0, "da": s.da, "steps": s.steps or 0.0},
            DATASET,
        )
        for s in table32()
    ]


BY_TYPE: Mapping[str, float] = {
    "A": 0.61, "B": 0.95, "C": 0.86, "D": 0.63, "E": 0.69,
    "F": 0.49, "G": 0.53, "H": 0.82, "I": 0.75,
}  # fmt: skip
"""Table 39: RR@5 by error type, the mean over the 26 models."""

BY_LEVEL: Mapping[str, float] = {"easy": 0.905, "medium": 0.785, "hard": 0.59}
"""Tables 24 and 39: RR@5 by difficulty level, the same figures."""

CURVES: Mapping[str, Sequence[tuple[float, float]]] = {
    "Qwen3-8B-GRPO (published)": ((3, 0.921), (5, 0.953)),
    "o4-mini (published)": ((5, 0.862), (10, 0.907)),
}
"""RR@k at the k that section 5.5 and table 32 give."""

GAINS: Mapping[str, float] = {"easy": 0.098, "hard": 0.268}
"""Section 5.5: how much RR@k grows from k = 1 to k = 5."""

TOKENS: Sequence[tuple[str, float, float, float]] = (
    ("Qwen3-8B-GRPO", 2011, 2.25, 2109),
    ("Qwen3-8B-SFT", 2103, 2.34, 2259),
    ("claude-sonnet-4", 5417, 3.71, 6283),
    ("o4-mini", 6246, 3.36, 7985),
    ("gpt-4.1", 7260, 4.78, 11503),
    ("gpt-5-mini", 10544, 5.12, 18110),
)
"""Table 33: model, tokens an episode, steps, tokens a success."""

FAILURES: Mapping[str, int] = {
    "wrong constraint identified": 22,
    "insufficient relaxation": 18,
    "cascading failure": 42,
    "timeout on complex IIS": 11,
    "objective degradation": 7,
}
"""Table 35: the patterns of 100 failures of Qwen3-8B-GRPO, by their names in `judges.PATTERNS`."""

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
