"""From a formulation to natural language: blueprint, text, polishing under checks, export."""

from ordojo.structure.blueprint.blueprint import Blueprint, File, Item, text
from ordojo.structure.blueprint.draft import draft
from ordojo.structure.blueprint.export import Exported, export
from ordojo.structure.blueprint.polish import Invented, Polished, invent, polish
from ordojo.structure.blueprint.words import SCENARIOS, Scenario, find_scenario, scenario_for

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
