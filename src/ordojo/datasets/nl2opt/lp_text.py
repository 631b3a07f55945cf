"""Gurobi's LP files in the dialect that HiGHS reads: the same model, other names."""

import re
from collections import Counter

INDEX = re.compile(r"(?<=[^\s\[\]:<>=+*^-])\[([^\[\]\n]*)\]")
"""The index of a name, as in `x[0,1]`; a bracket of quadratic terms has a blank before it."""

ROW = re.compile(r"^(\s*)([^\s:\\][^:\n]*):(?=\s|$)", re.MULTILINE)
"""The name at the beginning of a row; in comments there is none."""


def plain_lp(text: str) -> str:
    """The file with `x[0,1]` written `x(0,1)`, and every row called by a name of its own.

    HiGHS takes any bracket for quadratic terms and refuses two rows of one name; Gurobi writes
    both. A second `limit` is called `limit~2`.
    """
    seen: Counter[str] = Counter()

    def renamed(row: re.Match[str]) -> str:
        name = "_".join(row[2].split())
        seen[name] += 1
        return f"{row[1]}{name}:" if seen[name] == 1 else f"{row[1]}{name}~{seen[name]}:"

    indexed = INDEX.sub(lambda index: f"({index[1].replace(' ', '_')})", text)
    return ROW.sub(renamed, indexed)


def is_quadratic(text: str) -> bool:
    """Whether the file has quadratic terms, which a linear model cannot hold."""
    lines = plain_lp(text).splitlines()
    return any("[" in line for line in lines if not line.lstrip().startswith("\\"))
