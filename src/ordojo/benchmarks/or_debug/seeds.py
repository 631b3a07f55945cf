"""Seed problems: feasible models with their texts, into which an error is then injected (C.1).

They are drawn from the library of problems, at sizes that a reader can hold (`SIZES`) or those of
the hard set, some of them in whole numbers though their specification has continuous ones.

Large ones are kept as recipes, how they are made: template, knobs, seed, and the error as one
action. A few elements among thousands weigh: what they cost is raised until a rule on one of them
moves the optimum by more than the 5% that a repair may lose. The text tells of these alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, OrdojoError
from ordojo.core.instance import object_of
from ordojo.core.seeds import generator
from ordojo.formulation.build import Built, Names, build
from ordojo.formulation.spec import Number, Spec, Tables
from ordojo.milp.model import Model
from ordojo.problems.base import Knobs
from ordojo.problems.prose import FigureTelling, Part, describe, name_elements
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


MEMBERS, SHARE = 8, 0.085
"""Elements that weigh, and the share of the optimum that each costs: a guess hits one in eight."""

Data = Mapping[str, Mapping[str, list[Any]]]
Place = tuple[str, str, str]
"""A table, its key column, and the column of numbers."""


@dataclass(frozen=True)
class LargePlan:
    """How a template is drawn large.

    `knobs` makes a number of rows into knobs, `cost` guesses the optimum from the tables. The
    rows `floor` ask the amounts `asked` of elements of the set `over`; `price` is what an amount
    costs, or with `loss` what it loses where profit is the goal; `loose` are limits on it, each
    raised by a factor, so that more can be asked than is. `near` gives what else is told of.
    Beyond `most` rows a build takes too long.
    """

    over: str
    floor: str
    asked: Place
    price: Place
    loose: tuple[tuple[Place, int], ...]
    knobs: Callable[[int], dict[str, int]]
    cost: Callable[[Data], float]
    near: Callable[[Data, list[Number]], list[Number]] = lambda tables, members: []
    loss: bool = False
    most: int = 100_000


def _feeding(tables: Data, members: list[Number]) -> list[Number]:
    """Where the pipes to some cities begin."""
    ends = zip(tables["pipes"]["from"], tables["pipes"]["to"], strict=True)
    return sorted({start for start, end in ends if end in members})


def _partners(tables: Data, members: list[Number]) -> list[Number]:
    pairs = dict(zip(tables["rotations"]["crop"], tables["rotations"]["other"], strict=True))
    return [pairs[crop] for crop in members]


PLANS: Mapping[str, LargePlan] = {
    "transportation": LargePlan(
        "J", "need_met", ("mills", "mill", "need"), ("lanes", "mill", "price"),
        ((("mills", "mill", "dock"), 3), (("lanes", "mill", "lane_limit"), 4)),
        lambda rows: {"n_sources": 3, "n_sinks": (rows - 4) // 2},
        lambda tables: 8.6 * sum(tables["mills"]["need"]),
    ),
    "transshipment": LargePlan(
        "S", "need_met", ("stores", "store", "need"), ("outward", "store", "out_price"),
        ((("outward", "store", "out_limit"), 4),),
        lambda rows: {"n_plants": 2, "n_hubs": 3, "n_stores": rows - 9},
        lambda tables: 11.3 * sum(tables["stores"]["need"]), most=50_000,
    ),
    "min_cost_flow": LargePlan(
        "N", "need_met", ("cities", "node", "need"), ("pipes", "to", "price"),
        ((("pipes", "to", "pipe_limit"), 60),),
        lambda rows: {"n_sources": 40, "n_stations": rows // 10, "n_sinks": rows * 4 // 5 - 41},
        lambda tables: 11.2 * sum(tables["cities"]["need"]),
        _feeding, most=12_000,
    ),
    "crop_planning": LargePlan(
        "C", "contract", ("contracts", "crop", "sold"), ("crops", "crop", "margin"),
        ((("crops", "crop", "suited"), 6),),
        lambda rows: {"n_crops": rows * 12 // 7},
        lambda tables: 49.0 * sum(tables["crops"]["suited"]),
        _partners, True, 20_000,
    ),
}  # fmt: skip
"""The templates in use, all linear."""


@dataclass(frozen=True)
class LargeProblem:
    """A large model with what its text is told from; `members` are the elements that weigh."""

    built: Built
    names: Names
    part: Part
    members: tuple[Number, ...]


def make_large(recipe: Mapping[str, Any]) -> LargeProblem:
    """The true problem of a recipe."""
    name, plan = recipe["template"], PLANS[recipe["template"]]
    template, rng = get_template(name), generator(recipe["seed"], f"or-debug/large/{name}", 0)
    knobs: Knobs = {**template.settings(), **recipe["knobs"]}
    tables = template.draw(rng, knobs)
    members = _members(plan, tables, rng)
    _weigh(plan, tables, members, rng)
    names = name_elements(template.spec, tables, rng)
    part = {plan.over: [*members, *plan.near(tables, members)]}
    return LargeProblem(build(template.spec, tables, name, names), names, part, tuple(members))


def is_recipe(data: Mapping[str, Json]) -> bool:
    """Whether a model is kept as how it is made."""
    return "template" in data


def check_recipe(data: Mapping[str, Any]) -> None:
    """Refuse, by a DataError, what is no recipe; nothing is made."""
    if data.get("template") not in PLANS:
        known = ", ".join(PLANS)
        raise DataError(f"template is {data.get('template')!r}, it must be one of {known}")
    plan, knobs = PLANS[str(data["template"])], object_of(data, "knobs")
    usual = plan.knobs(1000)
    whole = all(type(value) is int for value in knobs.values())
    if not whole or knobs.keys() != usual.keys() or not 0 < sum(knobs.values()) <= 10**6:
        raise DataError(f"knobs is {knobs!r}, it must have whole numbers for {', '.join(usual)}")
    if type(data.get("seed")) is not int or not isinstance(data.get("error", ""), str):
        raise DataError("seed must be a whole number, and the error an action")


def model_of(data: Mapping[str, Json]) -> Model:
    """The model of a recipe without its error, or of what `Model.to_json` wrote.

    Raises DataError.
    """
    if not is_recipe(data):
        return Model.from_json(data)
    try:
        return make_large(data).built.model
    except (OrdojoError, ArithmeticError, LookupError, ValueError) as error:
        raise DataError(f"the recipe makes no model ({error}); build the file again") from None


def _members(plan: LargePlan, tables: Tables, rng: np.random.Generator) -> list[Number]:
    """Elements that weigh, drawn among those that something is asked of."""
    table, key, _ = plan.asked
    found = tables[table][key]
    if plan.loss:  # a limit besides their own bound is a rotation's
        found = sorted(set(found) & set(tables["rotations"]["crop"]))
    return sorted(found[k] for k in rng.permutation(len(found))[:MEMBERS].tolist())


def _weigh(
    plan: LargePlan, tables: Tables, members: list[Number], rng: np.random.Generator
) -> None:
    """Raise limits and costs of the members."""
    for (table, key, column), factor in plan.loose:
        for k in _places(tables, table, key, members):
            tables[table][column][k] *= factor
    table, key, column = plan.asked
    amounts = dict(zip(tables[table][key], tables[table][column], strict=True))
    weight = SHARE * (-1 if plan.loss else 1)
    total = plan.cost(tables) / (1 - MEMBERS * weight)
    table, key, column = plan.price
    places = _places(tables, table, key, members)
    # An element has several prices, of which the least counts: the others are up to four times it.
    drawn = rng.uniform(1.0, 4.0, len(places)).tolist()
    least: dict[Number, float] = {}
    for k, dear in zip(places, drawn, strict=True):
        least[tables[table][key][k]] = min(dear, least.get(tables[table][key][k], dear))
    for k, dear in zip(places, drawn, strict=True):
        element = tables[table][key][k]
        price = weight * total / amounts[element] * dear / least[element]
        tables[table][column][k] = int(float(f"{price:.3g}"))


def _places(tables: Tables, table: str, key: str, members: list[Number]) -> list[int]:
    chosen = set(members)
    return [k for k, element in enumerate(tables[table][key]) if element in chosen]
