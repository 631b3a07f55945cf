"""How sure a guess at the application class is: two numbers fitted on one half of the labels.

`python -m perf.taxonomy` fits them on the half "tuned" of taxonomy.json (whole families of
instances) and measures accuracy, mean confidence and Brier score on it and on the half "held".
Needs the data sets mnl-mps and mps in $ORDOJO_DATA.
"""

import json
import os
from pathlib import Path

import numpy as np

from ordojo.structures import abstract, read_flat
from ordojo.structures.labels import label
from ordojo.structures.labels.applications import confidences

Guesses = list[tuple[str, float]]


def guesses(root: Path, name: str) -> Guesses:
    """The main classes guessed for an instance, with their scores."""
    places = [root / f"mnl-mps/{name}.mps.xz", root / f"mps/{name}.mps.gz"]
    flat = read_flat(next(path for path in places if path.is_file()))
    return [(one.major, one.score) for one in label(flat, abstract(flat)).applications]


def stated(found: Guesses, unknown: float, heat: float) -> tuple[str, float]:
    """The surest main class and its confidence."""
    sure = confidences([score for _, score in found], unknown, heat)
    total: dict[str, float] = {}
    for (major, _), share in zip(found, sure, strict=True):
        total[major] = total.get(major, 0.0) + share
    return max(total.items(), key=lambda pair: pair[1])


def measure(
    found: dict[str, Guesses], truth: dict[str, list[str]], *fit: float
) -> dict[str, float]:
    """Accuracy, mean confidence, Brier score and log loss of the surest main class."""
    pairs = [(stated(found[name], *fit), classes) for name, classes in truth.items()]
    right = np.array([major in classes for (major, _), classes in pairs], float)
    sure = np.array([share for (_, share), _ in pairs])
    loss = -np.log(np.clip(np.where(right == 1, sure, 1 - sure), 1e-6, 1)).mean()
    brier = float(((sure - right) ** 2).mean())
    kept = {"accuracy": right.mean(), "confidence": sure.mean(), "brier": brier, "loss": loss}
    return {name: round(float(value), 3) for name, value in kept.items()}


def main() -> None:
    """Fit, and print both halves."""
    root = Path(os.environ["ORDOJO_DATA"])
    truth = json.loads(Path(__file__).with_name("taxonomy.json").read_text("utf-8"))
    halves = {
        half: {name: guesses(root, name) for name in truth[half]} for half in ("tuned", "held")
    }
    grid = [(u, h) for u in np.arange(0.0, 1.01, 0.1) for h in np.geomspace(0.05, 1.0, 14)]
    fit = min(grid, key=lambda one: measure(halves["tuned"], truth["tuned"], *one)["loss"])
    print(f"unknown {fit[0]:.2f}, heat {fit[1]:.2f}")
    for half, found in halves.items():
        print(half, len(found), measure(found, truth[half], *fit))


if __name__ == "__main__":
    main()
