"""The tiny model through every stage, seed by seed: the table in docs/recipes.md.

`python -m ordojo.training.recipes.longer OUT SEED...` plays each seed (about nine minutes of one
core) and prints the table over all seeds in OUT. Parts of a seed that are there are kept.
"""

import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.training.recipes.parts import PARTS


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The mean over the seeds with the least and the most, stage by stage."""
    lines = []
    for part in PARTS:
        for stage in rows[0].get(part, ()):
            figures = rows[0][part][stage]
            for name in figures:
                values = [_value(row[part][stage].get(name)) for row in rows if part in row]
                known = [value for value in values if value is not None]
                if known and name not in ("n", "steps_n"):
                    spread = f"{min(known):.3f} to {max(known):.3f}"
                    lines.append(f"{stage} | {name} | {statistics.fmean(known):.3f} | {spread}")
    return "\n".join(lines)


def _value(figure: Any) -> float | None:
    found = figure[0] if isinstance(figure, list) else figure
    return float(found) if isinstance(found, int | float) and found == found else None


def main() -> None:
    """Play the seeds named that OUT does not have yet, and print the table."""
    import torch

    torch.set_num_threads(1)
    out = Path(sys.argv[1])
    for seed in map(int, sys.argv[2:]):
        path = out / f"seed-{seed}.json"
        found = json.loads(path.read_text("utf-8")) if path.exists() else {}
        for name, play in PARTS.items():
            if name not in found:
                found[name] = play(out / f"seed-{seed}", seed)
                path.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    rows = [json.loads(path.read_text("utf-8")) for path in sorted(out.glob("seed-*.json"))]
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    main()
