"""From a formulation to natural language: blueprint, text, polishing under checks, export."""

from ordojo.structure.blueprint.blueprint import Blueprint, File, Item
from ordojo.structure.blueprint.draft import draft
from ordojo.structure.blueprint.export import Exported, export
from ordojo.structure.blueprint.invent import Invented, invent
from ordojo.structure.blueprint.polish import Polished, polish
from ordojo.structure.blueprint.scenarios import SCENARIOS, Scenario, find_scenario, scenario_for
from ordojo.structure.blueprint.text import text

__all__ = [
    "SCENARIOS",
    "Blueprint",
    "Exported",
    "File",
    "Invented",
    "Item",
    "Polished",
    "Scenario",
    "draft",
    "export",
    "find_scenario",
    "invent",
    "polish",
    "scenario_for",
    "text",
]
