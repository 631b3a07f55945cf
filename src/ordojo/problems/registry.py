"""The templates by name."""

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from ordojo.core.errors import UsageError
from ordojo.problems.base import Template

if TYPE_CHECKING:
    from ordojo.structures.recognition import Known

_LIBRARY = {
    "budgets": "media_mix portfolio project_budget",
    "flows": "max_flow min_cost_flow scenario_transport transportation transshipment",
    "location": "channel_coloring coverage_location facility_location network_design round_trip "
    "set_covering",
    "mixtures": "batch_mixing blending crop_planning diet product_mix refining",
    "packing": "bin_packing conflict_packing cutting_stock multiple_knapsack vehicle_loading",
    "periods": "cash_matching lot_sizing power_dispatch production_planning unit_commitment",
    "scheduling": "cyclic_roster disjunctive_scheduling generalized_assignment job_mode_time "
    "project_crashing shift_staffing",
}
"""The templates of each module of the library."""
NAMES = tuple(
    (  # noqa: SIM905 - a list of names
        "network_design production_planning cyclic_roster disjunctive_scheduling set_covering "
        "facility_location lot_sizing generalized_assignment bin_packing cutting_stock "
        "conflict_packing project_budget job_mode_time scenario_transport blending product_mix "
        "diet transportation transshipment portfolio min_cost_flow max_flow media_mix "
        "power_dispatch crop_planning refining cash_matching vehicle_loading shift_staffing "
        "batch_mixing round_trip unit_commitment coverage_location channel_coloring "
        "project_crashing multiple_knapsack"
    ).split()
)
"""Every template, in the order of the library's page."""


def get_template(name: str) -> Template:
    """The template of that name (hyphens count as underscores); raises UsageError."""
    known = name.replace("-", "_")
    if known not in NAMES:
        raise UsageError(f"there is no template '{name}'; choose one of {', '.join(NAMES)}")
    kind = next(kind for kind, names in _LIBRARY.items() if known in names.split())
    template: Template = getattr(import_module(f"ordojo.problems.library.{kind}"), known)
    return template


def templates() -> tuple[Template, ...]:
    """All templates."""
    return tuple(get_template(name) for name in NAMES)


def declarations() -> "tuple[Known, ...]":
    """What a model may be recognised as: each with its other objectives and what it may lack."""
    from ordojo.structures.recognition import Known

    found = []
    for one in templates():
        known = Known(one.name, one.title, one.spec, one.application)
        if words := one.words:
            known = replace(known, goals=words.goals, optional=words.optional, scenes=words.scenes)
        found.append(known)
    return tuple(found)
