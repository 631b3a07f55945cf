"""Large models kept as how they are made: template, knobs, seed, and the error as one action.

A few elements among thousands weigh: what they cost is raised until a rule on one of them moves the
optimum by more than the 5% that a repair may lose. The text tells of these alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, OrdojoError
from ordojo.core.instance import object_of
from ordojo.core.seeds import generator
from ordojo.formulation.build import Built, Names, build
from ordojo.formulation.spec import Number, Tables
from ordojo.milp.model import Model
from ordojo.problems.base import Knobs
from ordojo.problems.prose import Part, name_elements
from ordojo.problems.registry import get_template

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
