"""Natural-language optimization problems of eleven published datasets, in one form."""

from ordojo.datasets.golds import Gold, agree, read_key
from ordojo.datasets.nl2opt.items import SCORED, STATUSES, Item, Status
from ordojo.datasets.nl2opt.load import load_items, nl2opt_ids

__all__ = [
    "SCORED",
    "STATUSES",
    "Gold",
    "Item",
    "Status",
    "agree",
    "load_items",
    "nl2opt_ids",
    "read_key",
]
