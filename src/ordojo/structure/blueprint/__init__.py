"""From a formulation to a problem in words, and to an instance folder (paper 003, appendix B).

In go a `Formulation` and `Labels`; `draft.py` makes a `Blueprint` (`blueprint.py`): a sentence for
every set, parameter, group, family and file, with the phrases of `words.py` and the story and nouns
of a scenario, which is chosen by the application. `text` joins the sentences. Both a person (in the
workbench) and a language model may reword them: `polish.py` asks the model and refuses any answer
in which a quantity, a name, a relation or a line is lost or new. `export.py` solves the model and
writes everything as one folder, whose record is `structure/artifact.py`.
"""

from ordojo.structure.blueprint.blueprint import Blueprint, File, Item, text
from ordojo.structure.blueprint.draft import draft
from ordojo.structure.blueprint.export import Exported, export
from ordojo.structure.blueprint.polish import Invented, Polished, invent, polish
from ordojo.structure.blueprint.words import SCENARIOS, TextScenario, find_scenario, scenario_for

__all__ = [
    "SCENARIOS",
    "Blueprint",
    "Exported",
    "File",
    "Invented",
    "Item",
    "Polished",
    "TextScenario",
    "draft",
    "export",
    "find_scenario",
    "invent",
    "polish",
    "scenario_for",
    "text",
]
