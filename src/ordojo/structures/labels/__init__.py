"""What a family means: its semantic type, its loop scaffold, its class; a model's application.

In go a `Flat` and its `Abstraction`, out come `Labels`, each with its evidence in words. `view.py`
lays out the model by rows (`Rows`, signs turned to `a'x <= b`) and by the block of entries that
each family has of each group. `labels.py` gives each row one of the 17 semantic types of paper 003
by a list of rules of which the first that fits wins, and one of the 17 MIPLIB classes; a family has
what most of its rows have, and a group is labelled by its bounds. `scaffolds.py` gives a family one
of the 9 loop scaffolds by how the rows' indices meet the columns'. `applications.py` ranks
application classes by signatures over all families and by words beside the model. The order of all
rules is decision record 12.
"""

from ordojo.formulation.vocabulary import Scaffold, Semantic, name
from ordojo.structures.labels.labels import CLASSES, Labels, label, show

__all__ = [
    "CLASSES",
    "Labels",
    "Scaffold",
    "Semantic",
    "label",
    "name",
    "show",
]
