"""What was published on newsvendor orders: the paper's models, and people in experiments."""

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from ordojo.benchmarks.or_bias.schema import INSTANCES
from ordojo.core.panels import Published

DATASET = f"or-bias@v{INSTANCES}/eval/normal"
"""The scenarios that stand for the paper's."""

SOURCE = "Solver-in-the-loop paper, table 36"

HUMANS = "Lau, Hasija and Bearden (2014), table 2"


@dataclass(frozen=True)
class Experiment:
    """People's mean order in a newsvendor experiment: demand of mean `mean`, optimum `optimum`."""

    name: str
    mean: float
    optimum: float
    order: float

    @property
    def weight(self) -> float:
        """The weight of the mean in the mean order."""
        return (self.order - self.optimum) / (self.mean - self.optimum)


EXPERIMENTS = (
    Experiment("people, low margin (Bolton and Katok 2008, study 1)", 100, 75, 88),
    Experiment("people, high margin (Bolton and Katok 2008, study 1)", 50, 75, 61),
    Experiment("people, low margin (Mechanical Turk)", 100, 75, 90),
    Experiment("people, high margin (Mechanical Turk)", 50, 75, 53),
)
"""Mean orders as `HUMANS` gives them (doi 10.1016/j.dss.2012.12.041), in whole units."""

HUMAN_WEIGHT = round(sum(e.weight for e in EXPERIMENTS[:2]) / 2, 2)
"""0.54, the mean of Bolton and Katok's two conditions: the weight of the policy "heuristic"."""


def table36() -> Iterator[tuple[str, dict[str, float]]]:
    """The models of table 36 with their scores as shares."""
    path = files(__package__).joinpath("tables/or_bias_table36.csv")
    for row in csv.DictReader(path.read_text("utf-8").splitlines()):
        model = row.pop("model")
        yield (
            model,
            {
                name.removesuffix("_pct"): round(float(value) / 100, 6)
                for name, value in row.items()
            },
        )


def published_scores() -> Sequence[Published]:
    """Table 36, one entry for each model and set: rationality and bias difference.

    The paper does not give the share within 5% of the optimum, which is the headline.
    """
    return [
        Published(
            model,
            split,
            math.nan,
            SOURCE,
            {"rationality": scores[f"rationality_{split}"]}
            | {"bias_difference": scores[f"bias_{split}"]},
            DATASET,
        )
        for model, scores in table36()
        for split in ("ID", "OOD")
    ]
