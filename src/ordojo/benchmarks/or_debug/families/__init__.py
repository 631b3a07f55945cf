"""Seed problems: feasible models with their stories, into which an error is then injected (C.1)."""

from collections.abc import Mapping

from ordojo.benchmarks.or_debug.families import (
    assignment,
    blending,
    capital,
    crew,
    crops,
    cutting,
    diet,
    dispatch,
    facility,
    inventory,
    ladder,
    loading,
    lots,
    media,
    network,
    portfolio,
    production,
    refining,
    staffing,
    transportation,
    transshipment,
)
from ordojo.benchmarks.or_debug.families.seed import Family, Role, Seed

__all__ = ["FAMILIES", "Family", "Role", "Seed"]

FAMILIES: Mapping[str, Family] = {
    family.name: family
    for family in (
        Family("production", "production planning", ("LP", "MIP"), production.make),
        Family("blending", "blending a batch", ("LP",), blending.make),
        Family("diet", "the diet problem", ("LP", "MIP"), diet.make),
        Family("transportation", "transportation", ("LP",), transportation.make),
        Family("transshipment", "transshipment over hubs", ("LP",), transshipment.make),
        Family("assignment", "assignment of jobs", ("MIP",), assignment.make),
        Family("inventory", "multi-period inventory", ("LP", "MIP"), inventory.make),
        Family("staffing", "staffing of shifts", ("MIP",), staffing.make),
        Family("cutting", "cutting stock", ("MIP",), cutting.make),
        Family("facility", "facility location", ("MIP",), facility.make),
        Family("portfolio", "portfolio selection", ("LP",), portfolio.make),
        Family("cheapest_flow", "minimum cost flow", ("LP",), network.make_cheapest),
        Family("largest_flow", "maximum flow", ("LP",), network.make_largest),
        Family("capital", "capital budgeting", ("MIP",), capital.make),
        Family("loading", "vehicle loading", ("MIP",), loading.make),
        Family("media", "media mix", ("LP", "MIP"), media.make),
        Family("crew", "crew scheduling", ("MIP",), crew.make),
        Family("dispatch", "power dispatch", ("LP",), dispatch.make),
        Family("crops", "crop planning", ("LP",), crops.make),
        Family("refining", "refining with yields", ("LP",), refining.make),
        Family("ladder", "cash matching with bonds", ("LP",), ladder.make),
        Family("lots", "lot sizing with setups", ("MIP",), lots.make),
    )
}
"""The families by name, in a fixed order."""
