"""What a family means: its semantic type, its loop scaffold, its class; a model's application.

In go a `Flat` and its `Abstraction`, out come `Labels`, each with its evidence in words. `view.py`
lays out the model by rows (`Rows`, signs turned to `a'x <= b`) and by the block of entries that
each family has of each group. `row_types.py` gives each row one of the 17 semantic types of paper
003 by a list of rules of which the first that fits wins, and one of the 17 MIPLIB classes;
a family has what most of its rows have. `scaffolds.py` gives it one of the 9 loop scaffolds by how
the rows' indices meet the columns'. `applications.py` ranks application classes by signatures over
all families and by words beside the model, and `labels.py` puts it together and labels groups by
their bounds. The order of all rules is decision record 12.
"""

from ordojo.formulation.vocabulary import Scaffold, Semantic, name
from ordojo.structures.labels.labels import Labels, label, show
from ordojo.structures.labels.row_types import CLASSES

__all__ = [
    "CLASSES",
    "Labels",
    "Scaffold",
    "Semantic",
    "label",
    "name",
    "show",
]
