"""Seed problems: feasible models with their texts, into which an error is then injected (C.1).

They are drawn from the library of problems, at sizes that a reader can hold (`SIZES`) or those of
the hard set, some of them in whole numbers though their specification has continuous ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from ordojo.formulation.build import Built, Names, build
from ordojo.formulation.spec import Number, Spec
from ordojo.milp.model import Model
from ordojo.problems.prose import FigureTelling, describe, name_elements
from ordojo.problems.registry import get_template

SIZES: Mapping[str, Mapping[str, tuple[Number, Number]]] = {
    "product_mix": {"n_products": (4, 5), "n_resources": (2, 3)},
    "batch_mixing": {"n_ingredients": (5, 8), "n_floors": (2, 3), "n_ceilings": (2, 2)},
    "diet": {"n_foods": (4, 6), "n_nutrients": (3, 3)},
    "transportation": {"n_sources": (2, 3), "n_sinks": (3, 3)},
    "transshipment": {"n_plants": (2, 2), "n_hubs": (2, 2), "n_stores": (2, 3)},
    "generalized_assignment": {"n_agents": (2, 2), "n_jobs": (5, 6), "slack": (1.0, 1.0)},
    "production_planning": {"n_products": (1, 1), "n_periods": (3, 3), "change": (0.2, 0.4)},
    "shift_staffing": {"n_periods": (4, 6)},
    "cutting_stock": {"n_widths": (3, 4), "n_patterns": (4, 6)},
    "facility_location": {"n_customers": (2, 3), "n_sites": (2, 2), "spare": (1, 1)},
    "portfolio": {"n_assets": (6, 9), "n_sectors": (2, 3)},
    "min_cost_flow": {"n_sources": (2, 2), "n_stations": (2, 2), "n_sinks": (2, 2)},
    "max_flow": {"n_yards": (2, 3), "n_extra": (1, 2)},
    "project_budget": {"n_projects": (7, 9), "n_sites": (2, 3)},
    "vehicle_loading": {"n_vehicles": (2, 2), "n_goods": (3, 4)},
    "media_mix": {"n_channels": (5, 8), "n_audiences": (3, 4)},
    "set_covering": {"n_districts": (5, 6), "n_sites": (6, 9), "density": (0.3, 0.4)},
    "power_dispatch": {"n_plants": (2, 3), "n_periods": (2, 3)},
    "crop_planning": {"n_crops": (5, 8)},
    "refining": {"n_oils": (3, 4), "n_products": (3, 3)},
    "cash_matching": {"n_bonds": (4, 6), "n_years": (3, 4)},
    "lot_sizing": {"n_products": (1, 1), "n_machines": (1, 1), "n_periods": (3, 3)},
}
"""The specifications in use, with the range of each knob; other knobs are those of small ones."""

HARD_SIZES: Mapping[str, Mapping[str, tuple[Number, Number]]] = {
    "network_design": {"n_nodes": (5, 7), "n_commodities": (3, 5)},
    "blending": {"n_ingredients": (4, 5), "n_blends": (4, 4)},
    "cyclic_roster": {"n_staff": (5, 8), "n_slots": (14, 14)},
    "unit_commitment": {"n_units": (3, 4), "n_hours": (5, 6)},
}
"""As `SIZES`, of the hard set."""

WHOLE: Mapping[str, float] = {"product_mix": 0.3, "diet": 0.2, "media_mix": 0.3}
"""How often a specification with continuous variables is asked in whole numbers: chosen without a
fit, so that sets have both."""


@dataclass(frozen=True)
class Seed:
    """A feasible, bounded model with a nonzero optimum, before sabotage.

    `text` tells the problem in words, with every number of its data and no name of a row; `built`
    and `names` are what it was told from.
    """

    model: Model
    text: str
    built: Built
    names: Names


def make_seed(
    name: str,
    rng: np.random.Generator,
    sizes: Mapping[str, Mapping[str, tuple[Number, Number]]] = SIZES,
    figures: FigureTelling | None = None,
) -> Seed:
    """A seed problem of a specification; depends on the generator alone."""
    template = get_template(name)
    knobs = dict(template.settings())
    for knob, (low, high) in sizes[name].items():
        if isinstance(low, int) and isinstance(high, int):
            knobs[knob] = int(rng.integers(low, high + 1))
        else:
            knobs[knob] = float(rng.uniform(low, high))
    spec = template.spec
    if rng.random() < WHOLE.get(name, 0.0):
        spec = _whole(name)
    tables = template.draw(rng, knobs)
    names = name_elements(spec, tables, rng)
    built = build(spec, tables, name, names)
    return Seed(built.model, describe(built, names, rng, figures), built, names)


@cache
def _whole(name: str) -> Spec:
    return get_template(name).spec.with_domain("continuous", "integer")
