"""Which columns belong to one group and which rows to one family."""

from ordojo.structure.grouping.choose import Partition, partition

__all__ = ["Partition", "partition"]
