"""Which columns belong to one group of variables and which rows to one family of constraints.

In goes a `Flat`, out comes a `Partition`: a number for each column's group and each row's family.
`features.py` says what is seen of an item without its name (kind, numbers, whom it meets) and the
template of its name (`x[#,#]`), `words.py` which templates are one statement over words
(`make_A_#`). `choose.py` takes templates where they mean something; elsewhere it searches for the
shortest description of a small model (`description.py`), or joins items that look alike, one side
by the other's classes in turns, as long as the description gets shorter. `split.py` parts
statements that come in twos, and rows without names that sum named columns otherwise. No number of
the file is changed here, and no partition can make an abstraction inexact: a poor one only makes it
longer.
"""

from ordojo.structures.grouping.choose import Partition, partition

__all__ = ["Partition", "partition"]
