"""From a formulation to a problem in words, and to an instance folder (paper 003, appendix B).

In go a `Formulation` and `Labels`; `draft.py` makes a `Blueprint` (`blueprint.py`): a sentence for
every set, parameter, group, family and file, with the phrases of `words.py`, what the rows prove
that the model is about (`background.py`), and the story and nouns of a scenario, where one is asked
for. `text` joins the sentences. A person or a language model may reword them or tell the problem
freely: `retell.py` names what a text then lacks, by what its sentences claim (`claims.py`), and
`accept.py` asks a model and refuses what lacks anything. `export.py` solves the model and writes
everything as one folder, whose record is `structures/artifact.py`.
"""

from ordojo.structures.blueprint.accept import invent, polish
from ordojo.structures.blueprint.blueprint import Blueprint, Item, text
from ordojo.structures.blueprint.draft import draft
from ordojo.structures.blueprint.export import Exported, export
from ordojo.structures.blueprint.retell import Facts, changed, facts, missing
from ordojo.structures.blueprint.words import SCENARIOS, find_scenario

__all__ = [
    "SCENARIOS",
    "Blueprint",
    "Exported",
    "Facts",
    "Item",
    "changed",
    "draft",
    "export",
    "facts",
    "find_scenario",
    "invent",
    "missing",
    "polish",
    "text",
]
